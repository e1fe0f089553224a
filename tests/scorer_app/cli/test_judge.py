"""`burako judge`: complete answers, and a stream of them with its exit status and languages."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scorer_app.cli import judge
from scorer_app.cli.judge import main
from scorer_app.cli.main import main as burako
from tests.places import PROJECT

from .judged import CHANGE_INPUT, HAND_INPUT, RUN, SIDE, answer, case

COMMAND = [
    sys.executable,
    "-c",
    "import sys; from scorer_app.cli.main import main; sys.exit(main())",
    "judge",
]


def run(text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments], input=text, capture_output=True, timeout=60, check=False
    )


def test_the_help_shows_a_case_of_each_kind_that_can_be_judged(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    shown = re.findall(r"^  (\{.*(?:\n    .*)*)", capfd.readouterr().out, re.MULTILINE)
    cases = [json.loads(text) for text in shown]
    assert {one["kind"] for one in cases} == set(judge.KINDS)
    assert [one for one in map(answer, cases) if "error" in one] == []


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
    assert (refused["error"], refused["reason"]) == ("illegal_meld", "gap")
    assert (refused["side"], refused["tiles"]) == ("B", ["3R", "5R", "7R"])
    assert refused["message"].startswith("The run lacks 4R 6R.")
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
    assert failed["message"] == "Para cerrar hay que quedarse sin fichas; en la mano: 1R 4B."
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


def test_a_line_without_end_is_not_kept_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "LONGEST_CASE", 8)
    file = io.BytesIO(b"1\n12345678\n1234567\n" + b"x" * 99 + b"\n2")
    lines = [b"1\n", b"12345678\n", b"1234567\n", b"xxxxxxxxx", b"2"]
    assert [*judge.cut_lines(file)] == lines


def test_a_case_that_is_too_long_is_told_with_the_limit_and_the_next_one_is_judged() -> None:
    whole = json.dumps(RUN).encode()
    most = whole.ljust(judge.LONGEST_CASE)
    answers = run(
        b"\n".join([most, most + b" ", whole]), "--json", "--lang", "en"
    ).stdout.splitlines()
    judged, too_long, next_one = map(json.loads, answers)
    assert too_long == {
        "id": None,
        "error": "too_long",
        "message": "expected a case of at most 4 MiB (4194304 bytes), got a longer line",
    }
    assert judged == next_one and judged["id"] == "run"


@pytest.mark.parametrize("text", [b"", b"\n \n"])
def test_an_empty_input_is_said_to_be_empty(text: bytes, tmp_path: Path, capsysbinary: Any) -> None:
    (tmp_path / "empty.jsonl").write_bytes(text)
    assert main([str(tmp_path / "empty.jsonl"), "--json"]) == 1
    line = json.loads(capsysbinary.readouterr().out)
    assert (line["id"], line["error"]) == (None, "empty")
    assert line["message"].endswith("la entrada está vacía")


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


def test_a_bad_case_is_told_to_people_in_their_language(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    illegal = {**SIDE, "melds": [["3R", "5R", "7R"]]}
    hand = case("hand", {**HAND_INPUT, "teams": {"A": SIDE, "B": illegal}})
    match = case("match", {"hands": [{"A": 1, "B": "many"}]})
    cases = tmp_path / "cases.jsonl"
    cases.write_text(f"{json.dumps(hand)}\n{json.dumps(match)}\n", "utf-8")
    assert main([str(cases), "--lang", "it"]) == 1
    first, second = capfd.readouterr().err.splitlines()
    assert first.startswith("burako judge: riga 1, B 3R 5R 7R: ")
    assert second == (
        "burako judge: riga 2: hands[0].B: dev'essere un numero intero da -1000000 a 1000000, e c'è"
        " 'many'"
    )


@pytest.mark.parametrize("arguments", [["--language", "es"], ["--lang", "fr"], ["a", "b"], [""]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    told, sentence = capsys.readouterr()
    assert (told, sentence.count("\n")) == ("", 1) and sentence.startswith("burako judge: ")


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "JSON Lines" in capsys.readouterr().out


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "absent.jsonl", tmp_path):
        for language, told in (("en", "expected a readable file, got"), ("it", "dev'essere un")):
            assert main([str(path), "--json", "--lang", language]) == 2
            assert capsys.readouterr().err.startswith(f"burako judge: {told} ")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read")
def test_a_file_that_fails_while_it_is_read_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """It is no output that is lost: what comes later can still be printed."""
    assert main(["/proc/self/mem", "--lang", "en"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "got '/proc/self/mem' (Input/output error)" in told.err


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
