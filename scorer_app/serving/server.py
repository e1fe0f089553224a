"""The web server: an event loop holds the connections and the event streams, and a few threads run
the application.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from scorer_app.config import AppConfig
from scorer_app.serving.addresses import in_both_forms
from scorer_app.serving.connections import HEAD_TIME, Connection, Connections, GuardedProtocol
from scorer_app.serving.plain_http import is_plain, lead_to_https
from scorer_app.serving.table_paths import WithoutTable
from scorer_app.serving.wsgi_bridge import Admits, WsgiBridge

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

LAST_PORT = 65535
# To find free ports in a row: on a busy machine others may hold any port, and their number changes.
MOST_ATTEMPTS = 20
BACKLOG = 512  # connections that the system keeps until they are accepted
HANDSHAKE_TIME = 10.0  # seconds for TLS
LAST_ANSWERS = 5.0  # seconds for requests under way when the server stops
# Bytes that asyncio keeps for each TLS connection. With its usual 256 kB, 700 connections take
# 300 MB instead of 80.
TLS_BUFFER = 32 * 2**10
OPEN_FILES = 4096  # open files asked of the system; by default macOS allows 256
log = logging.getLogger(__name__)


class PageServer:
    """Serves a WSGI application. `admits` tells from a request's head whether a large body may
    come. When the server is to stop, it first calls `stopping`, which is to end the event streams.
    """

    def __init__(
        self,
        app: WSGIApplication,
        config: AppConfig,
        *,
        admits: Admits = lambda _environ: True,
        stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self._bridge = WsgiBridge(app, admits)
        asgi: Any = self._bridge
        if config.trusted_proxies:
            proxies = [form for one in config.trusted_proxies for form in in_both_forms(one)]
            asgi = ProxyHeadersMiddleware(asgi, proxies)
        if config.cluster:
            asgi = WithoutTable(asgi)
        certificate, key = certificate_of(config)
        settings = uvicorn.Config(
            asgi,
            http=GuardedProtocol,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ssl_certfile=certificate,
            ssl_keyfile=key,
            timeout_keep_alive=round(HEAD_TIME),
            timeout_graceful_shutdown=round(LAST_ANSWERS),
        )
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # not a line per bad request
        self._listeners: tuple[socket.socket, ...] = ()
        self._server = _Server(settings, stopping)

    @property
    def port(self) -> int:
        assert self._listeners, "listen() comes first"
        port: int = self._listeners[0].getsockname()[1]
        return port

    def listen(self, host: str, port: int) -> None:
        """Listen at the address. Raises OSError where it is not available."""
        self.share(listener_at(host, port))

    def share(self, *listeners: socket.socket) -> None:
        """Take connections from these listening sockets, which other processes may use as well."""
        _raise_file_limit()
        self._listeners = listeners

    def serve(self) -> None:
        """Serve until `stop`, Ctrl-C or SIGTERM. If a signal ended it, the handler that the caller
        had set for that signal runs afterwards.
        """
        assert self._listeners, "listen() comes first"
        try:
            self._server.run(sockets=list(self._listeners))
        finally:
            self.close()

    def close(self) -> None:
        for listener in self._listeners:
            listener.close()
        self._bridge.close()

    def stop(self) -> None:
        """Stop serving; callable from any thread."""
        self._server.should_exit = True


def listener_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address. Raises OSError where the address is not
    available.
    """
    if port > LAST_PORT:  # counted up from the first one
        raise OSError(f"expected a port up to {LAST_PORT}, got {port}")
    try:
        family, _kind, _protocol, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except UnicodeError as error:
        raise OSError(f"expected an address, got {host!r}") from error
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # on Windows it would let two servers have one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def listeners_in_a_row(host: str, port: int, count: int) -> list[socket.socket]:
    """Return `count` sockets that listen at ports counted up from `port`; for port 0, from any port
    with so many free ones behind it. Raises OSError where a port is not available.
    """
    attempts = 1 if port else MOST_ATTEMPTS
    while True:
        attempts -= 1
        with ExitStack() as listening:
            row = [listening.enter_context(listener_at(host, port))]
            first = row[0].getsockname()[1]
            try:
                for number in range(1, count):
                    row.append(listening.enter_context(listener_at(host, first + number)))
            except OSError:
                if attempts:
                    continue
                raise
            listening.pop_all()  # the caller closes them
            return row


class _Server(uvicorn.Server):
    """uvicorn's server, but it accepts connections itself, so that a connection that is slow with
    its handshake counts against the limits too.
    """

    def __init__(self, config: uvicorn.Config, stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self._stopping = stopping
        self._connections = Connections()
        self._tasks: set[asyncio.Task[None]] = set()
        self._accepting: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.servers = []
        self._accepting = [asyncio.create_task(self._accept(one)) for one in sockets or []]
        self._accepting.append(asyncio.create_task(self._look_after()))
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listener in sockets or []:
            # Otherwise a connection that comes just now would be lost. Windows has no readers.
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().remove_reader(listener)
        await asyncio.sleep(0)  # lets a connection that has come be closed with the others
        for task in [*self._accepting, *self._tasks]:
            task.cancel()
        await asyncio.gather(*self._accepting, *self._tasks, return_exceptions=True)
        self._stopping()
        await super().shutdown(sockets)

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(1)
            self._connections.look_after()

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(listener)
            except OSError as error:  # no file descriptor left, or a client that has gone already
                log.error("a connection could not be accepted: %s", error)
                await asyncio.sleep(0.1)
                continue
            self._receive(accepted, Connection(address[0]))
            # While further connections wait, sock_accept returns at once. Without a turn of the
            # loop for the others, nobody would be answered until all of a crowd have been accepted.
            await asyncio.sleep(0)

    def _receive(self, accepted: socket.socket, connection: Connection) -> None:
        """Register a new connection, whose socket is `accepted`, and begin its handshake. The
        socket is closed if the handshake fails.
        """
        self._connections.add(connection)
        task = asyncio.create_task(self._welcome(accepted, connection))
        connection.handshake = task
        self._tasks.add(task)

        def over(_task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            if connection.protocol is None:
                self._connections.remove(connection)
                accepted.close()

        task.add_done_callback(over)

    async def _welcome(self, accepted: socket.socket, connection: Connection) -> None:
        """Do the TLS handshake with a new client, if the server has TLS, and let the protocol of
        the connection begin. The connection has no protocol afterwards if the handshake failed, or
        if the client spoke plain http and was led to https.
        """
        with contextlib.suppress(OSError):  # ssl.SSLError and TimeoutError are OSErrors as well
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.config.ssl:
                async with asyncio.timeout(HANDSHAKE_TIME):
                    if await is_plain(accepted):
                        await lead_to_https(accepted)
                        return
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: GuardedProtocol(
                    self.config, self.server_state, self._connections, connection
                ),
                accepted,
                ssl=self.config.ssl,
                ssl_handshake_timeout=HANDSHAKE_TIME if self.config.ssl else None,
            )


def certificate_of(config: AppConfig) -> tuple[str | None, str | None]:
    """Return the paths of the server's certificate and its key, which are made where they are
    missing; None for both where the server has no TLS. Raises OSError.
    """
    if not config.https:
        return None, None
    SSLProtocol.max_size = TLS_BUFFER
    from scorer_app.serving.certificate import ensure_certificate  # cryptography loads slowly

    certificate, key = ensure_certificate(config.data_dir)
    return str(certificate), str(key)


def _raise_file_limit() -> None:
    """Allow this process OPEN_FILES open files, connections included, or as many as the system
    permits.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
