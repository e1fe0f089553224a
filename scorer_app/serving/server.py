"""The WSGI server that carries the page: its threads, its connections, and how long it listens to
what it refuses.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cheroot.wsgi import Server

from scorer_app.config import AppConfig

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

THREADS = 16  # beside those that event streams hold
KEPT_CONNECTIONS = 256  # a browser keeps up to six; one more than these is closed after its answer
HEARD_OUT = 4  # times the upload limit: a body longer than that is cut off
HEARING_TIME, PIECE = 20.0, 2**16  # seconds, bytes


def make_server(app: WSGIApplication, config: AppConfig, host: str, port: int) -> Server:
    """Raises OSError where it cannot listen, once prepared."""
    threads = THREADS + config.watchers
    server = Server(
        (host, port),
        hear_out(app),
        numthreads=threads,
        request_queue_size=128,
        timeout=30,
        shutdown_timeout=5,
    )
    server.max_request_body_size = HEARD_OUT * config.upload_bytes
    server.keep_alive_conn_limit = KEPT_CONNECTIONS
    if config.https:
        from scorer_app.serving.certificate import tls_adapter  # cryptography takes long to load

        server.ssl_adapter = tls_adapter(config.data_dir)
    return server


def hear_out(app: WSGIApplication) -> WSGIApplication:
    """A refused upload is read to its end, in small pieces: closing the connection before would
    lose the answer on its way.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answered = app(environ, start_response)
        body, until = environ["wsgi.input"], time.monotonic() + HEARING_TIME
        with contextlib.suppress(OSError):  # the sender left
            while getattr(body, "remaining", 0) and time.monotonic() < until and body.read(PIECE):
                pass
        return answered

    return answer
