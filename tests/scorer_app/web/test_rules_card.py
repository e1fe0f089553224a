"""The figures that the cards for the table name are told of rightly, the smallest ones too."""

from __future__ import annotations

import re

import pytest

from engine import ruleset, with_options
from engine.pieces import Pieces
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator
from scorer_app.web.rules_card import rules_card

from ..conftest import Scorer
from ..hands import new_match


@pytest.mark.parametrize(
    ("options", "pieces", "language", "told"),
    [
        ({"pierna_max": 3}, Pieces.TILES, "es", "tres del mismo número, "),
        ({"pierna_max": 3}, Pieces.TILES, "en", "three of one number, "),
        ({"pierna_max": 3}, Pieces.TILES, "it", "tre dello stesso numero, "),
        ({"pierna_max": 3}, Pieces.CARDS, "es", "tres iguales, "),
        ({"pierna_max": 4}, Pieces.TILES, "es", "de tres a 4 del mismo número, "),
        ({"wilds_per_meld": 0}, Pieces.TILES, "es", "el comodín; máximo por juego: 0."),
        ({"wilds_per_meld": 1}, Pieces.TILES, "en", "jokers and 2s; most in a meld: 1."),
        ({"wilds_per_meld": 2}, Pieces.TILES, "it", "i jolly e i 2; massimo per gioco: 2."),
        ({"copies": {"J": 1}}, Pieces.TILES, "es", "de 105 (comodines: 1);"),
        ({"copies": {"J": 1}}, Pieces.CARDS, "en", "from 105 (jokers: 1);"),
    ],
)
def test_a_rule_is_told_with_the_smallest_figure_too(
    options: dict[str, object], pieces: Pieces, language: Language, told: str
) -> None:
    rules = with_options(ruleset("burako"), options)
    card = rules_card(rules, translator(language, pieces), pieces)
    assert told in " | ".join(sentence for _, sentence in card.rules)


@pytest.mark.parametrize(
    ("hand_size", "stock"), [("11", 40), ("18", 12), ("19", 8), ("20", 4), ("21", 0)]
)
def test_what_is_left_to_draw_is_told_whether_it_makes_piles_or_not(
    scorer: Scorer, hand_size: str, stock: int
) -> None:
    match = new_match(scorer, hand_size=hand_size, options_shown="tiles")
    page = scorer.client.get(f"/matches/{match}/deal").text
    assert f"<b>{stock}</b><span>para robar, en pilas de hasta 10</span>" in page


@pytest.mark.parametrize(
    ("language", "of_one", "of_two"),
    [
        ("es", "falta 1", "faltan 2"),
        ("en", "1 to go", "2 to go"),
        ("it", "manca 1", "mancano 2"),
    ],
)
def test_a_sheet_tells_of_one_lacking_point_in_the_singular(
    scorer: Scorer, language: str, of_one: str, of_two: str
) -> None:
    match = new_match(scorer, target="101")
    scorer.form(f"/matches/{match}/count", base_A="100", base_B="99")
    page = scorer.client.get(f"/matches/{match}", headers={"Accept-Language": language}).text
    row = page.partition('<tr class="lacking">')[2].partition("</tr>")[0]
    assert re.findall(r"<td>([^<]+)</td>", row) == [of_one, of_two]
