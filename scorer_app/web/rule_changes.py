"""What the history of a match tells of changed names and rules: each value before and after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from engine.rulesets import RULESETS, RuleSet
from engine.tiles import JOKER
from scorer_app.hand.record import UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.standing import shown_name
from scorer_app.texts.translator import Translate, figure
from scorer_app.web.forms import FormProblem, Wrong, defaults

Json = dict[str, Any]
NAMES = ("side_a", "side_b", "player_names")  # columns of a match
RULES = ("ruleset", "options", "pieces")  # columns of a match
_ENDINGS = ("_pura", "_impura")  # of the fields that hold the prices of a special canasta


def kind_of_changes(before: Json) -> str:
    """Return the key of the sentence about a step that changed columns of a match. `before` holds
    their values before the step, by name; steps of earlier versions may have none.
    """
    names, rules = (any(name in before for name in group) for group in (NAMES, (*RULES, "players")))
    if names:
        return "step.names_and_rules" if rules else "step.names"
    return "step.table_rules" if rules else "step.rules"


def told_changes(before: Json, after: Json, players: int, say: Translate) -> Iterator[str]:
    """Yield a sentence for each name and each rule that a step changed. `before` holds the changed
    columns of the match as they were, and `after` all columns that the step set; `players` is the
    number of players, of which steps of earlier versions say nothing.
    """
    for name in ("side_a", "side_b"):
        if name in before:
            names = [_shown(columns.get(name), say) for columns in (before, after)]
            if names[0] != names[1]:
                yield told_change(say("history.name"), *names)
    if "player_names" in before:
        former, present = (_seats(one.get("player_names")) for one in (before, after))
        for seat, pair in enumerate(zip_longest(former, present, fillvalue=""), 1):
            if pair[0] != pair[1]:
                yield told_change(say("deal.player", n=seat), *pair)
    if "players" in before:
        yield told_change(say("stats.players"), before["players"], after.get("players"))
    with suppress(UnreadableRecord):
        former_rules, rules = (_rules(one, players) for one in (after | before, after))
        yield from _told_rules(former_rules, rules, say)


def _shown(name: object, say: Translate) -> object:
    return shown_name(name, say) if isinstance(name, str) else name


def _seats(names: object) -> list[str]:
    """Return the name of each seat, empty where there is none."""
    return [str(name) for name in names] if isinstance(names, list) else []


def _rules(columns: Json, players: int) -> TableRules | None:
    """Return the rules that a match with these columns is played by; None where a column lacks."""
    if any(name not in columns for name in RULES):
        return None
    players = columns.get("players", players)
    return TableRules.of(columns["ruleset"], columns["options"], players, columns["pieces"])


def _told_rules(
    former: TableRules | None, present: TableRules | None, say: Translate
) -> Iterator[str]:
    """Yield a sentence for each rule in which two sets of rules differ. Of two rulesets, besides
    their names, only the target and what the players chose otherwise is told.
    """
    if former is None or present is None:
        return
    both = (former, present)
    if former.rules.id != present.rules.id:
        names = [say(f"rules.{one.rules.id}") for one in both]
        yield told_change(say("form.ruleset"), names[0], names[1])
    if former.pieces != present.pieces:
        names = [say(f"form.pieces_{one.pieces}") for one in both]
        yield told_change(say("history.pieces"), names[0], names[1])
    values = [_fields(one.rules) for one in both]
    usual = [_fields(RULESETS[one.rules.id]) for one in both]
    for field in (name for name in values[0] if name in values[1]):
        one, other = (_in_words(field, value, say) for value in values)
        is_chosen = any(mine[field] != its[field] for mine, its in zip(values, usual, strict=True))
        if one != other and (is_chosen or field == "target") and other:
            yield told_change(_label(field, say), one, other)


def _fields(rules: RuleSet) -> Json:
    """Return the values of rules by the fields of the form that shows them."""
    return defaults(rules) | {"jokers": rules.copies(JOKER)}


def _without_ending(field: str) -> str:
    """Return the name of the field that says whether a special canasta is paid, where `field` is
    one of its prices; else `field`.
    """
    ending = next((one for one in _ENDINGS if field.endswith(one)), "")
    return field.removesuffix(ending) if field.startswith("special_") else field


def _label(field: str, say: Translate) -> str:
    """Return the label of a field of the form; one of a group is named after its group."""
    label = say(FormProblem(field, Wrong.VALUE, None).label)
    group, _, name = field.partition("_")
    if group == "tile":
        return f"{label} ({say('tile.J') if name == 'J' else name})"
    if group == "canasta":
        return say(f"canasta.{name}").capitalize()
    if group == "muerto":
        return f"{say('form.muerto')}: {label}"
    if group == "special":
        paid = _without_ending(field)
        kind = f" ({say(f'form.special{field.removeprefix(paid)}')})" if paid != field else ""
        name = paid.removeprefix("special_")
        return f"{label}: {say(f'special.{name}')}{kind}"
    return label


def _in_words(field: str, values: Json, say: Translate) -> str:
    """Return the value of a field of the form as people read it. The price of a special canasta
    that is not paid is empty. `values` holds those of all fields.
    """
    value, special = values[field], _without_ending(field)
    if special != field and not values[special]:
        return ""
    if isinstance(value, bool):
        return say("js.yes" if value else "no")
    if field == "close_requires":
        of_italian = {"canasta": "burraco", "pura": "pulito"}
        words = of_italian if "canasta_pulito" in values else {}
        return say(f"form.close_{words.get(value, value)}")
    if value is None:
        return say("form.usual_price" if field.startswith("special_") else "form.no_limit")
    return figure(value, say)


def told_change(what: str, before: object, after: object) -> str:
    """Return the sentence that says what changed, and its value before and after."""
    return f"{what}: {before or '–'} → {after or '–'}."
