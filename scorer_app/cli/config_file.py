"""The configuration file of `burako serve`, `burako work` and `burako migrate`: TOML, checked key
by key.

Secrets are not in it; they come from the environment.
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import SplitResult, urlsplit
from urllib.request import url2pathname

import msgspec
from msgspec import Meta

from engine.checks import shown
from scorer_app.cli.database_url import database_url
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
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Days = Annotated[int, Meta(ge=1, le=36_500)]
T = TypeVar("T")
_CHOICES: dict[str, type[StrEnum]] = {"mode": Mode}  # by key, where few values are allowed


class ConfigError(Exception):
    """A configuration that cannot be used. `str()` is one sentence that names the key."""


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
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: expected UTF-8, got other bytes") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: expected TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {_named(str(error), given)}") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def _text(path: Path) -> str:
    """Return the text of a configuration file. Raises ConfigError for a file that is larger than
    any configuration, OSError and UnicodeDecodeError.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ConfigError(f"expected at most {LARGEST_FILE} bytes of TOML, got a larger file")
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
        why = "mode public" if config.mode is Mode.PUBLIC else "a database that servers share"
        raise ConfigError(
            f"{SECRET_KEY}: expected in the environment with {why}, got nothing; it signs the"
            " cookies of devices"
        )
    return replace(config, secret_key=secret_key, admin_token=admin_token)


def check_store_keys(config: AppConfig) -> None:
    """Raise ConfigError where photographs lie in an S3 store and the environment lacks its keys."""
    for name in STORE_KEYS if config.photos_are_remote else ():
        if not os.environ.get(name):
            raise ConfigError(f"{name}: expected in the environment with photos s3://, got nothing")


def check_libraries(config: AppConfig) -> None:
    """Raise ConfigError where a library that the configuration needs is not installed."""
    needed = {
        "database": DATABASE_LIBRARIES if config.cluster else (),
        "photos": STORE_LIBRARIES if config.photos_are_remote else (),
    }
    for key, libraries in needed.items():
        for name in libraries:
            if find_spec(name) is None:
                brought = "pip install '.[cluster]' in a checkout brings it"
                raise ConfigError(f"{key}: expected the library {name}, got none; {brought}")


def _config_of(keys: Keys) -> AppConfig:
    """Return the configuration that the keys of a file ask for, except for the key `mode`: the
    result has the mode `home`, and `in_mode` sets the right mode later. Raises ConfigError.
    """
    database = None if keys.database is None else _database(keys.database)
    cluster = database is not None and database.startswith("postgresql")
    if keys.processes > 1 and not cluster:
        raise ConfigError(
            f"processes: expected 1 without a database of PostgreSQL, got {keys.processes}"
        )
    photos = None if keys.photos is None else _checked("photos", keys.photos, _photos)
    if keys.endpoint is not None:
        _checked("endpoint", keys.endpoint, _endpoint)
        if not (photos and photos.startswith("s3:")):
            raise ConfigError("endpoint: expected with photos s3://bucket/prefix alone")
    return AppConfig(
        database_url=database,
        cluster=cluster,
        photo_store=photos,
        photo_endpoint=keys.endpoint,
        processes=keys.processes,
        trusted_proxies=tuple(
            _checked("trusted_proxies", one, network) for one in keys.trusted_proxies
        ),
        photo_days=keys.photo_days,
        match_days=keys.match_days,
        quotas=Quotas(**msgspec.structs.asdict(keys.quota)),
    )


def _named(told: str, given: Mapping[str, Any]) -> str:
    """Make a sentence of `told`, msgspec's message about a wrong value among those that a file has
    `given`. The sentence begins with the key concerned, written as in TOML.
    """
    found = _PATH.search(told)
    key, told = (found.group(1), told[: found.start()]) if found else ("", told)
    if unknown := _UNKNOWN.match(told):
        known = QuotaKeys if key == "quota" else Keys
        full = ".".join(part for part in (key, unknown.group(1)) if part)
        return f"{full}: no such key; expected one of {', '.join(known.__struct_fields__)}"
    if key in _CHOICES:
        return f"{key}: expected one of {', '.join(_CHOICES[key])}, got {shown(given[key])}"
    return f"{key}: {told[:1].lower()}{told[1:]}".replace("`", "")


def _checked(key: str, value: str, check: Callable[[str], T]) -> T:
    try:
        return check(value)
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise ConfigError(f"{key}: {error}, got {value!r}") from error


def _database(text: str) -> str:
    try:
        return database_url(text)
    except ValueError as error:  # says what came, as far as it holds no password
        raise ConfigError(f"database: {error}") from error


def _photos(text: str) -> str:
    parts = _split(text)
    is_folder = parts.scheme == "file" and not parts.netloc and len(parts.path) > 1
    is_bucket = parts.scheme == "s3" and bool(parts.netloc)
    has_null = "\0" in url2pathname(parts.path)  # which no name of a file can have
    if not (is_folder or is_bucket) or parts.query or parts.fragment or has_null:
        raise ValueError("expected file:///folder or s3://bucket/prefix")
    return text


def _endpoint(text: str) -> str:
    parts = _split(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("expected an address such as https://s3.example.org")
    return text


def _split(text: str) -> SplitResult:
    """Return the parts of an address. Raises ValueError for one that is none, also where its port
    is no number.
    """
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises ValueError
        return parts
    except ValueError as error:
        raise ValueError("expected an address") from error


def _secret(name: str) -> str | None:
    """Return the secret in the environment variable `name`; None where the variable is not set.
    Raises ConfigError for a secret that is too short.
    """
    secret = os.environ.get(name)
    if secret is not None and len(secret) < SHORTEST_SECRET:
        expected = f"expected at least {SHORTEST_SECRET} characters nobody can guess"
        raise ConfigError(f"{name}: {expected}, got {len(secret)}")
    return secret
