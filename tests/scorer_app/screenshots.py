"""Takes nine pictures of the page for the README: `python -m tests.scorer_app.screenshots .readme`.

The bundled rendered sample is read by the real reader, and matches with invented points are shown
beside it, all at a phone's size by the tests' own browser. The referee watches a drawn table.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from flask import Flask
from PIL import Image
from playwright.sync_api import Page

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from .browser.filming import FPS, filmed, open_table
from .conftest import Scorer
from .devices import Watched, device, start_browser, wait_until
from .drawn_table import IvoryEyes, Places
from .evening import PLAYERS, closed, counted
from .hands import new_match
from .served import serving

SIDEWAYS = {"width": 844, "height": 390}
QUALITY = 70  # of WebP: letters stay sharp, and a picture takes about 50 KB
SIDES = {"side_a": "Nosotros", "side_b": "Ellos", **PLAYERS}
POINTS = ((460, 215), (-85, 380), (725, 290), (310, 640))  # of Nosotros and Ellos, hand by hand

Keep = Callable[[str], None]


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    browsers = start_browser()
    browser = next(browsers)
    options = {"reduced_motion": "reduce", "device_scale_factor": 2}
    with served() as (app, base), tempfile.TemporaryDirectory() as films:
        with device(browser, base, **options) as shown:
            keep = keeper(shown.page, folder)
            sample(shown.page, base, keep)
            company(shown.page, base, Scorer.of(app), keep)
        parts_of(app).watches.open_eyes = lambda _chosen: IvoryEyes()
        film = Path(films) / "table.mjpeg"
        Places().film(film, legal=2 * FPS, illegal=60 * FPS)
        with filmed(browser, base, film, viewport=SIDEWAYS, **options) as shown:
            referee(shown, keeper(shown.page, folder))
    next(browsers, None)
    return 0


def keeper(page: Page, folder: Path) -> Keep:
    """Return a function that saves a picture of the page as it stands into a file of the folder."""

    def keep(name: str) -> None:
        page.wait_for_timeout(400)
        shot = Image.open(BytesIO(page.screenshot()))
        shot.convert("RGB").save(folder / f"{name}.webp", quality=QUALITY, method=6)

    return keep


@contextmanager
def served() -> Iterator[tuple[Flask, str]]:
    """Run the application with its real reader and an empty database; yield it with its address."""
    with tempfile.TemporaryDirectory() as data:
        config = AppConfig(data_dir=Path(data))
        app = create_app(config)
        with serving(app, config) as base:
            yield app, base
        close(app)


def sample(page: Page, base: str, keep: Keep) -> None:
    """Take the pictures of the sample: its photographs, a tile put right, the keys to tap tiles in,
    and the score.
    """
    page.goto(base)
    page.click("#try-samples")
    page.wait_for_selector(":nth-match(.photo .stage[data-state=read], 4)", timeout=120_000)
    page.click("label:has(input[name=end][value=A])")
    page.click('label:has(input[name="muerto-B"][value=no])')
    page.locator(".review").evaluate("part => part.scrollIntoView()")
    keep("review")
    page.click(".row .tile >> nth=0")
    keep("tile")
    page.keyboard.press("Escape")
    page.click('[data-slot="A-melds"] [data-open-entry]')
    for face in ("6K", "7K", "8K"):
        page.click(f'#entry [data-face="{face}"]')
    page.wait_for_selector("#hand[data-waiting=no]")
    keep("keys")
    for _tile in range(3):
        page.keyboard.press("Backspace")
    page.keyboard.press("Escape")
    page.wait_for_selector("#hand[data-waiting=no]")
    page.locator(".sheets").evaluate("part => part.scrollIntoView()")
    keep("score")


def company(page: Page, base: str, scorer: Scorer, keep: Keep) -> None:
    """Take the pictures of matches: one under way, by other rules, won, and the statistics of
    all.
    """
    for target in ("1000", "1400", "3000"):
        match = new_match(scorer, target=target, **SIDES)
        for ours, theirs in POINTS:
            counted(scorer, match, puntos_A=str(ours), puntos_B=str(theirs))
        closed(scorer, match)
        if target == "1000":
            won = match
    scorer.form(f"/matches/{match}/die")
    page.goto(f"{base}/matches/{match}")
    keep("match")
    page.goto(f"{base}/matches/{match}/compare")
    page.click("label:has(input[value=burraco_it])")
    page.wait_for_selector("[name=canasta_semipulito]", state="attached")
    page.click(".bottom-bar button")
    page.wait_for_selector("#effect")
    keep("compare")
    page.goto(f"{base}/matches/{won}")
    keep("victory")
    page.goto(f"{base}/matches/statistics")
    keep("statistics")


def referee(shown: Watched, keep: Keep) -> None:
    """Take the picture of a phone's full screen, turned on its side, while a move is not legal."""
    open_table(shown)
    shown.page.click("#live-start")
    shown.page.wait_for_selector(".live-banner:not([hidden])")
    shown.page.locator("#live-referee").dispatch_event("click")
    shown.page.wait_for_selector('#table[data-referee="yes"]')
    wait_until(shown.page, "document.querySelector('.live-banner img').naturalWidth > 100")
    keep("referee")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
