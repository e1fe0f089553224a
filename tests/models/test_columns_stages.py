"""The trainings of the networks that see columns of cards: one command each."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from datasets.cards import hands
from datasets.cards.area import Laid
from datasets.cards.hands import HandConfig
from engine.pieces import card_name
from models.recipes import column_ends, column_gaps
from models.recipes.column_ends import collect_ends, ends_on
from models.recipes.column_gaps import gaps_on
from models.recipes.columns import Place, Sample, places_of
from models.recipes.scenes import FINDS, LABELS, NONE, load_scenes
from models.recipes.stages import Round
from tests.places import SAMPLES
from vision.cards import column_gaps as gaps_of_columns
from vision.cards.card import Card
from vision.cards.column_ends import AROUND, CARD, JOLLY, NOTHING, at_end
from vision.cards.column_gaps import between
from vision.cards.known_marks import KnownMarks
from vision.cards.pipeline import CardTableReader

UPRIGHT = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32)
MARK = np.array([[5, 5], [20, 5], [20, 30], [5, 30]], np.float32)
COLUMN = ["3C", "4C", "5C", "*"]


def column(count: int) -> list[Card]:
    """Cards 30 pixels apart, each with the mark in its upper left corner."""
    return [
        Card(
            UPRIGHT + np.array([200, 30 * k], np.float32),
            np.array([[212, 30 * k + 17]], np.float32),
        )
        for k in range(count)
    ]


def known(cards: list[Card]) -> KnownMarks:
    marks = [MARK + one.outline[0] for one in cards]
    return KnownMarks([range(len(cards))], cards, np.array(marks, np.float32).reshape(-1, 4, 2))


def told(cards: list[Card], places: list[Place | None]) -> list[tuple[int, int]]:
    rows = [tuple(range(len(cards)))]
    ends = ends_on(rows, cards, places, [COLUMN], known(cards))
    return [(shown, doubt) for _, shown, _, doubt, _ in ends]


def test_each_end_is_told_as_it_was_read_and_with_its_last_card_withheld() -> None:
    every = list[Place | None]([Place(0, number) for number in range(4)])
    assert told(column(4), every) == [(NOTHING, 0), (JOLLY, 1), (NOTHING, 0), (CARD, 0)]


def test_what_was_missed_or_is_no_card_is_in_doubt() -> None:
    missed = list[Place | None]([Place(0, 1), Place(0, 2)])
    assert told(column(2), missed) == [(JOLLY, 1), (CARD, 1)]
    spurious = list[Place | None]([None, Place(0, 0), Place(0, 1)])
    assert told(column(3), spurious) == [(CARD, 1), (NOTHING, 1)]


def test_ends_of_cards_that_are_no_neighbours_are_left_out() -> None:
    assert told(column(2), [Place(0, 0), Place(0, 2)]) == []
    assert told(column(2), [Place(0, 0), Place(1, 1)]) == []


def test_a_window_lies_at_the_end() -> None:
    cards = column(2)
    places = list[Place | None]([Place(0, 0), Place(0, 1)])
    (window, shown, colour, *_), _ = ends_on([(0, 1)], cards, places, [["3C", "4C"]], known(cards))
    expected = AROUND.windows(at_end(cards[0], cards[1])[None])[0]
    assert np.allclose(window, expected, atol=0.1) and (shown, colour) == (NOTHING, NONE)


def test_the_marks_around_a_place_are_listed_without_those_of_a_card_withheld() -> None:
    cards = column(3)
    places = list[Place | None]([Place(0, number) for number in range(3)])
    rows, marks = [tuple(range(3))], known(cards)

    def own_and_others(samples: list[Sample]) -> list[tuple[int, int]]:
        told = [[int(mark[-1]) for mark in listed] for *_, listed in samples]
        return [(sum(own), len(own) - sum(own)) for own in told]

    # The upper end as it was read, and with its last card withheld.
    assert own_and_others(ends_on(rows, cards, places, [COLUMN], marks))[2:] == [(1, 2), (1, 1)]
    # Two gaps, and that from which the card in the middle is withheld.
    assert own_and_others(gaps_on(rows, cards, places, [COLUMN], marks))[2] == (2, 0)


def told_between(cards: list[Card], places: list[Place | None]) -> list[tuple[int, int]]:
    rows = [tuple(range(len(cards)))]
    gaps = gaps_on(rows, cards, places, [COLUMN], known(cards))
    return [(shown, doubt) for _, shown, _, doubt, _ in gaps]


def test_each_gap_is_told_as_it_was_read_and_with_the_card_in_it_withheld() -> None:
    every = list[Place | None]([Place(0, number) for number in range(4)])
    assert told_between(column(4), every) == 3 * [(NOTHING, 0)] + 2 * [(CARD, 0)]
    assert told_between(column(3), [Place(0, 3), Place(0, 2), Place(0, 1)])[-1] == (CARD, 0)


def test_a_card_in_a_gap_that_was_missed_or_is_none_is_in_doubt() -> None:
    assert told_between(column(2), [Place(0, 0), Place(0, 2)]) == [(CARD, 1)]
    with_jolly = [["3C", "4C", "*", "5C"]]
    cards = column(2)
    (gap,) = gaps_on([(0, 1)], cards, [Place(0, 1), Place(0, 3)], with_jolly, known(cards))
    assert gap[1:4] == (JOLLY, NONE, 1)
    assert told_between(column(3), [Place(0, 0), None, Place(0, 1)]) == [(NOTHING, 1)]


def test_gaps_with_more_than_a_card_in_them_are_left_out() -> None:
    assert told_between(column(2), [Place(0, 0), Place(0, 3)]) == []
    assert told_between(column(2), [Place(0, 0), Place(1, 1)]) == []


def test_a_window_lies_over_the_gap() -> None:
    cards = column(2)
    ((window, *_),) = gaps_on([(0, 1)], cards, [Place(0, 0), Place(0, 1)], [COLUMN], known(cards))
    expected = gaps_of_columns.AROUND.windows(between(*cards)[None])[0]
    assert np.allclose(window, expected, atol=0.1)


def test_a_card_lies_where_its_surest_mark_is() -> None:
    square = np.array([[0, 0], [20, 0], [20, 30], [0, 30]])
    marks = [
        {"card": number, "corners": (square + corner).tolist()}
        for number, corner in ((0, [202, 2]), (1, [202, 32]), (4, [500, 400]))
    ]
    cards = [*column(2), Card(UPRIGHT, np.array([[510, 415]], np.float32))]
    cards.append(Card(UPRIGHT, np.array([[800, 800]], np.float32)))
    assert places_of(cards, marks, [COLUMN]) == [Place(0, 0), Place(0, 1), None, None]


def test_the_ends_of_a_photograph_are_collected(tmp_path: Path) -> None:
    photo = SAMPLES / "cards" / "melds-a.jpg"
    (tmp_path / "melds.jpg").write_bytes(photo.read_bytes())
    (tmp_path / "rack.jpg").touch()
    read = CardTableReader().read(photo)
    columns = [[card_name(read.tiles[at].tile) for at in meld.tiles] for meld in read.melds]
    melds = [
        {"tile": "3B", "corners": read.tiles[at].corners.tolist(), "card": number}
        for number, at in enumerate(at for meld in read.melds for at in meld.tiles)
    ]
    lines = [
        {"photo": f"{name}.jpg", "tiles": marks, "rows": [], "width": 9, "height": 9}
        for name, marks in (("melds", melds), ("rack", []))
    ]
    (tmp_path / LABELS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    photos = {"melds.jpg": {"columns": columns}, "rack.jpg": {"columns": []}}
    (tmp_path / hands.HANDS).write_text(json.dumps({"photos": photos}) + "\n")
    collected = collect_ends(tmp_path, None)
    (found, none) = load_scenes(tmp_path)
    assert len(found.finds) == len(found.marks) == collected and not len(none.finds)
    assert all(near.own.any() and near.quads.shape[1:] == (4, 2) for near in found.marks)
    # Of each of five columns both ends, and both with their last card withheld.
    shown = found.shown[:, 0].tolist()
    assert shown.count(NOTHING) == 10 and shown.count(CARD) == 10
    assert set(json.loads((tmp_path / FINDS).read_text())) == {"melds.jpg"}


@pytest.mark.parametrize(
    ("recipe", "network", "samples"),
    [(column_ends, "column_ends", ends_on), (column_gaps, "column_gaps", gaps_on)],
)
def test_the_stages_come_in_order_and_train_this_network_alone(
    recipe: ModuleType,
    network: str,
    samples: object,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[Any]()

    def rendered(out: Path, count: int, seed: int, config: HandConfig) -> None:
        out.mkdir(parents=True)
        (out / hands.HANDS).touch()
        asked.append(("render", count, config.laid))

    def collected(folder: Path, models: Path, samples: object) -> int:
        (folder / FINDS).write_text("{}")
        asked.append(("collect", folder.name, models, samples))
        return 5

    def ran(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        asked.append((command[2], command[3:]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(hands, "render_all", rendered)
    monkeypatch.setattr(recipe, "collect", collected)
    monkeypatch.setattr(subprocess, "run", ran)
    monkeypatch.setattr(Round, "run", lambda self: asked.append(self) or self.checkpoints)
    models = tmp_path / "models"
    for _ in range(2):
        recipe.run(tmp_path, models, 10)
    (*begun, trained, exported) = asked[:8]
    folders = ["hands", "hands-in-rows", "hands-in-fans"]
    counts = {Laid.COLUMNS: 70, Laid.ROWS: 20, Laid.FANS: 10}
    assert begun[:3] == [("render", count, laid) for laid, count in counts.items()]
    assert begun[3:] == [("collect", folder, models, samples) for folder in folders]
    assert trained.scenes == tuple(tmp_path / folder for folder in folders)
    assert trained.networks == (network,) and trained.start is None
    assert f"models.recipes.train_{network}" in trained.command(network)
    command = exported[1]
    checkpoint = str(tmp_path / f"trained/{network}/checkpoint.pt")
    assert command[command.index(f"--{network}") + 1] == checkpoint
    assert command[command.index("--out") + 1] == str(models)
    # Nothing is rendered or collected twice.
    assert [isinstance(step, Round) for step in asked[8:]] == [True, False]
