"""What tests find alike wherever they run: typefaces, generated examples, and programs that
listen to Ctrl-C.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from .made_fonts import write_symbol_font

# A test that sleeps for long would, as the last one, leave the other worker with nothing to do.
SLEEPS_LONG = "test_serving_the_page_keeps_to_its_own_folder_and_the_local_network"

# The same examples on every machine and every run.
settings.register_profile("seeded", derandomize=True, deadline=None)
settings.load_profile("seeded")


@pytest.fixture(scope="session")
def same_typefaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The renderer's fonts are Pillow's built-in one and one of symbols made here, and its table
    tops are drawn, whatever is installed. Yields the fonts' folder.
    """
    from datasets.faces import fonts
    from datasets.scene import surfaces

    folder = tmp_path_factory.mktemp("fonts")
    write_symbol_font(folder / "Symbola_hint.ttf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "FONT_FOLDERS", (folder,))
        patch.setattr(surfaces, "PHOTO_ROOTS", ())
        forget_what_was_drawn()
        yield folder


def forget_what_was_drawn() -> None:
    """Empty the renderer's caches: a module that draws when it is imported, which is while tests
    are collected, fills them with what is installed.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith("datasets.")]
    for held in [value for module in modules for value in vars(module).values()]:
        if callable(clear := getattr(held, "cache_clear", None)):
            clear()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs started by the test listen to Ctrl-C, also where the tests themselves are made to
    ignore it (as a shell makes what it runs in the background), which programs would inherit.
    """
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def pytest_collection_finish() -> None:
    """What was collected lives as long as the run: to look through it for garbage again and again
    would take a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what sleeps longest; all else keeps its order."""
    items.sort(key=lambda item: item.name != SLEEPS_LONG)
