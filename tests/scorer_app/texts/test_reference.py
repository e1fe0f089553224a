"""The reference of codes, `engine/REASONS.md`, agrees with the enumerations and the catalogue."""

from __future__ import annotations

from engine.reasons import CHANGE_REASONS, CLOSING_REASONS, MELD_REASONS, Reason
from scorer_app.texts.reference import PATH, reference


def test_the_reference_is_up_to_date() -> None:
    written = PATH.read_text("utf-8")
    assert written == reference(), "python -m scorer_app.texts.reference writes it anew"


def test_every_reason_belongs_to_one_group() -> None:
    assert [*MELD_REASONS, *CHANGE_REASONS, *CLOSING_REASONS] == list(Reason)
