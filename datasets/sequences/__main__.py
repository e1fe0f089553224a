"""`python -m datasets.sequences SEED FILE`: films a game into FILE, .mp4 or .mjpeg (for a browser's
fake camera), and writes the film's truth beside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from datasets.scene.photo import encoded
from datasets.sequences.film import Film, FilmConfig
from datasets.sequences.truth import TrueSequence

Picture = NDArray[np.uint8]
Put = Callable[[Picture], object]
JPEG_QUALITY = 90


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m datasets.sequences", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--size", default="1280x720", metavar="WxH")
    asked = parser.parse_args(arguments)
    width, height = map(int, asked.size.split("x"))
    truth = write(asked.file, Film(asked.seed, FilmConfig(asked.seconds, asked.fps, width, height)))
    print(
        f"{asked.file}: {truth.frames} frames, {sum(event.is_change for event in truth.events)}"
        " changes"
    )
    return 0


def write(path: Path, film: Film) -> TrueSequence:
    """Write the film as a video to `path` and its truth as JSON beside it. Returns the truth."""
    with _writer(path, film.config) as put:
        for shot in film.shots():
            put(shot.pixels)
    truth = film.truth(path.name)
    path.with_suffix(".json").write_bytes(msgspec.json.encode(truth))
    return truth


def write_video(path: Path, pictures: Iterable[Picture], config: FilmConfig) -> None:
    with _writer(path, config) as put:
        for picture in pictures:
            put(picture)


def _writer(path: Path, config: FilmConfig) -> AbstractContextManager[Put]:
    return _jpegs(path) if path.suffix == ".mjpeg" else _video(path, config)


@contextmanager
def _jpegs(path: Path) -> Iterator[Put]:
    with path.open("wb") as out:
        yield lambda picture: out.write(encoded(picture, JPEG_QUALITY))


@contextmanager
def _video(path: Path, config: FilmConfig) -> Iterator[Put]:
    out = cv2.VideoWriter(
        str(path), cv2.VideoWriter.fourcc(*"mp4v"), config.fps, (config.width, config.height)
    )
    if not out.isOpened():
        raise OSError(f"expected a place for a video, cannot write {path}")
    try:
        yield lambda picture: out.write(cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    finally:
        out.release()


if __name__ == "__main__":
    raise SystemExit(main())
