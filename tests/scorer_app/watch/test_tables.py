"""The watches of all matches: what becomes of one when another is to take its place."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine import ruleset
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.set_values import ChosenSet
from scorer_app.watch.table_watch import TableWatch
from scorer_app.watch.tables import Watches
from vision.colour import INKS
from vision.live import Eyes


def test_a_watch_goes_on_where_the_networks_of_another_cannot_be_loaded() -> None:
    known = [SimpleNamespace(inks=INKS)]

    def open_eyes(_chosen: ChosenSet | None) -> Eyes:
        if not known:
            raise ReadingFailed("model_missing")
        return known.pop()  # type: ignore[return-value]

    watches = Watches(open_eyes)
    running = watches.begin("match", ruleset("burako"))
    with pytest.raises(ReadingFailed):
        watches.begin("match", ruleset("pagat"))
    assert watches.find("match") is running


class LookedAt(TableWatch):
    """A watch whose latest picture another thread asks for whenever a field changes."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("frame", "frames"):
            self.jpeg()
        super().__setattr__(name, value)


def test_a_picture_that_is_asked_for_while_the_next_frame_comes_does_not_take_its_place() -> None:
    """Whoever follows a table at rest would see it as it lay before the last move."""
    eyes: Any = SimpleNamespace(inks=INKS)
    watch = LookedAt(ruleset("burako"), eyes)
    watch.watch = SimpleNamespace(see=lambda *_frame: [], table=None, memory=None)  # type: ignore[assignment]
    for level in (0, 255):
        watch.see(np.full((48, 64, 3), level, np.uint8), "page", 1.0)
    with Image.open(io.BytesIO(watch.jpeg()[1])) as shown:
        assert np.asarray(shown).min() > 250
