"""A photograph of rows from 1 to 13 teaches every face by its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.faces import FaceStyle, Kind, random_style
from datasets.faces.odd_style import Oddity, odd_style
from engine.tiles import Colour
from tests.places import SAMPLES, SHARED, needs_photographs
from tests.teaching_scenes import Truth, backwards, teaching_photograph, wrong
from vision import open_reader
from vision.detector import Detections
from vision.frame import Frame
from vision.own_set.examples import FACE_NAMES
from vision.own_set.teaching import (
    TaughtPhoto,
    TeachingError,
    TeachingFailure,
    named_rows,
    teach,
)

S1 = SHARED / "photos" / "strange_sets" / "S1"


@pytest.fixture(scope="module")
def taught_straight(rendered: tuple[Frame, Truth]) -> TaughtPhoto:
    return teach(open_reader(), rendered[0])


def test_every_face_is_told_by_its_place(
    rendered: tuple[Frame, Truth], taught_straight: TaughtPhoto
) -> None:
    taught = taught_straight
    assert [row.colour for row in taught.rows] == list("YKRB")
    assert [row.sure for row in taught.rows] == [True] * 4
    assert sorted(one.example.face for one in taught.faces) == sorted(FACE_NAMES)
    assert wrong(taught, rendered[1]) == []
    assert [one.row for one in taught.faces] == [
        *(row for row in range(4) for _tile in range(13)),
        None,
    ]


@pytest.mark.pictures
@pytest.mark.parametrize("turns", [1, 2])
def test_a_photograph_taken_from_another_side_teaches_the_same(
    rendered: tuple[Frame, Truth], taught_straight: TaughtPhoto, turns: int
) -> None:
    frame, straight = rendered[0], taught_straight
    taught = teach(open_reader(), Frame.of(np.ascontiguousarray(np.rot90(frame.pixels, turns))))
    crops = {one.example.face: one.example.crop.astype(int) for one in straight.faces}
    assert len(taught.faces) == len(straight.faces)
    for one in taught.faces:
        if one.example.face != "J":
            difference = np.abs(one.example.crop.astype(int) - crops[one.example.face]).mean()
            assert difference < 12, one.example.face


@pytest.mark.pictures
def test_digits_that_nobody_can_read_are_told_by_their_place(
    rendered: tuple[Frame, Truth],
) -> None:
    """The digits of two tiles are rubbed off altogether."""
    frame, truth = rendered
    pixels = frame.pixels.copy()
    for face, corners in truth:
        if face in ("6R", "11K"):
            (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
            inner = np.s_[int(top) + 12 : int(bottom) - 12, int(left) + 12 : int(right) - 12]
            pixels[inner] = np.median(pixels[inner].reshape(-1, 3), axis=0)
    taught = teach(open_reader(), Frame.of(pixels))
    assert {one.example.face for one in taught.faces} >= {"6R", "11K"}
    assert wrong(taught, truth) == []


class FindsInSmallPictures:
    """A detector that finds every tile in a picture shrunk to less than 0.4, else every
    second one.
    """

    def __init__(self, truth: Truth) -> None:
        self.quads = np.array([corners for _face, corners in truth], np.float32)

    def detect(self, _picture: NDArray[np.uint8], _threshold: float) -> Detections:
        return self._every(2)

    def glance(self, _picture: NDArray[np.uint8], share: float, _threshold: float) -> Detections:
        return self._every(1 if share < 0.4 else 2)

    def _every(self, step: int) -> Detections:
        quads = self.quads[::step]
        return Detections(quads, np.full(len(quads), 0.9, np.float32))


@pytest.mark.pictures
def test_rows_that_show_only_in_a_small_picture_teach(
    rendered: tuple[Frame, Truth],
    taught_straight: TaughtPhoto,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame, truth = rendered
    tables = copy(open_reader())
    tables.detector = FindsInSmallPictures(truth)  # type: ignore[assignment]
    monkeypatch.setattr(tables, "odd_networks", lambda: (tables.detector, tables.reader))
    taught = teach(tables, frame)
    assert len(taught.faces) == len(taught_straight.faces)
    assert wrong(taught, truth) == []


@pytest.mark.pictures
def test_rows_that_only_the_networks_for_odd_sets_find_teach(
    rendered: tuple[Frame, Truth], taught_straight: TaughtPhoto
) -> None:
    frame, truth = rendered
    tables = copy(open_reader())
    tables.detector = FindsInSmallPictures(truth[::4])  # type: ignore[assignment]
    taught = teach(tables, frame)
    assert len(taught.faces) == len(taught_straight.faces)
    assert wrong(taught, truth) == []


def without_gap(rendered: tuple[Frame, Truth], lost: str) -> tuple[Frame, Truth]:
    """Return the picture and its truth without the tile `lost`; those at its right are moved to
    where it lay.
    """
    frame, truth = rendered
    corners = dict(truth)
    row = [corners[f"{number}{lost[-1]}"] for number in range(1, 14)]
    step = (row[12] - row[0]).mean(axis=0) / 12
    first, last = corners[lost], row[12]
    tall = (first[3] - first[0])[1]
    left, right = round(first[:, 0].min() - step[0] * 0.1), round(last[:, 0].max() + step[0])
    top, bottom = (round(f(first[:, 1].tolist() + last[:, 1].tolist())) for f in (min, max))
    strip = np.s_[round(top - tall * 0.3) : round(bottom + tall * 0.3), left:right]
    moved = np.roll(frame.pixels, (-round(step[1]), -round(step[0])), axis=(0, 1))
    pixels = frame.pixels.copy()
    pixels[strip] = moved[strip]
    shifted = [
        (face, place - step * (face[-1] == lost[-1] and int(face[:-1]) > int(lost[:-1])))
        for face, place in truth
        if face != lost
    ]
    return Frame.of(pixels), shifted


@pytest.mark.parametrize("lost", ["2R", "6K", "12B"])
def test_a_row_that_was_pushed_together_where_a_tile_is_lost_lacks_this_tile_alone(
    rendered: tuple[Frame, Truth], lost: str
) -> None:
    frame, truth = without_gap(rendered, lost)
    taught = teach(open_reader(), frame)
    names = {one.example.face for one in taught.faces}
    assert set(FACE_NAMES) - names == {lost}
    assert wrong(taught, truth) == []


def test_a_6_and_a_9_in_each_others_places_teach_what_they_show() -> None:
    picture, labelled = teaching_photograph("YKRB", swapped={"6R": "9R", "9R": "6R"})
    truth = [(str(tile.tile), np.asarray(tile.corners, float)) for tile in labelled.tiles]
    taught = teach(open_reader(), Frame.of(picture))
    assert sorted(one.example.face for one in taught.faces) == sorted(FACE_NAMES)
    assert wrong(taught, truth) == []


@pytest.mark.parametrize(
    "turned", [{"Y": 4, "K": 6, "R": 9, "B": 12}, {"Y": 13, "K": 7, "R": 2, "B": 5}]
)
def test_a_tile_that_lies_upside_down_in_its_row_teaches_an_upright_picture(
    turned: dict[str, int],
) -> None:
    picture, labelled = teaching_photograph("YKRB", turned=turned)
    truth = [(str(tile.tile), np.asarray(tile.corners, float)) for tile in labelled.tiles]
    taught = teach(open_reader(), Frame.of(picture))
    assert sorted(one.example.face for one in taught.faces) == sorted(FACE_NAMES)
    assert wrong(taught, truth) == []


def marked_style() -> FaceStyle:
    """Return the style of a set of which the reader is not sure which way its tiles lie."""
    return odd_style(np.random.default_rng(101), Oddity.MARKS)


def usual_style() -> FaceStyle:
    return random_style(np.random.default_rng(3), Kind.BURAKO)


@pytest.mark.pictures
@pytest.mark.parametrize("style", [usual_style, marked_style])
@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("laid", ["YKRB", "K", "YB"])
def test_rows_laid_from_13_to_1_teach_upright_pictures(
    style: Callable[[], FaceStyle], is_turned: bool, laid: str
) -> None:
    picture, labelled = teaching_photograph("YKRB", 1, 101, swapped=backwards(laid), style=style())
    truth = [(str(tile.tile), np.asarray(tile.corners, float)) for tile in labelled.tiles]
    if is_turned:
        far = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
        picture = np.ascontiguousarray(picture[::-1, ::-1])
        truth = [(face, far - corners) for face, corners in truth]
    taught = teach(open_reader(), Frame.of(picture))
    assert sorted(one.example.face for one in taught.faces) == sorted(FACE_NAMES)
    assert wrong(taught, truth) == []


@pytest.mark.pictures
@pytest.mark.parametrize("is_turned", [False, True])
def test_a_mirrored_photograph_teaches_nothing(
    rendered: tuple[Frame, Truth], is_turned: bool
) -> None:
    mirrored = rendered[0].pixels[::-1] if is_turned else rendered[0].pixels[:, ::-1]
    with pytest.raises(TeachingError) as raised:
        teach(open_reader(), Frame.of(np.ascontiguousarray(mirrored)))
    assert raised.value.reason is TeachingFailure.MIRRORED


@pytest.mark.pictures
@pytest.mark.parametrize(("rows", "shown"), [("R", "J"), ("YKRB", "J"), ("R", "7R")])
def test_a_row_that_shows_one_face_thirteen_times_teaches_nothing(rows: str, shown: str) -> None:
    same = {f"{number}{rows[0]}": shown for number in range(1, 14)}
    picture, _labelled = teaching_photograph(rows, 0, swapped=same)
    with pytest.raises(TeachingError) as raised:
        teach(open_reader(), Frame.of(picture))
    assert raised.value.reason is TeachingFailure.ONE_FACE


@pytest.mark.parametrize("lost", ["7R", "13B"])
def test_a_comodin_in_the_place_of_a_lost_tile_teaches_a_comodin(lost: str) -> None:
    picture, labelled = teaching_photograph("YKRB", 0, swapped={lost: "J"})
    truth = [(str(tile.tile), np.asarray(tile.corners, float)) for tile in labelled.tiles]
    taught = teach(open_reader(), Frame.of(picture))
    assert {one.example.face for one in taught.faces} == set(FACE_NAMES) - {lost}
    assert wrong(taught, truth) == []


def test_rows_are_named_by_a_person(rendered: tuple[Frame, Truth]) -> None:
    colours: tuple[Colour, ...] = ("R", "B", "K", "Y")
    taught = teach(open_reader(), rendered[0], colours)
    assert [row.colour for row in taught.rows] == list(colours)
    assert [one.example.face for one in taught.faces[:13]] == [f"{n}R" for n in range(1, 14)]
    assert taught.faces[-1].example.face == "J"
    with pytest.raises(ValueError, match="4 colours"):
        named_rows(taught, ("R", "B"))


@pytest.mark.pictures
def test_inks_that_no_set_sold_has_are_asked_for(rendered: tuple[Frame, Truth]) -> None:
    """Channels change places: green, purple, black and blue rows."""
    odd = np.ascontiguousarray(rendered[0].pixels[..., [1, 2, 0]])
    assert not any(row.sure for row in teach(open_reader(), Frame.of(odd)).rows)


def test_a_table_of_melds_teaches_nothing() -> None:
    with pytest.raises(TeachingError) as raised:
        teach(open_reader(), SAMPLES / "melds-a.jpg")
    assert raised.value.reason is TeachingFailure.NO_ROW


def lines_of_s1() -> dict[str, Any]:
    lines = map(json.loads, (S1 / "labels.jsonl").read_text("utf-8").splitlines())
    return {line["photo"]: line for line in lines}


@pytest.mark.pictures
@needs_photographs
@pytest.mark.parametrize("name", ["images/teach_1.jpg", "images/teach_2.jpg"])
def test_an_old_mended_set_is_taught_whole(name: str) -> None:
    truth = [(one["tile"], np.array(one["corners"])) for one in lines_of_s1()[name]["tiles"]]
    taught = teach(open_reader(), S1 / name)
    assert [row.colour for row in taught.rows] == ["R", "B", "K", "Y"]
    assert sorted(one.example.face for one in taught.faces) == sorted(FACE_NAMES)
    assert wrong(taught, truth) == []


@pytest.mark.pictures
@needs_photographs
def test_a_hand_of_thirteen_in_no_order_teaches_nothing() -> None:
    with pytest.raises(TeachingError):
        teach(open_reader(), S1 / "images" / "rack_1.jpg")
