"""The trainings of the Makefile leave the shipped networks as they are."""

from __future__ import annotations

import re

import pytest

from tests.places import PROJECT

MAKEFILE = (PROJECT / "Makefile").read_text("utf-8")
TRAININGS = re.findall(
    r"^(train[a-z-]*): (.*)\n\t(.*python -m models\.recipes.*)", MAKEFILE, re.MULTILINE
)


def test_trainings_write_to_a_folder_that_git_ignores() -> None:
    folder = re.search(r"^MODELS := (\S+)$", MAKEFILE, re.MULTILINE)
    ignored = (PROJECT / ".gitignore").read_text("utf-8").split()
    assert folder and f"/{folder[1].split('/')[0]}/" in ignored


def test_all_trainings_are_looked_at() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    named = {name for name in phony[1].split() if re.fullmatch(r"train(-.*)?", name)}
    assert named == {name for name, _, _ in TRAININGS} != set()


@pytest.mark.parametrize(("needs", "command"), [training[1:] for training in TRAININGS])
def test_each_training_begins_with_a_copy_of_the_shipped_networks(needs: str, command: str) -> None:
    assert needs.endswith(" $(MODELS)/manifest.json")
    assert " --models $(MODELS) " in command
