"""Makes the answers of `burako judge` to its four kinds of case: a meld, a change on the table, a
hand, a match. They are a public interface: keys may be added and are never renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.changes import ChangeVerdict, judge_change
from engine.fixes import Fix, fix_meld
from engine.match import tally
from engine.melds import Meld, judge_meld
from engine.pieces import Pieces
from engine.rulesets import RuleSet
from engine.scoring import (
    MUERTO,
    HandNotice,
    IllegalMeld,
    LineKind,
    ScoreLine,
    SideScore,
    score_hand,
)
from engine.tiles import Tiles
from scorer_app.cli.case_trouble import ILLEGAL_MELD
from scorer_app.cli.judge_cases import read_change, read_hand, read_match, read_meld
from scorer_app.texts.languages import Language
from scorer_app.texts.verdicts import (
    explain_change,
    explain_closing,
    explain_meld,
    explain_notice,
    explain_totals,
)

Answer = dict[str, Any]


def written(tiles: Tiles) -> list[str]:
    return list(map(str, tiles))


def answer_meld(fields: Mapping[str, Any], rules: RuleSet, language: Language) -> Answer:
    tiles, ordered = read_meld(fields)
    meld = judge_meld(tiles, rules, ordered=ordered)
    fix = None if meld.valid else fix_meld(meld, rules, ordered=ordered)
    message = explain_meld(meld, rules, language, fix)
    if meld.arrangement is None:
        return {
            "valid": False,
            "reason": meld.reason,
            "message": message,
            "points": meld.points,
            "fix": answer_fix(fix),
        }
    return {
        "valid": True,
        **meld_facts(meld, rules),
        "points": meld.points,
        "arranged": written(meld.arrangement.tiles),
        "notices": list(meld.notices),
        "message": message,
    }


def meld_facts(meld: Meld, rules: RuleSet) -> Answer:
    """Return the fields of an answer about a meld: its kind, the class of its canasta (None for a
    meld that is no canasta), the number of its wilds and, under Italian rules, its Italian class.
    """
    facts: Answer = {"kind": meld.kind, "canasta": meld.canasta, "wilds": meld.wilds}
    return {**facts, "burraco": meld.burraco} if rules.italian else facts


def answer_fix(fix: Fix | None) -> Answer | None:
    return (
        None
        if fix is None
        else {"action": fix.action, "tiles": written(fix.tiles), "row": written(fix.row)}
    )


def answer_transition(fields: Mapping[str, Any], rules: RuleSet, language: Language) -> Answer:
    verdict = judge_change(read_change(fields), rules)
    message = explain_change(verdict, rules, language)
    if verdict.reason:
        tiles = written(verdict.tiles)
        return {
            "legal": False,
            "reason": verdict.reason,
            "message": message,
            "tiles": tiles,
            "fix": answer_fix(verdict.fix),
        }
    return {"legal": True, "after": changed_meld(verdict, rules), "message": message}


def changed_meld(verdict: ChangeVerdict, rules: RuleSet) -> Answer | None:
    return meld_facts(verdict.melds[0], rules) if verdict.melds else None


def answer_hand(
    fields: Mapping[str, Any],
    rules: RuleSet,
    language: Language,
    pieces: Pieces = Pieces.TILES,
) -> Answer:
    """Return the answer to a case of the kind `hand`, whose input is `fields`: the score, or why
    there is none. Its sentences use the words for `pieces`.
    """
    case = read_hand(fields)
    try:
        score = score_hand(case.sides, case.closed_by, rules, accept_illegal=case.accept_illegal)
    except IllegalMeld as illegal:
        meld = illegal.meld
        message = explain_meld(meld, rules, language, fix_meld(meld, rules), pieces)
        return {
            "error": ILLEGAL_MELD,
            "reason": meld.reason,
            "message": message,
            "side": illegal.side,
            "tiles": written(meld.tiles),
        }
    answer: Answer = {"valid_close": score.valid_close}
    if score.reason:
        answer |= {"reason": score.reason}
    if score.void:
        answer |= {"no_score": True}
    answer |= {name: answer_side(side, rules) for name, side in score.sides.items()}
    notices = [answer_notice(notice, language, pieces) for notice in score.notices]
    answer |= {"notices": [notice.notice for notice in score.notices], "notice_details": notices}
    if score.reason and case.closed_by:
        racks = case.sides[case.closed_by].racks
        message = explain_closing(score.reason, racks, rules, language, pieces)
        return {**answer, "message": message}
    return {**answer, "message": explain_totals(score, language)}


def answer_side(side: SideScore, rules: RuleSet) -> Answer:
    return {
        "meld_tiles": side.sum_of(LineKind.MELD),
        "canastas": side.canastas(rules),
        "canasta_bonus": side.sum_of(LineKind.CANASTA),
        "close_bonus": side.sum_of(LineKind.CLOSE),
        "muerto": side.sum_of(*MUERTO),
        "hand_tiles": side.sum_of(LineKind.HAND),
        "total": side.total,
        "base": side.base,
        "puntos": side.puntos,
        "lines": [answer_line(line) for line in side.lines],
    }


def answer_line(line: ScoreLine) -> Answer:
    return {
        "kind": line.kind,
        "points": line.points,
        "tiles": written(line.tiles),
        "index": line.index,
        "canasta": line.canasta,
    }


def answer_notice(notice: HandNotice, language: Language, pieces: Pieces) -> Answer:
    return {
        "notice": notice.notice,
        "side": notice.side,
        "tiles": written(notice.tiles),
        "message": explain_notice(notice, language, pieces),
    }


def answer_match(fields: Mapping[str, Any], rules: RuleSet, language: Language) -> Answer:
    case = read_match(fields, rules)
    result = tally(case.hands, case.target)
    return {
        "totals": dict(result.totals),
        "finished": result.finished,
        "winner": result.winner,
        "finished_after_hand": result.finished_after_hand,
        "message": " · ".join(f"{side} {total}" for side, total in result.totals.items()),
    }
