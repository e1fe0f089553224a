"""Photographs are kept as long as the setting says: at the start, daily while the server runs, and
at once when it changes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest
from flask import Flask
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services import retention
from scorer_app.services.exchange import import_match
from scorer_app.services.retention import Retention
from scorer_app.store import Photo, StoreUnavailable, tables
from scorer_app.store.tables import now
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, until
from ..hands import CANASTA, send, when_read
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE

DAY = timedelta(days=1)


class Clock:
    """Stands in for the wall clock; `set_by` is how far somebody has moved its hands."""

    def __init__(self) -> None:
        self.began = self.moment = now()
        self.set_by = timedelta()

    def elapsed(self) -> float:
        return (self.moment - self.began - self.set_by).total_seconds()

    def step(self, by: timedelta) -> None:
        self.moment += by
        self.set_by += by

    def __call__(self) -> datetime:
        return self.moment


@pytest.fixture
def photographed(scorer: Scorer, reader: RecordedReader) -> str:
    """Make a hand with one photograph, received now; return its id."""
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA)))
    when_read(scorer, hand)
    return hand


@pytest.fixture
def keeper(app: Flask, photographed: str) -> tuple[Retention, Clock]:
    parts_of(app).store.set_setting("photo_days", 7)
    clock = Clock()
    return restarted(app, clock), clock


def restarted(app: Flask, clock: Clock) -> Retention:
    return Retention(parts_of(app).store, parts_of(app).intake, clock, clock.elapsed)


def days(retention: Retention, clock: Clock, count: int) -> None:
    """Let `count` days pass while the server runs."""
    for _ in range(count):
        retention.look()
        clock.moment += DAY
    retention.look()


@pytest.mark.parametrize("by", [400 * DAY, -400 * DAY, 20 * DAY])
def test_a_clock_set_wrong_deletes_nothing(
    keeper: tuple[Retention, Clock], config: AppConfig, by: timedelta
) -> None:
    retention, clock = keeper
    days(retention, clock, 2)
    clock.step(by)
    days(retention, clock, 3)
    assert kept(config) == 1


@pytest.mark.parametrize("by", [400 * DAY, -400 * DAY])
def test_a_start_with_a_wrong_clock_deletes_nothing(
    app: Flask, keeper: tuple[Retention, Clock], config: AppConfig, by: timedelta
) -> None:
    retention, clock = keeper
    retention.look()
    clock.moment += 8 * DAY + by
    days(restarted(app, clock), clock, 3)
    assert kept(config) == 1


@pytest.mark.parametrize(("ahead", "status"), [(8 * DAY, 404), (400 * DAY, 200)])
def test_a_wrong_clock_deletes_no_match_though_none_has_photographs(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch, ahead: timedelta, status: int
) -> None:
    """The first start with a configuration that names the days of matches."""
    hand, intake, clock = scorer.begin(), parts_of(app).intake, Clock()
    monkeypatch.setattr(intake, "config", replace(intake.config, match_days=7))
    clock.moment += ahead
    restarted(app, clock).look()
    assert scorer.client.get(f"/api/hands/{hand}").status_code == status


@pytest.mark.parametrize(("ahead", "status"), [(8 * DAY, 404), (400 * DAY, 200)])
def test_the_moment_of_an_import_tells_which_clock_is_right(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch, ahead: timedelta, status: int
) -> None:
    """The only match is an old one that was imported, so that nothing else has shown the time."""
    parts, clock = parts_of(app), Clock()
    match = {"side_a": "Uno", "side_b": "Dos", "players": 4, "ruleset": "burako", "options": {}}
    match["created"] = (now() - 300 * DAY).isoformat()
    copy = {"format": "burako-match", "version": 1, "match": match, "hands": []}
    imported = import_match(parts.matches, copy)
    monkeypatch.setattr(parts.intake, "config", replace(parts.intake.config, match_days=7))
    clock.moment += ahead
    restarted(app, clock).look()
    assert scorer.client.get(f"/matches/{imported}").status_code == status


def test_a_wrong_clock_set_right_is_believed_at_once(
    app: Flask, keeper: tuple[Retention, Clock], config: AppConfig
) -> None:
    """A small computer that learns the time from its network after the start is an example."""
    retention, clock = keeper
    retention.look()
    clock.moment += 8 * DAY - 1000 * DAY
    later = restarted(app, clock)
    later.look()
    clock.step(1000 * DAY)
    later.look()
    assert kept(config) == 0


def test_a_clock_that_stays_far_ahead_is_believed_after_a_week(
    app: Flask, keeper: tuple[Retention, Clock], config: AppConfig
) -> None:
    retention, clock = keeper
    retention.look()
    clock.moment += 100 * DAY  # the server was off
    later = restarted(app, clock)
    days(later, clock, 6)
    assert kept(config) == 1
    days(later, clock, 2)
    assert kept(config) == 0


def kept(config: AppConfig) -> int:
    return len(list(config.photo_dir.iterdir()))


def test_a_week_later_the_file_is_gone_and_the_reading_stays(
    keeper: tuple[Retention, Clock], config: AppConfig, scorer: Scorer, photographed: str
) -> None:
    retention, clock = keeper
    counts = []
    for _ in range(9):
        retention.look()
        counts.append(kept(config))
        clock.moment += DAY
    assert counts == [1] * 7 + [0] * 2  # received a moment before the clock began
    view = scorer.hand(photographed)
    assert (view["photos"][0]["url"], len(view["tiles"])) == (None, 7)


def test_it_sweeps_once_a_day_however_often_it_looks(
    keeper: tuple[Retention, Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    retention, clock = keeper
    swept: list[datetime] = []
    monkeypatch.setattr(retention.intake, "forget_before", lambda moment: swept.append(moment) or 0)
    for _ in range(4 * 24):
        retention.look()
        clock.moment += timedelta(hours=1)
    assert len(swept) == 4
    assert {later - earlier for earlier, later in pairwise(swept)} == {DAY}


def test_it_goes_on_after_a_store_that_refused(
    keeper: tuple[Retention, Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    retention, clock = keeper
    seen = []

    def refuse(_moment: datetime) -> int:
        seen.append("asked")
        raise StoreUnavailable("locked")

    monkeypatch.setattr(retention.intake, "forget_before", refuse)
    for _ in range(2):
        retention.look()
        clock.moment += DAY
    assert seen == ["asked"] * 2


def test_the_server_looks_by_itself(
    keeper: tuple[Retention, Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = Event()
    monkeypatch.setattr(retention, "LOOK", 0.01)
    monkeypatch.setattr(keeper[0], "look", looked.set)
    keeper[0].start()
    assert looked.wait(PATIENCE)
    keeper[0].close()


def test_at_the_start_and_at_a_change_of_the_setting(
    scorer: Scorer,
    photographed: str,
    config: AppConfig,
    reader: RecordedReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def received(days_ago: int) -> None:
        with parts_of(scorer.client.application).store.writing() as session:
            session.execute(update(Photo).values(erased=False, received=now() - days_ago * DAY))

    received(8)
    assert "Al guardar se borran" in scorer.client.get("/settings").text
    scorer.form("/settings/photos", days="30")
    assert kept(config) == 1
    scorer.form("/settings/photos", days="7")
    assert kept(config) == 0
    received(8)
    (config.photo_dir / "mine.jpg").write_bytes(b"of nobody's hand")
    close(create_app(config, reader))
    assert [path.name for path in config.photo_dir.iterdir()] == ["mine.jpg"]


def test_the_settings_tell_how_long_the_configuration_keeps_photographs(
    config: AppConfig, reader: RecordedReader
) -> None:
    """A choice would change nothing: the configuration holds."""
    app = create_app(replace(config, photo_days=7), reader)
    page = Scorer.of(app).client.get("/settings").text
    close(app)
    assert "Las fotos se borran a los 7 días." in page
    assert 'name="days"' not in page


def test_what_a_crash_left_of_a_deleted_photograph_goes_too(
    scorer: Scorer, photographed: str, config: AppConfig, app: Flask
) -> None:
    (path,) = config.photo_dir.iterdir()
    picture = path.read_bytes()
    scorer.form("/settings/photos/delete")
    path.write_bytes(picture)
    parts_of(app).retention.sweep()
    assert kept(config) == 0


def test_a_server_with_another_database_leaves_uploads_of_the_one_in_its_folder(
    config: AppConfig, app: Flask, reader: RecordedReader
) -> None:
    """A server that is stopped keeps its unread photographs in the folder that another may use."""
    close(app)
    upload = config.photo_dir / f"{'0' * 24}.upload"
    upload.write_bytes(b"a photograph that is still to be read")
    elsewhere = f"sqlite:///{(config.data_dir / 'other.sqlite3').as_posix()}"
    close(create_app(replace(config, database_url=elsewhere), reader))
    assert upload.exists()
    close(create_app(config, reader))
    assert not upload.exists()  # the store of this server knows of no such photograph


def test_what_a_crash_left_half_received_or_half_opened_goes_at_the_start(
    scorer: Scorer,
    photographed: str,
    config: AppConfig,
    app: Flask,
    reader: RecordedReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Crash(BaseException):
        """Stands for the end of the process: no handler of errors catches it."""

    real = Path.replace

    def crash(path: Path, target: Path) -> Path:
        if target.suffix != ".jpg":
            return real(path, target)
        crashed.set()
        raise Crash

    crashed = Event()
    (whole,) = config.photo_dir.iterdir()
    (config.photo_dir / f"{'0' * 24}.upload").write_bytes(b"written, but the store was never told")
    others = [
        config.photo_dir / name for name in ("mine.upload", f"{'1' * 24}.jpg", "holiday.partial")
    ]
    for path in others:
        path.write_bytes(b"of nobody's hand")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", crash)
        send(scorer, photographed, "A", "rack", reader.add(picture_of("3R 4R 5R")))
        assert crashed.wait(10)
        parts_of(app).queue.close()
    assert len([path for path in config.photo_dir.iterdir() if path.suffix == ".partial"]) == 2
    parts_of(app).retention.sweep()  # while it runs, photographs are on their way
    assert kept(config) == 7
    restarted = create_app(config, reader)
    again = restarted.test_client()
    until(
        lambda: again.get(f"/api/hands/{photographed}").get_json()["tiles"],
        lambda tiles: len(tiles) == 10,
    )
    close(restarted)
    assert {path.suffix for path in config.photo_dir.iterdir()} == {".jpg", ".upload", ".partial"}
    assert {whole, *others} <= set(config.photo_dir.iterdir())
    assert kept(config) == 5  # with the photograph whose reading was cut short


def test_a_photograph_that_the_store_refuses_leaves_no_file(
    scorer: Scorer, config: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = scorer.begin()

    def refuse(_session: Session) -> None:
        raise OperationalError("COMMIT", {}, Exception("disk I/O error"))

    with monkeypatch.context() as patched:
        patched.setattr(Session, "flush", refuse)
        assert send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA))).status_code == 503
    assert kept(config) == 0


def test_a_photograph_deleted_while_it_is_read_leaves_nothing(
    scorer: Scorer, reader: RecordedReader, config: AppConfig
) -> None:
    reader.hold()
    hand = scorer.begin()
    picture = reader.add(picture_of(CANASTA))
    send(scorer, hand, "A", "melds", picture)
    assert reader.begun.wait(PATIENCE)
    scorer.form("/settings/photos/delete")
    # The reader's opening writes the file anew.
    (config.photo_dir / f"{scorer.hand(hand)['photos'][0]['id']}.jpg").write_bytes(picture.data)
    reader.go_on.set()
    until(lambda: kept(config), lambda count: count == 0)


def test_days_go_on_once_a_clock_that_was_far_ahead_is_set_right(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`now` never goes back; the days of the retention must."""
    begun, ahead = now(), timedelta()
    monkeypatch.setattr(tables, "_last", begun)  # put back at the end of the test
    monkeypatch.setattr(tables, "_clock", lambda: begun + ahead)
    keeper = Retention(parts_of(app).store, parts_of(app).intake)
    swept: list[timedelta] = []
    monkeypatch.setattr(keeper, "_forget", lambda: swept.append(ahead) or 0)
    keeper.look()
    for ahead in (1500 * DAY, timedelta(), DAY, 2 * DAY):
        assert now() >= begun + ahead
        keeper.look()
    assert swept[-2:] == [DAY, 2 * DAY]


def test_a_removed_photograph_stays_while_undo_can_bring_it_back(
    app: Flask, scorer: Scorer, photographed: str, config: AppConfig
) -> None:
    (photo,) = scorer.hand(photographed)["photos"]
    address = f"/api/hands/{photographed}/photos/{photo['id']}"
    assert scorer.client.delete(address, headers=scorer.headers).status_code == 200
    restarted(app, Clock()).sweep()
    assert kept(config) == 1
    # Only now can nobody bring it back: the process ends before it deletes the file.
    parts_of(app).hands.set_excluded(photographed, True)
    assert kept(config) == 1
    restarted(app, Clock()).sweep()
    assert (kept(config), parts_of(app).intake.count()) == (0, 0)


def test_a_photograph_that_was_deleted_meanwhile_comes_back_without_its_picture(
    scorer: Scorer, photographed: str
) -> None:
    before = scorer.hand(photographed)
    address = f"/api/hands/{photographed}/photos/{before['photos'][0]['id']}"
    scorer.client.delete(address, headers=scorer.headers)
    scorer.form("/settings/photos/delete")
    scorer.post(f"/api/hands/{photographed}/undo")
    view = scorer.hand(photographed)
    assert view["tiles"] == before["tiles"]
    assert [photo["url"] for photo in view["photos"]] == [None]
