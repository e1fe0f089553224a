"""Words by which tests tell whether a text speaks of tiles or of cards, in each language."""

from __future__ import annotations

from scorer_app.texts.languages import Language

RACKS: dict[Language, set[str]] = {
    "es": {"atril", "atriles"},
    "en": {"rack", "racks"},
    "it": {"leggio", "leggii"},
}
# Words that no match of cards needs.
TILES: dict[Language, set[str]] = {
    "es": {"ficha", "fichas", *RACKS["es"]},
    "en": {"tile", "tiles", *RACKS["en"]},
    "it": {"tessera", "tessere", *RACKS["it"]},
}
# Words that no rule of a match of tiles needs.
CARDS: dict[Language, set[str]] = {
    "es": {"carta", "cartas", "mazo"},
    "en": {"card", "cards"},
    "it": {"carta", "carte", "mazzo"},
}
