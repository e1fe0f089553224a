"""The orders that people may give about a watched table.

Each order is a class: its fields are what is sent, and its method `carry_out` carries the order
out. As JSON an order is `{"op": NAME, ...}`, where NAME is the tag of the class.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from engine.tiles import Tile
from scorer_app.hand.fields import EditRefused, Point, Refusal, read_tagged
from scorer_app.hand.record import Face

if TYPE_CHECKING:
    from vision.live import Update, Watch


class Order(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """An order about a watched table, as data."""

    def carry_out(self, watch: Watch) -> list[Update]:
        """Carry out the order and return the updates that follow from it.

        Raises EditRefused where the order does not fit the table.
        """
        raise NotImplementedError


class Review(Order, frozen=True, tag="review"):
    """Look at the whole table with the next frame, instead of waiting for a change."""

    def carry_out(self, watch: Watch) -> list[Update]:
        watch.review_now()
        return []


class SetLine(Order, frozen=True, tag="line"):
    """Set the line between the sides: two points in pixels of the frame, or null for no line."""

    line: tuple[Point, Point] | None = None

    def carry_out(self, watch: Watch) -> list[Update]:
        if self.line and self.line[0] == self.line[1]:
            raise EditRefused(Refusal.BAD_VALUE, "two different points", self.line, field="line")
        watch.line = self.line
        return []


class Correct(Order, frozen=True, tag="correct"):
    """Say which face the tile with this id on the watched table has."""

    tile: int
    face: Face

    def carry_out(self, watch: Watch) -> list[Update]:
        known = [tile.id for tile in (watch.table.tiles if watch.table else ())]
        if self.tile not in known:
            raise EditRefused(Refusal.NOT_THERE, "a tile on the table")
        return watch.correct(self.tile, Tile.parse(self.face))


class Overrule(Order, frozen=True, tag="overrule"):
    """Say whether the players accept the illegal meld with this id."""

    meld: int
    accepted: bool = True

    def carry_out(self, watch: Watch) -> list[Update]:
        known = [meld.id for meld in (watch.table.melds if watch.table else ())]
        if self.meld not in known:
            raise EditRefused(Refusal.NOT_THERE, "a meld on the table")
        return watch.accept(self.meld, self.accepted)


AnyOrder = Review | SetLine | Correct | Overrule
ORDERS: Mapping[str, type[Order]] = MappingProxyType(
    {str(kind.__struct_config__.tag): kind for kind in get_args(AnyOrder)}
)


def read_order(data: Any) -> Order:
    """Read an order from JSON data. Raises EditRefused for data that are no order."""
    return read_tagged(ORDERS, data)
