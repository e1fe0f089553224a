"""Sentences that say why a photograph or a network cannot be used."""

from __future__ import annotations

from scorer_app.texts.languages import DEFAULT, Language
from scorer_app.texts.translator import translator
from vision.errors import VisionError


def explain_failure(error: VisionError, language: Language = DEFAULT) -> str:
    """Return one sentence that says what is wrong with the photograph or the network."""
    return translator(language)(f"failure.{error.reason.value}", what=error.what)
