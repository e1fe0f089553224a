"""The page's styles: every size follows the reader's own text size, and each page links the sheets
of what it shows.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.places import PROJECT

from ..conftest import Scorer
from ..evening import evening
from ..pictures import RecordedReader

STYLES = sorted((PROJECT / "scorer_app" / "web" / "static" / "css").glob("*.css"))
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


def classes_of_one_sheet() -> dict[str, set[str]]:
    """Map the name of each sheet to the classes that no other sheet gives looks to."""
    classes = {path.stem: styled_in(path) for path in STYLES}
    sheets = Counter(name for found in classes.values() for name in found)
    return {sheet: {one for one in found if sheets[one] == 1} for sheet, found in classes.items()}


def styled_in(path: Path) -> set[str]:
    css = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
    selectors = re.findall(r"([^{}]+)\{", css)
    return {name for one in selectors for name in re.findall(r"\.([a-z][\w-]*)", one)}


def test_each_page_links_the_sheets_of_what_it_shows(
    scorer: Scorer, reader: RecordedReader
) -> None:
    alone = classes_of_one_sheet()
    ever: set[str] = set()
    for name, path in evening(scorer, reader).items():
        page = scorer.client.get(path).text
        linked = set(re.findall(r'css/(\w+)\.css"', page))
        shown = set(" ".join(re.findall(r'class="([^"]*)"', page)).split())
        lacking = {sheet: shown & alone[sheet] for sheet in alone.keys() - linked}
        assert not any(lacking.values()), f"{name} lacks {lacking}"
        ever |= linked
    assert ever | {"sets"} == alone.keys(), "a sheet is linked by no page, or is not there"
