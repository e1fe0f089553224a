"""Changes on the table: what one side's melds were before, what they are after, and whether that
is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.arrangements import Kind
from engine.fixes import Fix, FixAction, fix_meld
from engine.melds import Meld, judge_meld
from engine.pairing import Pairing, pair_melds
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.sides import SideName
from engine.tiles import Row, Tile


@dataclass(frozen=True, slots=True)
class Change:
    """The melds of side `owner` before and after what side `actor` did, matched by content, not by
    position.
    """

    before: tuple[Row, ...]
    after: tuple[Row, ...]
    added: Row = ()
    taken_to_hand: Row = ()
    owner: SideName = "A"
    actor: SideName = "A"


@dataclass(frozen=True, slots=True)
class ChangeVerdict:
    """`melds`: those that changed, new and extended ones first; `tiles`: those the reason is
    about.
    """

    reason: Reason | None = None
    tiles: Row = ()
    melds: tuple[Meld, ...] = ()
    fix: Fix | None = None

    @property
    def legal(self) -> bool:
        return self.reason is None


def judge_change(change: Change, rules: RuleSet) -> ChangeVerdict:
    """Legal, or the first reason against the change: whose meld, tiles from nowhere, tiles gone,
    moves, melds.
    """
    pairing = pair_melds(change.before, change.after)
    melds = tuple(judge_meld(row, rules) for row in pairing.changed)
    untouched = not (melds or pairing.gone or change.added or change.taken_to_hand)
    if untouched:
        turned = tuple(row for row in change.after if row not in change.before)
        return ChangeVerdict(
            melds=tuple(judge_meld(row, rules) for row in (turned or change.after)[:1])
        )
    return (
        not_own_meld(change, pairing)
        or unknown_tile(change)
        or taken_away(change, pairing, rules)
        or moved_between(change, pairing)
        or illegal_meld(change, melds, rules)
        or wild_moved(pairing, rules)
        or ChangeVerdict(melds=melds)
    )


def not_own_meld(change: Change, pairing: Pairing) -> ChangeVerdict | None:
    if change.owner == change.actor:
        return None
    if change.added:
        return ChangeVerdict(
            Reason.NOT_OWN_MELD, change.added, fix=Fix(FixAction.TAKE_BACK, change.added)
        )
    touched = tuple(tile for row in (pairing.changed or pairing.gone)[:1] for tile in row)
    return ChangeVerdict(Reason.NOT_OWN_MELD, touched or change.taken_to_hand)


def unknown_tile(change: Change) -> ChangeVerdict | None:
    unknown = tuple((count(change.after) - count(change.before) - Counter(change.added)).elements())
    return (
        ChangeVerdict(Reason.UNKNOWN_TILE, unknown, fix=Fix(FixAction.TAKE_BACK, unknown))
        if unknown
        else None
    )


def count(rows: tuple[Row, ...]) -> Counter[Tile]:
    return Counter(tile for row in rows for tile in row)


def taken_away(change: Change, pairing: Pairing, rules: RuleSet) -> ChangeVerdict | None:
    """Tiles that were on the table and are not, or that a player took."""
    taken = Counter(change.taken_to_hand)
    missing = (count(change.before) + Counter(change.added) - count(change.after)) | taken
    if not missing:
        return None
    tiles = tuple(missing.elements())
    whole_melds = count(tuple(pairing.gone))
    if whole_melds == missing:
        reason = Reason.TILE_REMOVED if taken else Reason.MELD_REMOVED
    else:
        poorer = [old for old, new in pairing.kept if Counter(old) - Counter(new)] + pairing.gone
        wilds = {tile for row in poorer or change.before for tile in wilds_of(row, rules)}
        reason = Reason.WILD_WITHDRAWN if wilds & set(missing) else Reason.TILE_REMOVED
    return ChangeVerdict(reason, tiles, fix=Fix(FixAction.PUT_BACK, tiles))


def wilds_of(row: Row, rules: RuleSet) -> list[Tile]:
    """The tiles acting as wild in a meld, none where it is illegal."""
    arrangement = judge_meld(row, rules).arrangement
    if arrangement is None:
        return []
    return [tile for tile, wild in zip(arrangement.tiles, arrangement.wild, strict=True) if wild]


def moved_between(change: Change, pairing: Pairing) -> ChangeVerdict | None:
    """Melds merged or split, or a tile moved from one to another; everything is accounted for by
    now.
    """
    added = Counter(change.added)
    if pairing.gone:
        return as_before(Reason.MELD_MERGED, tuple(pairing.gone))
    for row in pairing.new:
        from_table = Counter(row) - added
        if 2 * from_table.total() > len(row):
            return as_before(Reason.MELD_SPLIT, (tuple(from_table.elements()),))
        added -= Counter(row)
    moved = tuple(
        tile for old, new in pairing.kept for tile in (Counter(old) - Counter(new)).elements()
    )
    return as_before(Reason.TILE_MOVED, (moved,)) if moved else None


def as_before(reason: Reason, rows: tuple[Row, ...]) -> ChangeVerdict:
    tiles = tuple(tile for row in rows for tile in row)
    return ChangeVerdict(reason, tiles, fix=Fix(FixAction.PUT_BACK, tiles))


def illegal_meld(change: Change, melds: tuple[Meld, ...], rules: RuleSet) -> ChangeVerdict | None:
    """The first changed meld that is none, to be put right with the tiles just played."""
    for meld in melds:
        if meld.reason:
            played = tuple((Counter(meld.tiles) & Counter(change.added)).elements())
            return ChangeVerdict(
                meld.reason, meld.tiles, melds, fix_meld(meld, rules, removable=played)
            )
    return None


def wild_moved(pairing: Pairing, rules: RuleSet) -> ChangeVerdict | None:
    """A wild that left its place although no natural took it, where the ruleset forbids that."""
    if rules.wild_moves_freely:
        return None
    for old, new in pairing.kept:
        left = tuple(wilds_that_left(judge_meld(old, rules), judge_meld(new, rules)))
        if left:
            return ChangeVerdict(Reason.WILD_MOVED, left, fix=Fix(FixAction.REARRANGE, left, old))
    return None


def wilds_that_left(old: Meld, new: Meld) -> Iterator[Tile]:
    """Wilds of a run whose place is now empty or held by another wild."""
    if old.arrangement is None or new.arrangement is None or old.kind is not Kind.ESCALERA:
        return
    now = {
        place: (tile, wild)
        for place, tile, wild in zip(
            new.arrangement.places, new.arrangement.tiles, new.arrangement.wild, strict=True
        )
    }
    for place, tile, wild in zip(
        old.arrangement.places, old.arrangement.tiles, old.arrangement.wild, strict=True
    ):
        there, still_wild = now.get(place, (None, True))
        if wild and still_wild and there != tile:
            yield tile
