"""How soon a person sees what a tap does: `python -m tests.scorer_app.bench.bench_taps`. One line a
figure, in milliseconds from the tap to the frame that shows it, as the browser measures them.

First on a network where each request takes 300 ms more and one in ten is lost, then on a processor
four times as slow as this one. Browser and server share this machine.
"""

from __future__ import annotations

import sys
import tempfile
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
    """Taps of tiles into a new hand."""
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
    """Interactions with a hand of 68 tiles in four photographs."""
    with device(browser, server.base) as phone:
        open_hand(phone, hand)
        phone.page.evaluate(INTERACTIONS)
        session = phone.page.context.new_cdp_session(phone.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        for name, selectors in WAYS.items():
            times = interact(phone.page, selectors)
            tell(
                f"{SLOWER}x slower processor, {name}, worst of {len(selectors)}",
                max(times),
                "ms",
                GOAL,
            )


WAYS = {
    "tiles tapped in": [
        '[data-slot="A-rack"] [data-open-entry]',
        *(f'#entry [data-face="{face}"]' for face in FACES[:8]),
        "#entry [data-key=delete-last]",
        "#entry [data-key=close]",
    ],
    "a tile corrected": [".review .row .tile >> nth=3", '#picker [data-face="13K"]'],
    "the closing": [
        "label:has(input[name=end][value=A])",
        'label:has(input[name="muerto-B"][value=yes])',
    ],
    "a line of the score": ["button.line >> nth=0", "button.line >> nth=0"],
    "undo": ["[data-part=undo]", "[data-part=undo]"],
}


def interact(page: Page, selectors: list[str]) -> list[float]:
    """Milliseconds from pressing each to the next frame; 0 for less than 16."""
    page.evaluate("taken = {}")
    for selector in selectors:
        page.click(selector)
        page.wait_for_selector("#hand[data-waiting=no]")
        page.wait_for_timeout(200)  # until the browser tells of it
    times = page.evaluate("Object.values(taken)")
    return [*times, 0.0]


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
