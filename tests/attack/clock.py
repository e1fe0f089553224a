"""The clock of the serving machine jumps while the page is in use (libfaketime, where installed).

Promise: devices that had joined may go on writing, and no photograph is deleted.
"""

from __future__ import annotations

import glob
import tempfile
import time
from pathlib import Path

from tests.attack.house import House, furnish
from tests.attack.report import Deadline, Report
from tests.scorer_app.served import Served

DAY = 86400
STEPS = (-3, -3600, DAY, -400 * DAY, 400 * DAY, 0)  # seconds off the true clock
SESSION = 150 * DAY  # a clock further ahead than this may ask a device to join again
LIBRARIES = "/usr/lib/*/faketime/libfaketimeMT.so.1"


def run(seconds: float, _seed: int) -> Report:
    """Set the clock by each step in turn, until the steps or the `seconds` are used up."""
    report = Report("clock")
    library = next(iter(glob.glob(LIBRARIES)), None)
    if library is None:
        report.left_out = "libfaketime is not installed (Debian: apt install faketime)"
        return report
    with tempfile.TemporaryDirectory(prefix="burako-attack-") as folder:
        told = Path(folder) / "clock"
        told.write_text("+0\n")
        server = Served(
            Path(folder) / "data",
            LD_PRELOAD=library,
            FAKETIME_TIMESTAMP_FILE=str(told),
            FAKETIME_CACHE_DURATION="1",
            FAKETIME_DONT_FAKE_MONOTONIC="1",
        )
        try:
            house, deadline = furnish(server), Deadline(seconds)
            for step in STEPS:
                if deadline.is_over():
                    break
                told.write_text(f"{step:+d}\n")
                time.sleep(1.2)  # until the library looks at the file again
                report.tried += 1
                still_at_home(report, house, step)
        finally:
            server.kill()
    return report


def still_at_home(report: Report, house: House, step: int) -> None:
    """Check that a scorer can tap, and that the first photograph is still shown."""
    scorer, names = house.devices["scorer"], house.names
    tap = {
        "key": f"clock{step}".replace("-", "m"),
        "op": "add_tile",
        "side": "B",
        "place": "rack",
        "face": "7R",
    }
    if step < SESSION:
        answer = scorer.post(f"/api/hands/{names['hand_id']}/edits", json={"edits": [tap]})
        fault = f"clock {step:+d} s: a tap got {answer.status_code}"
        report.expect(answer.status_code == 200, fault)
    shown = house.devices["host"].get(f"/photos/{names['photo_id']}.jpg")
    report.expect(shown.status_code == 200, f"clock {step:+d} s: photograph {shown.status_code}")
