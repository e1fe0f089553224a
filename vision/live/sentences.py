"""What the live referee says beside the engine's own sentences, in three languages."""

from __future__ import annotations

from enum import Enum

from engine.messages import Language


class Sentence(Enum):
    """The values of the first six are the names of the events they open."""

    MELD_LAID = "meld_laid"
    TILES_ADDED = "tiles_added"
    WILD_MOVED = "wild_moved"
    TILE_REMOVED = "tile_removed"
    TILE_MOVED = "tile_moved"
    TAKEN_BACK = "taken_back"
    TAKEN_AWAY = "taken_away"  # put right, and nothing is left of the meld
    ASK = "ask"


_TEXTS: dict[Sentence, dict[Language, str]] = {
    Sentence.MELD_LAID: {"es": "Bajan {row}.", "en": "{row} laid.", "it": "Calato {row}."},
    Sentence.TILES_ADDED: {"es": "Agregan {tiles}.", "en": "{tiles} added.", "it": "Aggiunto {tiles}."},
    Sentence.WILD_MOVED: {"es": "Corren el comodín {tiles}.", "en": "The wild {tiles} moved.", "it": "Spostata la matta {tiles}."},
    Sentence.TILE_REMOVED: {"es": "Levantan {tiles}.", "en": "{tiles} taken away.", "it": "Tolto {tiles}."},
    Sentence.TILE_MOVED: {"es": "Mueven {tiles}.", "en": "{tiles} moved.", "it": "Spostato {tiles}."},
    Sentence.TAKEN_BACK: {"es": "Corregido: queda {row}.", "en": "Put right: now {row}.", "it": "Corretto: ora {row}."},
    Sentence.TAKEN_AWAY: {"es": "Corregido: {tiles}.", "en": "Put right: {tiles}.", "it": "Corretto: {tiles}."},
    Sentence.ASK: {
        "es": "No se lee con seguridad: ¿está bien «{row}»?",
        "en": "Not surely read: is “{row}” right?",
        "it": "Lettura incerta: è giusto «{row}»?",
    },
}


def say(sentence: Sentence, language: Language, **values: str) -> str:
    return _TEXTS[sentence][language].format(**values)
