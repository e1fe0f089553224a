"""How fast the page answers: `python -m tests.scorer_app.bench_page [PHOTOGRAPHS]`. One line a figure, each beside its goal.

The server is a process of its own, as `burako serve` runs it; the clients are threads of this one, all on this machine.
"""

from __future__ import annotations

import http.client
import io
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from PIL import Image

from .served import Served
from .test_hand_api import CANASTA

CLIENTS, REQUESTS = 20, 40
SAMPLES = Path(__file__).resolve().parents[2] / "scorer_app" / "static" / "samples"


class Client:
    """A device that keeps its connection open."""

    def __init__(self, server: Served) -> None:
        self.connection = http.client.HTTPConnection(server.base.removeprefix("http://"))
        session = self.ask("GET", "/api/session")
        self.cookie, self.token = session.getheader("Set-Cookie", "").split(";")[0], json.loads(session.body)["csrf"]

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> Any:
        headers = {"Content-Type": kind}
        if hasattr(self, "token"):
            headers |= {"X-CSRF-Token": self.token, "Cookie": self.cookie}
        try:
            self.connection.request(method, path, body, headers)
            answer: Any = self.connection.getresponse()
        except http.client.RemoteDisconnected:  # kept open too long without a word: once more
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
        answer.body = answer.read()
        return answer

    def edit(self, hand: str, *operations: dict[str, Any]) -> Any:
        edits = [{"key": f"{time.perf_counter_ns()}", **operation} for operation in operations]
        return self.ask("POST", f"/api/hands/{hand}/edits", json.dumps({"edits": edits}).encode())

    def photograph(self, hand: str, side: str, data: bytes) -> Any:
        parts = [f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
                 for name, value in (("side", side), ("place", "melds"))]  # fmt: skip
        head = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
        body = b"".join([*parts, head, data, b"\r\n--b--\r\n"])
        return self.ask("POST", f"/api/hands/{hand}/photos", body, "multipart/form-data; boundary=b")

    def until_read(self, hand: str, count: int) -> Any:
        while True:
            view = json.loads(self.ask("GET", f"/api/hands/{hand}").body)
            if sum(photo["state"] in ("read", "failed") for photo in view["photos"]) >= count:
                return view
            time.sleep(0.02)


def tell(name: str, figure: float, unit: str, goal: float) -> None:
    print(f"{'ok  ' if figure <= goal else 'OVER'} {name}: {figure:.1f} {unit} (goal {goal:g})", flush=True)


def timed(job: Callable[[], Any]) -> float:
    started = time.perf_counter()
    job()
    return (time.perf_counter() - started) * 1000


def answers(server: Served, hand: str, match: str) -> None:
    """Milliseconds of pages and edits, alone and with 20 clients at once."""

    def work(client: Client) -> list[float]:
        paths = [f"/api/hands/{hand}", f"/matches/{match}", f"/hands/{hand}", "/"]
        return [timed(lambda path=path: client.ask("GET", path)) for path in paths * (REQUESTS // 4)]  # type: ignore[misc]

    def tap(client: Client) -> list[float]:
        muerto = [{"op": "set_muerto", "side": "B", "taken": bool(turn % 2)} for turn in range(REQUESTS // 2)]
        return [timed(lambda one=one: client.edit(hand, one)) for one in muerto]  # type: ignore[misc]

    for name, job in (("reading", work), ("an edit", tap)):
        for clients in (1, CLIENTS):
            devices = [Client(server) for _ in range(clients)]
            with ThreadPoolExecutor(clients) as pool:
                times = [figure for figures in pool.map(job, devices) for figure in figures]
            tell(f"{name}, {clients} clients, median", median(times), "ms", 30)
            tell(f"{name}, {clients} clients, p95", quantiles(times, n=20)[-1], "ms", 30)


def photographs(server: Served, client: Client, memory_after: int) -> None:
    """From sending a 12 MP photograph to its reading; then four at once with the tally asked for meanwhile; then memory."""
    with Image.open(SAMPLES / "melds-a.jpg") as sample:
        out = io.BytesIO()
        sample.resize((4032, 3024)).save(out, "JPEG", quality=90)
    times = []
    hand = begin(client)
    for turn in range(1, 6):
        times.append(timed(lambda turn=turn: (client.photograph(hand, "A", out.getvalue()), client.until_read(hand, turn))))  # type: ignore[misc]
    tell("12 MP photograph to its reading, median", median(times), "ms", 1000)
    for _ in range(4):
        client.photograph(hand, "A", out.getvalue())
    meanwhile = [timed(lambda: client.ask("GET", "/")) for _ in range(50)]
    tell("the first page while four are read, p95", quantiles(meanwhile, n=20)[-1], "ms", 30)
    tell("failed of four at once", sum(photo["state"] == "failed" for photo in client.until_read(hand, 9)["photos"]), "", 0)
    tell(f"memory after {9 + memory_after} photographs", many(server, client, memory_after), "MB", 600)


def many(server: Served, client: Client, count: int) -> float:
    """Megabytes held once so many more photographs have been read, a dozen a hand."""
    data = (SAMPLES / "melds-b.jpg").read_bytes()
    for start in range(0, count, 12):
        hand = begin_another(client)
        for _ in range(min(12, count - start)):
            client.photograph(hand, "A", data)
        client.until_read(hand, min(12, count - start))
    return resident(server.process.pid)


def begin_another(client: Client) -> str:
    form = b"side_a=A&side_b=B&players=4&ruleset=burako"
    match = client.ask("POST", "/matches/new", form, "application/x-www-form-urlencoded").getheader("Location")
    location: str = client.ask("POST", f"{match}/hands").getheader("Location")
    return location.rsplit("/", 1)[1]


def begin(client: Client) -> str:
    location: str = client.ask("POST", "/score").getheader("Location")
    return location.rsplit("/", 1)[1]


def resident(process: int) -> float:
    """Megabytes held by the process; 0 where the system does not say."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found.group(1)) / 1024 if found else 0.0


def weight(client: Client, path: str) -> float:
    """Kilobytes of a first view: the page and all it loads."""
    seen, waiting = {}, [path]
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        text = client.ask("GET", address).body
        seen[address] = len(text)
        here = address.rsplit("/", 1)[0]
        found = re.findall(rb'(?:src|href)="(/static/[^"]+\.(?:js|css|svg))"', text) if "." not in address else []
        inner = re.findall(rb'from "\./([\w.]+)"', text) if address.endswith(".js") else []
        waiting += [name.decode() for name in found] + [f"{here}/{name.decode()}" for name in inner]
    return sum(seen.values()) / 1024


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        server = Served(Path(folder))
        client = Client(server)
        hand = begin(client)
        client.edit(hand, *({"op": "add_tile", "side": "A", "place": "melds", "face": face} for face in CANASTA.split()))
        view = json.loads(client.edit(hand, {"op": "set_end", "end": "close", "closed_by": "A"}).body)
        tell("first view, the first page", weight(client, "/"), "KB", 150)
        tell("first view, a hand", weight(client, f"/hands/{hand}"), "KB", 150)
        answers(server, hand, view["match"])
        photographs(server, client, int(arguments[0]) if arguments else 40)
        server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
