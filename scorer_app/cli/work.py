"""`burako work`: reads photographs for servers that share a PostgreSQL, until interrupted."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from scorer_app.cli.config_file import (
    add_config_option,
    check_libraries,
    check_store_keys,
    read_config,
)
from scorer_app.cli.config_trouble import ConfigError, ConfigTrouble, explain_config
from scorer_app.cli.options import Parser, add_language, complain
from scorer_app.cli.own_data import explain_store_error
from scorer_app.config import AppConfig
from scorer_app.serving.json_lines import log_as_json
from scorer_app.serving.processes import keep_running, stop_on_signals
from scorer_app.store import Store, StoreUnavailable
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import translator


def main(arguments: Sequence[str]) -> int:
    """Read photographs in as many processes as the configuration says. Returns the exit status: 1
    where the store cannot be opened, after printing one sentence with the reason; otherwise 0.
    """
    parser = Parser(
        prog="burako work", description="Read photographs for the servers of a cluster."
    )
    add_config_option(parser, required=True)
    add_language(parser)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        config = read_config(options.config)
        if not config.cluster:
            raise ConfigError(ConfigTrouble.NO_CLUSTER, options.config, "database")
        check_store_keys(config)
        check_libraries(config)
    except ConfigError as error:
        parser.error(explain_config(error, options.lang))
    stop_on_signals()
    log_as_json()
    try:
        Store(config.database, config.lock_patience).close()  # so that trouble is reported once
    except StoreUnavailable as error:
        complain(f"burako work: {explain_store_error(error, options.lang)}")
        return 1
    told = translator(options.lang)("work.running", count=config.processes)
    print(f"Burako: {told}", flush=True)
    keep_running(_read, config.processes * [(config, options.lang)])
    return 0


def _read(config: AppConfig, language: Language) -> None:
    from scorer_app.services.cluster_worker import read_photographs  # its libraries are an extra

    log_as_json()
    try:
        read_photographs(config)
    except StoreUnavailable as error:
        complain(f"burako work: {explain_store_error(error, language)}")
        raise SystemExit(1) from None
