"""Changes on the table: the melds of one side before and after, and whether the change is legal.

Each function that "objects" returns the verdict against a change, or None where it finds nothing
against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from engine.arrangements import Arrangement, Kind
from engine.fixes import Fix, FixAction, fix_meld
from engine.melds import Meld, judge_meld
from engine.pairing import Pairing, pair_melds
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.sides import SideName
from engine.tiles import Tile, Tiles


@dataclass(frozen=True, slots=True)
class Change:
    """What side `actor` did to the melds of side `owner`.

    `before` and `after` hold that side's melds in any order: they are matched by their tiles.
    `added` lists the tiles played from the hand, and `taken_to_hand` the tiles that went from the
    table to the hand.
    """

    before: tuple[Tiles, ...]
    after: tuple[Tiles, ...]
    added: Tiles = ()
    taken_to_hand: Tiles = ()
    owner: SideName = "A"
    actor: SideName = "A"


@dataclass(frozen=True, slots=True)
class ChangeVerdict:
    """The verdict on a change. A legal one has no `reason` and no `fix`."""

    reason: Reason | None = None
    tiles: Tiles = ()  # those that the reason is about
    melds: tuple[Meld, ...] = ()  # those that changed, new and grown ones first
    fix: Fix | None = None  # None: nothing has to be done, or nobody can say what

    @property
    def legal(self) -> bool:
        """Whether nothing speaks against the change."""
        return self.reason is None


def judge_change(change: Change, rules: RuleSet) -> ChangeVerdict:
    """Judge a change: it is legal, or the verdict names the first reason against it.

    The reasons come in this order: another side's meld, tiles that nobody played, tiles taken away,
    tiles moved between melds, an illegal meld, a wild moved. Source: RULES.md, "Changing a meld on
    the table".

    >>> from engine import ruleset, tiles
    >>> change = Change((tiles("4R J 6R"),), (tiles("4R 5R 6R"),), tiles("5R"), tiles("J"))
    >>> judge_change(change, ruleset("burako")).reason
    <Reason.WILD_WITHDRAWN: 'wild_withdrawn'>
    """

    def may_become(old: Tiles, new: Tiles) -> bool:
        return not moved_wilds(old, new, rules)

    pairing = pair_melds(change.before, change.after, may_become)
    melds = tuple(judge_meld(row, rules) for row in pairing.changed)
    if not (melds or pairing.gone or change.added or change.taken_to_hand):
        return nothing_changed(change, rules)
    return (
        not_own_meld(change, pairing)
        or unknown_tile(change)
        or taken_away(change, pairing, rules)
        or moved_between(change, pairing)
        or illegal_meld(change, pairing, melds, rules)
        or wild_moved(change, pairing, rules)
        or ChangeVerdict(melds=melds)
    )


def nothing_changed(change: Change, rules: RuleSet) -> ChangeVerdict:
    """Make the verdict on a change in which no tile came, went or left its row. Such a change is
    legal.

    The verdict holds one meld: the first that was turned round or, if none was, the first on the
    table. It holds no meld where the table has none.
    """
    turned = [row for row in change.after if row not in change.before]
    shown = [*turned, *change.after][:1]
    return ChangeVerdict(melds=tuple(judge_meld(row, rules) for row in shown))


def not_own_meld(change: Change, pairing: Pairing) -> ChangeVerdict | None:
    """Object to a change of the other side's melds. Returns None where a side changes melds of its
    own.
    """
    if change.owner == change.actor:
        return None
    if change.added:
        fix = Fix(FixAction.TAKE_BACK, change.added)
        return ChangeVerdict(Reason.NOT_OWN_MELD, change.added, fix=fix)
    touched = next(iter(pairing.changed or pairing.gone), ())
    return ChangeVerdict(Reason.NOT_OWN_MELD, touched or change.taken_to_hand)


def unknown_tile(change: Change) -> ChangeVerdict | None:
    """Return a verdict against tiles that appear although nobody played them; None where no tile
    does.
    """
    known = count(change.before) + Counter(change.added)
    unknown = tuple((count(change.after) - known).elements())
    if not unknown:
        return None
    return ChangeVerdict(Reason.UNKNOWN_TILE, unknown, fix=Fix(FixAction.TAKE_BACK, unknown))


def count(rows: Sequence[Tiles]) -> Counter[Tile]:
    """Count how often each tile occurs in all the rows together."""
    counts: Counter[Tile] = Counter()
    for row in rows:
        counts.update(row)
    return counts


def taken_away(change: Change, pairing: Pairing, rules: RuleSet) -> ChangeVerdict | None:
    """Object to a change after which the melds lack tiles that they held or that were played, and
    to tiles taken to the hand, even where equal ones were laid in their place. Returns None where
    there are no such tiles.
    """
    taken = Counter(change.taken_to_hand)
    gone = count(change.before) + Counter(change.added) - count(change.after)
    missing = gone | taken
    if not missing:
        return None
    tiles = tuple(missing.elements())
    if count(pairing.gone) == missing:
        return put_back(Reason.TILE_REMOVED if taken else Reason.MELD_REMOVED, tiles)
    wilds = wilds_of_poorer_melds(change, pairing, rules)
    withdrawn = tuple(tile for tile in tiles if tile in wilds)
    if withdrawn:
        return ChangeVerdict(Reason.WILD_WITHDRAWN, withdrawn, fix=Fix(FixAction.PUT_BACK, tiles))
    return put_back(Reason.TILE_REMOVED, tiles)


def wilds_of_poorer_melds(change: Change, pairing: Pairing, rules: RuleSet) -> set[Tile]:
    """Return the tiles that acted as wild before the change, in the melds that lost a tile or are
    gone.

    Where no meld lost a tile or is gone, these are the wilds of all melds: a player may have taken
    a tile and laid an equal one in its place.
    """
    poorer = [old for old, new in pairing.kept if Counter(old) - Counter(new)]
    poorer += pairing.gone
    wilds: set[Tile] = set()
    for row in poorer or change.before:
        wilds.update(wilds_of(judge_meld(row, rules).arrangement))
    return wilds


def wilds_of(arrangement: Arrangement | None) -> list[Tile]:
    """List the tiles that act as wild in a meld. The list is empty for an illegal meld, whose
    arrangement is None.
    """
    if arrangement is None:
        return []
    roles = zip(arrangement.tiles, arrangement.wild, strict=True)
    return [tile for tile, is_wild in roles if is_wild]


def moved_between(change: Change, pairing: Pairing) -> ChangeVerdict | None:
    """Return a verdict against melds that were merged or split, and against tiles moved from one
    meld to another; None where nothing of this happened.

    It takes for granted that `unknown_tile` and `taken_away` found nothing against the change.
    """
    if pairing.gone:
        return put_back(Reason.MELD_MERGED, tuple(chain(*pairing.gone)))
    added = Counter(change.added)
    for row in pairing.new:
        from_table = Counter(row) - added
        mostly_from_table = 2 * from_table.total() > len(row)
        if mostly_from_table:
            return put_back(Reason.MELD_SPLIT, tuple(from_table.elements()))
        added -= Counter(row)
    moved: list[Tile] = []
    for old, new in pairing.kept:
        left = Counter(old) - Counter(new)
        moved += left.elements()
    if moved:
        return put_back(Reason.TILE_MOVED, tuple(moved))
    return None


def put_back(reason: Reason, tiles: Tiles) -> ChangeVerdict:
    """Make the verdict against a change, with the fix that `tiles` are put back where they lay."""
    return ChangeVerdict(reason, tiles, fix=Fix(FixAction.PUT_BACK, tiles))


def illegal_meld(
    change: Change, pairing: Pairing, melds: Sequence[Meld], rules: RuleSet
) -> ChangeVerdict | None:
    """Return a verdict against the change for the first illegal meld among `melds`, the verdicts on
    the melds that changed; None where all are legal.
    """
    for meld in melds:
        if meld.reason:
            old = next((before for before, after in pairing.kept if after == meld.tiles), ())
            fix = fix_change(old, meld, change, rules)
            return ChangeVerdict(meld.reason, meld.tiles, tuple(melds), fix)
    return None


def wild_moved(change: Change, pairing: Pairing, rules: RuleSet) -> ChangeVerdict | None:
    """Object to a wild that left its place in a run although no natural took that place. Returns
    None where no wild did so, and under rulesets that let wilds move freely.
    """
    for old, new in pairing.kept:
        left = moved_wilds(old, new, rules)
        if left:
            fix = fix_change(old, judge_meld(new, rules), change, rules)
            return ChangeVerdict(Reason.WILD_MOVED, left, fix=fix)
    return None


def fix_change(old: Tiles, meld: Meld, change: Change, rules: RuleSet) -> Fix:
    """Find the fix of a meld that is not as it may be after a change; before the change it was
    `old`, which is empty for a new meld. The fix takes back only tiles that were just played, and
    leaves wilds where they were unless they may move.
    """

    def may_lie(row: Tiles) -> bool:
        return not moved_wilds(old, row, rules)

    played = Counter(meld.tiles) & Counter(change.added)
    return fix_meld(meld, rules, removable=tuple(played.elements()), may_lie=may_lie)


def moved_wilds(old: Tiles, new: Tiles, rules: RuleSet) -> Tiles:
    """List the wilds of the run `old` that may not lie where they do in `new`, which became of it.
    The list is empty where `old` is no legal run, and under rulesets that let wilds move freely.
    """
    if rules.wild_moves_freely:
        return ()
    before, after = judge_meld(old, rules).arrangement, judge_meld(new, rules).arrangement
    if before is None or after is None or before.kind is not Kind.ESCALERA:
        return ()
    return tuple(wilds_that_left(before, after))


def wilds_that_left(before: Arrangement, after: Arrangement) -> list[Tile]:
    """List those wilds of a run whose places, after a change, are empty or held by other wilds.
    `before` and `after` are the arrangements of the run before and after the change.
    """
    now = {}
    for place, tile, is_wild in zip(after.places, after.tiles, after.wild, strict=True):
        now[place] = (tile, is_wild)
    left = []
    for place, tile, was_wild in zip(before.places, before.tiles, before.wild, strict=True):
        there, is_wild = now.get(place, (None, True))
        if was_wild and is_wild and there != tile:
            left.append(tile)
    return left
