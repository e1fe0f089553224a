"""Counting a hand line by line: each line says what it counts and by which tiles.

Tables count in two parts: *base* (canastas, closing, muerto) and *puntos* (tiles laid and tiles
left on the racks). A *hand* is one round of play; what a player holds lies on a *rack*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain

from engine.canastas import canasta_points
from engine.inventory import too_many_copies
from engine.melds import Meld, judge_meld
from engine.reasons import Notice, Reason
from engine.rulesets import Burraco, Canasta, RuleSet
from engine.sides import SideName
from engine.tiles import Tiles, notation


class LineKind(StrEnum):
    """What a line of the score sheet counts."""

    MELD = "meld"
    CANASTA = "canasta"
    CLOSE = "close"
    MUERTO_TAKEN = "muerto_taken"
    MUERTO_NOT_TAKEN = "muerto_not_taken"
    MUERTO_UNPLAYED = "muerto_unplayed"
    HAND = "hand"  # tiles left on a rack


PUNTOS = (LineKind.MELD, LineKind.HAND)
MUERTO = (LineKind.MUERTO_TAKEN, LineKind.MUERTO_NOT_TAKEN, LineKind.MUERTO_UNPLAYED)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the score sheet."""

    kind: LineKind
    points: int  # negative where they count against the side
    tiles: Tiles = ()  # those that it counts; none for the closing and the muerto
    index: int | None = None  # of the meld or the rack among those of its side
    canasta: Canasta | Burraco | None = None  # class of the canasta that the line counts


@dataclass(frozen=True, slots=True)
class Side:
    """What a side has at the end of a hand; `racks` holds one entry for each of its players."""

    melds: tuple[Tiles, ...]
    racks: tuple[Tiles, ...]
    muerto_taken: bool
    muerto_played: bool = True  # whether a tile of it was played; ignored where none was taken

    @property
    def tiles(self) -> Tiles:
        """All tiles of the side, those on the table first and then those on its racks."""
        return tuple(chain(*self.melds, *self.racks))


@dataclass(frozen=True, slots=True)
class SideScore:
    """The score sheet of one side. Every figure, in points, is a sum over its lines."""

    lines: tuple[ScoreLine, ...] = ()

    def sum_of(self, *kinds: LineKind) -> int:
        """Add up the points of all lines that are of one of the `kinds`."""
        return sum(line.points for line in self.lines if line.kind in kinds)

    @property
    def total(self) -> int:
        """The score of the side."""
        return sum(line.points for line in self.lines)

    @property
    def puntos(self) -> int:
        """The part of the score that counts tiles."""
        return self.sum_of(*PUNTOS)

    @property
    def base(self) -> int:
        """The part of the score that counts canastas, the closing and the muerto."""
        return self.total - self.puntos

    def canastas(self, rules: RuleSet) -> dict[Canasta | Burraco, int]:
        """Count the canastas of each class that the ruleset pays; 0 for a class of which the side
        has none.
        """
        made = [line.canasta for line in self.lines if line.kind is LineKind.CANASTA]
        return {name: made.count(name) for name, _ in rules.canasta_values}


@dataclass(frozen=True, slots=True)
class HandNotice:
    """Something people should know about the hand, with the tiles that it is about."""

    notice: Notice
    tiles: Tiles
    side: SideName | None = None  # None: it is about the whole table
    meld: Meld | None = None  # None: it is about no single meld


@dataclass(frozen=True, slots=True)
class HandScore:
    """The count of a hand.

    `valid_close` is None where nobody closed and the stock ran out. Where it is False, `reason`
    says why and `sides` is empty. A `void` hand counts for neither side, and its score sheets have
    no lines.
    """

    valid_close: bool | None
    reason: Reason | None = None
    void: bool = False
    sides: Mapping[SideName, SideScore] = field(default_factory=dict)
    notices: tuple[HandNotice, ...] = ()


class IllegalMeld(ValueError):
    """A hand holds a meld that the rules forbid and that the table has not accepted."""

    def __init__(self, side: SideName, meld: Meld) -> None:
        super().__init__(f"illegal meld of side {side}: {notation(meld.tiles)} ({meld.reason})")
        self.side = side
        self.meld = meld


JudgedMelds = Mapping[SideName, tuple[Meld, ...]]


def score_hand(
    sides: Mapping[SideName, Side],
    closed_by: SideName | None,
    rules: RuleSet,
    *,
    accept_illegal: bool = False,
) -> HandScore:
    """Count a hand that side `closed_by` closed. None says that nobody closed and the stock ran
    out.

    With `accept_illegal` the tiles of an illegal meld count, but the meld makes no canasta; without
    it an illegal meld raises IllegalMeld. Source: RULES.md, "Side by side", the rows *canasta* to
    *nobody took the muerto*.

    >>> from engine import ruleset, tiles
    >>> closer = Side((tiles("3R 4R 5R 6R 7R 8R 9R"),), ((), tiles("4B")), muerto_taken=True)
    >>> other = Side((), (tiles("9Y"), tiles("J")), muerto_taken=False)
    >>> score = score_hand({"A": closer, "B": other}, "A", ruleset("burako"))
    >>> score.valid_close, score.sides["A"].total, score.sides["B"].total
    (True, 440, -160)
    """
    judged = {name: judge_melds(side, rules) for name, side in sides.items()}
    if not accept_illegal:
        refuse_illegal(judged)
    notices = tuple(hand_notices(sides, judged, rules))
    if closed_by:
        reason = why_not_closed(sides[closed_by], judged[closed_by], rules)
        if reason:
            return HandScore(False, reason, notices=notices)
    elif rules.void_without_canasta and not any(map(has_canasta, judged.values())):
        empty = {name: SideScore() for name in sides}
        return HandScore(None, void=True, sides=empty, notices=notices)

    scores = side_scores(sides, judged, closed_by, rules)
    return HandScore(True if closed_by else None, sides=scores, notices=notices)


def side_scores(
    sides: Mapping[SideName, Side],
    judged: JudgedMelds,
    closed_by: SideName | None,
    rules: RuleSet,
) -> dict[SideName, SideScore]:
    """Make the score sheets of both sides. The hand must not be void, and if a side closed, it must
    have been allowed to. `judged` holds the verdicts on each side's melds.
    """
    somebody_took = any(side.muerto_taken for side in sides.values())
    scores = {}
    for name, side in sides.items():
        lines = side_lines(
            side,
            judged[name],
            rules,
            closed=name == closed_by,
            somebody_took=somebody_took,
        )
        scores[name] = SideScore(tuple(lines))
    return scores


def judge_melds(side: Side, rules: RuleSet) -> tuple[Meld, ...]:
    """Judge each meld of a side without counting copies of tiles, since `hand_notices` counts them
    over the whole table.
    """
    return tuple(judge_meld(row, rules, check_copies=False) for row in side.melds)


def refuse_illegal(judged: JudgedMelds) -> None:
    """Raise IllegalMeld for the first illegal meld among the `judged` melds of both sides."""
    for name, melds in judged.items():
        for meld in melds:
            if not meld.valid:
                raise IllegalMeld(name, meld)


def has_canasta(melds: Sequence[Meld]) -> bool:
    """Whether one of the melds is a canasta."""
    return any(meld.canasta for meld in melds)


def why_not_closed(side: Side, melds: Sequence[Meld], rules: RuleSet) -> Reason | None:
    """Return the reason code of the first condition of closing that a side does not meet; None
    where its closing is valid. `melds` are the verdicts on the side's melds.

    Source: RULES.md, "Reason codes", which gives the order of the conditions.
    """
    if all(side.racks):
        return Reason.HAND_NOT_EMPTY
    if not side.muerto_taken:
        return Reason.MUERTO_NOT_TAKEN
    wanted = rules.close_requires
    canastas = [meld.canasta for meld in melds if meld.canasta]
    fulfilled = bool(canastas) if wanted is None else wanted in canastas
    return None if fulfilled else Reason.NO_CANASTA


def side_lines(
    side: Side, melds: Sequence[Meld], rules: RuleSet, *, closed: bool, somebody_took: bool
) -> Iterator[ScoreLine]:
    """Yield the lines of a side's score sheet. A bonus or penalty of 0 points has no line.

    `closed` says whether this side closed the hand, `somebody_took` whether either side took a
    muerto. `melds` holds the verdicts on the side's melds.
    """
    all_against = rules.all_against_without_canasta and not closed and not has_canasta(melds)
    sign = -1 if all_against else 1
    for index, meld in enumerate(melds):
        yield ScoreLine(LineKind.MELD, sign * meld.points, meld.tiles, index)
    yield from canasta_lines(melds, rules)
    if closed and rules.close_bonus:
        yield ScoreLine(LineKind.CLOSE, rules.close_bonus)
    yield from muerto_lines(side, rules, somebody_took=somebody_took)
    for index, rack in enumerate(side.racks):
        if rack:
            yield ScoreLine(LineKind.HAND, -rules.points(rack), rack, index)


def canasta_lines(melds: Sequence[Meld], rules: RuleSet) -> Iterator[ScoreLine]:
    """Yield a line of the score sheet for each canasta among the melds."""
    for index, meld in enumerate(melds):
        if meld.canasta:
            assert meld.arrangement is not None
            points = canasta_points(meld.arrangement, rules)
            yield ScoreLine(LineKind.CANASTA, points, meld.tiles, index, meld.canasta_class)


def muerto_lines(side: Side, rules: RuleSet, *, somebody_took: bool) -> Iterator[ScoreLine]:
    """Yield the lines of the score sheet that say what the side gains or loses by taking its muerto
    or not. `somebody_took` says whether either side took a muerto.
    """
    if not side.muerto_taken:
        if rules.muerto_penalty and (somebody_took or rules.muerto_penalty_if_nobody):
            yield ScoreLine(LineKind.MUERTO_NOT_TAKEN, -rules.muerto_penalty)
        return
    if rules.muerto_bonus:
        yield ScoreLine(LineKind.MUERTO_TAKEN, rules.muerto_bonus)
    if rules.muerto_unplayed_penalty and not side.muerto_played:
        yield ScoreLine(LineKind.MUERTO_UNPLAYED, -rules.muerto_unplayed_penalty)


def hand_notices(
    sides: Mapping[SideName, Side], judged: JudgedMelds, rules: RuleSet
) -> Iterator[HandNotice]:
    """Yield the notices of a hand. `judged` are the verdicts on the melds of its `sides`.

    First come the notices of its melds, including illegal ones that were accepted. A last notice
    lists the tiles that melds and racks together hold in more copies than the set has. It is left
    out where there are no such tiles.
    """
    for name, melds in judged.items():
        for meld in melds:
            yield from meld_notices(meld, name)
    all_tiles = tuple(chain(*(side.tiles for side in sides.values())))
    extra = too_many_copies(all_tiles, rules)
    if extra:
        yield HandNotice(Notice.TOO_MANY_COPIES, extra)


def meld_notices(meld: Meld, side: SideName) -> Iterator[HandNotice]:
    """Yield the notices of one meld. An illegal meld, which the table has accepted, has the notice
    `accepted_illegal`.
    """
    if not meld.valid:
        yield HandNotice(Notice.ACCEPTED_ILLEGAL, meld.tiles, side, meld)
    for notice in meld.notices:
        yield HandNotice(notice, meld.tiles, side, meld)
