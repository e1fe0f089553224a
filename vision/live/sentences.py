"""What the live referee says beside the engine's own sentences, in three languages."""

from __future__ import annotations

from enum import Enum

from engine.messages import Language
from vision.live.changes import Change


class Remark(Enum):
    """What is said beside the names of changes."""

    TAKEN_AWAY = "taken_away"  # put right, and nothing is left of the meld
    ASK = "ask"


_TEXTS: dict[Change | Remark, dict[Language, str]] = {
    Change.MELD_LAID: {"es": "Bajan {row}.", "en": "{row} laid.", "it": "Calato {row}."},
    Change.TILES_ADDED: {
        "es": "Agregan {tiles}.",
        "en": "{tiles} added.",
        "it": "Aggiunto {tiles}.",
    },
    Change.WILD_MOVED: {
        "es": "Corren el comodín {tiles}.",
        "en": "The wild {tiles} moved.",
        "it": "Spostata la matta {tiles}.",
    },
    Change.TILE_REMOVED: {
        "es": "Levantan {tiles}.",
        "en": "{tiles} taken away.",
        "it": "Tolto {tiles}.",
    },
    Change.TILE_MOVED: {"es": "Mueven {tiles}.", "en": "{tiles} moved.", "it": "Spostato {tiles}."},
    Change.TAKEN_BACK: {
        "es": "Corregido: queda {row}.",
        "en": "Put right: now {row}.",
        "it": "Corretto: ora {row}.",
    },
    Remark.TAKEN_AWAY: {
        "es": "Corregido: {tiles}.",
        "en": "Put right: {tiles}.",
        "it": "Corretto: {tiles}.",
    },
    Remark.ASK: {
        "es": "No se lee con seguridad: ¿está bien «{row}»?",
        "en": "Not surely read: is “{row}” right?",
        "it": "Lettura incerta: è giusto «{row}»?",
    },
}


def say(what: Change | Remark, language: Language, **values: str) -> str:
    return _TEXTS[what][language].format(**values)
