"""Loads labelled pictures of cards: photographs, which lie beside the repository, and rendered
tables.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from datasets.photos import PHOTOS, PhotosMissing

FOLDERS = ("poker_cards", "bicycle_9_to_ace", "grey_desk_poker", "four_corner_poker")


@dataclass(frozen=True)
class CardPicture:
    """One picture and its truth: `cards` are the cards in it, such as `7H` or `*` for a jolly, and
    `columns` those of them that lie in columns.

    A column lists its cards from one end to the other. Where `all_listed` is False, cards at the
    edge of the frame are missing from `cards`.
    """

    path: Path
    cards: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...] = ()
    shoot: str = ""  # occasion on which it was taken; empty for renders
    all_listed: bool = True


def load_photographs(folder: str, root: Path | None = None) -> list[CardPicture]:
    """Load the labelled photographs of `folder`, one of FOLDERS.

    The folder lies in `root`, by default in the folder `cards` of PHOTOS. Raises PhotosMissing
    where it holds no labels.
    """
    place = (root or PHOTOS / "cards") / folder
    labels = place / "labels.jsonl"
    if not labels.exists():
        raise PhotosMissing(f"expected the labelled photographs of cards at {labels}")
    pictures = []
    for line in labels.read_text("utf-8").splitlines():
        told = json.loads(line)
        pictures.append(
            CardPicture(
                place / told["file"],
                tuple(card["card"] for card in told["cards"]),
                tuple(map(tuple, told["columns"])),
                told["shoot"],
                told["all_listed"],
            )
        )
    return pictures


def load_renders(folder: Path) -> list[CardPicture]:
    """Load the pictures that `datasets.cards.generate` wrote into the folder. Their `cards` are
    only those that show an index. Raises PhotosMissing where the folder holds no labels.
    """
    labels = folder / "labels.jsonl"
    if not labels.is_file():
        raise PhotosMissing(f"expected the labels of rendered pictures of cards at {labels}")
    pictures = []
    for line in labels.read_text("utf-8").splitlines():
        told = json.loads(line)
        cards = told["cards"]
        columns = tuple(tuple(cards[str(i)] for i in column) for column in told["columns"])
        pictures.append(CardPicture(folder / told["photo"], tuple(cards.values()), columns))
    return pictures
