"""A public server of two processes behind nginx: a device holds its match at both, what is
another's is answered like what is not there, and limits count by who asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from flask import Flask

from tests.cluster.conftest import ADDRESS
from tests.cluster.devices import Device
from tests.cluster.service import Service, service
from tests.places import SAMPLES
from tests.scorer_app.web.public import NAMED
from tests.scorer_app.web.public_routes import Route, Sent, alike, routes_of, unknown_ids

if not ADDRESS:
    pytest.skip("`make test-cluster` has what this needs", allow_module_level=True)

ASKED = 12  # times: either process answers some
MOST_MATCHES = 9  # of one address in a day
QUOTA = f"[quota]\nmatches_per_address_per_day = {MOST_MATCHES}\n"
PHOTOGRAPH = (SAMPLES / "melds-a.jpg").read_bytes()


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    with service("public", QUOTA) as one:
        yield one


def links_of(device: Device, match: str) -> tuple[str, str]:
    """Return the paths by which a match is scored and watched."""
    _status, page = device.page(f"/matches/{match}/links")
    scorer, viewer = re.findall(r'<p class="link"><a href="https?://[^/]+(/[^"]+)"', page)
    return scorer, viewer


def test_every_process_knows_who_holds_a_match(running: Service) -> None:
    owner, partner, watcher, stranger = (Device(running.url) for _ in range(4))
    match, _hand = owner.begin()
    page = f"/matches/{match}"
    scores, views = links_of(owner, match)
    assert partner.ask(scores)[2] == page
    assert watcher.page(views)[0] == 200
    for _ in range(ASKED):
        assert owner.page(page)[0] == partner.page(page)[0] == 200
        assert views in watcher.page("/")[1]
        assert stranger.page(page)[0] == watcher.page(page)[0] == 404
        assert match not in stranger.page("/")[1]


def test_a_link_that_is_renewed_opens_nothing_at_any_process(running: Service) -> None:
    owner, partner = Device(running.url), Device(running.url)
    match, hand = owner.begin()
    old, _views = links_of(owner, match)
    assert partner.page(old)[0] == 200
    assert owner.form(f"/matches/{match}/links", role="scorer")[0] == 200
    for _ in range(ASKED):
        assert partner.page(f"/matches/{match}")[0] == partner.page(old)[0] == 404
        assert partner.ask(f"/api/hands/{hand}")[0] == 404
    assert partner.page(links_of(owner, match)[0])[0] == 200


def test_what_is_anothers_is_answered_like_what_is_not_there(running: Service, app: Flask) -> None:
    """The addresses are taken from an application made here; the cluster's processes
    have the same.
    """
    owner, stranger = Device(running.url), Device(running.url)
    match, hand = owner.begin()
    assert owner.send(hand, PHOTOGRAPH) == 202
    (photo,) = owner.json(f"/api/hands/{hand}")["photos"]
    not_there = unknown_ids()
    anothers = {**not_there, "match_id": match, "hand_id": hand, "photo_id": photo["id"]}
    stranger.begin()
    judged = [route for route in routes_of(app) if route.names & NAMED]
    for route in judged:
        told = ask(stranger, route, anothers)
        assert told == ask(stranger, route, not_there), route
        assert told[0] == 404, route
    assert len(judged) > 70
    (kept,) = owner.json(f"/api/hands/{hand}")["photos"]
    assert (kept["id"], owner.page(f"/matches/{match}")[0]) == (photo["id"], 200)


def ask(device: Device, route: Route, ids: dict[str, str]) -> tuple[int, str]:
    """Return status and body of an answer, without what differs between any two answers."""
    sent = Sent.to(route, ids)
    kind = {"Content_Type": sent.kind} if sent.kind else {}
    status, body, _path = device.ask(sent.url, sent.body, method=sent.method, **kind)
    return status, alike(body.decode())


def begins(device: Device, **headers: str) -> int:
    """Begin another match; return the status of the answer."""
    form = {"csrf": device.token, "side_a": "A", "side_b": "B", "players": "4", "ruleset": "burako"}
    return device.ask("/matches/new", urlencode(form).encode(), **headers)[0]


def test_an_address_begins_so_many_matches_whatever_it_says_of_itself(running: Service) -> None:
    device = Device(running.url, "127.0.0.8")
    named = [f"198.51.100.{number}" for number in range(MOST_MATCHES + 1)]
    statuses = [begins(device, X_Forwarded_For=name) for name in named]
    assert statuses == [200] * MOST_MATCHES + [429]
    assert begins(Device(running.url, "127.0.0.9")) == 200  # another address


def test_who_goes_around_the_proxy_is_not_believed_either(running: Service) -> None:
    page = f"http://127.0.0.1:{running.page_ports[1]}"
    device = Device(page, "127.0.0.10")
    named = [f"198.51.100.{number}" for number in range(MOST_MATCHES + 1)]
    statuses = [begins(device, X_Forwarded_For=name, X_Forwarded_Proto="https") for name in named]
    assert statuses == [200] * MOST_MATCHES + [429]
    assert not any(cookie.secure for cookie in device.cookies)


def test_behind_tls_cookies_and_links_are_secure(running: Service) -> None:
    device = Device(running.secure_url, "127.0.0.11")
    match, _hand = device.begin()
    assert device.cookies and all(cookie.secure for cookie in device.cookies)
    _status, page = device.page(f"/matches/{match}/links")
    links = re.findall(r'<p class="link"><a href="([^"]+)"', page)
    assert len(links) == 2 and all(link.startswith("https://127.0.0.1/") for link in links)
    claimed = Device(running.url)
    claimed.ask("/", X_Forwarded_Proto="https")  # which nginx does not pass on
    assert not any(cookie.secure for cookie in claimed.cookies)
