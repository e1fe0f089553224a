"""`burako score --option NAME=VALUE`: a wrong value is told with an example that works."""

from __future__ import annotations

import json
import re

import pytest

from engine.options import OPTIONS, with_options
from engine.rulesets import RULESETS, RuleSet
from scorer_app.cli.table_options import read_table_options

from .commands import MELDS_A, RACK_A, burako, only_line


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_the_example_that_an_error_shows_is_accepted(name: str, rules: RuleSet) -> None:
    for wrong in (f"{name}=", f"{name}=[1", name):
        with pytest.raises(ValueError, match=name) as raised:
            read_table_options([wrong], rules, "en")
        shown = re.search(
            rf"(?:--option|such as) '?({name}=.*?)'?(?:, got .*)?$", str(raised.value)
        )
        assert shown, raised.value
        assert with_options(rules, read_table_options([shown.group(1)], rules, "en"))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            "canasta_values=",
            "expected canasta_values to be points under pura, impura, got ''; it is written as"
            " --option 'canasta_values={\"pura\": 300}'",
        ),
        (
            "target=much",
            "expected target to be a whole number 1 to 1000000, got 'much'; it is written as"
            " --option target=2000",
        ),
        (
            "canasta_values",
            "expected --option NAME=VALUE, such as 'canasta_values={\"pura\": 300}', got"
            " 'canasta_values'",
        ),
        ("limit", "expected --option NAME=VALUE, such as target=2000, got 'limit'"),
    ],
)
def test_a_wrong_value_is_one_sentence_with_an_example(given: str, sentence: str) -> None:
    done = burako("score", "--melds-a", "none.jpg", "--option", given, "--lang", "en")
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr) == f"burako score: {sentence}"


def test_a_wrong_value_is_told_in_the_language_asked_for() -> None:
    wrong = ("score", "--melds-a", "none.jpg", "--option", "target=0")
    assert only_line(burako(*wrong).stderr) == (
        "burako score: target: se esperaba un número entero de 1 a 1000000, y vino 0; se escribe"
        " --option target=2000"
    )
    assert only_line(burako(*wrong, "--lang", "it").stderr).endswith(
        "si scrive --option target=2000"
    )


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            ["--option", "target=2000", "--option", "target=3000"],
            "--option: expected each option once, got target twice",
        ),
        (
            ["--option", 'tile_values={"J": 30, "J": 50}'],
            "--option tile_values: expected a JSON object with each key once, got 'J' twice",
        ),
        (
            ["--players", "2", "--option", "players=4"],
            "--players: expected 4, as --option players says, got 2",
        ),
    ],
)
def test_of_two_values_that_contradict_each_other_none_is_taken(
    given: list[str], sentence: str
) -> None:
    done = burako("score", "--melds-a", "none.jpg", *given, "--lang", "en")
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr) == f"burako score: {sentence}"


@pytest.mark.parametrize(
    "given", [[], ["--players", "4"], ["--option", "players=4"], ["--players", "2"]]
)
def test_the_number_of_players_may_be_told_in_either_way(given: list[str]) -> None:
    """With two players A, who closed, has tiles left."""
    hand = ["--melds-a", MELDS_A, "--rack-a", RACK_A, "--closed-by", "A", "--muerto", "A"]
    told = json.loads(burako("score", *hand, *given, "--json").stdout)
    assert told["valid_close"] is ("2" not in given)


def test_the_help_shows_how_each_kind_of_value_is_written() -> None:
    told = " ".join(burako("score", "--help").stdout.split())
    for example in ("target=2000", "muerto_bonus=false", "close_requires=pura"):
        assert example in told
    for name, value in (("canasta_values", '{"pura": 300}'), ("special_canastas", '["wilds", ')):
        assert f"'{name}={value}" in told
