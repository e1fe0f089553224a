"""Limits connections: how long one may keep the server waiting, how large the head of a request may
be, and which one is ended when there are too many.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from scorer_app.serving.addresses import as_ipv4

MOST_CONNECTIONS = 640  # with TLS each takes about 0.12 MB of memory
HEAD_BYTES = 64 * 2**10  # largest request line with its headers; browsers send 1-2 kB
HEAD_TIME = 20.0  # seconds from connecting, or from the last answer, to a whole head
STALLED = 30.0  # seconds for which a client may take nothing of its answer
UNREAD_BYTES = 100 * 2**20  # most bytes of all answers that clients have not yet taken
_NEVER = 1e9  # seconds: sorts connections that keep nobody waiting behind all that do


class Connection:
    """One accepted connection. `protocol` is None during the TLS handshake."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.accepted = time.monotonic()
        self.protocol: GuardedProtocol | None = None
        self.handshake: asyncio.Task[None] | None = None

    def waiting_since(self) -> float | None:
        """The moment, in monotonic seconds, since which the server has waited for the whole head of
        a request. It is None after the whole head has come, until the client has taken the whole
        answer.
        """
        return self.accepted if self.protocol is None else self.protocol.waiting_since()

    def abort(self) -> None:
        if self.protocol is not None:
            self.protocol.transport.abort()
        elif self.handshake is not None:
            self.handshake.cancel()


class Connections:
    """All connections of a server, the oldest first."""

    def __init__(self, most: int = MOST_CONNECTIONS) -> None:
        self.most = most
        self._all: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._all)

    def add(self, connection: Connection) -> None:
        """Add a connection. Where there are already as many as there may be, the one that will be
        missed least is ended first.
        """
        if len(self._all) >= self.most:
            self._drop(self._least_missed())
        self._all[connection] = None

    def remove(self, connection: Connection) -> None:
        self._all.pop(connection, None)

    def look_after(self) -> None:
        """End the connections whose client has taken too long to send the head of a request, or has
        taken nothing of its answer for too long. Where the answers that clients have not yet taken
        need too much memory, also end the connections with the largest of them. This is called once
        a second.
        """
        now = time.monotonic()
        for connection in list(self._all):
            since = connection.waiting_since()
            overdue = since is not None and now - since > HEAD_TIME
            if overdue or (connection.protocol is not None and connection.protocol.stalled(now)):
                self._drop(connection)
        self._limit_unread()

    def _limit_unread(self) -> None:
        unread = {one: one.protocol.unread for one in self._all if one.protocol is not None}
        total = sum(unread.values())
        for connection in sorted(unread, key=lambda one: unread[one], reverse=True):
            if total <= UNREAD_BYTES:
                return
            total -= unread[connection]
            self._drop(connection)

    def _least_missed(self) -> Connection:
        """Return the connection to end first.

        It belongs to the address with the most connections. Among these it is the one that has kept
        the server waiting longest or, if none does, the oldest.
        """
        held = Counter(one.address for one in self._all)
        greediest = max(held, key=lambda address: held[address])
        its = [one for one in self._all if one.address == greediest]
        return min(its, key=lambda one: one.waiting_since() or one.accepted + _NEVER)

    def _drop(self, connection: Connection) -> None:
        connection.abort()
        self.remove(connection)


class GuardedProtocol(HttpToolsProtocol):
    """The HTTP/1.1 of one connection: uvicorn's protocol with a limit to the size of a request's
    head.
    """

    transport: asyncio.Transport

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        connections: Connections,
        connection: Connection,
    ) -> None:
        super().__init__(config, server_state, {})
        self._registry, self._connection = connections, connection
        self._head = 0  # bytes since the last whole head or piece of a body
        self._since = self._progress = time.monotonic()
        self._unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is not None:
            self.client = as_ipv4(self.client[0]), self.client[1]
        self._since = time.monotonic()
        self._connection.protocol = self

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._registry.remove(self._connection)

    @property
    def unread(self) -> int:
        """The number of bytes of answers that the client has not yet taken."""
        return self.transport.get_write_buffer_size()

    def waiting_since(self) -> float | None:
        if self.unread:
            self._since = time.monotonic()
        met = self.cycle is not None and not self.cycle.response_complete
        return None if met or self.unread else self._since

    def stalled(self, now: float) -> bool:
        """Whether the client has taken nothing of a waiting answer for more than `STALLED` seconds.
        `now` is the present moment in monotonic seconds.
        """
        unread = self.unread
        if unread == 0 or self._unread == 0 or unread < self._unread:
            self._progress = now
        self._unread = unread
        return now - self._progress > STALLED

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        super().data_received(data)
        if self._head > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > HEAD_BYTES:
            raise ValueError("the head of the request is too large")  # the parser answers 400
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        self._since = time.monotonic()
        super().on_response_complete()
