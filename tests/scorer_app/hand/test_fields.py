"""Which values fit a field, and what is said of one that does not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scorer_app.hand.fields import (
    EditRefused,
    Refusal,
    Wrong,
    WrongField,
    key_in_log,
    key_of,
    named_row,
    named_tile,
    own_key,
    read_as,
    read_sent,
    read_tagged,
)
from scorer_app.hand.record import Record


class Part(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    points: int
    name: str = ""


class Whole(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    parts: list[Part] = []
    by_name: dict[str, Part] = {}


@pytest.mark.parametrize(
    ("data", "at", "field", "wrong"),
    [
        ({"parts": [{"points": 1}, {"points": 4.0}]}, "", "parts[1].points", Wrong.VALUE),
        ({"parts": [{"points": True}]}, "edits[0]", "edits[0].parts[0].points", Wrong.VALUE),
        ({"parts": [{"name": "x"}]}, "", "parts[0].points", Wrong.MISSING),
        ({"parts": [{"points": 1, "more": 1}]}, "", "parts[0].more", Wrong.UNKNOWN),
        ({"by_name": {"a": {"points": "1"}}}, "", "by_name[...].points", Wrong.VALUE),
        ({"by_name": {1: {"points": 1}}}, "", "by_name", Wrong.VALUE),
        ([], "whole", "whole", Wrong.VALUE),
        ({"more": 1}, "", "more", Wrong.UNKNOWN),
        ("text", "", "", Wrong.VALUE),
    ],
)
def test_the_field_that_is_wrong_is_named_by_its_path(
    data: Any, at: str, field: str, wrong: Wrong
) -> None:
    with pytest.raises(WrongField) as caught:
        read_as(Whole, data, at)
    assert (caught.value.field, caught.value.wrong) == (field, wrong)
    assert str(caught.value).endswith(f" at {field}")
    assert isinstance(caught.value.__cause__, msgspec.ValidationError)


def test_what_fits_is_read() -> None:
    assert read_as(Whole, {"parts": [{"points": -3, "name": "x"}]}) == Whole([Part(-3, "x")])


def test_an_edit_is_refused_for_the_field_that_is_wrong() -> None:
    with pytest.raises(EditRefused) as caught:
        read_sent(Part, {"points": "3"}, "edits[4]")
    refused = caught.value
    assert (refused.reason, refused.field) == (Refusal.BAD_VALUE, "edits[4].points")
    assert refused.wrong is Wrong.VALUE
    assert str(refused) == "expected `int`, got `str` at edits[4].points"
    with pytest.raises(EditRefused) as caught:
        read_sent(Part, {}, "edits[4]")
    assert caught.value.wrong is Wrong.MISSING


@pytest.mark.parametrize("data", [{"op": "fly"}, {"op": 3}, {"op": ["part"]}, {}, [], None, "part"])
def test_an_operation_has_a_name_that_is_known(data: Any) -> None:
    with pytest.raises(EditRefused, match="expected op, one of part, other") as caught:
        read_tagged({"part": Part, "other": Part}, data)
    assert caught.value.reason is Refusal.UNKNOWN_OPERATION


def test_what_is_told_of_a_senders_text_is_cut_off() -> None:
    """A message holds no more of it than its reader needs."""
    with pytest.raises(WrongField) as wrong:
        read_as(Part, {"points": 1, "x" * 500: 1})
    assert wrong.value.field == "x" * 80
    assert len(str(WrongField("f", Wrong.VALUE, "m" * 301))) == 300
    assert len(str(EditRefused(Refusal.BAD_VALUE, "e" * 301))) == 300
    for find in (named_tile, named_row):
        with pytest.raises(EditRefused) as refused:
            find(Record(), "t" * 500)
        assert str(refused.value).endswith(f"of this hand, got {'t' * 40!r}")
        assert refused.value.reason is Refusal.NOT_THERE


def test_a_refusal_says_what_came_where_that_is_known() -> None:
    assert str(EditRefused(Refusal.BAD_VALUE, "a number", 0)) == "expected a number, got 0"
    assert str(EditRefused(Refusal.BAD_VALUE, "a number")) == "expected a number"
    assert EditRefused(Refusal.BAD_VALUE, "a number").wrong is Wrong.VALUE


@pytest.mark.parametrize("key", ["a", "Z9-_", "k" * 40])
def test_the_name_of_what_is_sent_has_up_to_forty_characters(key: str) -> None:
    assert key_of(key) == key


@pytest.mark.parametrize("key", ["", "k" * 41, "a b", "a\n", "ñ", 7, None, ["a"]])
def test_any_other_name_is_refused(key: Any) -> None:
    with pytest.raises(EditRefused, match="key, 1 to 40 of the characters") as caught:
        key_of(key)
    assert (caught.value.reason, caught.value.field) == (Refusal.BAD_VALUE, "key")


def test_no_device_can_give_a_key_that_the_program_makes_for_an_edit_of_its_own() -> None:
    key = own_key("taken-back", "0123456789abcdef", 2**31)
    with pytest.raises(EditRefused):
        key_of(key)
    assert key_in_log(key) == key
    assert key_in_log("edit-1") == "edit-1"
    with pytest.raises(EditRefused):
        key_in_log("removed: 1")
