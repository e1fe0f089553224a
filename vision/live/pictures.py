"""The two kinds of picture that all packages of the live referee share: RGB and mask."""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

# The element type is left open because OpenCV's type stubs promise no more than "some integer".
RGB: TypeAlias = NDArray[Any]  # (h, w, 3) uint8, red, green, blue
Mask: TypeAlias = NDArray[Any]  # (h, w) uint8, 0 or 255
