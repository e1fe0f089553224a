"""Counting a hand, line by line: each line says what it counts and by which tiles.

Tables count in two parts: *base* (canastas, closing, muerto) and *puntos* (tiles laid and left
in the hands).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.arrangements import Kind
from engine.inventory import too_many_copies
from engine.melds import Meld, judge_meld
from engine.reasons import Notice, Reason
from engine.rulesets import HIGH_ACE, LOW_ACE, Burraco, Canasta, RuleSet, Special
from engine.sides import SideName
from engine.tiles import Row


class LineKind(StrEnum):
    MELD = "meld"
    CANASTA = "canasta"
    CLOSE = "close"
    MUERTO_TAKEN = "muerto_taken"
    MUERTO_NOT_TAKEN = "muerto_not_taken"
    MUERTO_UNPLAYED = "muerto_unplayed"
    HAND = "hand"


PUNTOS = {LineKind.MELD, LineKind.HAND}
MUERTO = {LineKind.MUERTO_TAKEN, LineKind.MUERTO_NOT_TAKEN, LineKind.MUERTO_UNPLAYED}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet; `index` is the meld's or the player's place among those of its
    side.
    """

    kind: LineKind
    points: int
    tiles: Row = ()
    index: int | None = None
    canasta: Canasta | Burraco | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """What a side has at the end of a hand; one entry of `hands` for each of its players."""

    melds: tuple[Row, ...]
    hands: tuple[Row, ...]
    muerto_taken: bool
    muerto_played: bool = True

    @property
    def tiles(self) -> Row:
        return tuple(tile for row in (*self.melds, *self.hands) for tile in row)


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's lines; every figure is a sum over them."""

    lines: tuple[Line, ...] = ()

    def sum_of(self, *kinds: LineKind) -> int:
        return sum(line.points for line in self.lines if line.kind in kinds)

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)

    @property
    def puntos(self) -> int:
        return self.sum_of(*PUNTOS)

    @property
    def base(self) -> int:
        return self.total - self.puntos

    def canastas(self, rules: RuleSet) -> dict[Canasta | Burraco, int]:
        """How many canastas of each class the ruleset pays."""
        made = [line.canasta for line in self.lines if line.kind is LineKind.CANASTA]
        return {name: made.count(name) for name, _ in rules.canasta_values}


@dataclass(frozen=True, slots=True)
class HandNotice:
    """Something people should know about the hand, with the tiles it is about."""

    notice: Notice
    tiles: Row
    side: SideName | None = None
    meld: Meld | None = None


@dataclass(frozen=True, slots=True)
class HandScore:
    """The count of a hand: no `sides` where the closing does not stand, sides without lines where
    the hand is void.
    """

    valid_close: bool | None  # None: the stock ran out
    reason: Reason | None = None
    void: bool = False
    sides: Mapping[SideName, SideScore] = field(default_factory=dict)
    notices: tuple[HandNotice, ...] = ()


class IllegalMeld(ValueError):
    """A hand holds a meld that the rules forbid and that the table has not accepted."""

    def __init__(self, side: SideName, meld: Meld) -> None:
        super().__init__(
            f"illegal meld of side {side}: {' '.join(map(str, meld.tiles))} ({meld.reason})"
        )
        self.side = side
        self.meld = meld


def score_hand(
    sides: Mapping[SideName, Side],
    closed_by: SideName | None,
    rules: RuleSet,
    *,
    accept_illegal: bool = False,
) -> HandScore:
    """Count a hand that `closed_by` closed, or that ended with the stock (None).

    An illegal meld raises IllegalMeld, or with `accept_illegal` counts its tiles and makes no
    canasta.
    """
    judged = {
        name: tuple(judge_meld(row, rules, check_copies=False) for row in side.melds)
        for name, side in sides.items()
    }
    illegal = [(name, meld) for name, melds in judged.items() for meld in melds if not meld.valid]
    if illegal and not accept_illegal:
        raise IllegalMeld(*illegal[0])
    notices = tuple(hand_notices(sides, judged, rules))
    if closed_by:
        reason = why_not_closed(sides[closed_by], judged[closed_by], rules)
        if reason:
            return HandScore(False, reason, notices=notices)
    elif rules.void_without_canasta and not any(
        meld.canasta for melds in judged.values() for meld in melds
    ):
        return HandScore(
            None, void=True, sides={name: SideScore() for name in sides}, notices=notices
        )
    somebody_took = any(side.muerto_taken for side in sides.values())
    scores = {
        name: SideScore(
            tuple(
                side_lines(
                    side, judged[name], rules, closed=name == closed_by, somebody_took=somebody_took
                )
            )
        )
        for name, side in sides.items()
    }
    return HandScore(True if closed_by else None, sides=scores, notices=notices)


def why_not_closed(side: Side, melds: tuple[Meld, ...], rules: RuleSet) -> Reason | None:
    """The first closing condition that fails, None where the closing stands."""
    if all(side.hands):
        return Reason.HAND_NOT_EMPTY
    if not side.muerto_taken:
        return Reason.MUERTO_NOT_TAKEN
    if not any(meld.canasta and rules.close_requires in (None, meld.canasta) for meld in melds):
        return Reason.NO_CANASTA
    return None


def side_lines(
    side: Side, melds: tuple[Meld, ...], rules: RuleSet, *, closed: bool, somebody_took: bool
) -> Iterator[Line]:
    """The side's score sheet; lines that would count nothing are left out."""
    has_canasta = any(meld.canasta for meld in melds)
    sign = -1 if rules.all_against_without_canasta and not has_canasta and not closed else 1
    for index, meld in enumerate(melds):
        yield Line(LineKind.MELD, sign * meld.points, meld.tiles, index)
    for index, meld in enumerate(melds):
        if meld.canasta:
            yield Line(
                LineKind.CANASTA, canasta_points(meld, rules), meld.tiles, index, meld.canasta_class
            )
    if closed and rules.close_bonus:
        yield Line(LineKind.CLOSE, rules.close_bonus)
    yield from muerto_lines(side, rules, somebody_took=somebody_took)
    for index, hand in enumerate(side.hands):
        if hand:
            yield Line(LineKind.HAND, -rules.points(hand), hand, index)


def muerto_lines(side: Side, rules: RuleSet, *, somebody_took: bool) -> Iterator[Line]:
    if side.muerto_taken:
        if rules.muerto_bonus:
            yield Line(LineKind.MUERTO_TAKEN, rules.muerto_bonus)
        if rules.muerto_unplayed_penalty and not side.muerto_played:
            yield Line(LineKind.MUERTO_UNPLAYED, -rules.muerto_unplayed_penalty)
    elif rules.muerto_penalty and (somebody_took or rules.muerto_penalty_if_nobody):
        yield Line(LineKind.MUERTO_NOT_TAKEN, -rules.muerto_penalty)


def canasta_points(meld: Meld, rules: RuleSet) -> int:
    """What the table pays for a canasta: the best special that it is, else the value of its
    class.
    """
    assert meld.canasta_class is not None
    prices = [special_points(meld, special, rules) for special in Special]
    return max(
        (price for price in prices if price is not None),
        default=dict(rules.canasta_values)[meld.canasta_class],
    )


def special_points(meld: Meld, special: Special, rules: RuleSet) -> int | None:
    """What the table pays for the canasta as this special one, None where it is none or has no
    such price.
    """
    paid = rules.special(special)
    if paid is None or not is_special(meld, special):
        return None
    jokers = any(tile.joker for tile in meld.tiles)
    with_wild = jokers if special is Special.WILDS else meld.wilds > 0
    return paid.impura if with_wild else paid.pura


def is_special(meld: Meld, special: Special) -> bool:
    assert meld.arrangement is not None
    places = meld.arrangement.places
    if meld.kind is Kind.PIERNA:
        return special is {1: Special.ONES, 2: Special.WILDS}.get(places[0])
    ends = {
        Special.ONE_TO_THIRTEEN: (LOW_ACE, HIGH_ACE - 1),
        Special.ONE_TO_ONE: (LOW_ACE, HIGH_ACE),
    }
    return ends.get(special) == (places[0], places[-1])


def hand_notices(
    sides: Mapping[SideName, Side], judged: Mapping[SideName, tuple[Meld, ...]], rules: RuleSet
) -> Iterator[HandNotice]:
    """Accepted illegal melds, what each meld gives notice of, and tiles of which there are too
    many.
    """
    for name, melds in judged.items():
        for meld in melds:
            if not meld.valid:
                yield HandNotice(Notice.ACCEPTED_ILLEGAL, meld.tiles, name, meld)
            for notice in meld.notices:
                yield HandNotice(notice, meld.tiles, name, meld)
    extra = too_many_copies([tile for side in sides.values() for tile in side.tiles], rules)
    if extra:
        yield HandNotice(Notice.TOO_MANY_COPIES, extra)
