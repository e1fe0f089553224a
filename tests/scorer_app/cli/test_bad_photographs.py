"""`burako read` on real files of every kind: each that cannot be used gets one clear sentence, and
the others are read all the same.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageFilter

from tests.places import PROJECT, SAMPLES

from ...vision.photographs import HEIC, bombs, png_header
from .commands import burako, only_line

RACK = SAMPLES / "rack-a.jpg"
TRUTH = ["12R", "3Y", "4K", "6B", "9K"]
READ = ["read", "--as", "loose", "--json", "--lang", "en"]
PEAK = 400  # MB: where a 300 MP picture alone would take 900

# The command, and on the last line of standard error the memory it took at most, in MB (`ru_maxrss`
# would count its parent's).
COMMAND = """
import re, sys
from pathlib import Path
from scorer_app.cli.main import main
status = main()
state = Path("/proc/self/status").read_text().replace(chr(9), " ")
print(int(re.search("VmHWM: *([0-9]+)", state)[1]) // 1024, file=sys.stderr)
raise SystemExit(status)
"""


def read(*photos: Path) -> tuple[int, list[dict[str, Any]], list[str]]:
    """Run `burako read` on photographs and check that it takes little memory.

    Returns its exit status, its lines of JSON and its sentences.
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("no way to measure memory on this platform")
    command = [sys.executable, "-c", COMMAND, *READ, *map(str, photos)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=240, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    *sentences, peak = done.stderr.splitlines()
    assert int(peak) < PEAK
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], sentences


def told_of(*photos: Path) -> list[dict[str, Any]]:
    """Read photographs with `burako read`; return the JSON of its lines."""
    done = burako(*READ, *map(str, photos))
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def rack() -> Image.Image:
    """Return the picture of a rack at half its size, which is saved and read in a fraction of the
    time.
    """
    return Image.open(RACK).convert("RGB").reduce(2)


def usable(folder: Path) -> list[Path]:
    """Write the picture of a rack in every format that loses nothing, and return the files."""
    picture, alpha = rack(), rack()
    alpha.putalpha(255)
    picture.convert("CMYK").save(folder / "cmyk.jpg", quality=92)
    alpha.save(folder / "alpha.png", compress_level=1)
    alpha.save(folder / "alpha.webp", method=0)
    picture.save(folder / "in_fact_a_png.jpg", "PNG", compress_level=1)
    shutil.copy(RACK, folder / "no_ending")
    shutil.copy(HEIC / "rack.heic", folder / "turned.heic")
    sequence = [picture, Image.new("RGB", picture.size, "red")]
    for kind in ("png", "webp"):
        sequence[0].save(folder / f"animated.{kind}", save_all=True, append_images=sequence[1:])
    return sorted(folder.iterdir())


def unusable(folder: Path) -> dict[Path, str]:
    """Make files that cannot be used; returns each path with the reason."""
    whole = RACK.read_bytes()
    contents = {
        "text.jpg": (b"una lista de compras", "not_an_image"),
        "empty.jpg": (b"", "empty_file"),
        "zero.png": (png_header(0, 0), "not_an_image"),
        "half.jpg": (whole[: len(whole) // 2], "truncated"),
        "half.heic": ((HEIC / "exif_alone.heic").read_bytes()[:-50], "truncated"),
        **{f"bomb.{kind}": (data, "too_many_pixels") for kind, data in bombs(20000, 15000).items()},
    }
    for kind in ("png", "webp"):
        rack().save(folder / f"half.{kind}", compress_level=1, method=0)
        contents[f"half.{kind}"] = ((folder / f"half.{kind}").read_bytes()[:9000], "truncated")
    for name, (content, _) in contents.items():
        (folder / name).write_bytes(content)
    return {
        folder / "gone.jpg": "not_found",
        folder: "not_found",
        **{folder / name: why for name, (_, why) in contents.items()},
    }


@pytest.mark.process
def test_every_bad_file_has_its_sentence_and_the_others_are_read(tmp_path: Path) -> None:
    bad = unusable(tmp_path)
    status, lines, sentences = read(RACK, *bad, RACK)
    assert status == 1
    assert [line["photo"] for line in lines] == [str(path) for path in (RACK, *bad, RACK)]
    assert {Path(line["photo"]): line["error"] for line in lines[1:-1]} == bad
    for line in (lines[0], lines[-1]):
        assert sorted(tile["tile"] for tile in line["tiles"]) == TRUTH
    assert len(sentences) == len(bad)
    for path, line, sentence in zip(bad, lines[1:-1], sentences, strict=True):
        assert sentence == f"{path}: {line['message']}" and line["message"].endswith(".")
        assert not set(line["message"]) & set("'\\"), "bytes of the file are no words for people"


@pytest.mark.process
def test_odd_files_are_read_as_the_plain_one(tmp_path: Path) -> None:
    status, lines, sentences = read(*usable(tmp_path))
    assert (status, sentences) == (0, [])
    for line in lines:
        assert sorted(tile["tile"] for tile in line["tiles"]) == TRUTH, line["photo"]
        assert line["notices"] == (["first_of_many"] if "animated" in line["photo"] else [])


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="needs a name for standard input")
def test_a_photograph_of_any_format_is_read_from_standard_input(tmp_path: Path) -> None:
    """What is no JPEG is opened by a child process, which has another standard input."""
    rack().save(tmp_path / "rack.png", compress_level=1)
    command = [sys.executable, "-c", COMMAND, *READ, "/dev/stdin"]
    with (tmp_path / "rack.png").open("rb") as photo:
        done = subprocess.run(command, stdin=photo, capture_output=True, check=True)
    line = json.loads(done.stdout)
    assert line["photo"] == "/dev/stdin"
    assert sorted(tile["tile"] for tile in line["tiles"]) == TRUTH


@pytest.mark.pictures
def test_without_colours_every_colour_is_doubted(tmp_path: Path) -> None:
    rack().convert("L").save(tmp_path / "grey.jpg")
    rack().convert("L").convert("RGB").save(tmp_path / "grey.webp", method=0)
    rack().save(tmp_path / "palette.gif")
    values = np.asarray(rack().convert("L")).astype(np.uint16) * 257
    Image.fromarray(values).save(tmp_path / "sixteen_bits.png", compress_level=1)
    lines = told_of(*sorted(tmp_path.iterdir()))
    assert len(lines) == 4
    for line in lines:
        assert "few_colours" in line["notices"]
        assert len(line["tiles"]) == 5 and all(tile["doubtful"] for tile in line["tiles"])


@pytest.mark.pictures
def test_too_dark_and_too_blurred_are_told(tmp_path: Path) -> None:
    dark, blurred = tmp_path / "dark.png", tmp_path / "blurred.jpg"
    Image.fromarray((np.asarray(rack()) * 0.03).astype(np.uint8)).save(dark, compress_level=1)
    rack().filter(ImageFilter.GaussianBlur(7)).save(blurred)
    first, second = told_of(dark, blurred)
    assert "too_dark" in first["notices"] and all(tile["doubtful"] for tile in first["tiles"])
    assert "too_blurred" in second["notices"] and all(tile["doubtful"] for tile in second["tiles"])


@pytest.mark.pictures
def test_a_moved_photograph_without_a_tile_is_told_as_moved_first(tmp_path: Path) -> None:
    moved = tmp_path / "moved.jpg"
    table = np.asarray(Image.open(SAMPLES / "melds-a.jpg").reduce(2))
    line = np.full((1, 45), 1 / 45, np.float32)
    Image.fromarray(cv2.filter2D(table, -1, line)).save(moved)
    (told,) = told_of(moved)
    assert (told["notices"], told["tiles"]) == (["too_blurred", "no_tiles"], [])


MISMATCHES = {
    "classes": "reader.numbers",
    "temperature": "reader.temperatures",
    "no temperatures": "reader.temperatures",
    "hash": "SHA-256",
    "file": "missing",
    "manifest": "manifest.json",
    "content": "SHA-256",
}


@pytest.mark.parametrize(("change", "what"), MISMATCHES.items())
def test_networks_that_do_not_match_are_refused_in_one_sentence(
    change: str, what: str, tmp_path: Path
) -> None:
    for path in (*(PROJECT / "models").glob("*.onnx.gz"), PROJECT / "models" / "manifest.json"):
        shutil.copy(path, tmp_path)
    told = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    if change == "classes":
        told["reader"]["numbers"] = told["reader"]["numbers"][:-1]
    elif change == "temperature":
        told["reader"]["temperatures"]["number"] = 0
    elif change == "no temperatures":
        told["reader"]["temperatures"] = None
    elif change == "hash":
        told["reader"]["sha256"] = "0" * 64
    elif change == "file":
        (tmp_path / "detector.onnx.gz").unlink()
    elif change == "content":
        (tmp_path / "reader.onnx.gz").write_bytes(b"no network")
    (tmp_path / "manifest.json").write_text(
        "{" if change == "manifest" else json.dumps(told), "utf-8"
    )
    done = burako("read", str(RACK), "--models", str(tmp_path), "--json", "--lang", "en")
    assert done.returncode == 1 and what in only_line(done.stderr)
    told = json.loads(only_line(done.stdout))
    assert done.stderr.strip() == f"burako read: {told['error']}"
