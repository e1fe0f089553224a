"""A watched table whose melds go to the hand of its match: the hand they fill, what stays of an
earlier hand-over, and what is refused.
"""

from __future__ import annotations

import io
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from scorer_app.services.photo_files import FolderPhotos, PhotosUnavailable
from scorer_app.store import StoreUnavailable
from scorer_app.watch import hand_over
from scorer_app.watch.refusals import LiveRefused
from scorer_app.watch.table_watch import SILENCE
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..drawn_table import LINE, LOOSE, PRINTED, IvoryEyes, Places
from .test_live_api import ILLEGAL_TABLE, LEGAL_TABLE, Camera, rows


@pytest.fixture
def camera(app: Flask, scorer: Scorer) -> Camera:
    return Camera(app, scorer)


def test_the_table_goes_to_scoring_with_its_sides_and_again_without_doubling(
    camera: Camera,
) -> None:
    camera.show(LEGAL_TABLE, 4)
    refused = camera.scorer.post(f"{camera.base}/hand-over")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "no_line")
    assert camera.order(op="line", line=LINE).status_code == 200
    handed = camera.scorer.post(f"{camera.base}/hand-over").get_json()
    hand = camera.scorer.hand(handed["hand"])
    assert laid(hand) == {("A", "3R 4R 5R"), ("B", "7B 7K 7Y")}
    assert laid(hand, "pozo") == {("A", LOOSE)}  # seen, but nobody's
    assert hand["score"]["A"]["puntos"] + hand["score"]["B"]["puntos"] == 30
    assert [photo["side"] for photo in hand["photos"]] == ["A", "B"]
    with camera.scorer.client.get(hand["photos"][0]["url"]) as photograph:
        assert photograph.status_code == 200
    tile = next(name for name, tile in hand["tiles"].items() if tile["face"] == "5R")
    camera.scorer.edit(handed["hand"], {"op": "set_tile", "tile": tile, "face": "J"})
    again = camera.scorer.post(f"{camera.base}/hand-over").get_json()
    assert again["hand"] == handed["hand"]
    assert laid(camera.scorer.hand(again["hand"])) == {("A", "3R 4R J"), ("B", "7B 7K 7Y")}


def test_melds_that_are_gone_from_the_table_leave_the_hand_only_where_somebody_agrees(
    camera: Camera,
) -> None:
    """A meld that has grown is not gone."""
    camera.show(LEGAL_TABLE, 4)
    hand = handed_over(camera, LINE)["id"]
    camera.show(ILLEGAL_TABLE, 4)  # the 9K lies beside the 5R
    assert laid(handed_over(camera, LINE)) == {("A", "3R 4R 5R 9K"), ("B", "7B 7K 7Y")}
    camera.show(LEGAL_TABLE, 4)
    refused = camera.scorer.post(f"{camera.base}/hand-over")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "replaces")
    assert laid(camera.scorer.hand(hand)) == {("A", "3R 4R 5R 9K"), ("B", "7B 7K 7Y")}
    agreed = camera.scorer.post(f"{camera.base}/hand-over?replace=yes").get_json()
    assert laid(camera.scorer.hand(agreed["hand"])) == {("A", "3R 4R 5R"), ("B", "7B 7K 7Y")}


@pytest.mark.parametrize(
    ("earlier", "lying", "is_lost"),
    [
        (["3R 4R 5R", "3R 4R 5R 6R"], ["3R 4R 5R 6R", "3R 4R 5R"], False),
        (["3R 4R 5R", "3R 4R 5R 6R"], ["3R 4R 5R", "3R 4R 5R 6R 7R"], False),
        (["3R 4R 5R", "3R 4R 5R 6R"], ["3R 4R 5R 6R"], True),
        (["3R 4R ?"], ["3R 4R 5R"], True),
        ([], ["3R 4R 5R"], False),
    ],
)
def test_melds_lie_on_the_table_still_in_whatever_order_they_are_told(
    earlier: list[str], lying: list[str], is_lost: bool
) -> None:
    def faces(row: str) -> list[str | None]:
        return [None if face == "?" else face for face in row.split()]

    photo: Any = SimpleNamespace(reading={"melds": [{"laid": faces(row)} for row in earlier]})
    melds = [
        SimpleNamespace(tiles=[SimpleNamespace(tile=face) for face in faces(row)]) for row in lying
    ]
    table: Any = SimpleNamespace(melds=melds)
    with pytest.raises(LiveRefused) if is_lost else nullcontext():
        hand_over._check_loses_none([photo], table)


@pytest.mark.parametrize("silent", [0.0, SILENCE])
def test_the_melds_of_a_saved_hand_that_still_lie_there_are_not_counted_once_more(
    app: Flask, camera: Camera, silent: float
) -> None:
    camera.show(LEGAL_TABLE, 4)
    hand = handed_over(camera, LINE)["id"]
    ended = {"op": "set_end", "end": "stock_exhausted", "closed_by": None}
    racks = [{"op": "empty_rack", "side": side} for side in "AB"]
    muertos = [{"op": "set_muerto", "side": side, "taken": False} for side in "AB"]
    assert camera.scorer.edit(hand, ended, *racks, *muertos).status_code == 200
    assert camera.scorer.post(f"/api/hands/{hand}/save").status_code == 200
    camera.time += silent
    refused = camera.scorer.post(f"{camera.base}/hand-over")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "counted")
    assert "ya se contó" in refused.get_json()["message"]
    tally = parts_of(app).matches.tally(camera.match)
    assert (len(tally.counted), tally.draft_id) == (1, None)
    camera.show(ILLEGAL_TABLE, 4)  # one meld of two is another one
    camera.order(op="line", line=LINE)
    assert handed_over(camera, LINE)["id"] != hand


def handed_over(camera: Camera, line: Any) -> Any:
    """Hand the table over with this line between the sides, and return the hand."""
    camera.order(op="line", line=line)
    handed = camera.scorer.post(f"{camera.base}/hand-over").get_json()
    return camera.scorer.hand(handed["hand"])


def test_what_was_said_in_the_hand_goes_along_where_the_sides_are_swapped(camera: Camera) -> None:
    camera.show(LEGAL_TABLE, 4)
    hand = handed_over(camera, LINE)
    named = {tile["face"]: name for name, tile in hand["tiles"].items()}
    camera.scorer.edit(hand["id"], {"op": "set_tile", "tile": named["5R"], "face": "J"})
    camera.scorer.edit(hand["id"], {"op": "remove_tile", "tile": named["7K"]})
    row = next(row["id"] for row in hand["rows"] if named["7B"] in row["tiles"])
    camera.scorer.edit(hand["id"], {"op": "add_tile", "face": "7R", "row": row})
    assert laid(handed_over(camera, LINE)) == {("A", "3R 4R J"), ("B", "7B 7Y 7R")}
    assert laid(handed_over(camera, LINE[::-1])) == {("B", "3R 4R J"), ("A", "7B 7Y 7R")}
    beyond = [[0, 5], [1280, 5]]
    assert laid(handed_over(camera, beyond)) == {("A", "3R 4R J"), ("A", "7B 7Y 7R")}


def test_a_table_is_shown_in_the_size_to_which_its_corners_refer(camera: Camera) -> None:
    """A line drawn just after the picture has changed its size is laid over the smaller picture."""
    camera.show(LEGAL_TABLE, 4)
    smaller = io.BytesIO()
    Image.open(io.BytesIO(LEGAL_TABLE)).resize((640, 360)).save(smaller, "JPEG")
    camera.send(smaller.getvalue())
    hand = handed_over(camera, [[0, 180], [640, 180]])
    settled = camera.scorer.client.get(f"{camera.base}/settled.jpg")
    assert Image.open(io.BytesIO(settled.data)).size == (640, 360)
    with camera.scorer.client.get(hand["photos"][0]["url"]) as photograph:
        assert Image.open(io.BytesIO(photograph.data)).size == (640, 360)
    assert [photo["width"] for photo in hand["photos"]] == [640, 640]


def test_a_row_that_was_given_to_the_other_side_in_the_hand_stays_there(camera: Camera) -> None:
    camera.show(LEGAL_TABLE, 4)
    hand = handed_over(camera, LINE)
    row = next(row["id"] for row in hand["rows"] if (row["side"], row["place"]) == ("A", "melds"))
    camera.scorer.edit(hand["id"], {"op": "move_row", "row": row, "side": "B", "place": "melds"})
    assert laid(handed_over(camera, LINE)) == {("B", "3R 4R 5R"), ("B", "7B 7K 7Y")}


def test_what_stands_for_a_watched_table_is_not_read_as_a_photograph(
    camera: Camera, app: Flask
) -> None:
    """Each of its pictures shows the melds of both sides. The unfinished hand's photographs are
    read anew where the match gets another set of tiles.
    """
    camera.show(LEGAL_TABLE, 4)
    hand = handed_over(camera, LINE)
    parts_of(app).intake.read_anew(camera.match)
    camera.scorer.post(f"/api/hands/{hand['id']}/photos/{hand['photos'][0]['id']}/read")
    after = camera.scorer.hand(hand["id"])
    assert (laid(after), after["photos"]) == (laid(hand), hand["photos"])
    assert len(handed_over(camera, LINE)["photos"]) == 2


@pytest.mark.parametrize("failing", ["store", "photographs"])
def test_a_table_that_cannot_be_handed_over_leaves_no_photograph(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """Photographs that were kept before the failure are deleted again."""
    camera.show(LEGAL_TABLE, 4)
    camera.order(op="line", line=LINE)
    files, kept = parts_of(app).intake.files, []

    def keep(photo_id: str, picture: Any) -> None:
        if failing == "photographs" and kept:
            raise PhotosUnavailable("the store of photographs is away")
        kept.append(photo_id)
        FolderPhotos.keep(files, photo_id, picture)  # type: ignore[arg-type]

    def write_step(*_of: Any) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(files, "keep", keep)
    if failing == "store":
        monkeypatch.setattr(hand_over, "write_step", write_step)
    assert camera.scorer.post(f"{camera.base}/hand-over").status_code == 503
    assert len(kept) == (2 if failing == "store" else 1)
    assert list(files.files()) == []
    monkeypatch.undo()
    handed = camera.scorer.post(f"{camera.base}/hand-over").get_json()
    assert len(camera.scorer.hand(handed["hand"])["photos"]) == 2


@pytest.mark.parametrize("ended", ["saved", "thrown away"])
def test_a_hand_that_ends_while_the_table_is_handed_over_keeps_what_it_holds(
    camera: Camera, app: Flask, monkeypatch: pytest.MonkeyPatch, ended: str
) -> None:
    """Another phone is quicker while the pictures are being written."""
    camera.show(LEGAL_TABLE, 4)
    hand = handed_over(camera, LINE)
    parts = parts_of(app)

    def kept() -> set[str]:
        return {file.photo_id for file in parts.intake.files.files()}

    before = kept()

    def keep(photo_id: str, picture: Any) -> None:
        if ended == "saved":
            parts.hands.correct_counted(hand["id"], {"A": (100, 50), "B": (0, 30)})
        else:
            parts.hands.set_excluded(hand["id"], True)
        FolderPhotos.keep(parts.intake.files, photo_id, picture)  # type: ignore[arg-type]

    monkeypatch.setattr(parts.intake.files, "keep", keep)
    refused = camera.scorer.post(f"{camera.base}/hand-over")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "changed")
    monkeypatch.undo()
    assert kept() == before
    assert not any(line.edited for line in parts.matches.tally(camera.match).lines)
    assert handed_over(camera, LINE)["id"] != hand["id"]


def test_what_is_printed_on_a_box_is_set_aside_and_counts_nothing(
    app: Flask, scorer: Scorer
) -> None:
    places, camera = Places(box=True), Camera(app, scorer)
    parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes(places)
    state = camera.show(places.jpeg(False), 4)
    assert rows(state) == {"3R 4R 5R": True, "7B 7K 7Y": True}
    assert (state["table"]["loose"], state["events"]) == ([LOOSE], [])
    assert state["table"]["printed"] == [PRINTED.split()]
    assert camera.order(op="line", line=LINE).status_code == 200
    hand = scorer.hand(scorer.post(f"{camera.base}/hand-over").get_json()["hand"])
    assert laid(hand) == {("A", "3R 4R 5R"), ("B", "7B 7K 7Y")}
    assert laid(hand, "pozo") == {("A", PRINTED), ("A", LOOSE)}
    assert hand["score"]["A"]["puntos"] + hand["score"]["B"]["puntos"] == 30


def laid(hand: Any, place: str = "melds") -> set[tuple[str, str]]:
    rows = [row for row in hand["rows"] if row["place"] == place]
    return {
        (row["side"], " ".join(hand["tiles"][tile]["face"] for tile in row["tiles"]))
        for row in rows
    }
