"""Rendered sequences: their truth agrees with their pixels, and the live referee reports it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.sequences.__main__ import write
from datasets.sequences.compare import Score, compare, is_right
from datasets.sequences.eyes import Faults
from datasets.sequences.film import Film, FilmConfig
from datasets.sequences.game import Game
from datasets.sequences.lens import Lens, LensConfig
from datasets.sequences.plan import BOXED, CLOSE, MUGGED, Beat
from datasets.sequences.quiet import draw_stock, shift_meld, slide_loose, straighten
from datasets.sequences.stills import still, stills
from datasets.sequences.stress import JUDGED_APART, KINDS, STILLS, total, watched, watched_stills
from datasets.sequences.sway import Sway, SwayConfig
from datasets.sequences.truth import TrueEvent, TrueRow, TrueSequence, load
from datasets.sequences.watching import watch_film
from engine import judge_meld, ruleset
from engine import tiles as engine_tiles
from tests.places import SHARED
from vision import open_reader
from vision.errors import ModelError
from vision.live import Watch
from vision.live.eyes import NetworkEyes
from vision.live.sources import frames

VIDEOS = SHARED / "videos"
SMALL = FilmConfig(
    seconds=60.0, width=640, height=360, nudge_px=9.0, lens=LensConfig(flicker=0.015)
)
MOST_FALSE = 1.0  # events in ten minutes
LEAST_RIGHT = 0.98
LEAST_TABLES = 0.9  # of the changes; a tile that stays unread spoils the tables of a whole film


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
        assert (
            judge_meld(engine_tiles(" ".join(meld.row)), ruleset("burako")).valid
            or id(meld) in wrong
        )


@pytest.mark.parametrize("deed", [shift_meld, straighten, slide_loose, draw_stock])
def test_quiet_deeds_change_no_meld(deed: Callable[[Game], Beat | None]) -> None:
    game, _ = played(6, 4)
    before = Counter(meld.row for meld in game.melds), game.stock[:], game.pieces()
    beat = next(beat for beat in (deed(game) for _ in range(50)) if beat)
    assert not (beat.added or beat.removed or beat.moved) and beat.legal
    assert Counter(meld.row for meld in game.melds) == before[0]
    assert (game.stock, game.pieces()) != before[1:]


def test_a_labelled_photograph_is_brought_to_play(tmp_path: Path) -> None:
    photograph = np.full((240, 320, 3), (60, 120, 70), np.uint8)
    raw: dict[str, Any] = {"photo": "a.png", "tiles": [], "rows": []}
    for row, tiles in enumerate((["3R", "4R", "5R", "6R"], ["6B", "6K", "6Y"], ["9K"])):
        for place, tile in enumerate(tiles):
            x, y = 20 + 21 * place, 20 + 60 * row
            cv2.rectangle(photograph, (x, y), (x + 20, y + 28), (230, 230, 220), -1)
            raw["tiles"].append(
                {
                    "tile": tile,
                    "corners": [[x, y], [x + 20, y], [x + 20, y + 28], [x, y + 28]],
                    "row": row,
                }
            )
        ids = list(range(len(raw["tiles"]) - len(tiles), len(raw["tiles"])))
        raw["rows"].append(
            {"kind": "loose" if row == 2 else "escalera", "tiles": ids, "whole": True}
        )
    cv2.imwrite(str(tmp_path / "a.png"), photograph)
    (tmp_path / "labels.jsonl").write_text(json.dumps(raw), "utf-8")
    (label,) = stills(tmp_path)
    table, game = still(label, tmp_path, np.random.default_rng(3), ruleset("burako"), (320, 240))
    for beat in (game.beat() for _ in range(30)):
        shown = table.picture(game)
        for piece in table.everything:
            x, y = piece.quad.mean(axis=0).astype(int)
            assert (shown[y, x].min() > 200) == any(piece is other for other in game.pieces())
        assert beat is None or beat.legal or beat.reason in ("tile_removed", "meld_removed")
    assert [piece.tile for piece in game.pozo] == ["9K"]


def test_bands_and_compression_leave_the_picture_what_it_is() -> None:
    config = LensConfig(noise=1.0, mains=50.0, hunting=0.5, tint=0.1, quality=60)
    lens = Lens(config, np.random.default_rng(4), 10.0, (90, 160))
    scene = np.full((90, 160, 3), 120, np.uint8)
    shots = [lens.take(scene).astype(float) for _ in range(5)]
    assert all(abs(shot.mean() - 120) < 12 and shot.shape == scene.shape for shot in shots)
    assert max(np.ptp(shot.mean(axis=(1, 2))) for shot in shots) > 6  # the bands


def test_a_stand_drifts_sags_and_is_knocked_no_further_than_asked() -> None:
    config = SwayConfig(drift_px=2.0, turn=0.1, sag_px=60.0, knock_seconds=3.0)
    middle = np.array([320.0, 180.0, 1.0])

    def path(sway: Sway, frames: int) -> NDArray[np.float64]:
        places = [(sway.next() @ middle)[:2] for _ in range(frames)]
        return np.asarray(np.array(places) - middle[:2], np.float64)

    drift = path(Sway(SwayConfig(drift_px=2.0), 1, 10.0, (640, 360)), 600)
    assert 1.5 < np.abs(drift).max() <= 2.0 and not np.array_equal(drift, np.round(drift))
    one, two = (path(Sway(config, 2, 10.0, (640, 360)), 600) for _ in range(2))
    assert np.array_equal(one, two)
    steps = np.linalg.norm(np.diff(one, axis=0), axis=1)
    assert steps.max() > 4 and np.median(steps) < 1.5  # knocks, and rest between them
    assert 40 < path(Sway(SwayConfig(sag_px=60.0), 3, 10.0, (640, 360)), 600)[-1, 1] <= 60


@pytest.mark.film
def test_two_tiles_are_told_after_five_seconds_and_a_mug_never() -> None:
    config = FilmConfig(
        seconds=40.0, width=320, height=180, plan=MUGGED, melds=1, pairs=0.6, mug_first=0.5
    )
    film = Film(7, config)
    assert all(shot.pixels.shape == (180, 320, 3) for shot in film.shots())
    events = film.truth().events
    pairs = [each for each in events if each.note == "two tiles laid as a meld" and each.reason]
    assert pairs and all(not each.legal and each.reason == "too_short" for each in pairs)
    for pair in pairs:
        assert pair.hand_frames is not None and len(pair.added) == 2
        assert pair.free_from_frame - pair.hand_frames[1] - 1 == 50
    completed = [each for each in events if each.note == "laid by and by"]
    assert completed
    for each in (*pairs, *completed):
        assert each.added in [row.tiles for row in each.table]
    mugs = [each for each in events if each.note == "mug moved"]
    assert mugs and not any(each.is_change for each in mugs)


def test_a_second_wild_lies_beside_the_first_where_it_can() -> None:
    game, _ = played(8, 0)
    beats = [beat for beat in (game.add_second_wild() for _ in range(20)) if beat]
    assert beats and all(not beat.legal and len(beat.added) == 1 for beat in beats)
    assert all(beat.added[0] == "J" or beat.added[0][:-1] == "2" for beat in beats)


def test_the_same_seed_films_the_same() -> None:
    short = FilmConfig(seconds=2.0, width=320, height=180)
    one, two = ([shot.pixels for shot in Film(5, short).shots()] for _ in range(2))
    assert len(one) == len(two) >= 20
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_a_film_is_written_with_its_truth(tmp_path: Path) -> None:
    truth = write(
        tmp_path / "game.mjpeg", Film(6, FilmConfig(seconds=6.0, width=320, height=180, idle=0.0))
    )
    assert load(tmp_path / "game.json").events == json_round_trip(truth.events)
    assert (tmp_path / "game.mjpeg").read_bytes().count(b"\xff\xd8\xff") == truth.frames
    tiles, corners = truth.table_at(0)
    assert corners.shape == (len(tiles), 4, 2) and (corners > 0).all() and (corners < 320).all()


def json_round_trip(events: tuple[TrueEvent, ...]) -> tuple[TrueEvent, ...]:
    whole = TrueSequence("", 1.0, 1, 1, 1, ((0.0, 0.0), (1.0, 1.0)), events)
    return msgspec.json.decode(msgspec.json.encode(whole), type=TrueSequence).events


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
def test_what_counts_as_right(
    truth: TrueEvent, told: list[tuple[str, bool, str | None]], right: bool
) -> None:
    assert (
        is_right(
            truth,
            [{"tiles": [tile], "legal": legal, "reason": reason} for tile, legal, reason in told],
        )
        is right
    )


@pytest.mark.parametrize(
    ("tiles", "right"),
    [((["5R"], ["6R"]), 2), ((["5R", "6R"],), 2), ((["5R"],), 0), ((["5R"], ["6R"], ["7R"]), 0)],
)
def test_changes_close_together_may_be_told_as_one(
    tiles: tuple[list[str], ...], right: int
) -> None:
    changes = (event(), event(frame=25, free_from_frame=25, added=("6R",)))
    told = [
        {"event": "tiles_added", "tiles": each, "legal": True, "reason": None, "frame": 30}
        for each in tiles
    ]
    score = compare(TrueSequence("", 10.0, 100, 1, 1, ((0.0, 0.0), (1.0, 1.0)), changes), told)
    assert (score.right, score.changes, score.false) == (right, 2, [])


def test_told_too_late_is_false_and_not_right(tmp_path: Path) -> None:
    truth = write(tmp_path / "game.mjpeg", Film(7, FilmConfig(seconds=1.0, width=320, height=180)))
    truth = replace(truth, fps=10.0, frames=600, events=(event(),))
    answer = {"event": "tiles_added", "tiles": ["5R"], "legal": True, "reason": None}
    for frame, right in ((20, 1), (35, 1), (36, 0), (9, 0)):
        score = compare(truth, [{**answer, "frame": frame}])
        assert (score.right, len(score.false)) == (right, 1 - right)


@pytest.mark.parametrize(
    ("melds", "wrong"),
    [
        ([("A", ["3R", "4R", "5R"])], ()),
        ([("A", ["5R", "4R", "3R"])], ()),
        ([("A", ["3R", "4R", None])], ("lacks A 3R 4R 5R", "has A 3R 4R ?")),
        ([("B", ["3R", "4R", "5R"])], ("lacks A 3R 4R 5R", "has B 3R 4R 5R")),
        ([("A", ["3R", "4R", "5R"])] * 2, ("has A 3R 4R 5R",)),
        ([], ("lacks A 3R 4R 5R",)),
    ],
)
def test_the_table_after_a_change_has_to_be_right_too(
    melds: list[tuple[str, list[str | None]]], wrong: tuple[str, ...]
) -> None:
    lying = (
        TrueRow("escalera", "A", True, ("3R", "4R", "5R"), ()),
        TrueRow("pozo", None, None, ("J",), ()),
    )
    truth = TrueSequence("", 10.0, 100, 1, 1, ((0.0, 0.0), (1.0, 1.0)), (event(table=lying),))
    told = {"event": "tiles_added", "tiles": ["5R"], "legal": True, "reason": None, "frame": 30}
    table = {"event": "table", "frame": 30, "melds": [{"side": s, "tiles": t} for s, t in melds]}
    score = compare(truth, [told, table, {**table, "frame": 60, "melds": []}])
    assert score.verdicts[0].melds_wrong == wrong
    assert (score.right, score.tables_right, score.false) == (1, int(not wrong), [])
    assert compare(truth, [told]).tables_right == 1  # no table was told at all


def told_rightly(score: Score) -> None:
    wrong = [(verdict.truth, verdict.told) for verdict in score.verdicts if not verdict.right]
    assert score.share >= LEAST_RIGHT, wrong
    assert score.false_in_ten_minutes <= MOST_FALSE, score.false
    assert score.tables_right >= LEAST_TABLES * score.changes, list(score.faults())


@pytest.mark.film
@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_referee_tells_games_rightly(seed: int) -> None:
    """A minute each, eyes that know the truth but miss and misread now and then."""
    score = watch_film(seed, SMALL, Faults(missed=0.01, misread=0.005))[0]
    assert score.changes > 8
    told_rightly(score)


@pytest.fixture(scope="module")
def eyes() -> NetworkEyes:
    try:
        return NetworkEyes(open_reader())
    except ModelError as error:
        pytest.skip(f"no networks: {error}")


@pytest.mark.film
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_networks_tell_games_rightly(eyes: NetworkEyes, seed: int) -> None:
    """Films of twenty seconds, taken from near. The slow tests have games of every kind."""
    config = FilmConfig(seconds=20.0, width=640, height=360, plan=CLOSE, melds=2, pause=(1.6, 2.0))
    score = watch_film(seed, config, eyes=eyes)[0]
    assert score.changes >= 4
    told_rightly(score)


@pytest.mark.film
def test_the_networks_take_nothing_printed_on_the_games_box_for_a_meld(eyes: NetworkEyes) -> None:
    config = FilmConfig(seconds=16.0, width=640, height=360, plan=BOXED, melds=2, pause=(1.6, 2.0))
    film = Film(4, config)
    watch = Watch(eyes, line=film.truth().side_line_px)
    told = [
        each
        for number, shot in enumerate(film.shots())
        for each in watch.see(shot.pixels, number / config.fps)
    ]
    score = compare(film.truth(), [each.to_json() for each in told])
    assert score.changes >= 4
    told_rightly(score)
    assert watch.table is not None and len(watch.table.printed) == 1
    lying = film.truth().events[-1].table
    assert len(watch.table.melds) == sum(row.kind != "pozo" for row in lying)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_the_networks_tell_half_an_hour_of_every_kind_rightly(eyes: NetworkEyes) -> None:
    scores = {
        f"{name} {game}": watched(kind, 1000 * game + number, eyes)
        for game in range(2)
        for number, (name, kind) in enumerate(KINDS.items())
        if name not in JUDGED_APART
    }
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
    return sorted(
        (row.side, row.legal, " ".join(sorted(row.tiles))) for row in table if row.kind != "pozo"
    )


@pytest.mark.film
@pytest.mark.parametrize(
    "path",
    sorted(VIDEOS.glob("*.json")) or [None],
    ids=lambda path: path.stem if path else "absent",
)
def test_the_networks_see_another_renderer_rightly(eyes: NetworkEyes, path: Path | None) -> None:
    """Each change has the right name, tiles, verdict, side and time, and so has the whole table
    after it.
    """
    if path is None:
        pytest.skip("../shared/videos is absent")
    truth = load(path)
    watch = Watch(eyes, line=truth.side_line_px)
    told = [
        each.to_json()
        for frame in frames(str(path.with_name(truth.video)))
        for each in watch.see(frame.pixels, frame.time)
    ]
    told_rightly(compare(truth, told))
    events = [line for line in told if line["event"] != "table"]
    changes = [event for event in truth.events if event.is_change]
    assert [(line["event"], line["side"]) for line in events] == [
        (change.event, change.side) for change in changes
    ]
    assert all(abs(line["time"] - line["frame"] / truth.fps) < 0.01 for line in told)
    for change, line in zip(changes, events, strict=True):
        after = next(
            each for each in told if each["event"] == "table" and each["frame"] >= line["frame"]
        )
        melds = sorted(
            (meld["side"], meld["legal"], " ".join(sorted(meld["tiles"])))
            for meld in after["melds"]
        )
        assert melds == rows(change.table), change.note
        assert not line["meld"] or tuple(line["meld"]) in {row.tiles for row in change.table}, (
            change.note
        )
        pozo = [tile for row in change.table if row.kind == "pozo" for tile in row.tiles]
        assert Counter(after["loose"]) == Counter(pozo), change.note
