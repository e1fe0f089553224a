"""Notices: what a person should know about a photograph as a whole."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.doubts import DoubtConfig, is_cut_off
from vision.faint import body_light, light_on
from vision.frame import Frame
from vision.quads import sides
from vision.quality import is_blurred, is_moved
from vision.reading import Doubt, Notice, TileReading

# With these doubts something lies beside the tiles that were photographed.
BESIDE = frozenset({Doubt.PRINTED, Doubt.OFF_RACK})


def find_notices(
    frame: Frame,
    tiles: tuple[TileReading, ...],
    config: DoubtConfig,
    *,
    hard: int = 0,
    other_set: bool = False,
    left_out: NDArray[np.float32] | None = None,
) -> tuple[Notice, ...]:
    """Return what a person should know about the photograph as a whole; an empty tuple where there
    is nothing.

    `hard` is the number of tiles that were not surely read, or about which anything was doubtful,
    whether it is worth asking or not. `other_set` tells that its tiles are not of the set that was
    chosen. `left_out` (k, 4, 2), in pixels of the photograph in its full size, are the finds that
    may be tiles and are not among `tiles`.
    """
    missed = np.zeros((0, 4, 2), np.float32) if left_out is None else left_out
    if len(missed) < config.left_out * len(tiles):
        missed = missed[:0]
    quads = np.array([tile.corners for tile in tiles], np.float32).reshape(-1, 4, 2)
    blurred = _is_worth_calling_blurred(frame, tiles, hard, len(missed), config)
    hardly_read = bool(tiles) and not blurred and _are_hardly_read(tiles)
    limit = config.small_if_hard if hardly_read else config.small
    found = {
        Notice.TOO_DARK: _is_dark(frame, quads, config),
        Notice.TOO_BRIGHT: _is_burnt_out(frame, tiles, config),
        Notice.TOO_SMALL: _are_small(quads, limit) or (bool(tiles) and _are_small(missed, limit)),
        Notice.CUT_OFF: any(is_cut_off(tile.corners, frame, config) for tile in tiles),
        Notice.TOO_BLURRED: blurred,
        # After what explains it: people are told the first notice while they hold the phone.
        Notice.NO_TILES: not tiles,
        Notice.FIRST_OF_MANY: frame.first_of_many,
        Notice.FEW_COLOURS: frame.few_colours and bool(tiles),
        Notice.OTHER_SET: other_set,
    }
    return tuple(notice for notice, applies in found.items() if applies)


def _is_dark(frame: Frame, quads: NDArray[np.float32], config: DoubtConfig) -> bool:
    """Tell whether the whole picture is too dark, or at least half of the tiles at `quads` (n, 4,
    2), in pixels of the photograph in its full size, lie in the dark.
    """
    if float(frame.pixels[::8, ::8].mean()) < config.dark:
        return True
    if not len(quads):
        return False
    bodies = body_light(frame.pixels, (quads + 0.5) / np.float32(frame.scale) - 0.5).max(axis=1)
    return bool(np.exp(np.median(bodies)) < config.dark_body)


def _is_burnt_out(frame: Frame, tiles: tuple[TileReading, ...], config: DoubtConfig) -> bool:
    """Tell whether on the face of a tile nothing but white is left: others whose ink is gone, too,
    are not even found. What is only printed or lies off a rack tells nothing of the picture.
    """
    corners = [tile.corners for tile in tiles if BESIDE.isdisjoint(tile.doubts)]
    if not corners:
        return False
    quads = (np.array(corners, np.float32) + 0.5) / np.float32(frame.scale) - 0.5
    darkest = light_on(frame.pixels, quads, 0).min(axis=1)
    dark = light_on(frame.pixels, quads, config.burnt_all_but).min(axis=1)
    burnt = (darkest >= np.log(config.burnt_darkest)) & (dark >= np.log(config.burnt))
    return bool(burnt.any())


def _are_hardly_read(tiles: tuple[TileReading, ...]) -> bool:
    """Tell whether at least half of the tiles are not surely read. What is only printed or lies off
    a rack tells nothing of the picture.
    """
    of_table = [tile.doubts for tile in tiles if BESIDE.isdisjoint(tile.doubts)]
    unsure = sum(not {Doubt.UNREAD, Doubt.UNSURE}.isdisjoint(doubts) for doubts in of_table)
    return 2 * unsure >= len(of_table) > 0


def _are_small(quads: NDArray[np.float32], limit: float) -> bool:
    """Tell whether the short sides of at least half of the tiles at `quads`, (n, 4, 2), are below
    the limit, in pixels; False without any.
    """
    return bool(len(quads) and np.median(np.minimum(*sides(quads))) < limit)


def _is_worth_calling_blurred(
    frame: Frame, tiles: tuple[TileReading, ...], hard: int, missed: int, config: DoubtConfig
) -> bool:
    """Tell whether a person should hear that the picture is blurred: too many tiles are unread, or
    the picture is soft and not all tiles in it were read surely. `hard` is the number of tiles that
    were not, and `missed` that of the finds that may be tiles and are not among `tiles`. What is
    unread because it is only printed, as on a keyboard, or lies off a rack tells nothing of the
    picture.
    """
    unread = sum(tile.tile is None and BESIDE.isdisjoint(tile.doubts) for tile in tiles)
    if unread > config.blurred * len(tiles):
        return True
    if tiles and not hard and not missed:
        return False
    if is_blurred(frame.pixels):
        return True
    if hard + missed < config.moved * (len(tiles) + missed):
        return False
    grainy = hard + missed >= config.beneath_grain
    return is_moved(frame.pixels) or (grainy and is_blurred(frame.pixels, beneath_grain=True))
