"""Starts the server in this process, or `burako serve` as a process of its own with a client that
keeps its cookie.

Every wait ends after a while.
"""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.cookiejar import CookieJar
from pathlib import Path
from threading import Timer
from typing import Any

from scorer_app.config import AppConfig
from scorer_app.serving.server import PageServer

PATIENCE = 60.0  # seconds for a start, an answer or an end: many times what a busy machine needs


def serve_command(data: Path, port: str, *options: str) -> list[str]:
    run = "import sys; from scorer_app.cli.main import main; sys.exit(main())"
    return [
        sys.executable,
        "-c",
        run,
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        port,
        "--data",
        str(data),
        *options,
    ]


@contextmanager
def serving(
    app: Any,
    config: AppConfig,
    port: int = 0,
    *,
    host: str = "127.0.0.1",
    admits: Callable[[Any], bool] = lambda _environ: True,
    stopping: Callable[[], None] = lambda: None,
) -> Iterator[str]:
    """Run a server in a thread of this process while the context lasts, and yield its address. It
    listens at `host`, by which 127.0.0.1 must reach it.
    """
    server = PageServer(app, config, admits=admits, stopping=stopping)
    server.listen(host, port)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield f"http{'s' if config.https else ''}://127.0.0.1:{server.port}"
    server.stop()
    thread.join(PATIENCE)
    assert not thread.is_alive()


@cache
def trusting_anyone() -> ssl.SSLContext:
    """Return the TLS context of a client that accepts any certificate, as one that the server made
    itself.
    """
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Served:
    """A running `burako serve` and a client of it. `under` is a program with its arguments that
    runs the server's command.
    """

    def __init__(
        self, data: Path, *options: str, under: Sequence[str] = (), **environment: str
    ) -> None:
        self.data = data
        command = [*under, *serve_command(data, "0", *options)]
        with (data.parent / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | environment
            )
        try:
            self.base = self._address()
            self.opener = urllib.request.build_opener(
                urllib.request.HTTPCookieProcessor(CookieJar()),
                urllib.request.HTTPSHandler(context=trusting_anyone()),
            )
            self.token = self.get("/api/session")["csrf"]
        except BaseException:
            self.kill()
            raise

    def _address(self) -> str:
        assert self.process.stdout
        # A server that prints nothing is ended, which ends the reading of its output.
        guard = Timer(PATIENCE, self.process.kill)
        guard.start()
        try:
            for line in self.process.stdout:
                if found := re.search(r"https?://127\S+(?=/)", line):
                    return found.group()
        finally:
            guard.cancel()
        raise AssertionError(f"the server did not say where it is within {PATIENCE:g} s")

    def get(self, path: str) -> Any:
        return self._ask(urllib.request.Request(self.base + path))

    def post(self, path: str, body: object = None) -> Any:
        headers = {"X-CSRF-Token": self.token, "Content-Type": "application/json"}
        return self._ask(
            urllib.request.Request(
                self.base + path, json.dumps({} if body is None else body).encode(), headers
            )
        )

    def post_form(self, path: str, **fields: str) -> Any:
        """Post a form without files; return the address that the answer leads to."""
        body = urllib.parse.urlencode({"csrf": self.token, **fields}).encode()
        return self._ask(urllib.request.Request(self.base + path, body))

    def _ask(self, request: urllib.request.Request) -> Any:
        with self.opener.open(request, timeout=PATIENCE) as answer:
            text = answer.read().decode()
            return (
                json.loads(text)
                if answer.headers.get_content_type() == "application/json"
                else answer.geturl()
            )

    def kill(self) -> None:
        self.process.kill()
        self.close()

    def close(self) -> None:
        self.process.wait(PATIENCE)
        assert self.process.stdout
        self.process.stdout.close()
