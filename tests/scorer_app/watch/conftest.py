"""Keeps decoded pictures, since these tests show the same few to a watched table over and over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision import jpeg
from vision.header import Header

Decode = Callable[..., NDArray[np.uint8]]


@pytest.fixture(scope="package", autouse=True)
def pictures_that_are_remembered() -> Iterator[None]:
    """Decode each of the last JPEGs once.

    Its pixels are read-only, so that code that changes them in place fails.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jpeg, "jpeg_pixels", _remembering(jpeg.jpeg_pixels))
        yield


def _remembering(decode: Decode) -> Decode:
    @lru_cache(maxsize=8)
    def decoded(data: bytes, header: Header, **options: Any) -> NDArray[np.uint8]:
        pixels = decode(data, header, **options)
        pixels.setflags(write=False)
        return pixels

    return decoded
