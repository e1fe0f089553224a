"""The files of the deploy folder agree with what the program understands."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from scorer_app.cli import serve
from scorer_app.cli.config_file import Keys, QuotaKeys, read_config
from scorer_app.config import Mode, Quotas
from tests.places import PROJECT

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
