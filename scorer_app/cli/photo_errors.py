"""Says why a photograph that was named on a command line cannot be used."""

from __future__ import annotations

import os

from scorer_app.texts.failures import explain_failure
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from vision.errors import PhotoError, Reason


def explain_photo(photo: str, error: PhotoError, language: Language) -> str:
    """Return one sentence that says what is wrong with the photograph at the path `photo`, which
    may be no photograph but a folder of them.
    """
    if error.reason is Reason.NOT_FOUND and os.path.isdir(photo):
        return translator(language)("failure.folder")
    return explain_failure(error, language)
