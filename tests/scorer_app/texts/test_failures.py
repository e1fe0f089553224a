"""Every reason why a photograph or a network cannot be used has one sentence, of one line, in each
language.
"""

from __future__ import annotations

import pytest

from scorer_app.texts.failures import explain_failure
from scorer_app.texts.languages import LANGUAGES, Language
from vision.errors import ModelError, PhotoError, Reason

# What a decoder says is left out: it is English or bytes, in whatever language the sentence is.
WITH_FIGURES_OR_PATH = {
    Reason.TOO_MANY_PIXELS,
    Reason.TOO_FEW_PIXELS,
    Reason.ODD_SHAPE,
    Reason.MODEL_MISSING,
    Reason.MODEL_MISMATCH,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", Reason)
def test_a_failure_is_one_line(reason: Reason, language: Language) -> None:
    sentence = explain_failure(PhotoError(reason, "table.jpg"), language)
    assert sentence and "\n" not in sentence and "{" not in sentence
    assert ("table.jpg" in sentence) == (reason in WITH_FIGURES_OR_PATH)


def test_the_default_is_argentine_spanish() -> None:
    error = ModelError(Reason.MODEL_MISSING, "reader.onnx.gz")
    assert explain_failure(error).endswith("reader.onnx.gz. Reinstalá el programa.")
