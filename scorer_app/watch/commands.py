"""What a person may order of a watched table, read and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tiles import Tile
from scorer_app.hand.fields import EditRefused, Operation, Refusal, face_of, truth_of

if TYPE_CHECKING:
    from vision.live import Line, Update, Watch


def carry_out(watch: Watch, operation: Operation) -> list[Update]:
    """`{"op": "review"}`, `line` (`line` two points or null), `correct` (`tile`, `face`),
    `overrule` (`meld`; `stands` false takes it back).
    """
    orders = {"review": _review, "line": _line, "correct": _correct, "overrule": _overrule}
    name = operation.get("op")
    if not isinstance(name, str) or name not in orders:
        raise EditRefused(Refusal.UNKNOWN_OPERATION, f"op, one of {', '.join(orders)}", name)
    return orders[name](watch, operation)


def _review(watch: Watch, _operation: Operation) -> list[Update]:
    watch.review_now()
    return []


def _line(watch: Watch, operation: Operation) -> list[Update]:
    watch.line = line_of(operation.get("line"))
    return []


def _correct(watch: Watch, operation: Operation) -> list[Update]:
    name = operation.get("tile")
    if type(name) is not int or name not in [
        tile.id for tile in (watch.table.tiles if watch.table else ())
    ]:
        raise EditRefused(Refusal.NOT_THERE, "a tile on the table", name)
    return watch.correct(name, Tile.parse(face_of(operation)))


def _overrule(watch: Watch, operation: Operation) -> list[Update]:
    name = operation.get("meld")
    if type(name) is not int or name not in [
        meld.id for meld in (watch.table.melds if watch.table else ())
    ]:
        raise EditRefused(Refusal.NOT_THERE, "a meld on the table", name)
    return watch.accept(name, truth_of({"stands": True, **operation}, "stands"))


def line_of(value: object) -> Line | None:
    if value is None:
        return None
    points = value if isinstance(value, list) and len(value) == 2 else []
    numbers = [
        number
        for point in points
        if isinstance(point, list) and len(point) == 2
        for number in point
    ]
    if len(numbers) != 4 or not all(
        type(number) in (int, float) and abs(number) < 100_000 for number in numbers
    ):
        raise EditRefused(Refusal.BAD_VALUE, "line, two [x, y] in pixels of the frame", value)
    x1, y1, x2, y2 = map(float, numbers)
    if (x1, y1) == (x2, y2):
        raise EditRefused(Refusal.BAD_VALUE, "line, two different points", value)
    return (x1, y1), (x2, y2)
