"""All reasons why something is invalid, and all notices.

Source: RULES.md, "Reason codes". The values are the codes of the JSON interface.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a meld, a change on the table or a closing is invalid."""

    # Melds.
    TOO_SHORT = "too_short"
    TOO_MANY_COPIES = "too_many_copies"
    ALL_WILD = "all_wild"
    TWO_WILDS = "two_wilds"
    COLOUR_MISMATCH = "colour_mismatch"
    MIXED = "mixed"
    DUPLICATE_IN_RUN = "duplicate_in_run"
    GAP = "gap"
    WRAPAROUND = "wraparound"
    ACE_IN_MIDDLE = "ace_in_middle"
    OUT_OF_RANGE = "out_of_range"
    ORDER = "order"
    # Changes on the table.
    TILE_REMOVED = "tile_removed"
    WILD_WITHDRAWN = "wild_withdrawn"
    WILD_MOVED = "wild_moved"
    TILE_MOVED = "tile_moved"
    MELD_REMOVED = "meld_removed"
    MELD_MERGED = "meld_merged"
    MELD_SPLIT = "meld_split"
    NOT_OWN_MELD = "not_own_meld"
    UNKNOWN_TILE = "unknown_tile"
    # Closings.
    HAND_NOT_EMPTY = "hand_not_empty"
    MUERTO_NOT_TAKEN = "muerto_not_taken"
    NO_CANASTA = "no_canasta"


class Notice(StrEnum):
    """What people should know about a meld or a hand that is counted all the same."""

    PIERNA_OF_TWOS = "pierna_of_twos"
    BETTER_ARRANGEMENT = "better_arrangement"
    TOO_MANY_COPIES = "too_many_copies"
    ACCEPTED_ILLEGAL = "accepted_illegal"


MELD_REASONS = tuple(Reason)[: list(Reason).index(Reason.ORDER) + 1]
CLOSING_REASONS = (Reason.HAND_NOT_EMPTY, Reason.MUERTO_NOT_TAKEN, Reason.NO_CANASTA)
CHANGE_REASONS = tuple(
    reason for reason in Reason if reason not in (*MELD_REASONS, *CLOSING_REASONS)
)
