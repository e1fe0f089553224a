"""A PostgreSQL of its own for tests, over a folder that is deleted afterwards.

`python -m tests.cluster.postgresql COMMAND...` starts one, runs the command with its address in
BURAKO_TEST_POSTGRESQL, and returns the command's exit status. The programs are those of Debian's
package `postgresql`; as PostgreSQL refuses to run as root, root starts it under the package's own
account.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ACCOUNT = "postgres"
PATIENCE = 60  # seconds for a start or an end
DEBIAN = Path("/usr/lib/postgresql")
# Nothing of it outlives the test, so nothing need reach the disk.
OPTIONS = "-c listen_addresses='' -c fsync=off -c full_page_writes=off -c max_connections=200"


class NoPostgreSQL(Exception):
    """No PostgreSQL is installed here. `str()` is a sentence that says so."""


class Server:
    """A running PostgreSQL, which listens to a socket in its folder alone."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        self._programs = _programs()
        self._as_owner("initdb", "--pgdata", self.data, "--auth", "trust", "--encoding", "UTF8")

    @property
    def url(self) -> str:
        """The address of the server's database, as SQLAlchemy writes it."""
        return f"postgresql+psycopg://{_owner()}@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = f"{OPTIONS} -c unix_socket_directories={self.folder}"
        self._control("start", "--options", options, "--log", self.folder / "log")

    def stop(self, how: str = "fast") -> None:
        """Stop the server: `fast` cuts its connections, `immediate` ends it as a power
        cut would.
        """
        self._control("stop", "--mode", how)

    def _control(self, *arguments: Any) -> None:
        self._as_owner("pg_ctl", "--pgdata", self.data, "--wait", "--timeout", PATIENCE, *arguments)

    def _as_owner(self, program: str, *arguments: Any) -> None:
        command = [str(part) for part in (self._programs / program, *arguments)]
        with (self.folder / "commands.log").open("ab") as log:
            subprocess.run(
                command,
                check=True,
                cwd=self.folder,
                user=_owner() if os.geteuid() == 0 else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )


@contextmanager
def postgresql() -> Iterator[Server]:
    """Run a server with an empty database, and yield it. Raises NoPostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="burako-postgresql-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, ACCOUNT)
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _owner() -> str:
    if os.geteuid() == 0:
        return ACCOUNT
    import pwd

    return pwd.getpwuid(os.geteuid()).pw_name


def _programs() -> Path:
    """Return the folder of the newest PostgreSQL's programs. Raises NoPostgreSQL."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if not versions:
        raise NoPostgreSQL("found no PostgreSQL; on Debian: apt-get install postgresql")
    return versions[-1].parent


def main(command: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(1))  # it is ended on the way out
    try:
        with postgresql() as server:
            known = os.environ | {"BURAKO_TEST_POSTGRESQL": server.url}
            return subprocess.run(command, env=known).returncode
    except NoPostgreSQL as error:
        print(f"tests.cluster.postgresql: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
