"""Prepares the reader of photographs for the set of tiles that a match is played with.

That takes seconds, so it is done once for each version of a set, and the result is kept in a file.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from scorer_app.services.memo import Memo
from scorer_app.services.set_values import ChosenSet, SetError, SetTrouble

if TYPE_CHECKING:
    from engine.tiles import Colour
    from vision.frame import Frame
    from vision.own_set.teaching import TaughtPhoto
    from vision.tiles.pipeline import TableReader

log = logging.getLogger(__name__)
SMALLEST = 10.0  # pixels: median shorter side of the tiles in a photograph that teaches
_readers: Memo[TableReader] = Memo(most=2)  # a family plays with one set, its guests with another


def reader_for(tables: TableReader, chosen: ChosenSet | None, folder: Path) -> TableReader:
    """Return a reader of photographs that is made ready for the chosen set. `tables` is the reader
    without a set: it is returned where none is chosen, and where the set has too few faces or has
    been forgotten meanwhile. What was worked out for the set is kept in `folder`.
    """
    if chosen is None:
        return tables
    try:
        return _readers.get((tables, chosen), lambda: _made_ready(tables, chosen, folder))
    except SetError:
        return tables


def forget_prepared(folder: Path) -> None:
    """Delete all that is kept in `folder` for reading with sets; it is worked out again for those
    that are still there.
    """
    rmtree(folder, ignore_errors=True)


def teach_photo(tables: TableReader, frame: Frame) -> TaughtPhoto:
    """Return what the rows of thirteen in a photograph teach, as the reader `tables` sees them.
    Raises SetError where there is no such row, where a row shows one face alone and where the
    photograph is mirrored; for a photograph in black and white, which tells nothing of the set's
    inks; and for a blurred one or one with tiny tiles, with whose faces sharp photographs would
    seem to show another set.
    """
    import numpy as np

    from vision.own_set.teaching import TeachingError, teach
    from vision.quads import sides
    from vision.quality import is_blurred, is_colourless

    if is_blurred(frame.pixels):
        raise SetError(SetTrouble.BLURRED)
    try:
        taught = teach(tables, frame)
    except TeachingError as error:
        raise SetError(SetTrouble(error.reason.value)) from error
    if is_colourless(frame.pixels):
        raise SetError(SetTrouble.NO_COLOURS)
    quads = np.stack([one.corners for one in taught.faces])
    if float(np.median(np.minimum(*sides(quads)))) < SMALLEST:
        raise SetError(SetTrouble.TOO_SMALL)
    return taught


def name_rows(taught: TaughtPhoto, colours: Sequence[Colour] | None) -> TaughtPhoto:
    """Return `taught` with `colours` as the colours of its rows, from top to bottom, as a person
    named them. Where `colours` is None, the rows keep the colours that were recognised.

    Raises SetError where the number of colours is not that of the rows. Raises it also where nobody
    named colours and those recognised are not sure.
    """
    from vision.own_set.teaching import named_rows

    if colours and len(colours) != len(taught.rows):
        raise SetError(SetTrouble.OTHER_ROWS, len(taught.rows))
    if not colours and not all(row.sure for row in taught.rows):
        raise SetError(SetTrouble.ROWS_UNSURE, ",".join(row.colour for row in taught.rows))
    return named_rows(taught, colours) if colours else taught


def _made_ready(tables: TableReader, chosen: ChosenSet, folder: Path) -> TableReader:
    from vision.own_set.kept import reader_with_set

    tile_set = chosen.load()
    try:
        return reader_with_set(tables, tile_set, folder)
    except ValueError as error:
        log.info("set %s has too few faces to read with: %s", chosen.id, error)
        return tables
