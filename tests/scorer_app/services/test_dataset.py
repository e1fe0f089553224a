"""`burako set dataset`: a person's corrected photographs are copied with their labels."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from sqlalchemy import select

from scorer_app.config import AppConfig
from scorer_app.services.hand_rows import HANDED_OVER
from scorer_app.store import Photo
from scorer_app.web.parts import parts_of

from ..cli.commands import burako
from ..conftest import Scorer
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of
from .settled_hands import RACK, doubtful_hand, ended_hand, save, says


def copied(config: AppConfig, out: Path) -> int:
    """Run the command, and return how many photographs it says that it has copied."""
    where = ["--data", str(config.data_dir)]
    if config.database_url:
        where += ["--database", config.database_url]
    done = burako("set", "dataset", "--out", str(out), *where, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told == {"out": str(out), "photos": told["photos"]}
    return int(told["photos"])


def dataset(config: AppConfig, out: Path) -> list[dict[str, Any]]:
    """Run the command on a folder of its own, and return the labels of the photographs."""
    count = copied(config, out)
    lines = [json.loads(line) for line in (out / "labels.jsonl").read_text().splitlines()]
    assert len(lines) == count
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


def test_labels_that_lie_in_the_folder_already_stay_unless_they_are_of_the_same_photographs(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    """Photographs that were copied may since have been deleted here, as old ones are."""
    for _ in range(2):
        hand = doubtful_hand(scorer, reader, app, None)
        says(scorer, hand, "8R", "4R")
        says(scorer, hand, None, "7K")
        save(scorer, hand)
    out = tmp_path / "out"
    first, second = dataset(config, out)
    labels = out / "labels.jsonl"
    others = ['{"photo": "images/friend.jpg", "tiles": []}', "no label"]
    labels.write_text("".join(f"{line}\n" for line in [*others, *labels.read_text().splitlines()]))
    parts_of(app).intake.forget_before(datetime.max)
    assert copied(config, out) == 0
    kept = labels.read_text().splitlines()
    assert (kept[:2], [json.loads(line) for line in kept[2:]]) == (others, [first, second])
    assert all((out / one["photo"]).is_file() for one in (first, second))


def test_a_folder_that_is_written_again_has_every_label_once_as_it_is_now(
    scorer: Scorer, reader: RecordedReader, app: Flask, config: AppConfig, tmp_path: Path
) -> None:
    hand = doubtful_hand(scorer, reader, app, None)
    says(scorer, hand, "8R", "4R")
    says(scorer, hand, None, "7K")
    save(scorer, hand)
    (before,) = dataset(config, tmp_path / "out")
    says(scorer, hand, "7K", "J")
    save(scorer, hand)
    (after,) = dataset(config, tmp_path / "out")
    assert (before["photo"], before["tiles"]) != (after["photo"], after["tiles"])
    assert before["photo"] == after["photo"]


def test_a_folder_that_cannot_be_written_is_told(config: AppConfig, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    below = str(tmp_path / "file" / "folder")
    done = burako("set", "dataset", "--out", below, "--data", str(config.data_dir))
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
