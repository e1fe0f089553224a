"""The options of a match, how its rules differ from the usual ones, and its card of rules."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from engine.rulesets import RULESETS
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import (
    new_match,
    saved_hand,
)


def test_options_change_the_count_and_the_rules_card(scorer: Scorer) -> None:
    match = new_match(
        scorer,
        target="1500",
        tile_J="30",
        canasta_pura="500",
        options_shown="yes",
        muerto_penalty_if_nobody="yes",
    )
    hand = scorer.begin(match)
    view = scorer.tap(hand, "A", "melds", "3R 4R 5R 6R 7R 8R 9R J").get_json()
    assert view["score"]["A"]["puntos"] == 45 + 30
    card = scorer.client.get(f"/matches/{match}/rules").text
    assert '<dt class="tile">comodín</dt><dd>30</dd>' in card
    assert "<dt>Canasta pura</dt><dd>500</dd>" in card
    assert "1.500" in card


@pytest.mark.parametrize(
    ("language", "fields", "told"),
    [
        ("en", {"ruleset": "burako", "close_bonus": "150"}, "Each ruleset gives it another value."),
        ("en", {"ruleset": "pagat"}, "Burako by Pagat does not count it."),
        (
            "en",
            {"ruleset": "burako", "options_shown": "yes"},
            "The changed ruleset does not count it.",
        ),
        ("en", {"ruleset": "burraco_it"}, "It is another canasta: canasta pura → burraco pulito."),
        ("it", {"ruleset": "burraco_it"}, "Ogni regolamento gli dà un altro valore."),
    ],
)
def test_a_difference_is_explained_in_a_whole_sentence(
    scorer: Scorer, language: str, fields: dict[str, str], told: str
) -> None:
    _hand, match = saved_hand(scorer)
    scorer.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    found = scorer.compare(match, canasta_pulito="300", **fields).text
    assert told in re.findall('<p class="remark">([^<]*)</p>', found)


def points_of(scorer: Scorer, **fields: str) -> dict[str, str]:
    """Begin a match by the page's form, and return the points that its card of rules lists."""
    card = scorer.client.get(f"/matches/{new_match(scorer, **fields)}/rules").text
    (points,) = re.findall(r'<dl class="points">(.*?)</dl>', card)
    return dict(re.findall("<dt>([^<]+)</dt><dd>([^<]+)</dd>", points))


def test_the_rules_card_names_what_special_canastas_are_paid_with_a_wild(scorer: Scorer) -> None:
    named = ("wilds", "ones", "one_to_thirteen", "one_to_one")
    specials = {f"special_{name}": "yes" for name in named}
    points = points_of(scorer, special_ones_impura="", muerto_penalty="0", **specials)
    assert points["De comodines y doses"] == "1.000"
    assert points["De unos"] == "500/como canasta"
    assert points["Del 1 al 13"] == "500/como canasta"
    assert points["Del 1 al 1"] == "1.000/como canasta"
    assert "Muerto sin tomar" not in points


def test_the_rules_card_allows_twos_where_a_canasta_of_wilds_is_paid(scorer: Scorer) -> None:
    for fields, told in (({}, "no de doses."), ({"special_wilds": "yes"}, "también de doses.")):
        match = new_match(scorer, ruleset="burraco_it", **fields)
        assert told in scorer.client.get(f"/matches/{match}/rules").text


@pytest.mark.parametrize(("price", "paid"), [("", 200), ("700", 700)])
def test_a_special_canasta_without_a_price_is_paid_as_any_canasta(
    scorer: Scorer, price: str, paid: int
) -> None:
    """The empty field says "como canasta"; canastas with a wild keep the usual price of ones."""
    fields = {"options_shown": "yes", "special_ones": "yes", "special_ones_pura": price}
    match = new_match(scorer, **fields)
    hand = scorer.begin(match)
    lines = scorer.tap(hand, "A", "melds", "1R 1R 1B 1B 1K 1K 1Y").get_json()["score"]["A"]
    assert lines["base"] == paid
    assert (
        f"<dd>{price or 'como canasta'}/300</dd>"
        in scorer.client.get(f"/matches/{match}/rules").text
    )
    assert (
        f'name="special_ones_pura" value="{price}"'
        in scorer.client.get(f"/matches/{match}/edit").text
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"side_a": ""}, "Un lado: hacen falta entre 1 y 40 letras."),
        ({"side_a": "x" * 41}, "Un lado: hacen falta entre 1 y 40 letras."),
        ({"ruleset": "canasta"}, "Reglamento: ese valor no se puede usar."),
        ({"target": "0"}, "Se juega a: ese valor no se puede usar."),
        ({"target": "many"}, "Se juega a: tiene que ser un número entero."),
        ({"tile_7": "1.5"}, "Valor de las fichas: tiene que ser un número entero."),
        ({"hand_size": "30"}, "Fichas por jugador: ese valor no se puede usar."),
        ({"close_requires": "two"}, "Para cerrar hace falta: ese valor no se puede usar."),
    ],
)
def test_a_match_that_cannot_be_is_answered_with_the_form_and_a_sentence(
    scorer: Scorer, wrong: dict[str, str], told: str
) -> None:
    form = {
        "side_a": "A",
        "side_b": "B",
        "players": "4",
        "ruleset": "burako",
        "options_shown": "yes",
        **wrong,
    }
    refused = scorer.form("/matches/new", **form)
    assert refused.status_code == 422
    assert re.search(rf'(role="alert"|id="wrong")>{re.escape(told)}</', refused.text)
    # A box that was not ticked is not ticked when the form comes back.
    assert not re.search(r'name="muerto_bonus" value="yes" checked', refused.text)


@pytest.mark.parametrize("rules", RULESETS)
def test_every_ruleset_has_its_cards(scorer: Scorer, rules: str) -> None:
    match = new_match(scorer, ruleset=rules)
    for page in ("rules", "deal", "share", "others", ""):
        assert scorer.client.get(f"/matches/{match}/{page}".rstrip("/")).status_code == 200
    assert scorer.form(f"/matches/{match}/die").status_code == 303
    deal = scorer.client.get(f"/matches/{match}/deal").text
    assert "empieza" in deal
    assert ("El reglamento habla de" in deal) == (rules == "buracco")


def test_two_packs_of_cards_have_four_jollies_by_any_rules(app: Flask, scorer: Scorer) -> None:
    matches = parts_of(app).matches
    rules = matches.tally(new_match(scorer, pieces="cards")).rules
    assert (rules.pieces, rules.rules.jokers) == ("cards", 4)
    fewer = matches.tally(new_match(scorer, pieces="cards", jokers="2")).rules
    assert fewer.rules.jokers == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [({}, False), ({"target": "2000"}, False), ({"target": "2000", "close_bonus": "50"}, True)],
)
def test_a_target_alone_is_no_option_of_the_table(
    scorer: Scorer, options: dict[str, str], told: bool
) -> None:
    match = new_match(scorer, **options)
    for page in (f"/matches/{match}", f"/matches/{match}/rules", "/"):
        found = scorer.client.get(page).text.split('id="texts"')[0]
        assert (" opciones de la mesa" in found) is told, page
        assert ("a 2.000" in found) is ("target" in options) or page.endswith("rules")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"pieces": "cards", "jokers": "4"}, False),  # as two packs have
        ({"pieces": "cards", "jokers": "2"}, True),
        ({"pieces": "tiles", "jokers": "4"}, True),
        ({"pieces": "tiles", "jokers": "2"}, False),
    ],
)
def test_the_jokers_of_a_whole_set_are_no_option_of_the_table(
    scorer: Scorer, fields: dict[str, str], told: bool
) -> None:
    page = scorer.client.get(f"/matches/{new_match(scorer, **fields)}").text
    assert (" opciones de la mesa" in page.split('id="texts"')[0]) is told


@pytest.mark.parametrize(("now", "then"), [("cards", "tiles"), ("tiles", "cards")])
def test_other_pieces_bring_their_own_jokers_though_the_form_shows_those_of_the_former(
    app: Flask, scorer: Scorer, now: str, then: str
) -> None:
    """A browser whose scripts did not come sends the number that the page came with."""
    match = new_match(scorer, pieces=now, jokers="4" if now == "cards" else "2")
    page = scorer.client.get(f"/matches/{match}/edit").text
    (shown,) = re.findall(r'name="options_shown" value="(\w+)"', page)
    (jokers,) = re.findall(r"<option selected>(\d)</option>", page)
    form = {"side_a": "A", "side_b": "B", "ruleset": "burako", "options_shown": shown}
    switches = {"muerto_penalty_if_nobody": "yes", "void_without_canasta": "yes"}
    scorer.form(
        f"/matches/{match}/edit",
        **form | switches | {"muerto_bonus": "yes", "pieces": then, "jokers": jokers},
    )
    tally = parts_of(app).matches.tally(match)
    assert (tally.match.pieces, tally.has_options) == (then, False)
    assert tally.rules.rules.jokers == (4 if then == "cards" else 2)
