"""Printed text fits any terminal, and no name of a file can steer the terminal."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scorer_app.cli.judge import judge_lines
from scorer_app.cli.terminal import json_line, printable
from tests.places import SAMPLES

from .commands import burako

RUN = "import sys; from scorer_app.cli.main import main; sys.exit(main())"


def on_an_ascii_terminal(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", RUN, *arguments]
    environment = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=environment, timeout=120, check=False)
    return done.returncode, done.stdout.decode("ascii"), done.stderr.decode("ascii")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("año.jpg", "año.jpg"),
        ("a\x1b[31m\x07.jpg", "a\\x1b[31m\\x07.jpg"),
        ("a\nb\r.jpg", "a\\nb\\r.jpg"),
        ("half \udce9", "half \\udce9"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
    ],
)
def test_what_steers_a_terminal_is_spelled_out(name: str, shown: str) -> None:
    assert printable(name) == shown
    assert json.loads(json_line({"photo": name})) == {"photo": name}


@pytest.mark.parametrize(
    "name", ["a\u2028b", "a\x85b", "\x9b31m", "\x7f", "\u202egpj", "\U000e0001"]
)
def test_json_is_one_line_for_every_reader_and_steers_no_terminal(name: str) -> None:
    """Many readers end a line at U+0085 or U+2028, too, and U+009B begins a terminal's command."""
    line = json_line({"photo": name})
    assert (line.splitlines(), line.isprintable()) == ([line], True)
    case = {"id": name, "kind": "meld", "ruleset": "burako", "input": {"tiles": ["J"]}}
    out = io.BytesIO()
    assert judge_lines([json.dumps(case).encode()], out, language="es", as_json=True) == 0
    (answer,) = out.getvalue().decode().splitlines()
    assert json.loads(answer)["id"] == name and answer.isprintable()


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_odd_names_on_an_ascii_terminal_are_printed_and_told_exactly(tmp_path: Path) -> None:
    photo, gone = tmp_path / "niño \x1b[31m\n.jpg", tmp_path / "\x1b]0;x\x07.jpg"
    shutil.copy(SAMPLES / "rack-a.jpg", photo)
    status, out, told = on_an_ascii_terminal("read", "--as", "loose", str(photo), str(gone))
    assert status == 1
    assert "Traceback" not in told
    assert "ni\\xf1o \\x1b[31m\\n.jpg" in out
    assert "\x1b" not in out + told
    assert len(told.splitlines()) == 1
    status, out, told = on_an_ascii_terminal(
        "read", "--json", "--as", "loose", str(photo), str(gone)
    )
    assert [json.loads(line)["photo"] for line in out.splitlines()] == [str(photo), str(gone)]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-16"])
def test_json_is_utf_8_whatever_the_terminal_takes(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with io.TextIOWrapper(io.BytesIO(), encoding) as out:
        monkeypatch.setattr(sys, "stdout", out)
        line = json_line({"photo": "niño.jpg"})
        assert line.isascii() and json.loads(line) == {"photo": "niño.jpg"}


@pytest.mark.process
def test_a_film_on_an_ascii_terminal_is_told_in_json() -> None:
    status, out, told = on_an_ascii_terminal("live", "niño.mp4", "--json")
    assert (status, json.loads(out)["source"]) == (1, "niño.mp4")
    assert "ni\\xf1o.mp4" in told


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="the shell of Windows closes no streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_a_stream_that_the_shell_has_closed_is_as_good_as_empty(closed: str) -> None:
    command = ["sh", "-c", f'"$@" {closed}', "sh", sys.executable, "-c", RUN, "judge"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("value", ["[" * 20_000, "[" * 900 + "]" * 900, '{"a":' * 5000, "1e999"])
def test_an_option_nested_deep_is_wrong_usage(value: str) -> None:
    arguments = ["score", "--rack-a", str(SAMPLES / "rack-a.jpg"), "--option", f"target={value}"]
    done = burako(*arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
