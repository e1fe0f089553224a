"""What a stored record may look like, and whether a record that does not was written by a newer
version or by a fault.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from scorer_app.hand.record import DamagedRecord, NewerRecord, Record, Trouble, UnreadableRecord

from .test_duplicates import hand
from .test_intervals import table

ROW = {"id": "r1", "side": "A", "place": "melds"}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"weather": "rain"}, NewerRecord),
        ({"end": "rained_off"}, NewerRecord),
        ({"rows": [ROW | {"place": "lap"}]}, NewerRecord),
        ({"serial": "many"}, DamagedRecord),
        ({"serial": -1}, DamagedRecord),
        ({"rows": [ROW | {"tiles": ["t9"]}]}, DamagedRecord),
        ([], DamagedRecord),
        ("", DamagedRecord),
    ],
)
def test_what_a_newer_version_wrote_is_told_from_what_is_damaged(
    data: Any, kind: type[UnreadableRecord]
) -> None:
    with pytest.raises(UnreadableRecord) as caught:
        Record.from_json(data)
    assert type(caught.value) is kind
    assert caught.value.trouble is (Trouble.NEWER if kind is NewerRecord else Trouble.DAMAGED)
    assert str(caught.value)


def test_a_record_comes_back_from_its_json() -> None:
    record = table("3R 4R 5R/6R ?", "9K/")
    assert Record.from_json(record.to_json()) == record
    assert Record.from_json(None) == Record()


SQUARE = [[0, 0], [9, 0], [9, 9], [0, 9]]
WHOLE: dict[str, Any] = {
    "tiles": {
        "t1": {"id": "t1", "face": "3R", "corners": SQUARE},
        "t2": {"id": "t2", "face": None},
        "t4": {"id": "t4", "face": "J"},
    },
    "rows": [ROW | {"id": "r3", "tiles": ["t2", "t1"]}, ROW | {"id": "r5", "tiles": ["t4"]}],
    "adjustments": [{"id": "x6", "side": "B", "points": -5, "reason": "r"}],
    "removed": [{"id": "t8", "face": "9K", "corners": SQUARE}],
    "end": "close",
    "closed_by": "B",
    "serial": 8,
}


def with_one_change(path: tuple[Any, ...], value: object) -> Any:
    """Return a copy of a whole record with another value at the end of the path."""
    changed = deepcopy(WHOLE)
    part: Any = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return changed


def test_a_whole_record_is_read() -> None:
    record = Record.from_json(deepcopy(WHOLE))
    assert (sorted(record.tiles), len(record.rows), record.closed_by) == (
        ["t1", "t2", "t4"],
        2,
        "B",
    )
    assert record.last_number() == 6
    assert Record().last_number() == 0


@pytest.mark.parametrize(
    "path",
    [
        ("weather",),
        ("tiles", "t4", "weather"),
        ("rows", 1, "weather"),
        ("adjustments", 0, "weather"),
        ("removed", 0, "weather"),
    ],
)
def test_a_field_of_a_newer_version_is_found_in_every_part(path: tuple[Any, ...]) -> None:
    with pytest.raises(NewerRecord, match="weather"):
        Record.from_json(with_one_change(path, "rain"))


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("tiles", "t4", "id"), "t9", "tiles under their own ids"),
        (("rows", 1, "tiles"), ["t4", "t1"], "every tile in exactly one row"),
        (("rows", 0, "tiles"), ["t2"], "every tile in exactly one row"),
        (("rows", 1, "tiles"), ["t4", "t77"], "every tile in exactly one row"),
        (("rows",), [*WHOLE["rows"], ROW | {"id": "r7", "tiles": []}], "rows with tiles"),
        (("rows", 1, "id"), "r3", "ids that occur once"),
        (("adjustments", 0, "id"), "t1", "x"),
        (("serial",), 5, "a serial that no id exceeds"),
        (("tiles", "t1", "corners"), SQUARE[:3], "four corners"),
        (("tiles", "t1", "corners"), [], "four corners"),
        (("removed", 0, "corners"), [*SQUARE, [5, 5]], "four corners"),
        (("closed_by",), None, "closed_by of a hand that was closed, and of no other"),
        (("end",), "stock_exhausted", "closed_by of a hand that was closed, and of no other"),
        (("end",), None, "closed_by of a hand that was closed, and of no other"),
        (("muerto",), {"A": True}, "the muerto of both sides"),
    ],
)
def test_what_contradicts_itself_is_damaged_and_says_what_was_expected(
    path: tuple[Any, ...], value: object, expected: str
) -> None:
    with pytest.raises(DamagedRecord, match=expected):
        Record.from_json(with_one_change(path, value))


@pytest.mark.parametrize(
    "part", [("tiles",), ("tiles", "t4"), ("rows",), ("rows", 1), ("adjustments",), ("removed", 0)]
)
@pytest.mark.parametrize("value", [7, "3R", None])
def test_a_part_of_another_type_is_damaged(part: tuple[Any, ...], value: object) -> None:
    with pytest.raises(DamagedRecord):
        Record.from_json(with_one_change(part, value))


@pytest.mark.parametrize(
    ("path", "fits", "beyond"),
    [
        (("removed", 0, "id"), ["a0", "t999999"], ["", "t", "T1", "tt1", "t1000000", "t1\n", 1]),
        (
            ("tiles", "t2", "face"),
            ["J", "1R", "9Y", "10B", "13K", None],
            ["", "0R", "14R", "20R", "R", "7r", "7RR", "JR", "7R\n"],
        ),
        (("tiles", "t1", "corners", 2, 1), [100_000, -100_000, 0.5], [100_001, -100_001, "1"]),
        (("tiles", "t1", "confidence"), [1000, -1000, None], [1000.1, -1000.1, float("nan")]),
        (("adjustments", 0, "points"), [100_000, -100_000], [100_001, -100_001, 1.0, True]),
        (("adjustments", 0, "reason"), ["r", "r" * 80], ["", "r" * 81, None]),
        (("adjustments", 0, "part"), ["base", "puntos"], ["all"]),
        (("adjustments", 0, "side"), ["A"], ["C", None]),
    ],
    ids=lambda value: str(value[-1]) if isinstance(value, tuple) else "",
)
def test_each_field_has_its_limits(
    path: tuple[Any, ...], fits: list[Any], beyond: list[Any]
) -> None:
    for value in fits:
        Record.from_json(with_one_change(path, value))
    for value in beyond:
        with pytest.raises(DamagedRecord):
            Record.from_json(with_one_change(path, value))


@pytest.mark.parametrize("data", [{"x" * 500: 1}, {"end": "x" * 500}])
def test_what_is_told_of_a_record_that_cannot_be_read_is_cut_off(data: Any) -> None:
    with pytest.raises(NewerRecord) as newer:
        Record.from_json(data)
    assert len(str(newer.value)) == 300


def test_copies_that_an_earlier_version_noted_as_checked_are_as_many_as_there_are() -> None:
    """It noted the faces alone."""
    record = hand("A melds p1: 3R 3R 3R", "B rack p2: 9K")
    stored = record.to_json() | {"kept_copies": ["3R", "9K"]}
    assert Record.from_json(stored) == replace(record, kept_copies={"3R": 3, "9K": 1})
    assert Record.from_json({"kept_copies": ["3R"]}).kept_copies == {"3R": 0}
    for wrong in (["3R", 7], ["14R"], "3R", {"3R": -1}, {"3R": "3"}, {"14R": 3}):
        with pytest.raises(DamagedRecord):
            Record.from_json(stored | {"kept_copies": wrong})
