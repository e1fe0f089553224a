"""Why a photograph or a network cannot be used, as an enumerated reason.

The sentences for people are the application's: `scorer_app.texts.failures` says each reason.
"""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """Why a photograph or a network cannot be used; the value is the code in JSON."""

    NOT_FOUND = "not_found"
    EMPTY_FILE = "empty_file"
    NOT_AN_IMAGE = "not_an_image"
    TRUNCATED = "truncated"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_FEW_PIXELS = "too_few_pixels"
    ODD_SHAPE = "odd_shape"  # a strip
    TOO_HEAVY = "too_heavy"  # opening it takes too much memory or time
    MODEL_MISSING = "model_missing"
    MODEL_MISMATCH = "model_mismatch"


class VisionError(Exception):
    """Base of this package's errors. `reason` says why; `what` says what was expected and what came
    (a path, a size in pixels), empty where the reason says it all.
    """

    def __init__(self, reason: Reason, what: str = "") -> None:
        super().__init__(f"{reason.value}: {what}" if what else reason.value)
        self.reason, self.what = reason, what


class PhotoError(VisionError):
    """This photograph cannot be used; the reader itself works."""


class ModelError(VisionError):
    """The reader cannot start: a network is missing or is not the expected one."""
