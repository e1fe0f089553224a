"""From the networks of cards to that which tells what lies beyond the ends of columns: `python -m
models.recipes.column_ends --out DIR --models DIR [--minutes 150]`.

All stages together take about `--minutes`. Whole hands with cards are rendered, the networks of
cards in `--models` read their melds, the network is trained on the ends of the columns that they
tell, and it is written as ONNX beside those. Every stage leaves its result in OUT, so a run that
was interrupted goes on with the same command.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from tqdm import tqdm

from datasets.cards.hands import HANDS, RULES
from datasets.cards.notation import JOLLY as JOLLY_CARD
from models.recipes.command import run_command
from models.recipes.on_hands import OnHands
from models.recipes.scenes import FINDS, LABELS, NONE, write_whole
from vision.card_pipeline import CardTableReader
from vision.cards.card import Card
from vision.cards.column_ends import AROUND, CARD, JOLLY, NOTHING, at_end
from vision.clock import Clock
from vision.frame import load
from vision.grouping import Indices
from vision.reading import Layout

# Minutes that a hand takes on one core: 2.4 s to render it, 1 s to read its melds (on a machine
# twice as fast as that of `models.recipes.card_second_look`).
A_HAND = 0.06
# Of the hands: no network of cards was trained on them, so that marks are missed as elsewhere.
SEED = 303
# Of a mark, its size being the root of its area: farther from its place it is another one.
OFF_MARK = 0.6

Sample = tuple[list[list[float]], int, int, int]  # a window, what lies there, NONE, is it in doubt


class Place(NamedTuple):
    """Where a card lies on a table of melds: the number of its column, and its number in it."""

    column: int
    number: int


def ends_on(
    rows: list[Indices], cards: list[Card], places: list[Place | None], columns: list[list[str]]
) -> list[Sample]:
    """List the ends of the columns `rows` that were told of a picture, as windows with what lies
    beyond: each end as it was told, and with its last card withheld.

    `cards` are all that were told, and `places` are where they truly lie, None where there is no
    card of a column. `columns` are the true ones. Left out are ends of which the last two cards are
    no neighbours in truth. In doubt are ends beyond which truly lies a card that was not told, or
    nothing although a card was told, and those beyond which a jolly lies.
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
                square = at_end(cards[shown[-2]], cards[shown[-1]])
                window = AROUND.windows(square[None])[0]
                wrongly_told = beyond == NOTHING if withheld else beyond != NOTHING
                doubted = wrongly_told or beyond == JOLLY
                told.append((np.round(window, 1).tolist(), beyond, NONE, int(doubted)))
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
    if not 0 <= following < len(column):
        return NOTHING
    return JOLLY if column[following] == JOLLY_CARD else CARD


def places_of(
    cards: list[Card], labelled: list[dict[str, object]], columns: list[list[str]]
) -> list[Place | None]:
    """Return where the `cards` that were told truly lie, by the mark that is nearest to the surest
    of each. `labelled` are the marks of the picture as LABELS has them; cards are numbered there in
    the order of `columns`.
    """
    if not labelled:
        return [None] * len(cards)
    order = [
        Place(one, number) for one, column in enumerate(columns) for number in range(len(column))
    ]
    quads = np.array([mark["corners"] for mark in labelled], np.float32).reshape(-1, 4, 2)
    sizes = np.sqrt([abs(cv2.contourArea(quad)) for quad in quads])
    found = list[Place | None]()
    for card in cards:
        away = np.linalg.norm(quads.mean(axis=1) - card.marks[0], axis=1) / sizes
        nearest = int(away.argmin())
        number = int(str(labelled[nearest]["card"]))
        near = away[nearest] < OFF_MARK and number < len(order)
        found.append(order[number] if near else None)
    return found


def collect(folder: Path, models: Path | None) -> int:
    """Collect the ends of columns on all photographs of melds in a folder of rendered hands, and
    write them to its file FINDS, as `models.recipes.finds` writes finds. The networks of cards in
    the folder `models`, or the installed ones where that is None, read them. Returns how many ends
    there are.
    """
    reader = CardTableReader(models)
    areas = dict[str, list[list[str]]]()
    for line in (folder / HANDS).read_text("utf-8").splitlines():
        for photo, area in json.loads(line)["photos"].items():
            areas[photo] = area["columns"]
    told = dict[str, list[Sample]]()
    for line in tqdm((folder / LABELS).read_text("utf-8").splitlines(), "ends"):
        record = json.loads(line)
        columns = areas[record["photo"]]
        if not columns:
            continue
        frame = load(folder / record["photo"])
        seen, cards = reader.found_cards(frame, Layout.MELDS, RULES, Clock())
        places = places_of(cards, record["tiles"], columns)
        told[record["photo"]] = ends_on(seen.table.rows, cards, places, columns)
    write_whole(folder / FINDS, json.dumps(told))
    return sum(map(len, told.values()))


def run(out: Path, models: Path, minutes: float) -> None:
    OnHands("column_ends", SEED, A_HAND, collect, "ends of columns").run(out, models, minutes)


def main() -> None:
    run_command(
        run,
        "models.recipes.column_ends",
        __doc__,
        "the networks of cards; the network that sees ends of columns goes there",
    )


if __name__ == "__main__":
    main()
