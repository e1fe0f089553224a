"""Pictures of the page for the README: `python -m tests.scorer_app.screenshots FOLDER`.

The bundled rendered sample is read by the real reader and shown by the tests' own browser, at a
phone's and a laptop's size.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from .devices import PHONE, device, start_browser
from .served import Served

LAPTOP = {"width": 1280, "height": 800}
VIEWS = (
    ("phone", PHONE, "light"),
    ("phone-dark", PHONE, "dark"),
    ("laptop", LAPTOP, "light"),
    ("laptop-dark", LAPTOP, "dark"),
)


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    browsers = start_browser()
    browser = next(browsers)
    for name, size, scheme in VIEWS:
        with fresh_server() as server:
            tour(browser, server, folder, name, size, scheme)
    next(browsers, None)
    return 0


@contextmanager
def fresh_server() -> Iterator[Served]:
    with tempfile.TemporaryDirectory() as data:
        server = Served(Path(data))
        yield server
        server.kill()


def tour(
    browser: Browser, server: Served, folder: Path, name: str, size: dict[str, int], scheme: str
) -> None:
    def keep(page: Page, part: str) -> None:
        page.wait_for_timeout(400)
        path = folder / f"{name}-{part}.png"
        page.screenshot(path=path)
        Image.open(path).quantize(256).save(path, optimize=True)  # a third of the bytes

    with device(
        browser,
        server.base,
        viewport=size,
        color_scheme=scheme,
        device_scale_factor=2 if size is PHONE else 1,
    ) as shown:
        page = shown.page
        page.goto(server.base)
        keep(page, "home")
        page.click("#try-samples")
        page.wait_for_selector(":nth-match(.photo .stage[data-state=read], 4)", timeout=60_000)
        page.click("label:has(input[name=end][value=A])")
        page.click('label:has(input[name="muerto-B"][value=no])')
        page.locator(".review").evaluate("part => part.scrollIntoView()")
        keep(page, "review")
        answer_questions(page, lambda: keep(page, "tile"))
        page.locator(".sheets").evaluate("part => part.scrollIntoView()")
        keep(page, "score")
        page.click("[data-part=save]")
        page.wait_for_url("**/matches/*")
        keep(page, "match")


def answer_questions(page: Page, first_shown) -> None:  # type: ignore[no-untyped-def]
    """Opens the first doubtful tile for its picture, then confirms what the reader said until
    nothing is open.
    """
    doubtful = page.locator(".row .tile.doubtful, .row .tile").first
    doubtful.click()
    first_shown()
    page.keyboard.press("Escape")
    for _ in range(20):
        if page.get_attribute("[data-part=save]", "data-ready") == "yes":
            return
        page.click("[data-part=question] button.accept, [data-part=question] button.question")
        if page.locator("#picker .likely .tile").count():
            page.click("#picker .likely .tile >> nth=0")
        page.wait_for_timeout(300)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
