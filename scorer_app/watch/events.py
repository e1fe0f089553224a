"""Events of a watched table, numbered for its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer_app.texts.events import correction_sentence, event_to_json
from scorer_app.texts.languages import Language
from scorer_app.texts.verdicts import split_change

if TYPE_CHECKING:
    from vision.live import LiveEvent


@dataclass(frozen=True)
class TableEvent:
    """An event of a watched table. `thumbnail` is a JPEG of the tiles that the event is about; None
    where it is not known where they lie.

    `number` counts from 1. A `corrected` event follows from what a person told the program, not
    from what a player did.
    """

    number: int
    event: LiveEvent
    thumbnail: bytes | None
    corrected: bool = False

    def to_json(self, language: Language, moment: float) -> dict[str, Any]:
        """Return the JSON of the event for a page, with its age in seconds at `moment`."""
        data = {
            **event_to_json(self.event, language),
            "number": self.number,
            "alarming": self.event.alarming,
            "ago": round(max(0.0, moment - self.event.time), 1),
            "thumbnail": self.thumbnail is not None,
        }
        if self.corrected:
            data["message"] = correction_sentence(self.event, language)
        verdict = self.event.verdict
        if verdict is not None and not verdict.legal:
            data["rule"], data["fix"] = split_change(verdict, self.event.rules, language)
        return data
