"""`burako score`: what it prints of photographs, what it refuses, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.samples import hand
from engine.rulesets import ruleset
from engine.tiles import Tile
from scorer_app.cli import judge_cases
from scorer_app.cli.judge_answers import answer_hand
from scorer_app.cli.score import _options, _rules
from vision.own_set.examples import TileSet

from .commands import MELDS_A, MELDS_B, RACK_A, SCORED, burako, only_line, program


def test_a_photo_that_cannot_be_used_leaves_the_hand_unscored(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.jpg")
    done = burako("score", "--melds-a", MELDS_A, gone, "--json")
    line = json.loads(only_line(done.stdout))
    assert (done.returncode, line["photo"], line["error"]) == (1, gone, "not_found")
    assert only_line(done.stderr) == f"{gone}: {line['message']}"
    in_words = burako("score", "--melds-a", MELDS_A, gone)
    assert (in_words.returncode, in_words.stdout, in_words.stderr) == (1, "", done.stderr)


def score_lines(side: dict[str, Any]) -> list[tuple[str, int, str | None, list[str]]]:
    """List the lines of a score sheet so that the order in which rows and tiles were found does not
    matter.
    """
    return sorted(
        (line["kind"], line["points"], str(line["canasta"]), sorted(line["tiles"]))
        for line in side["lines"]
    )


@pytest.mark.process
def test_the_sample_hand_is_scored_line_by_line() -> None:
    done = program("score", *SCORED, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    truth = answer_hand(hand.hand_case(), ruleset("burako"), "es")
    assert told["valid_close"] is True and told["doubtful"] == []
    for side in "AB":
        assert score_lines(told[side]) == score_lines(truth[side])
        assert {key: told[side][key] for key in truth[side] if key != "lines"} == {
            key: value for key, value in truth[side].items() if key != "lines"
        }
        assert told["interval"][side] == [truth[side]["total"]] * 2


def test_the_score_sheet_in_words() -> None:
    done = burako("score", *SCORED)
    assert done.returncode == 0
    assert [line.split()[:2] for line in done.stdout.splitlines() if "TOTAL" in line] == [
        ["TOTAL", "785"],
        ["TOTAL", "75"],
    ]
    assert done.stdout.count("canasta pura") == 1 and done.stdout.count("canasta impura") == 2


def test_the_option_players_says_the_same_as_players() -> None:
    """Of two players, the one who closed has no tile left; of four, the partner may have some."""
    closed = ("score", "--melds-a", MELDS_A, "--rack-a", RACK_A, "--closed-by", "A", "--json")
    told = [
        json.loads(burako(*closed, "--muerto", "A", *players).stdout)
        for players in (("--players", "2"), ("--option", "players=2"), ())
    ]
    assert [one["valid_close"] for one in told] == [False, False, True]
    assert told[0] == told[1]


def test_a_muerto_that_was_not_played_costs_what_the_table_says() -> None:
    asked = ("score", "--rack-a", RACK_A, "--rules", "buraco", "--muerto", "A,B", "--json")
    costs = ("--option", "muerto_unplayed_penalty=100")
    plain, unplayed, free = (
        json.loads(burako(*asked, *more).stdout)
        for more in (costs, (*costs, "--unplayed", "A"), ("--unplayed", "A"))
    )
    assert [one["A"]["muerto"] for one in (plain, unplayed, free)] == [100, 0, 100]
    assert [one["interval"]["A"][0] for one in (plain, unplayed)] == [
        one["A"]["total"] for one in (plain, unplayed)
    ]
    assert plain["B"] == unplayed["B"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            ["--muerto", "A", "--unplayed", "B"],
            {
                "es": "--unplayed vale para los lados que nombra --muerto",
                "en": "expected --unplayed for sides that --muerto names",
                "it": "--unplayed vale per i lati nominati da --muerto",
            },
        ),
        (
            ["--muerto", "A", "--muerto", "B,C"],
            {
                "es": "--muerto: se esperaba A, B o A,B, y vino 'B,C'",
                "en": "--muerto: expected A, B or A,B, got 'B,C'",
                "it": "--muerto: ci vuole A, B o A,B, e c'è 'B,C'",
            },
        ),
    ],
)
def test_wrong_sides_are_told_in_the_language_asked_for(
    given: list[str], told: dict[str, str]
) -> None:
    for language, sentence in told.items():
        done = burako("score", "--rack-a", RACK_A, *given, "--lang", language)
        assert (done.returncode, done.stdout) == (2, "")
        assert only_line(done.stderr) == f"burako score: {sentence}"


def test_more_tiles_than_any_set_has_are_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(judge_cases, "MOST_TILES", 20)
    done = burako("score", "--melds-b", MELDS_B, "--lang", "en")
    assert (done.returncode, done.stdout) == (1, "")
    assert "at most 20 tiles" in only_line(done.stderr)
    done = burako("score", "--melds-b", MELDS_B, "--json")
    assert done.returncode == 1
    line = json.loads(only_line(done.stdout))
    assert line["error"] == "too_many_tiles"
    assert line["message"] == "teams.B.melds: se esperaban 20 fichas como máximo, y vinieron 21"


def test_photographs_given_twice_are_named_where_they_make_more_tiles_than_any_set_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    once = json.loads(burako("read", MELDS_B, "--json").stdout)["tiles"]
    monkeypatch.setattr(judge_cases, "MOST_TILES", len(once))
    assert burako("score", "--melds-b", MELDS_B).returncode == 0
    twice = burako("score", "--melds-b", MELDS_B, MELDS_B, "--lang", "en")
    most, told = twice.stderr.splitlines()
    assert (twice.returncode, twice.stdout) == (1, "")
    assert "at most" in most
    assert told.startswith(f"{MELDS_B}, {MELDS_B}: Two photographs show the same")


def test_photographs_and_sides_of_an_option_that_is_given_again_are_added() -> None:
    """If the last one counted alone, melds and muertos would be lost without a word."""
    melds = ["--melds-a", "1.jpg", "2.jpg", "--melds-a", "3.jpg"]
    racks = ["--rack-b", "4.jpg", "--rack-b", "5.jpg"]
    asked = _options([*melds, *racks, "--muerto", "B", "--muerto", "A"])
    assert (asked.melds_a, asked.rack_b) == (["1.jpg", "2.jpg", "3.jpg"], ["4.jpg", "5.jpg"])
    assert (asked.melds_b, asked.rack_a, sorted(asked.muerto)) == ([], [], ["A", "B"])
    assert _options(["--melds-b", "1.jpg"]).melds_a == []


def test_an_option_overrides_the_copies_of_the_set() -> None:
    tile_set = TileSet("Casa", (), {"3K": 1, "J": 3})
    asked = _options(["--rack-a", RACK_A, "--option", 'copies={"7R": 1}'])
    assert _rules(asked, tile_set).other_copies == ((Tile.parse("7R"), 1),)
    four = _rules(_options(["--rack-a", RACK_A, "--option", "jokers=4"]), tile_set)
    assert [four.copies(Tile.parse(face)) for face in ("3K", "J")] == [1, 4]
    bare = _rules(_options(["--rack-a", RACK_A]), tile_set)
    assert [bare.copies(Tile.parse(face)) for face in ("3K", "J", "7R")] == [1, 3, 2]


@pytest.mark.parametrize("second", ["--melds-a", "--melds-b"])
def test_a_photograph_that_is_given_twice_is_no_score_without_doubt(second: str) -> None:
    """Each of them counts, so that the score may have twice what lies on the table."""
    photos = [MELDS_A, MELDS_A] if second == "--melds-a" else [MELDS_A, second, MELDS_A]
    done = burako("score", "--melds-a", *photos, "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["copies"] == [{"photo": MELDS_A, "duplicate_of": MELDS_A}]
    in_words = burako("score", "--melds-a", *photos, "--lang", "en")
    assert f"{MELDS_A}, {MELDS_A}: Two photographs show the same" in in_words.stdout


def test_a_photograph_that_shows_no_tiles_is_no_score_without_doubt(tmp_path: Path) -> None:
    bare = str(tmp_path / "bare.jpg")
    cv2.imwrite(bare, np.full((480, 640, 3), (70, 92, 38), np.uint8))
    done = burako("score", "--melds-a", bare, "--melds-b", MELDS_B, "--json")
    assert done.returncode == 3
    assert {"photo": bare, "notice": "no_tiles"} in json.loads(done.stdout)["photo_notices"]
    in_words = burako("score", "--melds-a", bare, "--lang", "en")
    assert in_words.returncode == 3
    assert f"{bare}: No tiles" in in_words.stdout


def test_a_rack_that_was_photographed_empty_is_not_said_to_be_unshown(tmp_path: Path) -> None:
    """Its photograph has the notice that no tiles are seen, and so the score stays open."""
    bare = str(tmp_path / "bare.jpg")
    cv2.imwrite(bare, np.full((480, 640, 3), (70, 92, 38), np.uint8))
    hand = ["--melds-a", MELDS_A, "--closed-by", "A", "--muerto", "A"]
    done = burako("score", *hand, "--rack-a", bare, "--rack-b", bare, "--json")
    sheet = json.loads(done.stdout)
    assert (sheet["unshown_racks"], sheet["partner_unshown"], done.returncode) == ([], False, 3)
    sheet = json.loads(burako("score", *hand, "--rack-a", bare, "--json").stdout)
    assert (sheet["unshown_racks"], sheet["partner_unshown"]) == (["B"], False)
