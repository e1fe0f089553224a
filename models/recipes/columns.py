"""Collects what networks learn from columns of cards on rendered hands, as the networks of cards
read these.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from tqdm import tqdm

from datasets.cards.hands import HANDS, RULES
from datasets.cards.notation import JOLLY as JOLLY_CARD
from models.recipes.scenes import FINDS, LABELS, write_whole
from vision.cards.card import Card
from vision.cards.column_ends import CARD, JOLLY
from vision.cards.known_marks import KnownMarks, NearMarks
from vision.cards.pipeline import CardTableReader
from vision.clock import Clock
from vision.frame import load
from vision.grouping import Indices
from vision.reading import Layout

# Minutes that a hand takes on one core: 2.4 s to render it, 1 s to read its melds (on a machine
# twice as fast as that of `models.recipes.card_second_look`).
A_HAND = 0.06
# Of a mark, its size being the root of its area: farther from its place it is another one.
OFF_MARK = 0.6

# A window, what lies there, NONE, is it in doubt, and the marks known there, see `listed`.
Sample = tuple[list[list[float]], int, int, int, list[list[float]]]


class Place(NamedTuple):
    """Where a card lies on a table of melds: the number of its column, and its number in it."""

    column: int
    number: int


# What is collected of a picture, given the columns that were told, as indices of all cards that
# were told; these cards; where each truly lies, None where there is no card of a column; the true
# columns; and the marks of the columns that were told.
Collector = Callable[
    [list[Indices], list[Card], list[Place | None], list[list[str]], KnownMarks], list[Sample]
]


def class_of(card: str) -> int:
    """Tell of the name of a card which of the classes CARD and JOLLY it is."""
    return JOLLY if card == JOLLY_CARD else CARD


def listed(marks: NearMarks) -> list[list[float]]:
    """Return the marks that show around a place as FINDS has them: of each x and y of its corners,
    and 1 for those of the cards beside the place, 0 for others.
    """
    corners = np.round(marks.quads.reshape(-1, 8), 1).tolist()
    return [[*quad, int(own)] for quad, own in zip(corners, marks.own, strict=True)]


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


def collect(folder: Path, models: Path | None, samples: Collector) -> int:
    """Collect the `samples` of columns on all photographs of melds in a folder of rendered hands,
    and write them to its file FINDS, as `models.recipes.finds` writes finds. The networks of cards
    in the folder `models`, or the installed ones where that is None, read them. Returns how many
    samples there are.
    """
    reader = CardTableReader(models)
    areas = dict[str, list[list[str]]]()
    for line in (folder / HANDS).read_text("utf-8").splitlines():
        for photo, area in json.loads(line)["photos"].items():
            areas[photo] = area["columns"]
    told = dict[str, list[Sample]]()
    for line in tqdm((folder / LABELS).read_text("utf-8").splitlines(), "columns"):
        record = json.loads(line)
        columns = areas[record["photo"]]
        if not columns:
            continue
        frame = load(folder / record["photo"])
        seen, cards = reader.found_cards(frame, Layout.MELDS, RULES, Clock())
        places = places_of(cards, record["tiles"], columns)
        rows = seen.table.rows
        known = KnownMarks(rows, cards, seen.quads)
        told[record["photo"]] = samples(rows, cards, places, columns, known)
    write_whole(folder / FINDS, json.dumps(told))
    return sum(map(len, told.values()))
