"""A photograph that was given for the wrong side, or as one of melds although it shows a rack, is
moved to where it belongs.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from scorer_app.services.hand_rows import HANDED_OVER
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.store import Photo
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..hands import CANASTA, faces, saved_hand, send, when_read
from ..pictures import RecordedReader, picture_of


def move(scorer: Scorer, hand: str, photo: str, side: str, place: str) -> Any:
    return scorer.post(
        f"/api/hands/{hand}/photos/{photo}/move", json={"side": side, "place": place}
    )


def areas(view: Any) -> list[tuple[str, str]]:
    """List the area of each photograph, and then that of each row."""
    return [(one["side"], one["place"]) for one in [*view["photos"], *view["rows"]]]


def test_melds_given_for_the_wrong_side_count_for_the_other_one_at_once(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA)))
    (photo,) = when_read(scorer, hand)["photos"]
    assert photo["can_move"]
    view = move(scorer, hand, photo["id"], "B", "melds").get_json()
    assert areas(view) == [("B", "melds")] * 2
    assert [view["score"][side]["total"] for side in "AB"] == [0, 245]
    assert (view["photos"][0]["state"], reader.layouts) == ("read", ["melds"])


def test_a_rack_given_as_melds_is_read_as_a_rack_and_keeps_what_people_said(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("9R 4B 1K", loose="13Y")))
    view = when_read(scorer, hand)
    wrong = next(name for name, tile in view["tiles"].items() if tile["face"] == "4B")
    scorer.edit(hand, {"op": "set_tile", "tile": wrong, "face": "5B"})
    scorer.tap(hand, "B", "rack", "2R")
    move(scorer, hand, view["photos"][0]["id"], "A", "rack")
    until(lambda: reader.layouts, lambda layouts: layouts == ["melds", "loose"])
    view = when_read(scorer, hand)
    assert areas(view) == [("A", "rack"), ("B", "rack"), ("A", "rack")]
    assert sorted(faces(view)) == ["13Y", "1K", "2R", "5B", "9R"]


def lying(view: Any) -> Any:
    """Return the photographs and the rows with their tiles; a row that is read anew has a new
    id.
    """
    return view["photos"], [row | {"id": ""} for row in view["rows"]]


def undo(scorer: Scorer, hand: str) -> Any:
    return scorer.post(f"/api/hands/{hand}/undo").get_json()


def test_undo_takes_a_photograph_back_to_the_other_side(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("9R 9B 9K", "3R 4R 5R")))
    view = when_read(scorer, hand)
    (photo,), row = view["photos"], view["rows"][1]["id"]
    scorer.edit(hand, {"op": "move_row", "row": row, "side": "B", "place": "melds"})
    before = scorer.hand(hand)
    moved = move(scorer, hand, photo["id"], "B", "melds").get_json()
    assert areas(moved) == [("B", "melds")] * 3
    assert moved["undo"]["text"] == "pasar una foto a otro lugar"
    view = undo(scorer, hand)
    assert lying(view) == lying(before)
    assert (view["undo"]["text"], reader.layouts) == ("mover un juego", ["melds"])
    assert move(scorer, hand, photo["id"], "A", "melds").get_json()["version"] == view["version"]


def test_undo_takes_a_photograph_back_from_a_rack_and_has_it_read_as_melds_anew(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("9R 9B 9K", "3R 4R 5R")))
    (photo,) = when_read(scorer, hand)["photos"]
    wrong = next(name for name, one in scorer.hand(hand)["tiles"].items() if one["face"] == "4R")
    scorer.edit(hand, {"op": "set_tile", "tile": wrong, "face": "4B"})
    before = scorer.hand(hand)
    move(scorer, hand, photo["id"], "A", "rack")
    until(lambda: reader.layouts, lambda layouts: layouts == ["melds", "loose"])
    assert areas(when_read(scorer, hand)) == [("A", "rack")] * 2
    assert lying(undo(scorer, hand))[1] == lying(before)[1]  # at once, too
    until(lambda: reader.layouts, lambda layouts: layouts == ["melds", "loose", "melds"])
    view = when_read(scorer, hand)
    assert lying(view) == lying(before)
    assert view["undo"]["text"] == "elegir 4 azul"


def test_a_correction_is_undone_after_two_photographs_were_moved_and_taken_back(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA, "7B 7K 7Y")))
    send(scorer, hand, "A", "rack", reader.add(picture_of(loose="4K 1Y 2Y J")))
    read = when_read(scorer, hand)
    melds, rack = (photo["id"] for photo in read["photos"])
    first, second, _rack = (row["id"] for row in read["rows"])
    # The reading of the melds makes a row more of the hand from before these were joined.
    scorer.edit(hand, {"op": "join_rows", "row": second, "into": first})
    for photo, place in ((melds, "rack"), (rack, "melds")):
        move(scorer, hand, photo, "A", place)
        when_read(scorer, hand)
        undo(scorer, hand)
        when_read(scorer, hand)
    view = undo(scorer, hand)
    assert sorted(len(row["tiles"]) for row in view["rows"]) == [3, 4, 7]
    assert view["undo"] is None


def test_undo_of_a_move_ends_the_reading_that_the_move_ordered(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("9R 9B 9K")))
    (photo,) = when_read(scorer, hand)["photos"]
    before = scorer.hand(hand)
    reader.begun.clear()
    reader.hold()
    move(scorer, hand, photo["id"], "A", "rack")
    assert reader.begun.wait(20)
    undo(scorer, hand)
    reader.go_on.set()
    until(lambda: reader.layouts, lambda layouts: len(layouts) == 3)
    view = when_read(scorer, hand)
    assert lying(view) == lying(before)


def test_undo_takes_back_a_photograph_that_was_moved_before_it_was_read(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    reader.hold()
    send(scorer, hand, "A", "melds", reader.add(picture_of("9R 9B 9K")))
    assert reader.begun.wait(20)
    (photo,) = scorer.hand(hand)["photos"]
    move(scorer, hand, photo["id"], "B", "melds")
    reader.go_on.set()
    when_read(scorer, hand)
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="1K")))  # leaves that step alone
    when_read(scorer, hand)
    undo(scorer, hand)
    until(lambda: reader.layouts, lambda layouts: len(layouts) == 4)
    view = when_read(scorer, hand)
    assert areas(view)[0] == ("A", "melds")
    assert sorted(areas(view)[2:]) == [("A", "melds"), ("B", "rack")]


def test_a_photograph_that_is_moved_while_it_is_read_lies_where_it_was_moved_to(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    reader.hold()
    send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA)))
    assert reader.begun.wait(20)
    (photo,) = scorer.hand(hand)["photos"]
    assert not photo["can_move"]
    move(scorer, hand, photo["id"], "B", "melds")
    reader.go_on.set()
    assert areas(when_read(scorer, hand)) == [("B", "melds")] * 2


def test_a_correction_that_is_dropped_takes_the_photograph_back(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, _match = saved_hand(scorer)
    send(scorer, hand, "A", "melds", reader.add(picture_of("10K 10R 10B")))
    (photo,) = when_read(scorer, hand)["photos"]
    saved = scorer.post(f"/api/hands/{hand}/save").get_json()
    move(scorer, hand, photo["id"], "B", "melds")
    assert scorer.hand(hand)["corrected"]
    scorer.form(f"/hands/{hand}/drop")
    assert areas(scorer.hand(hand)) == areas(saved)


def test_what_cannot_be_moved_is_refused(
    scorer: Scorer, reader: RecordedReader, app: Flask
) -> None:
    (hand, _match), other = saved_hand(scorer), scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("9R 9B 9K")))
    (photo,) = when_read(scorer, hand)["photos"]
    assert move(scorer, hand, photo["id"], "A", "pozo").status_code == 422
    assert move(scorer, hand, "nothing", "B", "melds").status_code == 404
    assert move(scorer, other, photo["id"], "B", "melds").status_code == 404
    with parts_of(app).store.writing() as session:
        row = session.get_one(Photo, photo["id"])
        row.reading = {**(row.reading or {}), HANDED_OVER: True}  # it stands for a watched table
    assert not scorer.hand(hand)["photos"][0]["can_move"]
    assert move(scorer, hand, photo["id"], "B", "melds").status_code == 422
    assert areas(scorer.hand(hand))[0] == ("A", "melds")


def test_a_correction_dropped_while_the_moved_photograph_is_read_ends_that_reading(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, _match = saved_hand(scorer)
    send(scorer, hand, "A", "melds", reader.add(picture_of("10K 10R 10B")))
    (photo,) = when_read(scorer, hand)["photos"]
    saved = scorer.post(f"/api/hands/{hand}/save").get_json()
    reader.begun.clear()
    reader.hold()
    move(scorer, hand, photo["id"], "A", "rack")
    assert reader.begun.wait(20)
    scorer.form(f"/hands/{hand}/drop")
    view = scorer.hand(hand)
    assert [one["state"] for one in view["photos"]] == ["read"]
    reader.go_on.set()
    until(lambda: reader.layouts, lambda layouts: len(layouts) == 2)
    view = scorer.hand(hand)
    assert (areas(view), view["corrected"]) == (areas(saved), False)


def test_a_moved_photograph_whose_reading_failed_is_as_before_once_the_correction_is_dropped(
    scorer: Scorer, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ReadingFailed("reader_broke")

    hand, _match = saved_hand(scorer)
    send(scorer, hand, "A", "melds", reader.add(picture_of("10K 10R 10B")))
    (photo,) = when_read(scorer, hand)["photos"]
    saved = scorer.post(f"/api/hands/{hand}/save").get_json()
    monkeypatch.setattr(reader, "read_photo", fails)
    move(scorer, hand, photo["id"], "A", "rack")
    assert [one["state"] for one in when_read(scorer, hand)["photos"]] == ["failed"]
    scorer.form(f"/hands/{hand}/drop")
    view = scorer.hand(hand)
    assert view["photos"] == saved["photos"] and areas(view) == areas(saved)


def test_an_undone_save_takes_the_moved_photograph_back(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, match = saved_hand(scorer)
    send(scorer, hand, "A", "melds", reader.add(picture_of("10K 10R 10B")))
    (photo,) = when_read(scorer, hand)["photos"]
    saved = scorer.post(f"/api/hands/{hand}/save").get_json()
    move(scorer, hand, photo["id"], "B", "melds")
    scorer.post(f"/api/hands/{hand}/save")
    undo_newest_step(scorer, match)
    assert areas(scorer.hand(hand)) == areas(saved)


def test_a_photograph_whose_saving_was_undone_says_so_and_can_be_read_again(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, match = saved_hand(scorer)
    send(scorer, hand, "A", "melds", reader.add(picture_of("10K 10R 10B")))
    when_read(scorer, hand)
    scorer.post(f"/api/hands/{hand}/save")
    undo_newest_step(scorer, match)
    (photo,) = scorer.hand(hand)["photos"]
    assert (photo["state"], photo["can_retry"]) == ("failed", True)
    assert "deshizo" in photo["text"] and "10K" not in faces(scorer.hand(hand))
    scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
    view = when_read(scorer, hand)
    assert faces(view)[-3:] == ["10K", "10R", "10B"] and view["corrected"]
    assert view["photos"][0]["state"] == "read"


def undo_newest_step(scorer: Scorer, match: str) -> None:
    page = scorer.client.get(f"/matches/{match}/history").text
    step = max(int(one) for one in re.findall(r"history/(\d+)/undo", page))
    scorer.form(f"/matches/{match}/history/{step}/undo")
