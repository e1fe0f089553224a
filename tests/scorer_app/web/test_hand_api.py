"""A hand through the API, from the first tap to the tally."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.hand.edits import EDITS
from scorer_app.hand.operation import PhotoMoved, PhotoRemoved, PhotoReplaced, TableHandedOver
from scorer_app.services import hands
from scorer_app.store import StoreUnavailable
from scorer_app.texts.languages import DEFAULT
from scorer_app.texts.translator import translator
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, token_of
from ..hands import CANASTA, closed_hand, faces, send, when_read
from ..pictures import RecordedReader, picture_of


def test_a_tapped_hand_is_counted_saved_and_tallied(scorer: Scorer) -> None:
    hand = closed_hand(scorer)
    view = scorer.hand(hand)
    assert view["ready"]
    assert (view["score"]["A"]["base"], view["score"]["A"]["puntos"]) == (400, 45)
    assert view["score"]["B"]["total"] == -150
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    page = scorer.client.get(f"/matches/{view['match']}").text
    assert "445" in page
    assert "−150" in page


def test_an_open_hand_cannot_be_saved_and_says_what_is_missing(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    assert [question["ask"] for question in scorer.hand(hand)["questions"]] == ["end"]
    refused = scorer.post(f"/api/hands/{hand}/save")
    assert (refused.status_code, refused.get_json()["error"]) == (422, "open_questions")


def test_a_closing_that_cannot_stand_is_asked_about_before_the_muertos(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    view = scorer.edit(hand, {"op": "set_end", "end": "close", "closed_by": "A"}).get_json()
    assert [question["ask"] for question in view["questions"]] == ["closing"]


def test_of_a_hand_that_counts_nothing_no_muerto_is_asked_and_the_tally_says_why(
    scorer: Scorer,
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    view = scorer.edit(
        hand, {"op": "set_end", "end": "stock_exhausted", "closed_by": None}
    ).get_json()
    assert (view["questions"], view["ready"], view["score"]["A"]["total"]) == ([], True, 0)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    assert (
        "nadie hizo canasta: la mano no suma" in scorer.client.get(f"/matches/{view['match']}").text
    )
    again = scorer.tap(hand, "A", "melds", "6R 7R 8R 9R").get_json()
    assert [question["ask"] for question in again["questions"]] == ["muerto", "muerto"]


def test_the_rack_of_the_side_that_did_not_close_is_asked_for_until_somebody_says(
    scorer: Scorer,
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    closed = {"op": "set_end", "end": "close", "closed_by": "A"}
    no_muerto = {"op": "set_muerto", "side": "B", "taken": False}
    view = scorer.edit(hand, closed, no_muerto).get_json()
    assert [(one["ask"], one["subject"]) for one in view["questions"]] == [("rack", "B")]
    assert not view["ready"]
    empty = scorer.edit(hand, {"op": "empty_rack", "side": "B"}).get_json()
    assert (empty["questions"], empty["ready"]) == ([], True)
    asked_again = scorer.edit(hand, {"op": "empty_rack", "side": "B", "empty": False}).get_json()
    assert [one["ask"] for one in asked_again["questions"]] == ["rack"]
    assert scorer.tap(hand, "B", "rack", "13K").get_json()["ready"]


def test_the_partner_of_the_player_who_closed_is_told_to_count_as_empty(scorer: Scorer) -> None:
    hand = closed_hand(scorer)
    assert any("compañero" in note for note in scorer.hand(hand)["notes"])
    shown = scorer.tap(hand, "A", "rack", "4K").get_json()
    assert not any("compañero" in note for note in shown["notes"])


def test_what_the_closing_players_partner_had_left_is_asked_last_and_may_stay_open(
    scorer: Scorer,
) -> None:
    hand = closed_hand(scorer)
    view = scorer.hand(hand)
    asked = view["partner"]
    assert (asked["ask"], asked["subject"], asked["needed"]) == ("rack", "A", False)
    assert "compañero" in asked["text"]
    assert (view["questions"], view["ready"]) == ([], True)
    nothing = {"op": "empty_rack", "side": "A"}
    assert "partner" not in scorer.edit(hand, nothing).get_json()
    unsaid = scorer.edit(hand, nothing | {"empty": False}).get_json()
    assert "partner" in unsaid
    assert "partner" not in scorer.tap(hand, "A", "rack", "4K").get_json()


def test_nobody_asks_for_a_partner_of_a_saved_hand_while_another_question_is_open(
    scorer: Scorer,
) -> None:
    hand = closed_hand(scorer)
    open_again = scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": None}).get_json()
    assert open_again["questions"] and "partner" not in open_again
    scorer.edit(hand, {"op": "set_muerto", "side": "B", "taken": False})
    assert "partner" in scorer.hand(hand)
    scorer.post(f"/api/hands/{hand}/save")
    assert scorer.hand(hand)["state"] == "saved"
    assert "partner" not in scorer.hand(hand)


def test_a_closing_that_the_rules_refuse_names_the_ends_that_they_allow(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    scorer.tap(hand, "B", "melds", CANASTA)
    view = scorer.edit(hand, {"op": "set_end", "end": "close", "closed_by": "A"}).get_json()
    assert view["questions"][0]["choices"] == ["B", "stock_exhausted"]


def test_what_another_device_changed_is_not_saved_unseen(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = closed_hand(scorer)
    seen = scorer.hand(hand)["version"]
    device = app.test_client()
    other = Scorer(device, token_of(device), serial=100)
    other.tap(hand, "B", "rack", "3B")
    refused = scorer.post(f"/api/hands/{hand}/save", json={"version": seen})
    assert (refused.status_code, refused.get_json()["error"]) == (409, "changed")

    check = hands.check_may_save

    def check_while_another_taps(*asked: Any, **options: Any) -> None:
        """Check whether the hand may be saved, and then let another device tap before it is
        saved.
        """
        check(*asked, **options)
        monkeypatch.undo()
        other.tap(hand, "B", "rack", "4B")

    monkeypatch.setattr(hands, "check_may_save", check_while_another_taps)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 409
    now = scorer.hand(hand)
    assert (now["state"], len(now["tiles"])) == ("draft", 10)
    assert (
        scorer.post(f"/api/hands/{hand}/save", json={"version": now["version"]}).status_code == 200
    )


def test_a_tile_that_another_phone_corrected_meanwhile_is_not_corrected_unseen(
    app: Flask, scorer: Scorer
) -> None:
    hand, other = scorer.begin(), Scorer.of(app)
    scorer.tap(hand, "A", "rack", "7R")
    (tile,) = scorer.hand(hand)["tiles"]
    mine = {"op": "set_tile", "tile": tile, "face": "8R", "seen": "7R"}
    assert scorer.edit(hand, mine).status_code == 200
    theirs = mine | {"face": "9R", "key": "theirs"}
    for _sent in range(2):
        refused = other.edit(hand, theirs)
        assert (refused.status_code, refused.get_json()["error"]) == (409, "tile_changed")
        assert refused.get_json()["message"].startswith("Alguien cambió esa ficha mientras tanto")
        assert scorer.hand(hand)["tiles"][tile]["face"] == "8R"
    assert other.edit(hand, theirs | {"seen": "8R"}).status_code == 200
    assert other.edit(hand, theirs | {"seen": "8R"}).status_code == 200  # its answer was lost
    assert scorer.hand(hand)["tiles"][tile]["face"] == "9R"


def test_a_hand_is_not_saved_without_a_photograph_that_came_at_the_same_moment(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, check = closed_hand(scorer), hands.check_may_save

    def check_while_another_sends(*asked: Any, **options: Any) -> None:
        check(*asked, **options)
        monkeypatch.undo()
        reader.hold()
        send(Scorer.of(app), hand, "B", "melds", reader.add(picture_of("3B 4B 5B")))

    monkeypatch.setattr(hands, "check_may_save", check_while_another_sends)
    refused = scorer.post(f"/api/hands/{hand}/save")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "changed")
    reader.go_on.set()
    view = when_read(scorer, hand)
    assert (view["state"], len(view["tiles"])) == ("draft", 11)


def test_a_hand_is_not_saved_by_other_rules_than_those_it_was_checked_by(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, check, matches = closed_hand(scorer), hands.check_may_save, parts_of(app).matches
    match = scorer.hand(hand)["match"]

    def check_while_another_changes_rules(*asked: Any, **options: Any) -> None:
        check(*asked, **options)
        matches.change(match, options={"close_requires": "pura"})

    monkeypatch.setattr(hands, "check_may_save", check_while_another_changes_rules)
    refused = scorer.post(f"/api/hands/{hand}/save")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "changed")
    assert scorer.hand(hand)["state"] == "draft"


def test_a_saved_hand_is_answered_as_saved_though_no_set_can_learn_from_it(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_the_database(_hand_id: str) -> None:
        raise StoreUnavailable("the connection was lost")

    monkeypatch.setattr(parts_of(app).intake.jobs, "learn_from", lose_the_database)
    saved = scorer.post(f"/api/hands/{closed_hand(scorer)}/save")
    assert (saved.status_code, saved.get_json()["state"]) == (200, "saved")


def test_an_edit_sent_twice_counts_once(scorer: Scorer) -> None:
    hand = scorer.begin()
    edit = {"key": "same", "op": "add_tile", "side": "A", "place": "melds", "face": "3R"}
    for _ in range(2):
        view = scorer.post(f"/api/hands/{hand}/edits", json={"edits": [edit]}).get_json()
    assert len(view["tiles"]) == 1


def test_edits_are_taken_back_one_by_one(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R")
    counts = [len(scorer.post(f"/api/hands/{hand}/undo").get_json()["tiles"]) for _ in range(3)]
    assert counts == [1, 0, 0]


def test_edits_are_taken_back_although_a_photograph_came_meanwhile(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "B", "rack", "9K 9B")
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    read = when_read(scorer, hand)
    back = scorer.post(f"/api/hands/{hand}/undo").get_json()
    assert sorted(tile["face"] for tile in back["tiles"].values()) == ["3R", "4R", "5R", "9K"]
    assert {name for name in back["tiles"] if back["tiles"][name]["photo"]} == {
        name for name in read["tiles"] if read["tiles"][name]["photo"]
    }


def test_of_several_edits_all_are_applied_or_none(scorer: Scorer) -> None:
    hand = scorer.begin()
    good = {"op": "add_tile", "side": "A", "place": "melds", "face": "3R"}
    refused = scorer.edit(hand, good, {"op": "set_tile", "tile": "t9", "face": "4R"})
    assert refused.status_code == 409
    assert scorer.hand(hand)["tiles"] == {}


def test_an_illegal_meld_passes_once_the_table_accepts_it(scorer: Scorer) -> None:
    hand = closed_hand(scorer)
    view = scorer.tap(hand, "B", "melds", "3B 4B 9B").get_json()
    assert not view["ready"]
    assert [question["ask"] for question in view["questions"]] == ["row"]
    row = next(row["id"] for row in view["rows"] if row["side"] == "B" and row["place"] == "melds")
    view = scorer.edit(hand, {"op": "accept_row", "row": row, "accepted": True}).get_json()
    assert view["ready"]
    assert view["score"]["B"]["puntos"] == 20 - 50


def test_a_meld_that_the_table_accepted_asks_nobody_to_mend_it(scorer: Scorer) -> None:
    hand = closed_hand(scorer)
    view = scorer.tap(hand, "B", "melds", "3B 4B 9B").get_json()
    (row,) = (row for row in view["rows"] if row["place"] == "melds" and row["side"] == "B")
    reason, advice = row["verdict"]["text"].split(". ", 1)
    assert advice
    view = scorer.edit(hand, {"op": "accept_row", "row": row["id"], "accepted": True}).get_json()
    (text,) = (one["verdict"]["text"] for one in view["rows"] if one["id"] == row["id"])
    assert text == f"{reason}."


def test_a_third_copy_is_asked_about(scorer: Scorer) -> None:
    hand = closed_hand(scorer)
    view = scorer.tap(hand, "B", "rack", "3R 3R").get_json()
    assert [(question["ask"], question["subject"]) for question in view["questions"]] == [
        ("copies", "3R")
    ]
    assert scorer.edit(hand, {"op": "keep_copies", "face": "3R"}).get_json()["ready"]


def test_a_restart_finds_the_same_draft(config: AppConfig, reader: RecordedReader) -> None:
    first: Flask = create_app(config, reader)
    scorer = Scorer(first.test_client(), token_of(first.test_client()))
    scorer = Scorer(scorer.client, token_of(scorer.client))
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    close(first)
    second = create_app(config, reader)
    client: FlaskClient = second.test_client()
    assert len(client.get(f"/api/hands/{hand}").get_json()["tiles"]) == 7
    assert Scorer(client, token_of(client)).begin() == hand
    close(second)


def test_a_hand_that_was_thrown_away_takes_nothing_more(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "7R")
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    tapped = scorer.tap(hand, "A", "melds", "8R")
    photographed = send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    undone = scorer.post(f"/api/hands/{hand}/undo")
    for refused in (tapped, photographed, undone):
        assert (refused.status_code, refused.get_json()["error"]) == (409, "discarded")
    assert scorer.hand(hand)["rows"] == []


def test_undo_names_the_last_edit_and_undoes_it_once(scorer: Scorer) -> None:
    hand = scorer.begin()
    assert scorer.hand(hand)["undo"] is None
    scorer.tap(hand, "A", "melds", "7R 8R")
    step = scorer.hand(hand)["undo"]
    assert step["text"] == "agregar 8 rojo"
    for _again in range(2):
        assert scorer.post(f"/api/hands/{hand}/undo", json={"key": step["key"]}).status_code == 200
    assert faces(scorer.hand(hand)) == ["7R"]


def test_undo_of_an_edit_that_is_no_longer_the_last_is_refused(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.edit(hand, {"op": "set_muerto", "side": "A", "taken": True})
    meant = scorer.hand(hand)["undo"]["key"]
    scorer.tap(hand, "A", "melds", "8R")
    refused = scorer.post(f"/api/hands/{hand}/undo", json={"key": meant})
    assert (refused.status_code, refused.get_json()["error"]) == (409, "changed")
    assert scorer.hand(hand)["closing"]["muerto"]["A"] is True


def test_tiles_are_taken_back_although_another_device_tapped_since(scorer: Scorer) -> None:
    hand = scorer.begin()
    area = {"side": "A", "place": "rack"}
    scorer.edit(hand, {"op": "add_tiles", "faces": ["7R", "8R"], **area})
    meant = scorer.hand(hand)["undo"]["key"]
    scorer.tap(hand, "A", "rack", "9K")
    for _again in range(2):
        assert scorer.post(f"/api/hands/{hand}/undo", json={"key": meant}).status_code == 200
        assert faces(scorer.hand(hand)) == ["9K"]
    scorer.post(f"/api/hands/{hand}/undo")
    assert sorted(faces(scorer.hand(hand))) == ["8R", "9K"]


def test_tiles_that_came_back_are_taken_back_again(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "rack", "7R")
    meant = scorer.hand(hand)["undo"]["key"]
    for other in ("9K", "10K"):
        scorer.tap(hand, "A", "rack", other)
        assert scorer.post(f"/api/hands/{hand}/undo", json={"key": meant}).status_code == 200
        assert faces(scorer.hand(hand)) == [other]
        for _step in ("removal", "tap"):
            scorer.post(f"/api/hands/{hand}/undo")
        assert faces(scorer.hand(hand)) == ["7R"]


def test_a_tile_that_another_device_corrected_is_not_taken_back(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "rack", "7R")
    meant = scorer.hand(hand)["undo"]["key"]
    (tile,) = scorer.hand(hand)["tiles"]
    scorer.edit(hand, {"op": "set_tile", "tile": tile, "face": "9R"})
    assert scorer.post(f"/api/hands/{hand}/undo", json={"key": meant}).status_code == 409
    assert scorer.post(f"/api/hands/{hand}/undo", json={"key": "unknown"}).status_code == 409
    assert faces(scorer.hand(hand)) == ["9R"]


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        ({"op": "remove_tile", "tile": "t1"}, "borrar 7 rojo"),
        ({"op": "remove_tiles", "tiles": ["t1"]}, "quitar lo que no era una ficha"),
        ({"op": "set_tile", "tile": "t1", "face": "J"}, "elegir comodín"),
        (
            {"op": "move_tile", "tile": "t1", "row": "new", "side": "A", "place": "pozo"},
            "apartar 7 rojo",
        ),
        ({"op": "move_row", "row": "r2", "side": "A", "place": "pozo"}, "apartar un juego"),
        ({"op": "move_row", "row": "r2", "side": "A", "place": "rack"}, "mover un juego"),
        ({"op": "empty_rack", "side": "B"}, "el atril de Ellos"),
        ({"op": "add_adjustment", "side": "A", "points": 5, "reason": "x"}, "el ajuste «x»"),
    ],
)
def test_an_edit_has_a_name(scorer: Scorer, operation: dict[str, Any], name: str) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "7R")
    scorer.edit(hand, operation)
    assert scorer.hand(hand)["undo"]["text"] == name


def test_rows_that_are_moved_together_are_one_step_with_a_name(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("9R 9B 9K", "3R 4R 5R")))
    read = when_read(scorer, hand)

    def moved(side: str, place: str) -> Any:
        moves = [
            {"op": "move_row", "row": row["id"], "side": side, "place": place}
            for row in read["rows"]
        ]
        return scorer.edit(hand, {"op": "move_rows", "moves": moves}).get_json()

    aside = moved("A", "pozo")
    assert aside["undo"]["text"] == "apartar los juegos de una foto"
    assert moved("A", "melds")["undo"]["text"] == "contar los juegos de una foto"
    assert moved("B", "melds")["undo"]["text"] == "repartir los juegos de una foto"
    for _ in range(2):
        view = scorer.post(f"/api/hands/{hand}/undo").get_json()
    assert view["rows"] == aside["rows"]
    view = scorer.post(f"/api/hands/{hand}/undo").get_json()
    assert (view["rows"], view["undo"]) == (read["rows"], None)


def test_a_copy_too_many_of_tapped_tiles_is_not_said_to_be_misread(scorer: Scorer) -> None:
    hand = scorer.begin()
    for _ in range(3):
        scorer.tap(hand, "A", "melds", "7R")
    asked = [one["text"] for one in scorer.hand(hand)["questions"] if one["ask"] == "copies"]
    assert asked == ["7 rojo aparece 3 veces: ¿son distintas, o alguna se tocó de más?"]


def test_a_copy_too_many_of_which_some_are_tapped_may_be_misread_or_tapped_too_often(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("7R 8R 9R")))
    send(scorer, hand, "B", "melds", reader.add(picture_of("5R 6R 7R")))
    when_read(scorer, hand)
    scorer.tap(hand, "A", "melds", "7R")
    asked = [one["text"] for one in scorer.hand(hand)["questions"] if one["ask"] == "copies"]
    assert asked == [
        "7 rojo aparece 3 veces: ¿alguna está mal leída, está repetida en otra foto"
        " o se tocó de más?"
    ]


def test_every_edit_has_a_name_in_the_texts() -> None:
    texts = translator(DEFAULT)
    others = (PhotoMoved, PhotoRemoved, PhotoReplaced, TableHandedOver)
    kinds = [f"{kind}_{what}" for kind in ("aside", "count") for what in ("row", "rows")]
    named = [*EDITS, *(other.__struct_config__.tag for other in others), *kinds, "aside_tile"]
    assert [name for name in named if texts(f"undo.{name}") == f"undo.{name}"] == []
