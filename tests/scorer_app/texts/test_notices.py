"""The command line speaks of its options, and not of the pages of a match."""

from __future__ import annotations

import pytest

from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.texts.notices import explain_photo_notice
from scorer_app.texts.translator import translator
from vision.reading import Notice


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("notice", "option"), [(Notice.OTHER_SET, "--set"), (Notice.OTHER_PIECES, "--pieces")]
)
def test_a_photograph_of_other_tiles_or_cards_is_told_with_the_option(
    notice: Notice, option: str, language: Language
) -> None:
    assert option in explain_photo_notice(notice, translator(language))
