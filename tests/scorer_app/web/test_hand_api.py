"""A hand through the API, from the first tap to the tally."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.hand.edits import EDITS
from scorer_app.hand.operation import TableHandedOver
from scorer_app.services import hands
from scorer_app.services.reading_queue import ReadingFailed, ReadingQueue
from scorer_app.texts.languages import DEFAULT
from scorer_app.texts.translator import translator
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, token_of, until
from ..pictures import Picture, RecordedReader, picture_of

CANASTA = "3R 4R 5R 6R 7R 8R 9R"


def send(scorer: Scorer, hand: str, side: str, place: str, picture: Picture, **extra: str) -> Any:
    form = {"side": side, "place": place, "photo": (io.BytesIO(picture.data), "any.jpg"), **extra}
    return scorer.post(f"/api/hands/{hand}/photos", data=form, content_type="multipart/form-data")


def when_read(scorer: Scorer, hand: str) -> Any:
    return until(
        lambda: scorer.hand(hand),
        lambda view: all(photo["state"] in ("read", "failed") for photo in view["photos"]),
    )


def faces(view: Any) -> list[str]:
    return [view["tiles"][name]["face"] for row in view["rows"] for name in row["tiles"]]


def closed_hand(scorer: Scorer) -> str:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.tap(hand, "B", "rack", "J")
    scorer.close(hand)
    return hand


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
        """Comes between the check and the save."""
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


def test_edits_are_taken_back_although_a_photograph_came_or_went_meanwhile(
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
    scorer.client.delete(
        f"/api/hands/{hand}/photos/{read['photos'][0]['id']}", headers=scorer.headers
    )
    assert scorer.post(f"/api/hands/{hand}/undo").get_json()["tiles"] == {}


def test_of_several_edits_all_are_applied_or_none(scorer: Scorer) -> None:
    hand = scorer.begin()
    good = {"op": "add_tile", "side": "A", "place": "melds", "face": "3R"}
    refused = scorer.edit(hand, good, {"op": "set_tile", "tile": "t9", "face": "4R"})
    assert refused.status_code == 409
    assert scorer.hand(hand)["tiles"] == {}


def test_photographs_are_read_in_the_background(scorer: Scorer, reader: RecordedReader) -> None:
    hand = scorer.begin()
    melds = reader.add(picture_of(CANASTA, "7B 7K 7Y", loose="13Y"))
    rack = reader.add(picture_of(loose="4K 12R"))
    assert send(scorer, hand, "A", "melds", melds).status_code == 202
    assert send(scorer, hand, "B", "rack", rack).status_code == 202
    view = when_read(scorer, hand)
    assert [(row["side"], row["place"], len(row["tiles"])) for row in view["rows"]] == [
        ("A", "melds", 7),
        ("A", "melds", 3),
        ("A", "pozo", 1),
        ("B", "rack", 2),
    ]
    assert reader.layouts == ["melds", "loose"]
    photo = scorer.client.get(view["photos"][0]["url"])
    assert photo.mimetype == "image/jpeg"
    photo.close()


def test_a_photograph_sent_again_under_its_key_is_the_same_photograph(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, picture = scorer.begin(), reader.add(picture_of(CANASTA))
    for key in ("sent-twice", "sent-twice", "another"):
        assert send(scorer, hand, "A", "melds", picture, key=key).status_code == 202
    view = when_read(scorer, hand)
    assert (len(view["photos"]), len(view["tiles"])) == (2, 14)
    gone = view["photos"][0]["id"]
    scorer.client.delete(f"/api/hands/{hand}/photos/{gone}", headers=scorer.headers)
    again = send(scorer, hand, "A", "melds", picture, key="sent-twice").get_json()
    # A removed photograph that is sent again stays removed.
    assert [photo["id"] for photo in again["photos"]] == [view["photos"][1]["id"]]
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    other = send(scorer, scorer.begin(), "A", "melds", picture, key="sent-twice").get_json()
    assert len(other["photos"]) == 1


def test_a_photograph_sent_many_times_at_once_is_kept_once(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, picture = scorer.begin(), reader.add(picture_of(CANASTA))
    devices = [Scorer(client, token_of(client)) for client in (app.test_client() for _ in range(8))]
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda device: send(device, hand, "A", "melds", picture, key="one"), devices)
        )
    assert {answer.status_code for answer in answers} == {202}
    assert len(when_read(scorer, hand)["photos"]) == 1
    assert len(list(parts_of(app).config.photo_dir.iterdir())) == 1


@pytest.mark.parametrize(
    "key", ["", "x" * 41, "../etc/passwd", "a b", "ñandú", "'; DROP TABLE photo; --", "x\n", "\x00"]
)
def test_a_key_is_a_short_plain_word(scorer: Scorer, key: str) -> None:
    hand = scorer.begin()
    edit = {"key": key, "op": "add_tile", "side": "A", "place": "melds", "face": "3R"}
    edited = scorer.post(f"/api/hands/{hand}/edits", json={"edits": [edit]})
    for refused in (edited, send(scorer, hand, "A", "melds", picture_of(CANASTA), key=key)):
        assert (refused.status_code, refused.get_json()["error"]) == (422, "bad_value")


def test_a_photograph_is_shown_from_when_it_is_opened(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to one who asks the store just before its job fails and the queue just after."""
    go_on = Event()

    def never_opened(*_options: object) -> tuple[int, int]:
        go_on.wait(20)
        raise ReadingFailed("truncated")

    monkeypatch.setattr("scorer_app.services.photo_opener.PhotoOpener.make_upright", never_opened)
    monkeypatch.setattr(ReadingQueue, "stage", lambda _queue, _photo: None)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    photo = until(lambda: scorer.hand(hand)["photos"][0], lambda photo: photo["state"] == "reading")
    go_on.set()
    assert (photo["url"], photo["text"]) == (None, "Recibida, mirando la foto…")


def test_doubts_are_asked_by_what_they_can_do_to_the_score(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    picture = reader.add(
        picture_of("4B 5B 6B", CANASTA, doubts={"5B": ["5B", "5K"], "9R": ["9R", "9K"]})
    )
    send(scorer, hand, "A", "melds", picture)
    view = when_read(scorer, hand)
    scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted", "closed_by": None})
    view = scorer.hand(hand)
    low, high = view["score"]["A"]["interval"]
    asked = [
        view["tiles"][question["subject"]]["face"]
        for question in view["questions"]
        if question["ask"] == "tile"
    ]
    assert asked == ["9R"]  # without it no canasta; whether the 5 is blue or black moves nothing
    assert high - low >= 200
    doubt = view["questions"][0]["subject"]
    scorer.edit(
        hand,
        {"op": "set_tile", "tile": doubt, "face": "9R"},
        *({"op": "set_muerto", "side": side, "taken": True} for side in "AB"),
    )
    low, high = scorer.hand(hand)["score"]["A"]["interval"]
    assert low == high


def answered(scorer: Scorer, hand: str, op: str) -> Any:
    """The hand after its question about tapped tiles was answered with `op`."""
    (asked,) = [
        question for question in scorer.hand(hand)["questions"] if question["ask"] == "tapped"
    ]
    assert asked["needed"]
    view = scorer.edit(hand, {"op": op, "photo": asked["subject"]}).get_json()
    assert "tapped" not in [question["ask"] for question in view["questions"]]
    return view


@pytest.mark.parametrize(
    ("place", "tapped", "picture", "points"),
    [
        ("melds", CANASTA, picture_of(CANASTA, "7B 7K 7Y"), 245 + 15),
        # Not all of it had been tapped in when the reading came.
        ("melds", "6R 4R 5R", picture_of(CANASTA), 245),
        ("melds", CANASTA, picture_of("4R 5R 6R"), 245),  # the photograph shows less
        ("rack", "9K 11B 9K", picture_of(loose="9K 11B 4Y"), -35),
    ],
)
def test_tiles_tapped_in_while_their_photograph_is_read_are_counted_once(
    scorer: Scorer, reader: RecordedReader, place: str, tapped: str, picture: Picture, points: int
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", place, tapped)
    send(scorer, hand, "A", place, reader.add(picture))
    when_read(scorer, hand)
    assert answered(scorer, hand, "drop_tapped")["score"]["A"]["total"] == points
    scorer.post(f"/api/hands/{hand}/undo")
    assert len(answered(scorer, hand, "keep_tapped")["tiles"]) == len(tapped.split()) + len(
        picture.reading["tiles"]
    )


def test_other_tiles_than_those_tapped_in_are_not_asked_about(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R")
    scorer.tap(hand, "B", "melds", "9R 9B 9K")
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4B 5B 6B", "9R 9B 9K")))
    when_read(scorer, hand)
    view = scorer.tap(hand, "A", "melds", "9R 9B 9K").get_json()  # after it was read
    assert "tapped" not in [question["ask"] for question in view["questions"]]


def test_a_correction_survives_a_second_reading(scorer: Scorer, reader: RecordedReader) -> None:
    hand = scorer.begin()
    picture = reader.add(picture_of("4B 5B 6B", doubts={"6B": ["", "6B", "8B"]}))
    send(scorer, hand, "A", "melds", picture)
    view = when_read(scorer, hand)
    unread = next(name for name, tile in view["tiles"].items() if tile["face"] is None)
    scorer.edit(hand, {"op": "set_tile", "tile": unread, "face": "3B"})
    scorer.post(f"/api/hands/{hand}/photos/{view['photos'][0]['id']}/read")
    until(lambda: len(reader.layouts), lambda times: times == 2)
    view = when_read(scorer, hand)
    assert sorted(tile["face"] for tile in view["tiles"].values()) == ["3B", "4B", "5B"]


def test_an_illegal_meld_passes_once_the_table_accepts_it(scorer: Scorer) -> None:
    hand = closed_hand(scorer)
    view = scorer.tap(hand, "B", "melds", "3B 4B 9B").get_json()
    assert not view["ready"]
    assert [question["ask"] for question in view["questions"]] == ["row"]
    row = next(row["id"] for row in view["rows"] if row["side"] == "B" and row["place"] == "melds")
    view = scorer.edit(hand, {"op": "accept_row", "row": row, "accepted": True}).get_json()
    assert view["ready"]
    assert view["score"]["B"]["puntos"] == 20 - 50


def test_a_third_copy_is_asked_about(scorer: Scorer) -> None:
    hand = closed_hand(scorer)
    view = scorer.tap(hand, "B", "rack", "3R 3R").get_json()
    assert [(question["ask"], question["subject"]) for question in view["questions"]] == [
        ("copies", "3R")
    ]
    assert scorer.edit(hand, {"op": "keep_copies", "face": "3R"}).get_json()["ready"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "El archivo está vacío."),
        *(
            (data, "no es una foto")
            for data in (b"%PDF-1.4", b"\xff\xd8\xff\xe0 broken", b"GIF89a\x01\x00\x01\x00")
        ),
    ],
)
def test_what_is_no_photograph_is_refused_in_a_sentence(
    scorer: Scorer, data: bytes, told: str
) -> None:
    hand = scorer.begin()
    refused = send(scorer, hand, "A", "melds", Picture(data, {}, (0, 0)))
    assert (refused.status_code, told in refused.get_json()["message"]) == (415, True)


def test_half_a_photograph_is_told_as_such(scorer: Scorer) -> None:
    hand = scorer.begin()
    whole = picture_of("3R 4R 5R").data
    send(scorer, hand, "A", "melds", Picture(whole[: len(whole) // 2], {}, (0, 0)))
    (photo,) = when_read(scorer, hand)["photos"]
    assert (photo["state"], photo["text"]) == (
        "failed",
        "La foto llegó incompleta: volvé a elegirla.",
    )
    assert not photo["can_retry"]  # it would be read no better


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
    scorer.tap(hand, "A", "melds", "7R")
    meant = scorer.hand(hand)["undo"]["key"]
    scorer.tap(hand, "A", "melds", "8R")
    refused = scorer.post(f"/api/hands/{hand}/undo", json={"key": meant})
    assert (refused.status_code, refused.get_json()["error"]) == (409, "changed")
    assert faces(scorer.hand(hand)) == ["7R", "8R"]


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        ({"op": "remove_tile", "tile": "t1"}, "borrar 7 rojo"),
        ({"op": "set_tile", "tile": "t1", "face": "J"}, "decir comodín"),
        ({"op": "empty_rack", "side": "B"}, "el atril de Ellos"),
        ({"op": "add_adjustment", "side": "A", "points": 5, "reason": "x"}, "el ajuste «x»"),
    ],
)
def test_an_edit_has_a_name(scorer: Scorer, operation: dict[str, Any], name: str) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "7R")
    scorer.edit(hand, operation)
    assert scorer.hand(hand)["undo"]["text"] == name


def test_every_edit_has_a_name_in_the_texts() -> None:
    texts = translator(DEFAULT)
    named = [*EDITS, TableHandedOver.__struct_config__.tag]
    assert [name for name in named if texts(f"undo.{name}") == f"undo.{name}"] == []
