"""What the documents say is there, is there: paths, make targets, commands, options, examples."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

from scorer_app.cli.main import main
from tests.places import PROJECT, SAMPLES

DOCUMENTS = sorted(path for path in PROJECT.glob("*.md"))
MAKEFILE = (PROJECT / "Makefile").read_text("utf-8")
PATH = re.compile(r"(?:[\w.-]+/)+(?:[\w.-]+\.(?:py|md|json|csv|onnx|toml|txt))?")
ROOMS = ("engine", "vision", "scorer_app", "models", "datasets", "tests")
COMMAND = re.compile(r"^(?:\.venv/bin/)?burako (\w+)(.*?)(?:\s+#.*)?$", re.MULTILINE)


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def code_of(text: str) -> str:
    """The fenced blocks, one after another."""
    return "\n\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def test_there_are_documents() -> None:
    names = {path.name for path in DOCUMENTS}
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= names


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_named_exists(path: Path) -> None:
    text = text_of(path)
    named = set(re.findall(r"\]\(([^)#:]+)\)", text))
    for quoted in re.findall(r"`([^`\n]+)`", text) + code_of(text).split():
        named |= {found for found in PATH.findall(quoted) if found.split("/")[0] in ROOMS}
    missing = [name for name in sorted(named) if not (PROJECT / name).exists()]
    assert missing == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_make_target_named_exists(path: Path) -> None:
    targets = set(re.findall(r"(?:`|^)make ([a-z-]+)", text_of(path), re.MULTILINE))
    missing = [
        name for name in sorted(targets) if not re.search(rf"^{name}:", MAKEFILE, re.MULTILINE)
    ]
    assert missing == []


def burako_lines() -> list[tuple[str, str]]:
    return COMMAND.findall(code_of(text_of(PROJECT / "README.md")))


@pytest.mark.parametrize(("name", "rest"), burako_lines())
def test_every_command_of_the_readme_knows_its_options(
    name: str, rest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.suppress(SystemExit):
        main([name, "--help"])
    help_text = capsys.readouterr().out
    assert help_text.startswith("usage: burako")
    unknown = [
        word
        for word in shlex.split(rest)
        if word.startswith("--") and word.split("=")[0] not in help_text
    ]
    assert unknown == []


def test_the_examples_of_the_readme_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python session of the README prints what it says, read on a bundled photograph."""
    monkeypatch.chdir(SAMPLES)
    text = code_of(text_of(PROJECT / "README.md")).replace("table.jpg", "melds-a.jpg")
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert examples.examples, "expected a Python session in README.md"
    said = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(examples, out=said.write)
    assert runner.summarize(verbose=False).failed == 0, said.getvalue()
