"""The forms about a running match answer odd values with a page or a refusal, never with status
500.
"""

from __future__ import annotations

import re

import pytest
from flask import Flask

from scorer_app.web.pages.joining import LONGEST_WAY_BACK
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps
from ..hands import CANASTA, new_match, saved_hand, send, when_read
from ..pictures import RecordedReader, picture_of

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
            sent = {**usual, field: odd}
            answer = (
                scorer.compare(match, **sent)
                if page == "compare"
                else scorer.form(f"/matches/{match}/{page}", **sent)
            )
            assert answer.status_code in (200, 303, 409, 422), (field, odd)
            assert scorer.client.get(f"/matches/{match}").status_code == 200


def test_a_refused_form_shows_what_was_typed_and_not_what_its_address_says(
    scorer: Scorer,
) -> None:
    match = new_match(scorer)
    sent = SENT | {"close_bonus": "mil"}
    refused = scorer.form(f"/matches/{match}/edit?close_bonus=4321", **sent)
    assert refused.status_code == 422
    assert 'value="mil"' in refused.text and "4321" not in refused.text


def test_a_hand_of_another_match_is_not_found(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    other = new_match(scorer)
    for page in ("count", "compare"):
        assert scorer.client.get(f"/matches/{other}/{page}?hand={hand}").status_code == 404
    assert scorer.form(f"/matches/{other}/count?hand={hand}").status_code in (404, 422)
    assert scorer.compare(other, hand=hand, ruleset="burako").status_code == 404
    refused = scorer.compare(match, hand=hand, ruleset="burako", options_shown="yes", target="xx")
    assert refused.status_code == 422
    assert f'<input type="hidden" name="hand" value="{hand}">' in refused.text


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
    page = scorer.compare(match, ruleset="burako", tile_J="12000").text
    assert "comodín 1.500 → 12.000" in page.replace("\n", "")


def test_a_total_stays_after_a_name_that_is_written_from_right_to_left(scorer: Scorer) -> None:
    name = "\u0623\u0628\u0648"
    match = new_match(scorer, side_a="Ana", side_b=name)
    counted = {"base_A": "100", "puntos_A": "0", "base_B": "0", "puntos_B": "-45"}
    scorer.form(f"/matches/{match}/count", **counted)
    shared = scorer.client.get(f"/matches/{match}/share").get_data(as_text=True)
    assert f"*Ana 100 – {name}\u200e −45*" in shared


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
        found = scorer.client.get(f"/matches/{match}{page}", follow_redirects=True).text
        assert "&amp;amp;" not in found
    for page in ("/", "/matches/statistics", f"/hands/{hand}"):
        assert "&amp;amp;" not in scorer.client.get(page).text


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
    named["known_twice"] = "ana" if all(players) else ""  # a person knows that there are two
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
    form = scorer.client.get("/matches/new?rules=burako", headers={"Accept-Language": "en"}).text
    fields = re.findall(r'<span>([^<]*)</span><input [^>]*name="special_(\w+)"', form)
    named = {name: label for label, name in fields}
    assert (named["wilds_pura"], named["wilds_impura"]) == ("without a joker", "with a joker")
    assert (named["ones_pura"], named["ones_impura"]) == ("without a wild", "with a wild")


def test_a_name_on_both_sides_is_asked_about_once_since_a_family_may_have_two(
    app: Flask, scorer: Scorer
) -> None:
    names = ("Rosa", "Tomás", "Elvira", "rosa")
    sent = SENT | {f"player_{seat}": name for seat, name in enumerate(names)}
    asked = scorer.form("/matches/new", **sent)
    assert asked.status_code == 422
    told = "rosa está de los dos lados. Si son dos personas, tocá «Empezar» otra vez."
    assert f'<small class="wrong" id="wrong">{told}</small>' in asked.text
    (field,) = re.findall(r"<input[^>]*aria-invalid[^>]*>", asked.text)
    assert 'name="player_3"' in field and 'value="rosa"' in field
    assert re.search(r'<details class="more" open>\s*<summary>Nombres', asked.text)
    (known,) = re.findall(r'name="known_twice" value="([^"]*)"', asked.text)
    # Another name on both sides is asked about anew.
    others = sent | {"player_0": "Tomás", "player_3": "Ana"}
    assert scorer.form("/matches/new", **others, known_twice=known).status_code == 422
    begun = scorer.form("/matches/new", **sent, known_twice=known)
    assert begun.status_code == 303
    match = begun.headers["Location"].rsplit("/", 1)[1]
    assert parts_of(app).matches.tally(match).match.player_names == [*names]


@pytest.mark.parametrize(
    "names", [("Rosa", "Tomás", "Rosa", "Ana"), ("", "", "", ""), ("Rosa", "", "", "Ana")]
)
def test_partners_of_one_name_and_seats_without_names_are_not_asked_about(
    scorer: Scorer, names: tuple[str, ...]
) -> None:
    seats = {f"player_{seat}": name for seat, name in enumerate(names)}
    assert scorer.form("/matches/new", **SENT, **seats).status_code == 303


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
    answer = (
        scorer.compare(match, **sent)
        if page == "MATCH/compare"
        else scorer.form(f"/matches/{page.replace('MATCH', match)}", **sent)
    )
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
    label = r'</label>(?:<button type="button"[^>]*>±</button></div>)?'
    beside = re.findall(label + r'<small class="wrong" id="wrong">([^<]+)<', answer.text)
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


def test_the_settings_lead_back_to_the_page_from_which_they_were_opened(scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    opened = f"/matches/{match}/deal"
    link = re.search(r'class="top-actions".*?href="([^"]*)"', scorer.client.get(opened).text)
    assert link
    settings = scorer.client.get(link[1]).text
    assert f'class="back"><a href="{opened}">' in settings
    form = re.search(r'action="(/settings/device[^"]*)"', settings)
    assert form
    where = scorer.form(form[1], language="es", theme="auto").headers["Location"]
    assert f'class="back"><a href="{opened}">' in scorer.client.get(where).text
    for address in ("/settings", "/settings?to=//elsewhere.example/"):
        assert 'class="back"' not in scorer.client.get(address).text
    preview = f"/matches/{match}/edit?side_a=Los+P%C3%A9rez&ruleset=burako"
    shown = scorer.client.get("/settings", query_string={"to": preview}).text
    assert f'class="back"><a href="{preview.replace("&", "&amp;")}">' in shown
    longest = "/" + "a" * (LONGEST_WAY_BACK - 1)
    assert f'class="back"><a href="{longest}">' in scorer.client.get(f"/settings?to={longest}").text
    for to in (
        f"{longest}a",
        "/settings?to=/matches",
        "/a?b=%zz",
        "/a?b=//c",
        "/a?b=\\c",
        "/a?b=c\n",
    ):
        page = scorer.client.get("/settings", query_string={"to": to}).text
        assert 'class="back"' not in page, to


@pytest.mark.parametrize(
    ("form", "sent"),
    [("device", {"language": "es", "theme": "dark"}), ("photos", {"days": "30"})],
)
def test_saved_settings_say_so_once(scorer: Scorer, form: str, sent: dict[str, str]) -> None:
    told = '<p class="notice" role="status">Guardado.</p>'
    assert told not in scorer.client.get("/settings").text
    where = scorer.form(f"/settings/{form}", **sent).headers["Location"]
    assert [told in scorer.client.get(where).text for _ in range(2)] == [True, False]


def test_deleting_a_match_says_that_its_unsaved_hand_goes_too(scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)

    def told() -> str:
        found = re.search(
            r'id="what-goes">([^<]+)</p>', scorer.client.get(f"/matches/{match}").text
        )
        assert found
        return found[1]

    alone = told()
    assert alone.startswith("Se va la única mano")
    scorer.begin(match)
    goes_too = "También se va la mano que todavía no se guardó: una copia no la lleva."
    assert told() == f"{alone} {goes_too}"


def test_beside_the_copy_of_a_match_stands_that_it_lacks_what_is_not_saved_yet(
    scorer: Scorer,
) -> None:
    hand, match = saved_hand(scorer)
    told = "Lo que todavía no se guardó de una mano no va en la copia ni en la planilla."

    def is_told() -> bool:
        page = scorer.client.get(f"/matches/{match}").text
        beside = page.partition("export.csv")[2].partition("</div>")[0]
        return told in beside

    assert not is_told()
    scorer.tap(hand, "B", "rack", "3R")
    assert is_told()
    scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    assert not is_told()
    scorer.begin(match)
    assert is_told()


def test_every_field_of_the_options_belongs_to_a_group_with_a_name(scorer: Scorer) -> None:
    page = scorer.client.get("/matches/new", follow_redirects=True).text
    options = page.partition("<summary>Opciones de la mesa")[2].partition("</details>")[0]
    parts = re.findall(r'<fieldset class="part"><legend>([^<]+)</legend>', options)
    assert parts == [
        "Valor de las fichas",
        "Canastas",
        "Canastas especiales",
        "Juegos",
        "Muerto",
        "Cerrar",
    ]
    outside = re.sub(r"<fieldset.*?</fieldset>", "", options, flags=re.DOTALL)
    assert "<input" not in outside and "<select" not in outside
    specials = re.findall(r'class="special" role="group" aria-label="([^"]+)"', options)
    assert specials == ["De comodines y doses", "De unos", "Del 1 al 13", "Del 1 al 1"]


def test_only_fields_of_the_form_stand_in_the_address_of_changed_rules(scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    form = {"side_a": "Uno", "side_b": "Dos", "ruleset": "burraco_it", "junk": "x" * 200_000}
    answer = scorer.form(f"/matches/{match}/edit", **form)
    where = answer.headers.get("Location", "")
    assert "ruleset=burraco_it" in where
    assert len(where) < 1000


def test_the_address_of_changed_rules_has_no_names_and_the_change_keeps_them(
    scorer: Scorer,
) -> None:
    _hand, match = saved_hand(scorer)
    other = new_match(scorer)
    names = {"side_a": "Zorros", "side_b": "Cuervos", "player_0": "Ana", "player_1": "Bruno"}
    form = {**names, "ruleset": "burraco_it"}
    where = scorer.form(f"/matches/{match}/edit", **form).headers["Location"]
    assert not [name for name in names if name in where]
    assert not [name for name in names.values() if name in where]
    for _look in range(2):  # it can be loaded anew
        page = scorer.client.get(where).text
        assert 'id="effect"' in page
        assert all(f'name="{field}" value="{name}"' in page for field, name in names.items())
    elsewhere = scorer.client.get(where.replace(match, other)).text
    assert not [name for name in names.values() if name in elsewhere]
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    scorer.form(f"/matches/{match}/edit", **hidden)
    shown = scorer.client.get(f"/matches/{match}/edit").text
    assert all(name in shown for name in names.values())


def test_nobody_is_asked_to_throw_the_die_for_a_match_that_is_over(scorer: Scorer) -> None:
    match = new_match(scorer, target="100")
    going = scorer.client.get(f"/matches/{match}/deal").text
    assert "<h2>¿Quién empieza?</h2>" in going and "tira el dado" in going
    scorer.form(f"/matches/{match}/count", base_A="300")
    over = scorer.client.get(f"/matches/{match}/deal").text
    assert "<h2>Jugadores</h2>" in over
    assert "¿Quién empieza?" not in over and "tira el dado" not in over
