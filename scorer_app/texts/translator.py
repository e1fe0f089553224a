"""Every text people read, in three languages from one catalogue; Argentine Spanish is the one that
is always complete.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from engine.messages import LANGUAGES as CODES
from engine.messages import Language

LANGUAGES: dict[Language, str] = {"es": "Español", "en": "English", "it": "Italiano"}
DEFAULT: Language = "es"
Translate = Callable[..., str]


@cache
def catalogue(language: str) -> dict[str, str]:
    """Key -> text of one language, as `texts/LANGUAGE.json` holds it."""
    raw = files("scorer_app.texts").joinpath(f"{language}.json").read_text("utf-8")
    texts: dict[str, str] = json.loads(raw)
    return texts


def translator(language: str) -> Translate:
    """`translate("key", name=value)`; a key that a language lacks is answered in Spanish, an
    unknown key by itself.
    """
    texts, fallback = catalogue(language), catalogue(DEFAULT)

    def translate(key: str, **values: object) -> str:
        text = texts.get(key) or fallback.get(key) or key
        return text.format(**values) if values else text

    return translate


def figure(number: float, say: Translate) -> str:
    """With the marks for thousands and decimals that the language writes."""
    return f"{number:,}".translate(
        {ord(","): say("number.thousands"), ord("."): say("number.decimal")}
    )


def choose(wanted: str | None, accepted: str | None) -> Language:
    """The language a person picked, else the first of the browser's that exists, else Spanish."""
    if wanted in CODES:
        return wanted
    for part in (accepted or "").split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in CODES:
            return code
    return DEFAULT
