"""The forms about a running match answer odd values with a page or a refusal, never with status
500.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask

from scorer_app.hand.table_rules import TableRules
from scorer_app.services.steps import StepKind, steps_of
from scorer_app.services.tally import Tally
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps
from ..hands import CANASTA, new_match, saved_hand, send, when_read
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE

ODD = ("", "x", "−", "1e9", "9" * 5000, "\x00", "𝟙", "<b>", "-0", "١٢")
FORMS = {
    "count": ("base_A", "puntos_B"),
    "edit": ("side_a", "player_0", "ruleset", "target", "tile_J", "hand_size", "sure"),
    "compare": ("ruleset", "target", "special_ones_pura", "jokers", "close_requires"),
    "archive": ("archived",),
    "history/1/undo": ("step",),
}


@pytest.mark.parametrize("page", FORMS)
def test_odd_values_are_answered(scorer: Scorer, page: str) -> None:
    _hand, match = saved_hand(scorer)
    for field in FORMS[page]:
        for odd in ODD:
            usual = {"ruleset": "burako", "side_a": "A", "side_b": "B", "options_shown": "yes"}
            answer = scorer.form(f"/matches/{match}/{page}", **{**usual, field: odd})
            assert answer.status_code in (200, 303, 409, 422), (field, odd)
            assert scorer.client.get(f"/matches/{match}").status_code == 200


def test_a_hand_of_another_match_is_not_found(scorer: Scorer) -> None:
    hand, _match = saved_hand(scorer)
    other = new_match(scorer)
    for page in ("count", "compare"):
        assert scorer.client.get(f"/matches/{other}/{page}?hand={hand}").status_code == 404
        assert scorer.form(
            f"/matches/{other}/{page}?hand={hand}", ruleset="burako"
        ).status_code in (
            404,
            422,
        )


def test_a_device_is_named_with_what_people_see(scorer: Scorer) -> None:
    usual = {"language": "es", "theme": "auto"}
    scorer.form("/settings/device", device="  Ana\x00\u200b  y Beto " + "x" * 60, **usual)
    match = new_match(scorer)
    scorer.form(f"/matches/{match}/archive", archived="yes")
    page = scorer.client.get(f"/matches/{match}/history").text
    assert "<b>Ana y Beto " + "x" * 29 + "</b>" in page


def test_names_keep_no_control_characters(scorer: Scorer) -> None:
    match = new_match(scorer, side_a="Ana\x00 y\x1b[31m  Beto", player_0="\x07Ana\x00")
    page = scorer.client.get(f"/matches/{match}").text
    assert "Ana y [31m Beto" in page
    assert not set(page) & {"\x00", "\x07", "\x1b"}


def test_a_name_does_not_turn_the_writing_around_it(scorer: Scorer) -> None:
    family = "👨\u200d👩\u200d👧"  # drawn as one sign by what joins the three
    match = new_match(scorer, side_a=f"\u202eAna\u2067 {family}", player_0="Beto\u202e")
    page = scorer.client.get(f"/matches/{match}").text
    assert f"Ana {family}" in page
    assert not set(page) & {"\u202e", "\u2067"}


@pytest.mark.parametrize("unseen", ["\u200b", "\u200e\u200f", "\ufe0f", "\u3164", "\u2800"])
def test_a_name_in_which_nothing_can_be_seen_is_no_name(scorer: Scorer, unseen: str) -> None:
    refused = scorer.form("/matches/new", side_a=unseen, side_b="Visitas", ruleset="burako")
    assert refused.status_code == 422
    match = new_match(scorer, player_0=unseen, player_1="Ana")
    copy = scorer.client.get(f"/matches/{match}/export.json").get_json()
    assert copy["match"]["player_names"] == ["", "Ana", "", ""]


def test_values_of_tiles_are_grouped_as_all_points_are(scorer: Scorer) -> None:
    match = new_match(scorer, tile_J="1500")
    hand = scorer.begin(match)
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "B", "rack", "J")
    scorer.close(hand)
    scorer.post(f"/api/hands/{hand}/save")
    assert "<dd>1.500</dd>" in scorer.client.get(f"/matches/{match}/rules").text
    page = scorer.form(f"/matches/{match}/compare", ruleset="burako", tile_J="12000").text
    assert "comodín 1.500 → 12.000" in page.replace("\n", "")


def form_of(scorer: Scorer, page: str, holding: str = "") -> dict[str, str]:
    """Return the fields of a page's last form in which the text `holding` stands, as a browser
    sends them where nobody changes one.
    """
    forms = scorer.client.get(page).text.split("<form ")[1:]
    form = [one.split("</form>")[0] for one in forms if holding in one][-1]
    fields = {}
    for field in re.findall(r"<input [^>]*>", form):
        given = dict(re.findall(r'(name|value|type)="([^"]*)"', field))
        if given.get("type") not in ("radio", "checkbox") or " checked" in field:
            fields[given["name"]] = given.get("value", "yes")
    return fields


def test_a_form_in_which_nothing_was_changed_is_no_step_of_a_match_begun_with_one_tap(
    scorer: Scorer,
) -> None:
    match = scorer.hand(scorer.begin())["match"]
    assert scorer.form(f"/matches/{match}/edit", **form_of(scorer, f"/matches/{match}/edit"))
    assert "Todavía no cambió nada." in scorer.client.get(f"/matches/{match}/history").text


def test_a_form_that_another_phone_overtook_changes_nothing_and_is_shown_anew(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, matches = f"/matches/{match}/edit", parts_of(app).matches
    shown = form_of(scorer, page)
    assert scorer.form(page, **form_of(scorer, page) | {"target": "2000"}).status_code == 303
    refused = scorer.form(page, **shown | {"side_a": "Ana"})
    assert refused.status_code == 409
    assert "Otro teléfono cambió la partida mientras tanto" in refused.text
    tally = matches.tally(match)
    assert (tally.target, tally.match.side_a) == (2000, "Los Pérez")
    saved_hand(scorer)  # a hand that is played is no other change
    assert scorer.form(page, **form_of(scorer, page) | {"side_a": "Ana"}).status_code == 303
    tally = matches.tally(match)
    assert (tally.target, tally.match.side_a) == (2000, "Ana")


def test_rules_that_another_phone_changes_in_the_same_instant_are_kept(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = new_match(scorer)
    page, matches = f"/matches/{match}/edit", parts_of(app).matches
    form = form_of(scorer, page) | {"canasta_pura": "300", "canasta_impura": "150"}
    real = matches.by_rules

    def change_meanwhile(match_id: str, rules: TableRules) -> Tally:
        matches.change(match_id, options={"target": 1500})
        return real(match_id, rules)

    monkeypatch.setattr(matches, "by_rules", change_meanwhile)
    refused = scorer.form(page, **form)
    assert refused.status_code == 409
    assert "Otro teléfono cambió la partida mientras tanto" in refused.text
    assert matches.tally(match).match.options == {"target": 1500}


@pytest.mark.parametrize("page", ["edit", "compare"])
def test_a_hand_counted_while_rules_are_compared_is_no_fault(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    _hand, match = saved_hand(scorer)
    matches, hands = parts_of(app).matches, parts_of(app).hands
    real = matches.by_rules

    def count_meanwhile(match_id: str, rules: TableRules) -> Tally:
        hands.save_counted(match_id, {"A": (300, 0), "B": (0, 0)})
        return real(match_id, rules)

    monkeypatch.setattr(matches, "by_rules", count_meanwhile)
    form = form_of(scorer, f"/matches/{match}/{page}") | {"target": "2000"}
    assert scorer.form(f"/matches/{match}/{page}", **form).status_code in (200, 303)


def test_points_that_are_sent_again_because_no_answer_came_count_once(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, tally = f"/matches/{match}/count", parts_of(app).matches.tally
    form = form_of(scorer, page) | {"base_A": "300", "puntos_A": "45"}
    wrong = scorer.form(page, **form | {"base_B": "many"})
    assert (wrong.status_code, form["new"] in wrong.text) == (422, True)
    for _ in range(3):
        assert scorer.form(page, **form).status_code == 303
    assert tally(match).totals == {"A": 345, "B": 0}
    # Whoever goes back to the page and fills it in anew counts another hand, also that one once.
    for _ in range(3):
        assert scorer.form(page, **form | {"base_B": "200"}).status_code == 303
    assert tally(match).totals == {"A": 690, "B": 200}
    (first, _second) = tally(match).lines
    anew = f"{page}?hand={first.hand_id}"
    assert scorer.form(anew, base_A="400", puntos_A="45").status_code == 303
    assert tally(match).totals == {"A": 790, "B": 200}


def test_points_of_a_hand_that_was_taken_out_count_where_their_form_is_sent_once_more(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer)
    page, tally = f"/matches/{match}/count", parts_of(app).matches.tally
    form = form_of(scorer, page) | {"base_A": "300"}
    scorer.form(page, **form)
    scorer.form(f"/hands/{tally(match).lines[0].hand_id}/undone", undone="yes")
    for _ in range(2):
        assert scorer.form(page, **form).status_code == 303
    assert [line.excluded for line in tally(match).lines] == [True, False]
    assert tally(match).totals == {"A": 300, "B": 0}


def test_points_that_a_double_tap_sends_twice_at_once_count_once(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, hands = new_match(scorer), parts_of(app).hands
    form = {"new": form_of(scorer, f"/matches/{match}/count")["new"], "base_A": "300"}
    real, both = hands.save_counted, Barrier(2)

    def save_together(*given: Any, **named: Any) -> str:
        both.wait(PATIENCE)
        return real(*given, **named)

    def send_form(phone: Scorer) -> int:
        return int(phone.form(f"/matches/{match}/count", **form).status_code)

    monkeypatch.setattr(hands, "save_counted", save_together)
    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(send_form, (scorer, Scorer.of(app)))] == [303, 303]
    assert parts_of(app).matches.tally(match).totals == {"A": 300, "B": 0}


def test_two_phones_that_correct_a_number_each_of_a_counted_hand_keep_both(
    app: Flask, scorer: Scorer
) -> None:
    match, tally = new_match(scorer), parts_of(app).matches.tally
    counted = {"base_A": "300", "puntos_A": "145", "base_B": "0", "puntos_B": "-50"}
    scorer.form(f"/matches/{match}/count", **counted)
    page = f"/matches/{match}/count?hand={tally(match).lines[0].hand_id}"
    mine, theirs = (form_of(scorer, page, 'id="count"') for _phone in "ab")
    assert scorer.form(page, **mine | {"base_A": "400"}).status_code == 303
    wrong = scorer.form(page, **theirs | {"puntos_B": "many"})
    assert (wrong.status_code, 'name="shown_base_A" value="300"' in wrong.text) == (422, True)
    assert scorer.form(page, **theirs | {"puntos_B": "-60"}).status_code == 303
    assert tally(match).totals == {"A": 545, "B": -60}
    assert scorer.form(page, base_A="1").status_code == 303  # of a program: all four numbers
    assert tally(match).totals == {"A": 1, "B": 0}


def test_a_total_stays_after_a_name_that_is_written_from_right_to_left(scorer: Scorer) -> None:
    name = "\u0623\u0628\u0648"
    match = new_match(scorer, side_a="Ana", side_b=name)
    counted = {"base_A": "100", "puntos_A": "0", "base_B": "0", "puntos_B": "-45"}
    scorer.form(f"/matches/{match}/count", **counted)
    shared = scorer.client.get(f"/matches/{match}/share").get_data(as_text=True)
    assert f"*Ana 100 – {name}\u200e −45*" in shared


@pytest.mark.parametrize("is_draft", [True, False])
def test_a_form_with_the_id_of_another_hand_changes_nothing_of_it(
    app: Flask, scorer: Scorer, is_draft: bool
) -> None:
    match, tally = new_match(scorer), parts_of(app).matches.tally
    taken = scorer.begin(match) if is_draft else saved_hand(scorer)[0]
    before = scorer.hand(taken)["tiles"]
    other = match if is_draft else new_match(scorer)
    answer = scorer.form(f"/matches/{other}/count", new=taken, base_A="300")
    assert (answer.status_code, tally(other).totals) == (303, {"A": 300, "B": 0})
    assert scorer.hand(taken)["tiles"] == before


def test_two_phones_that_ask_for_a_rematch_play_the_same_one(app: Flask, scorer: Scorer) -> None:
    match = new_match(scorer, target="400")
    saved_hand(scorer)
    assert parts_of(app).matches.tally(match).finished

    def rematch(of: str) -> str:
        answer = Scorer.of(app).form(f"/matches/{of}/rematch")
        return str(answer.headers["Location"].rsplit("/", 1)[1])

    first = rematch(match)
    assert first != match and rematch(match) == first
    hand = scorer.begin(first)
    assert rematch(match) == first
    scorer.edit(hand, *taps("A", "melds", CANASTA), *taps("B", "rack", "J"), *closing())
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    assert parts_of(app).matches.tally(first).finished
    second = rematch(first)
    assert len({match, first, second}) == 3 and rematch(first) == second


def test_two_phones_that_ask_for_a_rematch_in_the_same_instant_play_the_same_one(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, both = new_match(scorer, target="400"), Barrier(2)
    saved_hand(scorer)

    def look_together(*_given: Any) -> None:
        both.wait(PATIENCE)  # no phone finds a match that the other one has begun

    def rematch(phone: Scorer) -> str:
        return str(phone.form(f"/matches/{match}/rematch").headers["Location"])

    monkeypatch.setattr("scorer_app.web.pages.matches._begun_since", look_together)
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(rematch, (scorer, Scorer.of(app)))
    assert one == other != f"/matches/{match}"


def test_of_two_phones_that_throw_the_dice_the_first_one_counts(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, seats = new_match(scorer), iter((2, 1, 3))
    page, matches = f"/matches/{match}/deal", parts_of(app).matches
    throws = "scorer_app.web.pages.matches.throw_dice"
    monkeypatch.setattr(throws, lambda players: [[6 * (seat == best)] for seat in range(players)])
    for best in seats:
        shown = form_of(scorer, page)
        assert scorer.form(f"/matches/{match}/die", **shown).status_code == 303
        assert matches.tally(match).match.first_player == best
        kept, best = best, 0
        assert scorer.form(f"/matches/{match}/die", **shown).headers["Location"] == page
        assert matches.tally(match).match.first_player == kept


def test_a_throw_of_dice_that_is_sent_twice_counts_once_though_it_equals_the_throw_before(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, throws = new_match(scorer), iter(([[1], [2], [6], [3]],) * 2 + ([[6], [1], [1], [1]],))
    monkeypatch.setattr("scorer_app.web.pages.matches.throw_dice", lambda players: next(throws))
    page = f"/matches/{match}/deal"
    scorer.form(f"/matches/{match}/die", **form_of(scorer, page))
    again = form_of(scorer, page)
    for _ in range(2):  # the phone got no answer and sends the form once more
        assert scorer.form(f"/matches/{match}/die", **again).headers["Location"] == page
        assert parts_of(app).matches.tally(match).match.first_player == 2
    assert len(steps_of(parts_of(app).store, match)) == 2


def test_dice_thrown_in_the_same_instant_do_not_take_the_place_of_those_thrown_first(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, matches = new_match(scorer), parts_of(app).matches
    first = {"first_player": 2, "throws": [[1], [2], [6], [3]]}

    def throw_meanwhile(players: int) -> list[list[int]]:
        matches.change(match, **first)
        return [[6], [1], [1], [1]][:players]

    monkeypatch.setattr("scorer_app.web.pages.matches.throw_dice", throw_meanwhile)
    assert scorer.form(f"/matches/{match}/die").status_code == 303
    assert matches.tally(match).match.first_player == 2


def test_a_name_with_an_and_sign_is_written_as_it_is_where_a_hand_is_in_doubt(
    scorer: Scorer, reader: RecordedReader
) -> None:
    match = new_match(scorer, side_a="Ana & Luis", side_b="<Ellos>", player_0="R&B")
    hand = scorer.begin(match)
    scorer.edit(hand, *taps("A", "melds", CANASTA), *closing())
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="9K", doubts={"9K": ["9K", "J"]})))
    when_read(scorer, hand)
    scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    found = scorer.client.get(f"/matches/{match}").text
    assert "duda: Ana &amp; Luis 445 · &lt;Ellos&gt; −150 a −110." in found
    for page in ("", "/edit", "/compare", "/deal", "/share", "/others", "/history", "/count"):
        assert "&amp;amp;" not in scorer.client.get(f"/matches/{match}{page}").text
    for page in ("/", "/matches/statistics", f"/hands/{hand}"):
        assert "&amp;amp;" not in scorer.client.get(page).text


def test_two_phones_rename_one_side_each(app: Flask, scorer: Scorer) -> None:
    match = new_match(scorer)
    shown = {"shown_side_a": "Los Pérez", "shown_side_b": "Visitas"}
    page = scorer.client.get(f"/matches/{match}").text
    assert all(f'name="{name}" value="{value}"' in page for name, value in shown.items())
    for names in ({"side_a": "Ana", "side_b": "Visitas"}, {"side_a": "Los Pérez", "side_b": "Eva"}):
        assert scorer.form(f"/matches/{match}/names", **names, **shown).status_code == 303
    kept = parts_of(app).matches.tally(match).match
    assert (kept.side_a, kept.side_b) == ("Ana", "Eva")


def test_a_refused_name_does_not_undo_what_another_phone_renamed(
    app: Flask, scorer: Scorer
) -> None:
    match = new_match(scorer, side_a="Uno", side_b="Dos")
    shown = {"shown_side_a": "Uno", "shown_side_b": "Dos"}
    parts_of(app).matches.change(match, StepKind.RULES, "another phone", side_b="Lobos")
    refused = scorer.form(f"/matches/{match}/names", side_a="LOBOS", side_b="Dos", **shown)
    assert refused.status_code == 422
    assert 'name="side_a" value="LOBOS"' in refused.text
    assert 'name="side_b" value="Lobos"' in refused.text
    shown["shown_side_b"] = "Lobos"
    again = scorer.form(f"/matches/{match}/names", side_a="Tigres", side_b="Lobos", **shown)
    assert again.status_code == 303
    kept = parts_of(app).matches.tally(match).match
    assert (kept.side_a, kept.side_b) == ("Tigres", "Lobos")


@pytest.mark.parametrize("other", ["Ana", "ANA", " ana "])
def test_two_sides_cannot_have_one_name(app: Flask, scorer: Scorer, other: str) -> None:
    refused = scorer.form("/matches/new", side_a="Ana", side_b=other, ruleset="burako")
    assert refused.status_code == 422
    assert "El otro lado: los dos lados tienen el mismo nombre." in refused.text
    match = new_match(scorer, side_a="Ana", side_b="Eva")
    shown = {"shown_side_a": "Ana", "shown_side_b": "Eva"}
    renamed = scorer.form(f"/matches/{match}/names", side_a="Ana", side_b=other, **shown)
    assert renamed.status_code == 422
    assert "El otro lado: los dos lados tienen el mismo nombre." in renamed.text
    kept = parts_of(app).matches.tally(match).match
    assert (kept.side_a, kept.side_b) == ("Ana", "Eva")


@pytest.mark.parametrize("players", [("Ana", "ana"), ("Ellos", ""), ("", "NOSOTROS")])
def test_players_by_whom_both_sides_would_have_one_name_leave_the_sides_theirs(
    app: Flask, scorer: Scorer, players: tuple[str, str]
) -> None:
    sides = {"side_a": "Nosotros", "side_b": "Ellos"}
    named = {"player_0": players[0], "player_1": players[1]}
    match = new_match(scorer, **sides, **named, players="2")
    kept = parts_of(app).matches.tally(match).match
    assert (kept.side_a, kept.side_b) == ("Nosotros", "Ellos")


def test_two_who_are_named_are_the_sides_that_nobody_named(scorer: Scorer) -> None:
    usual = {"side_a": "Nosotros", "side_b": "Ellos"}
    named = {"player_0": "Giulia", "player_1": "Marco"}

    def heads(**fields: str) -> list[str]:
        page = scorer.client.get(f"/matches/{new_match(scorer, **fields)}").text
        shown = re.sub(r"<[^>]*>", " ", page)  # the addresses in it may hold any letters
        return [name for name in ("Giulia", "Marco", "Nosotros", "Ellos", "Yo") if name in shown]

    assert heads(players="2", **usual, **named) == ["Giulia", "Marco"]
    assert heads(players="2", **usual, player_0="Giulia") == ["Giulia", "Ellos"]
    assert "Yo" in heads(players="2", side_a="Yo", side_b="Ellos", **named)
    assert {"Nosotros", "Ellos"} <= set(heads(**usual, **named))


def test_a_canasta_of_wilds_has_prices_without_and_with_a_joker(scorer: Scorer) -> None:
    form = scorer.client.get("/matches/new", headers={"Accept-Language": "en"}).text
    fields = re.findall(r'<span>([^<]*)</span><input [^>]*name="special_(\w+)"', form)
    named = {name: label for label, name in fields}
    assert (named["wilds_pura"], named["wilds_impura"]) == ("without a joker", "with a joker")
    assert (named["ones_pura"], named["ones_impura"]) == ("without a wild", "with a wild")


SENT = {"side_a": "Zorros", "side_b": "Lobos", "ruleset": "burako", "options_shown": "yes"}
RENAMED = {"shown_side_a": "Los Pérez", "shown_side_b": "Visitas"}


@pytest.mark.parametrize(
    ("page", "sent", "wrong", "told"),
    [
        ("new", SENT | {"side_b": "zorros", "target": "2345"}, "side_b", "los dos lados"),
        ("new", SENT | {"side_a": " ", "player_1": "Anita"}, "side_a", "entre 1 y 40"),
        ("new", SENT | {"target": "doce", "player_1": "Anita"}, "target", "un número entero"),
        ("new", SENT | {"tile_7": "siete", "close_bonus": "77"}, "tile_7", "un número entero"),
        ("new", SENT | {"ruleset": "truco", "close_bonus": "77"}, None, "no se puede usar"),
        ("MATCH/edit", SENT | {"side_b": "ZORROS"}, "side_b", "los dos lados"),
        ("MATCH/edit", SENT | {"close_bonus": "mil"}, "close_bonus", "un número entero"),
        ("MATCH/compare", SENT | {"target": "doce", "tile_7": "8"}, "target", "un número entero"),
        ("MATCH/count", {"base_A": "33", "puntos_B": "4x"}, "puntos_B", "números enteros"),
        ("MATCH/count", {"base_A": "100001", "puntos_B": "44"}, "base_A", "hasta 100.000"),
        ("MATCH/count", {"base_A": ""}, None, "al menos un número"),
        ("MATCH/names", RENAMED | {"side_a": "", "side_b": "Lobos"}, "side_a", "entre 1 y 40"),
        ("MATCH/names", RENAMED | {"side_a": "Lobos", "side_b": "Lobos"}, "side_b", "los dos"),
    ],
)
def test_a_form_that_is_refused_comes_back_as_filled_in_and_says_it_at_the_field(
    scorer: Scorer, page: str, sent: dict[str, str], wrong: str | None, told: str
) -> None:
    match = new_match(scorer)
    answer = scorer.form(f"/matches/{page.replace('MATCH', match)}", **sent)
    assert answer.status_code == 422
    inputs = {
        found[1]: found[0]
        for found in re.finditer(r'<input[^>]*? name="(\w+)"[^>]*>', answer.text)
        if "csrf" not in found[0] and 'type="hidden"' not in found[0]
    }
    for name in set(sent) & set(inputs) - {"ruleset"}:
        assert f'value="{sent[name].strip()}"' in inputs[name] or sent[name] == " ", name
    marked = [name for name, tag in inputs.items() if 'aria-invalid="true"' in tag]
    assert marked == ([wrong] if wrong else [])
    alerts = re.findall(r'<p[^>]* role="alert"[^>]*>([^<]+)<', answer.text)
    beside = re.findall(r'</label><small class="wrong" id="wrong">([^<]+)<', answer.text)
    (sentence,) = beside if wrong else alerts
    assert told in sentence
    assert len(alerts) + len(beside) == 1
    if wrong:
        assert 'aria-describedby="wrong"' in inputs[wrong]
        labels = re.findall(r"<label.*?</label>", answer.text, re.DOTALL)
        names = [re.sub(r"<[^>]*>", "", label) for label in labels]
        assert not any(sentence in name for name in names)


def test_the_address_of_refused_names_leads_back_to_the_match(scorer: Scorer) -> None:
    match = new_match(scorer)
    answer = scorer.client.get(f"/matches/{match}/names")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/matches/{match}")
