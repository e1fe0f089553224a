"""What each operation of people at a table costs a server: processor time, bytes, and statements
sent to the database.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import Engine, event

from datasets.loadtest.processor_time import ServerTime
from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of
from vision import open_reader
from vision.modelfile import use_threads

TIMES = 60  # how often each operation is done
READINGS = 12
FACES = [f"{number}{colour}" for colour in "RBKY" for number in range(1, 14)]


@dataclass(frozen=True)
class Cost:
    """What one operation costs on average.

    `seconds` is the processor time of the process that does the operation, `database_seconds` that
    of the database. `received` and `sent` are the bytes of the request's body and of the answer's.
    `questions` counts the statements sent to the database.
    """

    name: str
    seconds: float
    database_seconds: float
    received: int
    sent: int
    questions: float


class Table:
    """A device of people at a table. It sends requests to a server in this process, and measures
    what each operation costs the server.
    """

    def __init__(self, client: FlaskClient, engine: Engine) -> None:
        self._client, self._engine, self._database = client, engine, ServerTime(engine)
        self._token = client.get("/api/session").get_json()["csrf"]
        self._edits = 0

    def costs(self, photograph: bytes) -> Iterator[Cost]:
        """Do each operation of an evening TIMES times, and yield the mean cost of each.
        `photograph` is the content of a JPEG file.
        """
        hand = self._hand()
        yield self._cost("home page", lambda: self._ask("GET", "/"))
        yield self._cost("page of a hand", lambda: self._ask("GET", f"/hands/{hand}"))
        yield self._cost("hand as JSON", lambda: self._ask("GET", f"/api/hands/{hand}"))
        yield self._cost("tap", lambda: self._tap(hand))
        hands = iter([self._hand() for _ in range(TIMES)])
        yield self._cost("photograph sent", lambda: self._send(next(hands), photograph))

    def _hand(self) -> str:
        form = {"csrf": self._token, "side_a": "A", "side_b": "B", "players": "4"}
        match = self._client.post("/matches/new", data=form | {"ruleset": "burako"})
        begun = self._client.post(
            match.headers["Location"] + "/hands", data={"csrf": self._token}
        ).headers["Location"]
        return str(begun.rsplit("/", 1)[1])

    def _tap(self, hand: str) -> tuple[int, int]:
        face = FACES[self._edits % len(FACES)]
        self._edits += 1
        edit = {"key": f"tap-{self._edits}", "op": "add_tile", "side": "A", "place": "rack"}
        return self._ask(
            "POST", f"/api/hands/{hand}/edits", json={"edits": [edit | {"face": face}]}
        )

    def _send(self, hand: str, photograph: bytes) -> tuple[int, int]:
        form: dict[str, Any] = {"side": "A", "place": "melds"}
        form["photo"] = (io.BytesIO(photograph), "photo.jpg")
        _bytes, sent = self._ask("POST", f"/api/hands/{hand}/photos", data=form)
        return len(photograph), sent

    def _ask(self, method: str, path: str, **extra: Any) -> tuple[int, int]:
        """Send a request. `extra` holds what else Flask's test client takes for it, such as `json`.
        Returns two numbers: how many bytes the body of the request has, and that of the answer.

        Raises ValueError where the server refuses the request.
        """
        headers = {"X-CSRF-Token": self._token, "Accept-Encoding": "gzip"}
        answer = self._client.open(path, method=method, headers=headers, **extra)
        if answer.status_code >= 400:
            raise ValueError(f"expected {method} {path} to be answered, got {answer.status}")
        return answer.request.content_length or 0, len(answer.get_data())

    def _cost(self, name: str, operate: Callable[[], tuple[int, int]]) -> Cost:
        with _counted(self._engine) as questions:
            database, begun = self._database.seconds(), time.process_time()
            moved = [operate() for _ in range(TIMES)]
            seconds = time.process_time() - begun
            database = self._database.seconds() - database
        received, sent = (sum(part) // TIMES for part in zip(*moved, strict=True))
        asked = len(questions) / TIMES
        return Cost(name, seconds / TIMES, database / TIMES, received, sent, asked)


def costs(config: AppConfig, photograph: Path) -> Iterator[Cost]:
    """Yield what each operation costs on a server with an empty store, and last what reading the
    file `photograph` costs.
    """
    app = create_app(config)
    try:
        client = app.test_client()
        yield from Table(client, parts_of(app).store.engine).costs(photograph.read_bytes())
    finally:
        close(app)
    yield _reading_cost(photograph)


def _reading_cost(photograph: Path) -> Cost:
    """Measure how many seconds of processor time a process of `burako work` takes to read a
    photograph, decoding included, with one thread. Return them as a Cost.
    """
    import cv2

    use_threads(1)
    cv2.setNumThreads(1)
    tables = open_reader()
    tables.read(photograph)  # the first reading loads what is loaded late
    begun = time.process_time()
    for _ in range(READINGS):
        tables.read(photograph)
    seconds = (time.process_time() - begun) / READINGS
    return Cost("photograph read", seconds, 0.0, 0, 0, 0.0)


@contextmanager
def _counted(engine: Engine) -> Iterator[list[str]]:
    """Yield a list that collects the SQL statements that `engine` sends until the context ends."""
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        sent.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", note)
