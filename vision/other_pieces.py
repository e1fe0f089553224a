"""Tells tiles from cards where a photograph shows hardly anything of what was asked for."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from engine.pieces import Pieces
from vision.detector import Detector
from vision.errors import ModelError
from vision.frame import Frame
from vision.kinds import CARDS, TILES, Kind
from vision.reader import Reader
from vision.reading import Doubt, TileReading

# With so many sure pieces of the kind asked for, the picture is not searched for the other kind,
# which would take as long as reading it.
#
# Of tiles five are asked for: with the set of the sample of tiles, a photograph of the sample of
# cards shows four sure tiles if it is read as a rack.
#
# Of cards one is enough. Most photographs of cards show few: with a limit of 8 the networks of
# tiles would look at 642 of 646, and call one of these a photograph of tiles. Beside a single sure
# card the networks of tiles see three tiles and more on 4 of 163 rendered photographs of up to
# three cards, in its other indices, its pips, or figures of a score sheet. Of 206 photographs and
# renders of tiles 199 show no sure card, and seven, with suits on the tiles, two and more.
ENOUGH = MappingProxyType({Pieces.TILES: 5, Pieces.CARDS: 1})
SURE = 0.6  # joint score of both networks from which a piece of the other kind counts
AT_LEAST = 3  # pieces of the other kind that count, for the picture to show that kind
# With so many finds of the kind asked for, sure or not, to each piece of the other kind, the
# picture shows the kind asked for: on a soft photograph of 49 tiles, none of them sure, three marks
# look like cards. On 132 of 133 photographs told as cards the networks of tiles see fewer than two
# tiles for each mark, on the last one seven for three marks.
MOST_FOR_EACH = 3
# Doubts of a piece of which nothing is in doubt but its colour, in a picture in black and white.
_COLOUR_ALONE = frozenset({Doubt.FEW_COLOURS, Doubt.UNSURE})


def shows_other_pieces(
    kind: Kind, models: Path | None, frame: Frame, tiles: tuple[TileReading, ...]
) -> bool:
    """Tell whether the picture shows pieces of another kind than `kind`, and hardly any of `kind`.
    `tiles` are the pieces of `kind` that were read in the picture.

    The other kind's networks are loaded when they are first needed, from the folder `models`, or
    the installed ones where it is None. Where they are missing the result is False.
    """
    sure = sum(_is_sure(tile, kind) for tile in tiles)
    if sure >= ENOUGH[kind.pieces]:
        return False
    networks = _networks(CARDS if kind is TILES else TILES, models)
    if networks is None:
        return False
    detector, reader = networks
    found = detector.detect(frame.pyramid, SURE)
    if len(found) < AT_LEAST:
        return False
    joint_scores = found.scores * reader.read(frame.pyramid, found.quads).legible
    others = int((joint_scores > SURE).sum())
    return others >= AT_LEAST and others > 2 * sure and len(tiles) < MOST_FOR_EACH * others


def _is_sure(tile: TileReading, kind: Kind) -> bool:
    """Tell whether a piece surely is one of its `kind`. In a picture in black and white every piece
    is in doubt for its colour or suit, and may surely be one all the same. A jolly's picture looks
    like a comodín's, and a suit sign's like a 9, which on a rack may be told less surely.
    """
    if tile.tile is None or tile.tile.joker:
        return False
    only_colour = Doubt.FEW_COLOURS in tile.doubts and tile.doubts <= _COLOUR_ALONE
    return only_colour or (not tile.doubtful and tile.confidence >= kind.doubts.unsure)


@lru_cache(maxsize=4)
def _networks(kind: Kind, models: Path | None) -> tuple[Detector, Reader] | None:
    try:
        return Detector(models, kind=kind), Reader(models, kind=kind)
    except ModelError:
        return None
