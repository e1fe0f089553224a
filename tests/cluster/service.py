"""A whole cluster on one machine, for tests: PostgreSQL, an S3 store, readers, pages, and nginx in
front of them as `scorer_app/serving/deploy/nginx.conf` has it.

`python -m tests.cluster.service` starts one, says where it is, and ends it at Ctrl-C.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scorer_app.serving.certificate import ensure_certificate
from tests.cluster.postgresql import Server, postgresql
from tests.cluster.weed import KEYS, Weed, free_ports, weed
from tests.places import PROJECT

DEPLOY = PROJECT / "scorer_app" / "serving" / "deploy"
PATIENCE = 90.0  # seconds for a start or an end
RUN = "import sys; from scorer_app.cli.main import main; sys.exit(main())"
PAGES, READERS = 2, 1  # processes
SECRETS = {"BURAKO_SECRET_KEY": "s" * 32, "BURAKO_ADMIN_TOKEN": "a" * 32}


class Program:
    """One running program of the cluster; what it prints goes to a log file."""

    def __init__(self, folder: Path, name: str, *command: str) -> None:
        self.log = folder / f"{name}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, env=os.environ | KEYS | SECRETS, stdout=log, stderr=log
            )

    def children(self, named: bytes = b"spawn_main") -> list[int]:
        """Return the processes that the program has started whose command contains `named`."""
        parent = self.process.pid
        found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [int(one) for one in found if named in _command(one)]

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def _command(process: str) -> bytes:
    """Return the command line of a process; empty once it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def page_node(folder: Path, name: str, file: Path, ports: list[int]) -> Program:
    """Start the page processes of one machine by a configuration file. `ports` are the port that
    they share and, after it, one for each process.
    """
    serve = ("serve", "--config", str(file), "--host", "127.0.0.1", "--port", str(ports[0]))
    data = ("--data", str(folder / f"{name}-data"))
    return Program(folder, name, sys.executable, "-c", RUN, *serve, *data)


def nginx_before(folder: Path, fronts: Sequence[int], nodes: list[list[int]]) -> Program:
    """Start nginx at two ports, without TLS and with it, before page nodes of these ports."""
    file = folder / "nginx.conf"
    file.write_text(nginx_configuration(folder, fronts, nodes))
    return Program(folder, "nginx", "nginx", "-p", str(folder), "-c", str(file))


class Service:
    """A running cluster.

    `url` is nginx's address and `secure_url` that with TLS; `page_ports` are the shared port of the
    pages and their own ones. `more` is TOML at the end of the pages' configuration.
    """

    def __init__(
        self, folder: Path, database: Server, store: Weed, mode: str, more: str = ""
    ) -> None:
        self.folder, self.database, self.store = folder, database, store
        self.page_ports = free_ports(1 + PAGES, together=True)
        fronts = free_ports(2, after=self.page_ports[-1])
        self.url, self.secure_url = (
            f"{scheme}://127.0.0.1:{port}"
            for scheme, port in zip(("http", "https"), fronts, strict=True)
        )
        self.file = folder / "cluster.toml"
        self.file.write_text(
            f'mode = "{mode}"\ndatabase = "{database.url}"\n'
            f'photos = "s3://burako/photographs"\nendpoint = "{store.endpoint}"\n'
            f'processes = {PAGES}\ntrusted_proxies = ["127.0.0.1"]\n{more}'
        )
        readers = folder / "readers.toml"
        readers.write_text(
            self.file.read_text().replace(f"processes = {PAGES}", f"processes = {READERS}")
        )
        self.pages = page_node(folder, "pages", self.file, self.page_ports)
        self.readers = Program(
            folder, "readers", sys.executable, "-c", RUN, "work", "--config", str(readers)
        )
        self.nginx = nginx_before(folder, fronts, [self.page_ports])

    def wait(self) -> None:
        """Wait until nginx and every page process answer."""
        end = time.monotonic() + PATIENCE
        for base in (self.url, *(f"http://127.0.0.1:{port}" for port in self.page_ports)):
            while not answers(base):
                assert time.monotonic() < end, (base, self.pages.log.read_text()[-3000:])
                time.sleep(0.1)

    def end(self) -> None:
        for program in (self.nginx, self.pages, self.readers):
            program.end()


@contextmanager
def service(mode: str = "home", more: str = "") -> Iterator[Service]:
    """Run a cluster over an empty database, and yield it."""
    with ExitStack() as ending:
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="burako-service-")))
        database, store = ending.enter_context(postgresql()), ending.enter_context(weed())
        running = Service(folder, database, store, mode, more)
        ending.callback(running.end)
        running.wait()
        yield running


def nginx_configuration(folder: Path, fronts: Sequence[int], nodes: list[list[int]]) -> str:
    """Return the configuration of nginx that the deploy folder shows to users, for programs of this
    machine alone.

    It has other addresses, a certificate of its own, and a port without TLS as well. `nodes` has
    the ports of one page node or both.
    """
    site = (DEPLOY / "nginx.conf").read_text()
    site, count = re.subn(r"^server \{\n    listen 80;.*?^\}\n", "", site, flags=re.M | re.S)
    assert count == 1
    for name, path in zip(("fullchain", "privkey"), ensure_certificate(folder), strict=True):
        site = re.sub(rf"/etc/letsencrypt/\S+/{name}\.pem", str(path), site)
    plain, secure = (f"listen 127.0.0.1:{port}" for port in fronts)
    site = site.replace("listen 443 ssl;", f"{plain}; {secure} ssl;")
    for address, ports in zip(("10.0.0.11", "10.0.0.12"), nodes, strict=False):
        for told, port in zip((8080, 8081, 8082), ports, strict=True):
            site = site.replace(f"{address}:{told} ", f"127.0.0.1:{port} ")
    if len(nodes) == 1:
        site = re.sub(r"^.*server 10\.0\.0\.12:.*\n", "", site, flags=re.M)
    assert "10.0.0" not in site and "letsencrypt" not in site, site
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log stderr;\nworker_processes 2;\n"
        + ("user root;\n" if os.geteuid() == 0 else "")
        + "events { worker_connections 2048; }\nhttp {\n    access_log off;\n"
        + f"{temporary}{site}}}\n"
    )


def answers(base: str) -> bool:
    """Whether a server at this address is ready."""
    try:
        with urllib.request.urlopen(f"{base}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def main() -> int:
    if shutil.which("nginx") is None:
        print("tests.cluster.service: found no nginx; on Debian: apt-get install nginx")
        return 1
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
    with service() as running:
        print(f"Burako: {running.url}/ , what its programs say is in {running.folder}", flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
