"""Looks up whether a match is played with tiles or cards, by any id or token that an address may
hold.
"""

from __future__ import annotations

from types import MappingProxyType

from sqlalchemy import bindparam, select

from engine.pieces import Pieces
from scorer_app.store import Hand, Match, Store

_BY_NAME = MappingProxyType(
    {
        "match_id": select(Match.pieces).where(Match.id == bindparam("named")),
        "hand_id": select(Match.pieces).join(Hand).where(Hand.id == bindparam("named")),
        "viewer_token": select(Match.pieces).where(Match.viewer_token == bindparam("named")),
    }
)
ADDRESSED = tuple(_BY_NAME)


def pieces_played_with(store: Store, **named: str) -> Pieces:
    """Return what the match with this `match_id`, `hand_id` or `viewer_token` is played with; tiles
    where there is no such match, or where this version cannot show it.
    """
    for name, value in named.items():
        for found in store.look(_BY_NAME[name], {"named": value}):
            if found.pieces == Pieces.CARDS:
                return Pieces.CARDS
    return Pieces.TILES
