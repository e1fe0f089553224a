"""Lets the live referee watch films and video files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from datasets.sequences.compare import Score, compare
from datasets.sequences.eyes import Faults, TruthEyes
from datasets.sequences.film import Film, FilmConfig
from datasets.sequences.truth import TrueSequence
from vision.live import Eyes, Watch
from vision.live.sources import frames


def watch_film(
    seed: int, config: FilmConfig, faults: Faults | None = None, eyes: Eyes | None = None
) -> tuple[Score, list[dict[str, Any]]]:
    """Film the game of this seed and let the live referee watch it as it is filmed.

    The referee sees through `eyes`. Where `eyes` is None it sees through TruthEyes, which know the
    film's truth and err as `faults` says, by default as `Faults()`. Returns how well the referee
    reported the film, and all events reported, tables at rest among them, as JSON.
    """
    film = Film(seed, config)
    if eyes is not None:
        told = referee(film, eyes)
        return compare(film.truth(), told), told
    truthful = TruthEyes(film, faults or Faults(), seed)
    told = referee(film, truthful, truthful)
    return compare(film.truth(), told), told


def referee(film: Film, eyes: Eyes, truthful: TruthEyes | None = None) -> list[dict[str, Any]]:
    """Let the live referee watch a film through `eyes`, and return all events reported, tables at
    rest among them, as JSON.

    Eyes that answer by the film's truth have to be told which frame they look at: pass them as
    `truthful`, too. For other eyes `truthful` is None.
    """
    watch = Watch(eyes, "burako", film.truth().side_line_px)
    told: list[dict[str, Any]] = []
    for number, shot in enumerate(film.shots()):
        if truthful is not None:
            truthful.frame, truthful.covered = number, shot.covered
        told += [event.to_json() for event in watch.see(shot.pixels, number / film.config.fps)]
    return told


def referee_file(path: Path, truth: TrueSequence, eyes: Eyes) -> Score:
    """Let the live referee watch a video file through `eyes`, and return how well its reports agree
    with the truth.
    """
    watch = Watch(eyes, "burako", truth.side_line_px)
    told = [each for frame in frames(str(path)) for each in watch.see(frame.pixels, frame.time)]
    return compare(truth, [each.to_json() for each in told])
