"""What commands do with photographs: `burako read`, and what `burako score` shares with it."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest
from PIL import Image

from scorer_app.cli.read import overlay_paths

from .commands import MELDS_B, RACK_A, answer, burako, only_line, program

PNG_PIXELS = 900  # of the longer side: such a picture of tiles is read in no time


@pytest.mark.process
def test_one_bad_photo_does_not_stop_the_others(tmp_path: Path) -> None:
    bad, overlays = tmp_path / "notes.jpg", tmp_path / "drawn"
    bad.write_text("a shopping list")
    done = program("read", MELDS_B, str(bad), RACK_A, "--json", "--overlay", str(overlays))
    assert done.returncode == 1
    first, error, last = (json.loads(line) for line in done.stdout.splitlines())
    assert [line["photo"] for line in (first, error, last)] == [MELDS_B, str(bad), RACK_A]
    assert len(first["tiles"]) == 21 and len(last["tiles"]) == 5
    assert error["error"] == "not_an_image" and error["message"]
    assert only_line(done.stderr).startswith(f"{bad}: ")
    assert sorted(path.name for path in overlays.iterdir()) == ["melds-b.jpg", "rack-a.jpg"]
    drawn, plain = cv2.imread(str(overlays / "melds-b.jpg")), cv2.imread(MELDS_B)
    assert drawn.shape == plain.shape and (cv2.absdiff(drawn, plain) > 60).mean() > 0.005


@pytest.mark.parametrize(
    "arguments",
    [("read",), ("score", "--rack-a"), ("set", "teach", "Casa")],
    ids=lambda told: told[0],
)
def test_a_folder_is_told_as_one(arguments: tuple[str, ...], tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    done = burako(*arguments, str(tmp_path), *data, "--json", "--lang", "en")
    told = json.loads(only_line(done.stdout))
    assert (done.returncode, told["error"]) == (1, "not_found")
    assert told["message"] == "That is a folder: a photo was expected."
    assert only_line(done.stderr) == f"{tmp_path}: {told['message']}"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("es", ("fichas: 21, dudosas: 0", "9B 10B 11B 12B  [Escalera", "5R 5B 5K  [Pierna")),
        ("en", ("tiles: 21, doubtful: 0", "9B 10B 11B 12B  [Run", "5R 5B 5K  [Set")),
        ("it", ("tessere: 21, dubbie: 0", "9B 10B 11B 12B  [Sequenza", "5R 5B 5K  [Combinazione")),
    ],
)
def test_good_photos_end_well_and_are_told_in_words(language: str, told: tuple[str, ...]) -> None:
    done = burako("read", MELDS_B, "--lang", language)
    assert (done.returncode, done.stderr) == (0, "")
    assert [words for words in told if words not in done.stdout] == []


def test_each_photograph_is_drawn_into_a_file_of_its_own(tmp_path: Path) -> None:
    photos = ["x/table.jpg", "y/table.jpg", "y/Table.png", "z/table-2.jpg"]
    drawn = overlay_paths(tmp_path, photos)
    assert [path.name for path in drawn] == [
        "table.jpg",
        "table-2.jpg",
        "Table-3.jpg",
        "table-2-2.jpg",
    ]
    assert overlay_paths(Path("x"), photos)[0].name == "table-2.jpg"  # the photograph itself stays


def test_loose_tiles_have_no_verdict() -> None:
    done = burako("read", MELDS_B, "--as", "loose", "--json")
    assert {meld["valid"] for meld in json.loads(done.stdout)["melds"]} == {None}


def test_an_unknown_layout_is_told_the_known_ones() -> None:
    done = burako("read", MELDS_B, "--as", "heap")
    assert (done.returncode, done.stdout) == (2, "")
    line = only_line(done.stderr)
    assert all(word in line for word in ("heap", "melds", "loose")) and "Layout" not in line


@pytest.mark.parametrize(
    "command",
    (["read", RACK_A], ["score", "--rack-a", RACK_A], ["live", "film.mp4"]),
    ids=("read", "score", "live"),
)
@pytest.mark.parametrize("name", ["canasta", ""])
def test_an_unknown_ruleset_is_wrong_usage(command: list[str], name: str) -> None:
    """A shell gives an empty name where a variable is not set: that asks for no ruleset."""
    for language, came in (("es", "y vino"), ("en", "got"), ("it", "e c'è")):
        done = burako(*command, "--rules", name, "--lang", language)
        assert (done.returncode, done.stdout) == (2, "")
        assert only_line(done.stderr).endswith(f"pagat, {came} {name!r}")


@pytest.mark.parametrize(
    "command", (["read", RACK_A], ["score", "--rack-a", RACK_A]), ids=("read", "score")
)
def test_missing_networks_are_one_clear_line(command: list[str], tmp_path: Path) -> None:
    done = burako(*command, "--models", str(tmp_path), "--lang", "en")
    assert (done.returncode, done.stdout) == (1, "")
    assert "model is missing" in only_line(done.stderr) and str(tmp_path) in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("read", RACK_A),
        ("score", "--rack-a", RACK_A),
        ("set", "teach", "ours", RACK_A),
    ],
    ids=("read", "score", "set"),
)
def test_missing_networks_are_told_as_json_too(command: tuple[str, ...], tmp_path: Path) -> None:
    options = ["--models", str(tmp_path), "--data", str(tmp_path / "data"), "--json"]
    done = burako(*command, *options, "--lang", "en")
    told = json.loads(only_line(done.stdout))
    assert done.returncode == 1 and "model is missing" in told["message"]
    assert done.stderr.strip() == f"burako {command[0]}: {told['error']}"


@pytest.mark.parametrize("command", ["read --overlay", "set dataset --out"])
def test_a_file_in_the_place_of_a_folder_to_write_to_is_refused(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    name, *options = command.split()
    photo = [RACK_A] if name == "read" else []
    done = burako(name, *photo, *options, str(tmp_path / "file"), "--data", str(tmp_path / "data"))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{options[-1]}: expected a folder, got the file" in only_line(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (("read", ""), "PHOTO"),
        (("read", RACK_A, "--overlay", ""), "--overlay"),
        (("read", RACK_A, "--data", ""), "--data"),
        (("score", "--melds-a", ""), "--melds-a"),
        (("read", RACK_A, "--database", ""), "--database"),
        (("score", "--melds-a", RACK_A, "--models", ""), "--models"),
        (("live", ""), "SOURCE"),
        (("serve", "--database", ""), "--database"),
        (("serve", "--config", ""), "--config"),
        (("migrate", "--config", ""), "--config"),
        (("serve", "--camera", ""), "--camera"),
        (("set", "teach", "ours", ""), "PHOTO"),
        (("set", "export", "ours", ""), "FILE"),
        (("set", "dataset", "--out", ""), "--out"),
    ],
)
def test_an_empty_name_of_a_file_is_refused(arguments: tuple[str, ...], asked: str) -> None:
    """A shell gives an empty argument where a variable is not set."""
    done = burako(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr).endswith(f"{asked}: expected a name, got an empty one")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_drawing_that_a_full_disk_does_not_take_is_named_and_not_left_half(
    tmp_path: Path,
) -> None:
    drawing = (tmp_path / Path(RACK_A).name).with_suffix(".jpg")
    drawing.symlink_to("/dev/full")
    done = burako("read", RACK_A, "--json", "--overlay", str(tmp_path))
    line = json.loads(only_line(done.stdout))
    assert (done.returncode, line["photo"], line["error"]) == (1, RACK_A, "overlay")
    assert line["message"] == f"{drawing}: No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_a_link_that_leads_to_itself_does_not_keep_the_others_from_being_drawn(
    tmp_path: Path,
) -> None:
    photo, circle = tmp_path / "rack.jpg", tmp_path / "circle.jpg"
    shutil.copy(RACK_A, photo)
    circle.symlink_to(circle)
    drawn = tmp_path / "drawn"
    done = burako("read", str(circle), str(photo), "--json", "--overlay", str(drawn))
    assert done.returncode == 1
    assert [json.loads(line).get("error") for line in done.stdout.splitlines()] == [
        "not_found",
        None,
    ]
    assert [path.name for path in drawn.iterdir()] == ["rack.jpg"]


@pytest.mark.parametrize("command", ["set list", f"read --set ours {RACK_A}", "serve"])
def test_a_data_folder_whose_name_is_no_utf_8_is_refused(command: str) -> None:
    done = burako(*command.split(), "--data", "caf\udce9")
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr).endswith("--data: expected a name in UTF-8, got 'caf\\udce9'")


@pytest.mark.parametrize("command", ["set list", f"read --set ours {RACK_A}", "serve"])
def test_a_file_in_the_place_of_a_data_folder_is_refused(command: str, tmp_path: Path) -> None:
    file = tmp_path / "matches"
    file.touch()
    done = burako(*command.split(), "--data", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr).endswith(f"--data: expected a folder, got the file {str(file)!r}")


def test_drawings_that_have_no_folder_are_told_in_a_sentence(tmp_path: Path) -> None:
    taken = tmp_path / "drawn"
    taken.write_text("a file")
    done = burako("read", RACK_A, "--overlay", str(taken / "more"))
    assert (done.returncode, done.stdout) == (1, "")
    assert only_line(done.stderr) == f"burako read: {taken / 'more'}: Not a directory"


@contextmanager
def substituted(file: Path) -> Iterator[str]:
    """Yield the path of a pipe through which the file comes, as a shell gives for `<(cat FILE)`."""
    end, beginning = os.pipe()

    def write() -> None:
        with os.fdopen(beginning, "wb") as pipe:
            pipe.write(file.read_bytes())

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield f"/dev/fd/{end}"
    finally:
        os.close(end)
        writer.join()


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="this system has no /dev/fd")
@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_photograph_that_comes_through_a_pipe_is_read(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"photo{ending}"
    with Image.open(RACK_A) as picture:
        picture.thumbnail((PNG_PIXELS, PNG_PIXELS))
        picture.save(file)
    with substituted(file) as pipe:
        piped = answer(burako("read", pipe, "--json"))
    plain = answer(burako("read", str(file), "--json"))
    assert piped["photo"] == pipe
    assert piped["tiles"] == plain["tiles"] != []
