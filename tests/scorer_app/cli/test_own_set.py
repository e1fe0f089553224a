"""`burako set`: what it prints, where it writes, and how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFilter

from scorer_app.cli import own_set
from scorer_app.config import AppConfig
from scorer_app.services.set_files import export_set, import_set
from scorer_app.services.set_values import SetError, SetTrouble
from scorer_app.services.sets import Sets
from scorer_app.store import Store
from scorer_app.store.folder_lock import lock_folder
from vision.frame import Frame
from vision.own_set import teaching
from vision.own_set.examples import FACE_NAMES, Origin
from vision.own_set.teaching import TaughtPhoto

from ..own_sets import drawn_crop, example, taught_photo, tile_set
from .commands import RACK_A, RACK_B, burako, only_line

Command = Callable[..., Any]


@pytest.fixture
def sets(config: AppConfig) -> Iterator[Sets]:
    store = Store(config.database)
    yield Sets(store)
    store.close()


@pytest.fixture
def set_command(config: AppConfig) -> Command:
    """Return a function that runs `burako set` over the data of this test."""
    return lambda *arguments: burako("set", *arguments, "--data", str(config.data_dir))


def answer(done: Any) -> Any:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(only_line(done.stdout))


def test_a_set_is_listed_shown_and_forgotten(
    sets: Sets, set_command: Command, tmp_path: Path
) -> None:
    sets.teach("La Casa", tile_set(faces=FACE_NAMES[:-1], variants=[0, 1]).examples)
    listed = answer(set_command("list", "--json"))
    assert (listed["set"], listed["missing"], listed["notices"]) == ("La Casa", ["J"], [])
    assert listed["faces"] == dict.fromkeys(FACE_NAMES[:-1], 2)
    sheet = tmp_path / "sheet.png"
    assert answer(set_command("show", "la casa", "--out", str(sheet), "--json")) == listed
    shown = set_command("show", "LA CASA")
    assert "52 de 53 caras, imágenes: 104. Faltan: J" in only_line(shown.stdout)
    with Image.open(sheet) as drawn:
        assert (drawn.format, drawn.mode) == ("PNG", "RGB")
        assert drawn.size[0] > 1000 and len(drawn.getcolors(10**6) or ()) > 500
    assert answer(set_command("forget", "La casa", "--json"))["forgotten"] is True
    assert sets.listed() == []


@pytest.mark.parametrize(
    ("typed", "more", "stays"),
    [
        ("", (), True),
        ("\n", (), True),
        ("n\n", (), True),
        ("S\n", (), False),
        ("sí\n", (), False),
        ("si\n", (), False),
        ("y\n", ("--lang", "en"), False),
        ("", ("--yes",), False),
    ],
)
def test_a_person_at_a_terminal_is_asked_before_a_set_is_forgotten(
    sets: Sets,
    config: AppConfig,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: str,
    more: tuple[str, ...],
    stays: bool,
) -> None:
    sets.teach("Casa", [example("7R")])
    monkeypatch.setattr(own_set, "is_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    status = own_set.main(["forget", "casa", *more, "--data", str(config.data_dir)])
    assert (status, len(sets.listed())) == ((1, 1) if stays else (0, 0))
    told = capsys.readouterr()
    assert ("Casa" in told.err) is (more != ("--yes",))
    assert ("Casa" in told.out) is not stays


def test_the_contact_sheet_shows_each_face_at_its_place_and_greys_the_missing(
    sets: Sets, set_command: Command, tmp_path: Path
) -> None:
    sets.teach("Casa", tile_set(faces=["1R", "13R", "J"]).examples)
    answer(set_command("show", "Casa", "--out", str(tmp_path / "s.png"), "--json"))
    with Image.open(tmp_path / "s.png") as drawn:
        step = (drawn.width - 12) // 13, (drawn.height - 12) // 5
        pale = {
            face
            for at, face in enumerate(FACE_NAMES)
            if min(drawn.getpixel((16 + at % 13 * step[0], 40 + at // 13 * step[1]))) > 180
        }
    assert pale == {"1R", "13R", "J"}


def test_one_learned_face_is_counted_in_words_that_fit_one(
    sets: Sets, set_command: Command
) -> None:
    sets.teach("Casa", [*tile_set().examples, example("3K", 2, Origin.SETTLED)])
    assert "(aprendidas jugando: 1)" in set_command("show", "Casa").stdout


def test_a_set_travels_as_one_file(sets: Sets, set_command: Command, tmp_path: Path) -> None:
    sets.teach("Casa", tile_set().examples)
    file = tmp_path / "casa.burako"
    told = answer(set_command("export", "casa", str(file), "--json"))
    assert told["file"] == str(file)
    taken = set_command("import", str(file))
    assert taken.returncode == 1 and "Casa" in only_line(taken.stderr)
    friend = answer(set_command("import", str(file), "--name", "De Ana", "--json"))
    assert (friend["set"], friend["missing"]) == ("De Ana", [])
    elsewhere = tmp_path / "new" / "folder"
    made = burako("set", "import", str(file), "--data", str(elsewhere))
    assert (made.returncode, made.stderr) == (0, "")
    assert (elsewhere / "burako.sqlite3").is_file()
    assert [path.name for path in tmp_path.iterdir() if "partial" in path.name] == []


def test_a_file_that_nobody_names_is_named_after_its_set(
    sets: Sets, set_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that lies there already is overwritten."""
    monkeypatch.chdir(tmp_path)
    sets.teach("La de Mamá", tile_set().examples)
    done = set_command("export", "la de mamá")
    assert done.returncode == 0 and "burako-set-la-de-mama.json" in done.stdout
    written = tmp_path / "burako-set-la-de-mama.json"
    before = written.read_bytes()
    sets.teach("La de Mamá", [example("7R", 5)])
    again = set_command("export", "La de Mamá")
    assert again.returncode == 1 and written.name in only_line(again.stderr)
    assert written.read_bytes() == before
    assert set_command("import", written.name, "--name", "De Ana").returncode == 0


def test_commands_work_beside_a_server_on_the_same_folder(
    sets: Sets, set_command: Command, config: AppConfig, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_bytes(export_set(tile_set("Casa")))
    with lock_folder(config.data_dir):
        assert answer(set_command("import", str(tmp_path / "x.json"), "--json"))["set"] == "Casa"
    assert [one.name for one in sets.listed()] == ["Casa"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "nadie"),
        ("forget", "nadie"),
        ("export", "nadie", "x"),
        ("show", "a/b"),
        ("show",),
        ("copies", "nadie", "7R=1"),
        ("copies", "Casa", "7R=9"),
        ("copies", "Casa", "14R=1"),
        ("copies", "Casa", "7R"),
        ("copies", "Casa"),
        ("bogus",),
        (),
    ],
)
def test_wrong_names_and_wrong_usage_end_with_2(
    set_command: Command, arguments: tuple[str, ...]
) -> None:
    done = set_command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr)


@pytest.mark.pictures
def test_lost_tiles_are_noted_and_a_second_one_is_not_believed(
    sets: Sets, set_command: Command, config: AppConfig
) -> None:
    """The rack of the sample holds the black 3 twice."""
    faces = [face for face in FACE_NAMES if face[:-1] in ("3", "4")]
    sets.teach("Casa", tile_set(faces=faces).examples)

    def doubtful() -> set[str]:
        read = ("read", RACK_B, "--as", "loose", "--json", "--set", "Casa")
        done = burako(*read, "--data", str(config.data_dir))
        found = json.loads(only_line(done.stdout))["tiles"]
        return {tile["tile"] for tile in found if "copies" in tile["doubts"]}

    assert doubtful() == set()
    told = answer(set_command("copies", "casa", "3K=1", "J=4", "--json"))
    assert told["copies"] == {"3K": 1, "J": 4}
    assert "3K: 1, J: 4" in only_line(set_command("show", "Casa").stdout)
    assert doubtful() == {"3K"}
    assert "copies" not in answer(set_command("copies", "Casa", "3K=", "J=", "--json"))
    assert doubtful() == set()


@pytest.mark.parametrize(
    ("language", "words"),
    [("es", "No hay ningún"), ("en", "There is no"), ("it", "Non c'è")],
)
def test_what_is_wrong_is_said_in_the_language_asked_for(
    set_command: Command, language: str, words: str
) -> None:
    assert words in only_line(set_command("show", "x", "--lang", language).stderr)


def test_a_face_without_a_number_of_copies_changes_nothing(
    sets: Sets, set_command: Command
) -> None:
    kept = sets.teach("Casa", tile_set().examples)
    sets.count(kept.id, {"7R": 1})
    done = set_command("copies", "Casa", "7R")
    assert (done.returncode, done.stdout) == (2, "") and "TILE=COUNT" in only_line(done.stderr)
    assert sets.of_id(kept.id).copies == {"7R": 1}


def test_a_set_without_a_picture_is_not_exported(
    sets: Sets, set_command: Command, tmp_path: Path
) -> None:
    sets.teach("Casa", [])
    done = set_command("export", "Casa", str(tmp_path / "x.json"), "--lang", "en")
    assert (done.returncode, list(tmp_path.glob("x.json*"))) == (1, [])
    assert "Casa" in only_line(done.stderr)


def test_as_many_copies_as_usual_are_nothing_odd(sets: Sets, set_command: Command) -> None:
    sets.teach("Casa", tile_set().examples)
    assert answer(set_command("copies", "Casa", "7R=1", "--json"))["copies"] == {"7R": 1}
    assert "copies" not in answer(set_command("copies", "Casa", "7R=2", "--json"))
    assert answer(set_command("copies", "Casa", "J=2", "--json"))["copies"] == {"J": 2}


def test_an_empty_name_is_none_for_a_set_that_comes_in(
    set_command: Command, config: AppConfig, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_bytes(export_set(tile_set("Casa")))
    done = set_command("import", str(tmp_path / "x.json"), "--name", "")
    assert (done.returncode, done.stdout) == (2, "") and only_line(done.stderr)


def test_looking_makes_no_folder(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    dataset = ("dataset", "--out", str(tmp_path / "out"))
    for arguments in (("list",), ("show", "x"), ("forget", "x"), ("list", "--json"), dataset):
        burako("set", *arguments, "--data", str(nowhere))
    assert not nowhere.exists()
    assert burako("set", "list", "--data", str(nowhere)).stdout.startswith("Todavía no")


def test_looking_makes_no_database(tmp_path: Path) -> None:
    nowhere = tmp_path / "typing error.sqlite3"
    address = f"sqlite:///{nowhere.as_posix()}"
    dataset = ("dataset", "--out", str(tmp_path / "out"))
    for arguments in (("list",), ("show", "x"), ("forget", "x"), ("copies", "x", "7R=1"), dataset):
        burako("set", *arguments, "--database", address, "--data", str(tmp_path / "data"))
    assert list(tmp_path.iterdir()) == []
    assert burako("set", "list", "--database", address).stdout.startswith("Todavía no")


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xd8\xff", b"[" * 9999])
def test_a_file_that_is_no_set_is_one_sentence(
    set_command: Command, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "bad").write_bytes(content)
    for path in (tmp_path / "bad", tmp_path / "gone"):
        done = set_command("import", str(path))
        assert (done.returncode, done.stdout) == (1, "")
        assert only_line(done.stderr).startswith("burako set: ")
        line = json.loads(only_line(set_command("import", str(path), "--json").stdout))
        assert line["error"] == ("not_a_set" if path.exists() else "no_file")
        assert done.stderr == f"burako set: {line['message']}\n"


def test_a_wrong_name_in_a_file_is_a_failure_and_no_wrong_usage(
    set_command: Command, tmp_path: Path
) -> None:
    file = json.loads(export_set(tile_set())) | {"name": "Casa/2"}
    (tmp_path / "bad").write_text(json.dumps(file))
    done = set_command("import", str(tmp_path / "bad"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "«Casa/2»" in only_line(done.stderr)


def test_what_cannot_be_written_is_told(
    sets: Sets, set_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets.teach("Casa", tile_set().examples)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("a file")
    for arguments in (
        ("export", "Casa", str(tmp_path / "no" / "file")),
        ("show", "Casa", "--out", str(tmp_path / "no" / "file")),
        ("export", "Casa", str(tmp_path)),
        ("export", "Casa", "."),
        ("show", "Casa", "--out", "."),
        ("export", "Casa", str(tmp_path / "taken" / "file")),
        ("export", "Casa", "x" * 400),
    ):
        done = set_command(*arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert only_line(done.stderr).startswith(f"burako set: {arguments[-1]}: ")
    (tmp_path / "burako.sqlite3").write_bytes(b"")
    done = burako("set", "list", "--data", str(tmp_path))
    assert done.returncode == 1 and "cannot be opened" in only_line(done.stderr)


@pytest.mark.skipif(os.name != "posix", reason="makes a link and a named pipe")
def test_a_link_and_a_pipe_stay_where_a_set_is_written_to_them(
    sets: Sets, set_command: Command, tmp_path: Path
) -> None:
    """Renamed over, /dev/null or /dev/stdout would become a file, for the whole machine."""
    sets.teach("Casa", tile_set().examples)
    link, pipe, file = (tmp_path / name for name in ("link", "pipe", "file"))
    link.symlink_to(file)
    assert set_command("export", "Casa", str(link)).returncode == 0
    assert link.is_symlink() and import_set(file.read_bytes()).name == "Casa"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert set_command("export", "Casa", str(pipe)).returncode == 0
    reader.join(10)
    assert heard == [file.read_bytes()] and pipe.is_fifo()


# --- taught from photographs ---


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
    assert set_command("teach", "Casa", sure, unsure, "--rows", "R,B,K,Y").returncode == 0


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


@pytest.mark.parametrize(
    "command", [["read", RACK_A], ["score", "--rack-a", RACK_A], ["live", "no-film.mp4"]]
)
def test_an_unknown_set_is_wrong_usage(command: list[str], config: AppConfig) -> None:
    done = burako(*command, "--set", "nadie", "--data", str(config.data_dir), "--lang", "en")
    assert (done.returncode, done.stdout) == (2, "")
    assert "“nadie”" in only_line(done.stderr)


def test_a_set_with_too_few_faces_is_told(sets: Sets, config: AppConfig) -> None:
    sets.teach("Casa", tile_set(faces=["7R"]).examples)
    for command in (["read", RACK_A], ["score", "--rack-a", RACK_A]):
        done = burako(*command, "--set", "Casa", "--data", str(config.data_dir))
        assert (done.returncode, done.stdout) == (1, "")
        assert "«Casa»" in only_line(done.stderr)


def test_a_data_folder_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "burako.sqlite3").write_bytes(b"no database" * 99)
    done = burako("read", RACK_A, "--set", "Casa", "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert only_line(done.stderr).startswith("burako read: the data cannot be opened")
