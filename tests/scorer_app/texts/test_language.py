"""Three languages, each complete, each with the same blanks to fill, and every key that is asked
for exists.
"""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from engine.rulesets import RULESETS, Special
from engine.scoring import LineKind
from scorer_app.hand.fields import Refusal
from scorer_app.services.disk import DiskTrouble
from scorer_app.services.reading_queue import Stage
from scorer_app.store import PhotoState
from scorer_app.texts.translator import LANGUAGES, catalogue, choose, figure, translator
from tests.places import PROJECT
from vision.errors import Reason as VisionReason
from vision.reading import Notice as PhotoNotice

SOURCES = PROJECT / "scorer_app"


def blanks(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_complete(language: str) -> None:
    spanish, texts = catalogue("es"), catalogue(language)
    assert texts.keys() == spanish.keys()
    assert all(texts[key].strip() for key in texts)
    assert {key: blanks(text) for key, text in texts.items()} == {
        key: blanks(text) for key, text in spanish.items()
    }


def test_every_text_that_is_asked_for_by_name_exists() -> None:
    asked = set()
    for path in SOURCES.rglob("*"):
        if path.suffix in (".py", ".html", ".js"):
            asked |= set(
                re.findall(r"""\bsay\(\s*["']([\w.]+[\w])["']\s*[,)]""", path.read_text("utf-8"))
            )
    assert asked
    assert asked <= catalogue("es").keys()


def test_all_that_other_parts_may_tell_has_a_text() -> None:
    keys = [f"photo.problem.{reason.value}" for reason in VisionReason]
    keys += [f"photo.notice.{notice}" for notice in PhotoNotice]
    keys += [f"photo.stage.{stage}" for stage in (*Stage, *PhotoState)]
    keys += [f"line.{kind}" for kind in LineKind]
    keys += [f"error.edit.{reason}" for reason in Refusal]
    keys += [f"{kind}.{trouble}" for kind in ("error", "photo.problem") for trouble in DiskTrouble]
    keys += [f"canasta.{name}" for rules in RULESETS.values() for name, _ in rules.canasta_values]
    keys += [f"special.{name}" for name in Special] + [f"ruleset.{name}" for name in RULESETS]
    assert [key for key in keys if key not in catalogue("es")] == []


@pytest.mark.parametrize(
    ("language", "written"), [("es", "12.345,6"), ("en", "12,345.6"), ("it", "12.345,6")]
)
def test_figures_are_written_as_the_language_writes_them(language: str, written: str) -> None:
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


def test_an_unknown_text_is_told_by_its_key() -> None:
    assert translator("en")("no.such.text") == "no.such.text"


def test_a_page_speaks_the_browsers_language(client: FlaskClient) -> None:
    assert "Score a hand" in client.get("/", headers={"Accept-Language": "en"}).text
    assert 'lang="it"' in client.get("/", headers={"Accept-Language": "it"}).text
