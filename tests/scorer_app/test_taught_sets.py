"""A set is taught from a photograph with the real networks, on the command line and at the API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.sets import Sets
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from tests.places import SHARED, needs_photographs
from tests.teaching_scenes import teaching_photograph, write_photograph
from vision.own_set.examples import FACE_NAMES
from vision.tiles.pipeline import TableReader

from .cli.commands import burako, only_line
from .conftest import Scorer, token_of

S1 = SHARED / "photos" / "strange_sets" / "S1" / "images"


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a photograph of the four teaching rows and a comodín."""
    picture, _labelled = teaching_photograph("BYRK")
    return write_photograph(tmp_path_factory.mktemp("taught") / "rows.jpg", picture)


@pytest.fixture
def reading_app(config: AppConfig) -> Iterator[Flask]:
    """The application with the real reader."""
    app = create_app(config)
    yield app
    close(app)


def test_a_photograph_sent_to_the_page_teaches_every_face(reading_app: Flask, photo: Path) -> None:
    client = reading_app.test_client()
    scorer = Scorer(client, token_of(client))
    with photo.open("rb") as file:
        form = {"photo": (file, "rows.jpg")}
        told = scorer.post("/api/sets/photos", data=form, content_type="multipart/form-data")
    taught = told.get_json()
    assert [row["colour"] for row in taught["rows"]] == list("BYRK")
    assert sorted(one["face"] for one in taught["faces"]) == sorted(FACE_NAMES)
    faces = [{"face": one["face"], "picture": one["picture"]} for one in taught["faces"]]
    kept = scorer.post("/api/sets", json={"name": "Casa", "faces": faces}).get_json()
    assert kept["missing"] == []
    assert list(parts_of(reading_app).config.photo_dir.iterdir()) == []


@pytest.mark.pictures
def test_a_photograph_named_on_the_command_line_teaches_every_face(
    config: AppConfig, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ["--data", str(config.data_dir)]
    done = burako("set", "teach", "Casa", str(photo), "--json", *data)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(only_line(done.stdout))
    assert told == {
        "set": "Casa",
        "faces": dict.fromkeys(FACE_NAMES, 1),
        "missing": [],
        "learned": 0,
        "notices": [],
    }
    # What has to be worked out for the set was worked out when it was taught.
    monkeypatch.setattr(TableReader, "with_set", None)
    done = burako("read", str(photo), "--set", "CASA", "--json", *data)
    read = json.loads(only_line(done.stdout))
    assert (done.returncode, read["set"], read["photo"]) == (0, "Casa", str(photo))
    rows = [meld["laid"] for meld in read["melds"]]
    assert [f"{number}R" for number in range(1, 14)] in rows
    assert list(config.prepared_dir.iterdir())
    assert burako("set", "forget", "Casa", *data).returncode == 0
    assert not config.prepared_dir.exists()


@pytest.mark.pictures
@needs_photographs
def test_an_old_mended_set_is_taught_with_its_two_photographs(
    config: AppConfig, tmp_path: Path
) -> None:
    data = ["--data", str(config.data_dir)]
    photos = [str(S1 / f"teach_{number}.jpg") for number in (1, 2)]
    done = burako("set", "teach", "S1", *photos, "--json", *data)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["faces"] == dict.fromkeys(FACE_NAMES, 2)
    done = burako("set", "show", "s1", "--out", str(tmp_path / "s1.png"), *data)
    assert (done.returncode, (tmp_path / "s1.png").stat().st_size > 50_000) == (0, True)


@pytest.mark.pictures
@needs_photographs
def test_a_photograph_without_a_row_stores_nothing_of_the_others(config: AppConfig) -> None:
    photos = [str(S1 / name) for name in ("teach_1.jpg", "still_0.jpg")]
    done = burako("set", "teach", "S1", *photos, "--data", str(config.data_dir), "--lang", "en")
    assert (done.returncode, done.stdout) == (1, "")
    assert only_line(done.stderr).startswith(f"{photos[1]}: No row of thirteen")
    app = create_app(config)
    assert Sets(parts_of(app).store).listed() == []
    close(app)
