"""Explains what happened to the melds through the engine. A change that leaves something illegal
is remembered with the last legal state, so that putting it right is told as such, silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.changes import Change as EngineChange
from engine.changes import ChangeVerdict, judge_change
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.tiles import Tile
from vision.live.changes import Change
from vision.live.events import Row

LEGAL = ChangeVerdict()
Known = tuple[Tile, ...]


@dataclass(frozen=True)
class MeldChange:
    """One meld before and after, rows empty where there was or is none.

    `legal_before`: what it last was by the rules, where `before` is not; `joined`: tiles that
    came from another meld, `came`: from the hand or from loose on the table, `left`: gone from
    the melds, `shifted`: in another order among the rest.
    """

    meld: int
    before: Row
    after: Row
    legal_before: Known | None = None
    came: Row = ()
    joined: Row = ()
    left: Row = ()
    shifted: Row = ()


@dataclass(frozen=True)
class Ruling:
    """One thing to tell about one meld."""

    change: Change
    meld: int
    tiles: Row
    verdict: ChangeVerdict | None


@dataclass(frozen=True)
class Explanation:
    """`settled`: the melds' new state stands; otherwise each keeps the legal row it has to go back
    to.
    """

    rulings: tuple[Ruling, ...]
    settled: bool


def explain(changes: Sequence[MeldChange], rules: RuleSet) -> Explanation:
    """What to tell of melds that changed together (tiles went between them), or of a single one."""
    if any(tile is None for change in changes for tile in (*change.before, *change.after)):
        return Explanation(tuple(_told(changes, None)), settled=True)
    standing = any(change.legal_before is not None for change in changes)
    if standing and _lies_as_before(changes, rules):
        return Explanation(tuple(_undone(changes)), settled=True)
    verdict = _judge([_known(change.before) for change in changes], changes, rules)
    if standing:
        return _against_standing(changes, verdict, rules)
    return Explanation(tuple(_told(changes, verdict)), verdict.legal)


def _against_standing(
    changes: Sequence[MeldChange], verdict: ChangeVerdict, rules: RuleSet
) -> Explanation:
    """Something illegal lay there: what is legal seen from the last legal state puts it right."""
    from_legal = _judge([_base(change) for change in changes], changes, rules)
    if from_legal.legal:
        put_right = any(change.left for change in changes)
        told = (
            tuple(_undone(changes))
            if put_right
            else tuple(_told([replace(each, shifted=()) for each in changes], from_legal))
        )
        return Explanation(told or tuple(_undone(changes)), settled=True)
    if not verdict.legal and _only_took_back(changes):
        verdict = from_legal
    return Explanation(tuple(_told(changes, verdict)), verdict.legal)


def _judge(before: Sequence[Known], changes: Sequence[MeldChange], rules: RuleSet) -> ChangeVerdict:
    """The engine's verdict. A camera does not see where a tile went: only a wild that a natural
    replaced was surely taken.
    """
    after = [_known(change.after) for change in changes]
    added = Counter(tile for row in after for tile in row) - Counter(
        tile for row in before for tile in row
    )
    verdict = judge_change(
        EngineChange(_present(before), _present(after), added=tuple(added.elements())), rules
    )
    if verdict.reason is Reason.WILD_WITHDRAWN and not added:
        return replace(verdict, reason=Reason.TILE_REMOVED)
    return verdict


def _present(rows: Sequence[Known]) -> tuple[Known, ...]:
    return tuple(row for row in rows if row)


def _known(row: Row) -> Known:
    return tuple(tile for tile in row if tile is not None)


def _base(change: MeldChange) -> Known:
    return _known(change.before) if change.legal_before is None else change.legal_before


def _lies_as_before(changes: Sequence[MeldChange], rules: RuleSet) -> bool:
    """The tiles of the last legal state again, and in an order the rules allow."""
    same = all(Counter(_base(change)) == Counter(change.after) for change in changes)
    return same and _judge([_base(change) for change in changes], changes, rules).legal


def _only_took_back(changes: Sequence[MeldChange]) -> bool:
    """Whether tiles only left, and none that belonged to the last legal state."""
    return not any(change.came or change.joined for change in changes) and all(
        not Counter(change.left) - (Counter(change.before) - Counter(_base(change)))
        for change in changes
    )


def _undone(changes: Sequence[MeldChange]) -> Iterator[Ruling]:
    """Also where another tile came in a wrong one's place at once: one thing was put right."""
    for change in changes:
        tiles = (*change.came, *change.joined, *change.left) or change.shifted
        if tiles:
            yield Ruling(Change.TAKEN_BACK, change.meld, tiles, LEGAL)


def _told(changes: Sequence[MeldChange], verdict: ChangeVerdict | None) -> Iterator[Ruling]:
    for change in changes:
        for name, tiles in _names(change):
            yield Ruling(name, change.meld, tiles, verdict)
    if verdict is not None and not any(True for change in changes for _ in _names(change)):
        for change in changes:
            yield from _rearranged(change, verdict)


def _names(change: MeldChange) -> Iterator[tuple[Change, Row]]:
    """The events of one meld: what came, what was moved in, what left."""
    new = not change.before
    if new and len(change.joined) * 2 <= len(change.after):
        yield Change.MELD_LAID, change.after
        return
    if change.came:
        yield Change.TILES_ADDED, change.came
    if change.joined:
        yield Change.TILE_MOVED, change.joined
    if change.left:
        yield Change.TILE_REMOVED, change.left


def _rearranged(change: MeldChange, verdict: ChangeVerdict) -> Iterator[Ruling]:
    """Only the order changed: a wild that moved is told, naturals only where the row suffers by
    it.
    """
    wilds = tuple(tile for tile in change.shifted if tile is not None and tile.can_be_wild)
    if wilds:
        yield Ruling(Change.WILD_MOVED, change.meld, wilds, verdict)
    elif change.shifted and not verdict.legal:
        yield Ruling(Change.TILE_MOVED, change.meld, change.shifted, verdict)
