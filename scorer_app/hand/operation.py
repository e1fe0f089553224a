"""What is done to a hand, as data: the base of all operations, and the entries besides operations
that the log of a hand holds.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.sides import SideName
from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import TableRules


class Logged(
    msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True, omit_defaults=True
):
    """An entry in the log of what was done to a hand; as JSON `{"op": TAG, ...}`."""

    def to_json(self) -> dict[str, Any]:
        """Return the entry as it is stored; fields that have their default are left out."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


class PhotoRead(Logged, frozen=True, tag="photo_read"):
    """The reading of a photograph was merged into the record."""

    photo: str


class PhotoRemoved(Logged, frozen=True, tag="photo_removed"):
    """A photograph and the tiles it showed were removed."""

    photo: str


class PhotoReplaced(Logged, frozen=True, tag="photo_replaced"):
    """A photograph and the tiles it showed were removed when another photograph, `by`, came in its
    place.
    """

    photo: str
    by: str


class PhotoMoved(Logged, frozen=True, tag="photo_moved"):
    """A photograph and the tiles it showed went to another area; `side` and `place` are the one in
    which they lay before.
    """

    photo: str
    side: SideName
    place: Place


class TableHandedOver(Logged, frozen=True, tag="table_handed_over"):
    """The watched table became the hand's melds."""


class Operation(Logged, frozen=True):
    """A change of a record that a person asks for."""

    def change(self, record: Record, rules: TableRules) -> Record:
        """Return the record after the operation. Raises EditRefused where the operation does not
        fit the record.
        """
        raise NotImplementedError
