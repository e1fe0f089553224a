"""`burako work`: reads photographs for servers that share a PostgreSQL, until interrupted."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from scorer_app.cli.config_file import (
    ConfigError,
    add_config_option,
    check_libraries,
    check_store_keys,
    read_config,
)
from scorer_app.cli.options import Parser, complain
from scorer_app.config import AppConfig
from scorer_app.serving.json_lines import log_as_json
from scorer_app.serving.processes import keep_running, stop_on_signals
from scorer_app.store import Store, StoreUnavailable


def main(arguments: Sequence[str]) -> int:
    """Read photographs in as many processes as the configuration says. Returns the exit status: 1
    where the store cannot be opened, after printing one sentence with the reason; otherwise 0.
    """
    parser = Parser(
        prog="burako work", description="Read photographs for the servers of a cluster."
    )
    add_config_option(parser, required=True)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        config = read_config(options.config)
        if not config.cluster:
            raise ConfigError(f"{options.config}: database: expected one of PostgreSQL")
        check_store_keys(config)
        check_libraries(config)
    except ConfigError as error:
        parser.error(str(error))
    stop_on_signals()
    log_as_json()
    try:
        Store(config.database, config.lock_patience).close()  # so that trouble is reported once
    except StoreUnavailable as error:
        complain(f"burako work: the data cannot be opened: {error}")
        return 1
    print(f"Burako: {config.processes} processes read photographs", flush=True)
    keep_running(_read, config.processes * [(config,)])
    return 0


def _read(config: AppConfig) -> None:
    from scorer_app.services.cluster_worker import read_photographs  # its libraries are an extra

    log_as_json()
    try:
        read_photographs(config)
    except StoreUnavailable as error:
        complain(f"burako work: the data cannot be opened: {error}")
        raise SystemExit(1) from None
