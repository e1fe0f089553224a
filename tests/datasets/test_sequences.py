"""Rendered sequences: what they claim is true, and the live referee tells it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.sequences.__main__ import write
from datasets.sequences.compare import Score, compare, is_right
from datasets.sequences.eyes import Faults
from datasets.sequences.film import Film, FilmConfig
from datasets.sequences.game import Game
from datasets.sequences.lens import LensConfig
from datasets.sequences.plan import CLOSE
from datasets.sequences.stress import JUDGED_APART, KINDS, STILLS, total, watched, watched_stills
from datasets.sequences.truth import TrueEvent, TrueRow, TrueSequence, from_json, load, to_json
from datasets.sequences.watching import watch_film
from engine import judge_meld, ruleset
from engine import tiles as engine_tiles
from vision import open_reader
from vision.errors import ModelError
from vision.live import Watch
from vision.live.eyes import NetworkEyes
from vision.live.sources import frames

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "videos"
SMALL = FilmConfig(seconds=60.0, width=640, height=360, nudge_px=9.0, lens=LensConfig(flicker=0.015))
MOST_FALSE = 1.0  # events in ten minutes
LEAST_RIGHT = 0.98


def played(seed: int, beats: int) -> tuple[Game, list[object]]:
    game = Game(np.random.default_rng(seed), ruleset("burako"))
    game.begin(3)
    return game, [beat for beat in (game.beat() for _ in range(beats)) if beat]


def test_a_game_never_holds_more_tiles_than_the_set() -> None:
    game = Game(np.random.default_rng(3), ruleset("burako"))
    game.begin(4)
    for _ in range(40):
        before = Counter(piece.tile for piece in game.pieces())
        beat = game.beat()
        after = Counter(piece.tile for piece in game.pieces())
        assert max(after.values()) <= 2
        if beat is not None:
            in_melds = Counter(tile for meld in game.melds for tile in meld.row)
            assert not Counter(beat.added) - in_melds
            assert before != after or beat.moved


def test_only_what_a_mistake_left_is_illegal() -> None:
    game, _ = played(4, 30)
    wrong = {id(meld) for melds, _ in game.undo for meld in melds}
    for meld in game.melds:
        assert judge_meld(engine_tiles(" ".join(meld.row)), ruleset("burako")).valid or id(meld) in wrong


def test_the_same_seed_films_the_same() -> None:
    short = FilmConfig(seconds=2.0, width=320, height=180)
    one, two = ([shot.pixels for shot in Film(5, short).shots()] for _ in range(2))
    assert len(one) == len(two) >= 20
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_a_film_is_written_with_its_truth(tmp_path: Path) -> None:
    truth = write(tmp_path / "game.mjpeg", Film(6, FilmConfig(seconds=6.0, width=320, height=180, idle=0.0)))
    assert load(tmp_path / "game.json").events == json_round_trip(truth.events)
    assert (tmp_path / "game.mjpeg").read_bytes().count(b"\xff\xd8\xff") == truth.frames
    tiles, corners = truth.table_at(0)
    assert corners.shape == (len(tiles), 4, 2) and (corners > 0).all() and (corners < 320).all()


def json_round_trip(events: tuple[TrueEvent, ...]) -> tuple[TrueEvent, ...]:
    whole = TrueSequence("", 1.0, 1, 1, 1, ((0.0, 0.0), (1.0, 1.0)), events)
    return from_json(json.loads(json.dumps(to_json(whole)))).events


def event(**changed: object) -> TrueEvent:
    usual = TrueEvent(10, 20, "A", ("5R",), (), (), True, None, "", ())
    return replace(usual, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("truth", "told", "right"),
    [
        (event(), [("5R", True, None)], True),
        (event(), [], False),
        (event(), [("5B", True, None)], False),
        (event(), [("5R", False, "gap")], False),
        (event(), [("5R", True, None), ("6R", True, None)], False),
        (event(legal=False, reason="gap"), [("5R", False, "gap")], True),
        (event(legal=False, reason="gap"), [("5R", False, "mixed")], False),
        (event(removed=("4R",)), [("4R", True, None), ("5R", True, None)], True),
        (event(added=(), moved=("J",)), [("J", True, None)], True),
        (event(moved=("J",)), [("5R", True, None)], True),
    ],
)
def test_what_counts_as_right(truth: TrueEvent, told: list[tuple[str, bool, str | None]], right: bool) -> None:
    assert is_right(truth, [{"tiles": [tile], "legal": legal, "reason": reason} for tile, legal, reason in told]) is right


def test_told_too_late_is_false_and_not_right(tmp_path: Path) -> None:
    truth = write(tmp_path / "game.mjpeg", Film(7, FilmConfig(seconds=1.0, width=320, height=180)))
    truth = replace(truth, fps=10.0, frames=600, events=(event(),))
    answer = {"event": "tiles_added", "tiles": ["5R"], "legal": True, "reason": None}
    for frame, right in ((20, 1), (35, 1), (36, 0), (9, 0)):
        score = compare(truth, [{**answer, "frame": frame}, {"event": "table", "frame": 20}])
        assert (score.right, len(score.false)) == (right, 1 - right)


def told_rightly(score: Score) -> None:
    wrong = [(verdict.truth, verdict.told) for verdict in score.verdicts if not verdict.right]
    assert score.share >= LEAST_RIGHT, wrong
    assert score.false_in_ten_minutes <= MOST_FALSE, score.false


def test_the_referee_tells_games_rightly() -> None:
    """Two minutes, eyes that know the truth but miss and misread now and then."""
    score = Score()
    for seed in (1, 2):
        score += watch_film(seed, SMALL, Faults(missed=0.01, misread=0.005))[0]
    assert score.changes > 20
    told_rightly(score)


@pytest.fixture(scope="module")
def eyes() -> NetworkEyes:
    try:
        return NetworkEyes(open_reader())
    except ModelError as error:
        pytest.skip(f"no networks: {error}")


@pytest.mark.parametrize("seed", [1, 2])
def test_the_networks_tell_games_rightly(eyes: NetworkEyes, seed: int) -> None:
    """Half a minute each, from near; the slow suite has games of every kind."""
    config = FilmConfig(seconds=30.0, width=960, height=540, plan=CLOSE, melds=2, pause=(1.6, 2.0))
    told_rightly(watch_film(seed, config, eyes=eyes)[0])


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_networks_tell_half_an_hour_of_every_kind_rightly(eyes: NetworkEyes) -> None:
    scores = {f"{name} {game}": watched(kind, 1000 * game + number, eyes)
              for game in range(2) for number, (name, kind) in enumerate(KINDS.items()) if name not in JUDGED_APART}
    assert sum(score.seconds for score in scores.values()) >= 1800
    told_rightly(total(scores))


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_networks_tell_labelled_photographs_brought_to_play_rightly(eyes: NetworkEyes) -> None:
    if not STILLS.is_dir():
        pytest.skip("../shared/photos is absent")
    told_rightly(total(dict(watched_stills(eyes, 0))))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fps", [5.0, 20.0])
def test_at_other_frame_rates(fps: float) -> None:
    told_rightly(watch_film(30, FilmConfig(seconds=240.0, fps=fps))[0])


def rows(table: Sequence[TrueRow]) -> list[tuple[object, ...]]:
    return sorted((row.side, row.legal, " ".join(sorted(row.tiles))) for row in table if row.kind != "pozo")


@pytest.mark.parametrize("path", sorted(SHARED.glob("*.json")) or [None], ids=lambda path: path.stem if path else "absent")
def test_the_networks_see_another_renderer_rightly(eyes: NetworkEyes, path: Path | None) -> None:
    """Every change, by name, tiles, verdict, side and time; and the whole table after each."""
    if path is None:
        pytest.skip("../shared/videos is absent")
    truth = load(path)
    watch = Watch(eyes, line=truth.side_line_px)
    told = [each.to_json() for frame in frames(str(path.with_name(truth.video))) for each in watch.see(frame.pixels, frame.time)]
    events = [line for line in told if line["event"] != "table"]
    told_rightly(compare(truth, events))
    changes = [event for event in truth.events if event.is_change]
    assert [(line["event"], line["side"]) for line in events] == [(change.event, change.side) for change in changes]
    assert all(abs(line["time"] - line["frame"] / truth.fps) < 0.01 for line in told)
    for change, line in zip(changes, events, strict=True):
        after = next(each for each in told if each["event"] == "table" and each["frame"] >= line["frame"])
        melds = sorted((meld["side"], meld["legal"], " ".join(sorted(meld["tiles"]))) for meld in after["melds"])
        assert melds == rows(change.table), change.note
        assert not line["meld"] or tuple(line["meld"]) in {row.tiles for row in change.table}, change.note
        pozo = [tile for row in change.table if row.kind == "pozo" for tile in row.tiles]
        assert Counter(after["loose"]) == Counter(pozo), change.note
