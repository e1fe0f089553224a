"""The console script, whatever the sub-command: Ctrl-C and lost output end it quietly, never with a
traceback.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from scorer_app.cli import main as cli
from scorer_app.cli import serve
from scorer_app.config import AppConfig
from scorer_app.store import Store

COMMAND = [
    sys.executable,
    "-c",
    "import sys; from scorer_app.cli.main import main; sys.exit(main())",
]
CASE = {"kind": "meld", "ruleset": "burako", "input": {"tiles": ["3R", "4R", "5R"]}}


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_ends_quietly() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "judge"], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(json.dumps(CASE).encode() + b"\n")
        process.stdin.flush()
        # The program waits for the next line now.
        assert process.stdout.readline() == b"Escalera: 15 puntos.\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == cli.INTERRUPTED
        assert process.stderr.read() == b""


def test_ctrl_c_in_any_sub_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "import_module", interrupted)
    assert {cli.main([name]) for name in cli.COMMANDS} == {130}


@pytest.mark.process
def test_commands_that_name_no_set_load_no_database() -> None:
    """SQLAlchemy takes longer to load than the networks."""
    run = """
import sys
from scorer_app.cli.main import main
for command in ("read", "score --melds-a", "live"):
    assert main([*command.split(), "none.jpg"]) == 1
print(*{"sqlalchemy", "alembic", "flask"} & {*sys.modules})
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["judge"], ["--help"], []])
def test_a_full_disk_is_one_sentence(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [*COMMAND, *arguments],
            input=json.dumps(CASE).encode(),
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert process.returncode == cli.FAILED
    assert process.stderr.decode().splitlines() == ["burako: [Errno 28] No space left on device"]


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_output_that_a_full_disk_does_not_take_is_not_told_as_a_port_or_a_folder(
    command: str, tmp_path: Path
) -> None:
    config = tmp_path / "burako.toml"
    config.write_text(f'database = "sqlite:///{(tmp_path / "new.sqlite3").as_posix()}"')
    more = {
        "serve": ["--port", "0", "--data", str(tmp_path)],
        "migrate": ["--photos", str(tmp_path)],
    }
    asked = [command, "--config", str(config), *more[command]]
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [*COMMAND, *asked], stdout=full, stderr=subprocess.PIPE, timeout=120
        )
    assert process.returncode == cli.FAILED
    told = process.stderr.decode().splitlines()
    assert told[-1] == "burako: [Errno 28] No space left on device"


@pytest.mark.parametrize("port", ["99999", "-1", "abc", "8080.5"])
def test_a_port_that_cannot_be_is_wrong_usage_in_one_line(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", f"--port={port}"])
    sentence = f"burako serve: argument --port: expected a number from 0 to 65535, got {port!r}\n"
    assert (ended.value.code, *capsys.readouterr()) == (2, "", sentence)


@pytest.mark.parametrize(("host", "is_asked"), [("127.0.0.1", True), ("203.0.113.1", False)])
def test_only_a_port_in_use_is_asked_about(
    host: str, is_asked: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second address is for documentation alone (RFC 5737), so that no machine has it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert cli.main(["serve", "--host", host, "--port", port, "--data", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "Errno" not in told
    assert told.startswith("burako serve: ") and port in told
    assert ("elegí otro con --port" in told, host in told) == (is_asked, not is_asked)


@pytest.mark.parametrize(
    ("language", "taken", "unusable"),
    [
        ("es", "El puerto", "No se pueden abrir los datos: "),
        ("en", "Port", "The data cannot be opened: "),
        ("it", "La porta", "Non si possono aprire i dati: "),
    ],
)
def test_what_hinders_a_server_is_told_in_the_language_asked_for(
    language: str, taken: str, unusable: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        asked = ["serve", "--host", "127.0.0.1", "--port", port, "--lang", language, "--data"]
        assert cli.main([*asked, str(tmp_path / "data")]) == 1
        assert capsys.readouterr().err.startswith(f"burako serve: {taken} {port} ")
        assert cli.main([*asked, str(tmp_path / "file" / "data")]) == 1
        assert capsys.readouterr().err.startswith(f"burako serve: {unusable}{tmp_path}")


def test_a_database_in_the_data_folder_that_is_not_used_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever names both a folder with matches and another database would look for them."""
    own = tmp_path / "burako.sqlite3"
    Store(f"sqlite:///{own.as_posix()}").close()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for database, is_told in ((tmp_path / "other.sqlite3", True), (own, False)):
            url = f"sqlite:///{database.as_posix()}"
            asked = ["serve", "--host", "127.0.0.1", "--port", port, "--lang", "en"]
            assert cli.main([*asked, "--data", str(tmp_path), "--database", url]) == 1
            assert (f"{own} is not used" in capsys.readouterr().err) is is_told


@pytest.mark.parametrize("more", [[], ["--https"]], ids=["port", "certificate"])
def test_a_server_that_cannot_start_closes_its_database(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, closed = list[Store](), list[Store]()
    make_ready, close = Store._make_ready, Store.close

    def noted(store: Store, *, is_new: bool) -> None:
        opened.append(store)
        make_ready(store, is_new=is_new)

    def noted_as_closed(store: Store) -> None:
        closed.append(store)
        close(store)

    monkeypatch.setattr(Store, "_make_ready", noted)
    monkeypatch.setattr(Store, "close", noted_as_closed)
    (tmp_path / "certificate.pem").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert cli.main(["serve", *more, "--port", port, "--data", str(tmp_path)]) == 1
    assert len(opened) == 1 and closed == opened


def test_a_certificate_that_cannot_be_read_is_not_told_as_a_port_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("certificate.pem", "certificate.key"):
        (tmp_path / name).mkdir()
    assert cli.main(["serve", "--https", "--port", "0", "--data", str(tmp_path)]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith(f"burako serve: {tmp_path / 'certificate.pem'}: ")


def test_processes_that_share_an_address_find_one_certificate(
    config: AppConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If each made one, a process could be left with the key of another."""
    found: list[bool] = []

    def keep_running(_target: object, each: Sequence[object]) -> None:
        certificate, key = (config.data_dir / f"certificate.{name}" for name in ("pem", "key"))
        found.append(len(each) == 2 and certificate.exists() and key.exists())

    monkeypatch.setattr(serve, "keep_running", keep_running)
    monkeypatch.setattr(serve, "stop_on_signals", lambda: None)
    config = replace(config, https=True, processes=2)
    options = serve._parser().parse_args(["--https", "--port", "0"])
    assert serve._serve_in_processes(config, options) == 0
    assert found == [True]


def test_a_key_that_is_easily_guessed_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BURAKO_SECRET_KEY", "short")
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", "--port", "0", "--lang", "en"])
    sentence = "burako serve: BURAKO_SECRET_KEY: expected at least 32 characters nobody can guess"
    assert (ended.value.code, *capsys.readouterr()) == (2, "", f"{sentence}, got 5\n")


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_that_of_the_installed_package(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([option]) == 0
    assert capsys.readouterr() == (f"burako {metadata.version('burako')}\n", "")


def test_help_says_what_each_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert (cli.main(["--help"]), cli.main([])) == (0, 2)
    told = [line.split() for line in capsys.readouterr().out.splitlines() if line[:2] == "  "]
    assert {name for name, *words in told if len(words) > 2} == {*cli.COMMANDS}
