"""From the networks of cards to that which tells what lies beyond the ends of columns: `python -m
models.recipes.column_ends --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. Whole hands with cards are rendered, the networks of
cards in `--models` read their melds, the network is trained on the ends of the columns that they
tell, and it is written as ONNX beside those. Every stage leaves its result in OUT, so a run that
was interrupted goes on with the same command.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.recipes.columns import A_HAND, Place, Sample, class_of, collect, listed
from models.recipes.command import run_command
from models.recipes.on_hands import LAID_ANYHOW, OnHands
from models.recipes.scenes import NONE
from vision.cards.card import Card
from vision.cards.column_ends import AROUND, JOLLY, NOTHING, at_end
from vision.cards.known_marks import KnownMarks
from vision.grouping import Indices

# Of the hands: no network of cards was trained on them, so that marks are missed as elsewhere.
SEED = 303


def ends_on(
    rows: list[Indices],
    cards: list[Card],
    places: list[Place | None],
    columns: list[list[str]],
    known: KnownMarks,
) -> list[Sample]:
    """List the ends of the columns `rows` that were told of a picture, as windows with what lies
    beyond: each end as it was told, and with its last card withheld.

    `cards` are all that were told, and `places` are where they truly lie, None where there is no
    card of a column. `columns` are the true ones, and `known` the marks of `rows`. Left out are
    ends of which the last two cards are no neighbours in truth. In doubt are ends beyond which
    truly lies a card that was not told, or nothing although a card was told, and those beyond which
    a jolly lies.
    """
    told = list[Sample]()
    for row in rows:
        for column in (row, row[::-1]):
            for withheld in (False, True):
                shown = column[: len(column) - withheld]
                if len(shown) < 2:
                    continue
                beyond = _beyond(places[shown[-2]], places[shown[-1]], columns)
                if beyond is None:
                    continue
                last = cards[shown[-1]]
                window = AROUND.windows(at_end(cards[shown[-2]], last)[None])[0]
                marks = known.near(window, [last], [cards[column[-1]]] if withheld else [])
                wrongly_told = beyond == NOTHING if withheld else beyond != NOTHING
                doubted = wrongly_told or beyond == JOLLY
                told.append(
                    (np.round(window, 1).tolist(), beyond, NONE, int(doubted), listed(marks))
                )
    return told


def _beyond(before: Place | None, end: Place | None, columns: list[list[str]]) -> int | None:
    """Tell what truly lies beyond an end of a column, NOTHING, CARD or JOLLY; `before` and `end`
    are the places of its last two cards. None where these are no neighbours.
    """
    if before is None or end is None or before.column != end.column:
        return None
    step = end.number - before.number
    if abs(step) != 1:
        return None
    column, following = columns[end.column], end.number + step
    return class_of(column[following]) if 0 <= following < len(column) else NOTHING


def collect_ends(folder: Path, models: Path | None) -> int:
    """Collect the ends of columns, see `models.recipes.columns.collect`."""
    return collect(folder, models, ends_on)


def run(out: Path, models: Path, minutes: float) -> None:
    OnHands("column_ends", SEED, A_HAND, collect_ends, "ends of columns", LAID_ANYHOW).run(
        out, models, minutes
    )


def main() -> None:
    run_command(
        run,
        "models.recipes.column_ends",
        __doc__,
        "the networks of cards; the network that sees ends of columns goes there",
    )


if __name__ == "__main__":
    main()
