"""Answers questions about rows of faces, such as `7R` and `J`, by the rules of one match.

The rest of the application asks the engine through this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from json import dumps, loads
from typing import Any

from engine.arrangements import Arrangement
from engine.fixes import fix_meld
from engine.inventory import too_many_copies
from engine.melds import Meld, best_arrangement, judge_meld
from engine.options import OPTIONS, with_options
from engine.pieces import Pieces
from engine.reasons import Reason
from engine.rulesets import MINIMUM_MELD, RULESETS, RuleSet, ruleset
from engine.set_up import set_up
from engine.tiles import NUMBERS, Tile
from scorer_app.hand.record import FACES as FACES
from scorer_app.hand.record import DamagedRecord, NewerRecord
from scorer_app.texts.languages import Language
from scorer_app.texts.verdicts import explain_closing, explain_meld, notice_text

JOLLIES = 4  # of two packs of cards


@dataclass(frozen=True)
class TableRules:
    """The rules of one match: its ruleset with the options, the number of players (2 or 4), and the
    pieces (tiles or cards). Sentences made by these rules use the words for the pieces.
    """

    rules: RuleSet
    players: int
    pieces: Pieces = Pieces.TILES

    @classmethod
    def of(
        cls, ruleset: str, options: Mapping[str, Any], players: int, pieces: str = Pieces.TILES
    ) -> TableRules:
        """Return the rules of one match. `options` are by name, `players` is 2 or 4, and `pieces`
        says whether people play with tiles or cards.

        Raises NewerRecord where this version knows no such ruleset, option or pieces, and
        DamagedRecord where the rules cannot be played by.
        """
        if not isinstance(ruleset, str) or not isinstance(options, dict):
            raise DamagedRecord(f"expected a ruleset and its options, got {ruleset!r} {options!r}")
        if unknown := [name for name in options if name not in OPTIONS]:
            raise NewerRecord(f"expected options known here, got {unknown}"[:300])
        if ruleset not in RULESETS:
            raise NewerRecord(f"expected a ruleset known here, got {ruleset!r}"[:300])
        if pieces not in list(Pieces):
            raise NewerRecord(f"expected tiles or cards, got {pieces!r}"[:300])
        try:
            text = dumps(options, sort_keys=True)
            return _table_rules(ruleset, text, players, Pieces(pieces))
        except ValueError as error:
            raise DamagedRecord(str(error)) from error

    def judge(self, faces: Sequence[str | None], ordered: bool) -> Meld | None:
        """Judge one row: as it lies if `ordered`, otherwise with its tiles in any order. Returns
        None while one of its tiles is unread.

        Whether there are more tiles of one face than the set holds is judged over the whole hand,
        by `copies_too_many`, and not for one row.
        """
        if None in faces:
            return None
        return _judged(tiles_of(faces), self.rules, ordered)

    def legal(self, faces: Sequence[str], ordered: bool) -> bool:
        """Tell whether a row is a legal meld, as it lies if `ordered`, otherwise in any order. This
        is faster than `judge`, which finds the reason too.
        """
        return _arranged(tiles_of(faces), self.rules, ordered) is not None

    def is_meld(self, faces: Sequence[str | None], ordered: bool) -> bool:
        """Tell whether all tiles of a row are read, where None is an unread one, and are a legal
        meld: as it lies if `ordered`, otherwise in any order.
        """
        known = [face for face in faces if face is not None]
        return len(known) == len(faces) and self.legal(known, ordered)

    def split_at(self, faces: Sequence[str | None], ordered: bool) -> int | None:
        """Return the least index in `faces` at which a second meld begins, if the row can be
        divided into two legal melds that were laid close together; None where it cannot. `faces`
        are those of the row from one end to the other. If `ordered`, each part is judged as it
        lies, otherwise in any order.
        """
        for at in range(MINIMUM_MELD, len(faces) - MINIMUM_MELD + 1):
            if self.is_meld(faces[:at], ordered) and self.is_meld(faces[at:], ordered):
                return at
        return None

    def can_grow(self, faces: Sequence[str | None], face: str) -> bool:
        """Tell whether a tapped tile `face` may belong to the meld of `faces`, where None is an
        unread tile. It may if a tile of the meld is unread, if the meld is not legal yet, or if the
        meld stays legal with the tapped tile.
        """
        return not self.is_meld(faces, ordered=False) or self.is_meld([*faces, face], ordered=False)

    def laid(self, faces: Sequence[str | None], ordered: bool) -> tuple[Tile, ...]:
        """Return the tiles of a row as the engine counts them, without those unread. If `ordered`,
        they are in the order of `faces`, otherwise in the order that makes the best meld. Tiles
        that make no meld keep the order of `faces`.
        """
        row = tiles_of(faces)
        meld = None if ordered else _judged(row, self.rules, ordered)
        return meld.arrangement.tiles if meld and meld.arrangement else row

    def points(self, faces: Sequence[str | None]) -> int:
        """Add up the values of tiles, in points; unread ones count nothing."""
        return self.rules.points(tiles_of(faces))

    def sentence(self, meld: Meld, ordered: bool, language: Language) -> str:
        """Return sentences that say why a meld is illegal and which smallest change makes it legal;
        an empty text for a legal meld. `ordered` says whether the meld was judged as it lies.
        """
        if meld.reason is None:
            return ""
        fix = fix_meld(meld, self.rules, ordered=ordered)
        return explain_meld(meld, self.rules, language, fix, self.pieces)

    def closing(self, reason: str, rack: Sequence[str | None], language: Language) -> str:
        """Return a sentence that says which rule a closing breaks. `reason` is the rule's code, and
        `rack` holds the faces left in the rack of the side that closed.
        """
        return explain_closing(Reason(reason), (tiles_of(rack),), self.rules, language, self.pieces)

    def notices(self, meld: Meld, language: Language) -> list[str]:
        """Return what a person should know about a legal meld, one sentence each."""
        tiles = meld.better or meld.tiles
        return [notice_text(notice, tiles, language, self.pieces) for notice in meld.notices]

    def copies(self, face: str) -> int:
        """Return how often the set has a face."""
        return self.rules.copies(Tile.parse(face))

    def copies_too_many(self, faces: Sequence[str]) -> tuple[str, ...]:
        """List the faces that occur more often than the set has them."""
        return tuple(map(str, too_many_copies(tiles_of(faces), self.rules)))


def jokers_in(rules: RuleSet, pieces: str) -> int:
    """Return how many jokers a set has: four in two packs of cards, otherwise as many as the rules
    say.
    """
    return JOLLIES if pieces == Pieces.CARDS else rules.jokers


@lru_cache(maxsize=4096)
def _arranged(row: tuple[Tile, ...], rules: RuleSet, ordered: bool) -> Arrangement | None:
    return best_arrangement(row, rules, ordered=ordered) if len(row) >= MINIMUM_MELD else None


@lru_cache(maxsize=2048)
def _judged(row: tuple[Tile, ...], rules: RuleSet, ordered: bool) -> Meld:
    """Judge a row, as it lies if `ordered`, otherwise in any order. The result is cached, because
    an edit changes one or two of a dozen rows.

    Of several best orders the one in which the tiles are given holds, since people mostly tap tiles
    as they lie.
    """
    best = judge_meld(row, rules, ordered=ordered, check_copies=False)
    if ordered or not best.valid:
        return best
    given = judge_meld(row, rules, check_copies=False)
    return given if given.valid and given.wilds == best.wilds else best


@lru_cache(maxsize=256, typed=True)
def _table_rules(name: str, options: str, players: int, pieces: Pieces) -> TableRules:
    """Make the rules from the ruleset with the id `name` and from `options`, a JSON object as text.
    Raises ValueError for a value that an option cannot have, and for a deal that needs more tiles
    than the set has.
    """
    rules = with_options(ruleset(name), {**loads(options), "players": players})
    set_up(rules)
    return TableRules(rules, players, pieces)


def tiles_of(faces: Sequence[str | None]) -> tuple[Tile, ...]:
    """Parse faces, leaving out those that are None."""
    return tuple(Tile.parse(face) for face in faces if face is not None)


def may_begin_meld(face: str | None, beside: str | None) -> bool:
    """Tell whether a third tile could make a meld of two that lie side by side, `face` and
    `beside`. It could if one of them may be wild, if both have the same number, or if they are
    neighbours of one colour, 13 and 1 included. False where one of them is None, which is unread.
    """
    if face is None or beside is None:
        return False
    one, other = tiles_of((face, beside))
    if one.can_be_wild or other.can_be_wild:
        return True
    if one.colour != other.colour:
        return one.number == other.number
    apart = ((one.number or 0) - (other.number or 0)) % len(NUMBERS)
    return apart in (0, 1, len(NUMBERS) - 1)
