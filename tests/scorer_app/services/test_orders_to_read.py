"""Requests to read a photograph again, and what happens to its files, while a reading begins, ends
or fails.
"""

from __future__ import annotations

import io
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from engine.pieces import Pieces
from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.photo_opener import PhotoOpener
from scorer_app.services.reading_jobs import ReadingJobs
from scorer_app.services.reading_queue import MOST_BEFORE, ReadingFailed, ReadingQueue
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from vision.reading import TableReading

from ..conftest import Scorer, until
from ..hands import faces, new_match, saved_hand, send, when_read
from ..pictures import Picture, RecordedReader, picture_of
from ..served import PATIENCE
from .readings import idle


def test_a_photograph_under_way_is_not_read_twice(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    reader.hold()
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = scorer.hand(hand)["photos"]
    for _ in range(20):
        assert scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read").status_code == 202
    reader.go_on.set()
    when_read(scorer, hand)
    idle(app)
    assert len(reader.layouts) == 1


def wait_for(event: Event) -> None:
    assert event.wait(PATIENCE)


def test_a_reading_that_is_ordered_again_while_it_runs_comes_after_those_that_wait() -> None:
    queue, ends = ReadingQueue(1), {name: Event() for name in ("one", "two", "again")}

    def order(photo: str, end: str) -> None:
        queue.submit(photo, lambda _tell: wait_for(ends[end]))

    order("one", "one")
    order("two", "two")
    order("one", "again")
    assert (queue.before("one"), queue.before("two")) == ([], ["one"])
    ends["one"].set()
    until(lambda: queue.before("one"), lambda before: before == ["two"])
    assert queue.before("two") == []
    ends["two"].set()
    until(lambda: queue.before("one"), lambda before: before == [])
    ends["again"].set()
    until(lambda: queue.knows("one"), lambda known: not known)
    queue.close()


def test_no_more_jobs_are_named_than_need_be_counted() -> None:
    queue, go_on = ReadingQueue(1), Event()
    for at in range(MOST_BEFORE + 9):
        queue.submit(f"photo {at}", lambda _tell: wait_for(go_on))
    assert len(queue.before(f"photo {MOST_BEFORE + 8}")) == MOST_BEFORE
    assert queue.before("unknown") == []
    go_on.set()
    queue.close()


def test_what_was_read_as_tiles_while_the_match_changed_to_cards_is_read_as_cards(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    match = new_match(scorer)
    hand = scorer.begin(match)
    reader.hold()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    fields = {"side_a": "Ana", "side_b": "Beto", "ruleset": "burraco_it", "pieces": "cards"}
    assert scorer.form(f"/matches/{match}/edit", **fields).status_code == 303
    assert [photo["state"] for photo in scorer.hand(hand)["photos"]] == ["queued"]
    reader.go_on.set()
    view = when_read(scorer, hand)
    assert reader.pieces == [Pieces.TILES, Pieces.CARDS]
    assert (faces(view), view["undo"]) == (["3R", "4R", "5R"], None)


def test_a_hand_counted_while_a_photograph_of_it_is_read_is_not_under_correction(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, match = saved_hand(scorer)
    reader.hold()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    assert reader.begun.wait(PATIENCE)
    counted = {"base_A": "300", "puntos_A": "100", "base_B": "0", "puntos_B": "0"}
    assert scorer.form(f"/matches/{match}/count?hand={hand}", **counted).status_code == 303
    reader.go_on.set()
    assert when_read(scorer, hand)["photos"][0]["state"] == "read"
    tally = parts_of(app).matches.tally(match)
    assert [(line.edited, line.score_by_hand) for line in tally.lines] == [(False, True)]
    assert tally.totals == {"A": 400, "B": 0}


def test_an_order_that_comes_while_a_failed_reading_ends_is_not_lost(
    app: Flask, scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reading is shown as failed a moment before its job is over."""
    hand, ending, go_on = scorer.begin(), Event(), Event()
    real = ReadingJobs._note_failure

    def end_slowly(*arguments: Any) -> None:
        real(*arguments)
        ending.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(ReadingJobs, "_note_failure", end_slowly)
    with monkeypatch.context() as broken:
        broken.setattr(reader, "read_photo", None)
        send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
        assert ending.wait(PATIENCE)
    (photo,) = scorer.hand(hand)["photos"]
    for _ in range(3):
        scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    go_on.set()
    idle(app)
    assert (len(scorer.hand(hand)["tiles"]), len(reader.layouts)) == (3, 1)


def test_a_photograph_that_is_read_only_at_the_second_attempt_has_the_size_of_its_picture(
    scorer: Scorer, config: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page draws tiles in this size. A picture whose sides are longer than those that are kept
    is made smaller by the first attempt, which opens it.
    """

    def refuse(*_arguments: object) -> TableReading:
        raise ReadingFailed("no_reader")

    hand, large = scorer.begin(), io.BytesIO()
    Image.new("RGB", (config.stored_side + 1024, 1024)).save(large, "JPEG")
    with monkeypatch.context() as broken:
        broken.setattr(reader, "read_photo", refuse)
        send(scorer, hand, "A", "melds", Picture(large.getvalue(), {}, (0, 0)))
        (photo,) = when_read(scorer, hand)["photos"]
    scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    (photo,) = until(
        lambda: scorer.hand(hand)["photos"], lambda photos: photos[0]["state"] == "read"
    )
    with scorer.client.get(photo["url"]) as sent, Image.open(io.BytesIO(sent.data)) as picture:
        assert (photo["width"], photo["height"]) == picture.size


def test_orders_to_read_again_have_a_limit(config: AppConfig, reader: RecordedReader) -> None:
    app = create_app(replace(config, uploads_per_minute=5), reader)
    scorer = Scorer.of(app)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = when_read(scorer, hand)["photos"]
    again = f"/api/hands/{hand}/photos/{photo['id']}/read"
    assert [scorer.post(again).status_code for _ in range(6)] == [202] * 4 + [429] * 2
    close(app)


@pytest.mark.parametrize(
    ("reason", "kept"), [("truncated", 0), ("too_many_pixels", 0), ("disk", 1), ("no_reader", 1)]
)
def test_what_the_camera_noted_is_kept_only_for_a_photograph_that_may_yet_be_opened(
    scorer: Scorer, config: AppConfig, monkeypatch: pytest.MonkeyPatch, reason: str, kept: int
) -> None:
    def refuse(*_arguments: object) -> tuple[int, int]:
        raise ReadingFailed(reason)

    monkeypatch.setattr("scorer_app.services.photo_opener.PhotoOpener.make_upright", refuse)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    when_read(scorer, hand)
    assert until(lambda: len(list(config.photo_dir.iterdir())), lambda count: count == kept) == kept


def test_a_photograph_removed_while_it_is_opened_leaves_no_file_and_no_failure(
    scorer: Scorer,
    app: Flask,
    config: AppConfig,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    real = PhotoOpener._ask

    def removed_meanwhile(opener: PhotoOpener, order: Any) -> Any:
        answer = real(opener, order)
        (photo,) = scorer.hand(hand)["photos"]
        path = f"/api/hands/{hand}/photos/{photo['id']}"
        assert scorer.client.delete(path, headers=scorer.headers).status_code == 200
        scorer.form(f"/hands/{hand}/undone", undone="yes")  # nobody can bring it back now
        return answer

    monkeypatch.setattr(PhotoOpener, "_ask", removed_meanwhile)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    idle(app)
    assert scorer.hand(hand)["photos"] == []
    assert list(config.photo_dir.iterdir()) == []
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
