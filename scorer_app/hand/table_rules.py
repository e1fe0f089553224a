"""The page's door to the engine: one match's table rules, asked in faces (`7R`, `J`) and answered
in facts.
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
from engine.reasons import Reason
from engine.rulesets import MINIMUM_MELD, RULESETS, RuleSet, ruleset
from engine.set_up import set_up
from engine.tiles import NUMBERS, Tile
from scorer_app.hand.record import FACES as FACES
from scorer_app.hand.record import DamagedRecord, NewerRecord
from scorer_app.texts.languages import Language
from scorer_app.texts.verdicts import explain_closing, explain_meld, notice_text


@dataclass(frozen=True)
class TableRules:
    """The ruleset of one match with its options, and how many play."""

    rules: RuleSet
    players: int

    @classmethod
    def of(cls, ruleset: str, options: Mapping[str, Any], players: int) -> TableRules:
        """Find the rules of one match: the ruleset's identity, its options by name, 2 or 4 players.

        Raises NewerRecord where this version knows no such ruleset or option, and DamagedRecord
        where the rules cannot be played by.
        """
        if not isinstance(ruleset, str) or not isinstance(options, dict):
            raise DamagedRecord(f"expected a ruleset and its options, got {ruleset!r} {options!r}")
        if unknown := [name for name in options if name not in OPTIONS]:
            raise NewerRecord(f"expected options known here, got {unknown}"[:300])
        if ruleset not in RULESETS:
            raise NewerRecord(f"expected a ruleset known here, got {ruleset!r}"[:300])
        try:
            return _table_rules(ruleset, dumps(options, sort_keys=True), players)
        except ValueError as error:
            raise DamagedRecord(str(error)[:300]) from error

    def judge(self, faces: Sequence[str | None], ordered: bool) -> Meld | None:
        """The verdict on one row; None while a tile of it is unread. Copies are counted over the
        whole hand instead.
        """
        if None in faces:
            return None
        return _judged(tiles_of(faces), self.rules, ordered)

    def legal(self, faces: Sequence[str], ordered: bool) -> bool:
        """The verdict alone, without the reason: what is tried out by the hundred."""
        return _arranged(tiles_of(faces), self.rules, ordered) is not None

    def can_grow(self, faces: Sequence[str | None], face: str) -> bool:
        """Whether a tapped tile belongs to this meld: it is unfinished, or it stays legal with the
        tile.
        """
        if len(faces) < MINIMUM_MELD or None in faces:
            return True
        now, then = self.judge(faces, ordered=False), self.judge([*faces, face], ordered=False)
        return bool(then and then.valid) or not (now and now.valid)

    def laid(self, faces: Sequence[str | None], ordered: bool) -> tuple[Tile, ...]:
        """The row as the engine should count it: as it lies, or a tapped bag in its best order;
        unread tiles left out.
        """
        row = tiles_of(faces)
        meld = None if ordered else _judged(row, self.rules, ordered)
        return meld.arrangement.tiles if meld and meld.arrangement else row

    def points(self, faces: Sequence[str | None]) -> int:
        return self.rules.points(tiles_of(faces))

    def sentence(self, meld: Meld, ordered: bool, language: Language) -> str:
        """Why a meld is illegal and the smallest thing that puts it right."""
        if meld.reason is None:
            return ""
        return explain_meld(meld, self.rules, language, fix_meld(meld, self.rules, ordered=ordered))

    def closing(self, reason: str, rack: Sequence[str | None], language: Language) -> str:
        """Why a closing does not stand."""
        return explain_closing(Reason(reason), (tiles_of(rack),), language)

    def notices(self, meld: Meld, language: Language) -> list[str]:
        return [notice_text(notice, meld.better or meld.tiles, language) for notice in meld.notices]

    def copies_too_many(self, faces: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(str, too_many_copies(tiles_of(faces), self.rules)))


@lru_cache(maxsize=4096)
def _arranged(row: tuple[Tile, ...], rules: RuleSet, ordered: bool) -> Arrangement | None:
    return best_arrangement(row, rules, ordered=ordered) if len(row) >= MINIMUM_MELD else None


@lru_cache(maxsize=2048)
def _judged(row: tuple[Tile, ...], rules: RuleSet, ordered: bool) -> Meld:
    """An edit changes a row or two of a dozen, and each row is asked about several times."""
    return judge_meld(row, rules, ordered=ordered, check_copies=False)


@lru_cache(maxsize=256, typed=True)
def _table_rules(name: str, options: str, players: int) -> TableRules:
    """Raises ValueError where an option has a value that it cannot have, or the deal needs more
    tiles than the set has.
    """
    rules = with_options(ruleset(name), {**loads(options), "players": players})
    set_up(rules)
    return TableRules(rules, players)


def tiles_of(faces: Sequence[str | None]) -> tuple[Tile, ...]:
    """Engine tiles of the faces that are read."""
    return tuple(Tile.parse(face) for face in faces if face is not None)


def may_begin_meld(face: str | None, beside: str | None) -> bool:
    """Whether a third tile could make a meld of two that lie side by side: one may be wild, both
    have the same number, or they are neighbours of one colour, 13 and 1 among them. False where one
    of them is unread.
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
