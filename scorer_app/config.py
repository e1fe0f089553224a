"""The settings of a server, and where its data lie by default."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from sqlalchemy import URL, make_url


class Mode(StrEnum):
    """Whom a server serves. `HOME` is for one household, whose devices see all matches. `PUBLIC` is
    for anybody: a device sees only the matches whose links it holds.
    """

    HOME = "home"
    PUBLIC = "public"


@dataclass(frozen=True)
class Quotas:
    """Limits of a public server: what it accepts from one network address in a day, and for one
    match.
    """

    matches_per_address_per_day: int = 30
    photographs_per_address_per_day: int = 600
    photographs_per_match: int = 400


def default_data_dir() -> Path:
    """Return the platform's folder for a user's application data; the variable `BURAKO_DATA`
    overrides it. The variables that the platform has for such folders count only where they name an
    absolute path, since matches must not depend on the present folder.
    """
    if given := os.environ.get("BURAKO_DATA"):
        return Path(given)
    home = Path.home()
    if sys.platform == "win32":
        return _folder_in("LOCALAPPDATA", home / "AppData" / "Local") / "Burako"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Burako"
    return _folder_in("XDG_DATA_HOME", home / ".local" / "share") / "burako"


def _folder_in(variable: str, usual: Path) -> Path:
    """Return the folder that a variable of the environment names; `usual` where it names none by an
    absolute path.
    """
    folder = Path(os.environ.get(variable, ""))
    return folder if folder.is_absolute() else usual


@dataclass(frozen=True)
class AppConfig:
    """The settings of one server. Times are in seconds where the name tells no other unit; sizes
    are bytes, pixels or counts, as their names say.
    """

    data_dir: Path = field(default_factory=default_data_dir)
    mode: Mode = Mode.HOME
    database_url: str | None = None  # any SQLAlchemy URL; None: SQLite inside data_dir
    # Whether several processes, on one machine or several, share the database, a PostgreSQL.
    cluster: bool = False
    # file:///folder or s3://bucket/prefix; None: a folder inside data_dir
    photo_store: str | None = None
    photo_endpoint: str | None = None  # address of the S3 store; None: Amazon's
    processes: int = 1  # number of processes that serve pages, or that read photographs
    # Days that photographs are kept; None: as many as the settings page says.
    photo_days: int | None = None
    match_days: int | None = None  # days that matches are kept; None: for ever
    quotas: Quotas = Quotas()
    # password of the page for whoever runs a public server; None: nobody may open that page
    admin_token: str | None = field(default=None, repr=False)
    # signs the cookies of devices; None: a key made on first use and kept in data_dir
    secret_key: str | None = field(default=None, repr=False)
    https: bool = False
    only_here: bool = False  # served to this machine alone: others cannot be invited
    allowed_hosts: frozenset[str] = frozenset()  # host names beyond this machine's own
    # Whether a browser on the serving machine needs the token, too, before it counts as the host.
    host_by_token: bool = False
    # addresses or networks (CIDR) of proxies whose X-Forwarded-For and -Proto are believed
    trusted_proxies: tuple[str, ...] = ()
    # ruleset of a match begun with one tap; None: the usual one for the language of the page
    ruleset: str | None = None
    upload_bytes: int = 40 * 2**20  # a 48 MP JPEG of a phone has 12-25 MB
    import_bytes: int = 8 * 2**20  # a match's JSON; 400 hands of 68 tiles have about 5 MB
    set_bytes: int = 13 * 2**20  # a set of tiles as a file, with what an upload form adds to it
    upload_pixels: int = 64_000_000
    photos_per_hand: int = 24
    uploads_per_minute: int = 300  # from one address; the queue reads them one by one
    frame_bytes: int = 4 * 2**20  # one frame of a watched table
    frame_pixels: int = 2_500_000  # the page sends 1280x720
    frames_per_minute: int = 1200  # from one address; the page sends 5-8 a second
    watched_tables: int = 4  # at once in one process; each holds a few megabytes
    # Cameras on this server that every scorer may watch with: numbers, addresses, video files.
    cameras: tuple[str, ...] = ()
    join_attempts_per_minute: int = 6  # from one address; right codes do not count
    # longest side of a kept photograph, pixels; the page shrinks photographs to it before sending
    stored_side: int = 3072
    reading_limit: float = 10.0  # after this time the page says so and offers to read again
    readers: int = 1  # photographs read at once; the network itself uses several cores
    lock_patience: float = 5.0  # how long a write to the database waits for another to end
    watchers: int = 300  # most event streams open at once

    @property
    def database(self) -> str:
        """The URL of the database: the configured one, or else that of an SQLite file in
        `data_dir`. In the URL of that file, characters of the folder's name that have a meaning in
        URLs are escaped.
        """
        path = (self.data_dir / "burako.sqlite3").as_posix()
        return self.database_url or URL.create("sqlite", database=path).render_as_string()

    @property
    def unused_database(self) -> Path | None:
        """The database file in `data_dir` if there is one and another database is configured.
        Whoever looks for its matches should know, and photographs in `data_dir` may be its own.
        """
        path = self.data_dir / "burako.sqlite3"
        url = make_url(self.database)
        named = Path(str(url.database).removeprefix("file:"))  # a path or a `file:` address
        is_used = url.get_backend_name() == "sqlite" and named.resolve() == path.resolve()
        return path if path.is_file() and not is_used else None

    @property
    def prepared_dir(self) -> Path:
        """The folder in which is kept what was worked out for sets of tiles, to read with them
        sooner. Nothing is lost with it.
        """
        return self.data_dir / "prepared_sets"

    @property
    def photo_dir(self) -> Path:
        """The folder of the photographs. Where they lie in an S3 store, it holds only copies that
        are being received or worked on.
        """
        if self.photo_store and not self.photos_are_remote:
            return Path(url2pathname(urlsplit(self.photo_store).path))
        return self.data_dir / "photos"

    @property
    def photos_are_remote(self) -> bool:
        """Whether photographs lie in an S3 store instead of a folder."""
        return bool(self.photo_store) and urlsplit(self.photo_store).scheme == "s3"
