"""A set learns from the hands that are saved."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from scorer_app.hand.edits import apply
from scorer_app.hand.edits_of_tiles import SetTile
from scorer_app.hand.merging import add_reading
from scorer_app.hand.record import Place, Record
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.learning import settled_tiles
from scorer_app.services.sets import Sets
from scorer_app.services.steps import steps_of
from scorer_app.web.parts import parts_of
from vision.own_set.examples import Origin
from vision.reading import Notice

from ..conftest import Scorer, until
from ..hands import send, when_read
from ..own_sets import example
from ..pictures import RecordedReader, picture_of, reading_of
from .settled_hands import DOUBTS, RACK, ROWS, doubtful_hand, ended_hand, save, says

RULES = TableRules.of("burako", {}, 4)


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
