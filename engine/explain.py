"""Verdicts in words: the reason with the tiles it is about, then the smallest fix."""

from __future__ import annotations

from engine.changes import ChangeVerdict
from engine.concerned import tiles_concerned
from engine.fixes import Fix
from engine.melds import Meld
from engine.messages import HANDS, MELDS, Language, fix_text, notice_text, reason_text
from engine.reasons import Reason
from engine.rulesets import RuleSet
from engine.scoring import HandNotice, HandScore
from engine.tiles import Tiles


def explain_meld(
    meld: Meld, rules: RuleSet, language: Language = "es", fix: Fix | None = None
) -> str:
    """What the meld is with its notices, or why it is none and how to put it right."""
    if meld.reason:
        return with_fix(
            reason_text(meld.reason, tiles_concerned(meld.tiles, meld.reason, rules), language),
            fix,
            language,
        )
    canasta = MELDS[meld.canasta_class][language] if meld.canasta_class else ""
    points = MELDS["points"][language].format(points=meld.points)
    notices = [notice_text(notice, meld.better or meld.tiles, language) for notice in meld.notices]
    return " ".join([MELDS[meld.kind or ""][language] + canasta + points, *notices])


def with_fix(sentence: str, fix: Fix | None, language: Language) -> str:
    return f"{sentence} {fix_text(fix, language)}" if fix and fix.tiles else sentence


def explain_change(verdict: ChangeVerdict, rules: RuleSet, language: Language = "es") -> str:
    """Why the change is illegal and how to undo it, else what the changed meld is now."""
    if verdict.reason:
        tiles = verdict.tiles
        if verdict.melds:
            tiles = tiles_concerned(tiles, verdict.reason, rules)
        return with_fix(reason_text(verdict.reason, tiles, language), verdict.fix, language)
    return " ".join(explain_meld(meld, rules, language) for meld in verdict.melds)


def explain_notice(notice: HandNotice, language: Language = "es") -> str:
    better = notice.meld.better if notice.meld else None
    return notice_text(notice.notice, better or notice.tiles, language)


def explain_closing(reason: Reason, hands: tuple[Tiles, ...], language: Language = "es") -> str:
    """Why a closing does not stand; `hands` are those of the closing side."""
    return reason_text(reason, [tile for hand in hands for tile in hand], language)


def explain_totals(score: HandScore, language: Language = "es") -> str:
    """Both totals, or that the hand is void."""
    if score.void:
        return HANDS["void"][language]
    return " · ".join(f"{side} {lines.total}" for side, lines in score.sides.items())
