"""`python -m datasets.sequences.stress`: lets the live referee watch games of every kind with the
networks, and counts how well it reports each kind.

Each game is short and shows something that a table, a lamp or a camera may do. With `--stills`
games made of the labelled photographs are watched, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from datasets.options import positive, seed_number
from datasets.sequences.__main__ import write
from datasets.sequences.compare import Score, compare
from datasets.sequences.film import Film, FilmConfig
from datasets.sequences.lens import LensConfig
from datasets.sequences.plan import BOXED, CLOSE, MUGGED, UPRIGHT, UPRIGHT_MUGGED, WIDE
from datasets.sequences.stills import still, stills
from datasets.sequences.sway import SwayConfig
from datasets.sequences.watching import referee, referee_file, watch_film
from engine import ruleset
from vision.live import Eyes

STILLS = Path(__file__).resolve().parents[2].parent / "shared" / "photos" / "burako_renders"
CROOKED = (0.35, 1.6, 0.05)
BASE = FilmConfig(seconds=40.0, melds=4, pause=(1.7, 2.4))
NEAR = replace(BASE, plan=CLOSE, melds=2)
DRIFT = SwayConfig(drift_px=2.0, turn=0.12, zoom=0.001)
# A telephone on a stand, its pictures sent by a browser.
PHONE = replace(
    NEAR,
    seconds=60.0,
    plan=MUGGED,
    sway=DRIFT,
    lens=LensConfig(noise=3.0, hunting=0.5, tint=0.08, quality=60),
    pairs=0.15,
    second_wilds=0.2,
    mug_first=0.3,
)


@dataclass(frozen=True)
class Kind:
    """A kind of game, as the settings of its film. A `coded` film is written to a video file and
    read from it, with the losses of its compression.
    """

    film: FilmConfig
    coded: bool = False


KINDS: dict[str, Kind] = {
    "plain": Kind(BASE),
    "steep": Kind(replace(BASE, elevation=(27.0, 45.0), width=1600, height=900)),
    "close": Kind(replace(BASE, plan=CLOSE, melds=2, elevation=(35.0, 90.0))),
    "small picture": Kind(replace(BASE, plan=CLOSE, width=640, height=480, melds=2)),
    "small tiles": Kind(replace(BASE, width=800, height=450)),
    "large picture": Kind(replace(BASE, plan=CLOSE, melds=2, width=1920, height=1080)),
    "portrait": Kind(replace(BASE, plan=UPRIGHT, width=720, height=1280)),
    "5 a second": Kind(replace(BASE, fps=5.0)),
    "15 a second": Kind(replace(BASE, fps=15.0)),
    "30 a second": Kind(replace(BASE, seconds=30.0, fps=30.0, width=960, height=540)),
    "hard light": Kind(replace(BASE, easy_light=False)),
    "mains 50 Hz": Kind(replace(BASE, fps=15.0, lens=LensConfig(mains=50.0, flicker=0.02))),
    "mains 60 Hz": Kind(replace(BASE, lens=LensConfig(mains=60.0, banding=0.08, flicker=0.02))),
    "hunting exposure": Kind(replace(BASE, with_hand=0.9, lens=LensConfig(hunting=0.8, tint=0.1))),
    "JPEG": Kind(replace(BASE, lens=LensConfig(noise=3.0, quality=45))),
    "coded": Kind(replace(BASE, lens=LensConfig(noise=4.0)), coded=True),
    "resting hands": Kind(replace(BASE, with_hand=0.9, stay=(2.0, 4.0), idle=0.4, nudge=0.0)),
    "quick": Kind(replace(BASE, pause=(0.2, 1.6), idle=0.1)),
    "double": Kind(replace(BASE, with_hand=1.0, stay=(1.0, 2.5), double=0.7)),
    "quiet deeds": Kind(replace(BASE, idle=0.6, quiet=0.85)),
    "nudged": Kind(replace(BASE, idle=0.5, nudge=0.8, nudge_px=40.0)),
    "turned": Kind(
        replace(
            BASE,
            plan=CLOSE,
            melds=2,
            width=960,
            height=960,
            idle=0.35,
            nudge=0.9,
            turns=(90.0, 180.0, -90.0),
        )
    ),
    "crooked": Kind(replace(BASE, plan=replace(WIDE, crooked=CROOKED))),
    "grey": Kind(replace(BASE, lens=LensConfig(grey=True))),
    "drift": Kind(replace(BASE, sway=DRIFT)),
    "drift close": Kind(replace(NEAR, sway=DRIFT)),
    "drift 5": Kind(replace(NEAR, fps=5.0, sway=DRIFT)),
    "drift 30": Kind(replace(NEAR, seconds=30.0, fps=30.0, width=960, height=540, sway=DRIFT)),
    "sag": Kind(replace(BASE, sway=replace(DRIFT, drift_px=0.5, sag_px=40.0))),
    "knocked": Kind(replace(BASE, sway=replace(DRIFT, drift_px=0.5, knock_seconds=5.0))),
    "mug": Kind(replace(NEAR, plan=MUGGED, mug_first=0.7)),
    "pairs": Kind(replace(NEAR, seconds=60.0, pairs=0.4)),
    "second wilds": Kind(replace(NEAR, second_wilds=0.5)),
    "phone": Kind(PHONE),
    "phone fixed": Kind(replace(PHONE, sway=SwayConfig())),
    "phone upright": Kind(
        replace(PHONE, plan=UPRIGHT_MUGGED, width=720, height=1280, melds=4, fps=15.0)
    ),
    "box": Kind(replace(BASE, plan=BOXED, melds=2)),
    "box moved": Kind(replace(BASE, plan=BOXED, melds=2, idle=0.6, quiet=0.9)),
}
STILL = FilmConfig(seconds=25.0, pause=(1.6, 2.0), lens=LensConfig(noise=2.0), idle=0.15, nudge=0.3)
# Kinds counted by themselves: a grey picture cannot tell a tile's colour, and a box that is put
# down is taken for a hand, so that moves made meanwhile are reported late.
JUDGED_APART = {"grey", "box moved"}


def watched(kind: Kind, seed: int, eyes: Eyes | None = None) -> Score:
    """Let the live referee watch one game of a kind, and return how well it reported the game.
    Without `eyes` the tiles are found and read by the truth, which tests everything but the
    networks.
    """
    film = Film(seed, kind.film)
    if eyes is None:
        return watch_film(seed, kind.film)[0]
    if not kind.coded:
        return compare_film(film, eyes)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.mp4"
        return referee_file(path, write(path, film), eyes)


def compare_film(film: Film, eyes: Eyes) -> Score:
    told = referee(film, eyes)
    return compare(film.truth(), told)


def watched_stills(eyes: Eyes, seed: int, names: Sequence[str] = ()) -> Iterator[tuple[str, Score]]:
    """Let the live referee watch a game on every labelled photograph of a table in STILLS, or
    only on those whose file names, without their ending, are in `names`.

    Yields the photograph's name and the score of its game.
    """
    for raw in stills(STILLS):
        if names and Path(raw["photo"]).stem not in names:
            continue
        rng = np.random.default_rng([73, seed])
        table, game = still(raw, STILLS, rng, ruleset("burako"), (1200, 900))
        height, width = table.photograph.shape[:2]
        film = Film(seed, replace(STILL, width=width, height=height), table, game)
        yield Path(raw["photo"]).stem, compare_film(film, eyes)


def main(arguments: list[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    from vision import open_reader
    from vision.live.eyes import NetworkEyes

    eyes, scores = None if asked.truth else NetworkEyes(open_reader()), dict[str, Score]()
    for name in asked.kinds:
        seeds = [1000 * (asked.seed + game) for game in range(asked.games)]
        place = list(KINDS).index(name)
        games = [watched(KINDS[name], seed + place, eyes) for seed in seeds]
        scores[name] = sum(games, Score())
        show(name, scores[name])
    if asked.stills is not None and eyes is not None:
        for name, score in watched_stills(eyes, asked.seed, asked.stills):
            scores[name] = score
            show(name, score)
    show("all", total(scores), with_faults=False)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.sequences.stress", description=__doc__
    )
    parser.add_argument(
        "--kinds",
        nargs="*",
        default=list(KINDS),
        choices=list(KINDS),
        metavar="KIND",
        help=", ".join(KINDS),
    )
    parser.add_argument("--games", type=positive, default=1, help="of each kind")
    parser.add_argument("--seed", type=seed_number, default=0)
    parser.add_argument(
        "--truth", action="store_true", help="eyes that know the truth instead of the networks"
    )
    parser.add_argument(
        "--stills",
        nargs="*",
        metavar="NAME",
        help="the labelled photographs too, all or those named",
    )
    return parser


def total(scores: Mapping[str, Score]) -> Score:
    return sum((score for name, score in scores.items() if name not in JUDGED_APART), Score())


def show(name: str, score: Score, with_faults: bool = True) -> None:
    """Print a line that begins with `name` and holds the figures of a score. If `with_faults`,
    then print a line for each change and event that was reported wrongly.
    """
    latest = f"{max(score.delays):.1f} s" if score.delays else "-"
    print(
        f"{name}: {score.right}/{score.changes} right, {len(score.false)} false in"
        f" {score.seconds / 60:.1f} min, latest {latest}, {score.tables_right} tables right"
    )
    for fault in score.faults() if with_faults else ():
        print("   ", fault, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
