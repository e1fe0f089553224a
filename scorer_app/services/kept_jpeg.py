"""The form in which the pixels of a photograph are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUALITY = 90
# Colours keep their full resolution. Of 824 tiles on 36 rendered photographs of small tiles, 664
# are then read rightly, 655 with colours at half the resolution, and 663 on the photographs before
# compression; the file is a fifth larger.
FULL_COLOUR = 0  # value of Pillow's `subsampling`


def save_jpeg(picture: NDArray[np.uint8], path: Path | str) -> None:
    """Write a picture, (h, w, 3) RGB, as a JPEG that holds nothing but its pixels."""
    Image.fromarray(picture).save(path, "JPEG", quality=QUALITY, subsampling=FULL_COLOUR)
