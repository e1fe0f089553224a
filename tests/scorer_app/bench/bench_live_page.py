"""The round trip of the live page, with the shipped networks: `python -m
tests.scorer_app.bench.bench_live_page [SECONDS]`.

A browser's camera shows a rendered game with about 60 tiles, 1280 x 720. The time runs from the
moment a frame is posted to the moment the overlay is drawn; browser and server share this machine.
Then it counts how many bytes a second the page sends while nothing is done at the table, with a
camera's noise and the flicker of lamps.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Request

from datasets.scene.photo import encoded
from datasets.sequences.film import Film, FilmConfig

from ..browser.filming import FPS, filmed, open_table
from ..devices import Watched, start_browser
from ..served import Served
from .bench_page import tell

COLLECT = """() => {
  const table = document.getElementById("table");
  window.answered = [];
  const note = () => window.answered.push(Number(table.dataset.answered));
  new MutationObserver(note).observe(table, { attributeFilter: ["data-answered"] });
}"""
GOAL = 200.0  # ms
MOST_SENT = 76.3  # kB/s: a tenth of seven whole frames of 109 kB


def render(path: Path, config: FilmConfig) -> None:
    with path.open("wb") as out:
        for shot in Film(60, config).shots():
            out.write(encoded(shot.pixels, 90) * round(FPS / config.fps))


def bytes_a_second(watched: Watched, seconds: float) -> float:
    """Return the bytes a second that the page sends, heads of requests included, of a table at
    which nothing is done.
    """
    requests: list[Request] = []
    open_table(watched)
    watched.page.click("#live-start")
    watched.page.wait_for_selector("#table:not([data-melds='0'])", timeout=60_000)
    watched.page.on("requestfinished", lambda request: requests.append(request))
    watched.page.wait_for_timeout(1000 * seconds)
    sizes = [request.sizes() for request in requests if "/frame?" in request.url]
    return sum(one["requestBodySize"] + one["requestHeadersSize"] for one in sizes) / seconds


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("tests.scorer_app.bench.bench_live_page", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=30.0)
    seconds = parser.parse_args(arguments).seconds
    browsers = start_browser()
    browser = next(browsers)
    with tempfile.TemporaryDirectory() as folder:
        film, rest = Path(folder) / "game.mjpeg", Path(folder) / "rest.mjpeg"
        render(film, FilmConfig(seconds=20.0, melds=14))
        render(rest, FilmConfig(seconds=10.0, melds=14, pause=(60.0, 61.0)))
        server = Served(Path(folder) / "data")
        with filmed(browser, server.base, film) as watched:
            open_table(watched)
            watched.page.click("#live-start")
            watched.page.wait_for_selector("#table:not([data-melds='0'])", timeout=60_000)
            watched.page.evaluate(COLLECT)
            watched.page.wait_for_timeout(1000 * seconds)
            times = watched.page.evaluate("window.answered")
        with filmed(browser, server.base, rest) as watched:
            sent = bytes_a_second(watched, seconds)
        server.kill()
    next(browsers, None)
    tell(f"frame posted to overlay drawn, median of {len(times)}", median(times), "ms", GOAL)
    tell("frame posted to overlay drawn, p95", quantiles(times, n=20)[-1], "ms", GOAL)
    tell("sent while nothing is done", sent / 1000, "kB/s", MOST_SENT)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
