"""The devices that the benches use: one that waits for each answer, and many that one thread keeps
busy at once.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

PATIENCE = 300.0  # seconds until a photograph must have been read


class Client:
    """A device that keeps its connection open."""

    def __init__(self, base: str) -> None:
        self.address = base.removeprefix("http://")
        self.connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        self.cookie = self.token = ""
        session = self.ask("GET", "/api/session")
        self.cookie, self.token = (
            session.getheader("Set-Cookie", "").split(";")[0],
            json.loads(session.body)["csrf"],
        )

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        kind: str = "application/json",
        **extra_headers: str,
    ) -> Any:
        headers = {"Content-Type": kind, "X-CSRF-Token": self.token, "Cookie": self.cookie}
        headers |= extra_headers
        try:
            self.connection.request(method, path, body, headers)
            answer: Any = self.connection.getresponse()
        except ConnectionError:  # kept open too long without a word: once more
            self.connection.close()
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
        answer.body = answer.read()
        return answer

    def begin(self) -> str:
        """Begin a hand of a match of its own, and return the hand's id."""
        form = b"side_a=A&side_b=B&players=4&ruleset=burako"
        match = self.ask(
            "POST", "/matches/new", form, "application/x-www-form-urlencoded"
        ).getheader("Location")
        location: str = self.ask("POST", f"{match}/hands").getheader("Location")
        return location.rsplit("/", 1)[1]

    def edit(self, hand: str, *operations: dict[str, Any]) -> Any:
        return self.ask("POST", f"/api/hands/{hand}/edits", keyed(*operations))

    def photograph(self, hand: str, side: str, data: bytes) -> Any:
        parts = [
            f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in (("side", side), ("place", "melds"))
        ]
        head = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
        body = b"".join([*parts, head, data, b"\r\n--b--\r\n"])
        return self.ask(
            "POST", f"/api/hands/{hand}/photos", body, "multipart/form-data; boundary=b"
        )

    def until_read(self, hand: str, count: int) -> Any:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            view = json.loads(self.ask("GET", f"/api/hands/{hand}").body)
            if sum(photo["state"] in ("read", "failed") for photo in view["photos"]) >= count:
                return view
            time.sleep(0.02)
        raise TimeoutError(f"{count} photographs were not read within {PATIENCE:g} s")


@dataclass
class Device:
    """A person's device at a hand and its match.

    `asks` holds the requests that it makes, by their kind.
    """

    client: Client
    hand: str
    match: str
    faces: list[tuple[str, str]]  # of the hand's tiles, by id
    turn: int  # which of its edits comes next
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def connect(cls, client: Client, hand: str, number: int) -> Device:
        """Open a device at a hand. The devices of one hand begin with different tiles of it."""
        view = json.loads(client.ask("GET", f"/api/hands/{hand}").body)
        faces = [(name, tile["face"]) for name, tile in view["tiles"].items() if tile["face"]]
        name, port = client.address.split(":")
        return cls(
            client,
            hand,
            view["match"],
            faces,
            10 * number,
            *await asyncio.open_connection(name, int(port)),
        )

    @property
    def asks(self) -> dict[str, Callable[[], Coroutine[Any, Any, None]]]:
        return {
            "the first page": lambda: self.ask("GET", "/"),
            "the match's page": lambda: self.ask("GET", f"/matches/{self.match}"),
            "the hand's page": lambda: self.ask("GET", f"/hands/{self.hand}"),
            "reading a hand": lambda: self.read(self.hand),
            "an edit": self.edit,
        }

    async def read(self, hand: str) -> None:
        await self.ask("GET", f"/api/hands/{hand}")

    async def edit(self) -> None:
        """Give a tile another face, and with the next edit its own face again, so that nearly every
        edit makes a hand that was never seen before.
        """
        tile, face = self.faces[self.turn // 2 % len(self.faces)]
        wrong = "13Y" if face != "13Y" else "1R"
        body = keyed({"op": "set_tile", "tile": tile, "face": face if self.turn % 2 else wrong})
        self.turn += 1
        await self.ask("POST", f"/api/hands/{self.hand}/edits", body)

    async def ask(self, method: str, path: str, body: bytes = b"") -> None:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.client.address}\r\nCookie:"
            f" {self.client.cookie}\r\nX-CSRF-Token: {self.client.token}\r\nContent-Type:"
            f" application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"{method} {path}: {answer[:40]!r}")
        length = re.search(rb"(?i)content-length: (\d+)", answer)
        await self.reader.readexactly(int(length[1]) if length else 0)

    def close(self) -> None:
        self.writer.close()


def keyed(*operations: dict[str, Any]) -> bytes:
    """Return the body of a request that makes these edits, each with a key of its own."""
    edits = [
        {"key": f"{time.perf_counter_ns()}-{number}", **operation}
        for number, operation in enumerate(operations)
    ]
    return json.dumps({"edits": edits}).encode()
