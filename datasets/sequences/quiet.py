"""What people do at a table without changing a meld. The referee must report none of it.

Each function does one such thing in a game and returns it as a `Beat`. The exception is `lay_anew`,
a step that two of the others share.
"""

from __future__ import annotations

from dataclasses import replace

from datasets.sequences.game import Game
from datasets.sequences.plan import Beat, Laid

PILE = 7  # tiles face down on one another, at most


def shift_meld(game: Game) -> Beat | None:
    """Push a whole meld into another lane; None where that is not possible."""
    laid = game.sound()
    free = (
        []
        if laid is None
        else [place for place in game.free_places(laid.side) if place[1] == laid.column]
    )
    if laid is None or not free:
        return None
    laid.lane = free[int(game.rng.integers(len(free)))][0]
    lay_anew(game, laid)
    return Beat(laid.side, game.middle(laid), note="meld moved as a whole")


def straighten(game: Game) -> Beat | None:
    """Put the tiles of a meld straight, so that each moves a little; None where there is no
    suitable meld.
    """
    laid = game.sound()
    if laid is None:
        return None
    lay_anew(game, laid)
    return Beat(laid.side, game.middle(laid), note="row put straight")


def slide_loose(game: Game) -> Beat | None:
    """Push the last tile of the pozo a little aside. Return None where the pozo is empty."""
    if not game.pozo:
        return None
    dx, dy = game.rng.uniform(-9, 9, 2)
    last = game.pozo[-1]
    game.pozo[-1] = replace(
        last,
        x=last.x + float(dx),
        y=last.y + float(dy),
        turn=last.turn + float(game.rng.normal(0, 0.2)),
    )
    return Beat(None, (last.x, last.y), note="tile of the pozo pushed along")


def draw_stock(game: Game) -> Beat | None:
    """Take tiles from a pile that lies face down, chosen at random. The pile gets lower; if it is
    empty, a full one takes its place.

    Returns None where the table has no piles.
    """
    if not game.stock:
        return None
    at = int(game.rng.integers(len(game.stock)))
    game.stock[at] = PILE if game.stock[at] == 0 else int(game.rng.integers(game.stock[at]))
    return Beat(None, game.plan.stock[at], note="drawn from the stock")


def move_box(game: Game) -> Beat | None:
    """Push the game's box aside, take it away or put it back; None where the game has no box."""
    if game.plan.box is None:
        return None
    x, y = game.plan.box
    if game.box and game.rng.random() < 0.4:
        game.box = None
    else:
        game.box = (
            x + float(game.rng.uniform(-5, 40)),
            y + float(game.rng.uniform(-25, 15)),
            float(game.rng.normal(0, 0.3)),
        )
    return Beat(None, (x, y), note="box moved")


def move_mug(game: Game) -> Beat | None:
    """Move the mug elsewhere, take it away or bring it back. Return the Beat; None in a game that
    has no mug.
    """
    if not game.plan.mug:
        return None
    others = [place for place in game.plan.mug if place != game.mug]
    if game.mug is not None and game.rng.random() < 0.2:
        place, game.mug = game.mug, None
    else:
        game.mug = place = others[int(game.rng.integers(len(others)))]
    return Beat(None, place, note="mug moved")


def lay_anew(game: Game, laid: Laid) -> None:
    """Lay a meld's tiles again in the same order, each a little elsewhere."""
    copies = [piece.copy for piece in laid.pieces]
    laid.pieces = [
        game.piece(laid, tile, place, copies[place]) for place, tile in enumerate(laid.row)
    ]
