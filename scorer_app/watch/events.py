"""What a watched table's pages are told of an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from scorer_app.texts.verdicts import explain_change

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
            **self.event.to_json(language),
            "number": self.number,
            "alarming": self.event.alarming,
            "ago": round(max(0.0, moment - self.event.time), 1),
            "thumbnail": self.thumbnail is not None,
        }
        return told | {"message": self._corrected(language)} if self.corrected else told

    def _corrected(self, language: Language) -> str:
        """The verdict on what a person corrected: nobody laid or took anything, as the event's own
        sentence would say.
        """
        tiles = " ".join(str(tile) for tile in self.event.tiles)
        verdict = self.event.verdict and explain_change(
            self.event.verdict, self.event.rules, language
        )
        return f"{translator(language)('live.corrected', tiles=tiles)} {verdict or ''}".rstrip()
