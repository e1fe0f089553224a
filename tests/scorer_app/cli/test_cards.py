"""`--pieces cards`: what `burako read` and `burako score` say of a table of cards. The picture is
rendered with a pack of the project's own drawing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from engine.pieces import Pieces, face_of_card
from engine.sides import SideName
from scorer_app.cli import score_sheet
from scorer_app.cli.pieces import rules_of
from scorer_app.cli.read import _options
from scorer_app.hand.intervals import intervals
from scorer_app.hand.record import Record
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.texts.translator import translator
from tests.places import PROJECT, SAMPLES
from tests.scorer_app.cli.commands import burako, only_line

TABLE = str(PROJECT / "tests" / "data" / "cards" / "table.jpg")
SHOWN = ["8H", "*", "3S", "KH", "5S", "*", "6H", "2D", "5D", "KH", "5S"]
COLUMNS = [["3S", "KH"], ["8H", "*"]]
# Of this card's suit sign only the tip is seen: it has to be told in doubt, and may be told as
# another black 3 as long as the true card is named beside it.
HALF_COVERED = "3S"


def read(*more: str) -> dict[str, Any]:
    done = burako("read", TABLE, "--pieces", "cards", "--json", *more)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def cards_of(told: dict[str, Any]) -> list[str]:
    """Return the card that is told for each entry; HALF_COVERED for one in doubt of the same
    number of which it is told that it may be that card.
    """
    true = face_of_card(HALF_COVERED)
    return [
        HALF_COVERED
        if entry["doubtful"]
        and entry["number"] == true.number
        and str(true) in {entry["tile"], *(face for face, _share in entry["alternatives"])}
        else entry["card"]
        for entry in told["tiles"]
    ]


def test_cards_are_read_each_once_though_both_corners_show() -> None:
    told = read()
    assert Counter(cards_of(told)) == Counter(SHOWN)
    assert [
        card for card, entry in zip(cards_of(told), told["tiles"], strict=True) if entry["doubtful"]
    ] == [HALF_COVERED]
    assert told["photo"] == TABLE and "other_pieces" not in told["notices"]


def test_tiles_keep_the_notation_of_the_engine() -> None:
    names = {entry["card"]: entry["tile"] for entry in read()["tiles"]}
    expected = {"KH": "13R", "5S": "5K", "2D": "2Y", "*": "J"}
    assert {card: names[card] for card in expected} == expected


def test_columns_go_from_the_covered_card_to_the_free_one() -> None:
    told = read()
    cards = cards_of(told)
    columns = [[cards[i] for i in meld["tiles"]] for meld in told["melds"]]
    assert sorted(columns) == COLUMNS
    assert len(told["loose"]) == len(SHOWN) - 4


def test_cards_without_rules_are_italian_burraco_with_four_jollies() -> None:
    rules = rules_of(_options(["x.jpg", "--pieces", "cards"]))
    assert (rules.id, rules.jokers) == ("burraco_it", 4)
    assert rules_of(_options(["x.jpg"])).id == "burako"
    named = rules_of(_options(["x.jpg", "--pieces", "cards", "--rules", "buraco"]))
    assert (named.id, named.jokers) == ("buraco", 4)


def test_people_are_told_cards() -> None:
    done = burako("read", TABLE, "--pieces", "cards", "--lang", "en")
    assert done.returncode == 0
    assert f"cards: {len(SHOWN)}" in done.stdout
    assert re.search(r"3[CS]\? KH", done.stdout) and "13R" not in done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pieces", Pieces)
def test_who_named_the_wrong_pieces_is_told_the_option_that_both_commands_have(
    language: Language, pieces: Pieces
) -> None:
    told = translator(language, pieces)("read.other_pieces")
    assert "--pieces cards" in told and "burako" not in told


@pytest.mark.pictures
def test_tiles_asked_of_cards_say_so_in_one_sentence() -> None:
    done = burako("read", TABLE, "--lang", "en")
    assert "shows cards, not tiles" in done.stdout
    tiles = burako("read", str(SAMPLES / "melds-b.jpg"), "--pieces", "cards", "--lang", "en")
    assert "shows tiles, not cards" in tiles.stdout


@pytest.mark.pictures
@pytest.mark.parametrize("rules", ["burraco_it", "burako"])
def test_melds_photographed_in_other_pieces_are_not_told_as_none(rules: str) -> None:
    """Nobody can tell from them that the side has no canasta."""
    tiles = str(SAMPLES / "melds-b.jpg")
    done = burako("score", "--pieces", "cards", "--rules", rules, "--melds-a", tiles, "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 3
    assert [one["notice"] for one in told["photo_notices"]] == ["other_pieces"]
    low, high = told["interval"]["A"]
    assert low == told.get("A", {"total": 0})["total"] < high - 200


def test_a_hand_of_cards_is_scored_and_doubts_name_cards() -> None:
    done = burako("score", "--rack-a", TABLE, "--pieces", "cards", "--json")
    assert done.returncode in (0, 3), done.stderr
    told = json.loads(done.stdout)
    low, high = told["interval"]["A"]
    assert low <= told["A"]["total"] <= high < 0
    assert all("card" in doubt for doubt in told["doubtful"])


def test_doubts_are_weighed_as_those_of_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards lie over one another, so an illegal column may hide a card."""
    seen = list[Pieces]()

    def weighed(
        record: Record, rules: TableRules, unseen: Iterable[SideName]
    ) -> dict[SideName, tuple[int, int]]:
        seen.append(rules.pieces)
        return intervals(record, rules, unseen)

    monkeypatch.setattr(score_sheet, "intervals", weighed)
    burako("score", "--melds-a", TABLE, "--pieces", "cards")
    burako("score", "--melds-a", TABLE)
    assert seen == [Pieces.CARDS, Pieces.TILES]


def test_the_score_sheet_names_cards() -> None:
    done = burako("score", "--rack-a", TABLE, "--pieces", "cards", "--lang", "en")
    assert "KH" in done.stdout and "13R" not in done.stdout


@pytest.mark.parametrize("command", [["read", TABLE], ["score", "--rack-a", TABLE]])
def test_a_set_of_tiles_does_not_go_with_cards(command: list[str]) -> None:
    done = burako(*command, "--pieces", "cards", "--set", "mine")
    assert (done.returncode, done.stdout) == (2, "") and "--set" in only_line(done.stderr)


def test_unknown_pieces_are_told_the_known_ones() -> None:
    done = burako("read", TABLE, "--pieces", "dominoes")
    assert done.returncode == 2
    line = only_line(done.stderr)
    assert "tiles" in line and "cards" in line


def test_a_closing_that_is_refused_names_cards() -> None:
    asked = ("--pieces", "cards", "--players", "2", "--closed-by", "A", "--json")
    done = burako("score", "--rack-a", TABLE, *asked)
    message = json.loads(done.stdout)["message"]
    assert "cartas" in message and "KH" in message and "13R" not in message
