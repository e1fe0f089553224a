"""Everything that a person may do to the record of a hand.

Each operation is a class: its fields are what is sent, and its method `change` makes the new
record. Sent as JSON an operation is `{"op": NAME, ...}`; the name is the class's tag.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from scorer_app.hand.edits_of_hand import (
    AddAdjustment,
    DropRepeats,
    DropTapped,
    EmptyRack,
    KeepBlurred,
    KeepCopies,
    KeepTapped,
    NothingCounts,
    RemoveAdjustment,
    SetEnd,
    SetMuerto,
    TellApart,
)
from scorer_app.hand.edits_of_rows import AcceptRow, JoinRows, MoveRow, MoveRows, SplitRow
from scorer_app.hand.edits_of_tiles import (
    AddTile,
    AddTiles,
    MoveTile,
    RemoveTile,
    RemoveTiles,
    SetTile,
)
from scorer_app.hand.fields import EditRefused, Refusal, read_tagged
from scorer_app.hand.operation import Operation
from scorer_app.hand.record import Record
from scorer_app.hand.table_rules import TableRules

AnyEdit = (
    SetTile
    | RemoveTile
    | RemoveTiles
    | AddTile
    | AddTiles
    | MoveTile
    | SplitRow
    | JoinRows
    | MoveRow
    | MoveRows
    | AcceptRow
    | SetEnd
    | SetMuerto
    | EmptyRack
    | AddAdjustment
    | RemoveAdjustment
    | KeepCopies
    | DropRepeats
    | DropTapped
    | KeepTapped
    | TellApart
    | NothingCounts
    | KeepBlurred
)
EDITS: Mapping[str, type[Operation]] = MappingProxyType(
    {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEdit)}
)


def read_edit(data: Any, at: str = "") -> Operation:
    """Read an operation from JSON data. `at` is the path to `data`, for the message.

    Raises EditRefused where `data` is no operation or one of its fields is wrong.
    """
    return read_tagged(EDITS, data, at)


def apply(record: Record, operation: Operation, rules: TableRules) -> Record:
    """Return the record after an operation.

    Raises EditRefused where the operation does not fit the record. No operation fits a record whose
    totals people counted themselves, because tiles in it would not count.
    """
    if record.counted:
        raise EditRefused(Refusal.BAD_VALUE, "a hand whose totals were not counted by hand")
    return operation.change(record, rules).asking_about_other_melds(record)
