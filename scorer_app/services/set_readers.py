"""The reader of photographs made ready for a set of tiles: that takes seconds, so it is done once
for each version of the set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scorer_app.services.memo import Memo
from scorer_app.services.sets import ChosenSet, SetError

if TYPE_CHECKING:
    from vision.pipeline import TableReader

_readers: Memo[TableReader] = Memo(most=2)  # a family plays with one set, its guests with another


def reader_for(tables: TableReader, chosen: ChosenSet | None) -> TableReader:
    """Return the reader that reads with the chosen set; `tables` itself where none is chosen, or
    where the set has no example left or has been forgotten meanwhile.
    """
    if chosen is None:
        return tables
    try:
        return _readers.get((tables, chosen), lambda: _made_ready(tables, chosen))
    except SetError:
        return tables


def _made_ready(tables: TableReader, chosen: ChosenSet) -> TableReader:
    tile_set = chosen.load()
    ready: TableReader = cast(Any, tables).with_set(tile_set) if tile_set.examples else tables
    return ready
