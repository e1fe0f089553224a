"""The configuration file of `burako serve`, `burako work` and `burako migrate`: TOML, checked key
by key.

Secrets are not in it; they come from the environment.
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, time
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any
from urllib.parse import SplitResult, urlsplit
from urllib.request import url2pathname

import msgspec
from msgspec import Meta

from engine.checks import shown
from scorer_app.cli.config_trouble import ConfigError, ConfigTrouble
from scorer_app.cli.database_url import WrongUrl, database_url
from scorer_app.cli.options import filled_path, network
from scorer_app.config import AppConfig, Mode, Quotas

SECRET_KEY, ADMIN_TOKEN = "BURAKO_SECRET_KEY", "BURAKO_ADMIN_TOKEN"
STORE_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
# Libraries that the program installs only where somebody asks for them, as `cluster`.
DATABASE_LIBRARIES, STORE_LIBRARIES = ("psycopg", "psycopg_pool", "procrastinate"), ("obstore",)
LARGEST_FILE = 1_000_000  # bytes
SHORTEST_SECRET = 32  # characters
PUBLIC_PHOTO_DAYS, PUBLIC_MATCH_DAYS = 7, 90
_PATH = re.compile(r" - at `\$\.?(.*)`$")  # where msgspec says that a value stands
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_KIND = re.compile(r"Expected `(int|str|array|object)(?: \| null)?`, got `.*`")
_LEAST, _MOST = (re.compile(rf"Expected `int` {sign} (\d+)(?: \| null)?") for sign in (">=", "<="))
_STEP = re.compile(r"(\w+)|\[(\d+)\]")
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Days = Annotated[int, Meta(ge=1, le=36_500)]
# By key, where few values are allowed.
_CHOICES: Mapping[str, type[StrEnum]] = MappingProxyType({"mode": Mode})


class QuotaKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `quota` of the file; its keys are the fields of `Quotas`."""

    matches_per_address_per_day: Count = Quotas.matches_per_address_per_day
    photographs_per_address_per_day: Count = Quotas.photographs_per_address_per_day
    photographs_per_match: Count = Quotas.photographs_per_match


class Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All keys that a configuration file may have; none is needed. Most keys set the field of
    AppConfig that has the same name. The others are `database`, which sets `database_url`;
    `photos`, which sets `photo_store`; `endpoint`, which sets `photo_endpoint`; and `quota`, which
    sets `quotas`.
    """

    mode: Mode = Mode.HOME
    database: str | None = None
    photos: str | None = None
    endpoint: str | None = None
    processes: Annotated[int, Meta(ge=1, le=256)] = 1
    trusted_proxies: tuple[str, ...] = ()
    photo_days: Days | None = None
    match_days: Days | None = None
    watched_tables: Annotated[int, Meta(ge=1, le=256)] = AppConfig.watched_tables
    quota: QuotaKeys = QuotaKeys()


def add_config_option(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add the option `--config`, which names a configuration file. `required` says whether a
    command line must have it.
    """
    parser.add_argument(
        "--config",
        type=filled_path,
        metavar="FILE",
        required=required,
        help="a configuration, in TOML, of a server of many tables",
    )


def read_config(path: Path, mode: Mode | None = None) -> AppConfig:
    """Read a configuration file. `mode`, where it is given, overrides the mode that the file
    names. Raises ConfigError.
    """
    given: dict[str, Any] = {}
    try:
        given = tomllib.loads(_text(path))
        keys = msgspec.convert(given, Keys)
        return in_mode(_config_of(keys), mode or keys.mode)
    except OSError as error:
        raise ConfigError(ConfigTrouble.UNREADABLE, path, what=error.strerror or error) from error
    except UnicodeDecodeError as error:
        raise ConfigError(ConfigTrouble.NOT_UTF8, path) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(ConfigTrouble.NOT_TOML, path, what=error) from error
    except msgspec.ValidationError as error:
        raise _wrong_value(str(error), given).within(path) from error
    except ConfigError as error:
        raise error.within(path) from error


def _text(path: Path) -> str:
    """Return the text of a configuration file. Raises ConfigError for a file that is larger than
    any configuration, OSError and UnicodeDecodeError.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ConfigError(ConfigTrouble.TOO_LARGE, most=LARGEST_FILE)
    return data.decode("utf-8")


def in_mode(config: AppConfig, mode: Mode) -> AppConfig:
    """Return the configuration with `mode` as its mode. In mode `public`, photographs and matches
    are kept for the usual number of days where the configuration names none.
    """
    if mode is Mode.PUBLIC:
        return replace(
            config,
            mode=mode,
            photo_days=config.photo_days or PUBLIC_PHOTO_DAYS,
            match_days=config.match_days or PUBLIC_MATCH_DAYS,
        )
    return replace(config, mode=mode)


def with_secrets(config: AppConfig) -> AppConfig:
    """Return the configuration with the secrets from the environment.

    Raises ConfigError where a secret is too short, or is needed and missing.
    """
    secret_key, admin_token = _secret(SECRET_KEY), _secret(ADMIN_TOKEN)
    if secret_key is None and (config.mode is Mode.PUBLIC or config.cluster):
        is_public = config.mode is Mode.PUBLIC
        why = ConfigTrouble.NO_KEY_PUBLIC if is_public else ConfigTrouble.NO_KEY_CLUSTER
        raise ConfigError(why, SECRET_KEY)
    return replace(config, secret_key=secret_key, admin_token=admin_token)


def check_store_keys(config: AppConfig) -> None:
    """Raise ConfigError where photographs lie in an S3 store and the environment lacks its keys."""
    for name in STORE_KEYS if config.photos_are_remote else ():
        if not os.environ.get(name):
            raise ConfigError(ConfigTrouble.NO_STORE_KEY, name)


def check_libraries(config: AppConfig) -> None:
    """Raise ConfigError where a library that the configuration needs is not installed."""
    needed = {
        "database": DATABASE_LIBRARIES if config.cluster else (),
        "photos": STORE_LIBRARIES if config.photos_are_remote else (),
    }
    for key, libraries in needed.items():
        for name in libraries:
            if find_spec(name) is None:
                raise ConfigError(ConfigTrouble.NO_LIBRARY, key, name=name)


def _config_of(keys: Keys) -> AppConfig:
    """Return the configuration that the keys of a file ask for, except for the key `mode`: the
    result has the mode `home`, and `in_mode` sets the right mode later. Raises ConfigError.
    """
    database = None if keys.database is None else _database(keys.database)
    cluster = database is not None and database.startswith("postgresql")
    if keys.processes > 1 and not cluster:
        raise ConfigError(ConfigTrouble.ONE_PROCESS, "processes", got=keys.processes)
    photos = keys.photos
    if photos is not None and not _is_place(photos):
        raise ConfigError(ConfigTrouble.PHOTOS, "photos", got=repr(photos))
    if keys.endpoint is not None:
        if not _is_endpoint(keys.endpoint):
            raise ConfigError(ConfigTrouble.ENDPOINT, "endpoint", got=repr(keys.endpoint))
        if not (photos and photos.startswith("s3:")):
            raise ConfigError(ConfigTrouble.ENDPOINT_ALONE, "endpoint")
    return AppConfig(
        database_url=database,
        cluster=cluster,
        photo_store=photos,
        photo_endpoint=keys.endpoint,
        processes=keys.processes,
        trusted_proxies=tuple(map(_proxy, keys.trusted_proxies)),
        photo_days=keys.photo_days,
        match_days=keys.match_days,
        watched_tables=keys.watched_tables,
        quotas=Quotas(**msgspec.structs.asdict(keys.quota)),
    )


def _wrong_value(told: str, given: Mapping[str, Any]) -> ConfigError:
    """Make the error of which msgspec's message `told` tells: a wrong value among those that a file
    has `given`. Its key is written as in TOML.
    """
    found = _PATH.search(told)
    key, told = (found.group(1), told[: found.start()]) if found else ("", told)
    if unknown := _UNKNOWN.match(told):
        known = QuotaKeys if key == "quota" else Keys
        full = ".".join(part for part in (key, unknown.group(1)) if part)
        return ConfigError(ConfigTrouble.NO_SUCH_KEY, full, keys=", ".join(known.__struct_fields__))
    if key in _CHOICES:
        return ConfigError(
            ConfigTrouble.ONE_OF, key, choices=", ".join(_CHOICES[key]), got=shown(given[key])
        )
    if kind := _KIND.fullmatch(told):
        return ConfigError(ConfigTrouble(kind.group(1)), key, got=_value_at(given, key))
    if least := _LEAST.fullmatch(told):
        return ConfigError(
            ConfigTrouble.AT_LEAST, key, least=least.group(1), got=_value_at(given, key)
        )
    if most := _MOST.fullmatch(told):
        return ConfigError(
            ConfigTrouble.AT_MOST, key, most=most.group(1), got=_value_at(given, key)
        )
    return ConfigError(ConfigTrouble.WRONG_VALUE, key, what=told)


def _value_at(given: object, key: str) -> str:
    """Return the value that stands at `key`, such as `quota.photographs_per_match` or
    `trusted_proxies[0]`, as the error shows it.
    """
    for name, number in _STEP.findall(key):
        if isinstance(given, Mapping):
            given = given[name]
        elif isinstance(given, list):
            given = given[int(number)]
    return str(given) if isinstance(given, date | time) else shown(given)


def _database(text: str) -> str:
    try:
        return database_url(text)
    except WrongUrl as error:
        raise _wrong_url(error) from error


def _wrong_url(error: WrongUrl) -> ConfigError:
    if error.bad_port:
        return ConfigError(ConfigTrouble.DATABASE_PORT, "database")
    if error.got is None:
        return ConfigError(ConfigTrouble.DATABASE_SECRET, "database")
    return ConfigError(ConfigTrouble.DATABASE, "database", got=error.got)


def _proxy(text: str) -> str:
    try:
        return network(text)
    except argparse.ArgumentTypeError as error:
        raise ConfigError(ConfigTrouble.NETWORK, "trusted_proxies", got=repr(text)) from error


def _is_place(text: str) -> bool:
    """Whether a text names a place where photographs can be kept."""
    parts = _split(text)
    if parts is None or parts.query or parts.fragment:
        return False
    has_null = "\0" in url2pathname(parts.path)  # which no name of a file can have
    is_folder = parts.scheme == "file" and not parts.netloc and len(parts.path) > 1
    is_bucket = parts.scheme == "s3" and bool(parts.netloc)
    return (is_folder or is_bucket) and not has_null


def _is_endpoint(text: str) -> bool:
    parts = _split(text)
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)


def _split(text: str) -> SplitResult | None:
    """Return the parts of an address; None for a text that is none, also where its port is no
    number.
    """
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises ValueError
        return parts
    except ValueError:
        return None


def _secret(name: str) -> str | None:
    """Return the secret in the environment variable `name`; None where the variable is not set.
    Raises ConfigError for a secret that is too short.
    """
    secret = os.environ.get(name)
    if secret is not None and len(secret) < SHORTEST_SECRET:
        raise ConfigError(ConfigTrouble.SHORT_SECRET, name, least=SHORTEST_SECRET, got=len(secret))
    return secret
