"""Says how hands of a match count otherwise by other rules: in the words of the request's language,
as values for the templates.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer_app.hand.table_rules import TableRules
from scorer_app.services.recounting import HandDifference, LineDifference, Refused, Why
from scorer_app.services.tally import Tally
from scorer_app.texts.faces import rank_printed
from scorer_app.texts.verdicts import explain_meld
from scorer_app.web.pages.context import language, pieces, say, signed


def told_differences(
    tally: Tally, other: Tally, found: list[HandDifference], names: tuple[str, str]
) -> dict[str, Any]:
    """Return the values that templates need to explain how hands differ. `tally` is the match by
    its own rules, `other` the match by the other rules. `found` are the hands that differ, and
    `names` are headings for the match's own rules, then for the others.
    """
    subjects = _rule_subjects(tally, other)
    # The page shows the pieces that the match has now, and so its sentences name these.
    rules = tally.rules, replace(other.rules, pieces=tally.rules.pieces)
    return {
        "tally": tally,
        "other": other,
        "found": found,
        "rule_names": names,
        "explain": lambda line: _explain(line, rules, subjects),
        "refusal": lambda refused: _refusal(refused, rules, names),
    }


def rule_names(tally: Tally, other: Tally) -> tuple[str, str]:
    """Return a heading for the rules of `tally` and one for those of `other`. These are the names
    of their rulesets. Where both have the same ruleset they are "now" and "then", in the language
    of the request.
    """
    return _named(tally, other) or (say("edit.now"), say("edit.then"))


def _rule_subjects(tally: Tally, other: Tally) -> tuple[str, str]:
    """Return what sentences call the rules of `tally` and those of `other`, in this order: by the
    names of their rulesets or, where both have the same ruleset, "the present ruleset" and "the
    changed ruleset". Both are in the language of the request.
    """
    return _named(tally, other) or (say("compare.rules_now"), say("compare.rules_then"))


def _named(tally: Tally, other: Tally) -> tuple[str, str] | None:
    """Return the names of the rulesets of two tallies; None where both have the same one."""
    mine, theirs = (say(f"rules.{one.rules.rules.id}") for one in (tally, other))
    return None if mine == theirs else (mine, theirs)


def _explain(
    found: LineDifference, rules: tuple[TableRules, TableRules], subjects: tuple[str, str]
) -> str:
    """Return a sentence that says why a line of a hand's score sheet is worth other points by the
    other rules than by the match's own. The sentence is empty where the other rules or the
    match's own count nothing for the whole hand; `_refusal` explains that.

    `rules` holds the match's own rules, then the others; `subjects` holds the names of both.
    """
    if found.why is Why.HAND:
        return ""
    classes = _classes(found)
    # Italian has one name for a canasta pura and a burraco pulito.
    is_same_class = found.why is Why.CANASTA and len(set(classes)) == 1
    values = [
        f"{say('tile.J') if name == 'J' else rank_printed(name, pieces())}"
        f" {signed(now)} → {signed(then)}"
        for name, now, then in found.values
    ]
    illegal, by = found.illegal, rules[found.by_other]
    broken = explain_meld(illegal, by.rules, language(), pieces=by.pieces) if illegal else ""
    return say(
        f"compare.why.{Why.PRICE if is_same_class else found.why}",
        rules=subjects[found.by_other],
        reason=broken,
        values=", ".join(values),
        classes=" → ".join(classes),
    )


def _classes(found: LineDifference) -> list[str]:
    """Return the names of the classes that a canasta has: by the match's own rules, then by the
    other rules. The list has one name where only one of the two counts the canasta.
    """
    lines = [line for line in (found.before, found.after) if line and line.detail]
    return [say(f"canasta.{line.detail}") for line in lines]


def _refusal(refused: Refused, rules: tuple[TableRules, TableRules], names: tuple[str, str]) -> str:
    """Return a sentence that says why one of the two sets of rules counts nothing for a hand.
    `refused` tells which of the two, and the reason. `rules` holds the match's own rules, then the
    others; `names` holds what people call each.
    """
    told = say("note.no_score")
    if refused.reason:
        told = rules[refused.by_other].closing(refused.reason, refused.rack, language())
    return f"{names[refused.by_other]}: {told}"
