"""Canastas that may have been missed. Without any a whole hand may be void, so that much depends on
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.rulesets import CANASTA_SIZE
from engine.sides import SideName
from scorer_app.hand.record import Place, Record, Row, Tile


def with_canastas(record: Record, sides: Iterable[SideName]) -> Record:
    """Return the record with one more row of seven unread tiles among the melds of each of `sides`:
    it may be any canasta, or none.
    """
    for side in sides:
        names = []
        for _ in range(CANASTA_SIZE):
            name, record = record.next_id("t")
            record = record.with_tiles([Tile(name, None, confidence=0.0, doubtful=True)])
            names.append(name)
        name, record = record.next_id("r")
        missed = Row(name, side, Place.MELDS, tuple(names), ordered=True)
        record = replace(record, rows=(*record.rows, missed))
    return record
