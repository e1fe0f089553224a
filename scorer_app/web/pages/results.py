"""What templates say of the result of a match: who leads or has won, by how much, and what may
still change it.
"""

from __future__ import annotations

from typing import Any

from flask import Flask

from engine.sides import SIDES
from scorer_app.hand.questions import LeftOpen
from scorer_app.services.tally import Tally
from scorer_app.texts.standing import both_totals, standing, with_figure, won
from scorer_app.web.pages.context import say, side_names, signed, translate


def install(app: Flask) -> None:
    """Give every template the functions of this module."""
    app.context_processor(_for_templates)


def _for_templates() -> dict[str, Any]:
    """Return the functions by the names that they have in templates."""
    return {
        "won": who_won,
        "margin": margin,
        "standing": how_it_stands,
        "with_figure": with_figure,
        "span": span,
        "spans": spans,
        "players_of": players_of,
        "share_hands": share_hands,
        "share_numbers": share_numbers,
        "share_remarks": share_remarks,
        "unsaved_remarks": unsaved_remarks,
    }


def players_of(tally: Tally) -> list[str]:
    """List for each side that has named players a line such as `Nosotros: Ana, Beto`; nothing where
    the names of the sides tell all of them. Partners sit in every second seat.
    """
    seats, sides = tally.match.player_names, side_names(tally.match)
    if {*filter(None, seats)} <= {*sides.values()}:
        return []
    players = {side: ", ".join(filter(None, seats[at::2])) for at, side in enumerate(SIDES)}
    return [f"{sides[side]}: {names}" for side, names in players.items() if names]


def share_hands(tally: Tally) -> list[list[int]]:
    """List the scores of the hands that count, in order: for each hand the score of side A and that
    of side B.
    """
    return [[line.score.total(side) for side in SIDES] for line in tally.counted]


def share_numbers(tally: Tally) -> dict[str, int]:
    """Map the ids of the hands that count to the numbers that they have in what is shared: from 1
    on, without a gap. Whoever gets a result knows nothing of hands that were taken out of it.
    """
    return {line.hand_id: number for number, line in enumerate(tally.counted, 1)}


def share_remarks(tally: Tally) -> list[str]:
    """List the sentences that say why the totals of a match may not be right."""
    say, remarks = translate(), []
    if tally.left_out:
        remarks.append(say("match.hands_left_out", count=len(tally.left_out)))
    if tally.doubtful:
        remarks.append(say("match.total_doubtful"))
    return remarks + unsaved_remarks(tally)


def unsaved_remarks(tally: Tally) -> list[str]:
    """List a sentence for each hand of a finished match of which an unsaved correction may change
    the result, with its number in what is shared.
    """
    corrected, numbers = tally.unsaved_corrections if tally.finished else (), share_numbers(tally)
    return [translate()("victory.being_edited", n=numbers[line.hand_id]) for line in corrected]


def who_won(tally: Tally, *, to_viewer: bool = False) -> str:
    """Return a sentence that says who won a finished match. With `to_viewer` it is for somebody who
    only looks on.
    """
    return won(side_names(tally.match)[tally.winner or "B"], translate(), to_viewer=to_viewer)


def margin(tally: Tally) -> str:
    """Return a sentence that says by how much a finished match was won, and in how many hands."""
    points = signed(abs(tally.totals["A"] - tally.totals["B"]))
    return say("victory.margin", count=len(tally.counted), points=points)


def how_it_stands(tally: Tally) -> str:
    """Return sentences that say how a match stands: both totals, which side leads and by how much,
    and how many points the leader still needs to win; of a finished match, by how much it was won,
    and by whom.
    """
    names, say = side_names(tally.match), translate()
    if tally.finished:
        return f"{both_totals(names, tally.totals, say)} {margin(tally)}. {who_won(tally)}"
    return standing(names, tally.totals, tally.target, say)


def spans(tally: Tally, left: LeftOpen) -> str:
    """Return the lowest and the highest total that each side of a hand in doubt may have. Names are
    not escaped for HTML; the template does that.
    """
    names = side_names(tally.match)
    totals = [with_figure(name, span(*left.spans[side])) for side, name in names.items()]
    return " · ".join(totals)


def span(low: int, high: int) -> str:
    """Return the lowest and the highest total as text; one figure where they are the same."""
    if low == high:
        return signed(low)
    return say("js.between", low=signed(low), high=signed(high))
