"""The page's styles: every size follows the reader's own text size, and each page links the style
sheets that it needs.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.places import PROJECT

from ..conftest import Scorer
from ..hands import saved_hand

STYLES = sorted((PROJECT / "scorer_app" / "web" / "static" / "css").glob("*.css"))
TEMPLATES = PROJECT / "scorer_app" / "web" / "templates"
PAGES = sorted(
    path.name
    for path in TEMPLATES.glob("*.html")
    if "extends 'base.html'" in path.read_text("utf-8")
)
BY_MEDIA = {"contrast", "dark", "print"}  # sheets that every page links for one medium
THIN = 4  # px: hairlines and the smallest gaps stay as they are, however large the text is
# What may be in pixels: lines, shadows, movement, and text inside a drawing with its own units.
FIXED = re.compile(
    r"(border(?!-radius)[\w-]*|outline[\w-]*|box-shadow|stroke[\w-]*|text-underline-offset"
    r"|background[\w-]*|translate|transform|backdrop-filter)$"
)
DRAWINGS = {".plot-text", ".visually-hidden", ".skip"}


def sizes_in_pixels(css: str) -> list[str]:
    found = []
    for selector, block in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        if selector.split("\n")[-1].split("*/")[-1].strip() in DRAWINGS:
            continue
        for name, value in re.findall(r"([\w-]+):\s*([^;]+);", block):
            wide = [float(px) for px in re.findall(r"(?<![\w.-])-?(\d+(?:\.\d+)?)px", value)]
            if not FIXED.match(name) and any(px >= THIN for px in wide):
                found.append(f"{selector.strip()}: {name}: {value}")
    return found


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_sizes_grow_with_the_text(path: Path) -> None:
    css = path.read_text("utf-8")
    assert sizes_in_pixels(css) == []
    assert re.findall(r"@media[^{]*\d(?:px|rem)[^{]*", css) == []


def test_a_size_in_pixels_would_be_found() -> None:
    assert sizes_in_pixels("a { font: 700 17px/1 x; }") == ["a: font: 700 17px/1 x"]
    assert sizes_in_pixels("a { border: 5px solid; gap: 2px 1rem; }") == []


@cache
def classes_of_one_sheet() -> dict[str, set[str]]:
    """Map the name of each style sheet to the classes that no other sheet styles."""
    classes = {path.stem: styled_in(path) for path in STYLES if path.stem not in BY_MEDIA}
    sheets = Counter(name for found in classes.values() for name in found)
    return {sheet: {one for one in found if sheets[one] == 1} for sheet, found in classes.items()}


def styled_in(path: Path) -> set[str]:
    css = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
    selectors = re.findall(r"([^{}]+)\{", css)
    return {name for one in selectors for name in re.findall(r"\.([a-z][\w-]*)", one)}


def template(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")


def with_parts(page: str) -> str:
    """Return a template together with the templates it includes, the macros of parts.html that it
    uses and the macros that those use.
    """
    macros = dict(re.findall(r"macro (\w+)\(.*?%\}(.*?)\{% endmacro", template("parts.html"), re.S))
    whole = page + "".join(map(template, re.findall(r"include '([\w.]+)'", page)))
    while named := [name for name in macros if re.search(rf"\b{name}\(", whole)]:
        whole += "".join(macros.pop(name) for name in named)
    return whole


def linked_by(page: str) -> set[str]:
    """Return the names of the style sheets that a template itself links."""
    return {name for told in re.findall(r"styles\((.*?)\)", page) for name in words_in(told)}


def words_in(text: str) -> set[str]:
    return set(re.findall(r"[\w-]+", text))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_links_the_sheets_of_what_it_shows(name: str) -> None:
    linked = linked_by(template("base.html")) | linked_by(template(name))
    shown = words_in(" ".join(re.findall(r'class="([^"]*)"', with_parts(template(name)))))
    lacking = {sheet: shown & alone for sheet, alone in classes_of_one_sheet().items()}
    assert {sheet: lacking[sheet] for sheet in lacking.keys() - linked if lacking[sheet]} == {}


def test_every_sheet_is_linked_and_there() -> None:
    assert BY_MEDIA.union(*map(linked_by, map(template, ["base.html", *PAGES]))) == {
        path.stem for path in STYLES
    }


def test_pages_are_sent_without_the_indentation_of_their_templates(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    for path in ("/", f"/matches/{match}", f"/hands/{hand}"):
        page = scorer.client.get(path).text
        assert [line for line in page.splitlines() if line[:1] in (" ", "\t")] == []
