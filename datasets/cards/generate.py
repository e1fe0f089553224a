"""Writes labelled pictures of playing cards: python -m datasets.cards.generate OUT --count N --seed
S [--workers 2].

Writes OUT/00000.jpg ... and OUT/labels.jsonl, as `datasets.generate` does for tiles.
`datasets.cards.scene.render_cards` explains the keys of a line.
"""

from __future__ import annotations

import numpy as np

from datasets.cards.scene import CardBank, CardConfig, render_cards
from datasets.generate import Job, Rendered, generate, parser_of, write_pictures


def write_block(job: Job[CardConfig]) -> None:
    """Render and write one block: the pictures of one pair of packs."""

    def render(rng: np.random.Generator, bank: CardBank) -> Rendered:
        return render_cards(rng, job.config, bank)

    write_pictures(job, CardBank.random, render)


def main(arguments: list[str] | None = None) -> None:
    parser = parser_of("datasets.cards.generate", "Renders labelled pictures of playing cards.")
    parser.add_argument(
        "--card-px", type=float, nargs=2, default=CardConfig.card_px, metavar=("LOW", "HIGH")
    )
    parser.add_argument("--jollies", type=int, default=CardConfig.jollies, help="in the two packs")
    given = parser.parse_args(arguments)
    width, height = given.size
    card_px = given.card_px[0], given.card_px[1]
    config = CardConfig(width, height, card_px=card_px, jollies=given.jollies)
    generate(Job(given.out, given.seed, range(given.count), config), given.workers, write_block)


if __name__ == "__main__":
    main()
