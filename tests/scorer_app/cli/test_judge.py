"""`burako judge` as a stream: bad input, exit status, languages, a reader that leaves."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer_app.cli.judge import judge_line, main
from scorer_app.cli.main import main as burako
from tests.examples import examples
from tests.places import PROJECT

RUN = {
    "id": "run",
    "kind": "meld",
    "ruleset": "burako",
    "input": {"tiles": ["3R", "4R", "5R"], "ordered": True},
}
CHANGE_INPUT = {
    "before": [],
    "after": [],
    "added": [],
    "taken_to_hand": [],
    "owner": "A",
    "actor": "A",
}
SIDE = {
    "melds": [["3R", "4R", "5R", "6R", "7R", "8R", "9R"]],
    "hands": [[], ["4B"]],
    "muerto_taken": True,
}
HAND_INPUT = {
    "players": 4,
    "end": "close",
    "closed_by": "A",
    "options": {},
    "teams": {"A": SIDE, "B": SIDE},
}
MATCH_INPUT = {"target": 2000, "hands": [{"A": 100, "B": 50}]}
COMMAND = [
    sys.executable,
    "-c",
    "import sys; from scorer_app.cli.main import main; sys.exit(main())",
    "judge",
]
DEEP = "[" * 20_000


def case(kind: str, fields: object, **more: object) -> dict[str, Any]:
    return {"id": 1, "kind": kind, "ruleset": "buraco", "input": fields, **more}


def answer(line: object, language: str = "es") -> dict[str, Any]:
    data = line if isinstance(line, bytes) else json.dumps(line).encode()
    return judge_line(data, language)  # type: ignore[arg-type]


def run(text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments], input=text, capture_output=True, timeout=60, check=False
    )


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
    (b'{"kind": "\xff"}', "expected UTF-8 text, got byte 0xff at position 10"),
    (DEEP.encode(), "expected a JSON object, got '[[["),
    ({**RUN, "id": ["a"]}, "expected id to be text or a whole number, got ['a']"),
    ({**RUN, "id": 1.5}, "expected id to be text or a whole number"),
    ({}, "expected 'kind' in the case, got []"),
    (
        {**RUN, "kind": ["meld"]},
        "expected kind to be one of meld, transition, hand, match, got ['meld']",
    ),
    ({**RUN, "options": {}}, "authority, level in the case, got also 'options'"),
    ({**RUN, "kind": "photo"}, "got 'photo'"),
    (
        {**RUN, "ruleset": "canasta"},
        "expected ruleset to be one of buracco, buraco, burako, burraco_it, pagat",
    ),
    ({**RUN, "ruleset": ["burako"]}, "expected ruleset to be one of"),
    ({"kind": "meld", "input": {}}, "expected 'ruleset' in the case, got ['kind', 'input']"),
    ({"kind": "meld", "ruleset": "burako"}, "expected 'input' in the case"),
    ({**RUN, "input": ["3R"]}, "expected input to be an object"),
    (case("meld", {}), "expected 'tiles' in the input, got []"),
    (
        case("meld", {"tiles": ["3R"], "colour": "R"}),
        "expected only tiles, ordered in the input, got also 'colour'",
    ),
    (case("meld", {"tiles": ["3R"], "ordered": 1}), "expected ordered to be true or false, got 1"),
    (case("meld", {"tiles": "3R 4R 5R"}), "expected tiles to be a list, got '3R 4R 5R'"),
    (
        case("meld", {"tiles": ["14R"]}),
        "expected a tile of tiles to be written as '7R', '13K' or 'J', got '14R'",
    ),
    (case("meld", {"tiles": [""]}), "got ''"),
    (case("meld", {"tiles": [["3R"]]}), "got ['3R']"),
    (case("meld", {"tiles": [7, "3R"]}), "got 7"),
    (
        case("meld", {"tiles": ["3R"] * 200_000}),
        "expected at most 108 entries in tiles, got 200000",
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
        "at most 108 tiles in before, got 120",
    ),
    (
        case("transition", {**CHANGE_INPUT, "after": ["3R"]}),
        "expected after to be a list, got '3R'",
    ),
    (case("transition", {"before": []}), "expected 'after' in the input"),
    (case("hand", {**HAND_INPUT, "players": 3}), "expected players to be 2 or 4, got 3"),
    (case("hand", {**HAND_INPUT, "players": True}), "expected players to be 2 or 4, got True"),
    (case("hand", {**HAND_INPUT, "players": 2}), "expected 1 hands in team A, one a player, got 2"),
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
    (case("hand", {**HAND_INPUT, "teams": {"A": SIDE}}), "expected 'B' in the teams, got ['A']"),
    (
        case("hand", {**HAND_INPUT, "teams": [SIDE, SIDE]}),
        "expected teams to be an object with A, B",
    ),
    (
        case("hand", {**HAND_INPUT, "teams": {"A": SIDE, "B": {**SIDE, "muerto_taken": 1}}}),
        "muerto_taken of team B to be",
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
        "illegal meld of side A",
    ),
    (
        case("match", {**MATCH_INPUT, "target": 0}),
        "expected target to be a whole number 1 to 1000000, got 0",
    ),
    (case("match", {**MATCH_INPUT, "target": "2000"}), "expected target to be a whole number"),
    (case("match", {"hands": {"A": 1}}), "expected hands to be a list"),
    (case("match", {"hands": [{"A": 1}]}), "expected 'B' in the hand 1, got ['A']"),
    (case("match", {"hands": [{"A": 1, "B": True}]}), "expected B of hand 1 to be a whole number"),
    (
        case("match", {"hands": [{"A": 1, "B": 10**12}]}),
        "expected B of hand 1 to be a whole number",
    ),
    (case("match", {"hands": [{"A": 1, "B": 1, "C": 1}]}), "got also 'C'"),
    (
        case("match", {"hands": [{"A": 2000, "B": 0}, {"A": 5, "B": 5}]}),
        "expected no hand after hand 1",
    ),
]


@pytest.mark.parametrize(("line", "message"), BAD, ids=[message[:50] for _, message in BAD])
def test_bad_input_is_answered_by_one_clear_line(line: object, message: str) -> None:
    error = answer(line)["error"]
    assert message in error and "\n" not in error and len(error) < 400


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


def test_remarks_on_a_case_are_no_matter() -> None:
    assert answer({**RUN, "why": "three consecutive", "expect": {"valid": False}})["valid"] is True


def test_a_meld_is_answered_in_full() -> None:
    assert answer(RUN) == {
        "id": "run",
        "valid": True,
        "kind": "escalera",
        "canasta": None,
        "wilds": 0,
        "points": 15,
        "arranged": ["3R", "4R", "5R"],
        "notices": [],
        "message": "Escalera: 15 puntos.",
    }
    illegal = answer(case("meld", {"tiles": ["3R", "4R", "6R", "7R", "8R"]}), "en")
    assert illegal["fix"] == {
        "action": "take_back",
        "tiles": ["3R", "4R"],
        "row": ["6R", "7R", "8R"],
    }
    assert illegal["message"] == "The run lacks 5R. It is enough to take back 3R 4R."


def test_italian_answers_carry_the_burraco() -> None:
    row = [f"{number}R" for number in range(3, 10)]
    italian = answer({**RUN, "ruleset": "burraco_it", "input": {"tiles": row}})
    assert (italian["canasta"], italian["burraco"]) == ("pura", "pulito")
    assert "burraco" not in answer(RUN)


def test_an_empty_table_that_stays_empty() -> None:
    assert answer(case("transition", CHANGE_INPUT)) == {
        "id": 1,
        "legal": True,
        "after": None,
        "message": "",
    }


def test_hands_are_answered_line_by_line() -> None:
    told = answer(case("hand", HAND_INPUT), "en")
    assert told["valid_close"] is True and told["message"] == "A 440 · B 340"
    assert (told["A"]["base"], told["A"]["puntos"]) == (400, 40)
    assert told["A"]["lines"][-1] == {
        "kind": "hand",
        "points": -5,
        "tiles": ["4B"],
        "index": 1,
        "canasta": None,
    }
    illegal = {**SIDE, "melds": [["3R", "5R", "7R"]]}
    refused = answer(case("hand", {**HAND_INPUT, "teams": {"A": SIDE, "B": illegal}}), "en")
    assert refused["reason"] == "gap" and refused["message"].startswith("The run lacks 4R 6R.")
    accepted = answer(
        case("hand", {**HAND_INPUT, "accept_illegal": True, "teams": {"A": SIDE, "B": illegal}}),
        "en",
    )
    assert accepted["notices"] == ["accepted_illegal"] and accepted["B"]["meld_tiles"] == 15
    assert "3R 5R 7R" in accepted["notice_details"][0]["message"]


def test_a_closing_that_fails_and_a_void_hand() -> None:
    full = {**SIDE, "hands": [["1R"], ["4B"]]}
    failed = answer(case("hand", {**HAND_INPUT, "teams": {"A": full, "B": SIDE}}))
    assert (
        failed["valid_close"] is False
        and failed["reason"] == "hand_not_empty"
        and "A" not in failed
    )
    assert failed["message"] == "Para cerrar hay que quedarse sin fichas; quedan 1R 4B."
    bare = {**SIDE, "melds": []}
    stock = {
        **HAND_INPUT,
        "end": "stock_exhausted",
        "closed_by": None,
        "teams": {"A": bare, "B": bare},
    }
    void = answer({**case("hand", stock), "ruleset": "pagat"}, "it")
    assert (
        void["no_score"] is True
        and void["A"]["total"] == 0
        and void["message"].startswith("Nessuno ha un burraco")
    )


def test_a_match_without_target_has_its_rulesets_own() -> None:
    hands = [{"A": 2004, "B": 0}]
    for name, finished in (("buraco", True), ("burraco_it", False), ("pagat", False)):
        assert answer({**case("match", {"hands": hands}), "ruleset": name})["finished"] is finished
    assert answer(case("match", {"hands": hands, "options": {"target": 3000}}))["finished"] is False


def test_the_lines_after_a_bad_one_are_answered() -> None:
    good = json.dumps(RUN).encode()
    text = b"\xef\xbb\xbf" + good + b"\n\n\xff\n" + b"x" * 1_000_000 + b"\n" + good
    done = run(text, "--json")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [("error" in one, one["id"]) for one in answers] == [
        (False, "run"),
        (True, None),
        (True, None),
        (False, "run"),
    ]
    assert (done.returncode, done.stderr) == (1, b"")
    assert run(good, "--json").returncode == 0


def test_an_id_that_is_no_unicode_text_comes_back() -> None:
    text = (
        b'{"id": "\\ud800", "kind": "meld", "ruleset": "burako", "input": {"tiles": ["3R"],'
        b' "ordered": true}}'
    )
    assert json.loads(run(text, "--json").stdout)["id"] == "\ud800"


@pytest.mark.parametrize("text", [b"", b"\n \n"])
def test_an_empty_input_is_said_to_be_empty(text: bytes, tmp_path: Path, capsysbinary: Any) -> None:
    (tmp_path / "empty.jsonl").write_bytes(text)
    assert main([str(tmp_path / "empty.jsonl"), "--json"]) == 1
    assert "got an empty input" in json.loads(capsysbinary.readouterr().out)["error"]


def test_sentences_for_people(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(RUN) + "\nnonsense\n", "utf-8")
    assert main([str(cases), "--lang", "en"]) == 1
    told = capfdbinary.readouterr()
    assert told.out.decode() == "Run: 15 points.\n"
    assert told.err.decode().startswith(
        "burako judge: line 2: expected a JSON object, got 'nonsense'"
    )
    assert burako(["judge", str(cases), "--json"]) == 1


@pytest.mark.parametrize("arguments", [["--language", "es"], ["--lang", "fr"], ["a", "b"]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage: burako judge" in capsys.readouterr().err


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "JSON Lines" in capsys.readouterr().out


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "absent.jsonl", tmp_path):
        assert main([str(path), "--json"]) == 2
        assert capsys.readouterr().err.startswith("burako judge: expected a readable file, got ")


def test_a_reader_that_leaves_gets_no_traceback(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text((json.dumps(RUN) + "\n") * 5_000, "utf-8")
    command = [*COMMAND, str(cases), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_a_broken_pipe_within_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(RUN), "utf-8")
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    with open(writing_end, "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert burako(["judge", str(cases), "--json"]) == 1


@pytest.mark.parametrize(
    ("loaded", "packages"),
    [("engine", {"engine"}), ("scorer_app.cli.judge", {"engine", "scorer_app"})],
)
def test_judging_loads_the_standard_library_alone(loaded: str, packages: set[str]) -> None:
    """Without `site` no installed library can be imported: no model, no page, no NumPy."""
    code = f"import sys, {loaded}; print(*{{name.split('.')[0] for name in sys.modules}})"
    bare = {**os.environ, "PYTHONPATH": str(PROJECT)}
    process = subprocess.run(
        [sys.executable, "-S", "-c", code], env=bare, capture_output=True, text=True, check=True
    )
    assert set(process.stdout.split()) - sys.stdlib_module_names == {"__main__", *packages}
