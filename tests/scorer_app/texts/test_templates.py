"""Templates hold no words of their own: every word a person reads comes from the catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import PROJECT

TEMPLATES = sorted((PROJECT / "scorer_app" / "web" / "templates").glob("*.html"))
# The name of the page, and signs that every language reads alike.
SAME_EVERYWHERE = {"Burako", "rtsp"}
# Blocks and macros that make the classes and attributes of an element.
OF_ELEMENTS = r"\{% (block body_class|macro (?:when|invalid)).*?\{% end(?:block|macro) %\}"
READ_ALOUD = r"""\b(?:aria-label|alt|title|placeholder)="([^"]*)\""""


def words_of(template: str) -> set[str]:
    """Return the words of a template outside expressions, tags, scripts and comments."""
    text = re.sub(OF_ELEMENTS, " ", template, flags=re.DOTALL)
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<!--.*?-->", " ", text, flags=re.DOTALL)
    attributes = " ".join(re.findall(READ_ALOUD, text))
    text = re.sub(r"<(script|style|title)\b.*?</\1>", " ", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]*>|&\w+;", " ", text)
    return set(re.findall(r"[^\W\d_]{2,}", f"{text} {attributes}")) - SAME_EVERYWHERE


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_has_no_words_of_its_own(path: Path) -> None:
    assert words_of(path.read_text("utf-8")) == set()


def test_a_word_of_its_own_would_be_found() -> None:
    assert words_of('<p title="Hola">{{ say("x") }} adiós</p>') == {"Hola", "adiós"}
    assert words_of("<p>{% if true %}{{ say('home.title') }}{% endif %}</p>") == set()
