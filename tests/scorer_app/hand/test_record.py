"""What a stored record may look like, and whether a newer version or a fault wrote another one."""

from __future__ import annotations

from typing import Any

import pytest

from scorer_app.hand.record import DamagedRecord, NewerRecord, Record, Trouble, UnreadableRecord

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
