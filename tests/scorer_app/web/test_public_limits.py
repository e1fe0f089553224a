"""A public server: what it deletes and when, and how much of everything it accepts."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from scorer_app import create_app
from scorer_app.config import AppConfig, Quotas
from scorer_app.services.quotas import QuotaCounter, QuotaSpent, network_of
from scorer_app.store import Edit, Hand, Holding, Match, Photo, Step, tables
from scorer_app.store.tables import now
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, token_of
from ..hands import send
from ..pictures import RecordedReader, picture_of
from .public import SECRET_NAMES, Held, begun, in_public, rows_of


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return in_public(config)


def test_deleting_a_match_deletes_everything_of_it_at_once(app: Flask, held: Held) -> None:
    made, photo = parts_of(app), held.ids["photo_id"]
    assert made.intake.files.picture(photo)
    assert held.device.form(f"/matches/{held.ids['match_id']}/delete").status_code == 303
    assert held.device.client.get(held.viewer_link).status_code == 404
    assert held.device.client.get(held.scorer_link).status_code == 404
    assert not made.intake.files.picture(photo)
    assert [rows_of(app, table) for table in (Edit, Step, Holding)] == [0, 0, 0]
    with made.store.reading() as session:
        hands = session.execute(select(Hand.record, Hand.draft)).all()
        readings = session.execute(select(Photo.reading, Photo.erased)).all()
        names = session.execute(select(Match.side_a, Match.side_b, Match.player_names)).all()
    assert (hands, readings, names) == ([(None, None)], [(None, True)], [("", "", [])])


def test_a_day_later_no_row_is_left(app: Flask, held: Held) -> None:
    made = parts_of(app)
    held.device.form(f"/matches/{held.ids['match_id']}/delete")
    made.retention.sweep()
    assert rows_of(app, Match) == 1
    with made.store.writing() as session:  # as earlier versions could leave one behind
        late = {"device": "late", "match_id": held.ids["match_id"], "role": "viewer"}
        session.add(Holding(**late))
    touch(app, held, days=2)
    made.retention.sweep()
    assert [rows_of(app, table) for table in (Match, Hand, Photo, Holding)] == [0, 0, 0, 0]


def touch(app: Flask, held: Held, days: int) -> None:
    """Pretend that a match was played last `days` days ago."""
    with parts_of(app).store.writing() as session:
        its = update(Match).where(Match.id == held.ids["match_id"])
        session.execute(its.values(touched=now() - timedelta(days=days)))


@pytest.mark.parametrize(("days", "status"), [(89, 200), (91, 404)])
def test_a_match_that_nobody_plays_expires(app: Flask, held: Held, days: int, status: int) -> None:
    touch(app, held, days)
    parts_of(app).retention.sweep()
    assert held.device.client.get(f"/matches/{held.ids['match_id']}").status_code == status


@pytest.mark.parametrize(("days", "kept"), [(6, True), (8, False)])
def test_photographs_expire_before_their_match(
    app: Flask, held: Held, days: int, kept: bool
) -> None:
    made, photo = parts_of(app), held.ids["photo_id"]
    with made.store.writing() as session:
        session.execute(update(Photo).values(received=now() - timedelta(days=days)))
    made.retention.sweep()
    assert bool(made.intake.files.picture(photo)) is kept
    with held.device.client.get(f"/photos/{photo}.jpg") as answer:
        assert answer.status_code == (200 if kept else 404)
    assert held.device.hand(held.ids["hand_id"])["tiles"]


def test_pages_say_how_long_everything_is_kept(held: Held) -> None:
    match = f"/matches/{held.ids['match_id']}"
    for path in ("/", match, f"{match}/links"):
        page = held.device.client.get(path).text
        assert "a los 90 días de la última mano" in page, path
        assert "Las fotos se borran a los 7 días." in page, path


@pytest.fixture
def few(config: AppConfig, reader: RecordedReader) -> Iterator[Flask]:
    """A public server whose limits allow two of everything that they count."""
    app = create_app(replace(config, quotas=Quotas(2, 2, 2)), reader)
    yield app
    close(app)


def at(client: FlaskClient, address: str) -> FlaskClient:
    client.environ_base["REMOTE_ADDR"] = address
    return client


def test_a_network_begins_so_many_matches_a_day(few: Flask) -> None:
    """A copy that is taken in counts, and a file that is refused does not."""
    device = Scorer.of(few)
    match = begun(device)
    copy = device.client.get(f"/matches/{match}/export.json").data
    for data, status in ((json.dumps({"no": "match"}).encode(), 422), (copy, 303), (copy, 429)):
        sent = device.client.post(
            "/matches/import",
            data={"csrf": device.token, "file": (io.BytesIO(data), "copy.json")},
            content_type="multipart/form-data",
        )
        assert sent.status_code == status
    refused = device.form("/matches/new", side_a="A", side_b="B", players="4", ruleset="burako")
    assert refused.status_code == 429
    assert "no se pueden empezar más partidas hoy (máximo: 2)." in refused.text
    assert rows_of(few, Match) == 2
    elsewhere = few.test_client()
    at(elsewhere, "203.0.113.9")
    begun(Scorer(elsewhere, token_of(elsewhere)))


def test_a_form_of_a_match_too_many_keeps_what_was_typed(few: Flask) -> None:
    """The same form makes the match once the network may begin one."""
    device = Scorer.of(few)
    for _ in range(2):
        begun(device)
    typed = {"side_a": "Las Gaviotas", "side_b": "Los Teros", "player_1": "Ana", "new": "b" * 22}
    form = {"players": "4", "ruleset": "buracco", **typed}
    refused = device.form("/matches/new", **form)
    assert refused.status_code == 429
    assert '<p class="alert" role="alert">Desde esta conexión no se pueden' in refused.text
    for name, value in typed.items():
        assert re.search(rf'name="{name}"[^>]* value="{value}"', refused.text), name
    assert re.search(r'value="buracco"[^>]*(checked|selected)', refused.text)
    at(device.client, "203.0.113.9")
    assert device.form("/matches/new", **form).status_code == 303


def test_a_new_day_begins_for_a_clock_that_was_far_ahead_and_is_set_right(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = now()
    monkeypatch.setattr(tables, "_last", present)  # put back at the end of the test
    counter = QuotaCounter(parts_of(app).store, Quotas(matches_per_address_per_day=1), b"key")
    for days in (1500, 0, 1, 2):
        monkeypatch.setattr(tables, "_clock", lambda ahead=days: present + timedelta(days=ahead))
        assert now() >= present
        counter.begin_match("192.0.2.7")
    with pytest.raises(QuotaSpent):
        counter.begin_match("192.0.2.7")


def test_a_network_sends_so_many_photographs_a_day(few: Flask, reader: RecordedReader) -> None:
    device = Scorer.of(few)
    hands = [device.begin(begun(device)) for _ in range(2)]
    answers = [
        send(device, hand, "A", "melds", reader.add(picture_of(f"3R 4R 5R {face}")))
        for hand, face in zip([*hands, hands[0]], ("6R", "2R", "J"), strict=True)
    ]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert "no entran más fotos hoy (máximo: 2)." in answers[2].get_json()["message"]


def test_a_match_takes_so_many_photographs(few: Flask, reader: RecordedReader) -> None:
    device = Scorer.of(few)
    hand = device.begin(begun(device))
    pictures = [reader.add(picture_of(f"3R 4R 5R {face}")) for face in ("6R", "2R", "J")]
    answers = []
    for number, picture in enumerate(pictures):
        at(device.client, f"203.0.113.{number}")
        answers.append(send(device, hand, "A", "melds", picture))
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert "En esta partida no entran más fotos (máximo: 2)" in answers[2].get_json()["message"]


def test_a_photograph_sent_again_is_counted_once(few: Flask, reader: RecordedReader) -> None:
    device = Scorer.of(few)
    hand = device.begin(begun(device))
    for face in ("6R", "2R"):  # as many as a match takes, and a network sends in a day
        picture = reader.add(picture_of(f"3R 4R 5R {face}"))
        answers = [send(device, hand, "A", "melds", picture, key=f"photo-{face}") for _ in range(2)]
        assert [answer.status_code for answer in answers] == [202, 202]
    assert len(device.hand(hand)["photos"]) == 2
    assert send(device, hand, "A", "melds", picture, key="photo-new").status_code == 429
    assert send(device, hand, "A", "melds", picture, key="no\0name").status_code == 422


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:9::", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_a_household_is_one_network(address: str, network: str) -> None:
    assert network_of(address) == network


def test_a_form_of_a_new_match_that_comes_again_counts_once_and_leads_to_no_match_of_others(
    few: Flask,
) -> None:
    device, form = Scorer.of(few), {"new": "a" * 22}
    match = begun(device, **form)
    assert [begun(device, **form) for _time in range(3)] == [match] * 3
    stranger = few.test_client()
    at(stranger, "203.0.113.9")
    other = Scorer(stranger, token_of(stranger))
    assert SECRET_NAMES[0] not in other.client.get(f"/matches/new?new={'a' * 22}").text
    theirs = begun(other, **form, side_a="Otros")
    assert theirs != match and begun(other, **form, side_a="Otros") == theirs
    plain = begun(device)  # of a program, which sends no id
    assert begun(other, new=plain, side_a="Otros") not in (match, plain, theirs)
    assert parts_of(few).matches.tally(match).match.side_a == SECRET_NAMES[0]
    assert rows_of(few, Match) == 4
