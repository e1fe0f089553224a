"""The form of a running match that another device has overtaken: what a person changed in it is
kept in the form of the match as it is by now.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from engine.tiles import JOKER
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.tally import WRONG_VALUE
from scorer_app.store import Match
from scorer_app.store.tables import IN_FORM
from scorer_app.web.forms import BOXES, defaults
from scorer_app.web.pages.context import side_name

SIDE_NAMES = ("side_a", "side_b")  # columns of a match
NAMES = (*SIDE_NAMES, "player_0", "player_1", "player_2", "player_3")  # fields of the form
_OTHERS = ("ruleset", "pieces", "options_shown")  # fields that say whose options the form has


def columns_of(match: Match) -> dict[str, Any]:
    """Return all columns of a match that the form can change, by name."""
    return {name: getattr(match, name) for name in IN_FORM}


def written(columns: Mapping[str, Any]) -> str:
    """Write such columns as text: a form holds those from which it was filled in. Sides have the
    names that the page shows.
    """
    return json.dumps({**columns, **{side: side_name(columns[side]) for side in SIDE_NAMES}})


def checksum(columns: Mapping[str, Any]) -> str:
    """Return a short text that differs as soon as one of the columns has changed."""
    return f"{crc32(json.dumps(columns, sort_keys=True).encode()):08x}"


def values_of(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the form, by name, as a match with these columns fills them in. Raises
    an error, such as a KeyError, where no match can have such columns.
    """
    pieces, players, ruleset = columns["pieces"], columns["players"], columns["ruleset"]
    rules = TableRules.of(ruleset, columns["options"], players, pieces).rules
    seats = {f"player_{seat}": name for seat, name in enumerate(columns["player_names"])}
    names = {side: side_name(columns[side]) for side in SIDE_NAMES} | seats
    told = {"ruleset": ruleset, "pieces": pieces, "options_shown": pieces, "players": str(players)}
    told["jokers"] = str(rules.copies(JOKER))  # of a set perhaps three
    return {**defaults(rules), **names, **told}


def merged(form: Mapping[str, str], shown: str, match: Match) -> dict[str, str] | None:
    """Return the fields of a form, as a browser would send them, for the match as it is now and
    with what a person changed in `form`. `shown` is what that form holds of the match from which it
    was filled in; None where no match was ever like that.

    The options of another ruleset, or of other pieces, belong together: they are all kept.
    """
    now = columns_of(match)
    try:
        before = _as_sent(values_of(json.loads(shown)))
    except (*WRONG_VALUE, RecursionError):
        return None
    current = _as_sent(values_of(now))

    def sent(name: str) -> str | None:
        if name in BOXES and "options_shown" in form:
            return "yes" if name in form else None
        return form.get(name, before.get(name))  # what a form lacks nobody changed

    is_other_game = any(sent(name) != before[name] for name in _OTHERS)
    fields = {}
    for name in {*before, *current, *form}:
        if is_other_game and name not in NAMES:
            fields[name] = form.get(name)
        else:
            fields[name] = current.get(name) if sent(name) == before.get(name) else sent(name)
    told = {"seen": checksum(now), "shown": written(now)}
    return {name: text for name, text in fields.items() if text is not None} | told


def _as_sent(values: Mapping[str, Any]) -> dict[str, str | None]:
    """Return fields as a browser sends them; None for a box that is not ticked, which it leaves
    out.
    """
    boxes = {name: "yes" if values[name] else None for name in BOXES}
    return {name: "" if one is None else str(one) for name, one in values.items()} | boxes
