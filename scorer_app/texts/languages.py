"""The languages of everything that people read; Argentine Spanish is the default."""

from __future__ import annotations

from typing import Literal, TypeAlias

Language: TypeAlias = Literal["es", "en", "it"]
# Code -> the language's own name.
LANGUAGES: dict[Language, str] = {"es": "Español", "en": "English", "it": "Italiano"}
DEFAULT: Language = "es"


def choose(wanted: str | None, accepted: str | None) -> Language:
    """Return the language in which to answer. `wanted` is the code that a person picked, `accepted`
    a browser's Accept-Language header. The pick wins if it exists, then the first existing language
    of the header, then Spanish.
    """
    if wanted in LANGUAGES:
        return wanted
    for part in (accepted or "").split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return DEFAULT
