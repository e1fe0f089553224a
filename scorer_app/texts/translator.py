"""The catalogue of everything that people read, and the translator that looks a text up in it.

The catalogue is one JSON file a language beside this module: `es.json`, `en.json`, `it.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from scorer_app.texts.languages import DEFAULT, Language

Translate = Callable[..., str]


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Read the texts of one language, by key."""
    path = Path(__file__).with_name(f"{language}.json")
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    return texts


@cache
def translator(language: Language) -> Translate:
    """Return `translate(key, **values)`, which fills the values into the text's blanks.

    A key that the language lacks is answered in Spanish, an unknown key by the key itself.
    """
    texts, fallback = catalogue(language), catalogue(DEFAULT)

    def translate(key: str, **values: object) -> str:
        text = texts.get(key) or fallback.get(key) or key
        return text.format(**values) if values else text

    return translate


def figure(number: float, say: Translate) -> str:
    """Write a number with the language's marks for thousands and decimals."""
    return f"{number:,}".translate(
        {ord(","): say("number.thousands"), ord("."): say("number.decimal")}
    )
