"""The sentences about live events and cameras, in all languages."""

from __future__ import annotations

import json

import pytest

from engine.changes import Change, ChangeVerdict, judge_change
from engine.rulesets import ruleset
from engine.tiles import tiles
from scorer_app.texts.events import (
    camera_sentence,
    correction_sentence,
    event_sentence,
    event_to_json,
)
from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.texts.translator import catalogue
from vision.live import ChangeKind, LiveEvent
from vision.live.sources import SourceProblem
from vision.live.table.kinds import TileRow

BURAKO = ruleset("burako")
GAP = judge_change(Change((tiles("3R 4R 5R"),), (tiles("3R 4R 5R 7R"),), added=tiles("7R")), BURAKO)


def event(
    kind: ChangeKind,
    named: TileRow,
    row: TileRow,
    verdict: ChangeVerdict | None = GAP,
    doubtful: bool = False,
) -> LiveEvent:
    return LiveEvent(1.5, 15, kind, named, row, 1, "A", verdict, doubtful, BURAKO, (1, 2, 3, 4))


def test_what_happened_comes_first_then_the_verdict() -> None:
    added = event(ChangeKind.TILES_ADDED, tiles("7R"), tiles("3R 4R 5R 7R"))
    assert event_sentence(added, "es").startswith(
        "7R a un juego. La escalera está incompleta sin 6R."
    )
    assert event_sentence(added, "en").startswith("7R added. The run lacks 6R.")
    assert event_sentence(added, "it").startswith(
        "7R in un gioco. La sequenza è incompleta senza 6R."
    )


@pytest.mark.parametrize("named", ["7R", "6R 7R"])
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (ChangeKind.TILES_ADDED, "{} in un gioco."),
        (ChangeKind.TILE_REMOVED, "{} via dal tavolo."),
        (ChangeKind.TILE_MOVED, "{} in un altro posto."),
        (ChangeKind.WILD_MOVED, "{} in un altro posto del gioco."),
    ],
)
def test_italian_tells_of_one_tile_as_of_several(
    kind: ChangeKind, sentence: str, named: str
) -> None:
    happened = event(kind, tiles(named), tiles("3R 4R 5R"), verdict=None)
    assert event_sentence(happened, "it") == sentence.format(named)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_happened_is_said_without_a_verb_that_would_have_to_agree(language: Language) -> None:
    """The name of a side stands before it: "Nosotros", "Ana" or "Los Pérez"."""
    for kind in ChangeKind:
        named = event(kind, tiles("3R 4R"), tiles("3R 4R"), verdict=None)
        if kind is not ChangeKind.TAKEN_BACK:
            assert event_sentence(named, language).startswith("3R 4R "), kind


def test_a_doubtful_or_unread_tile_is_asked_about() -> None:
    unread: TileRow = (None, *tiles("4R 5R"))
    laid = event(ChangeKind.MELD_LAID, unread, unread, verdict=None, doubtful=True)
    assert (
        event_sentence(laid) == "? 4R 5R a la mesa. No se lee con seguridad: ¿está bien «? 4R 5R»?"
    )


def test_of_a_meld_that_is_gone_the_tiles_that_were_taken_are_asked_about() -> None:
    gone = event(ChangeKind.TILE_REMOVED, tiles("3R 4R 5R"), (), verdict=None, doubtful=True)
    assert event_sentence(gone, "en") == (
        "3R 4R 5R taken away. Not surely read: is “3R 4R 5R” right?"
    )


@pytest.mark.parametrize(
    ("row", "sentence"),
    [("3R 4R 5R", "Put right: now 3R 4R 5R."), ("", "Put right: 7R.")],
)
def test_what_is_put_right_needs_no_verdict(row: str, sentence: str) -> None:
    taken_back = event(ChangeKind.TAKEN_BACK, tiles("7R"), tiles(row), ChangeVerdict())
    assert event_sentence(taken_back, "en") == sentence


def test_a_corrected_reading_is_nobodys_deed() -> None:
    corrected = event(ChangeKind.TILES_ADDED, tiles("7R"), tiles("3R 4R 5R 7R"))
    sentence = correction_sentence(corrected, "en")
    assert "added" not in sentence and "7R" in sentence and "The run lacks 6R." in sentence


def test_the_sentence_is_the_last_of_the_codes() -> None:
    added = event(ChangeKind.TILES_ADDED, tiles("7R"), tiles("3R 4R 5R 7R"))
    shown = json.loads(json.dumps(event_to_json(added, "en")))
    assert list(shown)[-1] == "message" and shown["message"] == event_sentence(added, "en")
    del shown["message"]
    assert shown == {
        "time": 1.5,
        "frame": 15,
        "event": "tiles_added",
        "tiles": ["7R"],
        "meld": ["3R", "4R", "5R", "7R"],
        "meld_id": 1,
        "side": "A",
        "legal": False,
        "reason": "gap",
        "doubtful": False,
        "box": [1, 2, 3, 4],
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_event_and_every_problem_has_a_sentence(language: Language) -> None:
    keys = [f"live.event.{kind}" for kind in ChangeKind]
    keys += [f"camera.problem.{problem.value}" for problem in SourceProblem]
    assert [key for key in keys if key not in catalogue(language)] == []
    for problem in SourceProblem:
        sentence = camera_sentence(problem, "rtsp://camera", language)
        assert "rtsp://camera" in sentence and "\n" not in sentence
