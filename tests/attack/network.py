"""A server used as a family does, at a slow pace, while every call that it makes to the network is
listed.

Promise: it speaks to the devices that ask it and to nobody else, and keeps nothing in its user's
folders. `python -m tests.attack network --seconds 3600` watches for an hour.
"""

from __future__ import annotations

import ipaddress
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import requests

from tests.attack.disk import unread_after
from tests.attack.house import House, open_house
from tests.attack.report import Deadline, Report
from tests.places import SAMPLES
from tests.scorer_app.served import PATIENCE
from tests.tracing import addressed, can_trace, reached_outside, traced, when_ended

PACE = 1.0  # seconds between two requests
HOST_PAGES = (
    "/",
    "/settings",
    "/matches/statistics",
    "/matches/{match_id}",
    "/matches/{match_id}/others",
    "/matches/{match_id}/table",
    "/matches/{match_id}/export.json",
    "/hands/{hand_id}",
    "/api/hands/{hand_id}",
)
FOLDERS = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


def run(seconds: float, _seed: int) -> Report:
    """Use the server for `seconds` and judge what it did."""
    report = Report("network")
    if not can_trace():
        report.left_out = "no strace here"
        return report
    with tempfile.TemporaryDirectory(prefix="burako-attack-") as folder:
        home, trace = Path(folder) / "home", Path(folder) / "trace"
        home.mkdir()
        # Programs in continuous integration often send no telemetry: the server is told of none.
        environment = ["env", "-u", "CI", *(f"{name}={home}" for name in FOLDERS)]
        under = [*environment, *traced(trace)]
        with open_house("--host", "0.0.0.0", under=under) as house:
            use(report, house, Deadline(seconds))
            house.server.process.terminate()
            house.server.process.wait(PATIENCE)
        when_ended(trace)
        judge(report, home, trace)
    return report


def use(report: Report, house: House, deadline: Deadline) -> None:
    """Do one of the things of `day_at_home` after the other until the deadline, and each at least
    once.
    """
    steps = list(day_at_home(house))
    for number in count():
        if deadline.is_over() and number >= len(steps):
            return
        answer = steps[number % len(steps)]()
        report.tried += 1
        path = answer.request.path_url
        report.expect(answer.ok, f"{path}: {answer.status_code} {answer.text[:80]}")
        time.sleep(min(PACE, deadline.left()))


def day_at_home(house: House) -> Iterator[Callable[[], requests.Response]]:
    """Yield the things that people do, as functions: look at pages, edit, photograph, watch a
    table, follow from another phone.
    """
    host, scorer = house.devices["host"], house.devices["scorer"]
    hand = f"/api/hands/{house.names['hand_id']}"
    for page in HOST_PAGES:
        yield lambda page=page: host.get(page.format(**house.names))
    yield lambda: host.get(f"/v/{house.names['viewer_token']}")
    yield lambda: host.get(f"/v/{house.names['viewer_token']}/live/state")
    yield lambda: scorer.post(f"{hand}/edits", json={"edits": [tap()]})
    yield lambda: scorer.post(f"{hand}/undo")
    yield lambda: photograph(house, hand)
    frame = f"/api/live/{house.names['match_id']}/frame?camera=one"
    for sample in sorted(SAMPLES.glob("*.jpg")):
        yield lambda sample=sample: scorer.post(
            frame, data=sample.read_bytes(), headers={"Content-Type": "image/jpeg"}
        )


def tap() -> dict[str, str]:
    key = f"tap{time.monotonic_ns()}"
    return {"key": key, "op": "add_tile", "side": "B", "place": "rack", "face": "5K"}


def photograph(house: House, hand: str) -> requests.Response:
    """Upload a photograph, wait until it is read, and delete it again."""
    scorer = house.devices["scorer"]
    sent = scorer.post(
        f"{hand}/photos",
        files={"photo": ("p.jpg", (SAMPLES / "rack-a.jpg").read_bytes(), "image/jpeg")},
        data={"side": "A", "place": "rack"},
    )
    if not sent.ok:
        return sent
    unread_after(scorer, hand.rsplit("/", 1)[1], PATIENCE)
    last = scorer.get(hand).json()["photos"][-1]["id"]
    return scorer.session.delete(f"{scorer.base}{hand}/photos/{last}", timeout=PATIENCE)


def judge(report: Report, home: Path, trace: Path) -> None:
    """Check that nothing has gone out to the network, and that nothing lies in the user's
    folders.
    """
    named = addressed(trace)
    report.figures["calls with an address"] = named.total()
    for host, calls in named.items():
        if not ipaddress.ip_address(host).is_loopback:
            report.figures[f"naming {host}"] = calls
    outside = reached_outside(trace)
    report.figures["outside the house"] = len(outside)
    report.expect(not outside, "; ".join(outside[:5]))
    kept = [str(path.relative_to(home)) for path in home.rglob("*")]
    report.expect(not kept, f"kept in the user's folders: {', '.join(kept[:5])}")
