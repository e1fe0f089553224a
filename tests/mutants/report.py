"""The share of mutants killed, with its interval, and the list of survivors with their reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

from tests.places import PROJECT

SURVIVORS = Path(__file__).with_name("SURVIVORS.md")
OPEN = "?"  # stands where nobody has said yet why no test kills the mutant
HEAD = """\
# Mutants that no test kills

`make mutants` writes this list. The reason below each is written by hand and kept: *equivalent*
where the mutant does the same as the code, `?` where a test is still to be written.
"""
ENTRY = re.compile(r"- (?P<identity>.+?)  \n  (?P<reason>.+)")


def interval(killed: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, as two numbers from 0 to 1."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, killed / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    spread = math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    half = z * spread / (1 + z * z / total)
    return middle - half, middle + half


def summary(results: Mapping[str, bool], reasons: Mapping[str, str]) -> str:
    """Write how many of all mutants were killed; those said to be equivalent are counted apart."""
    survivors = [identity for identity, killed in results.items() if not killed]
    equivalent = [one for one in survivors if reasons.get(one, OPEN).startswith("equivalent")]
    lines = [_share("killed", len(results) - len(survivors), len(results))]
    if equivalent:
        judged = len(results) - len(equivalent)
        lines.append(_share("without equivalent ones", len(results) - len(survivors), judged))
    unexplained = sum(reasons.get(one, OPEN) == OPEN for one in survivors)
    lines.append(f"survivors: {len(survivors)}, of which without a reason: {unexplained}")
    return "\n".join(lines)


def _share(name: str, part: int, total: int) -> str:
    low, high = interval(part, total)
    percent = 100 * part / total if total else 0.0
    return f"{name}: {part} of {total}, {percent:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def read_reasons(path: Path = SURVIVORS) -> dict[str, str]:
    """Read from the list of survivors the reason of each, by the mutant's identity."""
    text = path.read_text("utf-8") if path.is_file() else ""
    return {entry["identity"]: entry["reason"] for entry in ENTRY.finditer(text)}


def write_survivors(results: Mapping[str, bool], path: Path = SURVIVORS) -> None:
    """Write the list of survivors: new ones are added, killed ones and those whose line is no
    longer in its file are removed.
    """
    kept = {one: reason for one, reason in read_reasons(path).items() if _still_there(one)}
    for identity, killed in results.items():
        if killed:
            kept.pop(identity, None)
        else:
            kept.setdefault(identity, OPEN)
    lines = [f"- {identity}  \n  {kept[identity]}" for identity in sorted(kept)]
    path.write_text("\n".join([HEAD, *lines]) + "\n", "utf-8")


def _still_there(identity: str) -> bool:
    """Whether the code that the mutant changes is in its file."""
    name, _, change = identity.partition(": ")
    before = change.partition(": `")[2].partition("` -> `")[0]
    file = PROJECT / name
    if not file.is_file():
        return False
    return before in " ".join(map(str.strip, file.read_text("utf-8").splitlines()))
