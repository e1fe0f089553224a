"""A public server: what the links of a match open, and for how long."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from scorer_app import create_app
from scorer_app.cli.invitation import terminal_invitation
from scorer_app.config import AppConfig, Mode
from scorer_app.services import holdings
from scorer_app.services.holdings import Role, role_of
from scorer_app.store import Holding, Match
from scorer_app.web import tenancy
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..pictures import RecordedReader
from .public import SECRET_NAMES, Held, begun, in_public, links_of, rows_of
from .public_routes import Route, ask


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return in_public(config)


def test_what_others_play_decides_nothing_for_a_device(held: Held, stranger: Scorer) -> None:
    for device, pieces in ((held.device, "cards"), (stranger, "tiles")):
        assert f'data-pieces="{pieces}"' in device.client.get("/settings").text


def test_one_kind_of_link_opens_nothing_of_the_other(app: Flask, held: Held) -> None:
    client = app.test_client()
    scorer, viewer = (link.rsplit("/", 1)[1] for link in (held.scorer_link, held.viewer_link))
    for path in (f"/v/{scorer}", f"/m/{viewer}", f"/m/{held.ids['match_id']}", "/m/", "/m/%00"):
        assert client.get(path).status_code == 404, path
    assert len(scorer) == len(viewer) == 22  # 128 bits


def test_who_watches_changes_nothing(app: Flask, held: Held) -> None:
    watcher = Scorer.of(app)
    page = watcher.client.get(held.viewer_link)
    assert page.status_code == 200
    assert not any(secret in page.text for secret in held.secrets[2:5])
    assert held.scorer_link not in page.text
    assert ask(watcher, Route("GET", "/matches/<match_id>"), held.ids)[0] == 404
    assert ask(watcher, Route("POST", "/api/hands/<hand_id>/edits"), held.ids)[0] == 404
    home = watcher.client.get("/").text
    assert held.viewer_link in home and SECRET_NAMES[0] in home
    assert f"/matches/{held.ids['match_id']}" not in home


def test_a_link_to_look_at_one_match_is_no_leave_to_score_it_beside_ones_own(
    app: Flask, held: Held
) -> None:
    watcher, store = Scorer.of(app), parts_of(app).store
    own = begun(watcher)
    assert watcher.client.get(held.viewer_link).status_code == 200
    with store.reading() as session:
        (device,) = session.scalars(select(Holding.device).where(Holding.match_id == own))
    hand = watcher.begin(own)
    photo = held.ids["photo_id"]
    assert role_of(store, device, hand_id=hand) is Role.SCORER
    assert role_of(store, device, photo_id=photo) is Role.VIEWER
    assert role_of(store, device, photo_id=photo, hand_id=hand) is Role.VIEWER
    assert role_of(store, device, hand_id=hand, photo_id=photo) is Role.VIEWER
    assert role_of(store, device) is None


def test_a_match_remembers_the_latest_devices(
    app: Flask, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that keeps no cookie fills no database."""
    monkeypatch.setattr(holdings, "MOST_HOLDERS", 3)
    watchers = [app.test_client() for _ in range(5)]
    for watcher in watchers:
        assert watcher.get(held.viewer_link).status_code == 200
        assert watcher.get(held.viewer_link).status_code == 200
    assert rows_of(app, Holding) == 1 + 3
    listed = [held.viewer_link in watcher.get("/").text for watcher in watchers]
    assert listed == [False, False, True, True, True]
    assert held.device.client.get(f"/matches/{held.ids['match_id']}").status_code == 200


def test_no_page_of_a_match_is_for_search_engines(app: Flask, held: Held) -> None:
    for path in (held.viewer_link, held.scorer_link, "/matches/nobodys"):
        assert "noindex" in app.test_client().get(path).headers["X-Robots-Tag"]
    assert "X-Robots-Tag" not in app.test_client().get("/").headers


def test_a_link_lets_another_phone_score_until_it_is_renewed(app: Flask, held: Held) -> None:
    other, match = Scorer.of(app), held.ids["match_id"]
    assert other.client.get(held.scorer_link).headers["Location"] == f"/matches/{match}"
    assert other.hand(held.ids["hand_id"])["match"] == match
    assert SECRET_NAMES[0] in other.client.get("/").text
    assert held.device.form(f"/matches/{match}/links", role="scorer").status_code == 303
    assert other.client.get(f"/matches/{match}").status_code == 404
    assert other.client.get(held.scorer_link).status_code == 404
    assert SECRET_NAMES[0] not in other.client.get("/").text
    anew = links_of(held.device, match)
    assert anew[0] != held.scorer_link and anew[1] == held.viewer_link
    assert other.client.get(anew[0]).status_code == 303
    assert other.client.get(f"/matches/{match}").status_code == 200


def test_no_other_phone_takes_a_match_from_the_one_that_began_or_imported_it(
    app: Flask, held: Held
) -> None:
    copy = held.device.client.get(f"/matches/{held.ids['match_id']}/export.json").data
    sent = held.device.form("/matches/import", file=(io.BytesIO(copy), "match.json"))
    imported = sent.headers["Location"].rsplit("/", 1)[1]
    for match in (held.ids["match_id"], imported):
        guest, third = Scorer.of(app), Scorer.of(app)
        for one in (guest, third):
            one.client.get(links_of(held.device, match)[0])
        assert guest.form(f"/matches/{match}/links", role="scorer").status_code == 303
        at_match = [
            one.client.get(f"/matches/{match}").status_code for one in (held.device, guest, third)
        ]
        assert at_match == [200, 200, 404]
        assert f"/matches/{match}" in held.device.client.get("/").text
        assert held.device.form(f"/matches/{match}/links", role="scorer").status_code == 303
        assert guest.client.get(f"/matches/{match}").status_code == 404


def test_the_history_says_who_renewed_a_link(app: Flask, held: Held) -> None:
    guest, match = Scorer.of(app), held.ids["match_id"]
    guest.client.get(held.scorer_link)
    guest.form("/settings/device", device="Tía Rosa")
    for role in Role:
        guest.form(f"/matches/{match}/links", role=role)
    page = re.sub(r"<[^>]+>", "", held.device.client.get(f"/matches/{match}/history").text)
    assert "Tía Rosa anuló el enlace para anotar e hizo otro" in page
    assert "Tía Rosa anuló el enlace para mirar e hizo otro" in page


def test_many_scorers_do_not_shut_out_the_device_that_began_the_match(
    app: Flask, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holdings, "MOST_HOLDERS", 3)
    match, others = held.ids["match_id"], [app.test_client() for _ in range(5)]
    for other in others:
        assert other.get(held.scorer_link).status_code == 303
    reached = [other.get(f"/matches/{match}").status_code == 200 for other in others]
    assert reached == [False, False, True, True, True]
    assert held.device.client.get(f"/matches/{match}").status_code == 200


def test_a_phone_that_scores_a_match_is_told_of_a_rematch_that_it_has_no_link_of(
    app: Flask, held: Held
) -> None:
    """The link of the old match does not open the new one."""
    match, other = held.ids["match_id"], Scorer.of(app)
    parts_of(app).matches.change(match, options={"target": 400})
    assert parts_of(app).matches.tally(match).finished
    other.client.get(held.scorer_link)
    told = 'id="rematch-elsewhere"'
    assert told not in other.client.get(f"/matches/{match}").text
    rematch = held.device.form(f"/matches/{match}/rematch").headers["Location"]
    assert told in other.client.get(f"/matches/{match}").text
    assert told not in held.device.client.get(f"/matches/{match}").text
    assert other.client.get(rematch).status_code == 404
    assert other.client.get(links_of(held.device, rematch.rsplit("/", 1)[1])[0]).status_code == 303
    assert told not in other.client.get(f"/matches/{match}").text
    assert other.form(f"/matches/{match}/rematch").headers["Location"] == rematch


def test_a_watcher_sees_nothing_once_the_link_is_renewed(app: Flask, held: Held) -> None:
    watcher, match = app.test_client(), held.ids["match_id"]
    assert watcher.get(held.viewer_link).status_code == 200
    held.device.form(f"/matches/{match}/links", role="viewer")
    assert watcher.get(held.viewer_link).status_code == 404
    assert watcher.get(f"{held.viewer_link}/events").status_code == 404
    assert SECRET_NAMES[0] not in watcher.get("/").text
    assert held.device.client.get(links_of(held.device, match)[1]).status_code == 200


@pytest.mark.parametrize(("ending", "holders"), [("links", 1), ("delete", 0)])
def test_who_opens_a_link_in_the_moment_in_which_it_ends_gets_no_access(
    app: Flask, held: Held, monkeypatch: pytest.MonkeyPatch, ending: str, holders: int
) -> None:
    other, match = Scorer.of(app), held.ids["match_id"]

    def end_the_link(*arguments: Any, **named: str) -> Role | None:
        monkeypatch.setattr(tenancy, "role_of", role_of)
        assert held.device.form(f"/matches/{match}/{ending}", role="scorer").status_code == 303
        return role_of(*arguments, **named)

    monkeypatch.setattr(tenancy, "role_of", end_the_link)
    assert other.client.get(held.scorer_link).status_code == 404
    assert other.client.get(f"/matches/{match}").status_code == 404
    assert rows_of(app, Holding) == holders


@pytest.mark.parametrize(
    ("site", "asks"),
    [("none", False), ("same-origin", False), ("cross-site", True), ("same-site", True)],
)
def test_another_page_puts_no_match_among_ones_own_unasked(
    app: Flask, held: Held, site: str, asks: bool
) -> None:
    other = Scorer.of(app)
    answer = other.client.get(held.scorer_link, headers={"Sec-Fetch-Site": site})
    assert answer.status_code == (200 if asks else 303)
    assert (SECRET_NAMES[0] in other.client.get("/").text) is not asks
    assert other.form(held.scorer_link).status_code == 303
    assert SECRET_NAMES[0] in other.client.get("/").text
    assert app.test_client().post(held.scorer_link).status_code == 403  # without the token
    assert other.form(f"{held.scorer_link}x").status_code == 404


@pytest.mark.parametrize("role", ["scorer", "viewer", "delete"])
def test_open_streams_end_with_the_link(app: Flask, held: Held, role: str) -> None:
    match, other = held.ids["match_id"], app.test_client()
    other.get(held.scorer_link)
    paths = (
        f"/api/matches/{match}/events",
        f"/api/hands/{held.ids['hand_id']}/events",
        f"{held.viewer_link}/events",
    )
    streams = [other.get(path).iter_encoded() for path in paths]
    assert all(b"event: change" in next(stream) for stream in streams)
    if role == "delete":
        held.device.form(f"/matches/{match}/delete")
    else:
        held.device.form(f"/matches/{match}/links", role=role)
    assert [list(stream) for stream in streams] == [[], [], []]


def test_looking_at_the_tally_takes_no_scorer_the_pen(app: Flask, held: Held) -> None:
    held.device.client.get(held.viewer_link)
    assert held.device.client.get(f"/matches/{held.ids['match_id']}").status_code == 200


@pytest.mark.parametrize("role", ["", "host", "Scorer"])
def test_no_other_link_is_made(held: Held, role: str) -> None:
    assert held.device.form(f"/matches/{held.ids['match_id']}/links", role=role).status_code == 422


def test_nobody_is_host_at_the_serving_machine_either(app: Flask) -> None:
    told = app.test_client().get("/api/session").get_json()
    assert told["host"] is False
    device = Scorer.of(app)
    for path in ("/settings/photos", "/settings/photos/delete", "/host", "/join"):
        assert device.form(path, days="7", code="x").status_code == 404
    printed = terminal_invitation(app, ["http://192.168.1.5/"])
    assert "join" not in printed and "host" not in printed


def test_the_cookie_of_a_secure_page_is_sent_to_secure_pages_alone(app: Flask) -> None:
    cookies = [
        app.test_client().get("/", base_url=f"{scheme}://localhost").headers["Set-Cookie"]
        for scheme in ("http", "https")
    ]
    assert ["Secure" in cookie for cookie in cookies] == [False, True]


def test_cameras_of_the_server_are_shown_to_nobody(
    config: AppConfig, reader: RecordedReader
) -> None:
    for mode, shown in ((Mode.PUBLIC, False), (Mode.HOME, True)):
        app = create_app(replace(config, mode=mode, cameras=("rtsp://attic:554/garden",)), reader)
        device = Scorer.of(app)
        page = device.client.get(f"/matches/{begun(device)}/table").text
        assert ("attic" in page) is shown
        close(app)


def test_a_home_has_no_links_of_matches(config: AppConfig, reader: RecordedReader) -> None:
    app = create_app(replace(config, mode=Mode.HOME), reader)
    device = Scorer.of(app)
    hand = device.begin()
    match = device.hand(hand)["match"]
    with parts_of(app).store.reading() as session:
        link = session.scalar(select(Match.scorer_token))
    for path in (f"/m/{link}", f"/matches/{match}/links"):
        assert device.client.get(path).status_code == 404
    assert rows_of(app, Holding) == 0
    close(app)


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (1, "un día después de la última mano. Las fotos se borran después de un día."),
        (30, "a los 30 días de la última mano. Las fotos se borran a los 30 días."),
    ],
)
def test_how_long_everything_is_kept_is_told(config: AppConfig, days: int, told: str) -> None:
    keeping = create_app(replace(config, match_days=days, photo_days=days), RecordedReader())
    assert f"Una partida se borra sola {told}" in keeping.test_client().get("/").text
    close(keeping)
