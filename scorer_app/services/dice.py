"""Dice that decide who begins: every seat throws one, and the highest number begins."""

from __future__ import annotations

import secrets

FACES = 6


def throw_dice(seats: int) -> list[list[int]]:
    """Throw a die for every seat, and again for those that share the highest number, until one
    leads.

    Returns a list for each seat: the numbers from 1 to 6 that it threw, in order.
    """
    throws: list[list[int]] = [[] for _ in range(seats)]
    leading = list(range(seats))
    while len(leading) > 1:
        for seat in leading:
            throws[seat].append(1 + secrets.randbelow(FACES))
        best = max(throws[seat][-1] for seat in leading)
        leading = [seat for seat in leading if throws[seat][-1] == best]
    return throws


def winning_seat(throws: list[list[int]]) -> int:
    """Return the seat, counted from 0, that begins. `throws` lists for each seat the numbers that
    it threw, as `throw_dice` returned them.
    """
    return max(range(len(throws)), key=lambda seat: throws[seat])
