"""What a watched table's pages are told of an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer_app.texts.events import correction_sentence, event_to_json
from scorer_app.texts.languages import Language

if TYPE_CHECKING:
    from vision.live import LiveEvent


@dataclass(frozen=True)
class Told:
    """An event and, as JPEG, the tiles it is about; `number` counts from 1. `corrected`: a person
    said so, nobody did anything.
    """

    number: int
    event: LiveEvent
    thumbnail: bytes | None
    corrected: bool = False

    def to_json(self, language: Language, moment: float) -> dict[str, Any]:
        told = {
            **event_to_json(self.event, language),
            "number": self.number,
            "alarming": self.event.alarming,
            "ago": round(max(0.0, moment - self.event.time), 1),
            "thumbnail": self.thumbnail is not None,
        }
        if self.corrected:
            told["message"] = correction_sentence(self.event, language)
        return told
