"""The bridge between the event loop and the application, where the disk is full."""

from __future__ import annotations

import asyncio
import errno
import io
import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from scorer_app.serving import wsgi_bridge
from scorer_app.serving.wsgi_bridge import WsgiBridge, _BodyFile

from ..conftest import in_a_thread

SIZE = 9000
SCOPE = {
    "method": "POST",
    "raw_path": b"/",
    "query_string": b"",
    "http_version": "1.1",
    "scheme": "http",
    "headers": [(b"content-length", str(SIZE).encode())],
}


class FullDisk(io.BytesIO):
    """A temporary file of which the last bytes have no room. They are noticed when the file is
    written to once more, searched or closed, as with a file that Python buffers.
    """

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, data: Any) -> int:
        if self.tell() > self.room:
            self._refuse()
        return super().write(data)

    def seek(self, *_where: int) -> int:
        return self._refuse()

    def close(self) -> None:
        super().close()
        self._refuse()

    def _refuse(self) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    try:
        environ["wsgi.input"].read()
    except OSError as error:
        start("507 Insufficient Storage", [])
        return [str(error.errno).encode()]
    start("200 OK", [])
    return [b"read"]


@pytest.mark.parametrize("room", [0, SIZE])
def test_a_body_for_which_the_disk_has_no_room_is_refused_in_a_sentence(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def body_file(in_memory: int) -> _BodyFile:
        file = _BodyFile(in_memory)
        file._file = FullDisk(room)
        return file

    monkeypatch.setattr(wsgi_bridge, "_BodyFile", body_file)

    pieces = [bytes(SIZE // 3)] * 3
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        piece = pieces.pop()
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Any) -> None:
        sent.append(message)

    bridge = WsgiBridge(application, lambda _environ: True, threads=1)  # type: ignore[arg-type]
    in_a_thread(asyncio.run, bridge(SCOPE, receive, send))
    bridge.close()
    assert sent[0]["status"] == 507
    assert sent[1]["body"] == str(errno.ENOSPC).encode()
