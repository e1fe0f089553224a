"""Data that somebody moves, deletes or replaces while the server runs: nobody is told that
something was saved which nobody will find again.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from scorer_app.config import AppConfig
from scorer_app.services.disk import DiskTrouble, disk_trouble
from scorer_app.store import DatabaseMoved, Store

from ..conftest import Scorer
from ..hands import send, when_read
from ..pictures import RecordedReader, picture_of

needs_open_files_to_move = pytest.mark.skipif(
    os.name == "nt", reason="Windows lets nobody move or delete a file that is open"
)


@needs_open_files_to_move
def test_nothing_is_said_to_be_saved_once_the_data_folder_has_gone(
    scorer: Scorer, config: AppConfig
) -> None:
    hand = scorer.begin()
    elsewhere = config.data_dir.with_name("elsewhere")
    config.data_dir.rename(elsewhere)
    refused = scorer.tap(hand, "A", "melds", "3R")
    assert (refused.status_code, refused.get_json()["error"]) == (503, "store_moved")
    assert refused.get_json()["message"].startswith("El archivo de los datos ya no está en su")
    photo = send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    assert (photo.status_code, photo.get_json()["error"]) == (507, "disk_refused")
    assert not config.data_dir.exists(), "the folder is not made anew with photographs alone"

    elsewhere.rename(config.data_dir)
    assert scorer.tap(hand, "A", "melds", "3R").status_code == 200


@needs_open_files_to_move
def test_a_copy_that_is_put_back_under_a_running_server_takes_no_further_taps(
    scorer: Scorer, config: AppConfig
) -> None:
    hand = scorer.begin()
    database = config.data_dir / "burako.sqlite3"
    copy = database.with_name("copy.sqlite3")
    shutil.copyfile(database, copy)
    copy.replace(database)
    refused = scorer.tap(hand, "A", "melds", "3R")
    assert (refused.status_code, refused.get_json()["error"]) == (503, "store_moved")


@needs_open_files_to_move
def test_a_store_tells_that_its_file_was_deleted(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{(tmp_path / 'burako.sqlite3').as_posix()}")
    store.set_setting("days", 7)
    (tmp_path / "burako.sqlite3").unlink()
    with pytest.raises(DatabaseMoved, match="moved, deleted or replaced"):
        store.set_setting("days", 30)
    store.close()


def test_photographs_come_in_after_somebody_deleted_their_folder(
    scorer: Scorer, config: AppConfig, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    config.photo_dir.rmdir()
    assert scorer.client.get("/settings").status_code == 200
    picture = reader.add(picture_of("3R 4R 5R"))
    assert send(scorer, hand, "A", "melds", picture).status_code == 202
    assert len(when_read(scorer, hand)["tiles"]) == 3


def test_a_missing_file_is_the_disks_trouble_only_if_the_whole_folder_has_gone(
    tmp_path: Path,
) -> None:
    missing = FileNotFoundError(2, "No such file or directory", str(tmp_path / "data" / "x.jpg"))
    assert disk_trouble(missing, tmp_path / "data") is DiskTrouble.REFUSED
    (tmp_path / "data").mkdir()
    assert disk_trouble(missing, tmp_path / "data") is None
    assert disk_trouble(missing, tmp_path / "other") is None
