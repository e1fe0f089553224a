"""In which language the program speaks, and how it writes figures."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from scorer_app.texts.languages import Language, choose
from scorer_app.texts.translator import figure, translator


@pytest.mark.parametrize(
    ("language", "written"), [("es", "12.345,6"), ("en", "12,345.6"), ("it", "12.345,6")]
)
def test_figures_are_written_as_the_language_writes_them(language: Language, written: str) -> None:
    assert figure(12345.6, translator(language)) == written


@pytest.mark.parametrize(
    ("wanted", "accepted", "chosen"),
    [
        (None, None, "es"),
        ("it", "en", "it"),
        (None, "en-GB,en;q=0.8", "en"),
        (None, "fr-FR,it;q=0.5", "it"),
        ("xx", "de", "es"),
        (None, ";;;,", "es"),
    ],
)
def test_the_language_is_as_picked_else_as_the_browser_asks(
    wanted: str | None, accepted: str | None, chosen: str
) -> None:
    assert choose(wanted, accepted) == chosen


def test_a_page_speaks_the_browsers_language(client: FlaskClient) -> None:
    assert "Score a hand" in client.get("/", headers={"Accept-Language": "en"}).text
    assert 'lang="it"' in client.get("/", headers={"Accept-Language": "it"}).text
