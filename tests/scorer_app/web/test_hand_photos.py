"""Photographs of a hand through the API: sent, read and shown, and the questions that their doubts
lead to.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask import Flask

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.reading_queue import ReadingFailed, ReadingQueue, Stage
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, token_of, until
from ..hands import CANASTA, new_match, remove, send, when_read
from ..pictures import Picture, RecordedReader, picture_of


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


def test_photographs_are_shown_where_the_data_folder_is_named_by_a_relative_path(
    config: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(config.data_dir.parent)
    app = create_app(replace(config, data_dir=Path(config.data_dir.name)), reader)
    try:
        scorer = Scorer.of(app)
        hand = scorer.begin()
        send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
        with scorer.client.get(when_read(scorer, hand)["photos"][0]["url"]) as photo:
            assert (photo.status_code, photo.mimetype) == (200, "image/jpeg")
    finally:
        close(app)


def test_a_photograph_that_was_read_is_told_so_though_its_job_has_not_ended(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    read = when_read(scorer, hand)["photos"]
    monkeypatch.setattr(parts_of(app).queue, "stage", lambda _photo: (Stage.READING, 90.0))
    assert scorer.hand(hand)["photos"] == read


def test_a_photograph_sent_again_under_its_key_is_the_same_photograph(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, picture = scorer.begin(), reader.add(picture_of(CANASTA))
    for key in ("sent-twice", "sent-twice", "another"):
        assert send(scorer, hand, "A", "melds", picture, key=key).status_code == 202
    view = when_read(scorer, hand)
    assert (len(view["photos"]), len(view["tiles"])) == (2, 14)
    gone = view["photos"][0]["id"]
    remove(scorer, hand, gone)
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
    """It is shown also to somebody who asks the store just before its job fails and the queue just
    after.
    """
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


def test_a_photograph_that_waits_tells_how_many_are_read_before_it(
    scorer: Scorer, reader: RecordedReader
) -> None:
    """Those of other hands count, too, but none that was removed meanwhile."""
    reader.hold()
    first, hand = (scorer.begin(new_match(scorer)) for _ in range(2))
    send(scorer, first, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(20)
    for row in ("7B 8B 9B", "1K 2K 3K", "4Y 5Y 6Y"):
        send(scorer, hand, "A", "melds", reader.add(picture_of(row)))
    photos = scorer.hand(hand)["photos"]
    assert [photo["text"] for photo in photos] == [
        "Recibida. Antes se lee otra foto…",
        "Recibida. Antes se leen otras 2 fotos…",
        "Recibida. Antes se leen otras 3 fotos…",
    ]
    remove(scorer, hand, photos[0]["id"])
    remove(scorer, hand, photos[1]["id"])
    (photo,) = scorer.hand(hand)["photos"]
    assert photo["text"] == "Recibida. Antes se lee otra foto…"
    reader.go_on.set()
    assert when_read(scorer, hand)["photos"][0]["text"] == "Leída"


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
    """Return the hand after its question about tapped tiles was answered with `op`."""
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


def test_each_photograph_is_compared_with_what_was_tapped_in(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "rack", "9K")
    scorer.tap(hand, "B", "rack", "11B")
    for side, face in (("A", "9K"), ("B", "11B")):
        send(scorer, hand, side, "rack", reader.add(picture_of(loose=face)))
        when_read(scorer, hand)
    for left in (1, 0):
        asked = [one for one in scorer.hand(hand)["questions"] if one["ask"] == "tapped"]
        scorer.edit(hand, {"op": "drop_tapped", "photo": asked[0]["subject"]})
        assert len(asked) == left + 1
    assert sorted(tile["face"] for tile in scorer.hand(hand)["tiles"].values()) == ["11B", "9K"]


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


def unread(_reader: object, *_of_photo: object) -> Any:
    raise ReadingFailed("truncated")


PHOTO_ENDED = {"op": "set_end", "end": "stock_exhausted", "closed_by": None}
NOTHING_LEFT = [
    PHOTO_ENDED,
    *({"op": "set_muerto", "side": side, "taken": False} for side in "AB"),
    *({"op": "empty_rack", "side": side} for side in "AB"),
]


def about_photo(scorer: Scorer, hand: str) -> list[tuple[str, str]]:
    """List the cause and the text of each question about a photograph that adds nothing."""
    asked = [one for one in scorer.hand(hand)["questions"] if one["ask"] == "photo"]
    assert all(one["needed"] for one in asked)
    return [(one["cause"], one["text"]) for one in asked]


@pytest.mark.parametrize("outcome", ["failed", "nothing", "other_pieces", "aside"])
def test_a_hand_is_not_saved_before_a_photograph_that_adds_nothing_is_explained(
    scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch, outcome: str
) -> None:
    hand, picture = scorer.begin(), picture_of(loose="3R 9K")
    scorer.tap(hand, "B", "melds", CANASTA)
    reading = picture.reading | {"notices": ["other_pieces"] if outcome == "other_pieces" else []}
    if outcome != "aside":
        reading |= {"tiles": [], "loose": []}
    if outcome != "nothing":
        reader.add(replace(picture, reading=reading))
    if outcome == "failed":
        monkeypatch.setattr(RecordedReader, "read_photo", unread)
    send(scorer, hand, "A", "melds", picture)
    when_read(scorer, hand)
    scorer.edit(hand, *NOTHING_LEFT)
    ((cause, text),) = about_photo(scorer, hand)
    assert (cause, text.split(":")[0]) == (outcome, "Nosotros · Juegos")
    assert not scorer.hand(hand)["ready"]
    refused = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    assert (refused.status_code, refused.get_json()["error"]) == (422, "open_questions")
    photo = scorer.hand(hand)["photos"][0]["id"]
    view = scorer.edit(hand, {"op": "nothing_counts", "photo": photo}).get_json()
    assert (about_photo(scorer, hand), view["ready"]) == ([], True)
    assert "Hay fotos de las que no cuenta nada, según dijeron." in view["notes"]
    assert view["undo"]["text"] == "que en una foto no cuenta nada"
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200


def test_a_photograph_that_waits_is_not_asked_about_and_a_removed_one_no_more(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    reader.hold()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    assert about_photo(scorer, hand) == []
    reader.go_on.set()
    (photo,) = when_read(scorer, hand)["photos"]
    assert len(about_photo(scorer, hand)) == 1
    remove(scorer, hand, photo["id"])
    assert about_photo(scorer, hand) == []


def blurred_hand(scorer: Scorer, reader: RecordedReader) -> tuple[str, str]:
    """Make a hand that has ended, with one blurred photograph; return the ids of both."""
    picture = picture_of(CANASTA)
    picture.reading["notices"] = ["too_blurred"]
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture))
    (photo,) = when_read(scorer, hand)["photos"]
    scorer.edit(hand, *NOTHING_LEFT)
    return hand, photo["id"]


def test_a_blurred_photograph_is_a_doubt_until_somebody_says_that_it_is_good_enough(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, photo = blurred_hand(scorer, reader)
    view = scorer.hand(hand)
    (asked,) = view["questions"]
    assert (asked["ask"], asked["cause"], asked["subject"]) == ("photo", "blurred", photo)
    assert asked["text"].startswith("Nosotros · Juegos: una foto salió movida.")
    assert view["ready"] and not asked["needed"]
    refused = scorer.post(f"/api/hands/{hand}/save")
    assert (refused.status_code, refused.get_json()["error"]) == (422, "open_questions")
    kept = scorer.edit(hand, {"op": "keep_blurred", "photo": photo}).get_json()
    assert (kept["questions"], kept["photos"][0]["notices"]) == ([], [])
    assert kept["undo"]["text"] == "que una foto sirve así"
    scorer.post(f"/api/hands/{hand}/undo")
    assert scorer.hand(hand) | {"version": 0} == view | {"version": 0}
    scorer.edit(hand, {"op": "keep_blurred", "photo": photo})
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200


@pytest.mark.parametrize("notice", ["too_dark", "too_bright", "too_blurred", "too_small"])
def test_nobody_is_advised_to_take_a_photograph_again_that_is_good_enough(
    scorer: Scorer, reader: RecordedReader, notice: str
) -> None:
    picture = picture_of(CANASTA)
    picture.reading["notices"] = [notice, "cut_off"]
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture))
    (photo,) = when_read(scorer, hand)["photos"]
    _advised, cut_off = photo["notices"]
    kept = scorer.edit(hand, {"op": "keep_blurred", "photo": photo["id"]}).get_json()
    assert kept["photos"][0]["notices"] == [cut_off]


def test_a_blurred_photograph_that_a_hand_was_saved_with_is_no_doubt_any_more(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, _photo = blurred_hand(scorer, reader)
    assert scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).status_code == 200
    saved = scorer.hand(hand)
    assert saved["questions"] == []
    assert saved["photos"][0]["notices"] == ["Salió movida: conviene sacarla de nuevo."]
    corrected = scorer.edit(hand, {"op": "set_muerto", "side": "A", "taken": True}).get_json()
    assert corrected["corrected"] and corrected["questions"] == []
    again = picture_of("9R 9B 9K")
    again.reading["notices"] = ["too_blurred"]
    send(scorer, hand, "B", "melds", reader.add(again))
    assert [one["cause"] for one in when_read(scorer, hand)["questions"]] == ["blurred"]
