"""Sentences that say who has won and who leads. A side called "we" or "they" is spoken of in that
person. Of any other name nobody knows whether it stands for one or for several, as `Nietos` does,
so that its sentences have no word that depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from unicodedata import bidirectional

from engine.sides import SideName
from scorer_app.texts.languages import LANGUAGES
from scorer_app.texts.translator import Translate, catalogue, figure

# The English default names of earlier versions; stored matches still have them.
_FORMER = MappingProxyType({"side.A": "We", "side.B": "They"})
# Classes of letters that are written from right to left, as Hebrew and Arabic ones, and the mark
# that is as a letter written from left to right (Unicode Standard Annex 9).
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_LEFT_TO_RIGHT_MARK = "\u200e"


class Person(StrEnum):
    """How a sentence speaks of a side."""

    US = "us"
    THEM = "them"
    NAME = "name"  # by its name
    SIDE = "side"  # a side called "we" or "they" by others than the reader


def person(name: str, *, to_viewer: bool = False) -> Person:
    """Choose how to speak of a side called `name`. For the default names of the sides, in any
    language, this is US or THEM; for any other name it is NAME.

    With `to_viewer` the sentence is for somebody who only looks on, whose "we" is neither side: a
    default name is then that of a SIDE.
    """
    if name in _default_names("side.A"):
        return Person.SIDE if to_viewer else Person.US
    if name in _default_names("side.B"):
        return Person.SIDE if to_viewer else Person.THEM
    return Person.NAME


def shown_name(name: str, say: Translate) -> str:
    """Return the name of a side as it is shown in the language of the translator `say`: a default
    name of any language as that language has it, any other name as it is.

    This is the one rule for such names, and it does not ask who wrote them: a person who types
    `Noi` or `Us` means "we", and the match counts in the statistics with those of sides that nobody
    named. Letters count: `noi` is a name that somebody chose.
    """
    found = (key for key in _FORMER if name in _default_names(key))
    key = next(found, None)
    return say(key) if key else name


def won(name: str, say: Translate, *, to_viewer: bool = False) -> str:
    """Return a sentence that says that the side called `name` won the match. `to_viewer` is as in
    `person`.
    """
    return say(f"match.won_{person(name, to_viewer=to_viewer)}", side=name)


def leads(names: Mapping[SideName, str], totals: Mapping[SideName, int], say: Translate) -> str:
    """Return a sentence that says which side leads and by how many points, or that both sides have
    the same total. `names` and `totals` are those of sides A and B.
    """
    margin = totals["A"] - totals["B"]
    if margin == 0:
        return say("standing.level")
    name = names["A"] if margin > 0 else names["B"]
    told = before_figure(name)
    return say(f"standing.leads_{person(name)}", side=told, points=figure(abs(margin), say))


def standing(
    names: Mapping[SideName, str], totals: Mapping[SideName, int], target: int, say: Translate
) -> str:
    """Return sentences that give both totals, which side leads and by how much, and, while no side
    has reached `target`, how many points the leader still needs for it. Where both have reached it
    with the same total, they say that another hand is played.
    """
    told = [both_totals(names, totals, say)]
    lacking = target - max(totals.values())
    if lacking <= 0 and totals["A"] == totals["B"]:
        told.append(say("standing.level_at_target", target=figure(target, say)))
    else:
        told.append(leads(names, totals, say))
    if lacking > 0:
        points, aim = figure(lacking, say), figure(target, say)
        told.append(say("standing.lacks", count=lacking, points=points, target=aim))
    return " ".join(told)


def both_totals(
    names: Mapping[SideName, str], totals: Mapping[SideName, int], say: Translate
) -> str:
    """Return a sentence that gives the total of each side."""
    points = [with_figure(name, signed(totals[side], say)) for side, name in names.items()]
    return f"{', '.join(points)}."


def with_figure(name: str, figure: str) -> str:
    """Return the name of a side and the figure after it as one text."""
    return f"{before_figure(name)} {figure}"


def before_figure(name: str) -> str:
    """Return the name of a side as it stands before a figure in the same text.

    After a name that is written from right to left a mark keeps the figure where it belongs: `−45`
    would be shown before the name, and as `45−`.
    """
    is_turned = any(bidirectional(letter) in _RIGHT_TO_LEFT for letter in name)
    return name + (_LEFT_TO_RIGHT_MARK if is_turned else "")


def signed(points: int, say: Translate) -> str:
    """Return points as score sheets show them: with separators at thousands, and with a minus sign
    where they are negative.
    """
    return f"−{figure(-points, say)}" if points < 0 else figure(points, say)


def _default_names(key: str) -> set[str]:
    return {_FORMER[key], *(catalogue(language)[key] for language in LANGUAGES)}
