"""Sentences about events on a watched table and about cameras, made of the codes of `vision`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from engine.tiles import Tile
from scorer_app.texts.languages import DEFAULT, Language
from scorer_app.texts.translator import translator
from scorer_app.texts.verdicts import explain_change

if TYPE_CHECKING:
    from vision.live import LiveEvent
    from vision.live.sources import SourceProblem


def event_sentence(event: LiveEvent, language: Language = DEFAULT) -> str:
    """Return sentences that say what happened and what the verdict is, and ask about a doubtful
    tile.
    """
    say = translator(language)
    values = {"tiles": _in_notation(event.tiles), "row": _in_notation(event.row)}
    # A meld that was put right by taking all of it away has no row to name.
    was_put_right = event.kind.value == "taken_back"
    key = "taken_away" if was_put_right and not event.row else event.kind.value
    sentence = say(f"live.event.{key}", **values)
    if event.verdict is not None and not was_put_right:
        verdict = explain_change(event.verdict, event.rules, language)
        sentence = f"{sentence} {verdict}".rstrip()
    if event.doubtful:
        asked = values if event.row else {"row": values["tiles"]}  # of a meld that is gone
        sentence = f"{sentence} {say('live.event.ask', **asked)}"
    return sentence


def correction_sentence(event: LiveEvent, language: Language = DEFAULT) -> str:
    """Return sentences that give the verdict after a person corrected a tile.

    Unlike those of `event_sentence` they do not say that anybody laid or took a tile.
    """
    sentence = translator(language)("live.corrected", tiles=_in_notation(event.tiles))
    verdict = event.verdict and explain_change(event.verdict, event.rules, language)
    return f"{sentence} {verdict or ''}".rstrip()


def event_to_json(event: LiveEvent, language: Language = DEFAULT) -> dict[str, Any]:
    """Return an event as `burako live --json` prints it, with its codes and its sentence."""
    return {**event.to_json(), "message": event_sentence(event, language)}


def camera_sentence(problem: SourceProblem, source: str, language: Language = DEFAULT) -> str:
    """Return a sentence that says what is wrong with the camera, stream or video file named
    `source`.
    """
    return translator(language)(f"camera.problem.{problem.value}", source=source)


def _in_notation(tiles: Iterable[Tile | None]) -> str:
    """Return the tiles in notation, with `?` for each None, which is a tile that could not be
    read.
    """
    return " ".join("?" if tile is None else str(tile) for tile in tiles)
