"""Finds and changes a hand on its review screen in a real browser, as a person does."""

from __future__ import annotations

import re
from typing import Any

from ..conftest import Scorer
from ..devices import Watched, tile_shown, wait_until
from ..hands import CANASTA, send, when_read
from ..pictures import Picture, RecordedReader, picture_of

SAVE_READY = '[data-part=save][data-ready="yes"]'


def opened(phone: Watched, hand: str) -> str:
    phone.page.goto(f"{phone.base}/hands/{hand}")
    phone.page.wait_for_selector("#hand[data-live=yes]")
    return hand


def photographed(phone: Watched, scorer: Scorer, *pictures: Picture, place: str = "melds") -> str:
    """Make a hand of side A with these photographs, read, and show it on the phone; return its
    id.
    """
    hand = scorer.begin()
    for picture in pictures:
        send(scorer, hand, "A", place, picture)
    when_read(scorer, hand)
    return opened(phone, hand)


def rows(phone: Watched, area: str = ".review") -> list[str]:
    """List each row's tiles as a person sees them, in order."""
    found: list[str] = phone.page.locator(f"{area} .row").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('button.tile')]"
        ".map(one => one.textContent + one.dataset.colour).join(' '))"
    )
    return found


def shown(phone: Watched, *expected: str, area: str = ".review") -> None:
    """Wait until exactly these rows are shown, in any order."""
    wait_until(
        phone.page,
        "([area, wanted]) => JSON.stringify([...document.querySelectorAll(area + ' .row')].map(row"
        " => [...row.querySelectorAll('button.tile')].map(one => one.textContent +"
        " one.dataset.colour).join(' ')).sort()) === wanted",
        [area, str(sorted(expected)).replace("'", '"').replace(", ", ",")],
    )


def pick(phone: Watched, face: str) -> None:
    """Open the dialog of the first tile of this face in the rows."""
    phone.page.click(f".review .row-tiles {tile_shown(face)} >> nth=0")


def saved(phone: Watched) -> None:
    phone.page.click(SAVE_READY)
    phone.page.wait_for_url(re.compile(r"/matches/"))


def doubtful_hand(scorer: Scorer, reader: RecordedReader, match: str | None = None) -> str:
    """Make a hand that A closed, and in which it is open whether B's rack holds a joker
    or a nine.
    """
    hand = scorer.begin(match) if match else scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    send(
        scorer, hand, "B", "rack", reader.add(picture_of(loose="9K 4B", doubts={"9K": ["9K", "J"]}))
    )
    when_read(scorer, hand)
    closing: list[dict[str, Any]] = [
        {"op": "set_end", "end": "close", "closed_by": "A"},
        {"op": "set_muerto", "side": "B", "taken": False},
    ]
    scorer.edit(hand, *closing)
    return hand
