"""In which language the program speaks, and how it writes figures."""

from __future__ import annotations

from datetime import datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer_app.texts import languages
from scorer_app.texts import translator as texts
from scorer_app.texts.languages import LANGUAGES, Language, Locale, choose
from scorer_app.texts.translator import figure, translator
from scorer_app.web.pages import context, settings
from scorer_app.web.pages.context import day


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


@pytest.mark.parametrize(("language", "tag"), [("es", "es-AR"), ("en", "en"), ("it", "it")])
def test_a_page_names_its_language_for_the_browser(
    client: FlaskClient, language: str, tag: str
) -> None:
    page = client.get("/", headers={"Accept-Language": language}).text
    assert f'<html lang="{tag}"' in page


@pytest.mark.parametrize(
    ("language", "written"), [("es", "05/03/2026"), ("en", "05 Mar 2026"), ("it", "05/03/2026")]
)
def test_days_are_written_as_the_language_writes_them(
    app: Flask, language: str, written: str
) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        assert day(datetime(2026, 3, 5, 12)) == written


def test_what_is_declared_of_a_further_language_is_all_that_pages_need(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = {**LANGUAGES, "xx": Locale("Xanés", "xx-AR", "%Y.%m.%d", ";")}
    for module in (languages, context, settings):
        monkeypatch.setattr(module, "LANGUAGES", declared)
    read = texts._read
    monkeypatch.setattr(texts, "_read", lambda name: read(name.replace("xx", "es")))
    asked = {"Accept-Language": "xx"}
    assert '<html lang="xx-AR"' in client.get("/", headers=asked).text
    page = client.get("/settings", headers=asked).text
    assert 'value="xx" checked><span lang="xx-AR">Xanés</span>' in page
    with app.test_request_context(headers=asked):
        assert day(datetime(2026, 3, 5, 12)) == "2026.03.05"
