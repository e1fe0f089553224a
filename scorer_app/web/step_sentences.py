"""Sentences of the history of a match: what a device did, and what of a saved hand is worth
knowing afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from engine.pieces import Pieces
from scorer_app.hand.record import End
from scorer_app.services.holdings import Role
from scorer_app.services.steps import SAVING, StepKind, StepView
from scorer_app.texts.faces import face_in_words
from scorer_app.texts.standing import before_figure, signed, with_figure
from scorer_app.texts.translator import Translate
from scorer_app.web.rule_changes import kind_of_changes, told_change, told_changes

Json = dict[str, Any]


def step_sentence(step: StepView, sides: Mapping[str, str], say: Translate) -> str:
    """Return what a device did, to be read after the device's name. `sides` holds the names of
    sides A and B.
    """
    is_of_rules = step.kind is StepKind.RULES
    key = kind_of_changes(step.before) if is_of_rules else f"step.{step.kind}"
    side = sides.get(str(step.after.get("side")), "")
    if step.kind is StepKind.MUERTO and step.after.get("taken") is not None:
        key = _said_of_muerto(step.after)
    elif step.kind is StepKind.END and step.after.get("end") == End.CLOSE:
        key, side = "step.closed", sides.get(str(step.after.get("closed_by")), "")
    elif step.kind is StepKind.END and step.after.get("end") == End.STOCK_EXHAUSTED:
        key = "step.nobody_closed"
    elif step.kind is StepKind.ARCHIVED and step.before.get("archived"):
        key = "step.unarchived"
    elif step.kind is StepKind.LINK and step.after.get("role") == Role.VIEWER:
        key = "step.link_to_look"
    return say(key, n=step.position or "–", side=side, set=step.after.get("set", ""))


def step_details(
    step: StepView, sides: Mapping[str, str], players: int, say: Translate
) -> Iterator[tuple[str, list[str]]]:
    """Yield what is told of a hand that a step saved, or of what it changed, that is names, rules
    and numbers of copies, in sentences. Each comes with the faces that follow it, `?` for an unread
    one. A step of an earlier version may have none. `players` is the number of players of the
    match.
    """
    if step.kind is StepKind.RULES:
        yield from ((told, []) for told in told_changes(step.before, step.after, players, say))
    if step.kind is StepKind.COPIES:
        yield from ((told, []) for told in _said_of_copies(step.after.get("copies", {}), say))
    if step.kind not in SAVING:
        return
    if points := step.after.get("points"):
        yield _said_of_points(points, sides, say), []
    yield from ((told, []) for told in _said_of_end(step.after.get("end", {}), sides, say))
    for muerto in step.after.get("muertos", []):
        key = "history.muerto_taken" if muerto["played"] else "history.muerto_unplayed"
        yield say(key, side=sides[muerto["side"]]), []
    for meld in step.after.get("accepted", []):
        yield (
            say("history.accepted", side=sides[meld["side"]]),
            [one or "?" for one in meld["faces"]],
        )
    for adjustment in step.after.get("adjustments", []):
        yield _said_of_adjustment(adjustment, sides, say), []
    removed = Counter((one["side"], one["place"]) for one in step.after.get("removed", []))
    for (side, area), count in removed.items():
        place = say(f"js.place.{area}").lower()
        yield say("history.removed", count=count, side=sides[side], place=place), []


def _said_of_end(end: Json, sides: Mapping[str, str], say: Translate) -> Iterator[str]:
    """Yield how a saved hand ended, where its step has that."""
    if end.get("end") == End.CLOSE:
        yield say("history.closed", side=sides.get(str(end.get("closed_by")), ""))
    elif end:
        yield say("history.nobody_closed")


def _said_of_copies(copies: Json, say: Translate) -> Iterator[str]:
    """Yield for each face how many copies of it the set had before a step and has since."""
    for face, numbers in copies.items():
        before, after = (say("history.usual") if one is None else str(one) for one in numbers)
        yield told_change(face_in_words(face, Pieces.TILES, say), before, after)


def _said_of_muerto(said: Json) -> str:
    """Return the key of the sentence about a step that said whether a side took its muerto, and
    perhaps that it played no tile of it.
    """
    if not said["taken"]:
        return "step.muerto_not_taken"
    return "step.muerto_taken" if said.get("played", True) else "step.muerto_unplayed"


def _said_of_adjustment(adjustment: Json, sides: Mapping[str, str], say: Translate) -> str:
    """Return a sentence that says which points the players gave to a side or took from it by rules
    of their own, and why. The reason is as a person typed it.
    """
    side = before_figure(sides[adjustment["side"]])
    points, reason = signed(adjustment["points"], say), adjustment["reason"]
    return say("history.adjustment", side=side, points=points, reason=reason)


def _said_of_points(points: Json, sides: Mapping[str, str], say: Translate) -> str:
    """Return a sentence that says how a correction changed the total of each side, or that it
    changed neither. `points` has the totals before and after it, by side.
    """
    told = [
        with_figure(sides[side], f"{signed(before, say)} → {signed(after, say)}")
        for side, (before, after) in sorted(points.items())
        if before != after
    ]
    return say("history.points", changes=" · ".join(told)) if told else say("history.same_points")
