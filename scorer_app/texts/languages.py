"""The languages of everything that people read; Argentine Spanish is the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["es", "en", "it"]


@dataclass(frozen=True)
class Locale:
    """What a language needs beside its texts."""

    name: str  # the language's own name
    tag: str  # as `lang` of a page, by which browsers write times and figures and speak aloud
    day: str  # format of a day, for `strftime`
    between_cells: str  # what parts the cells of a CSV file where spreadsheets speak the language


LANGUAGES: Mapping[Language, Locale] = MappingProxyType(
    {
        "es": Locale("Español", "es-AR", "%d/%m/%Y", ";"),
        "en": Locale("English", "en", "%d %b %Y", ","),
        "it": Locale("Italiano", "it", "%d/%m/%Y", ";"),
    }
)
DEFAULT: Language = "es"


def choose(wanted: str | None, accepted: str | None) -> Language:
    """Return the language in which to answer. `wanted` is the code that a person picked, `accepted`
    a browser's Accept-Language header. The pick wins if it exists, then the first existing language
    of the header, then Spanish.
    """
    header = [part.split(";")[0].strip().lower()[:2] for part in (accepted or "").split(",")]
    for code in (wanted, *header):
        for language in LANGUAGES:
            if language == code:
                return language
    return DEFAULT
