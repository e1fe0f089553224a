"""The training of the network that looks again at marks of cards, as one command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.cards import hands
from engine.pieces import Pieces
from models.recipes import card_second_look, finds
from models.recipes.finds import finds_on, shown_at
from models.recipes.scenes import FINDS, LABELS, NONE, POSITIVE, TrainingScene, load_scenes
from models.recipes.stages import Round
from tests.face_scores import seen_on
from tests.places import SAMPLES
from vision.cards.second_look import AROUND, NO_MARK
from vision.detector import Detections
from vision.kinds import CARDS, Kind
from vision.reader import JOKER

MARK = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
CARD = np.array([[-5, -5], [115, -5], [115, 165], [-5, 165]], np.float32)


def scene(picture: Path = Path("table.jpg")) -> TrainingScene:
    """A 9 of spades and a jolly side by side, each with the mark in its upper left corner."""
    places = [np.array([20, 20]), np.array([220, 20])]
    return TrainingScene(
        picture,
        np.array([MARK + place for place in places], np.float32),
        ("9K", "J"),
        np.full(2, POSITIVE, np.int8),
        np.zeros(2, np.bool_),
        np.zeros((0, 4), np.float32),
        np.zeros((0, 4, 2), np.float32),
        wholes=np.array([CARD + place for place in places], np.float32),
    )


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ((20, 20), (8, 2)),
        ((80, 90), (NO_MARK, NONE)),
        ((220, 20), (JOKER, NONE)),
        ((280, 90), None),
        ((150, 200), (NO_MARK, NONE)),
    ],
    ids=["a 9", "elsewhere on its card", "a jolly's mark", "elsewhere on a jolly", "on the cloth"],
)
def test_what_lies_at_a_find(place: tuple[int, int], shown: tuple[int, int] | None) -> None:
    quad = np.asarray(MARK + np.array(place), np.float32)
    assert shown_at(scene(), quad, inside=True) == shown


def test_all_that_looks_like_a_jolly_is_in_doubt_however_faint_and_a_9_is_no_6() -> None:
    quads = scene().quads
    found = Detections(quads, np.array([0.9, 0.9], np.float32))
    told = finds_on(
        scene(), (400, 600), found, seen_on(quads, [{8: 1.0}, {JOKER: 1.0}], {2: 1.0}), CARDS
    )
    assert [(number, doubt) for _, number, _, doubt in told] == [(8, 0), (JOKER, 1)]
    assert np.allclose([window for window, *_ in told], AROUND.windows(quads), atol=0.1)


def test_the_stages_come_in_order_and_train_this_network_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Any]()

    def rendered(out: Path, count: int, *_: object) -> None:
        out.mkdir(parents=True)
        (out / hands.HANDS).touch()
        asked.append(("render", count))

    def collected(folder: Path, models: Path, kind: Kind) -> int:
        (folder / FINDS).write_text("{}")
        asked.append(("collect", folder.name, models, kind))
        return 5

    def ran(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        asked.append((command[2], command[3:]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(hands, "render_all", rendered)
    monkeypatch.setattr(finds, "collect", collected)
    monkeypatch.setattr(subprocess, "run", ran)
    monkeypatch.setattr(Round, "run", lambda self: asked.append(self) or self.checkpoints)
    models = tmp_path / "models"
    for _ in range(2):
        card_second_look.run(tmp_path, models, 10)
    (count, collect, trained, exported, *again) = asked
    assert count == ("render", 60) and collect == ("collect", "hands", models, CARDS)
    assert trained.networks == ("second_look",) and trained.start is None
    assert "models.recipes.train_card_second_look" in trained.command("second_look")
    told = exported[1]
    assert told[told.index("--pieces") + 1] == Pieces.CARDS.value
    assert told[told.index("--out") + 1] == str(models)
    # Nothing is rendered or collected twice.
    assert [isinstance(step, Round) for step in again] == [True, False]


def test_finds_of_cards_are_collected_with_the_networks_of_cards(tmp_path: Path) -> None:
    (tmp_path / "melds.jpg").write_bytes((SAMPLES / "cards" / "melds-a.jpg").read_bytes())
    line = {"photo": "melds.jpg", "tiles": [], "rows": [], "width": 9, "height": 9}
    (tmp_path / LABELS).write_text(json.dumps(line) + "\n")
    assert finds.collect(tmp_path, None, kind=CARDS) > 5
    (loaded,) = load_scenes(tmp_path)
    assert (loaded.shown[:, 0] == NO_MARK).all()
