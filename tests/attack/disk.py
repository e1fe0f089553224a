"""The disk is full, and freed again later: the data folder lies on a small memory file system of
its own.

Promise: people get a sentence and lose nothing; once there is room, photographs left unread are
read.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

import requests

from scorer_app.config import AppConfig
from tests.attack.house import Device, furnish
from tests.attack.report import Deadline, Report
from tests.places import SAMPLES
from tests.scorer_app.served import Served

SIZE = "12m"
DONE = ("read", "failed")
LEAST = 3  # tries
# One device sends at most this many photographs a minute; more would be refused, and try nothing.
SECONDS_A_TRY = 60 / AppConfig().uploads_per_minute


def run(seconds: float, _seed: int) -> Report:
    """Fill the disk, send a photograph and taps, free the disk, and check that everything goes
    on.
    """
    report = Report("disk")
    with tempfile.TemporaryDirectory(prefix="burako-attack-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            report.left_out = "mounting a small file system needs root"
            return report
        try:
            fill_and_free(report, Path(folder), Deadline(seconds))
        finally:
            subprocess.run(["umount", "--lazy", folder], check=False)
    return report


def fill_and_free(report: Report, folder: Path, deadline: Deadline) -> None:
    server = Served(folder / "data")
    try:
        devices = furnish(server).devices
        while report.tried < LEAST or not deadline.is_over():
            pace = Deadline(SECONDS_A_TRY)
            # A hand takes a bounded number of photographs and tiles, so each try has its own.
            hand = server.post("/score").rsplit("/", 1)[1]
            try_once(report, folder / "ballast", devices["scorer"], hand)
            clear(devices["host"], hand)
            pace.wait()
    finally:
        server.kill()


def try_once(report: Report, ballast: Path, scorer: Device, hand: str) -> None:
    """Fill the disk before the photograph comes, or (every other time) while it is read."""
    if report.tried % 2:
        fill(ballast)
        statuses = [upload(scorer, hand), tap(scorer, hand, report.tried)]
    else:
        statuses = [upload(scorer, hand)]
        fill(ballast)
        statuses.append(tap(scorer, hand, report.tried))
    report.expect(set(statuses) <= {200, 202, 503, 507}, f"full disk: {statuses}")
    shown = scorer.get(f"/api/hands/{hand}")
    report.expect(shown.status_code == 200, f"full disk: the hand {shown.status_code}")
    ballast.unlink()
    report.tried += 1
    stuck = unread_after(scorer, hand, 30)
    report.expect(not stuck, f"photographs stay {stuck} though there is room again")
    late = tap(scorer, hand, 1000 + report.tried)
    report.expect(late == 200, f"a tap got {late} though there is room again")


def clear(host: Device, hand: str) -> None:
    """Delete the match of a hand, and every photograph: the small disk is for one try at a time."""
    match = host.get(f"/api/hands/{hand}").json()["match"]
    for path in (f"/matches/{match}/delete", "/settings/photos/delete"):
        host.post(path).raise_for_status()


def fill(ballast: Path) -> None:
    """Write until nothing more fits."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(65536))
        except OSError:
            return


def upload(scorer: Device, hand: str) -> int:
    with (SAMPLES / "rack-a.jpg").open("rb") as photo:
        files = {"photo": ("r.jpg", photo, "image/jpeg")}
        data = {"side": "B", "place": "rack"}
        return scorer.post(f"/api/hands/{hand}/photos", files=files, data=data).status_code


def tap(scorer: Device, hand: str, number: int) -> int:
    edit = {
        "key": f"disk{number}",
        "op": "add_tile",
        "side": "A",
        "place": "rack",
        "face": "3B",
    }
    return scorer.post(f"/api/hands/{hand}/edits", json={"edits": [edit]}).status_code


def unread_after(scorer: Device, hand: str, seconds: float) -> list[str]:
    """Return the states of the photographs that are neither read nor failed when the time is
    over.
    """
    deadline = Deadline(seconds)
    while True:
        try:
            photos = scorer.get(f"/api/hands/{hand}").json()["photos"]
        except requests.RequestException as error:
            return [type(error).__name__]
        waiting = [photo["state"] for photo in photos if photo["state"] not in DONE]
        if not waiting or deadline.is_over():
            return waiting
        time.sleep(0.2)
