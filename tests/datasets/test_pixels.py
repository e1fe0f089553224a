import numpy as np
import pytest

from datasets.pixels import resized, shares
from datasets.scene.photo import decoded


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@pytest.mark.parametrize("channels", [(), (3,), (4,)])
def test_resized_keeps_the_type_and_the_channels(kind, channels):
    small = resized(np.full((8, 6, *channels), 7, kind), (3, 5))
    assert (small.dtype, small.shape) == (kind, (5, 3, *channels))
    assert (small == 7).all()


def test_shares_run_from_0_to_1():
    part = shares(np.arange(256, dtype=np.uint8))
    assert part.dtype == np.float32
    np.testing.assert_array_equal(part, np.arange(256, dtype=np.float32) / 255)


def test_what_is_no_picture_is_not_decoded():
    with pytest.raises(ValueError, match="expected an encoded picture, got b'GIF9'"):
        decoded(b"GIF9")
