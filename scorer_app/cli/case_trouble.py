"""Errors about a case of `burako judge`."""

from __future__ import annotations

from engine.checks import WrongValue
from scorer_app.texts.translator import translator
from scorer_app.texts.wrong_values import CaseTrouble

ILLEGAL_MELD = "illegal_meld"  # the `error` of a hand with such a meld, whose `reason` says why


def wrong(trouble: CaseTrouble, **values: object) -> WrongValue:
    """Return the error for a case, with what its sentence names."""
    return WrongValue(trouble, translator("en")(f"wrong.{trouble}", **values), **values)
