"""The server is killed by `kill -9` at random moments while hands are entered.

Promise: what it acknowledged is there after the next start, and whole.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.attack.report import Deadline, Report
from tests.scorer_app.services.test_kill import FACES, Player, killed_at_random, stored

MOST = 1_000_000


def run(seconds: float, seed: int) -> Report:
    """Kill servers for `seconds`; every kill is followed by a look at the database file."""
    report, deadline = Report("kills"), Deadline(seconds)
    with tempfile.TemporaryDirectory(prefix="burako-attack-") as folder:
        data = Path(folder) / "data"
        for player in killed_at_random(data, MOST, seed):
            report.tried += 1
            look(report, data, player)
            if deadline.is_over():
                break
        report.expect(
            player.answers > 5 * report.tried,
            f"{player.answers} answers in {report.tried} lives of the server: nothing was tried",
        )
        report.figures["answers"] = player.answers
        report.figures["hands saved"] = len(player.saved)
    return report


def look(report: Report, data: Path, player: Player) -> None:
    """Compare the database file with what was acknowledged.

    A hand may also have been saved although its answer was lost.
    """
    found = stored(data)
    for hand in player.saved:
        whole = found.get(hand) == ("saved", FACES)
        report.expect(whole, f"hand {hand} was acknowledged and is {found.get(hand)}")
    for hand, (state, tiles) in found.items():
        if hand in player.saved:
            continue
        report.expect(tiles == FACES[: len(tiles)], f"hand {hand} holds {tiles}")
        if hand == player.hand:
            report.expect(len(tiles) >= player.tiles, f"hand {hand} lost an acknowledged tile")
        if state == "saved":
            player.saved.append(hand)
