"""Fixtures: an application over an empty data directory, a client that may write, and for browser
tests a served page.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from playwright.sync_api import Browser, BrowserContext
from sqlalchemy import Dialect, Engine, create_engine
from werkzeug.routing import Rule

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.sets import Sets
from scorer_app.store import Store, connections
from scorer_app.web import application
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..made_fonts import write_page_fonts
from .devices import (
    NO_BROWSER,
    NoBrowser,
    Watched,
    forget_stored,
    install_command,
    new_device,
    start_browser,
    watched_page,
)
from .pictures import RecordedReader
from .served import PATIENCE, serving


class CompiledTemplates(BytecodeCache):
    """Keeps compiled templates for all applications of this process: compiling them anew takes
    longer than a test.
    """

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType] = {}  # by a template's name and source

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._code[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(scope="session", autouse=True)
def compiled_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": CompiledTemplates()})
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_routes() -> Iterator[None]:
    """Compile each of Werkzeug's routes once for all applications of this process.

    Compiling them takes longer than everything else that the start of an application does.
    """
    compile_route, known = Rule.compile, {}

    def compiled(route: Rule) -> None:
        key = route.rule, route.endpoint, frozenset(route.methods or ())
        if key not in known:
            compile_route(route)
            known[key] = {**vars(route)}
        vars(route).update(known[key] | {"map": route.map})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "compile", compiled)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_statements() -> Iterator[None]:
    """Let all databases share the statements that SQLAlchemy has compiled.

    SQLAlchemy keeps them for one database and one dialect, and compiling takes longer than running
    a statement.
    """
    known: dict[Any, Any] = {}
    dialects: list[Dialect] = []

    def sharing(url: str, **options: Any) -> Engine:
        engine = create_engine(url, **options, execution_options={"compiled_cache": known})
        if engine.dialect.name == "sqlite":
            dialects.append(engine.dialect)
            engine.dialect = dialects[0]
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "create_engine", sharing)
        yield


@pytest.fixture(scope="session", autouse=True)
def known_edition() -> Iterator[None]:
    """Read all files of the page once: the addresses of static files in all applications depend on
    them.
    """
    make, file = application._edition, application.__file__
    known = make()

    def edition() -> str:
        return known if application.__file__ == file else make()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "_edition", edition)
        yield


@pytest.fixture
def reader() -> RecordedReader:
    return RecordedReader()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database with all tables.

    It is migrated once: making the tables anew for each test would take longer than the test.
    """
    path = tmp_path_factory.mktemp("empty") / "burako.sqlite3"
    Store(f"sqlite:///{path.as_posix()}").close()
    return path


def empty_data(folder: Path, database: Path) -> AppConfig:
    """Make a data directory in `folder` that holds a copy of this empty database."""
    (folder / "data").mkdir()
    shutil.copy(database, folder / "data" / "burako.sqlite3")
    return AppConfig(data_dir=folder / "data")


@pytest.fixture
def config(tmp_path: Path, empty_database: Path) -> AppConfig:
    return empty_data(tmp_path, empty_database)


@pytest.fixture
def app(config: AppConfig, reader: RecordedReader) -> Iterator[Flask]:
    app = create_app(config, reader)
    yield app
    close(app)


@pytest.fixture
def sets(app: Flask) -> Sets:
    return Sets(parts_of(app).store)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@dataclass
class Scorer:
    """A scorer's device at the API, with its token. It gives each edit a key."""

    client: FlaskClient
    token: str
    serial: int = 0

    @classmethod
    def of(cls, app: Flask) -> Scorer:
        """Make another device at the application."""
        client = app.test_client()
        return cls(client, token_of(client))

    @property
    def headers(self) -> dict[str, str]:
        return {"X-CSRF-Token": self.token}

    def post(self, url: str, **options: Any) -> Any:
        return self.client.post(url, headers=self.headers, **options)

    def compare(self, match: str, **fields: str) -> Any:
        """Compare the rules of a match with those in the fields of the page's form, which stand in
        its address, and return the answer.
        """
        return self.client.get(f"/matches/{match}/compare", query_string=fields)

    def preview(self, match: str, **fields: str) -> Any:
        """Send the form that changes a match, and return the page that shows what it would do to
        the hands played.
        """
        asked = self.form(f"/matches/{match}/edit", **fields)
        return self.client.get(asked.headers["Location"])

    def form(self, url: str, **fields: Any) -> Any:
        return self.client.post(url, data={"csrf": self.token, **fields})

    def begin(self, match: str | None = None) -> str:
        """Begin a hand of a match, by default the one under way, and return its id."""
        answer = self.form(f"/matches/{match}/hands" if match else "/score")
        return str(answer.headers["Location"].rsplit("/", 1)[1])

    def edit(self, hand: str, *operations: dict[str, Any]) -> Any:
        edits = []
        for operation in operations:
            self.serial += 1
            edits.append({"key": f"edit-{self.serial}", **operation})
        return self.post(f"/api/hands/{hand}/edits", json={"edits": edits})

    def tap(self, hand: str, side: str, place: str, faces: str) -> Any:
        return self.edit(hand, *taps(side, place, faces))

    def close(self, hand: str, *, muerto: bool = False) -> Any:
        """Close the hand for side A, and answer what was still open about side B: whether it took
        its muerto, and that no tile of its rack is missing on the photographs.
        """
        return self.edit(hand, *closing(muerto=muerto))

    def hand(self, hand: str) -> Any:
        return self.client.get(f"/api/hands/{hand}").get_json()


@contextmanager
def scoring(folder: Path, database: Path) -> Iterator[Scorer]:
    """Make a scorer at an application over a copy of this empty database, for tests that may share
    one.
    """
    app = create_app(empty_data(folder, database), RecordedReader())
    try:
        yield Scorer.of(app)
    finally:
        close(app)


def taps(side: str, place: str, faces: str) -> list[dict[str, Any]]:
    """Return the operations that add tiles to a side's place, one by one."""
    return [
        {"op": "add_tile", "side": side, "place": place, "face": face} for face in faces.split()
    ]


def closing(*, muerto: bool = False) -> list[dict[str, Any]]:
    """Return the operations that `Scorer.close` sends."""
    return [
        {"op": "set_end", "end": "close", "closed_by": "A"},
        {"op": "set_muerto", "side": "B", "taken": muerto},
        {"op": "empty_rack", "side": "B"},
    ]


@pytest.fixture
def scorer(client: FlaskClient) -> Scorer:
    return Scorer(client, token_of(client))


def until(asked: Callable[[], Any], wanted: Callable[[Any], bool]) -> Any:
    """Ask again and again until the answer is `wanted`, and return it; fails where that never
    comes, however busy the machine is.

    The pauses grow, since asking slows the work that the test waits for.
    """
    end, pause = time.monotonic() + PATIENCE, 0.005
    while not wanted(answer := asked()):
        assert time.monotonic() < end, answer
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)
    return answer


def in_a_thread(act: Callable[..., Any], *values: Any) -> Any:
    """Run a function in a thread of its own, and return its result. Code with an event loop needs
    that: a thread that has driven a browser has a running loop already.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act, *values).result()


def token_of(client: FlaskClient) -> str:
    token: str = client.get("/api/session").get_json()["csrf"]
    return token


def seconds_late(what: str) -> float:
    """Return in seconds the delay that BURAKO_TEST_LATE_... sets in milliseconds; 0 where it is
    unset.
    """
    return int(os.environ.get(f"BURAKO_TEST_LATE_{what}", "0")) / 1000


class Stage:
    """The place, in a server that all tests share, for the application of the test that runs now.

    BURAKO_TEST_LATE_SCRIPTS delays each of a page's scripts by so many milliseconds, always: a test
    that acts before the scripts run fails then. BURAKO_TEST_LATE_ANSWERS delays each answer to a
    script by a random time up to so many: a test that relies on their order fails then.
    """

    app: Flask
    late_scripts = seconds_late("SCRIPTS")
    late_answers = seconds_late("ANSWERS")

    def __call__(self, environ: Any, start_response: Any) -> Any:
        path = environ["PATH_INFO"]
        if self.late_answers and path.startswith("/api/"):
            time.sleep(random.uniform(0, self.late_answers))
        if not (self.late_scripts and path.endswith(".js")):
            return self.app(environ, start_response)
        time.sleep(self.late_scripts)

        def uncached(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            kept = [(name, value) for name, value in headers if name.lower() != "cache-control"]
            return start_response(status, [*kept, ("Cache-Control", "no-store")], *failure)

        return self.app(environ, uncached)


@pytest.fixture(scope="session")
def stage() -> Iterator[tuple[Stage, str]]:
    """Run one server for all tests on a free port, and yield it with its address.

    A browser fetches the page's files only once from an address that it knows.
    """
    stage = Stage()
    with serving(stage, AppConfig()) as base:
        yield stage, base


@pytest.fixture
def served(app: Flask, stage: tuple[Stage, str]) -> Iterator[str]:
    """Serve the page as `burako serve` does, and yield its address."""
    stage[0].app = app
    yield stage[1]
    parts_of(app).event_bus.close()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start a browser that has the same typefaces on every Linux.

    Skips the test where none is installed; fails it under BURAKO_TEST_BROWSER=required.
    """
    fonts = write_page_fonts(tmp_path_factory.mktemp("fonts"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FONTCONFIG_FILE", str(fonts))
            yield from start_browser()
    except NoBrowser:
        if os.environ.get("BURAKO_TEST_BROWSER") == "required":
            pytest.fail(f"{NO_BROWSER}: {install_command()}", pytrace=False)
        pytest.skip(NO_BROWSER)


@pytest.fixture(scope="session")
def phones(browser: Browser) -> Iterator[BrowserContext]:
    """One phone for all tests, whose browser keeps the page's files."""
    context = new_device(browser)
    yield context
    context.close()


@pytest.fixture
def phone(phones: BrowserContext, served: str) -> Iterator[Watched]:
    """A phone as if new, with a connection: not signed in anywhere, with nothing stored and no
    permission given.
    """
    with watched_page(phones, served) as watched:
        forget_stored(watched)
        yield watched
    phones.clear_cookies()
    phones.clear_permissions()
    phones.set_offline(False)
    assert watched.faults == []
