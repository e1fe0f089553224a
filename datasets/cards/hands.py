"""Whole hands of Italian Burraco with cards, rendered as the four photographs that people take of
them: `python -m datasets.cards.hands OUT --count N --seed S`.

Writes OUT/NNN-melds-a.jpg, -melds-b, -rack-a and -rack-b (none for an empty rack),
OUT/labels.jsonl, which has a line for each photograph as `datasets.cards.generate` writes it, and
OUT/hands.jsonl. A line of hands.jsonl holds `hand`, the hand's number; `photos`, which maps the
name of each photograph to the `columns` and the `loose` cards in it; and `muerto`, the sides that
took a muerto. All melds are legal, and every card shows an index.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.cards.area import Area, Laid, Neatness, camera_over, piles, table_of, turned
from datasets.cards.drawing import Draughtsman
from datasets.cards.notation import CARDS, JOLLY, RANKS, SUITS
from datasets.cards.packs import PACKS, UNSEEN
from datasets.cards.scene import CardBank, photographed_table
from datasets.cards.style import PackStyle, pack_as_drawn, random_pack
from datasets.generate import size
from datasets.options import positive, seed_number
from datasets.scene.photo import encoded
from engine.inventory import too_many_copies
from engine.melds import judge_meld
from engine.pieces import face_of_card
from engine.rulesets import ruleset
from engine.sides import SIDES

RULES = ruleset("burraco_it")
FEWEST, MOST = 30, 60  # cards of a hand
CLEAN = 0.75  # share of photographs without faults such as blur, noise and hard light
LIES = 8  # attempts at laying an area, each wider, until every index is seen
HANDS = "hands.jsonl"
PIXELS = (2000, 1500)
DRAWN: dict[str, Callable[[int], PackStyle]] = {
    "trained": partial(pack_as_drawn, artwork=PACKS),
    "unseen": partial(pack_as_drawn, artwork=UNSEEN),
    "printed": partial(random_pack, printed=1.0),
}
Hand = dict[str, Area]  # areas by the name of their photograph, such as `melds-a`
Photographs = list[tuple[str, NDArray[np.uint8], dict[str, Any]]]  # name, RGB picture, its labels


@dataclass(frozen=True)
class HandConfig:
    """How hands are dealt, laid and photographed. `pixels` is the width and height of each
    photograph, and `clean` the share of those without faults such as blur. `pack` makes the look of
    a pack from a seed, and `draw` its cards from that look. Only these `faces` are dealt, and
    jollies. `laid` tells how the cards of a meld lie.
    """

    pixels: tuple[int, int] = PIXELS
    clean: float = CLEAN
    pack: Callable[[int], PackStyle] = random_pack
    draw: Callable[[PackStyle], Draughtsman] = Draughtsman
    faces: tuple[str, ...] = tuple(CARDS)
    laid: Laid = Laid.COLUMNS


class IndexHidden(Exception):
    """Some card of an area shows no index, however often the area is laid."""


def deal(rng: np.random.Generator, faces: Sequence[str] = CARDS) -> Hand:
    """Choose at random the melds of both sides and the cards left in their hands, from two packs
    with four jollies, of which only these `faces` are dealt. Returns the cards of each of the four
    photographs as an Area, by the photograph's name, such as `melds-a`.
    """
    while True:
        hand = {f"melds-{side.lower()}": _melds(rng, faces) for side in SIDES}
        for side in SIDES:
            left = rng.choice([*faces, JOLLY], int(rng.integers(0, 9)))
            hand[f"rack-{side.lower()}"] = Area(loose=tuple(map(str, left)))
        cards = [face_of_card(card) for area in hand.values() for card in area.cards()]
        if FEWEST <= len(cards) <= MOST and not too_many_copies(cards, RULES):
            return hand


def _melds(rng: np.random.Generator, faces: Sequence[str]) -> Area:
    columns: list[tuple[str, ...]] = []
    for _ in range(int(rng.integers(2, 6))):
        while True:
            long = rng.random() < 0.35
            meld = _meld(rng, int(rng.integers(7, 10) if long else rng.integers(3, 7)))
            if {*meld} <= {*faces, JOLLY}:
                break
        columns.append(meld)
    return Area(tuple(columns))


def _meld(rng: np.random.Generator, count: int) -> tuple[str, ...]:
    """Choose at random a legal meld of `count` cards, now and then with a wild, in rising or
    falling order.
    """
    while True:
        if rng.random() < 0.6:
            suit, start = str(rng.choice(list(SUITS))), int(rng.integers(0, 14))
            ranks = [*RANKS, RANKS[0]][start : start + count]
            cards = [rank + suit for rank in ranks]
        else:
            rank = str(rng.choice(list(RANKS)))
            cards = [rank + str(suit) for suit in rng.choice(list(SUITS), count)]
        if cards and rng.random() < 0.4:
            wild = JOLLY if rng.random() < 0.6 else "2" + str(rng.choice(list(SUITS)))
            cards[int(rng.integers(len(cards)))] = wild
        laid = cards[:: int(rng.choice([1, -1]))]
        tiles = tuple(map(face_of_card, laid))
        if len(laid) == count and judge_meld(tiles, RULES).valid:
            return tuple(laid)


def photograph(
    rng: np.random.Generator,
    area: Area,
    bank: CardBank,
    config: HandConfig = HandConfig(),
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Render the photograph of an area, (h, w, 3) RGB, and its line of labels.jsonl. `bank` draws
    the cards.

    Raises IndexHidden where some card's index stays hidden after LIES attempts at laying the cards.
    """
    card = bank.style.width, bank.style.height
    neat = Neatness.random(rng)
    quarter = float(rng.choice([0, 0, 0, 90, 180, 270])) + float(rng.normal(0, 5))
    elevation, roll = float(rng.uniform(42, 90)), float(rng.normal(0, 4))
    for _ in range(LIES):
        poses = turned(piles(rng, area, card, neat, config.laid), quarter)
        camera = camera_over(poses, card, config.pixels, elevation=elevation, roll=roll)
        table = table_of(rng, poses, camera, card)
        faultless = bool(rng.random() < config.clean)
        image, line = photographed_table(rng, table, bank, faultless, with_hands=False)
        if sorted(line["cards"].values()) == sorted(area.cards()):
            break
        neat = replace(neat, step=neat.step * 1.15, mess=neat.mess * 0.8)
    else:
        raise IndexHidden(f"expected every index of {area} to be seen, laid it {LIES} times")
    return image, line


def render(
    out: Path, seed: int, number: int, config: HandConfig = HandConfig()
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Render the photographs of hand `number` into the folder `out`. A hand that cannot be laid so
    that every index is seen is dealt anew. Returns the hand's line of hands.jsonl, and a line of
    labels.jsonl for each photograph.
    """
    rng = np.random.default_rng([seed, number])
    hand = deal(rng, config.faces)
    bank = CardBank.random(seed * 1000 + number, config.pack, config.draw)
    while (taken := _photographs(rng, hand, bank, config)) is None:
        hand = deal(rng, config.faces)
    photos, labels = {}, list[dict[str, Any]]()
    for name, image, line in taken:
        file = f"{number:03d}-{name}.jpg"
        (out / file).write_bytes(encoded(image, int(line["notes"]["jpeg"])))
        labels.append({"photo": file} | line)
        photos[file] = {"columns": hand[name].columns, "loose": hand[name].loose}
    muerto = [side for side in SIDES if rng.random() < 0.7]
    return {"hand": number, "photos": photos, "muerto": muerto}, labels


def _photographs(
    rng: np.random.Generator, hand: Hand, bank: CardBank, config: HandConfig
) -> Photographs | None:
    """Render the photographs of a hand, as `photograph` does; None where an index stays hidden."""
    shown = [(name, area) for name, area in hand.items() if area.cards()]
    try:
        return [(name, *photograph(rng, area, bank, config)) for name, area in shown]
    except IndexHidden:
        return None


def main(arguments: list[str] | None = None) -> None:
    parser = hands_parser("python -m datasets.cards.hands", __doc__)
    parser.add_argument("--size", type=size, default=PIXELS, help="WIDTHxHEIGHT in pixels")
    parser.add_argument(
        "--clean", type=float, default=CLEAN, help="share of photographs without faults, 0..1"
    )
    parser.add_argument(
        "--packs",
        choices=list(DRAWN),
        help="packs that show the artwork of trained or of unseen ones as it is, or that all have "
        "words printed on court cards and aces; else of any look",
    )
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    pack = DRAWN.get(given.packs, random_pack)
    config = HandConfig(given.size, given.clean, pack, laid=Laid(given.laid))
    render_all(given.out, given.count, given.seed, config)


def hands_parser(prog: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser of what every command that renders hands is told."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=positive, required=True)
    parser.add_argument("--seed", type=seed_number, required=True)
    parser.add_argument(
        "--laid",
        choices=[laid.value for laid in Laid],
        default=Laid.COLUMNS.value,
        help="how the cards of a meld lie over one another",
    )
    return parser


def render_all(out: Path, count: int, seed: int, config: HandConfig = HandConfig()) -> None:
    """Render `count` hands into the folder `out`; hands.jsonl is written last."""
    out.mkdir(parents=True, exist_ok=True)
    hands, labels = list[dict[str, Any]](), list[dict[str, Any]]()
    for number in tqdm(range(count), "hands"):
        hand, photographs = render(out, seed, number, config)
        hands.append(hand)
        labels += photographs
    _write_lines(out / "labels.jsonl", labels)
    _write_lines(out / HANDS, hands)


def _write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    beside = path.with_suffix(".tmp")
    beside.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    beside.replace(path)


if __name__ == "__main__":
    main()
