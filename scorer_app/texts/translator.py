"""The catalogue of everything that people read, and the translator that looks a text up in it.

The catalogue is one JSON file for each language beside this module: `es.json`, `en.json`,
`it.json`. Texts that differ where people play with cards stand under the same keys in
`cards/es.json`, `cards/en.json` and `cards/it.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine.pieces import Pieces
from scorer_app.texts.languages import DEFAULT, Language

_HERE = Path(__file__).parent
Translate = Callable[..., str]


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Return the texts of one language, by key."""
    return _read(f"{language}.json")


@cache
def words_of_cards(language: Language) -> Mapping[str, str]:
    """Return, by key, those texts of one language that differ where people play with cards."""
    return _read(f"cards/{language}.json")


def _read(name: str) -> Mapping[str, str]:
    return MappingProxyType(json.loads((_HERE / name).read_text("utf-8")))


@cache
def texts_of(language: Language, pieces: Pieces) -> Mapping[str, str]:
    """Return all texts of one language, by key, in the words for `pieces`.

    A key that the language lacks has its Spanish text.
    """
    of_cards = words_of_cards(language) if pieces is Pieces.CARDS else {}
    return MappingProxyType({**catalogue(DEFAULT), **catalogue(language), **of_cards})


@cache
def translator(language: Language, pieces: Pieces = Pieces.TILES) -> Translate:
    """Return the function `translate(key, **values)`, which looks up the text of `key` in the words
    for `pieces` and fills `values` into its blanks.

    Of one thing, which the value `count` then says, the text is that of `KEY_one` where there is
    one. Where the language lacks the key, the text is the Spanish one; for an unknown key it is the
    key itself.
    """
    texts = texts_of(language, pieces)

    def translate(key: str, **values: object) -> str:
        of_one = texts.get(f"{key}_one") if values.get("count") == 1 else None
        text = of_one or texts.get(key) or key
        return text.format(**values) if values else text

    return translate


def figure(number: float, say: Translate) -> str:
    """Return a number as text, with the marks for thousands and decimals of the language of
    `say`.
    """
    return f"{number:,}".translate(
        {ord(","): say("number.thousands"), ord("."): say("number.decimal")}
    )
