"""`burako judge` answers each bad line of input with one clear line, and nothing in its input stops
it.
"""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.checks import Trouble
from engine.options import with_options
from engine.rulesets import RULESETS
from scorer_app.texts.languages import LANGUAGES
from scorer_app.texts.wrong_values import CaseTrouble
from tests.examples import examples

from .judged import CHANGE_INPUT, HAND_INPUT, MATCH_INPUT, RUN, SIDE, answer, case

DEEP = "[" * 20_000

BAD: list[tuple[object, str]] = [
    (b"no json", "expected a JSON object, got 'no json'"),
    (b"", "expected a JSON object"),
    (b"[1, 2]", "expected a JSON object, got [1, 2]"),
    (b"null", "expected a JSON object, got None"),
    (b'{"id": 1', "expected a JSON object"),
    (b'{"id": NaN}', "NaN is no number"),
    (
        b'{"id": 1, "kind": "match", "ruleset": "burako",'
        b' "input": {"hands": [], "target": -Infinity}}',
        "-Infinity is no",
    ),
    (b'{"id": 1, "target": ' + b"9" * 5000 + b"}", "expected a JSON object"),
    (
        b'{"id": 1, "kind": "match", "ruleset": "burako",'
        b' "input": {"hands": [{"A": 650, "A": -120, "B": 5}]}}',
        "JSON object with each key once, got 'A' twice",
    ),
    (b'{"kind": "\xff"}', "expected UTF-8 text, got byte 0xff at position 10"),
    (DEEP.encode(), "expected a JSON object, got '[[["),
    ({**RUN, "id": ["a"]}, "expected id to be text or a whole number, got ['a']"),
    ({**RUN, "id": 1.5}, "expected id to be text or a whole number"),
    ({**RUN, "id": True}, "expected id to be text or a whole number, got True"),
    ({}, "case: expected 'kind', got []"),
    (
        {**RUN, "kind": ["meld"]},
        "expected kind to be one of meld, transition, hand, match, got ['meld']",
    ),
    ({**RUN, "options": {}}, "authority, level, got also 'options'"),
    ({**RUN, "kind": "photo"}, "got 'photo'"),
    (
        {**RUN, "ruleset": "canasta"},
        f"expected ruleset to be one of {', '.join(RULESETS)}",
    ),
    ({**RUN, "ruleset": ["burako"]}, "expected ruleset to be one of"),
    ({"kind": "meld", "input": {}}, "case: expected 'ruleset', got ['kind', 'input']"),
    ({"kind": "meld", "ruleset": "burako"}, "case: expected 'input'"),
    ({**RUN, "input": ["3R"]}, "expected input to be an object"),
    (case("meld", {}), "input: expected 'tiles', got []"),
    (
        case("meld", {"tiles": ["3R"], "colour": "R"}),
        "input: expected only tiles, ordered, got also 'colour'",
    ),
    (case("meld", {"tiles": ["3R"], "ordered": 1}), "expected ordered to be true or false, got 1"),
    (case("meld", {"tiles": "3R 4R 5R"}), "expected tiles to be a list, got '3R 4R 5R'"),
    (
        case("meld", {"tiles": ["14R"]}),
        "expected tiles[0] to be written as '7R', '13K' or 'J', got '14R'",
    ),
    (case("meld", {"tiles": [""]}), "got ''"),
    (case("meld", {"tiles": [["3R"]]}), "got ['3R']"),
    (case("meld", {"tiles": [7, "3R"]}), "got 7"),
    (
        case("meld", {"tiles": ["3R"] * 200_000}),
        "tiles: expected at most 108 entries, got 200000",
    ),
    (case("meld", {"tiles": [], "options": 5}), "expected options to be an object, got 5"),
    (
        case("meld", {"tiles": [], "options": {"opening": 50}}),
        "expected an option, one of target, tile_values",
    ),
    (
        case("meld", {"tiles": [], "options": {"wilds_per_meld": -1}}),
        "expected wilds_per_meld to be a whole number",
    ),
    (
        case("transition", {**CHANGE_INPUT, "owner": "C"}),
        "expected owner to be 'A' or 'B', got 'C'",
    ),
    (
        case("transition", {**CHANGE_INPUT, "actor": None}),
        "expected actor to be 'A' or 'B', got None",
    ),
    (
        case("transition", {**CHANGE_INPUT, "before": [["3R"] * 60, ["4R"] * 60]}),
        "before: expected at most 108 tiles, got 120",
    ),
    (
        case("transition", {**CHANGE_INPUT, "after": ["3R"]}),
        "expected after[0] to be a list, got '3R'",
    ),
    (case("transition", {"before": []}), "input: expected 'after'"),
    (case("hand", {**HAND_INPUT, "players": 3}), "expected players to be 2 or 4, got 3"),
    (
        case("hand", {**HAND_INPUT, "players": 4, "options": {"players": 2}}),
        "players: expected 2, as in options, got 4",
    ),
    (case("hand", {**HAND_INPUT, "players": True}), "expected players to be 2 or 4, got True"),
    (case("hand", {**HAND_INPUT, "players": 2}), "teams.A.hands: expected 1, one a player, got 2"),
    (
        case("hand", {**HAND_INPUT, "end": "draw"}),
        "expected end to be 'close' or 'stock_exhausted', got 'draw'",
    ),
    (
        case("hand", {**HAND_INPUT, "closed_by": None}),
        "expected closed_by to be 'A' or 'B', got None",
    ),
    (
        case("hand", {**HAND_INPUT, "end": "stock_exhausted"}),
        "expected closed_by to be null where the stock ran out",
    ),
    (case("hand", {**HAND_INPUT, "teams": {"A": SIDE}}), "teams: expected 'B', got ['A']"),
    (
        case("hand", {**HAND_INPUT, "teams": [SIDE, SIDE]}),
        "expected teams to be an object with A, B",
    ),
    (
        case("hand", {**HAND_INPUT, "teams": {"A": SIDE, "B": {**SIDE, "muerto_taken": 1}}}),
        "expected teams.B.muerto_taken to be",
    ),
    (
        case("hand", {**HAND_INPUT, "teams": {"A": SIDE, "B": {**SIDE, "points": 1}}}),
        "got also 'points'",
    ),
    (
        case(
            "hand",
            {**HAND_INPUT, "teams": {"A": {**SIDE, "melds": [["3R", "5R", "7R"]]}, "B": SIDE}},
        ),
        "The run lacks 4R 6R.",
    ),
    (
        case("match", {**MATCH_INPUT, "target": 0}),
        "expected target to be a whole number 1 to 1000000, got 0",
    ),
    (case("match", {**MATCH_INPUT, "target": "2000"}), "expected target to be a whole number"),
    (case("match", {"hands": {"A": 1}}), "expected hands to be a list"),
    (case("match", {"hands": [{"A": 1}]}), "hands[0]: expected 'B', got ['A']"),
    (case("match", {"hands": [{"A": 1, "B": True}]}), "expected hands[0].B to be a whole number"),
    (
        case("match", {"hands": [{"A": 1, "B": 10**12}]}),
        "expected hands[0].B to be a whole number",
    ),
    (case("match", {"hands": [{"A": 1, "B": 1, "C": 1}]}), "got also 'C'"),
    (
        case("match", {"hands": [{"A": 2000, "B": 0}, {"A": 5, "B": 5}]}),
        "expected no hand after hand 1",
    ),
]


CODES = {*map(str, Trouble), *map(str, CaseTrouble), "illegal_meld"}


@pytest.mark.parametrize(("line", "message"), BAD, ids=[message[:50] for _, message in BAD])
def test_bad_input_is_answered_by_a_code_and_one_clear_line(line: object, message: str) -> None:
    told = answer(line, "en")
    sentence = told["message"]
    assert told["error"] in CODES
    assert message in sentence and "\n" not in sentence and len(sentence) < 400


@pytest.mark.parametrize(("line", "message"), BAD, ids=[message[:50] for _, message in BAD])
def test_bad_input_is_told_in_every_language_with_what_came(line: object, message: str) -> None:
    told = {language: answer(line, language) for language in LANGUAGES}
    sentences = {one["message"] for one in told.values()}
    assert len({one["error"] for one in told.values()}) == 1 and len(sentences) == len(LANGUAGES)
    assert [sentence for sentence in sentences if "{" in sentence and "{" not in str(line)] == []
    came = re.search(r"got (?:also |byte )?(.*?)(?: twice| at .*)?$", message)
    assert came is None or [one for one in sentences if came[1] not in one] == []


def test_the_engine_says_in_english_what_the_catalogue_says() -> None:
    wrong: dict[str, list[object]] = {
        "target": [0],
        "wilds_per_meld": ["many"],
        "jokers": [3],
        "copies": [{"14R": 1}, {"7R": -1}],
        "close_requires": ["impura"],
        "canasta_values": [3, {"pura": -1}],
        "special_canastas": [3, [3], ["threes"], ["ones", "ones"]],
        "muerto_bonus": [1],
        "red_threes": [1],
    }
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match="expected") as raised:
                with_options(RULESETS["burako"], {name: value})
            bad = case("hand", {**HAND_INPUT, "options": {name: value}})
            told = answer({**bad, "ruleset": "burako"}, "en")
            assert told["message"] == str(raised.value)


def test_the_id_comes_back_with_the_error() -> None:
    assert answer({**RUN, "id": "x", "kind": "photo"})["id"] == "x"
    assert answer(b"no json")["id"] is None


@settings(max_examples=examples(50))  # of which each is tried in twenty places
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_junk_never_crashes(junk: object) -> None:
    for fields in (
        junk,
        {"tiles": junk},
        {"tiles": ["3R"], "options": junk},
        {"hands": junk},
        {**HAND_INPUT, "teams": junk},
    ):
        for kind in ("meld", "match", "hand", "transition"):
            assert isinstance(answer(case(kind, fields)), dict)


def test_nesting_that_python_cannot_follow() -> None:
    for depth in (100, 500, 900, 980, 2000):
        line = (
            b'{"kind": "meld", "ruleset": "burako", "input": {"tiles": [], "options": {"target":'
            b" %s}}}"
        )
        assert "error" in answer(line % (b"[" * depth + b"]" * depth))
