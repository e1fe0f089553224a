"""A match of cards: it is offered with the Italian rules, written in cards, read as cards, and
never watched by a camera.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from vision.reading import Notice

from ..conftest import Scorer, closing, scoring, taps
from ..hands import CANASTA, new_match, send, when_read
from ..pictures import RecordedReader, picture_of
from ..texts import words_of_pieces

CARDS = {"ruleset": "burraco_it", "pieces": "cards"}
RENAMED = {"side_a": "Los Pérez", "side_b": "Visitas"}


def proposed(client: FlaskClient, query: str = "", **headers: str) -> str:
    """Return the kind of pieces that the form of a new match proposes."""
    page = client.get(f"/matches/new{query}", headers=headers, follow_redirects=True).text
    (ticked,) = re.findall(r'name="pieces" value="(\w+)" checked', page)
    return str(ticked)


def begun_with_one_tap(app: Flask, scorer: Scorer, **asked: str) -> TableRules:
    """Return the rules of the match that one tap on the first page begins."""
    hand = scorer.form("/score", **asked).headers["Location"].rsplit("/", 1)[1]
    return parts_of(app).matches.tally(scorer.hand(hand)["match"]).rules


def test_the_italian_rules_propose_cards_and_others_tiles(scorer: Scorer) -> None:
    client = scorer.client
    assert proposed(client) == "tiles"
    assert proposed(client, "?rules=burraco_it") == "cards"
    assert proposed(client, "?rules=burraco_it&pieces=tiles") == "tiles"
    assert proposed(client, "?rules=burako&pieces=cards") == "cards"
    assert proposed(client, **{"Accept-Language": "it"}) == "cards"
    assert proposed(client, "?pieces=dominoes") == "tiles"


def test_pieces_that_do_not_exist_are_refused_with_the_form(scorer: Scorer) -> None:
    fields = {"side_a": "A", "side_b": "B", "ruleset": "burako", "pieces": "dominoes"}
    answer = scorer.form("/matches/new", **fields)
    assert (answer.status_code, "¿Con qué juegan?" in answer.text) == (422, True)
    assert scorer.form("/score", pieces="dominoes").status_code == 422


def test_what_is_wrong_with_the_form_of_cards_is_told_in_cards(scorer: Scorer) -> None:
    for pieces, label in (("cards", "Cartas por pierna"), ("tiles", "Fichas por pierna")):
        fields = {**RENAMED, "ruleset": "burako", "pieces": pieces, "pierna_max": "2"}
        answer = scorer.form("/matches/new", **fields)
        assert answer.status_code == 422
        assert f'id="wrong">{label}: ' in answer.text


@pytest.mark.parametrize(
    ("language", "asked", "expected"),
    [
        ("es", {}, ("burako", "tiles", 2)),
        ("es", {"pieces": "cards"}, ("burraco_it", "cards", 4)),
        ("it", {}, ("burraco_it", "cards", 4)),
        ("it", {"pieces": "tiles"}, ("burraco_it", "tiles", 4)),
    ],
)
def test_a_hand_with_one_tap_is_of_what_the_button_says(
    app: Flask, scorer: Scorer, language: str, asked: dict[str, str], expected: tuple[str, str, int]
) -> None:
    scorer.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    rules = begun_with_one_tap(app, scorer, **asked)
    assert (rules.rules.id, rules.pieces, rules.rules.jokers) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ("buraco", "cards")),
        ({"pieces": "cards"}, ("buraco", "cards")),
        ({"pieces": "tiles"}, ("burako", "tiles")),
    ],
)
def test_a_new_match_is_played_as_the_last_one_was(
    app: Flask, scorer: Scorer, asked: dict[str, str], expected: tuple[str, str]
) -> None:
    assert 'data-pieces="tiles"' in scorer.client.get("/").text
    match = new_match(scorer, ruleset="buraco", pieces="cards")
    for page in ("/", "/settings", "/matches/new"):
        assert 'data-pieces="cards"' in scorer.client.get(page, follow_redirects=True).text
    assert 'value="buraco" checked' in scorer.client.get("/matches/new", follow_redirects=True).text
    assert proposed(scorer.client, "?rules=burako") == "tiles"
    won = scorer.form(f"/matches/{match}/count", base_A="9000")
    assert won.status_code == 303 and parts_of(app).matches.tally(match).finished
    rules = begun_with_one_tap(app, scorer, **asked)
    assert (rules.rules.id, rules.pieces) == expected


def test_the_rules_that_a_server_is_configured_for_come_first(
    config: AppConfig, reader: RecordedReader
) -> None:
    app = create_app(replace(config, ruleset="pagat"), reader)
    try:
        scorer = Scorer.of(app)
        match = new_match(scorer, **CARDS)
        assert (
            'value="pagat" checked' in scorer.client.get("/matches/new", follow_redirects=True).text
        )
        assert scorer.form(f"/matches/{match}/count", base_A="9000").status_code == 303
        rules = begun_with_one_tap(app, scorer)
        assert (rules.rules.id, rules.pieces) == ("pagat", "cards")
    finally:
        close(app)


def test_samples_have_the_rules_of_a_first_match(app: Flask, scorer: Scorer) -> None:
    new_match(scorer, ruleset="buraco", pieces="cards")
    hand = scorer.form("/samples", pieces="cards").headers["Location"].rsplit("/", 1)[1]
    rules = parts_of(app).matches.tally(scorer.hand(hand)["match"]).rules
    assert rules.rules.id == "burraco_it"


def test_samples_and_matches_put_away_are_not_the_last_one_played(scorer: Scorer) -> None:
    match = new_match(scorer, **CARDS)
    assert scorer.form(f"/matches/{match}/archive", archived="yes").status_code == 303
    assert scorer.form("/samples", pieces="cards").status_code == 303
    assert proposed(scorer.client) == "tiles"


def test_a_closing_by_the_italian_rules_asks_for_a_burraco(scorer: Scorer) -> None:
    for requires, needed in (("canasta", "un burraco"), ("pura", "un burraco pulito")):
        match = new_match(scorer, **CARDS, close_requires=requires)
        hand = scorer.begin(match)
        scorer.edit(hand, *taps("A", "melds", "3R 4R 5R"), *closing(muerto=True))
        (asked,) = (one for one in scorer.hand(hand)["questions"] if one["ask"] == "closing")
        assert asked["text"].startswith(f"Para cerrar hace falta {needed}. ")
        rules = scorer.client.get(f"/matches/{match}/rules").text
        assert f"con {needed}, el muerto tomado y sin cartas." in rules
        form = scorer.client.get(f"/matches/{match}/edit").text
        assert f'<option value="{requires}" selected>{needed}</option>' in form


def test_a_hand_of_cards_is_told_in_cards(scorer: Scorer) -> None:
    hand = scorer.begin(new_match(scorer, **CARDS))
    scorer.tap(hand, "A", "melds", "11R 12R 13Y")
    view = scorer.hand(hand)
    (row,) = view["rows"]
    text = row["verdict"]["text"]
    assert "palo" in text and "KD" in text and "13Y" not in text
    assert view["undo"]["text"] == "agregar rey de diamantes"
    page = scorer.client.get(f"/hands/{hand}").text
    assert 'data-pieces="cards"' in page and "Tocar cartas" in page
    assert not re.search(r"\bfichas?\b|\batril\b", page.split("<script")[0])


def test_a_meld_on_the_score_sheet_is_named_by_what_is_printed(scorer: Scorer) -> None:
    hand = scorer.begin(new_match(scorer, **CARDS))
    scorer.tap(hand, "A", "melds", "10R 11R 12R 13R 1R")
    assert scorer.hand(hand)["score"]["A"]["lines"][0]["label"] == "Escalera 10–A"


@pytest.fixture(scope="module")
def of_cards(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> Iterator[tuple[Scorer, str]]:
    """A scorer and a match of cards, for tests that only look at its pages."""
    with scoring(tmp_path_factory.mktemp("of_cards"), empty_database) as scorer:
        yield scorer, new_match(scorer, **CARDS)


def sentences_with(words: set[str], text: str) -> list[str]:
    """Return the beginnings of the sentences that hold one of these words, up to the word."""
    return re.findall(rf"[^.>]*\b(?:{'|'.join(words)})\b", text)


@pytest.mark.parametrize("page", ["", "/rules", "/deal", "/edit", "/share", "/compare", "/table"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_a_match_of_cards_speaks_of_tiles(
    of_cards: tuple[Scorer, str], language: Language, page: str
) -> None:
    scorer, match = of_cards
    scorer.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    shown = scorer.client.get(f"/matches/{match}{page}").text
    shown = re.sub(r'<script type="application/json".*?</script>', "", shown, flags=re.DOTALL)
    shown = re.sub(
        r'<fieldset class="choice" id="pieces".*?</fieldset>', "", shown, flags=re.DOTALL
    )
    found = sentences_with(words_of_pieces.TILES[language], re.sub(r"<[^>]*>", " ", shown))
    for_live = 1 if page in ("", "/table") else 0  # that the camera follows only tiles
    assert len(found) == for_live, found


@pytest.mark.parametrize(
    ("language", "stock"), [("es", "en el mazo"), ("en", "in the stock"), ("it", "nel tallone")]
)
@pytest.mark.parametrize("ruleset", ["burraco_it", "burako"])
def test_cards_are_drawn_from_one_stock_not_from_piles_of_ten(
    scorer: Scorer, language: str, stock: str, ruleset: str
) -> None:
    match = new_match(scorer, ruleset=ruleset, pieces="cards")
    scorer.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    page = scorer.client.get(f"/matches/{match}/deal").text
    words = re.sub(r"<script.*?</script>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert stock in words
    assert re.findall(r"\b(?:pilas?|piles?)\b", words) == []
    piles, _muertos = re.findall(r'<span class="stack-row[^>]*>((?:<i></i>)*)</span>', page)
    assert piles == "<i></i>"


def test_the_stock_is_counted_with_the_card_that_is_turned_up_and_without_it(
    scorer: Scorer,
) -> None:
    match = new_match(scorer, ruleset="burraco_it", pieces="cards")
    page = scorer.client.get(f"/matches/{match}/deal").text
    assert "<b>42</b>" in page
    assert "se da vuelta y empieza el pozo; el resto: 41." in page


@pytest.mark.parametrize("page", ["/rules", "/deal"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_italian_rules_speak_of_tiles_where_these_are_played_with(
    scorer: Scorer, language: Language, page: str
) -> None:
    match = new_match(scorer, ruleset="burraco_it", pieces="tiles")
    scorer.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    words = re.sub(
        r"<script.*?</script>|<[^>]*>",
        " ",
        scorer.client.get(f"/matches/{match}{page}").text,
        flags=re.DOTALL,
    )
    assert sentences_with(words_of_pieces.CARDS[language], words) == []


def test_photographs_are_read_anew_when_the_match_turns_out_to_be_of_cards(
    scorer: Scorer, reader: RecordedReader
) -> None:
    match = new_match(scorer)
    hand = scorer.begin(match)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    scorer.form(f"/matches/{match}/edit", ruleset="burako", pieces="cards", **RENAMED)
    when_read(scorer, hand)
    assert reader.pieces == ["tiles", "cards"]
    assert len(scorer.hand(hand)["tiles"]) == 3


@pytest.mark.parametrize("pieces", ["tiles", "cards"])
def test_what_a_change_of_pieces_does_is_told_in_the_pieces_that_were_played(
    scorer: Scorer, pieces: str
) -> None:
    match = new_match(scorer, pieces=pieces)
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", CANASTA)
    first, *rest = taps("A", "melds", "1B 2B 3B 4B 5B 6B 7B 8B 9B 10B 11B 12B 13B 1B")
    scorer.edit(hand, first | {"row": "new"}, *rest, *taps("B", "rack", "12B"), *closing())
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    other = "cards" if pieces == "tiles" else "tiles"
    fields = {**CARDS, **RENAMED, "pieces": other}
    answer = scorer.preview(match, **fields)
    (why,) = re.findall(r"[^>]*no da la vuelta.*?</p>", answer.text, re.DOTALL)
    ace = {"tiles": "1 azul", "cards": "as de tréboles"}[pieces]
    assert why.count(f'aria-label="{ace}"') == 2
    assert ("el 1 va" in why) is (pieces == "tiles")


@pytest.mark.parametrize("pieces", ["tiles", "cards"])
def test_a_photograph_of_the_other_pieces_is_told_with_the_way_out(
    scorer: Scorer, reader: RecordedReader, pieces: str
) -> None:
    picture = picture_of("3R 4R 5R")
    picture.reading["notices"] = [Notice.OTHER_PIECES.value]
    hand = scorer.begin(new_match(scorer, pieces=pieces))
    send(scorer, hand, "A", "melds", reader.add(picture))
    (told,) = when_read(scorer, hand)["photos"][0]["notices"]
    shown, played = ("cartas", "fichas") if pieces == "tiles" else ("fichas", "cartas")
    assert told.startswith(f"La foto muestra {shown} y la partida es de {played}")
    assert "«Cambiar la partida»" in told and "--pieces" not in told


def sent_by(form: str) -> dict[str, str]:
    """Return what a browser sends of the form of a match, as its page shows it."""
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    fields |= dict(re.findall(r'<input name="(\w+)"[^>]* value="([^"]*)"', form))
    fields |= dict(re.findall(r'type="radio" name="(\w+)" value="(\w+)" checked', form))
    fields |= dict(re.findall(r'type="number"[^>]* name="(\w+)" value="(\d*)"', form))
    fields |= {"jokers": re.findall(r"<option selected>(\d)</option>", form)[0]}
    switches = re.findall(r'type="checkbox" name="(\w+)" value="yes" checked', form)
    return {name: unescape(one) for name, one in fields.items()} | dict.fromkeys(switches, "yes")


@pytest.mark.parametrize(("pieces", "jokers"), [("tiles", (2, 4)), ("cards", (4, 2))])
def test_from_a_photograph_of_the_other_pieces_the_match_is_changed_and_the_hand_goes_on(
    app: Flask, scorer: Scorer, reader: RecordedReader, pieces: str, jokers: tuple[int, int]
) -> None:
    match = new_match(scorer, pieces=pieces)
    hand = scorer.begin(match)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    other = "cards" if pieces == "tiles" else "tiles"
    path = f"/matches/{match}/edit"
    page = scorer.client.get(f"{path}?pieces={other}&hand={hand}").text
    assert "las fotos de la mano se leen de nuevo" in page and f'href="/hands/{hand}"' in page
    fields = sent_by(page)
    assert (fields["pieces"], fields["hand"]) == (other, hand)
    assert parts_of(app).matches.tally(match).rules.rules.jokers == jokers[0]
    answer = scorer.form(path, **fields)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/hands/{hand}")
    rules = parts_of(app).matches.tally(match).rules
    assert (rules.rules.id, rules.pieces, rules.rules.jokers) == ("burako", other, jokers[1])
    when_read(scorer, hand)
    assert reader.pieces == [pieces, other]


def test_the_form_of_a_match_leads_back_to_its_own_unfinished_hand_alone(scorer: Scorer) -> None:
    match, stranger = new_match(scorer), scorer.begin(new_match(scorer))
    for query in (f"?hand={stranger}", "?pieces=tiles", "?pieces=dominoes"):
        page = scorer.client.get(f"/matches/{match}/edit{query}").text
        assert 'name="pieces" value="tiles" checked' in page and "se leen de nuevo" not in page
        assert f'href="/hands/{stranger}"' not in page
    fields = {"ruleset": "burako", "pieces": "cards", "hand": stranger, **RENAMED}
    answer = scorer.form(f"/matches/{match}/edit", **fields)
    assert answer.headers["Location"] == f"/matches/{match}"


def test_the_way_back_to_the_hand_is_kept_while_the_form_shows_what_would_change(
    scorer: Scorer,
) -> None:
    match = new_match(scorer)
    saved = scorer.begin(match)
    scorer.tap(saved, "A", "melds", CANASTA)
    scorer.edit(saved, *taps("B", "rack", "12B"), *closing())
    assert scorer.post(f"/api/hands/{saved}/save").status_code == 200
    hand = scorer.begin(match)
    fields = {"ruleset": "burako", "pieces": "cards", "canasta_pura": "900", "hand": hand}
    answer = scorer.form(f"/matches/{match}/edit", **fields, **RENAMED)
    page = scorer.client.get(answer.headers["Location"]).text
    assert page.count(f'name="hand" value="{hand}"') == 2
    assert page.count(f'href="/hands/{hand}"') == 2
    sure = scorer.form(f"/matches/{match}/edit", **fields, **RENAMED, sure="yes")
    assert sure.headers["Location"] == f"/hands/{hand}"


def test_no_camera_watches_a_table_of_cards(scorer: Scorer) -> None:
    match = new_match(scorer, **CARDS)
    page = scorer.client.get(f"/matches/{match}/table").text
    assert "solo mesas de fichas" in page and "live-video" not in page
    for way in ("frame", "camera", "hand-over"):
        answer = scorer.post(f"/api/live/{match}/{way}", json={"named": 0})
        assert (answer.status_code, answer.get_json()["error"]) == (409, "cards")


def test_the_sample_of_cards_lies_beside_the_one_of_tiles(app: Flask, scorer: Scorer) -> None:
    hands = {
        pieces: scorer.form("/samples", pieces=pieces).headers["Location"].rsplit("/", 1)[1]
        for pieces in ("tiles", "cards")
    }
    assert scorer.form("/samples", pieces="cards").headers["Location"].endswith(hands["cards"])
    for pieces, hand in hands.items():
        view = when_read(scorer, hand)
        assert len(view["photos"]) == 4
        assert parts_of(app).matches.tally(view["match"]).match.pieces == pieces


def test_statistics_of_matches_of_cards_alone_show_a_card(scorer: Scorer) -> None:
    shown = 'data-pieces="{}"'.format

    def statistics() -> str:
        return str(scorer.client.get("/matches/statistics").text)

    assert shown("tiles") in statistics()  # there is no match yet
    new_match(scorer, **CARDS)
    assert shown("cards") in statistics()
    new_match(scorer, pieces="tiles")
    assert shown("tiles") in statistics()
