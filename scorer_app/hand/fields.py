"""Types of the fields that programs and files send, and errors for values of other types."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from scorer_app.hand.prepared_types import prepared
from scorer_app.hand.record import Pixel, Record, Row, Tile

MAX_TILES = 216  # two sets of 108: no real hand has more
KEY = r"[A-Za-z0-9_-]{1,40}"  # of what a device sends
_KEY_IN_LOG = r"[A-Za-z0-9_:-]{1,40}"  # of an edit by a device or by the program
T = TypeVar("T")
# Embeddings, overrides and isolates of the bidirectional algorithm (Unicode Standard Annex 9).
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and a symbol that are drawn as nothing: fillers of Korean syllables, Braille without dots.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
# Categories of signs that are not drawn by themselves: joiners and the like, marks, spaces.
_UNSEEN = frozenset({"Cf", "Me", "Mn", "Zl", "Zp", "Zs"})

PhotoName = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"\A[^\x00-\x1f\x7f]*\Z")]
Index = Annotated[int, Meta(ge=0, le=MAX_TILES)]  # a place in a row, counted from 0
Point = tuple[Pixel, Pixel]
Quad = tuple[Point, Point, Point, Point]


class Refusal(StrEnum):
    """Why an edit was refused; each has its sentence in the texts (`error.edit.REFUSAL`)."""

    UNKNOWN_OPERATION = "unknown_operation"
    BAD_VALUE = "bad_value"
    NOT_THERE = "not_there"  # the tile or row is gone: another device was quicker
    TILE_CHANGED = "tile_changed"  # the tile no longer has the face that the person saw
    TOO_MANY = "too_many"  # tiles or adjustments in one hand
    TOO_MANY_PHOTOS = "too_many_photos"
    OPEN_QUESTIONS = "open_questions"
    DISCARDED = "discarded"  # the hand was thrown away
    SAMPLE = "sample"  # the match is a sample, which takes no other photographs and hands
    CHANGED = "changed"  # the hand is no longer what the person saw: another device was quicker


class Wrong(StrEnum):
    """What is wrong about a field; each has its sentence in the texts (`error.field.VALUE`)."""

    VALUE = "value"  # of another type, or out of range
    MISSING = "missing"
    UNKNOWN = "unknown"  # no such field is known
    NO_JSON = "no_json"  # what should hold the fields is no JSON


class WrongField(ValueError):
    """A value that does not fit its field. `field` is the path to it, such as `edits[0].points`;
    `str()` says what was expected and what came.
    """

    def __init__(self, field: str, wrong: Wrong, message: str) -> None:
        super().__init__(message[:300])
        self.field, self.wrong = field, wrong


class EditRefused(ValueError):
    """An edit that cannot be made. `reason` is for programs, and `str()` says what was expected and
    what came. Where one field is to blame, `field` is the path to it, and `wrong` says what is
    wrong about it.
    """

    def __init__(
        self,
        reason: Refusal,
        expected: str,
        got: object = None,
        *,
        field: str | None = None,
        wrong: Wrong = Wrong.VALUE,
    ) -> None:
        came = "" if got is None else f", got {got!r}"
        super().__init__(f"expected {expected}{came}"[:300])
        self.reason, self.field, self.wrong = reason, field, wrong


# A message of msgspec: what is wrong, and the path to the value that it is wrong about.
_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `(?:key` in `)?\$(?P<path>.*)`)?$", re.DOTALL)
_ABSENT = re.compile(r"Object (?P<how>missing required|contains unknown) field `(?P<name>[^`]*)`")
_OF_WRONG_FIELDS = MappingProxyType(
    {"missing required": Wrong.MISSING, "contains unknown": Wrong.UNKNOWN}
)


def read_as(kind: type[T], data: object, at: str = "") -> T:
    """Convert JSON data to the type `kind`, nested structs included. Every field must be of exactly
    its declared type: `4.0` is no int and `true` no number, and NaN and the infinities are out of
    every range.

    `at` is the path to `data` itself, for the message. Raises WrongField.
    """
    try:
        return msgspec.convert(data, prepared(kind))
    except (ValueError, RecursionError) as error:
        raise wrong_field(error, at) from error


def wrong_field(error: Exception, at: str = "") -> WrongField:
    """Turn an error of msgspec, whose message names the field at its end, into a WrongField.

    `at` is the path to the value that msgspec was given.
    """
    ((what, path),) = _PLACE.findall(str(error))
    absent = _ABSENT.match(what)
    wrong = _OF_WRONG_FIELDS[absent.group("how")] if absent else Wrong.VALUE
    name = absent.group("name") if absent else ""
    parts = filter(None, [at, path.lstrip("."), name])
    field = ".".join(parts).replace(".[", "[")[:80]
    return WrongField(field, wrong, f"{what} at {field}")


def named_tile(record: Record, name: str) -> Tile:
    """Return the tile with the id `name`. Raises EditRefused where the record has no such tile."""
    if name not in record.tiles:
        raise EditRefused(Refusal.NOT_THERE, "a tile of this hand", name[:40])
    return record.tiles[name]


def named_row(record: Record, name: str) -> Row:
    """Find a row by its id. Raises EditRefused where the record has no such row."""
    for row in record.rows:
        if row.id == name:
            return row
    raise EditRefused(Refusal.NOT_THERE, "a row of this hand", name[:40])


def missing(field: str, expected: str) -> EditRefused:
    """Make the error for an operation that lacks `field`; `expected` describes the field."""
    return EditRefused(Refusal.BAD_VALUE, expected, field=field, wrong=Wrong.MISSING)


def read_tagged(kinds: Mapping[str, type[T]], data: Any, at: str = "") -> T:
    """Convert `{"op": NAME, ...}` to the type that `kinds` has under that name.

    `at` is the path to `data`, for the message. Raises EditRefused for an unknown name, an unknown
    field, and a field of a wrong type.
    """
    name = data.get("op") if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in kinds:
        raise EditRefused(Refusal.UNKNOWN_OPERATION, f"op, one of {', '.join(kinds)}")
    return read_sent(kinds[name], data, at)


def read_sent(kind: type[T], data: object, at: str = "") -> T:
    """Convert JSON data to the type `kind`, each field strictly to its declared type. Raises
    EditRefused where that fails. `at` is the path to `data` itself, for the message.
    """
    try:
        return read_as(kind, data, at)
    except WrongField as error:
        raise EditRefused(
            Refusal.BAD_VALUE,
            str(error).removeprefix("Expected "),
            field=error.field,
            wrong=error.wrong,
        ) from error


def key_of(key: Any) -> str:
    """Check the key that a device gave to something that it sends, and return it. Raises
    EditRefused where it is no valid key. A device that sends the same thing again gives it the same
    key.
    """
    return _checked_key(key, KEY, "A-Z a-z 0-9 _ -")


def key_in_log(key: Any) -> str:
    """Check the key with which a request names an edit that a hand's log has already, and return
    it: the key of an edit by a device, or one that `own_key` made. Raises EditRefused.
    """
    return _checked_key(key, _KEY_IN_LOG, "A-Z a-z 0-9 _ : -")


def own_key(*parts: object) -> str:
    """Make the key of an edit that the program itself makes, from parts that no other edit of the
    hand has together. Its colons keep it apart from all keys that devices may give (`key_of`): a
    device that could choose such a key beforehand could prevent the edit.
    """
    return ":".join(map(str, parts))


def _checked_key(key: Any, pattern: str, signs: str) -> str:
    if not isinstance(key, str) or not re.fullmatch(pattern, key):
        expected = f"key, 1 to 40 of the characters {signs}"
        raise EditRefused(Refusal.BAD_VALUE, expected, field="key")
    return key


def without_controls(text: str) -> str:
    """Return a text as one line with single spaces, without control characters and without those
    that change the direction of writing. A text in which nothing can be seen becomes empty.

    Such characters are invisible. PostgreSQL refuses NUL, and a change of direction within a name
    would also reverse the rest of the sentence, with its figures.
    """
    unseen = (sign in _TURNING or unicodedata.category(sign) == "Cc" for sign in text)
    seen = "".join(" " if drop else sign for sign, drop in zip(text, unseen, strict=True))
    return " ".join(seen.split()) if any(map(_is_visible, seen)) else ""


def _is_visible(sign: str) -> bool:
    """Whether a sign is drawn by itself: neither a space, a mark on another sign nor a joiner."""
    return sign not in _BLANK and unicodedata.category(sign) not in _UNSEEN
