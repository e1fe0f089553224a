"""The steps by which each device changed a match, and undoing them one by one."""

from __future__ import annotations

import html
import io
import re

import pytest
from flask import Flask
from sqlalchemy import delete

from scorer_app.services.steps import TOLD_ONLY, StepKind, StepView, note_step, steps_of
from scorer_app.store import Edit, Hand
from scorer_app.store.tables import Json
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import new_match, saved_hand, send, totals, when_read
from ..pictures import RecordedReader, picture_of


def steps(app: Flask, match: str) -> list[StepView]:
    """Return the steps of a match that can be undone."""
    return [one for one in steps_of(parts_of(app).store, match) if one.kind not in TOLD_ONLY]


def told_in_history(scorer: Scorer, match: str) -> list[str]:
    """Return the sentences that the history of a match tells of its steps, as people read them."""
    page = scorer.client.get(f"/matches/{match}/history").text
    return [html.unescape(one) for one in re.findall(r'class="told">([^<]*)<', page)]


def undo(scorer: Scorer, match: str, step: StepView) -> int:
    status: int = scorer.form(f"/matches/{match}/history/{step.id}/undo").status_code
    return status


def test_a_hand_saved_again_goes_back_to_how_it_was_saved_before(
    scorer: Scorer, app: Flask
) -> None:
    hand, match = saved_hand(scorer)
    scorer.tap(hand, "B", "rack", "J")
    scorer.post(f"/api/hands/{hand}/save")
    again, first = steps(app, match)
    assert (again.can_undo, first.can_undo) == (True, False)
    assert undo(scorer, match, first) == 409
    assert totals(scorer.client, match) == ["445", "−200"]
    assert undo(scorer, match, again) == 303
    assert totals(scorer.client, match) == ["445", "−150"]
    assert undo(scorer, match, again) == 409
    assert undo(scorer, match, steps(app, match)[1]) == 303
    assert totals(scorer.client, match) == ["0", "0"]


def test_a_hand_that_two_phones_take_out_is_put_back_by_one_undo(
    scorer: Scorer, app: Flask
) -> None:
    hand, match = saved_hand(scorer)
    for wanted in ("yes", "yes", "no", "no", "yes", "yes"):
        scorer.form(f"/hands/{hand}/undone", undone=wanted)
    kinds = [step.kind for step in steps(app, match)]
    assert kinds == [StepKind.EXCLUDED, StepKind.INCLUDED, StepKind.EXCLUDED, StepKind.SAVED]
    assert undo(scorer, match, steps(app, match)[0]) == 303
    assert totals(scorer.client, match) == ["445", "−150"]


def test_a_step_over_which_another_changed_the_same_is_not_undone(
    scorer: Scorer, app: Flask
) -> None:
    match = new_match(scorer)
    parts_of(app).matches.change(match, side_a="Ana")
    parts_of(app).matches.change(match, side_a="Anita", side_b="Beto")
    parts_of(app).matches.change(match, archived=True)
    archived, later, earlier = steps(app, match)
    assert [step.can_undo for step in (archived, later, earlier)] == [True, True, False]
    assert undo(scorer, match, earlier) == 409
    assert undo(scorer, match, later) == 303
    assert undo(scorer, match, earlier) == 303
    kept = parts_of(app).matches.tally(match).match
    assert (kept.side_a, kept.side_b, kept.archived) == ("Los Pérez", "Visitas", True)


ITALIAN = {"ruleset": "burraco_it", "jokers": "4"}


@pytest.mark.parametrize(
    ("begun", "first", "second"),
    [
        ({}, ITALIAN, ITALIAN | {"canasta_pulito": "300"}),
        ({"canasta_pura": "300"}, {"ruleset": "burako"}, ITALIAN),
    ],
    ids=["the ruleset", "an option"],
)
def test_a_change_of_rules_is_not_undone_beneath_a_later_one_that_needs_it(
    scorer: Scorer, app: Flask, begun: dict[str, str], first: dict[str, str], second: dict[str, str]
) -> None:
    match = new_match(scorer, **begun)
    for form in (first, second):
        scorer.form(f"/matches/{match}/edit", side_a="Los Pérez", side_b="Visitas", **form)
    later, earlier = steps(app, match)
    assert [step.can_undo for step in (later, earlier)] == [True, False]
    assert undo(scorer, match, earlier) == 409
    assert undo(scorer, match, later) == 303
    assert undo(scorer, match, earlier) == 303
    assert scorer.client.get(f"/matches/{match}").status_code == 200


def test_a_correction_that_is_not_saved_outlives_the_undoing_of_an_earlier_one(
    scorer: Scorer, app: Flask
) -> None:
    hand, match = saved_hand(scorer)
    scorer.tap(hand, "B", "rack", "J")
    scorer.post(f"/api/hands/{hand}/save")
    scorer.tap(hand, "B", "rack", "3K")
    assert undo(scorer, match, steps(app, match)[0]) == 303
    assert totals(scorer.client, match) == ["445", "−150"]
    assert len(scorer.hand(hand)["tiles"]) == 10
    scorer.form(f"/hands/{hand}/drop")
    assert len(scorer.hand(hand)["tiles"]) == 8


def test_a_step_of_another_match_is_not_undone(scorer: Scorer, app: Flask) -> None:
    match, other = new_match(scorer), new_match(scorer)
    parts_of(app).matches.change(match, side_a="Ana")
    assert undo(scorer, other, steps(app, match)[0]) == 409
    assert parts_of(app).matches.tally(match).match.side_a == "Ana"


def test_a_step_of_a_hand_that_was_deleted_is_listed_and_not_undone(
    scorer: Scorer, app: Flask
) -> None:
    hand, match = saved_hand(scorer)
    with parts_of(app).store.writing() as session:
        session.execute(delete(Edit).where(Edit.hand_id == hand))
        session.execute(delete(Hand).where(Hand.id == hand))
    (step,) = steps(app, match)
    assert (step.position, step.can_undo) == (None, False)
    assert "guardó la mano –" in scorer.client.get(f"/matches/{match}/history").text
    assert undo(scorer, match, step) == 409


def test_how_a_hand_ended_is_told_once_a_device_and_undone_in_the_hand_alone(
    scorer: Scorer, app: Flask
) -> None:
    hand, match = saved_hand(scorer)
    scorer.edit(hand, {"op": "set_end", "end": "close", "closed_by": "B"})
    told = steps_of(parts_of(app).store, match)
    assert [one.kind for one in told] == [StepKind.END, StepKind.SAVED, StepKind.MUERTO]
    assert [one.can_undo for one in told] == [False, True, False]
    assert {one.device for one in told} == {told[0].device}
    page = scorer.client.get(f"/matches/{match}/history").text
    assert "dijo quién cerró la mano 1: Ellos" in page
    assert "Cierre: Nosotros." in page  # as the hand was saved
    assert undo(scorer, match, told[0]) == 409
    assert undo(scorer, match, told[1]) == 303


def test_what_two_devices_of_one_name_said_is_told_of_each(scorer: Scorer, app: Flask) -> None:
    """A device has its own word replaced by its later one, and never that of another."""
    hand, match = saved_hand(scorer)
    other = Scorer.of(app)
    other.serial = 100  # its edits have keys of their own
    for device in (scorer, other):
        device.form("/settings/device", device="Mesa")
    for device, side in ((scorer, "A"), (other, "B"), (scorer, "A")):
        device.edit(hand, {"op": "set_end", "end": "close", "closed_by": side})
    told = [one for one in steps_of(parts_of(app).store, match) if one.kind is StepKind.END]
    named = [(one.device, one.after["closed_by"]) for one in told if one.device == "Mesa"]
    assert named == [("Mesa", "A"), ("Mesa", "B")]


def test_two_devices_of_one_name_are_told_apart_where_both_said_something(
    scorer: Scorer, app: Flask
) -> None:
    """Each keeps its digits when it says something else. A step of which nobody knows the device
    has none, and neither has a device whose name is its own.
    """
    hand, match = saved_hand(scorer)
    others = Scorer.of(app), Scorer.of(app)
    for at, (device, name) in enumerate(
        zip((scorer, *others), ("Mesa", "Mesa", "Bar"), strict=True)
    ):
        device.serial = 100 * at  # its edits have keys of their own
        device.form("/settings/device", device=name)

    def say(device: Scorer, side: str) -> list[str]:
        """Say who closed, and return the names of devices that the history shows, newest first."""
        device.edit(hand, {"op": "set_end", "end": "close", "closed_by": side})
        page = scorer.client.get(f"/matches/{match}/history").text
        return [html.unescape(one) for one in re.findall("<p><b>([^<]*)</b>", page)]

    scorer.serial = 50
    assert say(scorer, "A")[0] == "Mesa"
    assert say(others[1], "A")[:2] == ["Bar", "Mesa"]
    second, bar, first, *_ = say(others[0], "B")
    assert (bar, first != second) == ("Bar", True)
    assert all(re.fullmatch(r"Mesa \(\d{4}\)", name) for name in (first, second))
    assert say(scorer, "B")[:3] == [first, second, "Bar"]
    scorer.form(f"/matches/{match}/archive", archived="yes")
    assert say(others[0], "A")[:4] == [second, "Mesa", first, "Bar"]
    scorer.form("/settings/device", device="Bar 2")
    assert say(scorer, "A")[:4] == ["Bar 2", "Mesa", "Mesa", "Bar"]


def test_what_a_saved_hand_was_saved_with_is_told(
    scorer: Scorer, app: Flask, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    for side, place, faces in (("A", "melds", "3R 9B 4K"), ("B", "rack", "4K")):
        loose = faces if place == "rack" else ""
        shown = picture_of(*([] if loose else [faces]), loose=loose)
        send(scorer, hand, side, place, reader.add(shown))
    view = when_read(scorer, hand)
    (row,) = (one["id"] for one in view["rows"] if one["place"] == "melds")
    for side in "AB":
        scorer.edit(hand, {"op": "set_muerto", "side": side, "taken": True})
    scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted"})
    scorer.edit(hand, {"op": "accept_row", "row": row, "accepted": True})
    photos = {photo["place"]: photo["id"] for photo in view["photos"]}
    for place in ("melds", "rack"):
        scorer.client.delete(f"/api/hands/{hand}/photos/{photos[place]}", headers=scorer.headers)
        if place == "melds":  # it is brought back, and so not told
            scorer.post(f"/api/hands/{hand}/undo")
    scorer.edit(hand, *({"op": "empty_rack", "side": side} for side in "AB"))
    answer = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    assert answer.status_code == 200, answer.get_json()
    match = answer.get_json()["match"]
    page = scorer.client.get(f"/matches/{match}/history").text
    told = re.findall(r'class="told">(.*?)</span>\s*(?=<span class="told"|</p>)', page, re.DOTALL)
    assert [re.sub(r"<[^>]*>", "", one).split(":")[0].strip() for one in told] == [
        "No cerró nadie.",
        "Muerto tomado",
        "Muerto tomado",
        "Juego aceptado (Nosotros)",
        "Foto quitada",
    ]
    assert re.findall(r'aria-label="(\d+ [^"]*)"', told[3]) == ["3 rojo", "9 azul", "4 negro"]
    assert "Ellos, atril." in told[4]
    assert "dijo que nadie cerró la mano 1" in page


def test_the_history_says_which_points_a_correction_changed(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    corrections: list[tuple[dict[str, object], str]] = [
        ({"op": "add_tile", "side": "B", "place": "rack", "face": "J"}, "Ellos −150 → −200."),
        (
            {"op": "add_adjustment", "side": "A", "points": -1000, "reason": "arreglo"},
            "Nosotros 445 → −555.",
        ),
    ]
    for edit, _changes in corrections:
        scorer.edit(hand, edit)
        assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    scorer.post(f"/api/hands/{hand}/save")
    page = scorer.client.get(f"/matches/{match}/history").text
    told = re.findall(r'class="told">((?:Puntos:|Los puntos) [^<]*)<', page)
    expected = [f"Puntos: {changes}" for _edit, changes in reversed(corrections)]
    assert told == ["Los puntos de la mano quedan igual.", *expected]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("es", "Ajuste (Nosotros): −25, «<i>palabrotas</i>»."),
        ("en", "Adjustment (Us): −25, “<i>palabrotas</i>”."),
        ("it", "Rettifica (Noi): −25, «<i>palabrotas</i>»."),
    ],
)
def test_the_history_tells_of_an_adjustment_with_its_reason(
    scorer: Scorer, language: str, expected: str
) -> None:
    reason = "<i>palabrotas</i>"
    adjustment = {"op": "add_adjustment", "side": "A", "points": -25, "reason": reason}
    _hand, match = saved_hand(scorer, adjustment)
    scorer.form("/settings/device", language=language, theme="auto")
    assert expected in told_in_history(scorer, match)


def test_points_that_people_counted_themselves_are_told_as_no_adjustment(scorer: Scorer) -> None:
    match = new_match(scorer)
    hand = counted(scorer, match, base_A="1100", base_B="100")
    scorer.form(f"/matches/{match}/count?hand={hand}", base_A="1250", base_B="-100")
    told = told_in_history(scorer, match)
    assert told == ["Puntos: Los Pérez 1.100 → 1.250 · Visitas 100 → −100."]


def test_the_history_says_how_points_that_were_counted_anew_changed(scorer: Scorer) -> None:
    match = new_match(scorer)
    hand = counted(scorer, match, base_A="1100", base_B="100")
    scorer.form(f"/matches/{match}/count?hand={hand}", base_A="1250", base_B="-100")
    page = scorer.client.get(f"/matches/{match}/history").text
    (told,) = re.findall(r"Puntos: ([^<]*)<", page)
    assert told == "Los Pérez 1.100 → 1.250 · Visitas 100 → −100."


def test_the_history_says_which_side_took_its_muerto(scorer: Scorer, app: Flask) -> None:
    hand, match = saved_hand(scorer, {"op": "set_muerto", "side": "A", "taken": True})
    assert "Muerto tomado: Nosotros." in scorer.client.get(f"/matches/{match}/history").text
    said = [
        ("A", {"taken": False}, "dijo que no se tomó el muerto en la mano 1: Nosotros"),
        ("B", {"taken": True}, "dijo que se tomó el muerto en la mano 1: Ellos"),
        ("A", {}, "dejó sin decir si se tomó el muerto en la mano 1: Nosotros"),
        (
            "B",
            {"taken": True, "played": False},
            "dijo que se tomó el muerto sin jugarlo en la mano",
        ),
    ]
    for side, answer, sentence in said:
        scorer.edit(hand, {"op": "set_muerto", "side": side, **answer})
        page = scorer.client.get(f"/matches/{match}/history").text
        assert sentence in page
    of_muertos = [one for one in steps_of(parts_of(app).store, match) if one.kind == "muerto"]
    assert [one.after["side"] for one in of_muertos] == ["B", "A"]  # the last word about each


TODAY: Json = {"options": {}, "ruleset": "burako", "pieces": "tiles"}


def told_of_rules(scorer: Scorer, match: str) -> list[list[str]]:
    """Return the sentences of each step in the history of a match, the newest first."""
    page = scorer.client.get(f"/matches/{match}/history").text
    entries = re.findall(r"<li .*?</li>", page, re.DOTALL)
    return [
        [
            re.findall(r"</b> (.*?) <time>", entry)[0],
            *re.findall(r'class="told">(.*?)</span>', entry),
        ]
        for entry in entries
    ]


def test_the_history_names_what_changed_of_names_and_rules(app: Flask, scorer: Scorer) -> None:
    match, matches = new_match(scorer, player_0="Ana", player_1="Eva"), parts_of(app).matches
    names = {"side_a": "Nietos", "side_b": "Visitas", "player_names": ["Ana", "Mía", "", "Leo"]}
    options: dict[str, object] = {"target": 2000, "tile_values": {"7": 15}, "wilds_per_meld": 2}
    wilds = {"canasta": "wilds", "pura": 800, "impura": None}
    rules = {"ruleset": "burako", "options": options, "pieces": "tiles"}
    more = options | {"close_requires": "pura", "muerto_bonus": False, "special_canastas": [wilds]}
    steps = [
        names | rules,
        names | rules | {"options": more},
        names | {"ruleset": "burraco_it", "pieces": "cards", "options": {"jokers": 4}},
    ]
    scorer.form(
        f"/matches/{match}/names", side_a="Nietos", side_b="Visitas", shown_side_b="Visitas"
    )
    for columns in steps:
        matches.change(match, StepKind.RULES, **columns)
    matches.change(match, StepKind.RULES, side_b="Ñandú & <Co>")
    assert told_of_rules(scorer, match) == [
        ["cambió los nombres", "Nombre: Visitas → Ñandú &amp; &lt;Co&gt;."],
        [
            "cambió las reglas",
            "Reglamento: Burako → Burraco italiano.",
            "Se juega con: Fichas → Cartas.",
            "Se juega a: 2.000 → 2.005.",
            "Comodines por juego: 2 → 1.",
            "Valor de las cartas (7): 15 → 5.",
            "Para cerrar hace falta: una canasta pura → un burraco.",
            "Canastas especiales: De comodines y doses: Sí → No.",
        ],
        [
            "cambió las reglas",
            "Muerto: Tomarlo suma 100: Sí → No.",
            "Para cerrar hace falta: una canasta → una canasta pura.",
            "Canastas especiales: De comodines y doses: No → Sí.",
            "Canastas especiales: De comodines y doses (sin comodín): – → 800.",
            "Canastas especiales: De comodines y doses (con comodín): – → como canasta.",
        ],
        [
            "cambió nombres y reglas",
            "Jugador 2: Eva → Mía.",
            "Jugador 4: – → Leo.",
            "Se juega a: 3.000 → 2.000.",
            "Comodines por juego: 1 → 2.",
            "Valor de las cartas (7): 5 → 15.",
        ],
        ["cambió los nombres", "Nombre: Los Pérez → Nietos."],
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, "cambió nombres o reglas"),
        ({"options": {"weather": 1}}, TODAY, "cambió las reglas"),
        ({"ruleset": "chess"}, TODAY, "cambió las reglas"),
        ({"options": {}}, {"options": {"target": 2}}, "cambió las reglas"),
        ({"player_names": None, "options": 3}, {}, "cambió nombres y reglas"),
    ],
)
def test_a_change_of_which_too_little_is_stored_is_told_without_details(
    app: Flask, scorer: Scorer, before: Json, after: Json, expected: str
) -> None:
    match = new_match(scorer)
    with parts_of(app).store.writing() as session:
        note_step(session, match, StepKind.RULES, "Ana", before, after)
    ((sentence,),) = told_of_rules(scorer, match)
    assert sentence == expected


def test_what_changes_nothing_is_no_step(scorer: Scorer, app: Flask) -> None:
    match = new_match(scorer)
    parts_of(app).matches.change(match, side_a="Los Pérez")
    assert steps(app, match) == []


def counted(scorer: Scorer, match: str, **points: str) -> str:
    """Enter a hand as points alone, without tiles; return its id."""
    assert scorer.form(f"/matches/{match}/count", **points).status_code == 303
    page = scorer.client.get(f"/matches/{match}").text
    return re.findall(r"hand=([^\"&]+)", page)[-1]


def test_a_counted_hand_comes_before_the_unfinished_one_and_takes_no_tiles(scorer: Scorer) -> None:
    match = new_match(scorer)
    unfinished = scorer.begin(match)
    hand = counted(scorer, match, base_A="100", puntos_A="50", puntos_B="−30")
    assert totals(scorer.client, match) == ["150", "−30"]
    positions = [scorer.hand(name)["position"] for name in (hand, unfinished)]
    assert positions == [1, 2]
    assert scorer.tap(hand, "A", "melds", "3R 4R 5R").status_code == 422
    where = scorer.client.get(f"/hands/{hand}").headers["Location"]
    assert where == f"/matches/{match}/count?hand={hand}"


def test_a_counted_hand_is_taken_out_copied_out_and_brought_in(scorer: Scorer) -> None:
    match = new_match(scorer)
    hand = counted(scorer, match, base_A="100", puntos_B="55")
    copy = scorer.client.get(f"/matches/{match}/export.json").data
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    assert totals(scorer.client, match) == ["0", "0"]
    assert 'id="count-again"' in scorer.client.get(f"/matches/{match}/count?hand={hand}").text
    brought = scorer.form("/matches/import", file=(io.BytesIO(copy), "m.json"))
    assert totals(scorer.client, brought.headers["Location"].rsplit("/", 1)[1]) == ["100", "55"]


@pytest.mark.parametrize("written", ["1250", "1.250", "1,250", "1 250", "+1250"])
def test_points_are_written_as_people_group_thousands(scorer: Scorer, written: str) -> None:
    match = new_match(scorer)
    points = {"base_A": written, "puntos_B": f"−{written.strip('+')}"}
    assert scorer.form(f"/matches/{match}/count", **points).status_code == 303
    assert totals(scorer.client, match) == ["1.250", "−1.250"]


def test_a_counted_hand_without_a_single_figure_is_asked_for_again(scorer: Scorer) -> None:
    match = new_match(scorer)
    again = scorer.form(f"/matches/{match}/count", base_A="", puntos_A="", base_B="", puntos_B="")
    assert again.status_code == 422
    assert "al menos un número" in again.text
    assert scorer.form(f"/matches/{match}/count", base_A="0").status_code == 303


def test_points_that_are_no_numbers_are_asked_for_again(scorer: Scorer) -> None:
    match = new_match(scorer)
    for wrong in ("x", "1.5", "12.50", "1.2500", "1000000"):
        again = scorer.form(f"/matches/{match}/count", base_A=wrong)
        assert again.status_code == 422
        assert f'value="{wrong}"' in again.text


def test_the_history_says_whether_a_match_was_archived_or_taken_out_again(scorer: Scorer) -> None:
    match = new_match(scorer)
    for wanted in ("yes", "no"):
        scorer.form(f"/matches/{match}/archive", archived=wanted)
    page = scorer.client.get(f"/matches/{match}/history").text
    assert page.index("sacó la partida del archivo") < page.index("archivó la partida")
