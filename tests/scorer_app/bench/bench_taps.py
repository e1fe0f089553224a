"""How soon a person sees what a tap does: `python -m tests.scorer_app.bench.bench_taps`.

It prints one line a figure, in milliseconds from the tap to the frame that shows it, as the browser
measures them: first on a network where each request takes 300 ms more and one in ten is lost, then
on a processor four times as slow as this one. Browser and server share this machine.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from ..devices import Watched, device, start_browser
from ..network import network_to
from ..served import Served
from .bench_client import Client
from .bench_page import sample_hand, tell

GOAL = 100.0  # ms
SLOWER = 4
FACES = [f"{number}{ink}" for ink in "RYBK" for number in range(3, 13)]
# Notes how long each tap took until the tile it adds was in a frame.
SHOWN = """() => {
  window.shown = [];
  addEventListener("click", ({ timeStamp }) => {
    const count = document.querySelectorAll(".review .tile").length;
    const look = () => {
      if (document.querySelectorAll(".review .tile").length > count)
        shown.push(performance.now() - timeStamp);
      else requestAnimationFrame(look);
    };
    look();
  }, true);
}"""
# Notes how long each interaction took until the next frame, by what was pressed.
INTERACTIONS = """() => {
  window.taken = {};
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) taken[interactionId] = Math.max(taken[interactionId] ?? 0, duration);
  }).observe({ type: "event", durationThreshold: 16 });
}"""


def on_a_bad_network(browser: Browser, server: Served, hand: str) -> None:
    """Time taps of tiles into a new hand, on a slow network that loses requests."""
    with network_to(server.base) as (network, base), device(browser, base) as phone:
        open_hand(phone, hand)
        phone.page.click('[data-slot="A-melds"] [data-open-entry]')
        phone.page.evaluate(SHOWN)
        network.is_bad = True
        for face in FACES:
            phone.page.click(f'#entry [data-face="{face}"]')
        network.is_bad = False
        phone.page.wait_for_selector("#hand[data-waiting=no]")
        times = phone.page.evaluate("shown")
        where = f"under 300 ms and 10 % lost ({network.lost} requests)"
    tell(f"tap to tile shown {where}, median of {len(times)}", median(times), "ms", GOAL)
    tell(f"tap to tile shown {where}, worst", max(times), "ms", GOAL)


def on_a_slow_phone(browser: Browser, server: Served, hand: str) -> None:
    """Time interactions with a hand of 68 tiles in four photographs, on a slowed processor."""
    with device(browser, server.base) as phone:
        open_hand(phone, hand)
        phone.page.evaluate(INTERACTIONS)
        session = phone.page.context.new_cdp_session(phone.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        times: dict[str, list[float]] = {}
        for name, selector in TAPS:
            times.setdefault(name, []).append(interact(phone.page, selector))
    for name, taken in times.items():
        where = f"{SLOWER}x slower processor, {name}"
        tell(f"{where}, median of {len(taken)}", median(taken), "ms", GOAL)
        tell(f"{where}, worst", max(taken), "ms", GOAL)


ROUNDS = 10  # of each kind of tap


def _taps() -> Iterator[tuple[str, str]]:
    """Yield the description of each tap, and the selector of the element that it presses."""
    for number in range(ROUNDS):
        if number > 0:
            yield "the keys closed", "#entry [data-key=close]"
        yield "the keys opened", '[data-slot="A-rack"] [data-open-entry]'
    for face in FACES[:ROUNDS]:
        yield "a tile tapped in", f'#entry [data-face="{face}"]'
    for _ in range(ROUNDS):
        yield "the last tile taken back", "#entry [data-key=delete-last]"
    yield "the keys closed", "#entry [data-key=close]"
    for number in range(ROUNDS):
        yield "a tile's dialog opened", f".review .row .tile >> nth={3 + number % 4}"
        yield "a face chosen", f'#picker [data-face="{13 - number % 2}K"]'
    for number in range(ROUNDS // 2):
        yield "the closing", f"label:has(input[name=end][value={'AB'[number % 2]}])"
        yield "the closing", f'label:has(input[name="muerto-{"BA"[number % 2]}"][value=yes])'
    for _ in range(ROUNDS):
        yield "a line of the score", "button.line >> nth=0"
    for _ in range(ROUNDS):
        yield "undo", "[data-part=undo]"
    for _ in range(ROUNDS):
        yield "a photograph shown whole, or near", ".photo-tools [data-key^=zoom] >> nth=0"
        yield "a rack in its other order", ".row-tools [data-key^=order] >> nth=0"
        yield "more of a row", ".row-more summary >> nth=1"


TAPS = list(_taps())


def interact(page: Page, selector: str) -> float:
    """Return the milliseconds from pressing an element to the next frame; 0 for less than 16.
    Whether the element can be pressed is checked before, so that the check is not measured.
    """
    page.click(selector, trial=True)
    page.evaluate("taken = {}")
    page.click(selector, force=True)
    page.wait_for_selector("#hand[data-waiting=no]")
    page.wait_for_timeout(200)  # until the browser tells of it
    return float(page.evaluate("Math.max(0, ...Object.values(taken))"))


def open_hand(phone: Watched, hand: str) -> None:
    phone.page.goto(f"{phone.base}/hands/{hand}")
    phone.page.wait_for_selector("#hand[data-live=yes]")


def main() -> int:
    browsers = start_browser()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").mkdir()
        server = Served(Path(folder) / "data")
        client = Client(server.base)
        browser = next(browsers)
        on_a_bad_network(browser, server, client.begin())
        on_a_slow_phone(browser, server, sample_hand(client))
        server.kill()
    next(browsers, None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
