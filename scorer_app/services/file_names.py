"""Names of files that any system accepts, made of what people named things."""

from __future__ import annotations

import re
import unicodedata


def plain_words(name: str) -> list[str]:
    """Return the words of a name, in small letters: of each its Latin letters, without accents, and
    its digits.
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.findall("[a-z0-9]+", plain)
