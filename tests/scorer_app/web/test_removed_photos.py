"""A photograph that a person removes from a hand: undo brings it back, and its file goes once
nothing can.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from flask import Flask

from scorer_app.watch.hand_over import hand_over
from scorer_app.web.parts import parts_of
from vision.live import StableTable

from ..conftest import Scorer, closing
from ..hands import CANASTA, new_match, remove, saved_hand, send, when_read
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE

NOBODY_CLOSED: list[dict[str, Any]] = [
    {"op": "set_end", "end": "stock_exhausted"},
    *({"op": "set_muerto", "side": side, "taken": False} for side in "AB"),
    *({"op": "empty_rack", "side": side} for side in "AB"),
]


def save(scorer: Scorer, hand: str, answers: list[dict[str, Any]] | None = None) -> None:
    scorer.edit(hand, *(answers or closing()))
    answer = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    assert answer.status_code == 200, answer.get_json()


def saved_without_its_photograph(scorer: Scorer, reader: RecordedReader) -> Any:
    """Save a hand with one photograph, which a correction then removes; return the hand as it was
    saved.
    """
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA)))
    when_read(scorer, hand)
    save(scorer, hand)
    saved = scorer.hand(hand)
    assert remove(scorer, hand, saved["photos"][0]["id"]) == 200
    return saved


def test_undo_brings_back_a_photograph_with_all_that_was_corrected_in_it(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "B", "rack", "9K")
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    view = when_read(scorer, hand)
    (photo,) = view["photos"]
    row, other = view["rows"][1], next(name for name in view["tiles"] if name != "t1")
    scorer.edit(
        hand,
        {"op": "set_tile", "tile": other, "face": "5K"},
        {"op": "move_row", "row": row["id"], "side": "B", "place": "melds"},
    )
    before = scorer.hand(hand)
    for _time in range(2):  # it can be removed and brought back again
        assert remove(scorer, hand, photo["id"]) == 200
        view = scorer.hand(hand)
        assert (view["photos"], len(view["tiles"])) == ([], 1)
        assert view["undo"]["text"] == "quitar una foto"
        assert scorer.client.get(photo["url"]).status_code == 404
        scorer.post(f"/api/hands/{hand}/undo")
        after = scorer.hand(hand)
        assert after | {"version": 0} == before | {"version": 0}
        with scorer.client.get(photo["url"]) as picture:
            assert picture.status_code == 200
    for _time in range(3):
        scorer.post(f"/api/hands/{hand}/undo")
    assert len(scorer.hand(hand)["tiles"]) == 3  # those that were read
    assert scorer.hand(hand)["undo"] is None


def test_a_photograph_that_comes_back_before_it_was_read_is_read(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    """It is read also if its reading ended while it was removed, and another was read since."""
    hand = scorer.begin()
    reader.hold()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = scorer.hand(hand)["photos"]
    remove(scorer, hand, photo["id"])
    reader.go_on.set()
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="4K 12R")))
    assert len(when_read(scorer, hand)["tiles"]) == 2
    assert scorer.hand(hand)["undo"]["text"] == "quitar una foto"
    scorer.post(f"/api/hands/{hand}/undo")
    parts_of(app).intake.jobs.resume()  # a server looks for waiting photographs by itself
    assert len(when_read(scorer, hand)["tiles"]) == 5


def test_a_second_reading_lays_its_tiles_beside_those_of_a_photograph_that_comes_back(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = when_read(scorer, hand)["photos"]
    remove(scorer, hand, photo["id"])
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="4K 12R")))
    when_read(scorer, hand)
    scorer.tap(hand, "B", "rack", "9K")
    for tiles in (2, 5):
        scorer.post(f"/api/hands/{hand}/undo")
        assert len(scorer.hand(hand)["tiles"]) == tiles
    assert len(scorer.hand(hand)["photos"]) == 2


def edit_with_key(scorer: Scorer, hand: str, key: str) -> Any:
    edit = {"key": key, "op": "add_tile", "side": "B", "place": "rack", "face": "9K"}
    return scorer.post(f"/api/hands/{hand}/edits", json={"edits": [edit]})


def test_no_key_that_a_device_chose_beforehand_prevents_a_removal(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    ((photo,), version) = (view := when_read(scorer, hand))["photos"], view["version"]
    remove(scorer, hand, photo["id"])
    own = scorer.hand(hand)["undo"]["key"]
    name, of_photo, told_version = own.split(":")
    assert int(told_version) == version
    scorer.post(f"/api/hands/{hand}/undo", json={"key": own})
    (back,) = scorer.hand(hand)["photos"]
    assert back == photo
    for sign in ":-":  # as the program's own keys are written, and as they once were
        key = sign.join((name, of_photo, str(scorer.hand(hand)["version"] + 1)))
        assert edit_with_key(scorer, hand, key).status_code == (422 if sign == ":" else 200)
    assert remove(scorer, hand, photo["id"]) == 200
    assert scorer.hand(hand)["photos"] == []


def test_undo_of_a_replaced_photograph_takes_the_new_one_away_from_all_earlier_steps(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    blurred = picture_of("3R 4R 5R")
    blurred.reading["notices"] = ["too_blurred"]
    send(scorer, hand, "A", "melds", reader.add(blurred))
    at_first = when_read(scorer, hand)
    scorer.tap(hand, "B", "rack", "9K")
    before, (old,) = scorer.hand(hand), at_first["photos"]
    new = reader.add(picture_of("3R 4R 5R 6R", "10K 11K 12K"))
    send(scorer, hand, "A", "melds", new, instead_of=old["id"])
    replaced = when_read(scorer, hand)
    assert (len(replaced["photos"]), len(replaced["tiles"])) == (1, 8)
    assert replaced["undo"]["text"] == "cambiar una foto por otra"
    tile = replaced["rows"][0]["tiles"][0]
    scorer.edit(hand, {"op": "set_tile", "tile": tile, "face": "5K"})
    for wanted in (replaced, before, at_first):
        assert scorer.post(f"/api/hands/{hand}/undo").status_code == 200
        view = scorer.hand(hand)
        for key in ("photos", "rows", "tiles", "questions", "score"):
            assert view[key] == wanted[key], key


def test_undo_of_a_replaced_photograph_does_so_too_while_the_new_one_is_read(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, empty = scorer.begin(), picture_of(loose="3R")  # the reader finds nothing in it
    send(scorer, hand, "A", "melds", empty)
    before = when_read(scorer, hand)
    (old,) = before["photos"]
    reader.begun.clear()
    reader.hold()
    new = reader.add(picture_of("3R 4R 5R"))
    send(scorer, hand, "A", "melds", new, instead_of=old["id"])
    assert reader.begun.wait(PATIENCE)
    assert scorer.post(f"/api/hands/{hand}/undo").status_code == 200
    reader.go_on.set()
    parts_of(app).intake.jobs.close()
    after = scorer.hand(hand)
    assert (after["photos"], after["tiles"]) == (before["photos"], {})


def test_a_saved_hand_is_as_it_was_once_a_replaced_photograph_is_back(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand, _match = saved_hand(scorer)
    send(scorer, hand, "A", "melds", picture_of(loose="3R"))  # the reader finds nothing in it
    before = when_read(scorer, hand)
    assert not before["corrected"]
    new = reader.add(picture_of("3R 4R 5R"))
    send(scorer, hand, "A", "melds", new, instead_of=before["photos"][-1]["id"])
    assert when_read(scorer, hand)["corrected"]
    assert scorer.post(f"/api/hands/{hand}/undo").status_code == 200
    after = scorer.hand(hand)
    assert (after["corrected"], after["undo"]) == (False, None)
    assert (after["tiles"], after["photos"]) == (before["tiles"], before["photos"])


def test_photographs_that_undo_took_away_go_before_one_that_it_can_bring_back(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, folder = scorer.begin(), parts_of(app).config.photo_dir
    parts_of(app).intake.removed.most = 2
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (first,) = when_read(scorer, hand)["photos"]
    remove(scorer, hand, first["id"])
    send(scorer, hand, "A", "melds", picture_of(loose="3R"))
    (empty,) = when_read(scorer, hand)["photos"]
    for faces in ("3B 4B 5B", "6B 7B 8B", "9B 10B 11B"):
        send(scorer, hand, "A", "melds", reader.add(picture_of(faces)), instead_of=empty["id"])
        when_read(scorer, hand)
        assert scorer.post(f"/api/hands/{hand}/undo").status_code == 200
    assert (folder / f"{first['id']}.jpg").exists()
    assert scorer.post(f"/api/hands/{hand}/undo").status_code == 200
    back = next(one for one in scorer.hand(hand)["photos"] if one["id"] == first["id"])
    assert back["url"] is not None


@pytest.mark.parametrize("end", ["save", "count", "discard", "hand_over"])
def test_the_file_of_a_removed_photograph_goes_once_it_cannot_come_back(
    app: Flask, scorer: Scorer, reader: RecordedReader, end: str
) -> None:
    hand, folder = scorer.begin(), parts_of(app).config.photo_dir
    for _photo in range(2):
        send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA)))
    gone, stays = (photo["id"] for photo in when_read(scorer, hand)["photos"])
    if end == "count":  # a hand that was saved with its tiles
        scorer.edit(hand, {"op": "tell_apart", "photo": stays})
        save(scorer, hand)
    remove(scorer, hand, gone)
    assert (folder / f"{gone}.jpg").exists()
    match = scorer.hand(hand)["match"]
    if end == "save":
        save(scorer, hand)
    elif end == "count":
        form = {"base_A": "100", "puntos_B": "20"}
        assert scorer.form(f"/matches/{match}/count?hand={hand}", **form).status_code == 303
    elif end == "discard":
        scorer.form(f"/hands/{hand}/undone", undone="yes")
    else:
        laid = StableTable(0.0, 0, 640, 480)
        hand_over(parts_of(app).intake, match, laid, np.zeros((480, 640, 3), np.uint8))
    assert not (folder / f"{gone}.jpg").exists()
    assert (folder / f"{stays}.jpg").exists()
    assert scorer.hand(hand)["undo"] is None


def test_a_correction_that_is_thrown_away_gives_back_the_photograph_that_it_removed(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    saved = saved_without_its_photograph(scorer, reader)
    hand, (old,), folder = saved["id"], saved["photos"], parts_of(app).config.photo_dir
    assert scorer.hand(hand)["corrected"]
    send(scorer, hand, "A", "melds", reader.add(picture_of("3B 4B 5B")))
    (new,) = when_read(scorer, hand)["photos"]
    remove(scorer, hand, new["id"])
    scorer.form(f"/hands/{hand}/drop")
    dropped = scorer.hand(hand)
    assert (dropped["photos"], dropped["tiles"]) == (saved["photos"], saved["tiles"])
    assert [file.name for file in folder.iterdir()] == [f"{old['id']}.jpg"]


def test_a_saving_that_is_undone_gives_back_the_photograph_that_it_was_without(
    scorer: Scorer, reader: RecordedReader
) -> None:
    saved = saved_without_its_photograph(scorer, reader)
    hand, match = saved["id"], saved["match"]
    save(scorer, hand, NOBODY_CLOSED)
    assert scorer.hand(hand)["photos"] == []
    page = scorer.client.get(f"/matches/{match}/history").text
    latest = re.findall(rf"/matches/{match}/history/(\d+)/undo", page)[0]
    assert scorer.form(f"/matches/{match}/history/{latest}/undo").status_code == 303
    view = scorer.hand(hand)
    assert (view["rows"], view["tiles"]) == (saved["rows"], saved["tiles"])
    (photo,) = view["photos"]
    assert (photo["id"], photo["url"]) == (saved["photos"][0]["id"], None)
    assert photo["text"] == "La foto ya se borró; lo leído y lo corregido quedan."


def told_in_history(scorer: Scorer, match: str) -> list[str]:
    """Return what the history tells of removed photographs, the newest first."""
    page = scorer.client.get(f"/matches/{match}/history").text
    return re.findall(r"Foto quitada: ([^<]*)\.", page)


def test_photographs_of_one_place_that_a_hand_lost_take_one_line_of_its_history(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    rack = reader.add(picture_of(loose="9K 4B"))
    for _time in range(10):
        send(scorer, hand, "B", "rack", rack)
        (photo,) = when_read(scorer, hand)["photos"]
        remove(scorer, hand, photo["id"])
    send(scorer, hand, "A", "rack", rack)
    (photo,) = when_read(scorer, hand)["photos"]
    remove(scorer, hand, photo["id"])
    save(scorer, hand, NOBODY_CLOSED)
    match = scorer.hand(hand)["match"]
    page = scorer.client.get(f"/matches/{match}/history").text
    assert re.findall(r"Fotos? quitadas?: ([^<]*)", page) == [
        "10 (Ellos, atril).",
        "Nosotros, atril.",
    ]


def test_each_photograph_that_a_hand_lost_is_told_once_also_beyond_the_reach_of_undo(
    scorer: Scorer, reader: RecordedReader
) -> None:
    saved = saved_without_its_photograph(scorer, reader)
    hand, match = saved["id"], saved["match"]
    scorer.edit(hand, *({"op": "set_muerto", "side": "A", "taken": n % 2 == 0} for n in range(61)))
    save(scorer, hand, NOBODY_CLOSED)
    assert told_in_history(scorer, match) == ["Nosotros, juegos"]
    scorer.tap(hand, "B", "rack", "9K")
    save(scorer, hand, NOBODY_CLOSED)
    assert told_in_history(scorer, match) == ["Nosotros, juegos"]


def test_a_hand_that_people_count_themselves_tells_the_photographs_that_it_lost(
    scorer: Scorer, reader: RecordedReader
) -> None:
    saved = saved_without_its_photograph(scorer, reader)
    hand, match = saved["id"], saved["match"]
    scorer.form(f"/matches/{match}/count?hand={hand}", base_A="100")
    assert told_in_history(scorer, match) == ["Nosotros, juegos"]


def test_a_photograph_that_came_for_a_thrown_away_correction_is_not_told(
    scorer: Scorer, reader: RecordedReader
) -> None:
    saved = saved_without_its_photograph(scorer, reader)
    hand = saved["id"]
    send(scorer, hand, "B", "melds", reader.add(picture_of("3B 4B 5B")))
    (new,) = when_read(scorer, hand)["photos"]
    remove(scorer, hand, new["id"])
    scorer.form(f"/hands/{hand}/drop")
    save(scorer, hand, NOBODY_CLOSED)
    assert told_in_history(scorer, saved["match"]) == []


def test_after_many_further_edits_a_thrown_away_correction_gives_the_photograph_back_too(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    saved = saved_without_its_photograph(scorer, reader)
    hand, (old,), folder = saved["id"], saved["photos"], parts_of(app).config.photo_dir
    scorer.edit(hand, *({"op": "set_muerto", "side": "A", "taken": n % 2 == 0} for n in range(61)))
    parts_of(app).intake.removed.forget_all()
    assert (folder / f"{old['id']}.jpg").exists()
    scorer.form(f"/hands/{hand}/drop")
    dropped = scorer.hand(hand)
    assert (dropped["photos"], dropped["tiles"]) == (saved["photos"], saved["tiles"])


def test_of_the_removed_photographs_the_last_one_is_kept(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, folder = scorer.begin(), parts_of(app).config.photo_dir
    parts_of(app).intake.removed.most = 1
    for shown in ("3R 4R 5R", "3B 4B 5B"):
        send(scorer, hand, "A", "melds", reader.add(picture_of(shown)))
    first, second = (photo["id"] for photo in when_read(scorer, hand)["photos"])
    remove(scorer, hand, second)
    remove(scorer, hand, first)
    assert [file.name for file in folder.iterdir()] == [f"{first}.jpg"]


def test_a_hand_keeps_the_files_of_few_removed_photographs(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, folder = scorer.begin(), parts_of(app).config.photo_dir
    most = parts_of(app).intake.removed.most = 2
    for number in range(most + 2):
        send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
        (photo,) = when_read(scorer, hand)["photos"]
        remove(scorer, hand, photo["id"])
        assert len(list(folder.iterdir())) == min(number + 1, most)


def test_a_hand_that_another_phone_has_saved_is_not_thrown_away(app: Flask, scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)  # while a phone shows it as it was before
    before = parts_of(app).matches.tally(match).totals
    refused = scorer.form(f"/hands/{hand}/undone", undone="discarded")
    assert (refused.status_code, "Otra persona cambió la mano" in refused.text) == (409, True)
    assert parts_of(app).matches.tally(match).totals == before
    unsaved = scorer.begin(match)
    assert scorer.form(f"/hands/{unsaved}/undone", undone="discarded").status_code == 303
    assert scorer.hand(unsaved)["state"] == "undone"


@pytest.mark.parametrize("whose", ["its own", "another hand's"])
def test_a_tile_for_a_photograph_that_is_gone_or_another_hands_comes_without_it(
    scorer: Scorer, reader: RecordedReader, whose: str
) -> None:
    """Another phone has removed it, or somebody saw its secret id while the hand was theirs."""
    first = scorer.begin()
    send(scorer, first, "A", "melds", reader.add(picture_of(CANASTA)))
    photo = when_read(scorer, first)["photos"][0]["id"]
    remove(scorer, first, photo)
    hand = first if whose == "its own" else scorer.begin(new_match(scorer))
    corners = [[0, 0], [40, 0], [40, 60], [0, 60]]
    tile = {"op": "add_tile", "side": "A", "place": "rack", "face": "7R"}
    assert scorer.edit(hand, tile | {"photo": photo, "corners": corners}).status_code == 200
    save(scorer, hand, NOBODY_CLOSED[:3] + [{"op": "empty_rack", "side": "B"}])
    scorer.edit(hand, tile | {"face": "8R"})
    assert scorer.form(f"/hands/{hand}/drop").status_code == 303
    left = scorer.hand(hand)
    laid = [left["tiles"][tile]["face"] for row in left["rows"] for tile in row["tiles"]]
    assert laid == ["7R"]
    assert scorer.hand(first)["photos"] == []
