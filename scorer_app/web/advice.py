"""What a player can do at the review screen about an illegal row that was read: the reader may
have erred, and not the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.concerned import tiles_concerned
from engine.fixes import Fix, FixAction, fix_meld
from engine.melds import Meld
from engine.reasons import Reason
from engine.rulesets import MINIMUM_MELD
from engine.tiles import Tile, notation
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import Translate
from scorer_app.texts.verdicts import explain_meld

_FEW = 2  # tiles to look at


def split_at(faces: Sequence[str], ordered: bool, rules: TableRules) -> int | None:
    """Where the row falls into two legal melds that were laid close together, counted from 0; None
    where nowhere.
    """
    places = range(MINIMUM_MELD, len(faces) - MINIMUM_MELD + 1)
    return next(
        (
            at
            for at in places
            if rules.legal(faces[:at], ordered) and rules.legal(faces[at:], ordered)
        ),
        None,
    )


def explain_read(
    meld: Meld, ordered: bool, rules: TableRules, language: Language, say: Translate
) -> str:
    """The engine's reason, then what to look at. Only an order put right needs nothing read anew,
    so that fix stands.
    """
    fix = fix_meld(meld, rules.rules, ordered=ordered)
    if fix.action is FixAction.REARRANGE:
        return explain_meld(meld, rules.rules, language, fix)
    reason = explain_meld(meld, rules.rules, language)
    if split_at([str(tile) for tile in meld.tiles], ordered, rules) is not None:
        return f"{reason} {say('advice.split')}"
    suspects = _suspects(meld, fix, rules)
    return (
        f"{reason}"
        f" {say('advice.look', tiles=notation(suspects)) if suspects else say('advice.seek')}"
    )


def _suspects(meld: Meld, fix: Fix, rules: TableRules) -> Sequence[Tile]:
    """The tiles in the way, where they are few; none where rather a tile seems to be missing."""
    if meld.reason in (None, Reason.GAP, Reason.TOO_SHORT):
        return ()
    few = fix.action is FixAction.TAKE_BACK and len(fix.tiles) <= _FEW
    suspects = fix.tiles if few else tiles_concerned(meld.tiles, meld.reason, rules.rules)
    return suspects if len(suspects) <= _FEW else ()
