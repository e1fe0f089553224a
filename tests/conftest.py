"""What tests find alike wherever they run: typefaces, generated examples, and programs that
listen to Ctrl-C.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from .made_fonts import write_symbol_font

# The same examples on every machine and every run.
settings.register_profile("seeded", derandomize=True, deadline=None)
settings.load_profile("seeded")


@pytest.fixture(scope="session")
def same_typefaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The renderer's fonts are Pillow's built-in one and one of symbols made here, whatever is
    installed. Yields their folder.
    """
    from datasets.faces import fonts

    folder = tmp_path_factory.mktemp("fonts")
    write_symbol_font(folder / "Symbola_hint.ttf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "FONT_FOLDERS", (folder,))
        yield folder


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs started by the test listen to Ctrl-C, also where the tests themselves are made to
    ignore it (as a shell makes what it runs in the background), which programs would inherit.
    """
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)
