"""A set learns from the hands that are saved, and a person's photographs can be exported."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from PIL import Image
from sqlalchemy import select

from scorer_app.config import AppConfig
from scorer_app.hand.edits import apply
from scorer_app.hand.edits_of_tiles import SetTile
from scorer_app.hand.merging import add_reading
from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.hand_rows import HANDED_OVER
from scorer_app.services.learning import settled_tiles
from scorer_app.services.sets import Sets
from scorer_app.services.steps import steps_of
from scorer_app.store import Photo
from scorer_app.web.parts import parts_of
from vision.own_set.examples import Origin
from vision.reading import Notice

from ..cli.commands import burako
from ..conftest import Scorer, until
from ..hands import send, when_read
from ..own_sets import example
from ..pictures import RecordedReader, picture_of, reading_of

RULES = TableRules.of("burako", {}, 4)
ROWS = ("3R 4R 5R", "7B 7K 7Y")
DOUBTS = {"4R": ["8R", "4R"], "7K": ["", "7K"], "7Y": ["7Y", "1Y"]}
RACK = picture_of(loose="4R 12B", doubts={"4R": ["8R", "4R"]})


def ended_hand(scorer: Scorer, app: Flask, set_id: str | None) -> str:
    hand = scorer.begin()
    parts_of(app).matches.change(scorer.hand(hand)["match"], tile_set_id=set_id)
    muertos = [{"op": "set_muerto", "side": side, "taken": True} for side in "AB"]
    racks = [{"op": "empty_rack", "side": side} for side in "AB"]
    scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted"}, *muertos, *racks)
    return hand


def doubtful_hand(scorer: Scorer, reader: RecordedReader, app: Flask, set_id: str | None) -> str:
    """Make a hand with a photograph, some of whose tiles are misread or in doubt; return its id."""
    hand = ended_hand(scorer, app, set_id)
    send(scorer, hand, "A", "melds", reader.add(picture_of(*ROWS, doubts=DOUBTS)))
    when_read(scorer, hand)
    return hand


def says(scorer: Scorer, hand: str, read: str | None, face: str) -> None:
    """Let a person say that the one photographed tile that was read as `read` (None: as nothing) is
    a `face`.
    """
    tiles = scorer.hand(hand)["tiles"]
    (tile,) = [name for name, one in tiles.items() if one["photo"] and one["face"] == read]
    assert scorer.edit(hand, {"op": "set_tile", "tile": tile, "face": face}).status_code == 200


def save(scorer: Scorer, hand: str) -> None:
    answer = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})
    assert answer.status_code == 200, answer.get_json()


def learned_of(sets: Sets, set_id: str) -> dict[str, int]:
    settled = [one for one in sets.load(set_id).examples if one.origin is Origin.SETTLED]
    return {one.face: sum(other.face == one.face for other in settled) for one in settled}


def wait_for(sets: Sets, set_id: str, wanted: dict[str, int]) -> None:
    until(lambda: learned_of(sets, set_id), lambda found: found == wanted)


def test_what_a_person_settled_in_a_saved_hand_is_learned(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("1R")])
    hand = doubtful_hand(scorer, reader, app, kept.id)
    assert [one and one.id for one in reader.chosen] == [kept.id]
    says(scorer, hand, "8R", "4R")  # misread
    says(scorer, hand, None, "7K")  # unread
    says(scorer, hand, "7Y", "7Y")  # in doubt, and read rightly
    assert learned_of(sets, kept.id) == {}
    save(scorer, hand)
    wait_for(sets, kept.id, {"4R": 1, "7K": 1, "7Y": 1})
    until(lambda: reader.ready, lambda ready: bool(ready))  # before the next photograph comes
    assert reader.ready == [sets.chosen(kept.id)]
    (four,) = [one for one in sets.load(kept.id).examples if one.face == "4R"]
    red = four.crop[16:36, 12:36].astype(int)
    assert (red[..., 0] - red[..., 2] > 60).sum() > 20  # its red digit is in the crop
    assert four.crop[6:10, 10:38].min() > 150  # and the pale body above it


@pytest.mark.parametrize(
    ("suggested", "sure", "taught"),
    [(True, True, False), (True, False, True), (False, True, True)],
)
def test_a_suggestion_that_the_reader_surely_contradicts_teaches_nothing(
    suggested: bool, sure: bool, taught: bool
) -> None:
    """A meld may be illegal although each of its tiles was read rightly."""
    doubts = {} if sure else {"2K": ["2K", "1K"]}
    reading = reading_of(picture_of("2K 3K 4K", doubts=doubts).reading)
    record = add_reading(Record(), "p1", "A", Place.MELDS, reading)
    record = apply(record, SetTile("t1", "1K", suggested=suggested), RULES)
    assert [tile.face for tile in settled_tiles(record, "p1")] == ["1K"] * taught
    again = add_reading(record, "p1", "A", Place.MELDS, reading)
    assert settled_tiles(again, "p1") == settled_tiles(record, "p1")
    looked_at = apply(record, SetTile("t1", "1K"), RULES)
    assert [tile.face for tile in settled_tiles(looked_at, "p1")] == ["1K"]
    confirmed = apply(record, SetTile("t1", "2K", suggested=True), RULES)
    assert [tile.face for tile in settled_tiles(confirmed, "p1")] == ["2K"]


def test_a_server_prepares_at_its_start_for_the_set_used_last(
    reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    jobs = parts_of(app).intake.jobs
    jobs.start()
    assert reader.ready == []
    kept = sets.teach("Casa", [example(f"{number}R") for number in range(1, 14)])
    jobs.start()
    until(lambda: reader.ready, lambda ready: ready == [sets.chosen(kept.id)])


def test_a_correction_of_a_saved_hand_is_learned_in_place_of_the_error(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("1R")])
    hand = ended_hand(scorer, app, kept.id)
    send(scorer, hand, "B", "rack", reader.add(RACK))
    when_read(scorer, hand)
    says(scorer, hand, "8R", "3R")
    save(scorer, hand)
    wait_for(sets, kept.id, {"3R": 1})
    tiles = scorer.hand(hand)["tiles"]
    wrong = [name for name, one in tiles.items() if one["photo"] and one["read"] == "8R"]
    scorer.edit(hand, {"op": "set_tile", "tile": wrong[0], "face": "4R"})
    save(scorer, hand)
    wait_for(sets, kept.id, {"4R": 1})


def corrected_hand(scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets) -> str:
    """Make a hand whose set has learned a 4R, rightly; correct it to a 3R, and return its id."""
    kept = sets.teach("Casa", [example("1R")])
    hand = ended_hand(scorer, app, kept.id)
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="4R", doubts={"4R": ["8R", "4R"]})))
    when_read(scorer, hand)
    says(scorer, hand, "8R", "4R")
    save(scorer, hand)
    wait_for(sets, kept.id, {"4R": 1})
    says(scorer, hand, "4R", "3R")
    return hand


def test_a_hand_corrected_after_the_match_has_another_set_teaches_the_set_that_it_shows(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    hand = corrected_hand(scorer, reader, app, sets)
    (kept,), other = sets.listed(), sets.teach("Abuela", [example("1R")])
    scorer.form(f"/matches/{scorer.hand(hand)['match']}/tiles", tile_set=other.id)
    save(scorer, hand)
    wait_for(sets, kept.id, {"3R": 1})
    assert learned_of(sets, other.id) == {}


@pytest.mark.parametrize("change", [{"tile_set_id": None}, {"pieces": "cards"}])
def test_a_hand_corrected_after_the_match_left_its_set_corrects_what_the_set_learned(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets, change: dict[str, Any]
) -> None:
    hand = corrected_hand(scorer, reader, app, sets)
    (kept,) = sets.listed()
    parts_of(app).matches.change(scorer.hand(hand)["match"], **change)
    save(scorer, hand)
    wait_for(sets, kept.id, {"3R": 1})


def test_a_correction_that_is_undone_is_no_longer_learned(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    hand = corrected_hand(scorer, reader, app, sets)
    (kept,), match = sets.listed(), scorer.hand(hand)["match"]
    save(scorer, hand)
    wait_for(sets, kept.id, {"3R": 1})
    (newest, *_) = steps_of(sets.store, match)
    scorer.form(f"/matches/{match}/history/{newest.id}/undo")
    wait_for(sets, kept.id, {"4R": 1})


def test_what_was_corrected_in_a_hand_out_of_the_tally_is_learned_when_it_is_put_back(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    hand = corrected_hand(scorer, reader, app, sets)
    (kept,) = sets.listed()
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    save(scorer, hand)
    scorer.form(f"/hands/{hand}/undone", undone="no")
    wait_for(sets, kept.id, {"3R": 1})


def test_a_tile_that_was_read_upside_down_teaches_nothing(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("1R")])
    hand = ended_hand(scorer, app, kept.id)
    doubts = {"6R": ["9R", "6R"], "5R": ["3R", "5R"]}
    send(scorer, hand, "A", "melds", reader.add(picture_of("5R 6R 7R", doubts=doubts)))
    when_read(scorer, hand)
    says(scorer, hand, "9R", "6R")
    says(scorer, hand, "3R", "5R")
    save(scorer, hand)
    wait_for(sets, kept.id, {"5R": 1})


def assert_nothing_is_learned(app: Flask, sets: Sets, set_id: str, hand: str) -> None:
    queue = parts_of(app).queue
    until(lambda: queue.knows(f"learn {hand}"), lambda waits: not waits)
    assert learned_of(sets, set_id) == {}


def test_a_match_without_a_set_teaches_none(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("1R")])
    hand = doubtful_hand(scorer, reader, app, None)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    save(scorer, hand)
    assert_nothing_is_learned(app, sets, kept.id, hand)
    assert reader.chosen == [None]


def test_a_photograph_of_another_set_teaches_nothing(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    """Whoever plays with a friend's tiles leaves the match its usual set."""
    kept = sets.teach("Casa", [example("1R")])
    hand = ended_hand(scorer, app, kept.id)
    picture = picture_of(loose="4R", doubts={"4R": ["8R", "4R"]})
    picture.reading["notices"] = [Notice.OTHER_SET]
    send(scorer, hand, "B", "rack", reader.add(picture))
    when_read(scorer, hand)
    says(scorer, hand, "8R", "4R")
    save(scorer, hand)
    assert_nothing_is_learned(app, sets, kept.id, hand)


def test_a_photograph_that_is_gone_teaches_nothing(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("1R")])
    hand = doubtful_hand(scorer, reader, app, kept.id)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    for photo in scorer.hand(hand)["photos"]:
        parts_of(app).intake.files.erase(photo["id"])
    save(scorer, hand)
    assert_nothing_is_learned(app, sets, kept.id, hand)


def test_what_was_learned_stays_when_its_photograph_is_gone(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("1R")])
    hand = doubtful_hand(scorer, reader, app, kept.id)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    save(scorer, hand)
    wait_for(sets, kept.id, {"4R": 1, "7K": 1})
    parts_of(app).intake.forget_before(datetime.max)
    says(scorer, hand, "7K", "J")
    save(scorer, hand)
    wait_for(sets, kept.id, {"4R": 1})  # the other tile is no 7, as its person says now


def test_a_photograph_in_black_and_white_teaches_nothing(
    scorer: Scorer, reader: RecordedReader, app: Flask, sets: Sets
) -> None:
    """All its tiles are in doubt, so that people settle them all: each would lack its ink."""
    kept = sets.teach("Casa", [example("1R")])
    hand = ended_hand(scorer, app, kept.id)
    picture = picture_of(*ROWS, doubts=DOUBTS)
    with Image.open(io.BytesIO(picture.data)) as coloured, io.BytesIO() as grey:
        coloured.convert("L").save(grey, "JPEG")
        picture = replace(picture, data=grey.getvalue())
    send(scorer, hand, "A", "melds", reader.add(picture))
    when_read(scorer, hand)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    save(scorer, hand)
    assert_nothing_is_learned(app, sets, kept.id, hand)


# --- the data set ---


def dataset(config: AppConfig, out: Path) -> list[dict[str, Any]]:
    where = ["--data", str(config.data_dir)]
    if config.database_url:
        where += ["--database", config.database_url]
    done = burako("set", "dataset", "--out", str(out), *where, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [json.loads(line) for line in (out / "labels.jsonl").read_text().splitlines()]
    assert json.loads(done.stdout) == {"out": str(out), "photos": len(lines)}
    return lines


def test_corrected_photographs_are_copied_with_their_labels(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    hand = doubtful_hand(scorer, reader, app, None)
    send(scorer, hand, "B", "rack", reader.add(picture_of(loose="4K 12R")))  # nobody corrects it
    when_read(scorer, hand)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    assert dataset(config, tmp_path / "early") == []  # the hand is not yet saved
    save(scorer, hand)
    (line,) = dataset(config, tmp_path / "out")
    photo = next(one for one in scorer.hand(hand)["photos"] if one["place"] == "melds")
    assert line["photo"] == f"images/{photo['id']}.jpg"
    assert (tmp_path / "out" / line["photo"]).read_bytes()[:2] == b"\xff\xd8"
    assert (line["width"], line["height"]) == (photo["width"], photo["height"])
    assert [tile["tile"] for tile in line["tiles"]] == ["3R", "4R", "5R", "7B", "7K"]
    assert [tile["row"] for tile in line["tiles"]] == [0, 0, 0, 1, 1]
    first, second = line["rows"]
    assert first == {
        "kind": "escalera",
        "tiles": [0, 1, 2],
        "legal": True,
        "reason": None,
        "whole": True,
    }
    assert (second["tiles"], second["legal"], second["whole"]) == ([3, 4], None, False)
    ((left, top, right, bottom),) = line["ignore"]  # 7Y is still in doubt
    assert left < right and top < bottom
    centre = np.mean(line["tiles"][0]["corners"], axis=0)
    assert 0 < centre[0] < line["width"] and 0 < centre[1] < line["height"]


def test_a_tile_that_another_photograph_shows_too_is_no_background(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    """People remove it from the hand, so that it counts once."""
    hand = ended_hand(scorer, app, None)
    send(scorer, hand, "B", "rack", reader.add(RACK))
    tiles = when_read(scorer, hand)["tiles"]
    (twice,) = [name for name, one in tiles.items() if one["face"] == "12B"]
    scorer.edit(hand, {"op": "remove_tile", "tile": twice})
    says(scorer, hand, "8R", "4R")
    save(scorer, hand)
    (line,) = dataset(config, tmp_path / "out")
    assert [one["tile"] for one in line["tiles"]] == ["4R"]
    (box,) = line["ignore"]
    assert box[:2] == list(RACK.reading["tiles"][1]["corners"][0])


def test_a_tile_that_was_read_upside_down_has_no_label(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    """Its corners were told in the order of a 9."""
    hand = ended_hand(scorer, app, None)
    picture = picture_of(loose="6R 12B", doubts={"6R": ["9R", "6R"]})
    send(scorer, hand, "B", "rack", reader.add(picture))
    when_read(scorer, hand)
    says(scorer, hand, "9R", "6R")
    save(scorer, hand)
    (line,) = dataset(config, tmp_path / "out")
    assert [one["tile"] for one in line["tiles"]] == ["12B"]
    (box,) = line["ignore"]
    assert box[:2] == list(picture.reading["tiles"][0]["corners"][0])


def test_a_tile_that_a_person_tapped_on_the_photograph_has_no_label(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    """The page puts an upright box around the tap, however the tile lies."""
    hand = ended_hand(scorer, app, None)
    send(scorer, hand, "B", "rack", reader.add(RACK))
    (photo,) = when_read(scorer, hand)["photos"]
    box = [[5, 6], [25, 6], [25, 36], [5, 36]]
    tapped = {"op": "add_tile", "side": "B", "place": "rack", "face": "9K", "photo": photo["id"]}
    assert scorer.edit(hand, {**tapped, "corners": box}).status_code == 200
    says(scorer, hand, "8R", "4R")
    save(scorer, hand)
    (line,) = dataset(config, tmp_path / "out")
    assert [one["tile"] for one in line["tiles"]] == ["4R", "12B"]
    assert line["ignore"] == [[5, 6, 25, 36]]


def test_a_row_to_which_a_person_added_a_tile_has_no_labels(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    """The photograph shows that tile somewhere there: it is no bare table."""
    hand = doubtful_hand(scorer, reader, app, None)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    (row, _other) = scorer.hand(hand)["rows"]
    added = {"op": "add_tile", "side": "A", "place": "melds", "row": row["id"], "face": "6R"}
    assert scorer.edit(hand, added).status_code == 200
    tiles = [scorer.hand(hand)["tiles"][name]["corners"] for name in row["tiles"]]
    save(scorer, hand)
    (line,) = dataset(config, tmp_path / "out")
    assert [one["tile"] for one in line["tiles"]] == ["7B", "7K"]
    assert [one["tiles"] for one in line["rows"]] == [[0, 1]]
    points = np.array(tiles).reshape(-1, 2)
    (width, height) = points[:4].max(axis=0) - points[:4].min(axis=0)
    left, top, right, bottom = line["ignore"][-1]
    assert left <= points[:, 0].min() - width and right >= points[:, 0].max() + width
    assert top <= points[:, 1].min() - height and bottom >= points[:, 1].max() + height


def test_a_watched_table_whose_melds_are_those_of_one_side_is_not_copied(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    hand = ended_hand(scorer, app, None)
    send(scorer, hand, "B", "rack", reader.add(RACK))
    when_read(scorer, hand)
    says(scorer, hand, "8R", "4R")
    save(scorer, hand)
    with parts_of(app).store.writing() as session:
        for photo in session.scalars(select(Photo)):
            photo.reading = {**(photo.reading or {}), HANDED_OVER: True}
    assert dataset(config, tmp_path / "out") == []


def test_a_folder_that_cannot_be_written_is_told(config: AppConfig, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = burako("set", "dataset", "--out", str(tmp_path / "file"), "--data", str(config.data_dir))
    assert (done.returncode, done.stdout) == (1, "")
    assert str(tmp_path / "file") in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("full", ["labels.jsonl.partial", "images/{photo}.jpg"])
def test_a_disk_that_fills_while_photographs_are_copied_is_told_with_the_path(
    scorer: Scorer,
    reader: RecordedReader,
    app: Flask,
    config: AppConfig,
    tmp_path: Path,
    full: str,
) -> None:
    hand = doubtful_hand(scorer, reader, app, None)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    save(scorer, hand)
    (photo,) = scorer.hand(hand)["photos"]
    (tmp_path / "out" / "images").mkdir(parents=True)
    (tmp_path / "out" / full.format(photo=photo["id"])).symlink_to("/dev/full")
    out = str(tmp_path / "out")
    done = burako("set", "dataset", "--out", out, "--data", str(config.data_dir))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"burako set: {out}") and "No space" in done.stderr
