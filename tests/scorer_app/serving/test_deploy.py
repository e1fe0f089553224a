"""The files of the deploy folder agree with what the program understands."""

from __future__ import annotations

import http.client
import json
import re
import shlex
import shutil
import subprocess
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer_app.cli import serve
from scorer_app.cli.config_file import Keys, QuotaKeys, read_config
from scorer_app.config import AppConfig, Mode, Quotas
from scorer_app.texts.languages import DEFAULT, LANGUAGES
from scorer_app.texts.translator import translator
from tests.places import PROJECT

from ..served import PATIENCE

DEPLOY = PROJECT / "scorer_app" / "serving" / "deploy"
README = (DEPLOY / "README.md").read_text("utf-8")


def test_the_example_is_read_and_names_every_key() -> None:
    config = read_config(DEPLOY / "cluster.toml")
    assert (config.mode, config.cluster, config.processes) == (Mode.HOME, True, 2)
    assert config.quotas == Quotas()
    told = tomllib.loads((DEPLOY / "cluster.toml").read_text("utf-8"))
    assert set(told) == set(Keys.__struct_fields__)
    assert set(told["quota"]) == set(QuotaKeys.__struct_fields__)


def test_the_page_explains_every_key() -> None:
    keys = {*Keys.__struct_fields__} - {"quota"}
    keys |= {f"quota.{name}" for name in QuotaKeys.__struct_fields__}
    assert keys <= set(re.findall(r"^\| `([\w.]+)` \|", README, re.MULTILINE))


def command(unit: str) -> list[str]:
    text = (DEPLOY / unit).read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    program, *arguments = shlex.split(line)
    assert program == "/opt/burako/bin/burako"
    return arguments


def test_the_units_commands_are_understood() -> None:
    name, *options = command("burako-pages.service")
    known = serve._parser().parse_args(options)
    assert (name, known.port, known.allow_host) == ("serve", 8080, ["${BURAKO_NAME}"])
    assert command("burako-readers.service") == ["work", "--config", str(known.config)]


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_the_page_leads_to_every_file(path: Path) -> None:
    assert path.name == "README.md" or f"]({path.name})" in README
    assert path.stat().st_size > 0


def test_nginx_has_the_sentence_about_a_file_that_is_too_large_in_every_language() -> None:
    """An entry begins as the program's own sentence does, which also tells the file's size."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    (entries,) = re.findall(r"^map \S+ \$burako_limit \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE)
    told = dict(re.findall(r'^ +(\S+) "(.*)";$', entries, re.MULTILINE))
    patterns = {one: "default" if one == DEFAULT else f'"~*^{one}"' for one in LANGUAGES}
    assert set(told) == set(patterns.values())
    for language, pattern in patterns.items():
        assert told[pattern].split(":")[0] == translator(language)("error.too_large").split(":")[0]


@pytest.fixture
def front(tmp_path: Path) -> Iterator[int]:
    """Run nginx as the deploy folder has it, before page nodes that do not answer; yield its port
    without TLS.
    """
    pytest.importorskip("obstore")
    if shutil.which("nginx") is None:
        pytest.skip("needs nginx")
    from tests.cluster.service import nginx_configuration
    from tests.cluster.weed import free_ports

    port, secure, *pages = free_ports(5)
    file = tmp_path / "nginx.conf"
    file.write_text(nginx_configuration(tmp_path, (port, secure), [pages]))
    nginx = subprocess.Popen(["nginx", "-p", str(tmp_path), "-c", str(file)])
    try:
        yield port
    finally:
        nginx.terminate()
        nginx.wait(PATIENCE)


def refused(port: int, path: str, language: str) -> tuple[int, str, str]:
    """Announce a body that is too large for nginx; return the answer's status, type and text."""
    end = time.monotonic() + PATIENCE
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.putrequest("POST", path)
            connection.putheader("Content-Length", str(42 * 2**20))
            connection.putheader("Accept-Language", language)
            connection.endheaders()
            answer = connection.getresponse()
            kind = answer.headers.get_content_type()
            return answer.status, kind, answer.read().decode("utf-8")
        except ConnectionRefusedError:  # nginx has not begun yet
            assert time.monotonic() < end
            time.sleep(0.05)
        finally:
            connection.close()


@pytest.mark.process
def test_what_nginx_refuses_as_too_large_is_told_as_burako_tells_it(front: int) -> None:
    beginnings: dict[str, str] = {
        one: translator(one)("error.too_large").split(":")[0] for one in LANGUAGES
    }
    tags = [(locale.tag, language) for language, locale in LANGUAGES.items()]
    for header, language in (
        *tags,
        ("es-AR,es", "es"),
        ("en-GB", "en"),
        ("it-IT,it", "it"),
        ("fr", "es"),
    ):
        status, kind, text = refused(front, "/api/hands/any/photos", header)
        told = json.loads(text)
        assert (status, kind, told["error"]) == (413, "application/json", "too_large")
        assert told["message"].startswith(f"{beginnings[language]}: ")
        assert f" {AppConfig.upload_bytes // 2**20} MB." in told["message"]
        status, kind, page = refused(front, "/matches/import", header)
        assert (status, kind) == (413, "text/html")
        assert f"<p>{told['message']}</p>" in page
