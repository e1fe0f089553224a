"""The settings of a server, and where its data lie by default."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import URL


def default_data_dir() -> Path:
    """Return the platform's folder for a user's application data; the variable `BURAKO_DATA`
    overrides it.
    """
    if given := os.environ.get("BURAKO_DATA"):
        return Path(given)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Burako"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Burako"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "burako"


@dataclass(frozen=True)
class AppConfig:
    """The settings of one server. Times are in seconds; sizes are bytes, pixels or counts, as their
    names say.
    """

    data_dir: Path = field(default_factory=default_data_dir)
    database_url: str | None = None  # any SQLAlchemy URL; None: SQLite inside data_dir
    # signs the cookies of devices; None: a key made on first use and kept in data_dir
    secret_key: str | None = field(default=None, repr=False)
    https: bool = False
    only_here: bool = False  # served to this machine alone: others cannot be invited
    allowed_hosts: frozenset[str] = frozenset()  # host names beyond this machine's own
    host_by_token: bool = False  # at the serving machine itself, too, only the token makes a host
    # addresses or networks (CIDR) of proxies whose X-Forwarded-For and -Proto are believed
    trusted_proxies: tuple[str, ...] = ()
    # of a match begun with one tap; None: the usual one of the language it is begun in
    ruleset: str | None = None
    upload_bytes: int = 40 * 2**20  # a 48 MP JPEG of a phone has 12-25 MB
    import_bytes: int = 8 * 2**20  # a match's JSON; 400 hands of 68 tiles have about 5 MB
    set_bytes: int = 13 * 2**20  # a set of tiles as a file, with what a form adds to it
    upload_pixels: int = 64_000_000
    photos_per_hand: int = 24
    uploads_per_minute: int = 300  # of one device; the queue reads them one by one
    frame_bytes: int = 4 * 2**20  # of one frame of a watched table
    frame_pixels: int = 2_500_000  # the page sends 1280x720
    frames_per_minute: int = 1200  # of one device; the page sends 5-8 a second
    # Cameras on this server that every scorer may watch with: numbers, addresses, video files.
    cameras: tuple[str, ...] = ()
    join_attempts_per_minute: int = 6
    # longest side of a kept photograph, pixels; the page shrinks to the same before it sends
    stored_side: int = 3072
    reading_limit: float = 10.0  # past it the page says so and offers to read again
    readers: int = 1  # photographs read at once; the network itself uses several cores
    lock_patience: float = 5.0  # how long a write waits for another to end
    watchers: int = 300  # open event streams

    @property
    def database(self) -> str:
        """The URL of the database. Characters with a meaning in URLs are escaped in the directory's
        name.
        """
        path = (self.data_dir / "burako.sqlite3").as_posix()
        return self.database_url or URL.create("sqlite", database=path).render_as_string()

    @property
    def photo_dir(self) -> Path:
        return self.data_dir / "photos"
