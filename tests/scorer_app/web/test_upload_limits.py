"""A photograph above the limit gets one clear sentence in the page and from the server; the
connection never just breaks.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from scorer_app.config import AppConfig
from scorer_app.web.application import admits
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..devices import Watched
from ..hands import send, when_read
from ..pictures import Picture, RecordedReader, picture_of
from ..served import PATIENCE, serving

LIMIT = 3 * 2**20
BLURRED = picture_of("3R 4R 5R")
BLURRED.reading["notices"] = ["too_blurred"]


@pytest.fixture
def config(config: AppConfig) -> AppConfig:
    return replace(config, upload_bytes=LIMIT, photos_per_hand=2)


@pytest.fixture
def served(app: Flask, config: AppConfig) -> Iterator[str]:
    """Serve the application as `burako serve` does, and yield its address."""
    stopping = parts_of(app).event_bus.close
    with serving(app, config, admits=admits(app), stopping=stopping) as base:
        yield base


def test_the_server_hears_it_out_and_names_the_limit(served: str) -> None:
    connection = http.client.HTTPConnection(served.removeprefix("http://"), timeout=PATIENCE)
    connection.request("GET", "/api/session")
    session = connection.getresponse()
    token = json.loads(session.read())["csrf"]
    headers = {"X-CSRF-Token": token, "Cookie": session.headers["Set-Cookie"].split(";")[0]}
    connection.request("POST", "/api/hands/any/photos", bytes(4 * LIMIT), headers)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["message"]) == (
        413,
        "El archivo es demasiado grande: pesa 12 MB y el máximo es 3 MB.",
    )
    connection.close()


@pytest.mark.browser
def test_the_page_says_so_before_it_sends(phone: Watched) -> None:
    sent = []
    phone.begin()
    phone.page.on(
        "request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None
    )
    phone.photograph("A-melds", Picture(bytes(LIMIT + 1), {}, (0, 0)))
    toast = phone.page.locator("#toast:visible")
    toast.wait_for()
    assert (
        toast.inner_text() == "La foto pesa 4 MB y el máximo es 3 MB. Sacala de nuevo o elegí otra."
    )
    assert sent == []


@pytest.mark.browser
def test_too_many_at_once_are_told_once(phone: Watched, reader: RecordedReader) -> None:
    refused = []
    phone.page.on(
        "response", lambda answer: refused.append(answer.url) if answer.status == 422 else None
    )
    phone.begin()
    phone.photograph(
        "A-rack", *[reader.add(picture_of(loose=face)) for face in ("3R", "4R", "5R", "6R", "7R")]
    )
    phone.wait_for_tiles("A-rack", 2)
    assert "todas las fotos que admite" in phone.page.inner_text("#toast:visible")
    assert len(refused) == 1
    phone.faults.clear()  # the refused request


@pytest.mark.browser
def test_a_photograph_that_cannot_be_opened_is_no_success_and_another_is_taken(
    phone: Watched, reader: RecordedReader
) -> None:
    whole = reader.add(picture_of("3R 4R 5R"))
    phone.begin()
    phone.photograph("A-melds", Picture(whole.data[: len(whole.data) // 2], {}, (0, 0)))
    phone.page.wait_for_selector(
        '[data-slot="A-melds"][data-failed=yes] .slot-status:text-is("La foto llegó incompleta:'
        ' volvé a elegirla.")'
    )
    # A second reading would be no better, so none is offered.
    assert phone.page.locator(".photo-tools button").all_inner_texts() == [
        "Sacar otra",
        "Quitar foto",
    ]
    for _ in range(2):  # once in vain: it goes only when another is there
        with phone.page.expect_file_chooser() as camera:
            phone.page.click("[data-key^=another]")
        assert phone.page.evaluate("fetch('/api' + location.pathname).then((got) => got.json())")[
            "photos"
        ]
    camera.value.set_files([{"name": "p.jpg", "mimeType": "image/jpeg", "buffer": whole.data}])
    phone.wait_for_tiles("A-melds", 3)
    assert phone.page.locator(".photo-waiting").count() == 0


def test_a_photograph_is_replaced_where_the_hand_has_as_many_as_it_may(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()

    def sent(**extra: str) -> int:
        status: int = send(
            scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")), **extra
        ).status_code
        return status

    assert send(scorer, hand, "A", "melds", reader.add(BLURRED)).status_code == 202
    assert [sent(), sent()] == [202, 422]
    first, other = (photo["id"] for photo in when_read(scorer, hand)["photos"])
    assert sent(instead_of="0" * 24) == 422  # it has no such photograph
    assert sent(instead_of=other) == 422  # it shows tiles, sharply
    assert sent(instead_of=first, key="new") == 202
    assert sent(instead_of=first, key="new") == 202  # the same one, sent again
    assert sent(instead_of=first) == 422  # it has been replaced
    shown = [photo["id"] for photo in scorer.hand(hand)["photos"]]
    assert (len(shown), shown[0]) == (2, other)


def test_a_photograph_that_shows_tiles_by_now_stays_beside_the_one_that_was_to_replace_it(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(BLURRED))
    (photo,) = when_read(scorer, hand)["photos"]
    scorer.edit(hand, {"op": "keep_blurred", "photo": photo["id"]})
    sharp = reader.add(picture_of("3R 4R 5R"))
    send(scorer, hand, "A", "melds", sharp, instead_of=photo["id"])
    assert len(scorer.hand(hand)["photos"]) == 2
