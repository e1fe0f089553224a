"""The watches of all matches: what becomes of one when another is to take its place."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine import ruleset
from scorer_app.services.reading_queue import ReadingFailed
from scorer_app.services.set_values import ChosenSet
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
