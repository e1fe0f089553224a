"""What is the same for tests on every machine: typefaces, generated examples, and programs that
listen to Ctrl-C.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from vision import modelfile
from vision.own_set.knowledge import OwnSet

from .answers import remembering, remembering_sets
from .examples import QUICK, USUAL
from .made_fonts import write_symbol_font

# The server that the first test starts is looked at again after so many other tests. A test that
# slept meanwhile would leave a processor idle.
BEGINS = "test_a_server_begins_in_a_home_of_its_own"
LOOKS_AGAIN = "test_serving_the_page_keeps_to_its_own_folder_and_the_local_network"
MEANWHILE = 400

# Files of tests lie in memory where the system offers that and so many bytes of it are free: a run
# takes a tenth of them, and waits for a disk thousands of times where they lie on one.
MEMORY, ROOM = Path("/dev/shm"), 2**30

# The same examples on every machine and every run.
settings.register_profile("seeded", derandomize=True, deadline=None, max_examples=USUAL)
settings.register_profile("quick", settings.get_profile("seeded"), max_examples=QUICK)
# `make test-quick` loads the other one later, before any test is collected.
settings.load_profile("seeded")


def pytest_configure(config: pytest.Config) -> None:
    """Let the renderer find the same material whatever is installed: Pillow's built-in typeface, a
    font of symbols made here, no photograph and no artwork of cards.

    This is done before any test is collected, since modules draw their sets of tiles when they are
    imported, and the renderer keeps what it has once found.
    """
    gc.disable()  # until all tests are collected: hardly anything of what is made till then goes
    _keep_files_in_memory()
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        return  # this process only hands out tests to others, which draw

    from datasets.cards import packs
    from datasets.faces import fonts
    from datasets.scene import surfaces

    # FFmpeg asks for it before the first film of a process, which may be one that a test makes.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    made = tempfile.TemporaryDirectory(prefix="burako-fonts-")
    config.add_cleanup(made.cleanup)
    folder = Path(made.name)
    write_symbol_font(folder / "Symbola_hint.ttf")
    fonts.FONT_FOLDERS = (folder,)
    surfaces.PHOTO_ROOTS = ()
    packs.FOLDER = folder


def _keep_files_in_memory() -> None:
    """Let `tmp_path` lie in memory, where nobody has said another place for it."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture(scope="session", autouse=True)
def networks_that_remember() -> Iterator[None]:
    """Load the networks of this process once and let them compute each answer once; a reader, too,
    works out once what it knows of a set of tiles.

    They work in one thread, since tests beside them need the other core.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(modelfile, "_threads", 1)
        patch.setattr(modelfile, "_session", remembering(modelfile._session))
        patch.setattr(OwnSet, "of", remembering_sets(OwnSet.of))
        yield


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let programs that the test starts listen to Ctrl-C. A shell makes what it runs in the
    background ignore it, and programs would inherit that.
    """
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def pytest_collection_finish() -> None:
    """Take the collected tests out of garbage collection: they live until the end, and looking
    through them again and again would take a tenth of the time.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the test that starts a server first, and the one that looks at it again some hundred
    tests later; all others keep their order.
    """
    items.sort(key=lambda item: item.name != BEGINS)
    for item in [item for item in items if item.name == LOOKS_AGAIN]:
        items.remove(item)
        items.insert(MEANWHILE, item)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write as the run's last line how many tests found no browser, and how to install one. The
    process that hears of all tests loads no conftest.py but this one.
    """
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if not any("browser" in str(report.longrepr) for report in skipped):
        return
    from .scorer_app.devices import NO_BROWSER, install_command

    if missed := sum(NO_BROWSER in str(report.longrepr) for report in skipped):
        reporter.write_line(
            f"{missed} tests did not run: {NO_BROWSER}. To install one: {install_command()}",
            yellow=True,
        )
