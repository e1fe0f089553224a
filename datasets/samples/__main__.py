"""Writes the sample hands and the test scenes anew: python -m datasets.samples [--only
hand|cards|scenes].
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2

from datasets.generate import picture_line
from datasets.labels import LabelledPicture
from datasets.samples import cards, hand, scenes
from datasets.samples.sets import require_typefaces
from datasets.samples.staging import Sample
from datasets.scene.photo import encoded

ROOT = Path(__file__).resolve().parents[2]
HAND = ROOT / "scorer_app" / "web" / "static" / "samples"
SCENES = ROOT / "tests" / "data" / "scenes"


def written(sample: Sample, folder: Path) -> LabelledPicture:
    """Render a sample into the folder as a JPEG file, and return its truth."""
    image, picture = sample.render()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / sample.name).write_bytes(encoded(image, sample.shot.jpeg))
    return picture


def write_hand(folder: Path) -> None:
    lines = [hand.photo_line(sample, written(sample, folder)) for sample in hand.SAMPLES]
    text = json.dumps(hand.hand_line(lines), ensure_ascii=False, indent=1)
    (folder / "hand.json").write_text(text + "\n", "utf-8")


def write_cards(folder: Path) -> None:
    """Write the sample pictures of cards into the folder. Their truth is not written: it is in
    `cards.MELDS` and `cards.LEFT`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for sample in cards.SAMPLES:
        (folder / sample.name).write_bytes(encoded(sample.render(), sample.shot.jpeg))


def write_scenes(folder: Path) -> None:
    lines = [
        json.dumps({**picture_line(written(sample, folder)), "photo": sample.name}) + "\n"
        for sample in scenes.SCENES
    ]
    (folder / "labels.jsonl").write_text("".join(lines), "utf-8")


WRITERS = {
    "hand": (write_hand, HAND),
    "cards": (write_cards, HAND / "cards"),
    "scenes": (write_scenes, SCENES),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m datasets.samples", description=__doc__)
    parser.add_argument("--only", choices=list(WRITERS))
    only = parser.parse_args().only
    require_typefaces()
    cv2.setNumThreads(1)
    for what, (write, folder) in WRITERS.items():
        if only in (None, what):
            write(folder)
            print(f"wrote {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
