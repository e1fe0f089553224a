"""Reads the cases of `burako judge`. Where a case has a wrong form, the error, a WrongValue, says
what was expected and what came. It names a place in the case by its keys: `teams.A.hands[0]`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from engine.changes import Change
from engine.checks import (
    Trouble,
    WrongValue,
    expect,
    expect_one_of,
    shown,
    true_or_false,
    whole_number,
)
from engine.options import TARGET, with_options
from engine.rulesets import RULESETS, RuleSet
from engine.scoring import Side
from engine.sides import SIDES, SideName
from engine.tiles import BY_NOTATION, Tiles, full_set
from scorer_app.cli.case_trouble import wrong
from scorer_app.texts.wrong_values import CaseTrouble

MOST_TILES = len(full_set(jokers=4))
HAND_SCORE = (-1_000_000, 1_000_000)
ENDS = ("close", "stock_exhausted")
# Keys that collections of cases have for their readers; the judge ignores them.
REMARKS = (
    "expect",
    "why",
    "ruling",
    "authority",
    "level",
)


@dataclass(frozen=True, slots=True)
class HandCase:
    sides: dict[SideName, Side]
    closed_by: SideName | None
    accept_illegal: bool


@dataclass(frozen=True, slots=True)
class MatchCase:
    hands: tuple[Mapping[SideName, int], ...]
    target: int


def read_line(line: bytes) -> Mapping[str, Any]:
    """Parse a line as a JSON object. Raises WrongValue for any other line."""
    try:
        text = line.decode("utf-8-sig").strip()
        value = json.loads(
            text, parse_constant=refuse_constant, object_pairs_hook=refuse_repeated_keys
        )
    except UnicodeDecodeError as error:
        byte = f"{error.object[error.start]:#04x}"
        raise wrong(CaseTrouble.NOT_UTF8, got=byte, position=error.start) from None
    except WrongValue:
        raise
    except json.JSONDecodeError as error:
        raise wrong(CaseTrouble.BAD_JSON, got=shown(text), position=error.pos) from None
    except (ValueError, RecursionError):
        raise wrong(CaseTrouble.NOT_JSON, got=shown(text)) from None
    if not isinstance(value, dict):
        raise wrong(CaseTrouble.NOT_JSON, got=shown(value))
    return value


def refuse_constant(name: str) -> NoReturn:
    raise wrong(CaseTrouble.NO_NUMBER, got=name)


def refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, given as its keys and values, as a dictionary. Raises WrongValue where
    a key occurs twice, since nobody can say which of its values is meant.
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise wrong(CaseTrouble.REPEATED_KEY, got=shown(twice))
    return fields


def check_case(case: Mapping[str, Any]) -> None:
    """Raise WrongValue for a case that lacks a key or has an unknown one, such as options beside
    `input` instead of inside it.
    """
    check_keys(case, "case", ["kind", "ruleset", "input"], ["id", *REMARKS])


def read_identity(case: Mapping[str, Any]) -> str | int | None:
    """Read the `id` of a case; None for a case without an `id`. Raises WrongValue for an id that is
    neither text nor a whole number.
    """
    identity = case.get("id")
    if isinstance(identity, bool) or not isinstance(identity, str | int | None):
        raise wrong(CaseTrouble.TEXT_OR_NUMBER, field="id", got=shown(identity))
    return identity


def read_rules(case: Mapping[str, Any]) -> tuple[RuleSet, Mapping[str, Any]]:
    """Read the ruleset of a case with its options. Returns the ruleset and the rest of the case's
    input. Raises WrongValue where the ruleset or an option is unknown or has a wrong form.
    """
    name, fields = case["ruleset"], case["input"]
    if not isinstance(name, str) or name not in RULESETS:
        raise expect_one_of("ruleset", [*RULESETS], name)
    if not isinstance(fields, dict):
        raise wrong(CaseTrouble.OBJECT, field="input", got=shown(fields))
    options = fields.get("options", {})
    if not isinstance(options, dict):
        raise wrong(CaseTrouble.OBJECT, field="options", got=shown(options))
    if "players" in options and fields.get("players", options["players"]) != options["players"]:
        count, got = shown(options["players"]), shown(fields["players"])
        raise wrong(CaseTrouble.OTHER_PLAYERS, field="players", count=count, got=got)
    rest = {key: value for key, value in fields.items() if key != "options"}
    return (rules_at_table(name, json.dumps(options)) if options else RULESETS[name]), rest


@lru_cache(maxsize=256)
def rules_at_table(name: str, options: str) -> RuleSet:
    return with_options(RULESETS[name], json.loads(options))


def needed(fields: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in fields:
        got = shown(list(fields))
        raise wrong(CaseTrouble.MISSING_KEY, field=where, lacks=repr(key), got=got)
    return fields[key]


def check_keys(
    fields: object, where: str, required: Sequence[str], optional: Sequence[str] = ()
) -> Mapping[str, Any]:
    """Return the JSON object `fields` if it holds all `required` keys, and no others but `optional`
    ones. Raises WrongValue otherwise, also where `fields` is no object; `where` names the object in
    the error.
    """
    if not isinstance(fields, dict):
        keys, got = ", ".join(required), shown(fields)
        raise wrong(CaseTrouble.OBJECT_WITH, field=where, keys=keys, got=got)
    for key in required:
        needed(fields, key, where)
    extra = [key for key in fields if key not in required and key not in optional]
    if extra:
        keys, got = ", ".join((*required, *optional)), shown(extra[0])
        raise wrong(CaseTrouble.UNKNOWN_KEY, field=where, keys=keys, got=got)
    return fields


def read_list(value: object, where: str, most: int = MOST_TILES) -> list[Any]:
    if not isinstance(value, list):
        raise expect(where, "a list", value, Trouble.LIST)
    if len(value) > most:
        raise wrong(CaseTrouble.TOO_MANY_ENTRIES, field=where, most=most, got=len(value))
    return value


def read_tiles(value: object, where: str) -> Tiles:
    row = []
    for index, text in enumerate(read_list(value, where)):
        tile = BY_NOTATION.get(text) if isinstance(text, str) else None
        if tile is None:
            raise wrong(CaseTrouble.TILE, field=f"{where}[{index}]", got=shown(text))
        row.append(tile)
    return tuple(row)


def read_rows(value: object, where: str) -> tuple[Tiles, ...]:
    listed = read_list(value, where)
    rows = tuple(read_tiles(row, f"{where}[{index}]") for index, row in enumerate(listed))
    count = sum(map(len, rows))
    if count > MOST_TILES:
        raise wrong(CaseTrouble.TOO_MANY_TILES, field=where, most=MOST_TILES, got=count)
    return rows


def read_side_name(value: object, where: str) -> SideName:
    for side in SIDES:
        if value == side:
            return side
    raise expect_one_of(where, [*map(repr, SIDES)], value)


def read_meld(fields: Mapping[str, Any]) -> tuple[Tiles, bool]:
    """Read the tiles of a meld from the list `tiles` of `fields`, and from `ordered` whether their
    order counts; it does where `ordered` is left out. Raises WrongValue.
    """
    check_keys(fields, "input", ["tiles"], ["ordered"])
    return read_tiles(fields["tiles"], "tiles"), true_or_false(
        "ordered", fields.get("ordered", True)
    )


def read_change(fields: Mapping[str, Any]) -> Change:
    check_keys(fields, "input", ["before", "after", "added", "taken_to_hand", "owner", "actor"])
    return Change(
        read_rows(fields["before"], "before"),
        read_rows(fields["after"], "after"),
        read_tiles(fields["added"], "added"),
        read_tiles(fields["taken_to_hand"], "taken_to_hand"),
        read_side_name(fields["owner"], "owner"),
        read_side_name(fields["actor"], "actor"),
    )


def read_hand(fields: Mapping[str, Any]) -> HandCase:
    check_keys(fields, "input", ["players", "end", "teams"], ["closed_by", "accept_illegal"])
    players = fields["players"]
    if not isinstance(players, int) or isinstance(players, bool) or players not in (2, 4):
        raise expect_one_of("players", ("2", "4"), players)
    if fields["end"] not in ENDS:
        raise expect_one_of("end", [*map(repr, ENDS)], fields["end"])
    closed_by = read_closer(fields.get("closed_by"), fields["end"] == "close")
    teams = check_keys(fields["teams"], "teams", SIDES)
    sides: dict[SideName, Side] = {
        name: read_side(teams[name], f"teams.{name}", players // 2) for name in SIDES
    }
    return HandCase(
        sides, closed_by, true_or_false("accept_illegal", fields.get("accept_illegal", False))
    )


def read_closer(value: object, closed: bool) -> SideName | None:
    if closed:
        return read_side_name(value, "closed_by")
    if value is not None:
        raise wrong(CaseTrouble.NO_CLOSER, field="closed_by", got=shown(value))
    return None


def read_side(value: object, where: str, players: int) -> Side:
    fields = check_keys(value, where, ["melds", "hands", "muerto_taken"], ["muerto_played"])
    hands = read_rows(fields["hands"], f"{where}.hands")
    if len(hands) != players:
        count = {"count": players, "got": len(hands)}
        raise wrong(CaseTrouble.OTHER_HANDS, field=f"{where}.hands", **count)
    return Side(
        read_rows(fields["melds"], f"{where}.melds"),
        hands,
        true_or_false(f"{where}.muerto_taken", fields["muerto_taken"]),
        true_or_false(f"{where}.muerto_played", fields.get("muerto_played", True)),
    )


def read_match(fields: Mapping[str, Any], rules: RuleSet) -> MatchCase:
    check_keys(fields, "input", ["hands"], ["target"])
    target = whole_number("target", fields.get("target", rules.target), *TARGET)
    hands = []
    for index, value in enumerate(read_list(fields["hands"], "hands", most=10_000)):
        hand = check_keys(value, f"hands[{index}]", SIDES)
        hands.append(
            {
                side: whole_number(f"hands[{index}].{side}", hand[side], *HAND_SCORE)
                for side in SIDES
            }
        )
    return MatchCase(tuple(hands), target)
