"""The generator of bad images is seeded, and whatever it makes is decoded or has its reason."""

from __future__ import annotations

import contextlib

import pytest

from tests.attack.bad_images import CHANGES, bad_image, honest
from vision.errors import PhotoError
from vision.frame import decode


def test_the_same_seed_makes_the_same_files() -> None:
    first, again, others = ([bad_image(seed, number) for number in range(12)] for seed in (3, 3, 4))
    for image, same in zip(first, again, strict=True):
        assert (image.name, image.data, image.whole) == (same.name, same.data, same.whole)
    assert len({image.data for image in first} - {image.data for image in others}) > 9


def test_every_kind_of_change_is_made() -> None:
    names = " ".join(bad_image(1, number).name for number in range(300))
    assert [name for name in (*CHANGES, "bomb", "whole") if name not in names] == []


def test_what_is_left_as_it_was_is_read() -> None:
    assert len(honest()) > 20
    for kind, data in honest().items():
        assert min(decode(data).pixels.shape[:2]) >= 80, kind


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_a_changed_file_is_decoded_or_has_its_reason(start: int) -> None:
    for number in range(start, start + 100):
        image = bad_image(11, number)
        if " bomb " not in image.name:
            with contextlib.suppress(PhotoError):
                decode(image.data)
