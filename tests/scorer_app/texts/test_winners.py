"""Who won, as people say it."""

from __future__ import annotations

import pytest

from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from scorer_app.texts.winners import won


@pytest.mark.parametrize(
    ("name", "language", "sentence"),
    [
        ("Nosotros", "es", "¡Ganamos!"),
        ("Ellos", "es", "Ganaron ellos"),
        ("Loro", "es", "Ganaron ellos"),
        ("They", "en", "They won"),
        ("Them", "en", "They won"),
        ("Noi", "it", "Abbiamo vinto!"),
        ("Ana", "es", "Ganó Ana"),
        ("Ana y Beto", "es", "Ganaron Ana y Beto"),
        ("Los Pérez", "es", "Ganaron Los Pérez"),
        ("Ana/Beto", "it", "Ana/Beto hanno vinto"),
        ("Leonardo", "it", "Leonardo ha vinto"),
        ("Losada", "es", "Ganó Losada"),
    ],
)
def test_a_winner_is_told_in_the_right_person_and_number(
    name: str, language: Language, sentence: str
) -> None:
    assert won(name, translator(language)) == sentence
