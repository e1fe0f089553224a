"""`burako set`: what it prints, where it writes, and how it ends."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path

import pytest
from PIL import Image

from scorer_app.cli import own_set
from scorer_app.cli.own_data import explain_store_error
from scorer_app.config import AppConfig
from scorer_app.services.set_files import export_set, import_set
from scorer_app.services.sets import Sets
from scorer_app.store import StoreUnavailable
from scorer_app.store.folder_lock import lock_folder
from scorer_app.texts.languages import LANGUAGES
from vision.own_set.examples import FACE_NAMES, Origin

from ..conftest import Scorer
from ..hands import new_match
from ..own_sets import example, tile_set
from .commands import RACK_A, RACK_B, Command, answer, burako, only_line


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
    for language in LANGUAGES:
        taken = set_command("import", str(file), "--json", "--lang", language)
        told = json.loads(only_line(taken.stdout))
        assert (taken.returncode, told["error"]) == (1, "taken")
        assert only_line(taken.stderr) == f"burako set: {told['message']}"
        assert "Casa" in told["message"] and told["message"].endswith(" --name.")
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_is_replaced_only_where_that_is_asked_for(
    sets: Sets, set_command: Command, tmp_path: Path, language: str
) -> None:
    sets.teach("Casa", tile_set().examples)
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ana")
    command = ("export", "Casa", str(letter), "--json", "--lang", language)
    refused = set_command(*command)
    told = json.loads(only_line(refused.stdout))
    assert (refused.returncode, told["error"]) == (1, "file_exists")
    assert str(letter) in told["message"] and "--force" in told["message"]
    assert letter.read_text() == "Dear Ana"
    assert answer(set_command(*command, "--force"))["file"] == str(letter)
    assert import_set(letter.read_bytes()).name == "Casa"


def test_help_says_that_a_script_is_not_asked_before_a_set_is_forgotten(
    set_command: Command,
) -> None:
    told = " ".join(set_command("forget", "--help").stdout.split())
    assert "--yes do not ask first; who runs it without a terminal, as a script does" in told


def test_a_file_may_be_named_behind_other_options(
    sets: Sets, set_command: Command, tmp_path: Path
) -> None:
    sets.teach("Casa", tile_set().examples)
    written = tmp_path / "x.json"
    assert set_command("export", "Casa", "--json", "--lang", "en", str(written)).returncode == 0
    assert import_set(written.read_bytes()).name == "Casa"
    for more in (["y.json"], ["--other"]):
        done = set_command("export", "Casa", str(written), "--json", *more)
        assert done.returncode == 2 and f"unrecognized arguments: {more[0]}" in only_line(
            done.stderr
        )


def test_the_history_of_a_match_names_the_command_that_changed_its_set(
    scorer: Scorer, sets: Sets, set_command: Command
) -> None:
    kept = sets.teach("Casa", tile_set().examples)
    match = new_match(scorer, tile_set=kept.id)
    assert set_command("copies", "Casa", "7R=1").returncode == 0
    assert set_command("forget", "Casa", "--yes").returncode == 0
    page = scorer.client.get(f"/matches/{match}/history").text
    assert page.count("<b>burako set</b>") == 2


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


def test_of_a_name_that_is_none_the_refused_character_is_told(set_command: Command) -> None:
    done = set_command("show", "L'Italia", "--lang", "en")
    rule = "The name of a tile set has up to 40 letters, digits, blanks and hyphens"
    assert done.stderr == f"burako set: {rule}, not “'”.\n"


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


def test_a_tile_of_which_two_counts_are_told_is_named(sets: Sets, set_command: Command) -> None:
    kept = sets.create("Casa", tile_set().examples, {"7R": 1})
    done = set_command("copies", "Casa", "3K=1", "7R=1", "J=4", "7r=2")
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr) == (
        "burako set copies: argument TILE=COUNT: expected every tile once, got 7R again"
    )
    assert sets.of_id(kept.id).copies == {"7R": 1}


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
    (tmp_path / "folder.png").mkdir()
    for arguments in (
        ("export", "Casa", str(tmp_path / "no" / "file")),
        ("show", "Casa", "--out", str(tmp_path / "no" / "file.png")),
        ("export", "Casa", str(tmp_path)),
        ("export", "Casa", "."),
        ("show", "Casa", "--out", "folder.png"),
        ("export", "Casa", str(tmp_path / "taken" / "file")),
        ("export", "Casa", "x" * 400),
    ):
        done = set_command(*arguments)
        assert (done.returncode, done.stdout) == (1, "")
        sentence = only_line(done.stderr)
        assert sentence.startswith(f"burako set: {arguments[-1]}: ")
        line = json.loads(only_line(set_command(*arguments, "--json").stdout))
        assert line["error"] and sentence == f"burako set: {line['message']}"
    (tmp_path / "burako.sqlite3").write_bytes(b"")
    done = burako("set", "list", "--data", str(tmp_path))
    assert done.returncode == 1 and "No se pueden abrir los datos" in only_line(done.stderr)


def test_a_contact_sheet_is_written_to_a_png_alone(
    sets: Sets, set_command: Command, tmp_path: Path
) -> None:
    sets.teach("Casa", tile_set().examples)
    for name in ("sheet.txt", "sheet", "."):
        done = set_command("show", "Casa", "--out", str(tmp_path / name))
        assert (done.returncode, done.stdout) == (2, "")
        assert "expected a name that ends in .png" in only_line(done.stderr)
        assert not (tmp_path / name).is_file()


def test_without_a_command_all_of_them_are_named() -> None:
    done = burako("set")
    assert done.returncode == 2
    assert only_line(done.stderr) == (
        "burako set: expected a command: teach, list, show, copies, forget, export, import, dataset"
    )


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


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("es", "No se pueden abrir los datos: "),
        ("en", "The data cannot be opened: "),
        ("it", "Non si possono aprire i dati: "),
    ],
)
def test_a_data_folder_that_cannot_be_opened_is_told_in_the_language_asked_for(
    tmp_path: Path, language: str, told: str
) -> None:
    (tmp_path / "burako.sqlite3").write_bytes(b"no database" * 99)
    for command in (["read", RACK_A, "--set", "Casa"], ["set", "list"]):
        done = burako(*command, "--data", str(tmp_path), "--lang", language)
        assert (done.returncode, done.stdout) == (1, "")
        assert only_line(done.stderr).startswith(f"burako {command[0]}: {told}")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("attempt to write a readonly database", "están protegidos contra escritura"),
        (
            "/data/burako.sqlite3: disk I/O error",
            "/data/burako.sqlite3: el disco está lleno o falla",
        ),
        ("database or disk is full", "el disco está lleno o falla"),
        ("no such table: own_set", "no such table: own_set"),
    ],
)
def test_what_sqlite_says_of_the_disk_is_said_in_the_language(told: str, said: str) -> None:
    sentence = explain_store_error(StoreUnavailable(told), "es")
    assert sentence.startswith(f"No se pueden abrir los datos: {said}")
