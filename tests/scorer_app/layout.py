"""Finds what is wrong with the layout of a page as it stands, by element boxes and not by pixels.

Where a dialog or the keys for tiles are open, what is under them is left out. The boxes are
measured by `tests/js/layout.js`.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.places import PROJECT

from .devices import wait_until

SCRIPT = (PROJECT / "tests" / "js" / "layout.js").read_text("utf-8").replace("export ", "")
TWO_FRAMES = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


def measured(page: Page, function: str) -> Any:
    """Run a function of `tests/js/layout.js` in the page, and return its result."""
    return page.evaluate(f"() => {{ {SCRIPT}\nreturn {function}(); }}")


def layout_faults(page: Page) -> list[str]:
    """List the faults of the page's layout, one sentence each: text that leaves the window or its
    box, is cut off or lies over other text, and controls that cannot be reached.
    """
    found: list[str] = measured(page, "layoutFaults")
    return found


def broken_words(page: Page) -> list[str]:
    """List the words of the page that are broken over two lines."""
    found: list[str] = measured(page, "brokenWords")
    return found


def focus_order(page: Page, most: int = 120) -> list[dict[str, Any]]:
    """Return all elements that the Tab key reaches from the beginning of the page, in order, `most`
    at most.
    """
    order: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        focused = measured(page, "focused")
        if focused is None or focused in order:
            break
        order.append(focused)
    return order


def enlarge_text(page: Page, percent: int) -> None:
    """Set the text size that a person chose in the browser, 100 % being 16 px, and wait until the
    page is drawn with it.

    A page that is opened after this, or of which a picture is taken, may have the usual size again.
    """
    size = round(16 * percent / 100)
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size}})
    wait_until(page, f"parseFloat(getComputedStyle(document.documentElement).fontSize) === {size}")
    page.evaluate(TWO_FRAMES)


def resize_full_screen(page: Page, width: int, height: int) -> None:
    """Give a page that fills the screen another size, in pixels.

    A browser without windows cannot resize a window that fills the screen.
    """
    session = page.context.new_cdp_session(page)
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    session.send("Emulation.setDeviceMetricsOverride", size)
    wait_until(
        page, "([width, height]) => innerWidth === width && innerHeight === height", [width, height]
    )
