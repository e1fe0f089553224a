"""From the networks of cards to that which tells what lies between neighbours of a column: `python
-m models.recipes.column_gaps --out DIR --models DIR [--minutes 150]`.

Its stages are those of `models.recipes.column_ends`, but for what is collected: cards that lie
beside each other in the columns told, and pairs with the card between them withheld.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.recipes.columns import A_HAND, Place, Sample, class_of, collect, listed
from models.recipes.command import run_command
from models.recipes.on_hands import LAID_ANYHOW, OnHands
from models.recipes.scenes import NONE
from vision.cards.card import Card
from vision.cards.column_ends import JOLLY, NOTHING
from vision.cards.column_gaps import AROUND, between
from vision.cards.known_marks import KnownMarks
from vision.grouping import Indices

SEED = 305  # of the hands, on which no network of cards was trained


def gaps_on(
    rows: list[Indices],
    cards: list[Card],
    places: list[Place | None],
    columns: list[list[str]],
    known: KnownMarks,
) -> list[Sample]:
    """List the gaps between cards of the columns `rows` that were told of a picture, as windows
    with what lies there: between neighbours as they were told, and between two cards of which the
    one between them is withheld.

    `cards` are all that were told, and `places` are where they truly lie, None where there is no
    card of a column. `columns` are the true ones, and `known` the marks of `rows`. Left out are
    two cards of which one lies in no column, that lie in two columns, that are one card, or between
    which more than one card lies. In doubt are gaps in which a card lies that was not told, or
    nothing although a card was told, and those in which a jolly lies.
    """
    told = list[Sample]()
    for row in rows:
        for apart in (1, 2):
            for at, (before, after) in enumerate(zip(row, row[apart:], strict=False)):
                lies = _between(places[before], places[after], columns)
                if lies is None:
                    continue
                beside = cards[before], cards[after]
                window = AROUND.windows(between(*beside)[None])[0]
                withheld = [cards[row[at + 1]]] if apart == 2 else []
                marks = known.near(window, beside, withheld)
                wrongly_told = lies == NOTHING if apart == 2 else lies != NOTHING
                doubted = wrongly_told or lies == JOLLY
                told.append((np.round(window, 1).tolist(), lies, NONE, int(doubted), listed(marks)))
    return told


def _between(before: Place | None, after: Place | None, columns: list[list[str]]) -> int | None:
    """Tell what truly lies between the places of two cards, NOTHING, CARD or JOLLY. None where that
    is more than one card, or the two are one card or no cards of one column.
    """
    if before is None or after is None or before.column != after.column:
        return None
    apart = abs(after.number - before.number)
    if apart == 2:
        return class_of(columns[before.column][(before.number + after.number) // 2])
    return NOTHING if apart == 1 else None


def collect_gaps(folder: Path, models: Path | None) -> int:
    """Collect gaps in columns, see `models.recipes.columns.collect`."""
    return collect(folder, models, gaps_on)


def run(out: Path, models: Path, minutes: float) -> None:
    OnHands("column_gaps", SEED, A_HAND, collect_gaps, "gaps in columns", LAID_ANYHOW).run(
        out, models, minutes
    )


def main() -> None:
    run_command(
        run,
        "models.recipes.column_gaps",
        __doc__,
        "the networks of cards; the network that sees gaps in columns goes there",
    )


if __name__ == "__main__":
    main()
