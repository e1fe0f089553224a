"""The smallest thing the players can do to put an illegal meld or change right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.melds import Meld, judge_meld
from engine.rulesets import HIGH_ACE, RuleSet
from engine.tiles import FACES, JOKER, Row, Tile


class FixAction(StrEnum):
    REARRANGE = "rearrange"  # lay the same tiles as `row`
    TAKE_BACK = "take_back"  # `tiles` go back to the hand, `row` stays
    ADD = "add"  # `tiles`, for example, would complete the meld to `row`
    PUT_BACK = "put_back"  # `tiles` return to the table, which looks as before


@dataclass(frozen=True, slots=True)
class Fix:
    action: FixAction
    tiles: Row
    row: Row = ()


def fix_meld(
    meld: Meld, rules: RuleSet, *, ordered: bool = True, removable: Sequence[Tile] | None = None
) -> Fix:
    """The fix that moves fewest tiles. `removable`: the only tiles that may still be taken back,
    by default all.
    """
    row = meld.tiles
    free = Counter(row if removable is None else removable)
    rearranged = judge_meld(row, rules, ordered=False) if ordered else meld
    if rearranged.arrangement:
        return Fix(FixAction.REARRANGE, row, rearranged.arrangement.tiles)
    for part in legal_parts(row, rules):
        back = Counter(row) - Counter(part)
        if back <= free:
            rest = subsequence(row, back)
            as_laid = ordered and judge_meld(rest, rules).valid
            return Fix(FixAction.TAKE_BACK, tuple(back.elements()), rest if as_laid else part)
    return completion(row, rules) or Fix(
        FixAction.TAKE_BACK, tuple(free.elements()), subsequence(row, free)
    )


def subsequence(row: Sequence[Tile], without: Counter[Tile]) -> Row:
    """The row less the tiles counted, the rearmost of equals going first."""
    left = Counter(without)
    kept = []
    for tile in reversed(row):
        if left[tile] > 0:
            left[tile] -= 1
        else:
            kept.append(tile)
    return tuple(reversed(kept))


def legal_parts(row: Sequence[Tile], rules: RuleSet) -> Iterator[Row]:
    """Legal melds among the tiles, the longest first, as arranged."""
    parts = sorted(
        (*parts_as_runs(row, rules), *parts_as_piernas(row, rules)), key=len, reverse=True
    )
    for part in parts:
        arrangement = judge_meld(part, rules, ordered=False).arrangement
        if arrangement:
            yield arrangement.tiles


def parts_as_piernas(row: Sequence[Tile], rules: RuleSet) -> Iterator[list[Tile]]:
    """Per number: its tiles, no more of them than exist, with as many wilds as a meld may have."""
    limit = rules.wild_limit(len(row))
    for number in {tile.number for tile in row if tile.number}:
        of_number = Counter(tile for tile in row if tile.number == number)
        naturals = [
            tile for tile, count in of_number.items() for _ in range(min(count, rules.copies(tile)))
        ]
        wilds = [tile for tile in row if tile.can_be_wild and tile.number != number]
        for count in range(min(limit, len(wilds)) + 1):
            yield (naturals + wilds[:count])[: rules.pierna_max]


def parts_as_runs(row: Sequence[Tile], rules: RuleSet) -> Iterator[list[Tile]]:
    """Per colour: the naturals from one place to another, with wilds and its own 2 or without
    them.
    """
    limit = rules.wild_limit(len(row))
    for colour in sorted({tile.colour for tile in row if tile.colour}):
        own_two = [tile for tile in row if tile.number == 2 and tile.colour == colour][:1]
        wilds = [tile for tile in row if tile.can_be_wild]
        others = list(subsequence(wilds, Counter(own_two)))
        for naturals in windows(
            [tile for tile in row if tile.colour == colour and not tile.can_be_wild]
        ):
            for two in (own_two, []) if own_two else ([],):
                for count in range(min(limit, len(others)) + 1):
                    yield naturals + two + others[:count]


def windows(naturals: Sequence[Tile]) -> Iterator[list[Tile]]:
    """The naturals of one colour from each place to each other, one a place; a 1 may lie at either
    end.
    """
    placed = {tile.number or 0: tile for tile in naturals}
    aces = [tile for tile in naturals if tile.number == 1]
    if aces:
        placed[HIGH_ACE] = aces[-1]
    places = sorted(placed)
    for start, low in enumerate(places):
        for high in places[start:]:
            if not (low == 1 and high == HIGH_ACE and len(aces) == 1):
                yield [placed[place] for place in places if low <= place <= high]


def completion(row: Sequence[Tile], rules: RuleSet) -> Fix | None:
    """One more tile that would make the row a legal meld, None where one is not enough."""
    for tile in neighbours(row):
        arrangement = judge_meld((*row, tile), rules, ordered=False).arrangement
        if arrangement:
            return Fix(FixAction.ADD, (tile,), arrangement.tiles)
    return None


def neighbours(row: Sequence[Tile]) -> Iterator[Tile]:
    """Tiles that could belong to the row: of its number, or two places at most from it in its
    colour.
    """
    first = next((tile for tile in row if not tile.can_be_wild), None) or next(iter(row), JOKER)
    for face in FACES:
        if face.number and first.number and face not in row:
            near = min(abs(face.number - first.number), abs(face.number + 13 - first.number)) <= 2
            if face.number == first.number or (face.colour == first.colour and near):
                yield face
