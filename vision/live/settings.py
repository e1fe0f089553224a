"""What the live referee waits for, in seconds and in parts of a tile: never in frames, which
differ from camera to camera.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LiveConfig:
    """Times in seconds; differences in levels of 0-255 after evening out the light; lengths in
    widths of a tile.
    """

    small_side: int = 480  # upper bound of the small picture that every frame is compared on
    cell: int = 8  # small pixels: motion and change are kept a cell
    difference: float = 14.0  # least that counts as change; sensor noise stays under 8 at this size
    noise_factor: float = 7.0  # ... or so many times the noise measured
    cell_share: float = 0.06  # of a cell's pixels that make it a changed cell

    calm: float = 0.3  # a place has to lie still so long before it is looked at
    anchor: float = 0.1  # motion is measured against a picture at least so old
    pace: float = 0.1  # between looks while something is being decided
    slow_pace: float = 0.5  # ... and while nothing but a resting hand is to be seen
    eager: float = 1.5  # after the last motion, for which `pace` holds
    looks: int = 3  # that have to agree
    unsure: float = 0.9  # probability of its face below which a new tile is looked at again ...
    second_thoughts: float = 0.6  # ... for so long
    patience: float = 0.8  # for tiles that are only now and then found
    share_of_looks: float = 0.6  # in which a new tile has to be found

    hold: float = 6.0  # a hand in view keeps everything waiting at most so long
    pale_hold: float = 30.0  # ... and what it may be hiding, where it could as well be a shadow
    small_hold: float = 1.2  # a small thing keeps what it touches waiting
    second_look: float = (
        1.0  # what came together with such a thing is looked for so long after that
    )
    hand_area: float = 5.0  # areas of a tile: whatever is larger may be a hand
    arm_area: float = 1.5  # ... or reaches in from the picture's edge
    thing_area: float = 0.6  # ... and whatever is smaller is not looked at

    same_place: float = 0.35  # widths between two quads of one tile
    stirred: float = 0.03  # share of a face's pixels that changed: read it again
    uncovered: float = 0.2  # share of a lost tile's place that must look different
    same_pattern: float = (
        0.65  # ... and have lost its pattern: correlation, which a shadow leaves as it is
    )
    # ... or so much, where nothing of it is left: a pale tile on a pale table was little but its
    # ink
    faded: float = 0.05
    no_pattern: float = 0.35
    same_face: float = 0.85  # the same above which a face found late lay there all along
    beside: float = 0.6  # widths around a hand in which nothing is decided
    moved_camera: float = (
        0.5  # share of tiles that have to be found again to tell where the whole table went
    )
    sure: float = 0.7  # probability of another face above which a tile has been exchanged
    possible: float = 0.03  # probability of the known face above which it may still be that tile
