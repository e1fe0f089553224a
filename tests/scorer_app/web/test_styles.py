"""The page's styles: every size follows the reader's own text size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import PROJECT

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
