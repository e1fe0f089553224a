"""The fields of an operation, read and checked: each reader returns what it is named for or raises
EditRefused.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from scorer_app.hand.record import SIDES, Corners, Place, Record, Row, Side, Tile
from scorer_app.hand.table_rules import FACES

Operation = dict[str, Any]
MAX_TILES = 216  # two sets of 108: beyond it something is pressing keys, not scoring
MAX_POINTS = 100_000
KEY = r"[A-Za-z0-9_-]{1,40}"


class Refusal(StrEnum):
    UNKNOWN_OPERATION = "unknown_operation"
    BAD_VALUE = "bad_value"
    NOT_THERE = "not_there"  # the tile or row is gone: another device was quicker
    TOO_MANY = "too_many"
    TOO_MANY_PHOTOS = "too_many_photos"
    OPEN_QUESTIONS = "open_questions"
    CHANGED = "changed"  # since the person saw it: another device was quicker


class EditRefused(ValueError):
    """`reason` for programs, `str()` says what was expected and what came."""

    def __init__(self, reason: Refusal, expected: str, got: object) -> None:
        super().__init__(f"expected {expected}, got {got!r}"[:300])
        self.reason = reason


def key_of(key: object) -> str:
    """The name that a device gives what it sends: the same name twice is the same thing sent
    again.
    """
    if not isinstance(key, str) or not re.fullmatch(KEY, key):
        raise EditRefused(Refusal.BAD_VALUE, "key, 1 to 40 of the characters A-Z a-z 0-9 _ -", key)
    return key


def named_tile(record: Record, operation: Operation) -> Tile:
    name = operation.get("tile")
    if not isinstance(name, str) or name not in record.tiles:
        raise EditRefused(Refusal.NOT_THERE, "a tile of this hand", name)
    return record.tiles[name]


def named_row(record: Record, operation: Operation, key: str = "row") -> Row:
    found = [row for row in record.rows if row.id == operation.get(key)]
    if not found:
        raise EditRefused(Refusal.NOT_THERE, "a row of this hand", operation.get(key))
    return found[0]


def face_of(operation: Operation) -> str:
    face = operation.get("face")
    if not isinstance(face, str) or face not in FACES:
        raise EditRefused(Refusal.BAD_VALUE, "face, a tile such as 7R, 13K or J", face)
    return face


def side_of(operation: Operation) -> Side:
    side = operation.get("side")
    if side not in SIDES:
        raise EditRefused(Refusal.BAD_VALUE, "side, A or B", side)
    return side  # type: ignore[no-any-return]


def place_of(operation: Operation) -> Place:
    place = operation.get("place")
    if place not in list(Place):
        raise EditRefused(Refusal.BAD_VALUE, f"place, one of {', '.join(Place)}", place)
    return Place(place)


def truth_of(operation: Operation, key: str) -> bool:
    if not isinstance(operation.get(key), bool):
        raise EditRefused(Refusal.BAD_VALUE, f"{key}, true or false", operation.get(key))
    return bool(operation[key])


def index_of(value: object) -> int | None:
    if value is not None and (type(value) is not int or not 0 <= value <= MAX_TILES):
        raise EditRefused(Refusal.BAD_VALUE, "a place in the row, counted from 0", value)
    return value


def photo_of(operation: Operation) -> str:
    photo = operation.get("photo")
    if not isinstance(photo, str) or not 0 < len(photo) <= 32:
        raise EditRefused(Refusal.BAD_VALUE, "photo, the name of a photograph of this hand", photo)
    return photo


def corners_of(value: object) -> Corners | None:
    if value is None:
        return None
    points = value if isinstance(value, list) and len(value) == 4 else []
    pairs = [point for point in points if isinstance(point, list) and len(point) == 2]
    numbers = [
        number
        for pair in pairs
        for number in pair
        if type(number) in (int, float) and abs(number) < 100_000
    ]
    if len(numbers) != 8:
        raise EditRefused(Refusal.BAD_VALUE, "corners, four [x, y] in pixels", value)
    return tuple((float(numbers[i]), float(numbers[i + 1])) for i in range(0, 8, 2))
