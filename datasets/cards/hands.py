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
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.cards.area import Area, Neatness, camera_over, piles, table_of, turned
from datasets.cards.notation import CARDS, JOLLY, RANKS, SUITS
from datasets.cards.packs import PACKS, UNSEEN
from datasets.cards.scene import CardBank, photographed_table
from datasets.cards.style import PackStyle, pack_as_drawn, random_pack
from datasets.generate import size
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


class IndexHidden(Exception):
    """Some card of an area shows no index, however often the area is laid."""


def deal(rng: np.random.Generator) -> Hand:
    """Choose at random the melds of both sides and the cards left in their hands, from two packs
    with four jollies. Returns the cards of each of the four photographs as an Area, by the
    photograph's name, such as `melds-a`.
    """
    while True:
        hand = {f"melds-{side.lower()}": _melds(rng) for side in SIDES}
        for side in SIDES:
            left = rng.choice([*CARDS, JOLLY], int(rng.integers(0, 9)))
            hand[f"rack-{side.lower()}"] = Area(loose=tuple(map(str, left)))
        cards = [face_of_card(card) for area in hand.values() for card in area.cards()]
        if FEWEST <= len(cards) <= MOST and not too_many_copies(cards, RULES):
            return hand


def _melds(rng: np.random.Generator) -> Area:
    columns: list[tuple[str, ...]] = []
    for _ in range(int(rng.integers(2, 6))):
        long = rng.random() < 0.35
        columns.append(_meld(rng, int(rng.integers(7, 10) if long else rng.integers(3, 7))))
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
    pixels: tuple[int, int],
    clean: float = CLEAN,
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Render the photograph of an area, (h, w, 3) RGB, and its line of labels.jsonl. `bank` draws
    the cards; `pixels` is the photograph's width and height; `clean` is the probability that it has
    no faults such as blur.

    Raises IndexHidden where some card's index stays hidden after LIES attempts at laying the cards.
    """
    card = bank.style.width, bank.style.height
    neat = Neatness.random(rng)
    quarter = float(rng.choice([0, 0, 0, 90, 180, 270])) + float(rng.normal(0, 5))
    elevation, roll = float(rng.uniform(42, 90)), float(rng.normal(0, 4))
    for _ in range(LIES):
        laid = turned(piles(rng, area, card, neat), quarter)
        camera = camera_over(laid, card, pixels, elevation=elevation, roll=roll)
        table = table_of(rng, laid, camera, card)
        faultless = bool(rng.random() < clean)
        image, line = photographed_table(rng, table, bank, faultless, with_hands=False)
        if sorted(line["cards"].values()) == sorted(area.cards()):
            break
        neat = replace(neat, step=neat.step * 1.15, mess=neat.mess * 0.8)
    else:
        raise IndexHidden(f"expected every index of {area} to be seen, laid it {LIES} times")
    return image, line


def render(
    out: Path,
    seed: int,
    number: int,
    pixels: tuple[int, int],
    clean: float = CLEAN,
    pack: Callable[[int], PackStyle] = random_pack,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Render the photographs of hand `number` into the folder `out`. `pixels` is the width and
    height of each, `clean` the share of those without faults, and `pack` makes a pack from a seed.
    A hand that cannot be laid so that every index is seen is dealt anew. Returns the hand's line of
    hands.jsonl, and a line of labels.jsonl for each photograph.
    """
    rng = np.random.default_rng([seed, number])
    hand, bank = deal(rng), CardBank.random(seed * 1000 + number, pack)
    while (taken := _photographs(rng, hand, bank, pixels, clean)) is None:
        hand = deal(rng)
    photos, labels = {}, list[dict[str, Any]]()
    for name, image, line in taken:
        file = f"{number:03d}-{name}.jpg"
        (out / file).write_bytes(encoded(image, int(line["notes"]["jpeg"])))
        labels.append({"photo": file} | line)
        photos[file] = {"columns": hand[name].columns, "loose": hand[name].loose}
    muerto = [side for side in SIDES if rng.random() < 0.7]
    return {"hand": number, "photos": photos, "muerto": muerto}, labels


def _photographs(
    rng: np.random.Generator, hand: Hand, bank: CardBank, pixels: tuple[int, int], clean: float
) -> Photographs | None:
    """Render the photographs of a hand, as `photograph` does; None where an index stays hidden."""
    shown = [(name, area) for name, area in hand.items() if area.cards()]
    try:
        return [(name, *photograph(rng, area, bank, pixels, clean)) for name, area in shown]
    except IndexHidden:
        return None


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m datasets.cards.hands", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
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
    render_all(given.out, given.count, given.seed, given.size, given.clean, pack)


def render_all(
    out: Path,
    count: int,
    seed: int,
    pixels: tuple[int, int],
    clean: float = CLEAN,
    pack: Callable[[int], PackStyle] = random_pack,
) -> None:
    """Render `count` hands into the folder `out`; hands.jsonl is written last. `pixels` is the
    width and height of each photograph, `clean` the share of photographs without faults, and `pack`
    makes a pack from a seed.
    """
    out.mkdir(parents=True, exist_ok=True)
    hands, labels = list[dict[str, Any]](), list[dict[str, Any]]()
    for number in tqdm(range(count), "hands"):
        hand, photographs = render(out, seed, number, pixels, clean, pack)
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
