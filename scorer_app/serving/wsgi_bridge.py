"""Runs the WSGI application behind an event loop. A thread works on a request once all of it has
arrived, so no thread waits for a slow client or for an event.
"""

from __future__ import annotations

import asyncio
import io
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote_to_bytes
from weakref import WeakValueDictionary

from scorer_app.services.event_bus import EventStream
from scorer_app.serving.addresses import as_ipv4

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication, WSGIEnvironment

THREADS = 16
THREADS_OF_A_DEVICE = 8  # so that no device alone keeps all threads busy
FREE_BYTES = 64 * 2**10  # a body up to this size is read from anybody, a larger one where allowed
IN_MEMORY = 2**20  # bytes of a body; the rest lies in a temporary file
# At most LARGE_AT_ONCE threads work on requests whose body is larger than LARGE_BYTES.
LARGE_BYTES, LARGE_AT_ONCE = 4 * 2**20, 2
PIECE_TIME = 20.0  # most seconds until the next piece of a body
SLOWEST = 4 * 2**10  # least bytes a second of a body, after its first PIECE_TIME seconds
LINGER_TIME, LINGER_BYTES = 20.0, 200 * 2**20  # most that is read of a refused body: seconds, bytes
PIECE = 64 * 2**10  # bytes of a file that are sent at once

R = TypeVar("R")
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Admits = Callable[["WSGIEnvironment"], bool]


@dataclass
class Answer:
    status: int
    headers: Headers
    body: bytes | EventStream | OpenFile


class OpenFile:
    """A file that is the body of an answer (`wsgi.file_wrapper`). It is sent piece by piece, as
    fast as the client takes it.
    """

    def __init__(self, file: IO[bytes], _size: int = PIECE) -> None:
        self.file = file

    def __iter__(self) -> OpenFile:
        return self

    def __next__(self) -> bytes:
        if piece := self.file.read(PIECE):
            return piece
        raise StopIteration

    def close(self) -> None:
        self.file.close()


class ClientGone(Exception):
    """The client has left, or sends its request too slowly to be waited for."""


class WsgiBridge:
    """An ASGI application that runs a WSGI application.

    `admits` tells from a request's head whether a body larger than FREE_BYTES may come. Where it
    may not, the application is called without the body.
    """

    def __init__(self, wsgi: WSGIApplication, admits: Admits, threads: int = THREADS) -> None:
        self.wsgi, self.admits = wsgi, admits
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)

    def close(self) -> None:
        self._pool.shutdown()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        if "HTTP_TRANSFER_ENCODING" in environ:  # its size is known only once it has been read
            return await _send_plain(send, 411, b"Length required.")
        size = int(environ.get("CONTENT_LENGTH") or 0)
        device = environ["REMOTE_ADDR"]
        turn = self._turns.setdefault(device, asyncio.Semaphore(THREADS_OF_A_DEVICE))
        with _BodyFile(IN_MEMORY) as body:
            try:
                taken = await self._take_in(environ, receive, body, turn)
            except ClientGone:
                return await _send_plain(send, 408, b"The request came too slowly.")
            environ.setdefault("wsgi.input", body)
            async with turn:
                answer = await self._work(environ, size if taken else 0)
        await self._send(answer, receive, send, linger=0 if taken else size)

    async def _take_in(
        self, environ: WSGIEnvironment, receive: Receive, body: IO[bytes], turn: asyncio.Semaphore
    ) -> bool:
        """Read the body of a request into `body`, and return True when all of it has come.

        Returns False where the client is still sending the body: because the application does not
        admit a body of that size, or because the disk has no room for it. The application then
        refuses the request. `turn`, which limits the threads of one device, is held while the
        application is asked whether it admits the body.
        """
        size = int(environ.get("CONTENT_LENGTH") or 0)
        if size > FREE_BYTES:
            async with turn:
                if not await self._in_thread(self.admits, environ):
                    return False
        has_come = False
        try:
            if size:
                await _write_body(receive, body)
            has_come = True
            body.seek(0)  # which also writes what is still to be written
        except OSError as error:  # no room for the temporary file
            environ["wsgi.input"] = _Unreadable(error)
        return has_come

    async def _work(self, environ: WSGIEnvironment, size: int) -> Answer:
        if size <= LARGE_BYTES:
            return await self._in_thread(self._run, environ)
        async with self._large:
            return await self._in_thread(self._run, environ)

    async def _in_thread(self, act: Callable[[WSGIEnvironment], R], environ: WSGIEnvironment) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._pool, act, environ)

    def _run(self, environ: WSGIEnvironment) -> Answer:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _failure: object = None) -> Any:
            started.append((status, headers))

        parts = self.wsgi(environ, start)
        if isinstance(parts, EventStream | OpenFile):
            body: bytes | EventStream | OpenFile = parts
        else:
            body = _joined(parts)
        status, headers = started[-1]
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return Answer(int(status[:3]), encoded, body)

    async def _send(self, answer: Answer, receive: Receive, send: Send, linger: int) -> None:
        """Send an answer.

        `linger` is the size in bytes of a refused body that the client is still sending, 0 where
        there is none. Such a body is read and thrown away after the answer, because the client
        would lose the answer if the connection were closed before.
        """
        headers = [*answer.headers, (b"connection", b"close")] if linger else answer.headers
        start = {"type": "http.response.start", "status": answer.status, "headers": headers}
        match answer.body:
            case EventStream():
                await send(start)
                await _send_events(answer.body, receive, send)
            case OpenFile():
                await send(start)
                await _send_file(answer.body, send)
            case bytes():
                await send(start)
                await send(_piece(answer.body, more=bool(linger)))
                if linger:
                    await _hear_out(receive)
                    await send(_piece(b"", more=False))


class _BodyFile(tempfile.SpooledTemporaryFile[bytes]):
    """A file for the body of a request. It can be closed also where the disk has no room for its
    last bytes, which Python then tries to write once more.
    """

    def __exit__(self, *raised: Any) -> None:
        with suppress(OSError):
            super().__exit__(*raised)


class _Unreadable(io.RawIOBase):
    """Stands in for a request's body that could not be stored: reading it raises the error."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def read(self, _size: int = -1) -> bytes:
        raise self.error

    def readline(self, _size: int | None = -1) -> bytes:
        raise self.error


async def _write_body(receive: Receive, body: IO[bytes]) -> None:
    """Write a request's body to a file.

    Raises ClientGone where the body does not come or comes too slowly, and OSError where there is
    no room for it.
    """
    began, taken, more = time.monotonic(), 0, True
    while more:
        try:
            message = await asyncio.wait_for(receive(), PIECE_TIME)
        except TimeoutError as error:
            raise ClientGone from error
        if message["type"] == "http.disconnect":
            raise ClientGone
        taken += body.write(message["body"])
        more = message["more_body"]
        slow = time.monotonic() - began - PIECE_TIME > taken / SLOWEST
        if more and slow:
            raise ClientGone


async def _hear_out(receive: Receive) -> None:
    heard = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_TIME):
            while heard < LINGER_BYTES:
                message = await receive()
                heard += len(message.get("body", b""))
                if not message.get("more_body"):
                    return


async def _send_events(stream: EventStream, receive: Receive, send: Send) -> None:
    """Send events until their stream ends or the client leaves."""

    async def tell() -> None:
        async for news in stream.follow():
            await send(_piece(news, more=True))

    async def leaves() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    telling, leaving = asyncio.create_task(tell()), asyncio.create_task(leaves())
    try:
        await asyncio.wait((telling, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (telling, leaving):
            task.cancel()
        await asyncio.gather(telling, leaving, return_exceptions=True)
    await send(_piece(b"", more=False))


async def _send_file(file: OpenFile, send: Send) -> None:
    try:
        for piece in file:
            await send(_piece(piece, more=True))
    finally:
        file.close()
    await send(_piece(b"", more=False))


def _piece(data: bytes, *, more: bool) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": more}


async def _send_plain(send: Send, status: int, sentence: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(sentence)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send(_piece(sentence, more=False))


def _joined(parts: Iterable[bytes]) -> bytes:
    try:
        return b"".join(parts)
    finally:
        if close := getattr(parts, "close", None):
            close()


def environ_of(scope: Message) -> WSGIEnvironment:
    """Return the WSGI environment (PEP 3333) of a request, without `wsgi.input`."""
    name, port = scope.get("server") or ("localhost", 0)
    client, client_port = scope.get("client") or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": name,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": as_ipv4(client),  # a proxy may have named it
        "REMOTE_PORT": str(client_port),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": OpenFile,
    }
    for name, value in scope["headers"]:
        _add_header(environ, name.decode("latin-1"), value.decode("latin-1"))
    return environ


def _add_header(environ: WSGIEnvironment, name: str, value: str) -> None:
    """Add a header to the WSGI environment `environ`. A header whose name has an underscore is left
    out, since it could not be told from one with a hyphen.
    """
    if "_" in name:
        return
    key = name.upper().replace("-", "_")
    if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        key = f"HTTP_{key}"
    joint = "; " if key == "HTTP_COOKIE" else ","
    environ[key] = environ[key] + joint + value if key in environ else value
