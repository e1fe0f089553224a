"""Photographs are kept alike in a folder and in an S3 store, and when the store is away people are
told, and nothing that was acknowledged is lost.
"""

from __future__ import annotations

import io
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from PIL import Image

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.moving import copy_photographs
from scorer_app.services.photo_files import Kind, PhotoFiles, PhotosUnavailable
from scorer_app.services.photo_place import photo_files
from scorer_app.services.readings import MOST_ATTEMPTS
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.cluster.weed import Weed
from tests.scorer_app.conftest import Scorer
from tests.scorer_app.hands import faces, send, when_read
from tests.scorer_app.pictures import RecordedReader, picture_of
from tests.scorer_app.services.readings import settled

ONE, OTHER, NONE = "1" * 24, "2" * 24, "3" * 24
PICTURE = np.zeros((8, 6, 3), np.uint8)


@pytest.fixture
def in_s3(config: AppConfig, s3: Weed) -> AppConfig:
    """A configuration whose photographs lie in a prefix of the test's own."""
    prefix = f"s3://burako/{secrets.token_hex(6)}"
    return replace(config, photo_store=prefix, photo_endpoint=s3.endpoint)


@pytest.fixture(params=["folder", "s3"])
def files(request: pytest.FixtureRequest, config: AppConfig) -> PhotoFiles:
    where = request.getfixturevalue("in_s3") if request.param == "s3" else config
    return photo_files(where)


@pytest.fixture
def app(in_s3: AppConfig, reader: RecordedReader) -> Iterator[Flask]:
    app = create_app(in_s3, reader)
    yield app
    close(app)


def upload(files: PhotoFiles, photo_id: str, data: bytes) -> None:
    files.keep_upload(photo_id, files.receive(photo_id, io.BytesIO(data)))


def names(files: PhotoFiles) -> set[tuple[str, Kind]]:
    return {(file.photo_id, file.kind) for file in files.files()}


def test_an_upload_is_kept_until_its_jpeg_is(files: PhotoFiles) -> None:
    upload(files, ONE, b"as it came")
    assert names(files) == {(ONE, Kind.UPLOAD)}
    assert files.picture(ONE) is None
    with files.at_hand(ONE) as at_hand:
        assert at_hand.upload.read_bytes() == b"as it came"
        assert not at_hand.jpeg.exists()
        at_hand.jpeg.write_bytes(b"upright")
        files.keep_upright(ONE, at_hand)
    assert names(files) == {(ONE, Kind.JPEG)}
    with files.at_hand(ONE) as at_hand:
        assert not at_hand.upload.exists()
        assert at_hand.jpeg.read_bytes() == b"upright"
    kept = files.picture(ONE)
    assert (kept.read_bytes() if isinstance(kept, Path) else kept) == b"upright"
    assert files.stored_bytes() in (len(b"upright"), None)


def test_what_was_begun_and_never_finished_is_begun_anew(files: PhotoFiles) -> None:
    upload(files, ONE, b"as it came")
    with files.at_hand(ONE) as at_hand:
        at_hand.jpeg.write_bytes(b"upright")  # and its reader is killed
    with files.at_hand(ONE) as at_hand:
        assert at_hand.upload.read_bytes() == b"as it came"


def test_nothing_is_left_of_an_erased_photograph(files: PhotoFiles) -> None:
    upload(files, ONE, b"one")
    upload(files, OTHER, b"other")
    files.keep(ONE, PICTURE)
    for erased in (ONE, ONE, NONE):
        files.erase(erased)
    assert names(files) == {(OTHER, Kind.UPLOAD)}
    assert files.picture(ONE) is None


def test_pixels_are_kept_as_a_jpeg(files: PhotoFiles) -> None:
    files.keep(ONE, PICTURE)
    with files.at_hand(ONE) as at_hand, Image.open(at_hand.jpeg) as kept:
        assert (kept.format, kept.size) == ("JPEG", (6, 8))


def test_files_tell_their_age_and_are_deleted_one_by_one(files: PhotoFiles) -> None:
    upload(files, ONE, b"one")
    upload(files, OTHER, b"other")
    found = list(files.files())
    assert all(-2 < file.age < 60 for file in found)
    assert files.delete(file for file in found if file.photo_id == ONE) == 1
    assert names(files) == {(OTHER, Kind.UPLOAD)}


def test_a_homes_photographs_are_copied_and_the_copying_can_be_broken_off(
    files: PhotoFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in (f"{ONE}.jpg", f"{OTHER}.upload", f"{NONE}.partial", "holiday.jpg"):
        (home / name).write_bytes(name.encode())
    real = type(files).bring

    def broken_off(files: PhotoFiles, photo_id: str, kind: Kind, path: Path) -> None:
        if photo_id == OTHER:
            raise PhotosUnavailable("gone")
        real(files, photo_id, kind, path)

    with monkeypatch.context() as patched:
        patched.setattr(type(files), "bring", broken_off)
        with pytest.raises(PhotosUnavailable):
            copy_photographs(home, files)
    assert copy_photographs(home, files) == (1, 1)
    assert names(files) == {(ONE, Kind.JPEG), (OTHER, Kind.UPLOAD)}
    with files.at_hand(OTHER) as at_hand:
        assert at_hand.upload.read_bytes() == f"{OTHER}.upload".encode()
    assert len(list(home.iterdir())) == 4


def files_of_this_machine(config: AppConfig) -> list[Path]:
    return [path for path in config.photo_dir.rglob("*") if not path.is_dir()]


def test_a_photograph_goes_its_whole_way_through_the_store(
    app: Flask, in_s3: AppConfig, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    view = when_read(scorer, hand)
    assert faces(view) == ["3R", "4R", "5R"]
    (photo,) = view["photos"]
    shown = scorer.client.get(f"/photos/{photo['id']}.jpg")
    assert shown.mimetype == "image/jpeg"
    with Image.open(io.BytesIO(shown.data)) as picture:
        assert picture.size == (photo["width"], photo["height"])
    files = parts_of(app).intake.files
    assert names(files) == {(photo["id"], Kind.JPEG)}
    assert files_of_this_machine(in_s3) == []
    scorer.client.delete(f"/api/hands/{hand}/photos/{photo['id']}", headers=scorer.headers)
    assert names(files) == {(photo["id"], Kind.JPEG)}  # undo may bring it back
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    assert names(files) == set()


def test_while_the_store_is_away_an_upload_is_refused_in_a_sentence(
    app: Flask, in_s3: AppConfig, s3: Weed, scorer: Scorer, reader: RecordedReader
) -> None:
    hand, picture = scorer.begin(), reader.add(picture_of("3R 4R 5R"))
    send(scorer, hand, "A", "melds", picture)
    (kept,) = when_read(scorer, hand)["photos"]
    s3.stop()
    refused = send(scorer, hand, "A", "rack", picture, key="sent-again")
    assert (refused.status_code, refused.get_json()["error"]) == (503, "photos_away")
    assert refused.get_json()["message"].startswith("No responde el lugar donde se guardan")
    assert scorer.client.get(f"/photos/{kept['id']}.jpg").status_code == 503
    assert "Fotos: 1. Sin datos" in scorer.client.get("/settings").text
    with pytest.raises(PhotosUnavailable):
        list(parts_of(app).intake.files.files())
    assert [photo["id"] for photo in scorer.hand(hand)["photos"]] == [kept["id"]]
    assert files_of_this_machine(in_s3) == []
    s3.start()
    assert send(scorer, hand, "A", "rack", picture, key="sent-again").status_code == 202
    assert [photo["state"] for photo in when_read(scorer, hand)["photos"]] == ["read", "read"]


def test_what_was_erased_while_the_store_was_away_goes_with_the_next_sweep(
    app: Flask, s3: Weed, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = when_read(scorer, hand)["photos"]
    s3.stop()
    removed = f"/api/hands/{hand}/photos/{photo['id']}"
    assert scorer.client.delete(removed, headers=scorer.headers).status_code == 200
    scorer.form(f"/hands/{hand}/undone", undone="yes")  # nobody can bring it back now
    s3.start()
    files = parts_of(app).intake.files
    assert names(files) == {(photo["id"], Kind.JPEG)}
    parts_of(app).retention.sweep()
    assert names(files) == set()


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_reading_waits_for_the_store_and_fails_mendably_where_it_stays_away(
    comes_back: bool,
    app: Flask,
    s3: Weed,
    scorer: Scorer,
    reader: RecordedReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand, files = scorer.begin(), parts_of(app).intake.files
    real, tried = type(files).at_hand, []

    def at_hand(files: PhotoFiles, photo_id: str) -> object:
        tried.append(photo_id)
        if len(tried) == 1:
            s3.stop()
        if len(tried) == 2 and comes_back:
            s3.start()
        return real(files, photo_id)

    monkeypatch.setattr(type(files), "at_hand", at_hand)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    photo = settled(app, scorer, hand)
    assert len(tried) == (2 if comes_back else MOST_ATTEMPTS)
    assert photo["state"] == ("read" if comes_back else "failed")
    if not comes_back:
        assert photo["can_retry"] and "No responde el lugar" in photo["text"]
        s3.start()
        scorer.post(f"/api/hands/{hand}/photos/{photo['id']}/read")
        assert when_read(scorer, hand)["photos"][0]["state"] == "read"
