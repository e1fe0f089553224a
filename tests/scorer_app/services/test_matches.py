"""Matches: they are made with options, tallied, corrected and shown to others."""

from __future__ import annotations

import io
import re
from datetime import datetime, timedelta
from itertools import count
from threading import get_ident
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, text

from scorer_app.services.matches import Matches
from scorer_app.services.shelves import Shelf, listed
from scorer_app.services.statistics import pair_records
from scorer_app.services.tally import Tally
from scorer_app.services.unreadable import UnreadableMatch
from scorer_app.store import tables
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps, token_of
from ..hands import (
    CANASTA,
    closed_hand,
    delete_match,
    new_match,
    saved_hand,
    send,
    totals,
    when_read,
)
from ..pictures import RecordedReader, picture_of
from .readings import idle

DOUBTFUL = "Hay manos guardadas con dudas: el total puede cambiar."


def test_a_saved_hand_is_corrected_only_when_saved_again(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    scorer.tap(hand, "B", "rack", "J")
    assert totals(scorer.client, match) == ["445", "−150"]
    scorer.post(f"/api/hands/{hand}/save")
    assert totals(scorer.client, match) == ["445", "−200"]
    scorer.tap(hand, "B", "rack", "3K")
    scorer.form(f"/hands/{hand}/drop")
    assert len(scorer.hand(hand)["tiles"]) == 9


def test_a_correction_of_which_all_is_undone_is_none(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    for taken in (True, False):
        scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": taken})
    assert scorer.post(f"/api/hands/{hand}/undo").get_json()["corrected"]
    assert "Se está corrigiendo" in scorer.client.get(f"/matches/{match}").text
    assert not scorer.post(f"/api/hands/{hand}/undo").get_json()["corrected"]
    assert "Se está corrigiendo" not in scorer.client.get(f"/matches/{match}").text
    assert scorer.post(f"/api/hands/{hand}/undo").get_json()["undo"] is None


def test_corrections_that_were_given_up_are_not_brought_back_by_undo(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    points = {"base_A": "300", "puntos_A": "45", "base_B": "", "puntos_B": ""}
    for page, fields in (
        (f"/hands/{hand}/drop", {}),
        (f"/matches/{match}/count?hand={hand}", points),
    ):
        scorer.tap(hand, "B", "rack", "J 3K")
        assert scorer.form(page, **fields).status_code in (302, 303)
        assert scorer.hand(hand)["undo"] is None
        assert not scorer.post(f"/api/hands/{hand}/undo").get_json()["corrected"]
    assert totals(scorer.client, match) == ["345", "0"]


def send_in_vain(scorer: Scorer, hand: str, reader: RecordedReader) -> None:
    """Send a photograph whose reading fails."""
    with pytest.MonkeyPatch.context() as failing:
        failing.setattr(reader, "read_photo", lambda *_: 1 / 0)
        send(scorer, hand, "A", "rack", picture_of("7Y"))
        assert when_read(scorer, hand)["photos"][-1]["state"] == "failed"


def test_a_photograph_that_failed_before_its_hand_was_saved_stays(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send_in_vain(scorer, hand, reader)
    (failed,) = scorer.hand(hand)["photos"]
    scorer.post(f"/api/hands/{hand}/save")
    scorer.tap(hand, "B", "rack", "J")
    scorer.form(f"/hands/{hand}/drop")
    assert scorer.hand(hand)["photos"] == [failed]


def test_photographs_that_came_for_a_correction_go_with_it(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3B 4B 5B")))
    when_read(scorer, hand)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    (kept,) = scorer.hand(hand)["photos"]
    send(scorer, hand, "A", "melds", reader.add(picture_of("9Y 10Y 11Y")))
    when_read(scorer, hand)
    send_in_vain(scorer, hand, reader)
    reader.hold()
    send(scorer, hand, "B", "melds", reader.add(picture_of("9K 10K 11K")))
    scorer.form(f"/hands/{hand}/drop")
    reader.go_on.set()
    idle(app)
    view = scorer.hand(hand)
    assert (view["photos"], len(view["tiles"]), view["corrected"]) == ([kept], 11, False)
    folder = parts_of(app).config.photo_dir
    assert [path.name for path in folder.iterdir()] == [f"{kept['id']}.jpg"]


def test_many_matches_are_counted_by_few_questions_to_the_database(
    scorer: Scorer, app: Flask
) -> None:
    names, points = [new_match(scorer) for _ in range(6)], {"A": 545, "B": -150}
    for name in names:
        parts_of(app).hands.save_counted(name, {"A": (300, 245), "B": (0, -150)})
    store, asked = parts_of(app).store, list[str]()

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        asked.extend([statement] if statement.startswith("SELECT") else [])

    event.listen(store.engine, "before_cursor_execute", note)
    fresh = Matches(store, parts_of(app).event_bus)
    assert [totals_of(one) for one in fresh.of(names)] == 6 * [points]
    assert len(asked) == 3
    assert [totals_of(one) for one in fresh.of(names)] == 6 * [points]
    assert len(asked) == 4
    event.remove(store.engine, "before_cursor_execute", note)
    with store.writing() as session:
        session.execute(
            text("UPDATE match SET player_names = '7' WHERE id = :match"), {"match": names[2]}
        )
    told = Matches(store, parts_of(app).event_bus).of(names)
    assert [totals_of(one) is None for one in told] == [False, False, True, False, False, False]


def totals_of(match: Tally | UnreadableMatch) -> dict[str, int] | None:
    return {**match.totals} if isinstance(match, Tally) else None


def test_a_hand_is_taken_out_and_put_back(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    assert totals(scorer.client, match) == ["0", "0"]
    scorer.form(f"/hands/{hand}/undone", undone="no")
    assert totals(scorer.client, match) == ["445", "−150"]


def test_a_hand_that_is_taken_out_stays_so_while_it_is_corrected(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    scorer.tap(hand, "B", "rack", "9Y")
    assert scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).status_code == 200
    assert (scorer.hand(hand)["state"], scorer.hand(hand)["corrected"]) == ("undone", False)
    assert totals(scorer.client, match) == ["0", "0"]
    scorer.form(f"/hands/{hand}/undone", undone="no")
    assert totals(scorer.client, match) == ["445", "−160"]


def test_points_counted_for_a_hand_that_is_taken_out_leave_it_so(scorer: Scorer) -> None:
    match = new_match(scorer)
    scorer.form(f"/matches/{match}/count", base_A="100")
    (hand,) = re.findall(r"hand=([\w-]+)", scorer.client.get(f"/matches/{match}").text)
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    scorer.form(f"/matches/{match}/count?hand={hand}", base_A="250")
    assert totals(scorer.client, match) == ["0", "0"]
    scorer.form(f"/hands/{hand}/undone", undone="no")
    assert totals(scorer.client, match) == ["250", "0"]


def test_hands_are_counted_without_the_drafts_thrown_away(scorer: Scorer) -> None:
    _first, match = saved_hand(scorer)
    thrown = scorer.begin(match)
    scorer.form(f"/hands/{thrown}/undone", undone="yes")
    second = scorer.begin(match)
    assert (second != thrown, scorer.hand(second)["position"]) == (True, 2)


def test_hands_keep_their_numbers_where_one_is_taken_out(scorer: Scorer) -> None:
    _first, match = saved_hand(scorer)
    address = f"/matches/{match}"
    for _hand in range(2):
        scorer.form(f"{address}/count", base_A="100")
    second = re.findall(r"hand=([\w-]+)", scorer.client.get(address).text)[0]
    scorer.form(f"/hands/{second}/undone", undone="yes")
    page = scorer.client.get(address).text
    assert re.findall(r'text-anchor="middle">(\d+)<', page) == ["1", "3"]
    assert re.findall(r'class="turn-line">([^:]+):', page) == ["Mano 4"]
    assert scorer.hand(scorer.begin(match))["position"] == 4


def test_two_who_are_level_above_the_target_lack_nothing(scorer: Scorer) -> None:
    match = new_match(scorer, target="2000")
    for points, lacking in (("1950", ["faltan 50"] * 2), ("100", [])):
        scorer.form(f"/matches/{match}/count", base_A=points, base_B=points)
        page = scorer.client.get(f"/matches/{match}").text
        assert re.findall(r"<td>(faltan [^<]*)", page) == lacking


def test_a_finished_match_opens_again_when_its_last_hand_is_undone(scorer: Scorer) -> None:
    win = {"op": "add_adjustment", "side": "A", "points": 3000, "reason": "arreglo"}
    hand, match = saved_hand(scorer, win)
    assert "¡Ganamos!" in scorer.client.get(f"/matches/{match}").text
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    assert "¡Ganamos!" not in scorer.client.get(f"/matches/{match}").text


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
    found = scorer.form(f"/matches/{match}/compare", canasta_pulito="300", **fields).text
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
    assert points["Del 1 al 13 sin comodín"] == "500"
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
    assert f'role="alert">{told}</p>' in refused.text
    # A box that was not ticked is not ticked when the form comes back.
    assert not re.search(r'name="muerto_bonus" value="yes" checked', refused.text)


@pytest.mark.parametrize("rules", ["buracco", "buraco", "burako", "burraco_it", "pagat"])
def test_every_ruleset_has_its_cards(scorer: Scorer, rules: str) -> None:
    match = new_match(scorer, ruleset=rules)
    for page in ("rules", "deal", "share", "others", ""):
        assert scorer.client.get(f"/matches/{match}/{page}".rstrip("/")).status_code == 200
    assert scorer.form(f"/matches/{match}/die").status_code == 303
    deal = scorer.client.get(f"/matches/{match}/deal").text
    assert "empieza" in deal
    assert ("El reglamento habla de" in deal) == (rules in ("buracco",))


def test_two_packs_of_cards_have_four_jollies_by_any_rules(app: Flask, scorer: Scorer) -> None:
    matches = parts_of(app).matches
    rules = matches.tally(new_match(scorer, pieces="cards")).rules
    assert (rules.pieces, rules.rules.jokers) == ("cards", 4)
    fewer = matches.tally(new_match(scorer, pieces="cards", jokers="2")).rules
    assert fewer.rules.jokers == 2


@pytest.mark.parametrize("pieces", ["tiles", "cards"])
def test_photographs_are_read_as_what_the_match_is_played_with(
    scorer: Scorer, reader: RecordedReader, pieces: str
) -> None:
    hand = scorer.begin(new_match(scorer, pieces=pieces))
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    assert reader.pieces == [pieces]


def test_a_hand_saved_with_doubts_is_told_as_such_and_its_copy_too(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="9K", doubts={"9K": ["9K", "J"]})))
    when_read(scorer, hand)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 422
    match = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).get_json()["match"]
    copy = io.BytesIO(scorer.client.get(f"/matches/{match}/export.json").data)
    sent = scorer.form("/matches/import", file=(copy, "x.json"))
    for name in (match, sent.headers["Location"].rsplit("/", 1)[1]):
        assert (
            "Guardada con una duda: Nosotros 445 · Ellos −200 a −160."
            in scorer.client.get(f"/matches/{name}").text
        )
        assert (
            scorer.client.get(f"/matches/{name}/export.csv")
            .text.splitlines()[1]
            .startswith("1,sí,1,")
        )
        shared = scorer.client.get(f"/matches/{name}/share").text.split('id="share-data">')
        assert ["el total puede cambiar" in part for part in shared] == [True, True]


@pytest.mark.parametrize("step", [None, 0, -1])
def test_the_match_touched_last_comes_first_and_takes_the_next_hand(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch, step: int | None
) -> None:
    """Also while the machine's clock stands still, or is put back from write to write."""
    if step is not None:
        moments = (datetime(2026, 1, 1) + timedelta(seconds=step * number) for number in count())
        monkeypatch.setattr(tables, "_clock", lambda: next(moments))
        monkeypatch.setattr(tables, "_last", datetime.min)
    first, second = new_match(scorer, side_a="Uno"), new_match(scorer, side_a="Dos")
    assert re.findall(r"(Uno|Dos) ·", scorer.client.get("/").text) == ["Dos", "Uno"]
    scorer.form(f"/matches/{first}/hands")
    assert re.findall(r"(Uno|Dos) ·", scorer.client.get("/").text) == ["Uno", "Dos"]
    assert scorer.hand(scorer.begin())["match"] == first != second


def test_a_void_hand_that_other_rules_count_is_told_as_doubtful_until_the_rest_is_said(
    scorer: Scorer,
) -> None:
    match = new_match(scorer)
    hand = scorer.begin(match)
    nobody = {"op": "set_end", "end": "stock_exhausted"}
    scorer.edit(hand, *taps("A", "melds", "3R 4R 5R"), nobody)
    scorer.post(f"/api/hands/{hand}/save")
    page = f"/matches/{match}"
    assert DOUBTFUL not in scorer.client.get(page).text
    names = {"side_a": "Los Pérez", "side_b": "Visitas"}
    may_be = "no se sabe todo; puede dar Los Pérez −85 a 115 · Visitas −100 a 100."
    for shown in ("edit", "compare", f"compare?hand={hand}"):
        assert may_be in scorer.form(f"{page}/{shown}", ruleset="buraco", **names).text
        assert may_be not in scorer.form(f"{page}/{shown}", ruleset="pagat", **names).text
    scorer.form(f"{page}/edit", ruleset="buraco", sure="yes", **names)
    assert DOUBTFUL in scorer.client.get(page).text
    said = [{"op": "set_muerto", "side": side, "taken": False} for side in "AB"]
    scorer.edit(hand, *said, *({"op": "empty_rack", "side": side} for side in "AB"))
    scorer.post(f"/api/hands/{hand}/save")
    assert DOUBTFUL not in scorer.client.get(page).text
    assert totals(scorer.client, match) == ["−85", "−100"]


@pytest.mark.parametrize("is_read", [True, False])
def test_a_meld_that_other_rules_forbid_is_told_as_doubtful_until_somebody_lets_it_pass(
    scorer: Scorer, reader: RecordedReader, is_read: bool
) -> None:
    match = new_match(scorer)
    hand, wilds, page = scorer.begin(match), "2R 2B 2K", f"/matches/{match}"
    if is_read:
        send(scorer, hand, "B", "melds", reader.add(picture_of(wilds)))
        when_read(scorer, hand)
    else:
        scorer.tap(hand, "B", "melds", wilds)
    scorer.edit(hand, *taps("A", "melds", CANASTA), *closing())
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    assert DOUBTFUL not in scorer.client.get(page).text
    names = {"side_a": "Los Pérez", "side_b": "Visitas"}
    scorer.form(f"{page}/edit", ruleset="pagat", sure="yes", **names)
    assert DOUBTFUL in scorer.client.get(page).text
    (row,) = (row["id"] for row in scorer.hand(hand)["rows"] if row["side"] == "B")
    scorer.edit(hand, {"op": "accept_row", "row": row, "accepted": True})
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    assert DOUBTFUL not in scorer.client.get(page).text


def test_a_hand_whose_closing_does_not_stand_by_other_rules_is_told_as_such(
    scorer: Scorer, app: Flask
) -> None:
    match = new_match(scorer)
    hand = scorer.begin(match)
    scorer.edit(hand, *taps("A", "melds", "3R 4R 5R 6R 7R 8R J"), *closing())
    scorer.post(f"/api/hands/{hand}/save")
    viewers = parts_of(app).matches.tally(match).match.viewer_token
    for rules, points in ({}, "385"), ({"close_requires": "pura"}, "0"):
        parts_of(app).matches.change(match, options=rules)
        assert totals(scorer.client, match)[0] == points
        for page in f"/matches/{match}", f"/v/{viewers}":
            told = "Con estas reglas el cierre no vale" in scorer.client.get(page).text
            assert told == bool(rules)


def test_names_are_text_wherever_they_appear(scorer: Scorer) -> None:
    nasty = "<script>alert(1)</script>"
    match = new_match(scorer, side_a=nasty, side_b="'; DROP TABLE match; --", player_0="{{7*7}}")
    hand = scorer.form(f"/matches/{match}/hands").headers["Location"]
    for page in ("", "/rules", "/deal", "/share", "/others"):
        assert nasty not in scorer.client.get(f"/matches/{match}{page}").text
    assert nasty not in scorer.client.get(hand).text
    assert nasty not in scorer.client.get("/").text


def test_viewers_look_and_scorers_write(app: Flask, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    far = app.test_client()
    from_afar = {"REMOTE_ADDR": "192.168.1.77"}
    view = re.search(r"/v/[\w-]+", scorer.client.get(f"/matches/{match}/others").text)
    assert view
    assert "445" in far.get(view.group(), environ_overrides=from_afar).text
    assert far.get(f"/matches/{match}", environ_overrides=from_afar).status_code == 401
    code = re.search(
        r'class="code"[^>]*>(\w+)<', scorer.client.get(f"/matches/{match}/others/code").text
    )
    assert code
    assert code.group(1) not in scorer.client.get(f"/matches/{match}/others").text
    assert code.group(1) not in far.get(view.group(), environ_overrides=from_afar).text
    token = token_of(far)
    assert (
        far.post(
            "/join", data={"csrf": token, "code": "WRONG1"}, environ_overrides=from_afar
        ).status_code
        == 403
    )
    assert (
        far.post(
            "/join",
            data={"csrf": token, "code": code.group(1).lower()},
            environ_overrides=from_afar,
        ).status_code
        == 303
    )
    assert far.get(f"/matches/{match}", environ_overrides=from_afar).status_code == 200
    assert far.get(f"/matches/{match}/others/code", environ_overrides=from_afar).status_code == 403
    scorer.form(f"/matches/{match}/others/renew")
    assert far.get(f"/matches/{match}", environ_overrides=from_afar).status_code == 401


def test_statistics_count_both_seatings_of_a_pair(scorer: Scorer) -> None:
    saved_hand(scorer)
    page = scorer.client.get("/matches/statistics").text
    assert "Partidas: 1 · manos: 1" in page
    assert "445" in page


@pytest.mark.parametrize("bonus", ["100", "0"])
def test_a_hand_was_closed_whatever_the_table_pays_for_it(
    app: Flask, scorer: Scorer, bonus: str
) -> None:
    match = new_match(scorer, close_bonus=bonus)
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.close(hand)
    scorer.post(f"/api/hands/{hand}/save")
    (pair,) = pair_records([parts_of(app).matches.tally(match)])
    assert [side.closed for side in pair.sides.values()] == [1, 0]


@pytest.mark.parametrize("moment", [1, 2])
def test_a_match_deleted_while_the_list_is_made_is_not_in_it(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    _hand, kept = saved_hand(scorer)
    gone = new_match(scorer)
    matches, look = parts_of(app).matches, parts_of(app).store.look

    looks, this_thread = count(1), get_ident()

    def look_and_delete(*asked: Any) -> Any:
        found = look(*asked)
        # The thread that deletes what is past its days looks, too.
        if get_ident() == this_thread and next(looks) == moment:
            delete_match(app, gone)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(parts_of(app).store, "look", look_and_delete)
        (shown,) = listed(matches, Shelf.PLAYED, 20).tallies
    assert shown.match.id == kept
