"""The dice that decide who begins."""

from __future__ import annotations

import pytest

from scorer_app.services import dice


def test_those_who_share_the_highest_throw_again(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown = iter([6, 2, 6, 1, 3, 3, 2, 5])
    monkeypatch.setattr(dice.secrets, "randbelow", lambda faces: next(thrown) - 1)
    throws = dice.throw_dice(4)
    assert throws == [[6, 3, 2], [2], [6, 3, 5], [1]]
    assert dice.winning_seat(throws) == 2
