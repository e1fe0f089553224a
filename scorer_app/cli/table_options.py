"""The option `--option NAME=VALUE`, which gives one of the engine's options. A value is JSON, or a
word without quotation marks.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.checks import WrongValue
from engine.options import with_options
from engine.rulesets import RuleSet
from scorer_app.cli.judge_cases import refuse_repeated_keys
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from scorer_app.texts.wrong_values import explain_wrong

# How the value of each option is written. `canasta_values` is missing: each ruleset has its own
# classes of canastas.
EXAMPLES = MappingProxyType(
    {
        "target": "2000",
        "tile_values": '{"J": 30, "1": 20}',
        "jokers": "4",
        "copies": '{"7R": 1, "J": 3}',
        "wilds_per_meld": "2",
        "pierna_max": "4",
        "special_canastas": '["wilds", "ones"]',
        "muerto_bonus": "true",
        "muerto_penalty": "100",
        "muerto_penalty_if_nobody": "true",
        "muerto_unplayed_penalty": "100",
        "close_bonus": "100",
        "close_requires": "pura",
        "all_against_without_canasta": "true",
        "void_without_canasta": "true",
        "players": "4",
        "hand_size": "11",
    }
)


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the option `--option`, which may be given several times."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a table option: a number (target=2000), true or false (muerto_bonus=false), a word"
        " (close_requires=pura), points or counts by name"
        " ('canasta_values={\"pura\": 300}', 'copies={\"7R\": 1}') or a list"
        ' (\'special_canastas=["wilds", "ones"]\')',
    )


def read_table_options(given: Sequence[str], rules: RuleSet, language: Language) -> dict[str, Any]:
    """Return the options that a command line has `given`, by name. Raises ValueError for one that
    is unknown or given twice and for a value that `rules` cannot have, and shows how such a value
    is written. The error is a sentence in the `language`.
    """
    say = translator(language)
    told: dict[str, Any] = {}
    for option in given:
        name, equals, value = option.partition("=")
        if not equals:
            example = _example(name, rules) or _example("target", rules)
            raise ValueError(say("usage.option", example=example, got=repr(option)))
        if name in told:
            raise ValueError(say("usage.option_twice", name=name))
        try:
            told[name] = _value(value)
        except WrongValue as error:
            raise ValueError(f"--option {name}: {explain_wrong(error, language)}") from error
        _check(name, told, rules, language)
    return told


def _value(written: str) -> Any:
    """Return the value of an option: what it is as JSON, or else the text itself. Raises WrongValue
    for JSON with a key that occurs twice.
    """
    try:
        return json.loads(written, object_pairs_hook=refuse_repeated_keys)
    except WrongValue:
        raise
    except (ValueError, RecursionError):  # RecursionError: nested thousands deep
        return written


def _check(name: str, told: Mapping[str, Any], rules: RuleSet, language: Language) -> None:
    try:
        with_options(rules, {name: told[name]})
    except ValueError as error:
        sentence = explain_wrong(error, language)
        if example := _example(name, rules):
            say = translator(language)
            sentence = say("usage.option_written", told=sentence, example=example)
        raise ValueError(sentence) from error


def _example(name: str, rules: RuleSet) -> str | None:
    """Return an option with an example of its value, as a shell takes it; None for an unknown name.

    >>> from engine.rulesets import ruleset
    >>> print(_example("canasta_values", ruleset("burako")))
    'canasta_values={"pura": 300}'
    """
    values = EXAMPLES | {"canasta_values": f'{{"{rules.canasta_values[0][0]}": 300}}'}
    if name not in values:
        return None
    written = f"{name}={values[name]}"
    return f"'{written}'" if '"' in written else written
