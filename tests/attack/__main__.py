"""`python -m tests.attack [--seconds 90] [--seed 1] [PART ...]`: attacks a server and prints what
was found.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from tests.attack import api, clock, disk, images, kills, network, sockets
from tests.attack.report import Report

PARTS: dict[str, tuple[Callable[[float, int], Report], float]] = {
    # how it is run, and its share of the time
    "api": (api.run, 0.25),
    "images": (images.run, 0.25),
    "sockets": (sockets.run, 0.15),
    "kills": (kills.run, 0.15),
    "disk": (disk.run, 0.1),
    "network": (network.run, 0.05),
    "clock": (clock.run, 0.05),
}


def main() -> int:
    """Run the parts asked for; return 1 where one found a fault, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seconds", type=float, default=600, help="time for all of it together")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    unknown = set(asked.parts) - PARTS.keys()
    if unknown:
        parser.error(f"expected parts among {', '.join(PARTS)}, got {', '.join(sorted(unknown))}")
    names = asked.parts or list(PARTS)
    whole = sum(PARTS[name][1] for name in names)
    faults = 0
    for name in names:
        attack, share = PARTS[name]
        begun = time.monotonic()
        report = attack(asked.seconds * share / whole, asked.seed)
        report.expect(bool(report.tried or report.left_out), "nothing was tried")
        report.figures["s"] = round(time.monotonic() - begun)
        print("\n".join(report.lines()), flush=True)
        faults += len(report.faults)
    print(f"{len(names)} parts, {faults} faults", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
