"""Shows sequences to the live referee."""

from __future__ import annotations

from typing import Any

from datasets.sequences.compare import Score, compare
from datasets.sequences.eyes import Faults, TruthEyes
from datasets.sequences.film import Film, FilmConfig
from vision.live import LiveEvent, Watch
from vision.live.tracks import Eyes


def watch_film(
    seed: int, config: FilmConfig, faults: Faults | None = None, eyes: Eyes | None = None
) -> tuple[Score, list[dict[str, Any]]]:
    """Film a sequence and referee it as it is filmed, by the truth made worse by `faults`, or by `eyes`; what was told too."""
    film = Film(seed, config)
    truthful = TruthEyes(film, faults or Faults(), seed) if eyes is None else None
    watch = Watch(eyes or truthful, "burako", film.truth().side_line_px)  # type: ignore[arg-type]
    told: list[dict[str, Any]] = []
    for number, shot in enumerate(film.shots()):
        if truthful is not None:
            truthful.frame, truthful.covered = number, shot.covered
        told += [event.to_json() for event in watch.see(shot.pixels, number / config.fps) if isinstance(event, LiveEvent)]
    return compare(film.truth(), told), told

