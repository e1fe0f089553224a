"""Every text that a script in the browser asks for is sent to it with the page."""

from __future__ import annotations

import json
import re

import pytest
from flask import Flask

from scorer_app.texts.languages import LANGUAGES
from scorer_app.web.pages.context import script_texts
from tests.places import PROJECT

SCRIPTS = PROJECT / "scorer_app" / "web" / "static" / "js"
TEMPLATES = PROJECT / "scorer_app" / "web" / "templates"
# Keys that a script puts together from a state: where they begin, and what they end with.
COMPOSED = {
    "colour.": ["R", "B", "K", "Y"],
    "js.ability.": ["photos", "awake", "live_camera", "share"],
    "js.guide.": ["dark", "moving", "same", "soft", "far", "cut", "good"],
    "js.live.": ["legal", "illegal", "doubtful"],
    "js.live.camera.": ["stalled", "failed"],
    "js.place.": ["melds", "rack"],
    "js.rack_as.": ["photo", "sorted", "tapped"],
    "js.rack_is.": ["photo", "sorted", "tapped"],
    "rank.": ["1", "11", "12", "13"],
}


def code(files: str = "*.js") -> str:
    found = "\n".join(path.read_text("utf-8") for path in SCRIPTS.glob(files))
    assert found
    return found


def named_in(text: str) -> set[str]:
    return set(re.findall(r'"((?:js|tile|colour|photo\.stage|match)\.[\w.]+)"', text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_script_is_in_the_page(app: Flask, language: str) -> None:
    whole = named_in(code())
    composed = {start + end for start, ends in COMPOSED.items() for end in ends}
    with app.test_request_context(headers={"Accept-Language": language}):
        usual, *more = (json.loads(script_texts(page)) for page in ("", "set", "live"))
    assert len(whole) > 50
    assert (whole | composed) - usual.keys() - more[0].keys() - more[1].keys() == set()
    assert all(texts.keys() - usual.keys() for texts in more)


def test_each_page_gets_the_texts_of_all_scripts_that_it_loads(app: Flask) -> None:
    with app.test_request_context():
        sent = {page: json.loads(script_texts(page)) for page in ("", "set", "live")}
    always = named_in(code("sent_once.js"))
    for template in TEMPLATES.glob("*.html"):
        text = template.read_text("utf-8")
        page = re.search(r'script_texts\("(\w+)"\)', text)
        loaded = loaded_with(re.findall(r"filename='js/([\w.]+)'", text))
        asked = set().union(always, *(named_in(code(name)) for name in loaded))
        assert asked - sent[page[1] if page else ""].keys() == set(), template.name


def loaded_with(names: list[str]) -> set[str]:
    """Return the names of these scripts and of all that they import."""
    found, left = set[str](), [*names]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += re.findall(r'from "\./([\w.]+)";', code(name))
    return found


def test_every_key_that_a_script_puts_together_is_known() -> None:
    assert set(re.findall(r"say\(`([\w.]*)\$\{", code())) == COMPOSED.keys()
