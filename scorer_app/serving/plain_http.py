"""Leads a browser that asks a server with TLS by plain http to the same address by https."""

from __future__ import annotations

import asyncio
import re
import socket

READ_BYTES = 4096  # of a request: a browser's first line and its Host are within
REQUEST = re.compile(rb"[A-Z]+ (/[!-~]*) HTTP/1\.[01]\r\n")
HOST = re.compile(rb"\r\nhost:[ \t]*([\w.:\[\]-]+)[ \t]*\r\n", re.IGNORECASE)
# Not a lasting redirection: the server may be started without TLS the next time.
LED = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://%s%s\r\n"
REFUSED = b"HTTP/1.1 400 Bad Request\r\n"
END = b"Cache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


async def is_plain(client: socket.socket) -> bool:
    """Wait until a client that has connected says something, and return whether that is the
    beginning of an http request instead of a TLS handshake. Nothing is taken from the socket.
    Raises OSError.
    """
    loop, has_come = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(client, has_come.set)
    except NotImplementedError:  # Windows: the handshake will fail, and nobody is led anywhere
        return False
    try:
        await has_come.wait()
    finally:
        loop.remove_reader(client)
    return client.recv(1, socket.MSG_PEEK).isupper()  # a handshake begins with the byte 22


async def lead_to_https(client: socket.socket) -> None:
    """Answer a request in plain http by the address that it asks for, with https. Raises
    OSError.
    """
    loop = asyncio.get_running_loop()
    head = await loop.sock_recv(client, READ_BYTES)
    request, host = REQUEST.match(head), HOST.search(head)
    answer = LED % (host[1], request[1]) if request and host else REFUSED
    await loop.sock_sendall(client, answer + END)
