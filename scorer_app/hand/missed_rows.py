"""What photographs may not have shown at all: a canasta, without which a whole hand may be void, or
the tiles of a rack.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.rulesets import CANASTA_SIZE
from engine.set_up import MUERTO_SIZE
from engine.sides import SideName
from scorer_app.hand.record import Place, Record, Row, Tile


def with_canastas(record: Record, sides: Iterable[SideName]) -> Record:
    """Return the record with one more row of seven unread tiles among the melds of each of `sides`:
    it may be any canasta, or none.
    """
    for side in sides:
        record = _with_unread(record, side, Place.MELDS, CANASTA_SIZE)
    return record


def with_racks(record: Record, sides: Iterable[SideName]) -> Record:
    """Return the record with unread tiles on the rack of each of `sides`, as many as a muerto has:
    each may be any tile, or none.
    """
    for side in sides:
        record = _with_unread(record, side, Place.RACK, MUERTO_SIZE)
    return record


def _with_unread(record: Record, side: SideName, place: Place, count: int) -> Record:
    names = []
    for _ in range(count):
        name, record = record.next_id("t")
        record = record.with_tiles([Tile(name, None, confidence=0.0, doubtful=True)])
        names.append(name)
    name, record = record.next_id("r")
    missed = Row(name, side, place, tuple(names), ordered=place is Place.MELDS)
    return replace(record, rows=(*record.rows, missed))
