"""Tells whether a 6 or a 9 on a rack stands on its head, by what is seen around it.

The reader sees one face alone. On a rack its quad often reaches up onto the upper side of the tile,
so that the digit seems to lie too low, as that of a tile on its head does. A network of its own
looks at the tile, those beside it and their shelf. It is trained on rendered racks by
`models.recipes.racks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.around import SeesAround, batch_of
from vision.crops import cut_windows
from vision.pyramid import RGB, Picture
from vision.quads import across, down, drawn, sides
from vision.reader import JOKER, NINE, SIX, FaceScores

NETWORK = "rack_direction"  # its name in the manifest
WIDTH, HEIGHT = 72, 60  # pixels of what it sees
# The width and height of what it sees around the middle of a tile, in widths and heights of a tile.
ACROSS, DOWN = 3.0, 2.0
USUAL_HEIGHT = 85.0  # percentile, of the heights over widths of a rack's quads, of a whole tile
# How much more it counts that a tile stands on its head than what the network tells, which was
# taught that one in four does. On 2,400 further racks with as many it tells so with 3 nats or more
# of 413 tiles that do and of three that do not; of 3,511 that it takes for upright with 4 nats or
# more, 29 do.
ON_ITS_HEAD = 1.4
EXPECTED_METADATA: Mapping[str, Any] = MappingProxyType(
    {"input": [WIDTH, HEIGHT], "window": [ACROSS, DOWN]}
)


class RackDirection(SeesAround):
    """The network that tells whether tiles stand on their head."""

    network = NETWORK

    @classmethod
    def expected_metadata(cls) -> dict[str, Any]:
        """Return what the manifest has to say of the network, as `SeesAround` does."""
        return {**EXPECTED_METADATA}

    def upright(self, picture: Picture, rack: FaceScores) -> NDArray[np.float64]:
        """Return the log-odds, (n, 2), that each of n tiles stands upright in its quad and not
        upside down: in the first column if the rack stands as the quad does, in the second if it
        stands the other way round. They are 0 for tiles that look neither like a 6 nor like a 9.

        `picture` is (h, w, 3) RGB or its pyramid, and `rack` are the reader's scores of the tiles.
        """
        told = np.zeros((len(rack), 2))
        asked = six_or_nine(rack.number)
        if len(asked):
            as_quad = windows(rack.quads)[asked]
            other_way = windows(np.roll(rack.quads, 2, axis=1))[asked]
            seen = views(picture, np.concatenate([as_quad, other_way]))
            upside_down = self._network.run(batch_of(seen))[0].reshape(2, -1)
            upside_down = np.where(upside_down > 0, ON_ITS_HEAD * upside_down, upside_down)
            # Upside down in a window that is turned round is upright in the quad.
            told[asked] = np.stack([-upside_down[0], upside_down[1]], axis=1)
        return told


def six_or_nine(number: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the indices of the tiles that look most like a 6 or a 9. `number` (n, 15) are the
    log-probabilities of the numbers, in the order of NUMBER_CLASSES.
    """
    return np.flatnonzero(np.isin(number[:, : JOKER + 1].argmax(axis=1), (SIX, NINE)))


def windows(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return for each tile of a rack the quad, (n, 4, 2), of what the network sees around it, in
    the direction in which its own quad reads. `quads` (n, 4, 2) are all tiles of one rack, in
    pixels.

    Where tiles in front cover the lower part of a tile, its quad is less high than others. So its
    height is taken to be the usual one of its rack.
    """
    if not len(quads):
        return quads
    width, height = (np.maximum(side, 1e-6) for side in sides(quads))
    ratio = np.percentile(height / width, USUAL_HEIGHT)
    whole = down(quads) * (ratio * width / height)[:, None]
    middles = (quads[:, 0] + quads[:, 1] + whole) / 2
    return drawn(middles, ACROSS * across(quads), DOWN * whole)


def views(picture: Picture, windows: NDArray[np.float32]) -> RGB:
    """Return what lies in n windows, (n, 4, 2) in pixels of the `picture`, (h, w, 3) RGB or
    its pyramid: (n, HEIGHT, WIDTH, 3) RGB.
    """
    return cut_windows(picture, windows, (WIDTH, HEIGHT))
