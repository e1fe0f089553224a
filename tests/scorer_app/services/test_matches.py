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

DOUBTFUL = "Hay manos guardadas con dudas: el total puede cambiar."


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


def test_a_hand_after_the_end_is_told_so_however_it_is_entered(scorer: Scorer) -> None:
    match = new_match(scorer, target="2000")
    count = f"/matches/{match}/count"
    begun = scorer.begin(match)
    told = "La partida ya estaba ganada"
    assert told not in scorer.client.get(count, follow_redirects=True).text
    scorer.form(count, base_A="2500")
    assert told in scorer.client.get(count, follow_redirects=True).text
    assert told in scorer.client.get(f"/hands/{begun}").text  # the other phone's, still open
    (won,) = re.findall(r"hand=([\w-]+)", scorer.client.get(f"/matches/{match}").text)
    assert told not in scorer.client.get(f"{count}?hand={won}").text
    scorer.form(count, base_A="100")
    hands = re.findall(r"hand=([\w-]+)", scorer.client.get(f"/matches/{match}").text)
    late = [told in scorer.client.get(f"{count}?hand={hand}").text for hand in hands]
    assert late == [False, True]


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
            .startswith("1;sí;1;")
        )
        shared = scorer.client.get(f"/matches/{name}/share").text.split('id="share-data">')
        assert ["el total puede cambiar" in part for part in shared] == [True, True]


def test_other_rules_show_the_interval_of_a_hand_saved_with_doubts(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="9K", doubts={"9K": ["9K", "J"]})))
    when_read(scorer, hand)
    match = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).get_json()["match"]
    fields = {"ruleset": "burako", "close_bonus": "300"}
    alone = scorer.compare(match, hand=hand, **fields).text
    shown = re.findall(r"<td><b>([^<]*)</b></td>", alone)
    assert shown == ["445", "645", "−200 a −160", "−200 a −160"]
    whole = scorer.compare(match, **fields).text
    assert "<span>445 / −200 a −160 → 645 / −200 a −160</span>" in whole
    assert "el total puede cambiar" in whole
    same = scorer.compare(match, hand=hand, ruleset="burako").text
    for told in (alone, whole, same):
        assert told.count("de esta mano no se sabe todo; puede dar Nosotros") == 2
    assert "La mano cuenta igual." in same


def test_a_hand_of_which_other_rules_change_the_interval_alone_is_not_said_to_count_the_same(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, either = closed_hand(scorer), {"9K": ["9K", "12K"]}
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="9K", doubts=either)))
    when_read(scorer, hand)
    match = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).get_json()["match"]
    page = scorer.compare(match, hand=hand, ruleset="burako", tile_12="30").text
    assert "<td><b>−160</b></td><td><b>−180 a −160</b></td>" in page
    assert "La mano cuenta igual." not in page


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
    for ruleset, is_told in (("buraco", True), ("pagat", False)):
        shown = [
            scorer.preview(match, ruleset=ruleset, **names),
            scorer.compare(match, ruleset=ruleset),
            scorer.compare(match, ruleset=ruleset, hand=hand),
        ]
        assert [may_be in answer.text for answer in shown] == [is_told] * 3
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


def test_the_page_for_who_looks_on_says_no_we(app: Flask, scorer: Scorer) -> None:
    match = new_match(scorer, side_a="Nosotros", side_b="Ellos")
    scorer.form(f"/matches/{match}/count", base_A="3000")
    viewers = parts_of(app).matches.tally(match).match.viewer_token
    for page, winner in (
        (f"/matches/{match}", "¡Ganamos!"),
        (f"/v/{viewers}", "Victoria de «Nosotros»"),
    ):
        shown = scorer.client.get(page).text
        assert re.findall(r'class="winner">([^<]*)<', shown) == [winner]


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


def test_the_page_of_a_saved_hand_says_whether_it_counts(scorer: Scorer) -> None:
    match = new_match(scorer, target="300", options_shown="yes", void_without_canasta="yes")
    without_canasta = [*taps("A", "melds", "3R 4R 5R"), {"op": "set_end", "end": "stock_exhausted"}]
    answers = [{"op": "set_muerto", "side": side, "taken": False} for side in "AB"]
    empty = [{"op": "empty_rack", "side": side} for side in "AB"]
    hands = []
    for played in (without_canasta, None, None):
        hand = scorer.begin(match)
        if played is None:
            scorer.edit(hand, *taps("A", "melds", CANASTA), *taps("B", "rack", "J"), *closing())
        else:
            scorer.edit(hand, *played, *answers, *empty)
        assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
        hands.append(hand)
    void, counts, after_end = (note_of(scorer, hand) for hand in hands)
    assert counts == "Esta mano ya suma. Los cambios cuentan recién al guardarlos."
    assert void == after_end
    assert (
        void == "Esta mano está guardada, pero no suma. Los cambios cuentan recién al guardarlos."
    )


def note_of(scorer: Scorer, hand: str) -> str:
    """Return what the page of a saved hand says of whether the hand counts."""
    page = scorer.client.get(f"/hands/{hand}").text
    (note,) = re.findall(r'<p class="page-note" data-when="\w+">(.*?)</p>', page)
    return str(note)
