"""Writes labelled pictures of playing cards: python -m datasets.cards.generate OUT --count N
--seed S [--workers 2].

OUT/00000.jpg ... and OUT/labels.jsonl, as `datasets.generate` writes them for tiles; the keys are
explained in `datasets.cards.scene.render_cards`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from datasets.cards.scene import CardBank, CardConfig, render_cards
from datasets.generate import SCENES_PER_SET, Job, generate, part, size
from datasets.scene.photo import encoded


def write_block(job: Job[CardConfig]) -> None:
    """Render the pictures of one pair of packs."""
    cv2.setNumThreads(1)
    block = job.indices.start // SCENES_PER_SET
    seed = int(np.random.SeedSequence([job.seed, 1, block]).generate_state(1)[0] >> 1)
    bank = CardBank.random(seed)
    lines = []
    for index in job.indices:
        image, line = render_cards(np.random.default_rng([job.seed, 0, index]), job.config, bank)
        name = f"{index:05d}.jpg"
        (job.out / name).write_bytes(encoded(image, int(line["notes"]["jpeg"])))
        lines.append(json.dumps({"photo": name, **line}))
    partial = part(job).with_suffix(".tmp")
    partial.write_text("\n".join(lines) + "\n")
    partial.replace(part(job))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.cards.generate",
        description="Renders labelled pictures of playing cards.",
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--size", type=size, default=(768, 768), help="WIDTHxHEIGHT in pixels")
    parser.add_argument(
        "--card-px", type=float, nargs=2, default=CardConfig.card_px, metavar=("LOW", "HIGH")
    )
    given = parser.parse_args(arguments)
    width, height = given.size
    config = CardConfig(width, height, card_px=(given.card_px[0], given.card_px[1]))
    generate(Job(given.out, given.seed, range(given.count), config), given.workers, write_block)


if __name__ == "__main__":
    main()
