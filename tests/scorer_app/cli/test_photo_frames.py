"""Photographs named on the command line are opened here or in a child process, with one result."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from scorer_app.cli.photo_frames import load_frame
from tests.places import SAMPLES
from vision.frame import load


def test_a_frame_of_the_child_is_the_one_decoded_here(tmp_path: Path) -> None:
    with Image.open(SAMPLES / "rack-a.jpg") as picture:
        picture.save(tmp_path / "rack.png", compress_level=1)
    there, here = load_frame(tmp_path / "rack.png"), load(tmp_path / "rack.png")
    assert (there.pixels == here.pixels).all()
    assert (there.width, there.height, there.scale) == (here.width, here.height, here.scale)
