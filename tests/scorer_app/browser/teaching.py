"""Teaches a set of tiles on a phone in a real browser, as a person does."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

from playwright.sync_api import Page

from ..devices import SECOND_TAP
from ..pictures import picture_of

SET_PAGE = re.compile(r"/sets/[\w-]{8,}$")  # not /sets/new
PHOTO: Any = {"name": "p.jpg", "mimeType": "image/jpeg", "buffer": picture_of("3R 4R 5R").data}


_taken = count()


def photograph(page: Page) -> None:
    """Take a photograph unlike all before: a few bytes at its end make it another one."""
    another = PHOTO["buffer"] + str(next(_taken)).encode()
    page.set_input_files("#shoot", files=[PHOTO | {"buffer": another}])


def discard(page: Page) -> None:
    """Throw away what was taught: the button asks once more before it does."""
    page.click("[data-key=discard]:not(.danger)")
    page.wait_for_timeout(SECOND_TAP)
    page.click("[data-key=discard].danger")
    page.wait_for_selector("#keep", state="hidden")


def faces_shown(page: Page) -> int:
    return page.locator("#taught .own-face[data-face]").count()
