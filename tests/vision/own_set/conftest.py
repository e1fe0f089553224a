"""The rendered photograph that teaches the sets of these tests."""

from __future__ import annotations

import numpy as np
import pytest

from tests.teaching_scenes import Truth, teaching_photograph
from vision.frame import Frame


@pytest.fixture(scope="module")
def rendered() -> tuple[Frame, Truth]:
    """Render rows of yellow, black, red and blue tiles, and a comodín; returned with their
    truth.
    """
    picture, labelled = teaching_photograph("YKRB")
    truth = [(str(tile.tile), np.asarray(tile.corners, float)) for tile in labelled.tiles]
    return Frame.of(picture), truth
