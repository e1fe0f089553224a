"""What the documents name exists: paths, make targets, commands, options, texts of the page. Their
examples work.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from scorer_app.cli.main import main
from tests.places import PROJECT, SAMPLES

DEPLOY = PROJECT / "scorer_app" / "serving" / "deploy"
FOLDERS = (PROJECT, PROJECT / "models", DEPLOY)
DOCUMENTS = sorted(path for folder in FOLDERS for path in folder.glob("*.md"))
MAKEFILE = (PROJECT / "Makefile").read_text("utf-8")
PATH = re.compile(r"(?:[\w.-]+/)+(?:[\w.-]+\.(?:py|js|css|md|json|csv|onnx\.gz|toml|txt))?")
WEB = PROJECT / "scorer_app" / "web"  # where what is called `static/...` lies
ROOMS = ("engine", "vision", "scorer_app", "models", "datasets", "tests")
COMMAND = re.compile(r"^(?:\.venv/bin/)?burako (\w+)(.*?)(?:\s+#.*)?$", re.MULTILINE)
QUOTED_COMMAND = re.compile(r"`burako ((?:set )?\w+)([^`]*)`")
MODULE = re.compile(r"python -m ([\w.]*\w)")
LABEL = re.compile(r"(?<![*\w])\*(?=\S)([^*]+)\*(:?)(?!\*)")  # `*Exact*:` explains a word


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def code_of(text: str) -> str:
    """Return the fenced blocks of a document, one after another."""
    return "\n\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def test_there_are_documents() -> None:
    names = {path.name for path in DOCUMENTS}
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= names
    assert {"MODEL_CARD.md", "MEASUREMENTS.md", "EXPERIMENTS.md"} <= names


def name_of(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_path_named_exists(path: Path) -> None:
    text = text_of(path)
    named = {path.parent / link for link in re.findall(r"\]\(([^)#:]+)\)", text)}
    for quoted in re.findall(r"`([^`\n]+)`", text) + code_of(text).split():
        for found in PATH.findall(quoted):
            room = found.split("/")[0]
            named |= {PROJECT / found} if room in ROOMS else set()
            named |= {WEB / found} if room == "static" else set()
    assert [str(name) for name in sorted(named) if not name.exists()] == []


def test_the_architecture_names_every_room() -> None:
    """Every folder of the first floors, and every module that reads a photograph."""
    text = text_of(PROJECT / "ARCHITECTURE.md")
    packages = [path for room in ROOMS for path in (PROJECT / room).glob("*/__init__.py")]
    rooms = [f"{name_of(path.parent)}/" for path in packages]
    modules = [
        name_of(path)
        for folder in ("vision", "vision/tiles", "vision/cards")
        for path in (PROJECT / folder).glob("*.py")
        if path.name != "__init__.py"
    ]
    assert len(rooms) > 20 and len(modules) > 80
    assert [name for name in sorted(rooms + modules) if name not in text] == []


def anchors_of(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_heading_that_a_link_names_exists(path: Path) -> None:
    links = re.findall(r"\]\(([^):#]*)#([^)]+)\)", text_of(path))
    missing = [
        f"{file}#{anchor}"
        for file, anchor in links
        if anchor not in anchors_of(path.parent / file if file else path)
    ]
    assert missing == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_module_to_be_run_exists(path: Path) -> None:
    """`python -m MODULE`, and a package can be run only with a `__main__`."""
    for name in set(MODULE.findall(text_of(path))) - {"venv"}:
        spec = find_spec(name)
        assert spec is not None, name
        assert not spec.submodule_search_locations or find_spec(f"{name}.__main__"), name


def test_every_label_that_the_readme_names_stands_on_the_page() -> None:
    """Words between single stars are what people read on the page in Spanish."""
    catalogue = json.loads(text_of(PROJECT / "scorer_app" / "texts" / "es.json"))
    sentences = " ".join(map(str, strings_of(catalogue)))
    text = re.sub(
        r"^```.*?^```", "", text_of(PROJECT / "README.md"), flags=re.MULTILINE | re.DOTALL
    )
    named = {
        label
        for labels, colon in LABEL.findall(" ".join(text.split()))
        for label in labels.split(" → ")
        if not colon
    }
    assert "Mi juego" in named
    assert [label for label in sorted(named) if label not in sentences] == []


def strings_of(node: object) -> list[object]:
    """Return all strings of a JSON value."""
    if isinstance(node, dict):
        return [text for value in node.values() for text in strings_of(value)]
    if isinstance(node, list):
        return [text for value in node for text in strings_of(value)]
    return [node]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
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
    assert unknown_options(name, rest, capsys) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_command_in_a_sentence_knows_its_options(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, rest in set(QUOTED_COMMAND.findall(text_of(path))):
        assert unknown_options(name, rest, capsys) == [], name


def unknown_options(name: str, rest: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the options in `rest`, what follows a command's name in a document, that the command's
    help does not name.
    """
    with contextlib.suppress(SystemExit):
        main([*name.split(), "--help"])
    help_text = capsys.readouterr().out
    assert help_text.startswith("usage: burako"), name
    options = [word.strip("[],") for word in shlex.split(rest)]
    return [
        option
        for option in options
        if option.startswith("--") and option.split("=")[0] not in help_text
    ]


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
