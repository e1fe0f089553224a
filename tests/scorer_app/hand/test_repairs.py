"""The repairs offered for an illegal row: the likeliest comes first, and each leaves a legal
meld.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets import BURAKO
from scorer_app.hand.edits import apply
from scorer_app.hand.edits_of_tiles import MoveTile
from scorer_app.hand.plainness import is_illegal
from scorer_app.hand.questions import melds_of
from scorer_app.hand.record import FACES, Place, Record, Row, Tile
from scorer_app.hand.repairs import MOST_REPAIRS, Repair, RepairKind, repairs
from scorer_app.hand.table_rules import TableRules

RULES = TableRules(BURAKO, 4)


def melds(*rows: str, said: dict[int, dict[str, Any]] | None = None, **of_row: Any) -> Record:
    """Make a record of side A's melds as a photograph shows them, `?` for an unread tile.

    `said` holds what is known of tiles of the first row, by their place in it.
    """
    record = Record()
    for faces in rows:
        names: list[str] = []
        for at, face in enumerate(faces.split()):
            name, record = record.next_id("t")
            tile = Tile(name, None if face == "?" else face, photo="p", confidence=0.9)
            known = (said or {}).get(at, {}) if not record.rows else {}
            record = record.with_tiles([replace(tile, **known)])
            names.append(name)
        name, record = record.next_id("r")
        row = Row(name, "A", Place.MELDS, tuple(names), **{"ordered": True, **of_row})
        record = replace(record, rows=(*record.rows, row))
    return record


def of_first(record: Record) -> list[Repair]:
    return repairs(record, record.rows[0], RULES)


def after(record: Record, repair: Repair) -> list[str]:
    repaired = apply(record, repair.edit, RULES)
    return [" ".join(map(str, repaired.faces(row))) for row in melds_of(repaired)]


def test_the_face_that_the_reader_named_next_comes_first() -> None:
    record = melds("5R 8R 7R 8R", said={1: {"alternatives": (("6R", 0.4), ("3R", 0.1))}})
    assert after(record, of_first(record)[0]) == ["5R 6R 7R 8R"]


def test_a_face_that_a_repair_names_is_known_as_suggested() -> None:
    record = melds("5R 6B 7R")
    (tile,) = [
        one
        for one in apply(record, of_first(record)[0].edit, RULES).tiles.values()
        if one.confirmed
    ]
    assert (tile.face, tile.suggested) == ("6R", True)


def test_of_equal_repairs_one_of_a_tile_that_nobody_has_named_comes_first() -> None:
    for named in (1, 2):
        record = melds("3R 4R 4R 6R", said={named: {"confirmed": True}}, ordered=False)
        repair = of_first(record)[0]
        assert (repair.kind, repair.tile) == (RepairKind.READ, record.rows[0].tiles[3 - named])


def test_a_nine_on_its_head_is_a_six() -> None:
    record = melds("5R 9R 7R 8R")
    assert after(record, of_first(record)[0]) == ["5R 6R 7R 8R"]


def test_a_tile_of_the_wrong_colour_is_one_of_the_rows_colour() -> None:
    record = melds("5R 6B 7R")
    assert after(record, of_first(record)[0]) == ["5R 6R 7R"]


def test_two_melds_read_as_one_row_are_parted() -> None:
    record = melds("3R 4R 5R 9B 9K 9Y")
    assert after(record, of_first(record)[0]) == ["3R 4R 5R", "9B 9K 9Y"]


def test_one_meld_read_as_two_rows_is_joined() -> None:
    record = melds("6R 7R", "3R 4R 5R")
    assert after(record, of_first(record)[0]) == ["3R 4R 5R 6R 7R"]


def test_a_tile_of_the_neighbouring_meld_moves_there() -> None:
    record = melds("9B 9K 9Y 6R", "3R 4R 5R")
    assert after(record, of_first(record)[0]) == ["9B 9K 9Y", "3R 4R 5R 6R"]


def test_a_tile_that_lies_apart_on_its_photograph_completes_a_meld() -> None:
    record = melds("9B 10B 12B", "3R 4R 5R 11B 2K")
    apart, rest = record.rows[1].tiles[3:], record.rows[1].tiles[:3]
    pozo = replace(record.rows[1], id="r9", place=Place.POZO, tiles=apart)
    record = replace(record, rows=(record.rows[0], replace(record.rows[1], tiles=rest), pozo))
    brings = [one for one in of_first(record) if one.kind is RepairKind.BRING]
    assert [after(record, one)[0] for one in brings] == ["9B 10B 11B 12B", "9B 10B 2K 12B"]
    elsewhere = replace(record.tiles[apart[0]], photo="another")
    (bring,) = (
        one for one in of_first(record.with_tiles([elsewhere])) if one.kind is RepairKind.BRING
    )
    assert bring.tile == apart[1]


def test_tiles_that_make_a_meld_in_another_order_do_so_with_one_edit() -> None:
    record = melds("5R 3R 4R 6R 7R")
    repaired = apply(record, of_first(record)[0].edit, RULES)
    assert not is_illegal(repaired, repaired.rows[0], RULES)


def test_what_may_be_no_tile_is_none() -> None:
    record = melds("3R 4R 5R 12B", said={3: {"perhaps_none": True, "doubtful": True}})
    assert after(record, of_first(record)[0]) == ["3R 4R 5R"]


def test_a_tile_that_fits_nowhere_may_count_for_nobody() -> None:
    record = melds("3R 4R 5R 12B", user_arranged=True)
    assert [str(one.kind) for one in of_first(record)][-1] in ("read", "aside")
    assert len(of_first(record)) <= MOST_REPAIRS


def test_an_unread_tile_is_what_its_meld_allows() -> None:
    record = melds("3R ? 5R")
    assert "3R 4R 5R" in [after(record, one)[0] for one in of_first(record)]


def test_a_doubtful_tile_of_a_legal_meld_is_nothing_that_makes_it_illegal() -> None:
    doubt = {"doubtful": True, "alternatives": (("12K", 0.5), ("8B", 0.2))}
    record = melds("8R 8K 8Y", said={2: doubt})
    offered = [after(record, one)[0] for one in of_first(record)]
    assert offered[0] == "8R 8K 8B"
    assert not any("12K" in faces for faces in offered)


def test_a_doubtful_tile_of_a_legal_meld_is_offered_as_what_its_reading_leaves_open() -> None:
    """By other faces, such as a 2, the score would lie outside the interval that is told."""
    doubt = {"doubtful": True, "alternatives": (("8B", 0.2), ("2Y", 1e-5))}
    record = melds("8R 8K 8Y", said={2: doubt})
    assert [after(record, one)[0] for one in of_first(record)] == ["8R 8K 8B"]


@pytest.mark.parametrize("row", ["8R 8K 8Y", "6Y 7Y 8Y", "J 7Y 8Y"])
def test_a_doubtful_tile_is_never_offered_as_what_it_is(row: str) -> None:
    doubt = {"doubtful": True, "alternatives": (("8Y", 0.2), ("8B", 0.2), ("2R", 0.2))}
    record = melds(row, said={2: doubt, 0: doubt})
    offered = [after(record, one)[0] for one in of_first(record)]
    assert offered and row not in offered


@pytest.mark.parametrize("accepted", [True, False])
def test_a_legal_or_accepted_meld_needs_no_repair(accepted: bool) -> None:
    assert of_first(melds("3R 4R 5R")) == []
    assert bool(of_first(melds("3R 4R 6B", accepted=accepted))) is not accepted


NAMED = {"alternatives": (("6R", 0.45),)}


@pytest.mark.parametrize(
    ("rows", "said", "listed"),
    [
        # What the reader named weighs its share beside that of the chosen face, 0.9.
        (["5R 8R 7R 8R"], {1: NAMED}, ["read t2 0.5"]),
        (["5R 8R 7R 8R"], {1: NAMED | {"confidence": 0.3}}, ["read t2 1.0"]),
        (
            ["5R 8R 7R 8R"],
            {1: {"alternatives": (("6R", 0.01),), "confidence": None}},
            ["read t2 0.2"],
        ),
        (["5R 8R 7R 8R"], {1: NAMED | {"confirmed": True}}, ["read t2 0.05"] * 2),
        (["5R 9R 7R 8R"], {}, ["read t2 0.2"]),
        (["5R 6B 7R"], {}, ["read t2 0.1", "read t2 0.05"]),
        (["3R 4R 5R 9K"], {}, ["read t4 0.05"]),
        (["3R 4R 5R 9K"], {3: {"perhaps_none": True}}, ["none t4 0.35"]),
        (["3R 4R 5R 9K"], {3: {"perhaps_none": True, "confirmed": True}}, ["read t4 0.05"]),
        (["3R ? 5R"], {}, ["read t2 0.02"] * 3),
        (
            ["3R ? 5R"],
            {1: {"alternatives": (("4R", 0.5), ("J", 0.2))}},
            ["read t2 0.556", "read t2 0.222"],
        ),
        (["3R 4R 5R 9B 9K 9Y"], {}, ["split - 0.5"]),
        (["5R 3R 4R"], {}, ["sort - 0.45"]),
        (["6R 7R", "3R 4R 5R"], {}, ["join - 0.4"]),
        (["9B 9K 9Y 6R", "3R 4R 5R"], {}, ["move t4 0.3", "read t4 0.2"]),
        (["9B 9K 9Y 6R", "3R 4R 5R", "7R 8R 9R"], {}, ["move t4 0.3"] * 2 + ["read t4 0.2"]),
        (["5R 3R 4R 6R 9K"], {}, []),
    ],
)
def test_repairs_are_ordered_by_weight_and_far_less_likely_ones_left_out(
    rows: list[str], said: dict[int, dict[str, Any]], listed: list[str]
) -> None:
    found = of_first(melds(*rows, said=said))
    assert [f"{one.kind} {one.tile or '-'} {round(one.weight, 3)}" for one in found] == listed


@pytest.mark.parametrize(("share", "listed"), [(0.151, 2), (0.149, 1)])
def test_a_third_of_the_likeliest_weight_is_listed(share: float, listed: int) -> None:
    named = {"alternatives": (("4R", 0.45), ("J", share)), "confidence": 1.0}
    assert len(of_first(melds("3R ? 5R", said={1: named}))) == listed


def test_where_nothing_else_helps_a_tile_may_count_for_nobody() -> None:
    record = melds("3R 4R 5R J 9K")
    (only,) = of_first(record)
    assert (only.kind, only.tile, only.weight) == ("aside", "t5", 0.01)
    assert after(record, only) == ["3R 4R 5R J"]


def test_a_tile_belongs_anywhere_in_a_neighbouring_meld() -> None:
    record = melds("9B 9K 9Y 3R", "4R 5R 6R")
    assert after(record, of_first(record)[0]) == ["9B 9K 9Y", "4R 5R 6R 3R"]


def test_the_last_tile_is_the_one_that_is_put_in_order() -> None:
    record = melds("5R 3R 4R 6R 7R")
    assert of_first(record)[0].edit == MoveTile(tile="t5", row=record.rows[0].id)


ROWS = st.lists(
    st.lists(st.sampled_from(sorted(FACES)), min_size=1, max_size=8).map(" ".join),
    min_size=1,
    max_size=3,
)


@given(ROWS, st.booleans())
def test_every_repair_leaves_fewer_illegal_melds_and_none_of_its_own(
    rows: list[str], ordered: bool
) -> None:
    record = melds(*rows, ordered=ordered)
    before = [row for row in melds_of(record) if is_illegal(record, row, RULES)]
    for row in record.rows:
        for repair in repairs(record, row, RULES):
            repaired = apply(record, repair.edit, RULES)
            left = [one for one in melds_of(repaired) if is_illegal(repaired, one, RULES)]
            assert len(left) < len(before)
            assert {one.id for one in left} <= {one.id for one in before} - {row.id}
