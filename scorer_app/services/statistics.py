"""Statistics over all matches: of each pair of names that played against each other, and of each
player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import chain

from engine.sides import SIDES, SideName
from scorer_app.hand.score import Line
from scorer_app.services.names import folded, last_spellings
from scorer_app.services.tally import Tally

MOST_RESULTS = 8  # results shown beside a player's name


def average(points: int, hands: int) -> int:
    """Return the average points of a hand, rounded to the nearest number, halves away from zero as
    people round; 0 without hands.
    """
    if not hands:
        return 0
    size = (2 * abs(points) + hands) // (2 * hands)
    return size if points > 0 else -size


@dataclass
class SideRecord:
    """What one of two names has done in all matches against the other. `points` are those of all
    hands that count, `hands_won` is the number of hands in which this name made more points than
    the other, and `canastas` counts its canastas by class.
    """

    name: str
    won: int = 0  # matches that this name won
    points: int = 0
    hands_won: int = 0
    closed: int = 0  # hands that this side closed
    best_hand: int | None = None  # most points in one hand; None before the first hand
    canastas: Counter[str] = field(default_factory=Counter)

    def count_hand(self, lines: Iterable[Line], total: int, *, won: bool, closed: bool) -> None:
        """Add one hand to this record: the side's `lines` of the hand's score sheet, their total,
        and whether the side won the hand and whether it closed it.
        """
        self.points += total
        self.hands_won += won
        self.closed += closed
        self.best_hand = total if self.best_hand is None else max(self.best_hand, total)
        for line in lines:
            if line.kind == "canasta" and line.detail:
                self.canastas[line.detail] += 1


@dataclass(frozen=True)
class Outcome:
    """How one match between two names stands or ended. `winner` is the name of the winner, None
    while the match goes on; `totals` holds the total of each name.
    """

    match_id: str
    begun: datetime
    winner: str | None
    totals: dict[str, int]
    hands: int  # number of hands that count


class Result(StrEnum):
    """Whether a player won or lost a match, or the match still goes on. Each value has its text
    (`stats.result.VALUE`).
    """

    WON = "won"
    LOST = "lost"
    GOING = "going"


@dataclass
class PlayerRecord:
    """What one player's sides have done, whoever played with them: `matches` and `hands` played,
    matches `won`, and `points` of the side in all these hands. `course` holds the result of each
    match, the first match first.
    """

    name: str
    matches: int = 0
    won: int = 0
    hands: int = 0
    points: int = 0
    course: list[Result] = field(default_factory=list)  # match after match, the first one first

    @property
    def average(self) -> int:
        """Average points of the player's side in a hand, rounded; 0 before the first hand."""
        return average(self.points, self.hands)

    @property
    def latest(self) -> list[Result]:
        """The results of the player's last matches, MOST_RESULTS at most, the earliest first."""
        return self.course[-MOST_RESULTS:]


@dataclass
class PairRecord:
    """What two names have done against each other, whichever of them was side A. `sides` holds what
    each name has done, by name. `matches` and `hands` are the numbers of matches and of hands that
    the two have played. `course` holds the outcomes of these matches, the earliest first.
    """

    sides: dict[str, SideRecord]
    matches: int = 0
    hands: int = 0
    course: list[Outcome] = field(default_factory=list)  # match after match, the first one first

    def average(self, name: str) -> int:
        """Return how many points the side `name` scored per hand, on average and rounded; 0 before
        the first hand.
        """
        return average(self.sides[name].points, self.hands)

    def count_match(self, tally: Tally, names: dict[SideName, str]) -> None:
        """Add one match between the two names, with those of its hands that count. `names` says
        which of them side A had, and which side B.
        """
        a, b = self.sides[names["A"]], self.sides[names["B"]]
        by_side: dict[SideName, SideRecord] = {"A": a, "B": b}
        self.matches += 1
        if tally.winner:
            by_side[tally.winner].won += 1
        totals_by_name = {names[side]: tally.totals[side] for side in SIDES}
        winner = names[tally.winner] if tally.winner else None
        self.course.append(
            Outcome(tally.match.id, tally.match.created, winner, totals_by_name, len(tally.counted))
        )
        for hand in tally.counted:
            self.hands += 1
            totals = {side: hand.score.total(side) for side in SIDES}
            for side in SIDES:
                lines = [line for line in hand.score.lines if line.side == side]
                won = totals[side] > min(totals.values())
                closed = hand.judged is not None and hand.judged.closed_by == side
                by_side[side].count_hand(lines, totals[side], won=won, closed=closed)


def pair_records(tallies: Iterable[Tally], shown: Callable[[str], str] = str) -> list[PairRecord]:
    """Sum up the matches by pair of names, each as `shown` writes it; the pair with most hands
    comes first. Names that are shown as one are one, as default names of sides in two languages,
    and so are spellings of a name, of which the last one is used.

    A match whose sides have the same name is left out.
    """
    ordered = sorted(tallies, key=lambda tally: tally.match.created)
    both_shown = [(shown(tally.match.side_a), shown(tally.match.side_b)) for tally in ordered]
    spelled = last_spellings(chain.from_iterable(both_shown))
    pairs: dict[frozenset[str], PairRecord] = {}
    for tally, (a, b) in zip(ordered, both_shown, strict=True):
        names: dict[SideName, str] = {"A": spelled[folded(a)], "B": spelled[folded(b)]}
        both = frozenset(names.values())
        if len(both) == 2:
            new = PairRecord({name: SideRecord(name) for name in names.values()})
            pairs.setdefault(both, new).count_match(tally, names)
    return sorted(pairs.values(), key=lambda pair: -pair.hands)


def player_records(tallies: Iterable[Tally]) -> list[PlayerRecord]:
    """Return a PlayerRecord for each name that stands at a seat, in the spelling used last, summed
    up over all matches; who won most comes first. A name at seats of both sides of a match is left
    out of that match.
    """
    ordered = sorted(tallies, key=lambda tally: tally.match.created)
    spelled = _spelled(ordered)
    players: dict[str, PlayerRecord] = {}
    for tally in ordered:
        seated = _seated(tally)
        for side in SIDES:
            for name in seated[side] - _on_both_sides(tally):
                player = players.setdefault(name, PlayerRecord(spelled[name]))
                _count_player(player, tally, side)
    return sorted(players.values(), key=lambda one: (-one.won, -one.average, one.name))


def names_on_both_sides(tallies: Iterable[Tally]) -> list[str]:
    """List the names that stand at seats of both sides of some match, in the order of the alphabet
    and in the spelling used last. `player_records` leaves each of them out of such a match.
    """
    ordered = sorted(tallies, key=lambda tally: tally.match.created)
    spelled = _spelled(ordered)
    return sorted({spelled[name] for tally in ordered for name in _on_both_sides(tally)})


def _spelled(ordered: Sequence[Tally]) -> dict[str, str]:
    """Return the last spelling of each player's name in these matches, by the folded name."""
    return last_spellings(name for tally in ordered for name in tally.match.player_names)


def _on_both_sides(tally: Tally) -> set[str]:
    seated = _seated(tally)
    return seated["A"] & seated["B"]


def _seated(tally: Tally) -> dict[SideName, set[str]]:
    """Return the folded names at the seats of each side of a match, without those that were left
    empty.
    """
    return {
        side: {folded(name) for name in tally.match.player_names[start::2] if name}
        for start, side in enumerate(SIDES)
    }


def _count_player(player: PlayerRecord, tally: Tally, side: SideName) -> None:
    player.matches += 1
    player.won += tally.winner == side
    player.hands += len(tally.counted)
    player.points += tally.totals[side]
    lost = Result.LOST if tally.winner else Result.GOING
    player.course.append(Result.WON if tally.winner == side else lost)
