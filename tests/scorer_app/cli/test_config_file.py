"""The configuration file of a cluster: its values are used, and each mistake in it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer_app.cli import config_file, serve
from scorer_app.cli.config_file import read_config
from scorer_app.config import AppConfig, Mode, Quotas
from scorer_app.store import Match, Store

from .commands import burako, only_line

FULL = """
mode = "public"
database = "postgresql://burako:secret@db.internal/burako"
photos = "s3://burako/photographs"
endpoint = "http://s3.internal:8333"
processes = 4
trusted_proxies = ["10.0.0.0/8", "192.168.1.2"]
photo_days = 3
match_days = 30
watched_tables = 9

[quota]
matches_per_address_per_day = 5
photographs_per_address_per_day = 60
photographs_per_match = 70
"""
KEY, TOKEN = "k" * 32, "t" * 32


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cluster.toml"


@pytest.fixture(autouse=True)
def no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "BURAKO_SECRET_KEY",
        "BURAKO_ADMIN_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
    ):
        monkeypatch.delenv(name, raising=False)


def test_every_key_is_taken(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(FULL)
    monkeypatch.setenv("BURAKO_SECRET_KEY", KEY)
    monkeypatch.setenv("BURAKO_ADMIN_TOKEN", TOKEN)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "key")
    config = serve._config(serve._parser().parse_args(["--config", str(file)]))
    assert config == AppConfig(
        mode=Mode.PUBLIC,
        database_url="postgresql+psycopg://burako:secret@db.internal/burako",
        cluster=True,
        photo_store="s3://burako/photographs",
        photo_endpoint="http://s3.internal:8333",
        processes=4,
        trusted_proxies=("10.0.0.0/8", "192.168.1.2"),
        host_by_token=True,
        photo_days=3,
        match_days=30,
        watched_tables=9,
        quotas=Quotas(5, 60, 70),
        secret_key=KEY,
        admin_token=TOKEN,
    )
    assert KEY not in repr(config) and TOKEN not in repr(config)


def test_an_empty_file_is_as_no_file(file: Path) -> None:
    file.write_text("")
    assert read_config(file) == AppConfig()


def test_a_folder_of_photographs_is_named_by_its_address(file: Path) -> None:
    file.write_text('photos = "file:///srv/burako%20photos"')
    assert read_config(file).photo_dir == Path("/srv/burako photos")


def test_a_public_server_forgets_after_a_time_unless_told_otherwise(file: Path) -> None:
    file.write_text('mode = "public"\nmatch_days = 400')
    config = read_config(file)
    assert (config.photo_days, config.match_days) == (7, 400)


def test_the_mode_of_the_command_line_goes_before_the_files(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BURAKO_SECRET_KEY", KEY)
    file.write_text('mode = "home"')
    options = serve._parser().parse_args(["--config", str(file), "--mode", "public"])
    config = serve._config(options)
    assert (config.mode, config.photo_days, config.match_days) == (Mode.PUBLIC, 7, 90)


def test_a_home_keeps_its_matches_also_where_the_file_says_public(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BURAKO_SECRET_KEY", raising=False)
    file.write_text('mode = "public"')
    options = serve._parser().parse_args(["--config", str(file), "--mode", "home"])
    config = serve._config(options)
    assert (config.mode, config.photo_days, config.match_days) == (Mode.HOME, None, None)


WRONG = [
    ("processes = 4.0", "processes: expected a whole number, got 4.0"),
    ("processes = true", "processes: expected a whole number, got True"),
    ("processes = 0", "processes: expected at least 1, got 0"),
    ("processes = 2", "processes: expected 1 without a database of PostgreSQL, got 2"),
    ('processes = "2"', "processes: expected a whole number, got '2'"),
    ("photo_days = 0", "photo_days: expected at least 1, got 0"),
    ("match_days = 1e2", "match_days: expected a whole number, got 100.0"),
    ('mode = "club"', "mode: expected one of home, public, got 'club'"),
    ("mode = 1", "mode: expected one of home, public, got 1"),
    ('mode = ["home"]', "mode: expected one of home, public, got ['home']"),
    ("database = 5", "database: expected a text in quotes, got 5"),
    (
        'database = "secret words"',
        "database: expected a URL such as postgresql://user@host/name",
    ),
    *(
        (f'database = "{url}"', "database: expected a URL such as postgresql://user@host/name")
        for url in ("postgres://user@host/name", "postgresql+driver://user@host/name")
    ),
    ('database = ""', "database: expected a URL such as postgresql://user@host/name"),
    ('photos = ""', "photos: expected file:///folder or s3://bucket/prefix, got ''"),
    ('photos = "/srv"', "photos: expected file:///folder or s3://bucket/prefix, got '/srv'"),
    ('photos = "s3://"', "photos: expected file:///folder or s3://bucket/prefix, got 's3://'"),
    ('photos = "file:///a%00b"', "photos: expected file:///folder or s3://bucket/prefix, got '"),
    (
        'photos = "s3://b"\nendpoint = "there"',
        "endpoint: expected an address such as https://s3.example.org, got 'there'",
    ),
    (
        'photos = "s3://b"\nendpoint = "http://h:port"',
        "endpoint: expected an address such as https://s3",
    ),
    ('photos = "s3://b"\nendpoint = "http://:80"', "endpoint: expected an address such as https"),
    (
        'endpoint = "http://there"',
        "endpoint: expected with photos s3://bucket/prefix alone",
    ),
    ('trusted_proxies = "10.0.0.1"', "trusted_proxies: expected a list, got '10.0.0.1'"),
    ("trusted_proxies = [1]", "trusted_proxies[0]: expected a text in quotes, got 1"),
    ("quota = 3", "quota: expected a table, got 3"),
    (
        "[quota]\nphotographs_per_match = 1.0",
        "quota.photographs_per_match: expected a whole number, got 1.0",
    ),
    (
        "[quota]\nphotographs = 1",
        "quota.photographs: no such key; expected one of matches_per_address_per_day,",
    ),
    ("proceses = 2", "proceses: no such key; expected one of mode, database,"),
    ('secret_key = "x"', "secret_key: no such key; expected one of mode, database,"),
    ("processes = 257", "processes: expected at most 256, got 257"),
    ('trusted_proxies = ["10.0.0.1", "here"]', "trusted_proxies: expected an address such as"),
    ('database = "postgresql://u:pw@h:port/b"', "database: the port of the URL is no number"),
    ("processes = 2020-01-01", "processes: expected a whole number, got 2020-01-01"),
    ("processes =", "expected TOML: Invalid value (at end of document)"),
]


def test_a_folder_of_photographs_that_cannot_be_made_is_the_one_named(
    file: Path, tmp_path: Path
) -> None:
    """The data folder, which is another one, may be sound."""
    (tmp_path / "taken").write_text("a file")
    folder = tmp_path / "taken" / "photos"
    file.write_text(f'photos = "{folder.as_uri()}"')
    done = burako("serve", "--config", str(file), "--data", str(tmp_path / "data"), "--port", "0")
    assert (done.returncode, done.stdout) == (1, "")
    told = "burako serve: No se pueden abrir los datos"
    assert only_line(done.stderr).startswith(f"{told}: {folder}: ")


@pytest.mark.parametrize("command", ["serve", "migrate"])
@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=[text for text, _ in WRONG])
def test_what_is_wrong_is_named_in_one_sentence(
    text: str, sentence: str, command: str, file: Path
) -> None:
    file.write_text(text)
    done = burako(command, "--config", str(file), "--lang", "en")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"burako {command}: {file}: {sentence}")


@pytest.mark.parametrize("command", ["serve", "work", "migrate"])
@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "processes = 4.0",
            {
                "es": "processes: se esperaba un número entero, y vino 4.0",
                "it": "processes: dev'essere un numero intero, e c'è 4.0",
            },
        ),
        (
            'database = "words that may be secret"',
            {
                "es": "database: se esperaba una URL como postgresql://user@host/name, o"
                " sqlite:////folder/file.sqlite3 para un archivo, y vino otro texto",
                "it": "database: dev'essere un URL come postgresql://user@host/name, o"
                " sqlite:////folder/file.sqlite3 per un file, e c'è un altro testo",
            },
        ),
    ],
)
def test_it_is_said_in_spanish_or_in_the_language_that_is_asked_for(
    text: str, sentences: dict[str, str], command: str, file: Path
) -> None:
    file.write_text(text)
    for more, language in (([], "es"), (["--lang", "it"], "it")):
        done = burako(command, "--config", str(file), *more)
        assert only_line(done.stderr) == f"burako {command}: {file}: {sentences[language]}"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "large.toml").write_bytes(b"#" * 1_000_001)
    for path, told in (
        (
            tmp_path / "large.toml",
            "expected at most 1000000 bytes of TOML, got a larger file",
        ),
        (tmp_path / "none.toml", "cannot be read: No such file or directory"),
        (tmp_path / "latin.toml", "expected text in UTF-8, got other bytes"),
    ):
        done = burako("serve", "--config", str(path), "--lang", "en")
        assert (done.returncode, done.stderr) == (2, f"burako serve: {path}: {told}\n")


@pytest.mark.parametrize(
    ("options", "text", "sentence"),
    [
        (["--mode", "public"], "", "BURAKO_SECRET_KEY: expected in the environment with mode"),
        ([], 'mode = "public"', "BURAKO_SECRET_KEY: expected in the environment with mode public"),
        ([], 'database = "postgresql://h/b"', "BURAKO_SECRET_KEY: expected in the environment"),
        ([], 'photos = "s3://b/p"', "AWS_ACCESS_KEY_ID: expected in the environment with photos"),
        (["--database", "sqlite:///x"], "", "--database: expected in the file of --config"),
    ],
)
def test_what_is_needed_and_not_there_is_named(
    options: list[str], text: str, sentence: str, file: Path
) -> None:
    file.write_text(text)
    done = burako("serve", "--config", str(file), "--lang", "en", *options)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"burako serve: {sentence}")


@pytest.mark.parametrize("command", ["serve", "work", "migrate"])
@pytest.mark.parametrize(
    ("missing", "text", "key"),
    [
        ("procrastinate", 'database = "postgresql://h/b"', "database"),
        ("obstore", 'database = "postgresql://h/b"\nphotos = "s3://b/p"', "photos"),
    ],
)
def test_a_library_that_is_needed_and_not_installed_is_named(
    command: str, missing: str, text: str, key: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(text)
    monkeypatch.setenv("BURAKO_SECRET_KEY", KEY)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "key")
    monkeypatch.setattr(config_file, "find_spec", lambda name: None if name == missing else name)
    done = burako(command, "--config", str(file), "--lang", "en")
    told = f"burako {command}: {key}: expected the library {missing}, got none; pip install"
    assert (done.returncode, done.stdout) == (2, "")
    assert only_line(done.stderr).startswith(told)


def test_the_page_is_opened_by_the_name_at_which_it_is_served() -> None:
    def allowed(*arguments: str) -> set[str]:
        return set(serve._config(serve._parser().parse_args(arguments)).allowed_hosts)

    assert allowed("--host", "pc.lan", "--allow-host", "casa.org.") == {"pc.lan", "casa.org"}
    assert allowed("--host", "192.168.1.2") == allowed("--host", "::1") == allowed() == set()


@pytest.mark.parametrize("name", ["", "casa.org:8080", "https://casa.org", "casa.org/"])
def test_a_name_that_no_request_bears_is_refused(name: str) -> None:
    done = burako("serve", "--port", "0", "--allow-host", name)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("burako serve: argument --allow-host: expected a name such as")


def test_an_admins_credential_that_is_easily_guessed_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BURAKO_ADMIN_TOKEN", "admin")
    done = burako("serve", "--port", "0", "--lang", "en")
    assert done.returncode == 2
    assert done.stderr.startswith("burako serve: BURAKO_ADMIN_TOKEN: expected at least 32")


def test_migrate_makes_the_tables_and_says_what_hinders_it(file: Path, tmp_path: Path) -> None:
    database = tmp_path / "burako.sqlite3"
    file.write_text(f'database = "sqlite:///{database.as_posix()}"')
    assert burako("migrate", "--config", str(file)).returncode == 0
    assert database.stat().st_size > 0
    database.write_bytes(b"no database at all")
    done = burako("migrate", "--config", str(file))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("burako migrate: No se pueden abrir los datos: ")


def test_a_home_is_copied_from_a_folder_of_any_name(file: Path, tmp_path: Path) -> None:
    file.write_text(f'database = "sqlite:///{(tmp_path / "new.sqlite3").as_posix()}"')
    folder = tmp_path / "50%25 #casa"
    folder.mkdir()
    home = Store(AppConfig(data_dir=folder).database)
    with home.writing() as session:
        session.add(Match(side_a="Ana", side_b="Beto", ruleset="burako"))
    home.close()
    done = burako("migrate", "--config", str(file), "--from", str(folder / "burako.sqlite3"))
    assert done.returncode == 0
    assert only_line(done.stdout) == f"Burako: Partidas copiadas de {folder / 'burako.sqlite3'}: 1"
    done = burako("migrate", "--config", str(file), "--from", str(folder / "burako.sqlite3"))
    assert (done.returncode, only_line(done.stderr)) == (
        1,
        "burako migrate: La base de datos de destino tiene que estar vacía, y hay filas en match.",
    )


def test_a_home_that_is_not_there_is_told_before_anything_is_made(
    file: Path, tmp_path: Path
) -> None:
    database, home = tmp_path / "new.sqlite3", tmp_path / "casa.sqlite3"
    file.write_text(f'database = "sqlite:///{database.as_posix()}"')
    done = burako("migrate", "--config", str(file), "--from", str(home), "--lang", "it")
    told = "dev'essere il database di un server di casa, e quel file non esiste"
    assert (done.returncode, done.stdout) == (1, "")
    assert only_line(done.stderr) == f"burako migrate: {home}: {told}"
    assert not database.exists()


def test_no_match_is_copied_where_the_folder_of_its_photographs_cannot_be_read(
    file: Path, tmp_path: Path
) -> None:
    """The same command, mended, would else be refused: the database is not empty any more."""
    database = tmp_path / "new.sqlite3"
    file.write_text(f'database = "sqlite:///{database.as_posix()}"')
    home = Store(AppConfig(data_dir=tmp_path).database)
    with home.writing() as session:
        session.add(Match(side_a="Ana", side_b="Beto", ruleset="burako"))
    home.close()
    asked = ["--config", str(file), "--from", str(tmp_path / "burako.sqlite3")]
    for wrong in (tmp_path / "foto", file):
        done = burako("migrate", *asked, "--photos", str(wrong))
        assert (done.returncode, done.stdout) == (1, "")
        assert only_line(done.stderr).startswith(f"burako migrate: {wrong}: ")
    (tmp_path / "photos").mkdir()
    done = burako("migrate", *asked, "--photos", str(tmp_path / "photos"))
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        f"Burako: Partidas copiadas de {tmp_path / 'burako.sqlite3'}: 1",
        "Burako: Archivos de fotos copiados: 0; ya estaban: 0",
    ]
