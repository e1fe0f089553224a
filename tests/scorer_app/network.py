"""A bad network between a browser and the server, in which each request takes longer and some are
lost.
"""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .served import PATIENCE

MOST = 65_536  # bytes taken at once
TURNS = 5
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")
_CONNECTION = re.compile(rb"(?i)\r\nconnection: [^\r]*")


@dataclass
class Network:
    """What happens to requests on their way.

    While `is_bad`, each takes `delay` seconds more, and the share `loss` of them is lost: half
    before they reach the server, half on the way back. Each request has a connection of its own, so
    that the browser does not repeat a lost one by itself, as it does on a connection that has
    carried an answer before.
    """

    port: int  # of the server, on this machine
    delay: float = 0.3
    loss: float = 0.1
    is_bad: bool = False
    lost: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(15))
    # Once the browser has hung up, nothing else holds on to a task that awaits the server.
    carried: set[asyncio.Task[None]] = field(default_factory=set)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one request to the server, and its answer back."""
        task = asyncio.current_task()
        assert task is not None
        self.carried.add(task)
        task.add_done_callback(self.carried.discard)
        try:
            await self._carry(await _request(reader), writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the browser or the server has gone away
        except asyncio.CancelledError:  # the network ends
            writer.transport.abort()
        finally:
            writer.transport.abort() if writer.is_closing() else writer.close()

    async def _carry(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        is_lost = self.is_bad and self.chance.random() < self.loss
        self.lost += is_lost
        await self._wait()
        if is_lost and self.chance.random() < 0.5:
            return writer.transport.abort()
        answer, server = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            server.write(request)
            while data := await answer.read(MOST):
                await self._wait()
                if is_lost:
                    return writer.transport.abort()
                writer.write(data)
                await writer.drain()
        finally:
            server.close()

    async def _wait(self) -> None:
        if self.is_bad:
            await asyncio.sleep(self.delay / 2)


async def _request(reader: asyncio.StreamReader) -> bytes:
    """Read a whole request and change it so that the server closes the connection after its
    answer.
    """
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    body = await reader.readexactly(int(length[1]) if length else 0)
    return _CONNECTION.sub(b"", head).replace(b"\r\n", b"\r\nConnection: close\r\n", 1) + body


@contextmanager
def network_to(base: str) -> Iterator[tuple[Network, str]]:
    """Open a network to the server at the address `base`, good at first.

    Yields it, and the address at which the server is reached through it.
    """
    network = Network(int(base.rpartition(":")[2]))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    starting = asyncio.start_server(network.carry, "127.0.0.1", 0)
    listening = asyncio.run_coroutine_threadsafe(starting, loop).result(PATIENCE)
    yield network, f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    asyncio.run_coroutine_threadsafe(_end(listening), loop).result(PATIENCE)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(PATIENCE)
    loop.close()


async def _end(listening: asyncio.Server) -> None:
    """Stop listening, and end everything that is still carried, until nothing is left.

    A connection that was accepted just before has no task yet, and one that closes takes some turns
    of the event loop.
    """
    listening.close()
    for _turn in range(TURNS):
        ended = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)
        await asyncio.sleep(0.01)
