"""Events of a watched table, numbered for its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer_app.texts.events import correction_sentence, event_to_json
from scorer_app.texts.languages import Language
from scorer_app.texts.verdicts import split_change

if TYPE_CHECKING:
    from vision.live import LiveEvent, StableTable


@dataclass(frozen=True)
class TableEvent:
    """An event of a watched table. `thumbnail` is a JPEG of the tiles that the event is about; None
    where it is not known where they lie.

    `number` counts from 1. A `corrected` event follows from what a person told the program, not
    from what a player did. `lies` says that the event left an illegal meld on the table.
    """

    number: int
    event: LiveEvent
    thumbnail: bytes | None
    corrected: bool = False
    lies: bool = False

    def to_json(self, language: Language, moment: float) -> dict[str, Any]:
        """Return the JSON of the event for a page. It tells how many seconds ago, at `moment`, the
        event happened; `moment` is in seconds of the clock of the watch.
        """
        data = {
            **event_to_json(self.event, language),
            "number": self.number,
            "alarming": self.event.alarming,
            "lies": self.lies,
            "mends": self.event.mends,
            "ago": round(max(0.0, moment - self.event.time), 1),
            "thumbnail": self.thumbnail is not None,
        }
        if self.corrected:
            data["message"] = correction_sentence(self.event, language)
        verdict = self.event.verdict
        if verdict is not None and not verdict.legal:
            data["rule"], data["fix"] = split_change(verdict, self.event.rules, language)
        return data


def leaves_illegal(event: LiveEvent, table: StableTable | None) -> bool:
    """Whether the event's meld lies on `table`, the table after the event, is surely read and
    illegal, and is not accepted by the players. False where `table` is None.
    """
    melds = table.melds if table is not None else ()
    meld = next((meld for meld in melds if meld.id == event.meld_id), None)
    if meld is None or meld.verdict is None:
        return False
    return not (meld.verdict.valid or meld.doubtful or meld.accepted)
