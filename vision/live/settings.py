"""The thresholds of the live referee. Times are in seconds and never in frames, because cameras
differ in how many frames they take in a second.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LiveConfig:
    """When the live referee looks, what counts as a change, and how long the referee waits.

    Times are in seconds. Levels, 0-255, are compared after the light was evened out. Distances are
    in widths of a tile; shares and probabilities lie between 0 and 1.
    """

    # What counts as change. Frames are compared as small pictures, in square cells.
    small_side: int = 480  # pixels of the small picture's longer side, at most
    cell: int = 8  # small pixels of a cell's side
    difference: float = 14.0  # levels; sensor noise stays under 8 in the small picture
    noise_factor: float = 7.0  # times the measured noise, where that is more than `difference`
    cell_share: float = 0.06  # of a cell's pixels that make it a changed cell

    # When to look.
    calm: float = 0.3  # how long a place has to lie still before it is looked at
    anchor: float = 0.1  # least age of the picture that motion is measured against
    interval: float = 0.1  # between looks while something is being decided
    slow_interval: float = 0.5  # between looks while nothing but a resting hand is in view
    eager: float = 1.5  # how long after the last motion `interval` holds

    # What confirms that a tile came or went.
    looks: int = 3  # looks that have to agree
    unsure: float = 0.9  # probability of its face below which a new tile is looked at longer
    second_thoughts: float = 0.6  # how long such a tile is looked at, at most
    patience: float = 0.8  # how long a tile found only now and then is waited for
    share_of_looks: float = 0.6  # of the looks that could find a new tile: so many have to find it

    # Hands and other things over the table.
    hold: float = 6.0  # how long a hand at work keeps everything waiting, at most
    pale_hold: float = 30.0  # how long tiles may be hidden by what could as well be a shadow
    # Something that reaches in from the edge and has not moved for so long holds up only what is
    # near it: it may be a mug, since no hand lies as still.
    hand_rest: float = 1.5
    thing_rest: float = 0.8  # how long a large thing that touches no edge lies still to be no hand
    small_hold: float = 1.2  # how long a small object keeps what it touches waiting
    # How long after a thing has come to rest tiles are looked for that may have come with it.
    second_look: float = 1.0
    hand_area: float = 5.0  # areas of a tile from which on anything may be a hand
    arm_area: float = 1.5  # areas of a tile from which on what reaches in from the edge is a hand
    thing_area: float = 0.6  # areas of a tile below which nothing is a hand or an object
    beside: float = 0.6  # widths around a hand in which nothing is decided

    # Tiles laid as a meld of their own that is too short.
    left_alone: float = 5.0  # how long two tiles have to lie there before they are reported
    laid_together: float = 3.0  # between the moments at which the two were laid, at most

    # Whether a known tile is still there.
    same_place: float = 0.35  # widths between two quads of one tile
    stirred: float = 0.03  # share of a face's pixels that changed, from which on it is read again
    # A tile that is not found is gone if at least the share `uncovered` of its place changed and
    # the pattern there correlates with the known one by less than `same_pattern`: a shadow keeps
    # it. A pale tile on a pale table is little but its ink, so it is also gone if at least the
    # share `faded` changed and the correlation is below `no_pattern`.
    uncovered: float = 0.2
    covered: float = 0.05  # share of a place under an arm at rest, whose tile may lie hidden
    same_pattern: float = 0.65
    faded: float = 0.05
    no_pattern: float = 0.35
    same_face: float = 0.85  # correlation from which on a face found late lay there all along
    moved_camera: float = 0.5  # share of the sure tiles that must be found again after a move
    sure: float = 0.7  # probability of another face above which a tile has been exchanged
    possible: float = 0.03  # probability of the known face above which it may still be that tile
