"""Makes hands and matches through the API, as many tests begin with them."""

from __future__ import annotations

import io
import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from scorer_app.services.purging import purge_match
from scorer_app.web.parts import parts_of

from .conftest import Scorer, closing, taps, until
from .pictures import Picture

CANASTA = "3R 4R 5R 6R 7R 8R 9R"


def send(scorer: Scorer, hand: str, side: str, place: str, picture: Picture, **extra: str) -> Any:
    """Send a photograph to a hand as the page does, and return the server's answer."""
    form = {"side": side, "place": place, "photo": (io.BytesIO(picture.data), "any.jpg"), **extra}
    return scorer.post(f"/api/hands/{hand}/photos", data=form, content_type="multipart/form-data")


def when_read(scorer: Scorer, hand: str) -> Any:
    """Return the hand once each of its photographs has been read or has failed."""
    return until(
        lambda: scorer.hand(hand),
        lambda view: all(photo["state"] in ("read", "failed") for photo in view["photos"]),
    )


def faces(view: Any) -> list[str]:
    """List the faces of a hand's tiles, row by row."""
    return [view["tiles"][name]["face"] for row in view["rows"] for name in row["tiles"]]


def closed_hand(scorer: Scorer) -> str:
    """Make a hand that side A closed with a canasta pura while side B held a comodín; return its
    id.
    """
    hand = scorer.begin()
    laid, held = taps("A", "melds", CANASTA), taps("B", "rack", "J")
    scorer.edit(hand, *laid, *held, *closing())
    return hand


def saved_hand(scorer: Scorer, *extra: dict[str, Any]) -> tuple[str, str]:
    """Save a hand in which side A has 445 points and side B -150; return the ids of
    hand and match.
    """
    hand = closed_hand(scorer)
    if extra:
        scorer.edit(hand, *extra)
    match: str = scorer.post(f"/api/hands/{hand}/save").get_json()["match"]
    return hand, match


def totals(client: FlaskClient, match: str) -> list[str]:
    """Return both sides' totals, as the match's page shows them."""
    page = client.get(f"/matches/{match}").text
    return re.findall(r'huge-figure">([^<]+)<', page)


def new_match(scorer: Scorer, **fields: str) -> str:
    """Begin a match by the page's form, some of whose fields are given; return its id."""
    form = {
        "side_a": "Los Pérez",
        "side_b": "Visitas",
        "players": "4",
        "ruleset": "burako",
        **fields,
    }
    location: str = scorer.form("/matches/new", **form).headers["Location"]
    return location.rsplit("/", 1)[1]


def delete_match(app: Flask, match: str) -> None:
    """Delete a match with all that belongs to it, without telling the pages that show it."""
    parts = parts_of(app)
    purge_match(parts.store, parts.intake.files, match)


def remove(scorer: Scorer, hand: str, photo: str) -> int:
    """Remove a photograph of a hand, and return the status of the answer."""
    address = f"/api/hands/{hand}/photos/{photo}"
    return scorer.client.delete(address, headers=scorer.headers).status_code
