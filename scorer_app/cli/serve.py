"""`burako serve`: serves the page to this machine and to the phones in the room, until
interrupted.
"""

from __future__ import annotations

import argparse
import io
import logging
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from errno import EADDRINUSE

from flask import Flask

from scorer_app import create_app
from scorer_app.cli.config_file import (
    add_config_option,
    check_libraries,
    check_store_keys,
    in_mode,
    read_config,
    with_secrets,
)
from scorer_app.cli.config_trouble import ConfigError, ConfigTrouble, explain_config
from scorer_app.cli.invitation import terminal_invitation
from scorer_app.cli.options import (
    Parser,
    add_data_options,
    add_language,
    complain,
    filled,
    host_name,
    network,
)
from scorer_app.cli.own_data import explain_store_error
from scorer_app.cli.terminal import print_out
from scorer_app.config import AppConfig, Mode
from scorer_app.services.collector import spare_the_collector
from scorer_app.serving.addresses import addresses, is_address, is_only_here
from scorer_app.serving.json_lines import log_as_json
from scorer_app.serving.processes import keep_running, stop_on_signals
from scorer_app.serving.server import (
    LAST_PORT,
    PageServer,
    certificate_of,
    listeners_in_a_row,
)
from scorer_app.store import StoreUnavailable
from scorer_app.store.folder_lock import lock_database, lock_folder
from scorer_app.texts.translator import Translate, translator
from scorer_app.watch.cameras import is_folder, is_missing_camera, is_missing_file
from scorer_app.web.application import admits, close
from scorer_app.web.metrics import shared_by_processes
from scorer_app.web.parts import parts_of


def main(arguments: Sequence[str]) -> int:
    """Serve until interrupted. Returns the exit status: 1 where that cannot be done, after printing
    one sentence with the reason; otherwise 0.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal or a pipe may be unable to draw the QR code.
        sys.stdout.reconfigure(errors="replace")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        config = _config(options)
        check_libraries(config)
    except ConfigError as error:
        parser.error(explain_config(error, options.lang))
    if config.cluster:
        log_as_json()
    say = translator(options.lang)
    _tell_of_cameras(config, say)
    if unused := config.unused_database:
        complain(f"burako serve: {say('serve.database_unused', path=unused)}")
    try:
        if config.processes > 1:
            return _serve_in_processes(config, options)
        return _serve_here(config, options)
    except (StoreUnavailable, OSError) as error:
        complain(f"burako serve: {_sentence(error, options)}")
        return 1


def _tell_of_cameras(config: AppConfig, say: Translate) -> None:
    """Say which of the named cameras and video files are not there. The page is served all the
    same, since they may come later.
    """
    for source in config.cameras:
        if is_missing_file(source):
            complain(f"burako serve: {say('serve.no_camera_file', source=source)}")
        elif is_folder(source):
            complain(f"burako serve: --camera: {say('camera.folder', source=source)}")
        elif is_missing_camera(source):
            complain(f"burako serve: {say('serve.no_camera', source=source)}")


def _serve_here(config: AppConfig, options: argparse.Namespace) -> int:
    # Both belong to one server; the servers of a cluster keep their data elsewhere.
    with ExitStack() as held:
        if not config.cluster:
            held.enter_context(lock_folder(config.data_dir))
            held.enter_context(lock_database(config.database))
        app = create_app(config)
        held.callback(close, app)
        server = _server_of(app, config)
        server.listen(options.host, options.port)
        stop_on_signals()
        _begin(app)
        print_out(terminal_invitation(app, addresses(options.host, server.port, config.https)))
        _serve(server)
    return 0


def _serve_in_processes(config: AppConfig, options: argparse.Namespace) -> int:
    """Serve in several processes that share a listening address, and keep them running until they
    are stopped. Returns the exit status 0.

    Each process also listens on a port of its own, counted up from the shared one, so that a proxy
    can lead everything about a watched table to one process.
    """
    with ExitStack() as listening:
        app = create_app(config)  # so that trouble with the data is reported once
        try:
            certificate_of(config)  # else all processes make one at once, and mix up their keys
            row = listeners_in_a_row(options.host, options.port, 1 + config.processes)
            shared, *own = (listening.enter_context(one) for one in row)
            stop_on_signals()
            links = addresses(options.host, shared.getsockname()[1], config.https)
            print_out(terminal_invitation(app, links))
        finally:
            close(app)
        with shared_by_processes(config.data_dir / "counts"):
            keep_running(_serve_shared, [(config, shared, one) for one in own])
    return 0


def _serve_shared(config: AppConfig, *listeners: socket.socket) -> None:
    """Serve connections of listening sockets that other processes may use as well."""
    log_as_json()
    logging.getLogger("alembic").setLevel(logging.WARNING)
    app = create_app(config)
    try:
        server = _server_of(app, config)
        server.share(*listeners)
        _begin(app)
        _serve(server)
    finally:
        close(app)


def _server_of(app: Flask, config: AppConfig) -> PageServer:
    return PageServer(app, config, admits=admits(app), stopping=parts_of(app).event_bus.close)


def _begin(app: Flask) -> None:
    """Start the threads of an application: its jobs and, outside a cluster, its retention."""
    spare_the_collector()
    if not parts_of(app).config.cluster:  # in a cluster one process that reads does it for all
        parts_of(app).retention.start()
    parts_of(app).intake.jobs.start()


def _serve(server: PageServer) -> None:
    with suppress(KeyboardInterrupt, SystemExit):
        server.serve()


def _config(options: argparse.Namespace) -> AppConfig:
    """Return the configuration: that of the file which `--config` names, or else the usual one,
    changed as the options say, with the secrets from the environment. Proxies are trusted if the
    file or an option names them.

    Raises ConfigError for wrong values, and for `--database` together with `--config`.
    """
    mode = Mode(options.mode) if options.mode else None
    if options.config:
        told = read_config(options.config, mode)
    else:
        told = in_mode(AppConfig(), mode or Mode.HOME)
    if options.database:
        if options.config:
            raise ConfigError(ConfigTrouble.DATABASE_IN_FILE, "--database")
        told = replace(told, database_url=options.database)
    proxies = (*told.trusted_proxies, *(options.trusted_proxy or ()))
    config = replace(
        told,
        data_dir=options.data or told.data_dir,
        https=options.https,
        only_here=is_only_here(options.host),
        allowed_hosts=_allowed_hosts(options),
        cameras=tuple(options.camera or ()),
        trusted_proxies=proxies,
        host_by_token=_host_by_token(options, proxies),
    )
    config = with_secrets(config)
    check_store_keys(config)
    return config


def _allowed_hosts(options: argparse.Namespace) -> frozenset[str]:
    """Return the names by which the page may be opened besides the machine's own: those that the
    options allow, and the host at which the page is served, if that is a name and no address.
    """
    names = frozenset(options.allow_host or ())
    return names if not options.host or is_address(options.host) else names | {options.host}


def _host_by_token(options: argparse.Namespace, proxies: Sequence[str]) -> bool:
    """Whether only the host token makes a device the host. By default that is so behind a proxy,
    since all connections then come from the proxy, which may run on this machine.
    """
    if options.host_access is None:
        return bool(proxies)
    return bool(options.host_access == "token")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="burako serve", description="Serve the page on this machine and its network."
    )
    add_config_option(parser, required=False)
    parser.add_argument(
        "--mode",
        choices=[str(mode) for mode in Mode],
        help="home: whoever has the join code sees all matches (default); public: each match is"
        " seen by whoever holds its link",
    )
    _add_address(parser)
    add_data_options(parser)
    add_language(parser)
    _add_trust(parser)
    parser.add_argument(
        "--camera",
        action="append",
        type=filled,
        metavar="SOURCE",
        help="a camera's number, a stream's address or a video file here, with which every scorer"
        " may watch the table",
    )
    return parser


def _add_address(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the address at which the page is served."""
    parser.add_argument(
        "--host",
        type=filled,
        default="0.0.0.0",
        help="address to listen on (default: all of this machine's)",
    )
    parser.add_argument(
        "--port", type=_port, default=8080, help="default 8080; 0: any that is free"
    )
    parser.add_argument(
        "--https", action="store_true", help="self-signed certificate, made on first use"
    )


def _add_trust(parser: argparse.ArgumentParser) -> None:
    """Add the options that name further host names of this machine, trusted proxies, and who is the
    host.
    """
    parser.add_argument(
        "--allow-host",
        action="append",
        type=host_name,
        metavar="NAME",
        help="a further name this machine is reached by",
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        type=network,
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


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {LAST_PORT}, got {text!r}")
    return int(text)


def _sentence(error: Exception, options: argparse.Namespace) -> str:
    say = translator(options.lang)
    if isinstance(error, StoreUnavailable):
        return explain_store_error(error, options.lang)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError) and error.errno == EADDRINUSE:
        return say("serve.port_taken", port=options.port)
    reason = getattr(error, "strerror", None) or error
    return say("serve.cannot_listen", host=options.host, port=options.port, what=reason)
