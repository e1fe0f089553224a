"""Who won, told as people say it of a side with its name."""

from __future__ import annotations

import re

from scorer_app.texts.languages import LANGUAGES
from scorer_app.texts.translator import Translate, catalogue

# The English default names of earlier versions; stored matches still have them.
_FORMER = {"side.A": "We", "side.B": "They"}
# A name of several people: an article in the plural before it, or two names joined.
_SEVERAL = re.compile(r"^(los|las|the .*s$|i|gli|le)\s|\s(y|e|and|ed)\s|[&+/,]", re.IGNORECASE)


def won(name: str, say: Translate) -> str:
    """Say that the side called `name` won the match.

    The default names of any language are spoken of as "we" and "they", names of several people in
    the plural.
    """
    if name in _default_names("side.A"):
        return say("match.won_us")
    if name in _default_names("side.B"):
        return say("match.won_them")
    return say("match.won_many" if _SEVERAL.search(name) else "match.won", side=name)


def _default_names(key: str) -> set[str]:
    return {_FORMER[key], *(catalogue(language)[key] for language in LANGUAGES)}
