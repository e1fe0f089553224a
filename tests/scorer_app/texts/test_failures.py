"""Every reason why a photograph or a network cannot be used has one sentence, of one line, in each
language.
"""

from __future__ import annotations

import pytest

from scorer_app.texts.failures import explain_failure
from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.texts.translator import translator
from vision.errors import ModelError, PhotoError, Reason
from vision.frame import MAX_PIXELS, check_size

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


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_photograph_with_too_many_pixels_is_said_how_many_would_do(
    language: Language,
) -> None:
    with pytest.raises(PhotoError) as refused:
        check_size(14_000, 10_500)
    sentence = explain_failure(refused.value, language)
    assert "147 MP > 120 MP" in sentence and f" {MAX_PIXELS // 10**6} mega" in sentence
    # A server has its own limit, and so names no figure.
    of_page = translator(language)("photo.problem.too_many_pixels")
    first_words = sentence.partition(": ")[0]
    assert of_page.startswith(f"{first_words}: ") and not set(of_page) & set("0123456789")
