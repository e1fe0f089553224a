"""`burako set teach`: what photographs teach a set, and which teach nothing."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter

from scorer_app.cli import own_set
from scorer_app.services.set_values import SetError, SetTrouble
from scorer_app.services.sets import Sets
from vision.frame import Frame
from vision.own_set import teaching
from vision.own_set.teaching import TaughtPhoto

from ..own_sets import drawn_crop, taught_photo
from .commands import Command, answer, only_line


@pytest.fixture(autouse=True)
def nothing_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the command from preparing to read with a set of drawn faces, which takes seconds."""
    monkeypatch.setattr(own_set, "reader_with_set", lambda tables, tile_set, folder: tables)


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> dict[str, TaughtPhoto]:
    """Let each photograph teach what this dictionary holds under its width in pixels, written as
    text, and any other photograph nothing.
    """
    known: dict[str, TaughtPhoto] = {}

    def teach_photo(_tables: object, frame: Frame) -> TaughtPhoto:
        found = known.get(str(frame.width))
        if found is None:
            raise SetError(SetTrouble.NO_ROW)
        return found

    monkeypatch.setattr(own_set, "teach_photo", teach_photo)
    return known


def photograph(folder: Path, width: int) -> str:
    path = folder / f"{width}.jpg"
    Image.new("RGB", (width, 300), (40, 90, 70)).save(path)
    return str(path)


def test_a_set_is_taught_from_several_photographs(
    set_command: Command, taught: dict[str, TaughtPhoto], tmp_path: Path
) -> None:
    taught["400"] = taught_photo(jokers=0, without=["9B"])
    taught["401"] = taught_photo("R", jokers=1, variant=1)
    taught["402"] = taught_photo("R", jokers=1, variant=2)
    photos = [photograph(tmp_path, width) for width in (400, 401, 402)]
    last = photos.pop()
    told = answer(set_command("teach", " La  Casa", *photos, "--json"))
    assert (told["set"], told["missing"], told["notices"]) == ("La Casa", ["9B"], [])
    assert (told["faces"]["7R"], told["faces"]["7B"], told["faces"]["J"]) == (2, 1, 1)
    assert answer(set_command("teach", "la casa", last, "--json"))["faces"]["7R"] == 3
    replaced = answer(set_command("teach", "la casa", photos[1], "--replace", "--json"))
    assert (replaced["faces"]["7R"], "7B" in replaced["missing"]) == (1, True)
    assert "La Casa: 14 de 53 caras" in only_line(set_command("list").stdout)


def test_a_photograph_that_is_given_again_teaches_nothing_more(
    set_command: Command, sets: Sets, taught: dict[str, TaughtPhoto], tmp_path: Path
) -> None:
    taught["400"], taught["401"] = taught_photo(), taught_photo("R", jokers=0, variant=1)
    photo = photograph(tmp_path, 400)
    copy = shutil.copy(photo, tmp_path / "copy.jpg")
    done = set_command("teach", "Casa", photo, str(copy), photo)
    assert done.returncode == 0 and "imágenes: 54" in only_line(done.stdout)
    assert done.stderr.splitlines() == [
        f"burako set: {one} es la misma foto que {photo}: se la dejó de lado."
        for one in (copy, photo)
    ]
    (before,) = sets.listed()
    again = set_command("teach", "casa", str(copy), photograph(tmp_path, 401), "--json")
    assert again.returncode == 0 and json.loads(only_line(again.stdout))["faces"]["7R"] == 2
    assert only_line(again.stderr).endswith(
        f"De {copy} este juego ya aprendió: no se le sumó nada."
    )
    (after,) = sets.listed()
    assert sum(after.counts.values()) == sum(before.counts.values()) + 13
    assert set_command("teach", "casa", photo, "--replace").stderr == ""


def test_a_photograph_in_black_and_white_teaches_no_set(
    set_command: Command, sets: Sets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever names its rows with --rows would have a set whose inks are all grey."""
    monkeypatch.setattr(teaching, "teach", lambda _tables, _frame: taught_photo())
    grey = tmp_path / "grey.jpg"
    Image.new("L", (400, 300), 90).save(grey)
    done = set_command("teach", "Casa", str(grey), "--rows", "R,B,K,Y", "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]) == (1, "no_colours")
    assert "blanco y negro" in only_line(done.stderr) and sets.listed() == []
    coloured = photograph(tmp_path, 400)
    assert set_command("teach", "Casa", coloured, "--rows", "R,B,K,Y").returncode == 0


@pytest.mark.parametrize("as_json", [True, False])
def test_a_blurred_photograph_teaches_no_set(
    as_json: bool, set_command: Command, sets: Sets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sharp photographs of the same tiles would be said to show another set than the taught one."""
    monkeypatch.setattr(teaching, "teach", lambda _tables, _frame: taught_photo())
    sharp = Image.new("RGB", (640, 480), (40, 90, 70))
    for left in range(20, 600, 60):
        sharp.paste((240, 235, 220), (left, 100, left + 40, 300))
        sharp.paste((190, 30, 30), (left + 12, 130, left + 28, 160))
    sharp.save(tmp_path / "sharp.jpg")
    sharp.filter(ImageFilter.GaussianBlur(4)).save(tmp_path / "blurred.jpg")
    told = ["--json"] if as_json else []
    done = set_command("teach", "Casa", str(tmp_path / "blurred.jpg"), *told)
    assert done.returncode == 1 and "salió movida" in only_line(done.stderr)
    assert not as_json or json.loads(done.stdout)["error"] == "blurred"
    assert sets.listed() == []
    assert set_command("teach", "Casa", str(tmp_path / "sharp.jpg")).returncode == 0


def test_nothing_is_kept_where_one_photograph_teaches_nothing(
    set_command: Command, taught: dict[str, TaughtPhoto], sets: Sets, tmp_path: Path
) -> None:
    taught["400"] = taught_photo()
    good, empty = (photograph(tmp_path, width) for width in (400, 402))
    (tmp_path / "notes.txt").write_text("a shopping list")
    for bad, words, code in (
        (empty, "trece", "no_row"),
        (str(tmp_path / "gone.jpg"), "gone.jpg", "not_found"),
        ("/dev/zero", "zero", "not_found"),  # without an end: it is not read to be compared, either
        (str(tmp_path / "notes.txt"), "imagen", "not_an_image"),
    ):
        done = set_command("teach", "Casa", good, bad)
        assert (done.returncode, done.stdout) == (1, "")
        assert words in only_line(done.stderr) and done.stderr.startswith(bad)
        line = json.loads(only_line(set_command("teach", "Casa", good, bad, "--json").stdout))
        assert (line["photo"], line["error"]) == (bad, code)
        assert done.stderr == f"{bad}: {line['message']}\n"
    assert sets.listed() == []


def test_rows_whose_inks_are_alike_must_be_named(
    set_command: Command, taught: dict[str, TaughtPhoto], sets: Sets, tmp_path: Path
) -> None:
    taught["400"] = taught_photo("RBK", jokers=0, sure=False)
    photo = photograph(tmp_path, 400)
    done = set_command("teach", "Casa", photo)
    assert (done.returncode, done.stdout, "--rows R,B,K" in only_line(done.stderr)) == (
        1,
        "",
        True,
    )
    done = set_command("teach", "Casa", photo, "--rows", "K,Y,R,B")
    assert (done.returncode, "se ven en la foto: 3;" in only_line(done.stderr)) == (1, True)
    assert sets.listed() == []
    told = answer(set_command("teach", "Casa", photo, "--rows", "K,Y,R", "--json"))
    assert set(told["missing"]) == {"J", *(f"{number}B" for number in range(1, 14))}
    first = next(one for one in sets.load(sets.find("casa").id).examples if one.face == "1K")
    assert (first.crop == drawn_crop("1R")).all()  # the first row, drawn in red, is the black one


def test_eight_rows_are_named_as_the_error_says(
    set_command: Command, taught: dict[str, TaughtPhoto], tmp_path: Path
) -> None:
    taught["400"] = taught_photo("RBKYRBKY", sure=False)
    photo = photograph(tmp_path, 400)
    asked = only_line(set_command("teach", "Casa", photo).stderr)
    (rows,) = re.findall(r"--rows ([RBKY,]{15})", asked)
    told = answer(set_command("teach", "Casa", photo, "--rows", rows, "--json"))
    assert (told["missing"], told["faces"]["7R"]) == ([], 2)


def test_both_copies_of_a_colour_in_one_photograph_are_named(
    set_command: Command, taught: dict[str, TaughtPhoto], tmp_path: Path
) -> None:
    """Without a name the two rows are taken for two colours, of which neither is sure."""
    taught["400"] = taught_photo("RK", jokers=0, sure=False)
    photo = photograph(tmp_path, 400)
    told = answer(set_command("teach", "Casa", photo, "--rows", "R,R", "--json"))
    assert told["faces"] == {f"{number}R": 2 for number in range(1, 14)}


def test_colours_named_for_one_photograph_are_not_given_to_another_whose_rows_are_sure(
    set_command: Command, taught: dict[str, TaughtPhoto], sets: Sets, tmp_path: Path
) -> None:
    """The second photograph needs names; its rows lie in another order than those of the first."""
    taught["300"], taught["400"] = taught_photo("RBKY"), taught_photo("KRBY", sure=False)
    sure, unsure = photograph(tmp_path, 300), photograph(tmp_path, 400)
    assert "--rows K,R,B,Y" in only_line(set_command("teach", "Casa", sure, unsure).stderr)
    done = set_command("teach", "Casa", sure, unsure, "--rows", "Y,K,B,R")
    said = only_line(done.stderr)
    assert (done.returncode, "(R,B,K,Y)" in said, said.startswith(sure)) == (1, True, True)
    assert sets.listed() == []
    assert set_command("teach", "Casa", sure, "--rows", "Y,K,B,R").returncode == 0
    done = set_command("teach", "Casa", sure, unsure, "--rows", "R,B,K,Y")
    assert (done.returncode, "otra cosa" in done.stderr) == (0, False)


def test_rows_named_otherwise_than_their_sure_inks_are_told_and_kept_as_named(
    set_command: Command, taught: dict[str, TaughtPhoto], sets: Sets, tmp_path: Path
) -> None:
    seen = taught_photo("RBKY", jokers=0)
    guess = replace(seen.rows[1], sure=False)
    taught["400"] = replace(seen, rows=(seen.rows[0], guess, *seen.rows[2:]))
    photo = photograph(tmp_path, 400)
    done = set_command("teach", "Casa", photo, "--rows", "B,R,Y,K")
    assert (done.returncode, only_line(done.stderr)) == (
        0,
        f"burako set: La tinta de las filas de {photo} dice otra cosa (fila y color: 1: R, 3: K,"
        " 4: Y): quedan los colores de --rows.",
    )
    first = next(one for one in sets.load(sets.find("casa").id).examples if one.face == "1B")
    assert (first.crop == drawn_crop("1R")).all()


def test_who_names_the_colours_of_a_known_photograph_anew_is_told_that_the_former_ones_stay(
    set_command: Command, taught: dict[str, TaughtPhoto], sets: Sets, tmp_path: Path
) -> None:
    taught["400"] = taught_photo("RBKY", jokers=0)
    photo = photograph(tmp_path, 400)
    assert "otra cosa" in only_line(set_command("teach", "Casa", photo, "--rows", "B,R,Y,K").stderr)
    again = only_line(set_command("teach", "Casa", photo, "--rows", "B,R,Y,K").stderr)
    assert again.endswith(f"De {photo} este juego ya aprendió: no se le sumó nada.")
    other = only_line(set_command("teach", "Casa", photo, "--rows", "Y,K,B,R").stderr)
    assert "con otras caras, y esas quedan" in other and "--replace" in other
    first = sets.load(sets.find("casa").id).examples
    assert (next(one for one in first if one.face == "1B").crop == drawn_crop("1R")).all()
    assert set_command("teach", "Casa", photo, "--rows", "R,B,K,Y", "--replace").stderr == ""
    last = sets.load(sets.find("casa").id).examples
    assert (next(one for one in last if one.face == "1B").crop == drawn_crop("1B")).all()


@pytest.mark.parametrize("rows", ["red", "", "R,B,K,Y,G", "R;B"])
def test_rows_that_are_no_colours_are_wrong_usage(set_command: Command, rows: str) -> None:
    done = set_command("teach", "Casa", "x.jpg", "--rows", rows)
    assert (done.returncode, done.stdout) == (2, "")
    assert "R,B,K,Y" in only_line(done.stderr)


@pytest.mark.parametrize("name", ["", "a/b", "x" * 41])
def test_a_name_that_is_none_is_wrong_usage(set_command: Command, name: str) -> None:
    done = set_command("teach", name, "x.jpg")
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr).startswith("burako set: ")


def test_photographs_of_another_set_are_not_mixed_with_the_set_unasked(
    set_command: Command, taught: dict[str, TaughtPhoto], tmp_path: Path
) -> None:
    taught["400"] = taught_photo()
    taught["401"] = with_other_pictures(taught_photo())
    ours, other = (photograph(tmp_path, width) for width in (400, 401))
    assert answer(set_command("teach", "Casa", ours, "--json"))["faces"]["7R"] == 1
    for photos in ([other], [ours, other]):
        done = set_command("teach", "Casa", *photos, "--json")
        told = json.loads(only_line(done.stdout))
        assert (done.returncode, told["photo"], told["error"]) == (1, other, "other_tiles")
        assert "--replace" in told["message"] and "--same-set" in done.stderr
    mixed = set_command("teach", "Casa", ours, other, "--replace")
    assert (mixed.returncode, "--same-set" in mixed.stderr) == (1, True)
    assert answer(set_command("show", "Casa", "--json"))["faces"]["7R"] == 1
    assert answer(set_command("teach", "Casa", other, "--same-set", "--json"))["faces"]["7R"] == 2
    assert answer(set_command("teach", "Casa", other, "--replace", "--json"))["faces"]["7R"] == 1


def with_other_pictures(photo: TaughtPhoto) -> TaughtPhoto:
    """Return the photograph with all its pictures upside down, as those of no other photograph of
    the same set.
    """
    crops = [np.ascontiguousarray(one.example.crop[::-1, ::-1]) for one in photo.faces]
    faces = [
        replace(one, example=replace(one.example, crop=crop))
        for one, crop in zip(photo.faces, crops, strict=True)
    ]
    return replace(photo, faces=tuple(faces))


def test_a_photograph_of_tiny_tiles_teaches_no_set(
    set_command: Command, sets: Sets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their faces are fog, with which other photographs would be read worse."""
    usual = taught_photo()
    tiny = [replace(one, corners=one.corners * np.float32(0.1)) for one in usual.faces]
    for photo, status in ((replace(usual, faces=tuple(tiny)), 1), (usual, 0)):
        monkeypatch.setattr(teaching, "teach", lambda _tables, _frame, photo=photo: photo)
        done = set_command("teach", "Casa", photograph(tmp_path, 400), "--rows", "R,B,K,Y")
        assert done.returncode == status
        assert ("muy chicas" in done.stderr) == bool(status)
    assert len(sets.listed()) == 1
