"""A public server answers at every address for what belongs to others exactly as for what does not
exist.
"""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from scorer_app.config import AppConfig
from scorer_app.web.parts import parts_of
from scorer_app.web.tenancy import EVERYBODYS, NOBODYS

from ..conftest import Scorer
from .public import NAMED, Held, in_public
from .public_routes import DELETE_MATCH, Route, ask, routes_of, unknown_ids

KEEPS_OWN = "admin."  # addresses with a credential of their own


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return in_public(config)


def test_what_is_anothers_is_answered_like_what_is_not_there(
    app: Flask, held: Held, stranger: Scorer
) -> None:
    before = held.everything()
    not_there = unknown_ids()
    anothers = {**not_there, **held.ids}
    judged = 0
    for route in routes_of(app):
        if not route.names & NAMED:
            continue
        judged += 1
        told = ask(stranger, route, anothers)
        assert told == ask(stranger, route, not_there), route
        assert told[0] == 404, route
        own_hand = {**anothers, "hand_id": own_hand_of(stranger)}
        if "photo_id" in route.names:  # another's photograph by way of one's own hand
            assert ask(stranger, route, own_hand)[0] == 404, route
    assert judged > 70
    assert held.everything() == before


def own_hand_of(device: Scorer) -> str:
    return device.begin()


def test_who_holds_the_link_reaches_all_that(app: Flask, held: Held) -> None:
    """The holder of the links reaches every address that a stranger is refused in the test above,
    so that what is refused there exists.
    """
    closed = set()
    for route in routes_of(app):
        if (
            not route.names
            or route.names - NAMED
            or "delete" in f"{route.path} {route.method}".lower()
        ):
            continue
        if ask(held.device, route, held.ids)[0] == 404:
            closed.add(route.endpoint or route.path)
    assert closed == NOBODYS - {"live.stop_camera"} | {"/api/live/{match_id}/camera"}
    for route in (Route("DELETE", "/api/hands/<hand_id>/photos/<photo_id>"), DELETE_MATCH):
        assert ask(held.device, route, held.ids)[0] in (200, 303)
        assert ask(held.device, route, held.ids)[0] == 404


def test_what_names_no_match_tells_nothing_of_anothers(
    app: Flask, held: Held, stranger: Scorer
) -> None:
    before = held.everything()
    for route in routes_of(app):
        if route.names or route.endpoint.startswith(KEEPS_OWN):
            continue
        status, body = ask(stranger, route, {})
        assert status < 500
        for secret in held.secrets:
            assert secret not in body, (route, secret)
    for query in (f"after={held.ids['match_id']}", "after=" + "A" * 22):
        page = stranger.client.get(f"/matches/?{query}").text
        assert page.count("match-line") == 0
    assert held.everything() == before


def test_an_address_is_nobodys_until_somebody_says_whose_it_is(app: Flask) -> None:
    """A route that a later version adds leaks nothing before it is listed."""
    known = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert known >= EVERYBODYS and known >= NOBODYS

    client = app.test_client()
    assert client.get("/").status_code == 200
    for closed in ("/join", "/host", "/sets", "/sets/new", "/api/sets"):
        assert client.get(closed).status_code == 404, closed


def test_looking_for_anothers_asks_the_store_as_often_as_for_nothing(
    app: Flask, held: Held, stranger: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, asked = parts_of(app).store, list[str]()
    look = store.look

    def counted(statement: Any, values: Any) -> Any:
        asked.append(str(statement))
        return look(statement, values)

    monkeypatch.setattr(store, "look", counted)
    path = "/matches/{}/history"
    counts = []
    for match in (held.ids["match_id"], "A" * 22):
        asked.clear()
        stranger.client.get(path.format(match))
        counts.append(list(asked))
    assert counts[0] == counts[1]
