"""Mutated images through `burako read` and through the upload of a running server.

Promise: every file is read or has its sentence; no traceback, no answer of 500, no photograph that
waits for ever, and never more than 700 MB in the server and its children, or in the command.

`python -m tests.attack.images --seconds 30 --seed 1`
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.attack.bad_images import BadImage, bad_image
from tests.attack.disk import unread_after
from tests.attack.house import Device, House, open_house, peak_megabytes
from tests.attack.report import Deadline, Report
from tests.scorer_app.served import PATIENCE

MOST_MEGABYTES = 700
A_BATCH = 20  # images of one command, of one hand
UPLOADS_A_SERVER = 220  # with what is taught, below the limit a minute has for one device
TAKEN_IN = {202, 413, 415}
TAUGHT_EVERY = 4  # one image in so many is also shown to teach a set
LOOKED_AT = {413, 415, 422}  # none of them shows a row from 1 to 13
RUN = "import sys; from scorer_app.cli.main import main; sys.exit(main())"


def run(seconds: float, seed: int, most: int = 10**9) -> Report:
    """Attack the upload for half of the time and the command line for the other half, with `most`
    images in all at most.
    """
    report = Report("images", figures={"read": 0, "uploaded": 0, "MB server": 0, "MB command": 0})
    numbers = count()
    deadline = Deadline(seconds / 2)
    while report.tried < most / 2 and (not deadline.is_over() or not report.tried):
        upload_to_a_server(report, seed, numbers, deadline)
    deadline, uploaded = Deadline(seconds / 2), report.tried
    while report.tried < most and (not deadline.is_over() or report.tried == uploaded):
        read_a_batch(report, [bad_image(seed, next(numbers)) for _ in range(A_BATCH)])
    return report


@contextmanager
def measured(report: Report, figure: str, pid: int) -> Iterator[None]:
    """Note the most memory that a process and its children hold together while the context lasts,
    even for a moment.
    """
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            report.figures[figure] = max(report.figures[figure], peak_megabytes(pid))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        most = report.figures[figure]
        report.expect(most <= MOST_MEGABYTES, f"{figure}: {most:.0f} > {MOST_MEGABYTES}")


# --- the server ---


def upload_to_a_server(
    report: Report, seed: int, numbers: Iterator[int], deadline: Deadline
) -> None:
    """Start a fresh server and upload pictures from one device, as many as it may send
    in a minute.
    """
    with (
        open_house() as house,
        measured(report, "MB server", house.server.process.pid),
    ):
        for _ in range(UPLOADS_A_SERVER // A_BATCH):
            upload_a_batch(report, house, [bad_image(seed, next(numbers)) for _ in range(A_BATCH)])
            if deadline.is_over():
                break
        log = (house.server.data.parent / "server.log").read_text(errors="replace")
        for told in log.split("Traceback")[1:]:
            report.faults.append(f"server: {told.strip().splitlines()[-1][:200]}")


def upload_a_batch(report: Report, house: House, images: list[BadImage]) -> None:
    device = house.devices["host"]
    hand = house.server.post("/score").rsplit("/", 1)[1]
    for photo in device.get(f"/api/hands/{hand}").json()["photos"]:
        device.session.delete(f"{device.base}/api/hands/{hand}/photos/{photo['id']}")
    for image in images:
        status = upload(device, hand, image)
        report.tried += 1
        report.figures["uploaded"] += 1
        report.expect(status in TAKEN_IN, f"upload of {image.name}: {status}")
    for image in images[::TAUGHT_EVERY]:
        status = teach(device, image)
        report.tried += 1
        report.expect(status in LOOKED_AT, f"teaching with {image.name}: {status}")
    stuck = unread_after(device, hand, PATIENCE * 5)
    report.expect(not stuck, f"{stuck} after {images[0].name} to {images[-1].name}")


def upload(device: Device, hand: str, image: BadImage) -> int:
    files = {"photo": ("p.jpg", image.data, "image/jpeg")}
    data = {"side": "A", "place": "melds"}
    return device.post(f"/api/hands/{hand}/photos", files=files, data=data).status_code


def teach(device: Device, image: BadImage) -> int:
    files = {"photo": ("p.jpg", image.data, "image/jpeg")}
    return device.post("/api/sets/photos", files=files).status_code


# --- the command ---


def read_a_batch(report: Report, images: list[BadImage]) -> None:
    with tempfile.TemporaryDirectory(prefix="burako-attack-") as folder:
        paths = [Path(folder) / str(number) for number in range(len(images))]
        for path, image in zip(paths, images, strict=True):
            path.write_bytes(image.data)
        command = [sys.executable, "-c", RUN, "read", "--json", "--as", "loose", *map(str, paths)]
        with (
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
            ) as process,
            measured(report, "MB command", process.pid),
        ):
            try:
                out, told = process.communicate(timeout=PATIENCE * len(images))
            except subprocess.TimeoutExpired:
                process.kill()
                out, told = process.communicate()
                report.faults.append(f"read hangs among {images[0].name} to {images[-1].name}")
    check_lines(report, images, out, told, process.returncode)


def check_lines(report: Report, images: list[BadImage], out: str, told: str, status: int) -> None:
    report.tried += len(images)
    report.figures["read"] += len(images)
    between = f"{images[0].name} to {images[-1].name}"
    report.expect("Traceback" not in told, f"{between}: {told[-300:]}")
    report.expect(status in (0, 1), f"{between}: status {status}")
    lines = [json.loads(line) for line in out.splitlines()]
    report.expect(len(lines) == len(images), f"{between}: {len(lines)} lines")
    for image, line in zip(images, lines, strict=False):
        if image.whole:
            report.expect("tiles" in line, f"{image.name}: {line.get('message')}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack.images", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--images", type=int, default=10**9, metavar="N", help="at most so many")
    asked = parser.parse_args()
    report = run(asked.seconds, asked.seed, asked.images)
    print("\n".join(report.lines()), flush=True)
    return 1 if report.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
