"""Judges what happened to the melds by the engine's rules.

After an illegal change the last legal state of the meld is remembered. So putting the meld right is
recognised as such, and does not count as another illegal change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from engine.changes import Change, ChangeVerdict, judge_change
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.tiles import Tile
from vision.live.table.kinds import ChangeKind, TileRow

LEGAL = ChangeVerdict()
ReadRow = tuple[Tile, ...]  # a row of which every tile was read


@dataclass(frozen=True)
class MeldChange:
    """One meld before and after a change; `before` is empty for a new meld, `after` for one that is
    gone. `legal_before` is the meld's last legal row if `before` is illegal, else None. The other
    rows hold those tiles of the meld that came, went or changed places.
    """

    meld_id: int
    before: TileRow
    after: TileRow
    legal_before: ReadRow | None = None  # the last legal row, where `before` is illegal
    added: TileRow = ()  # tiles that came from a hand or from loose on the table
    moved_in: TileRow = ()  # tiles that came from another meld
    removed: TileRow = ()  # tiles that are in no meld any more
    reordered: TileRow = ()  # tiles that lie in another order among the rest

    @property
    def is_unread(self) -> bool:
        """Whether any tile of the meld could not be read, before or after, so that nothing can be
        judged.
        """
        return None in self.before or None in self.after

    @property
    def is_as_before(self) -> bool:
        """Whether the meld holds the same tiles after the change as before it, in the same order or
        in the reverse one. This happens where a tile was found anew, or exchanged for its like.
        """
        return self.after in (self.before, self.before[::-1])

    @property
    def was_illegal(self) -> bool:
        """Whether the meld was illegal before the change."""
        return self.legal_before is not None


@dataclass(frozen=True)
class Ruling:
    """One thing to report about one meld: what happened, with which tiles, and whether it was
    legal. `verdict` is None where a tile is unread, so that nothing can be judged.
    """

    kind: ChangeKind
    meld_id: int
    tiles: TileRow  # those concerned
    verdict: ChangeVerdict | None  # None where a tile is unread, so that nothing can be judged
    mends: tuple[int, ...] = ()  # ids of the melds that are put right by this


@dataclass(frozen=True)
class Judgement:
    """What to report of melds that changed together.

    Where it is `resolved`, later changes are judged from the melds as they are now. Otherwise each
    meld keeps its last legal row, to which it has to go back.
    """

    rulings: tuple[Ruling, ...]
    resolved: bool


def judge_changes(changes: Sequence[MeldChange], rules: RuleSet) -> Judgement:
    """Judge the change of a single meld, or the changes of several melds that belong together
    because tiles went from one to another.
    """
    was_illegal = any(change.was_illegal for change in changes)
    if any(change.is_unread for change in changes):
        return Judgement(tuple(_rulings(changes, None)), resolved=not was_illegal)
    if was_illegal and all(change.is_as_before for change in changes):
        return Judgement((), resolved=False)
    if was_illegal and _is_restored(changes, rules):
        return _put_right(changes, _corrections(changes))
    verdict = _verdict([as_read(change.before) for change in changes], changes, rules)
    if was_illegal:
        return _judge_after_illegal(changes, verdict, rules)
    return Judgement(tuple(_rulings(changes, verdict)), verdict.legal)


def _judge_after_illegal(
    changes: Sequence[MeldChange], verdict: ChangeVerdict, rules: RuleSet
) -> Judgement:
    """Judge the `changes` of some melds, at least one of which was illegal before.

    Changes that would have been legal from the last legal state put the melds right. All others
    are judged by `verdict`, the engine's verdict on the same changes from the state before them,
    which was illegal. There is one exception: where only wrong tiles were taken away and the melds
    are illegal still, the changes are judged from the last legal state.
    """
    from_legal = _verdict([_last_legal(change) for change in changes], changes, rules)
    if from_legal.legal:
        rulings: tuple[Ruling, ...] = ()
        if not any(change.removed for change in changes):
            unordered = [replace(change, reordered=()) for change in changes]
            rulings = tuple(_rulings(unordered, from_legal))
        return _put_right(changes, rulings or _corrections(changes))
    if verdict.legal or not _only_wrong_left(changes):
        return Judgement(tuple(_rulings(changes, verdict)), verdict.legal)
    if any(change.added or change.moved_in for change in changes):
        # Other tiles came in the place of the wrong ones, which nobody wants back.
        changes = [replace(change, removed=()) for change in changes]
    return Judgement(tuple(_rulings(changes, from_legal)), resolved=False)


def _put_right(changes: Sequence[MeldChange], rulings: Iterable[Ruling]) -> Judgement:
    """Return the judgement that the `changes`, of which `rulings` tell, put their melds right."""
    mended = tuple(change.meld_id for change in changes if change.was_illegal)
    return Judgement(tuple(replace(ruling, mends=mended) for ruling in rulings), resolved=True)


def _verdict(
    before: Sequence[ReadRow], changes: Sequence[MeldChange], rules: RuleSet
) -> ChangeVerdict:
    """The engine's verdict on the changes. For each of the `changes`, in their order, `before`
    holds the row from which its meld is taken to have started.

    A camera does not see where a tile went, so a wild counts as withdrawn to the hand only where a
    natural replaced it.
    """
    after = [as_read(change.after) for change in changes]
    added = _count(after) - _count(before)
    change = Change(
        before=tuple(filter(None, before)),
        after=tuple(filter(None, after)),
        added=tuple(added.elements()),
    )
    verdict = judge_change(change, rules)
    if verdict.reason is Reason.WILD_WITHDRAWN and not added:
        return replace(verdict, reason=Reason.TILE_REMOVED)
    return verdict


def _count(rows: Sequence[ReadRow]) -> Counter[Tile]:
    return Counter(chain.from_iterable(rows))


def as_read(row: TileRow) -> ReadRow:
    """The tiles of the row without those that could not be read."""
    return tuple(tile for tile in row if tile is not None)


def _last_legal(change: MeldChange) -> ReadRow:
    """Return the row of the meld before the change, or its last legal row where that one was
    illegal. Tiles that could not be read are left out. The row is empty for a new meld, and for one
    that was illegal as it was laid and has not been legal since.
    """
    return as_read(change.before) if change.legal_before is None else change.legal_before


def _is_restored(changes: Sequence[MeldChange], rules: RuleSet) -> bool:
    """Whether each of the changed melds holds the tiles of its last legal row again, in an order
    that the rules allow.
    """
    last_legal = [_last_legal(change) for change in changes]
    for legal, change in zip(last_legal, changes, strict=True):
        if Counter(legal) != Counter(change.after):
            return False
    return _verdict(last_legal, changes, rules).legal


def _only_wrong_left(changes: Sequence[MeldChange]) -> bool:
    """Whether tiles were taken away from the melds, and none of these tiles belonged to the last
    legal row of its meld.
    """
    if not any(change.removed for change in changes):
        return False
    for change in changes:
        illegal = Counter(change.before) - Counter(_last_legal(change))
        if Counter(change.removed) - illegal:
            return False
    return True


def _corrections(changes: Sequence[MeldChange]) -> Iterator[Ruling]:
    """Yield one ruling for each meld that was put right, with the tiles that came, left or changed
    places.
    """
    for change in changes:
        tiles = (*change.added, *change.moved_in, *change.removed) or change.reordered
        if tiles:
            yield Ruling(ChangeKind.TAKEN_BACK, change.meld_id, tiles, LEGAL)


def _rulings(changes: Sequence[MeldChange], verdict: ChangeVerdict | None) -> Iterator[Ruling]:
    """Yield a ruling for each thing that happened to a meld: that it was laid, or that tiles were
    added, moved in or removed. Where nothing of this happened to any meld, yield rulings on tiles
    that lie in another order. `verdict` is the same for all rulings. It is None where a tile is
    unread; no ruling on another order is then given.
    """
    nothing_happened = True
    for change in changes:
        for kind, tiles in _happenings(change):
            nothing_happened = False
            yield Ruling(kind, change.meld_id, tiles, verdict)
    if nothing_happened and verdict is not None:
        for change in changes:
            yield from _reorderings(change, verdict)


def _happenings(change: MeldChange) -> Iterator[tuple[ChangeKind, TileRow]]:
    """Yield the kind of each thing that happened to one meld, with the tiles concerned: tiles
    added, tiles moved in from other melds, tiles removed. For a new meld of which at most half was
    moved in, yield only that a meld was laid, with all its tiles.
    """
    is_new = not change.before
    if is_new and len(change.moved_in) * 2 <= len(change.after):
        yield ChangeKind.MELD_LAID, change.after
        return
    if change.added:
        yield ChangeKind.TILES_ADDED, change.added
    if change.moved_in:
        yield ChangeKind.TILE_MOVED, change.moved_in
    if change.removed:
        yield ChangeKind.TILE_REMOVED, change.removed


def _reorderings(change: MeldChange, verdict: ChangeVerdict) -> Iterator[Ruling]:
    """Yield one ruling or none on the tiles of a meld that changed places in it. The ruling is on
    the wilds among these tiles. Where there are no wilds, it is on all of them, but only if the
    verdict says that the change is illegal.
    """
    wilds = tuple(tile for tile in change.reordered if tile is not None and tile.can_be_wild)
    if wilds:
        yield Ruling(ChangeKind.WILD_MOVED, change.meld_id, wilds, verdict)
    elif change.reordered and not verdict.legal:
        yield Ruling(ChangeKind.TILE_MOVED, change.meld_id, change.reordered, verdict)
