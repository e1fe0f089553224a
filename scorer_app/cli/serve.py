"""`burako serve`: serves the page to this machine and to the phones in the room, until
interrupted.
"""

from __future__ import annotations

import argparse
import gc
import io
import ipaddress
import logging
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from types import FrameType

from flask import Flask

from scorer_app import create_app
from scorer_app.cli.invitation import terminal_invitation
from scorer_app.cli.options import Parser, filled_path
from scorer_app.config import AppConfig
from scorer_app.serving.addresses import addresses, is_only_here
from scorer_app.serving.server import PageServer
from scorer_app.store import StoreUnavailable
from scorer_app.store.folder_lock import lock_folder
from scorer_app.web.application import admits, close
from scorer_app.web.parts import parts_of

SECRET_KEY = "BURAKO_SECRET_KEY"
SHORTEST_KEY = 32


def main(arguments: Sequence[str]) -> int:
    """Serve until interrupted. Returns the exit status: 1, with one sentence, where that cannot be
    done.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal or a pipe may be unable to draw the QR code.
        sys.stdout.reconfigure(errors="replace")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = _config(options, _secret_key(parser))
    try:
        lock = lock_folder(config.data_dir)
        app = create_app(config)
        server = PageServer(app, config, admits=admits(app), stopping=parts_of(app).event_bus.close)
        server.listen(options.host, options.port)
    except (StoreUnavailable, OSError) as error:
        print(f"burako serve: {_sentence(error, options)}", file=sys.stderr)
        return 1
    _stop_on_signals()
    _spare_the_collector()
    parts_of(app).retention.start()
    parts_of(app).intake.jobs.start()
    print(
        terminal_invitation(app, addresses(options.host, server.port, config.https)),
        flush=True,
    )
    with lock:
        return _serve(server, app)


def _serve(server: PageServer, app: Flask) -> int:
    try:
        server.serve()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        close(app)
    return 0


def _spare_the_collector() -> None:
    """Exempt everything that the start has made from garbage collection.

    Looking through it over and over took an eighth of the time of each edit, 70 ms at once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5000)


def _stop_on_signals() -> None:
    """Treat a stop by the system like Ctrl-C: running requests are answered and the database is
    closed.
    """

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)


def _secret_key(parser: argparse.ArgumentParser) -> str | None:
    """The key that the environment gives, so that several servers sign alike; None where it gives
    none. Ends the program, with a sentence, where it is easily guessed.
    """
    key = os.environ.get(SECRET_KEY)
    if key is not None and len(key) < SHORTEST_KEY:
        expected = f"expected at least {SHORTEST_KEY} characters nobody can guess"
        parser.error(f"{SECRET_KEY}: {expected}, got {len(key)}")
    return key


def _config(options: argparse.Namespace, secret_key: str | None) -> AppConfig:
    names, cameras = frozenset(options.allow_host or ()), tuple(options.camera or ())
    config = AppConfig(
        database_url=options.database,
        secret_key=secret_key,
        https=options.https,
        only_here=is_only_here(options.host),
        allowed_hosts=names,
        cameras=cameras,
        trusted_proxies=tuple(options.trusted_proxy or ()),
        host_by_token=_host_by_token(options),
    )
    return replace(config, data_dir=options.data) if options.data else config


def _host_by_token(options: argparse.Namespace) -> bool:
    """Whether the host token alone makes a host, as it must behind a proxy: there all connections
    come from the proxy, which may be on this machine.
    """
    if options.host_access is None:
        return bool(options.trusted_proxy)
    return bool(options.host_access == "token")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="burako serve", description="Serve the page on this machine and its network."
    )
    parser.add_argument(
        "--host", default="0.0.0.0", help="address to listen on (default: all of this machine's)"
    )
    parser.add_argument(
        "--port", type=_port, default=8080, help="default 8080; 0: any that is free"
    )
    parser.add_argument(
        "--https", action="store_true", help="self-signed certificate, made on first use"
    )
    parser.add_argument(
        "--data", type=filled_path, metavar="DIR", help="where the database and the photographs lie"
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="any SQLAlchemy URL instead of SQLite in the data directory",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        metavar="NAME",
        help="a further name this machine is reached by",
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        type=_network,
        metavar="ADDRESS",
        help="a proxy's address, or a network of them: its word for who asks (X-Forwarded-For) and"
        " how (X-Forwarded-Proto) is taken; nobody's otherwise",
    )
    parser.add_argument(
        "--host-access",
        choices=("loopback", "token"),
        help="who may show the join code and change settings: whoever sits at this machine, or"
        " whoever opens the link printed at the start (default: loopback; token with"
        " --trusted-proxy)",
    )
    parser.add_argument(
        "--camera",
        action="append",
        metavar="SOURCE",
        help="a camera's number, a stream's address or a video file here, with which every scorer"
        " may watch the table",
    )
    return parser


def _network(text: str) -> str:
    try:
        ipaddress.ip_network(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"expected an address such as 192.168.1.2, or a network such as 10.0.0.0/8: {error}"
        ) from error
    return text


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 65535, got {text!r}")
    return int(text)


def _sentence(error: Exception, options: argparse.Namespace) -> str:
    if isinstance(error, StoreUnavailable):
        return f"the data cannot be opened: {error}"
    return f"cannot listen on {options.host} port {options.port} (in use? try --port): {error}"
