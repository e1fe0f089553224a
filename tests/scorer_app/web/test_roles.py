"""Who counts as the host, who may join, and how long that lasts."""

from __future__ import annotations

import html
import json
import re
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer_app import create_app
from scorer_app.cli.invitation import terminal_invitation
from scorer_app.config import AppConfig
from scorer_app.serving.addresses import addresses
from scorer_app.texts.languages import LANGUAGES
from scorer_app.web.application import close
from scorer_app.web.roles import join_code

from ..conftest import token_of
from ..pictures import RecordedReader
from ..served import serving

FROM_AFAR = {"REMOTE_ADDR": "192.168.1.66"}
DAY = 86400
NEEDS_BOTH = pytest.mark.skipif(
    sys.platform == "win32" or not socket.has_dualstack_ipv6(),
    reason="no socket here serves IPv6 and IPv4",
)


def session_of(client: FlaskClient, address: str = "127.0.0.1", **headers: str) -> dict[str, bool]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    environ = {"REMOTE_ADDR": address}
    told: dict[str, bool] = client.get(
        "/api/session", headers=named, environ_overrides=environ
    ).get_json()
    return told


# --- the host ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_asked_for_the_host_token_sees_the_command_whole(app: Flask, language: str) -> None:
    """A `code` element, which the page's styles never break."""
    asked = {"Accept-Language": language}
    page = app.test_client().get("/host", headers=asked, environ_overrides=FROM_AFAR).text
    assert "<code>burako serve</code>" in page


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Forwarded_For": "1.2.3.4"},
        {"Forwarded": "for=1.2.3.4"},
        {"Via": "1.1 proxy"},
        {"X_Real_IP": "1.2.3.4"},
        {"X_Forwarded_Host": "burako.example"},
        {"CF_Connecting_IP": "1.2.3.4"},
        {"Host": "192.168.1.5:8080"},
    ],
)
def test_nobody_is_host_over_a_proxy_that_shows(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    assert session_of(client)["host"]
    assert not session_of(client, **headers)["host"]


@NEEDS_BOTH
def test_a_browser_at_a_server_of_both_kinds_of_addresses_is_the_hosts(
    app: Flask, config: AppConfig
) -> None:
    with serving(app, config, host="::") as base:
        assert json.loads(asked(f"{base}/api/session", {}))["host"]


def test_nobody_is_host_over_the_http_that_plain_proxies_speak(client: FlaskClient) -> None:
    old = {"SERVER_PROTOCOL": "HTTP/1.0"}
    assert not client.get("/api/session", environ_overrides=old).get_json()["host"]


def test_where_the_token_alone_makes_a_host_the_loopback_does_not(
    config: AppConfig, reader: RecordedReader
) -> None:
    app = create_app(replace(config, host_by_token=True), reader)
    client = app.test_client()
    assert not session_of(client)["host"]
    printed = terminal_invitation(app, addresses("127.0.0.1", 80, https=False))
    (token,) = re.findall(r"/host#(\w+)", printed)
    for sent, host in (("x" * 32, False), (token, True)):
        client.post("/host", data={"csrf": token_of(client), "code": sent})
        assert session_of(client)["host"] is host
    assert not session_of(app.test_client())["host"]
    close(app)


@pytest.mark.parametrize("client", ["203.0.113.7", "::ffff:203.0.113.7"])
@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("::", marks=NEEDS_BOTH)])
def test_a_trusted_proxy_alone_says_who_asks(config: AppConfig, host: str, client: str) -> None:
    """A server at `::`, or a proxy there, writes the addresses of IPv4 clients as IPv6 ones."""

    def told(environ: dict[str, str], start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [])
        return [f"{environ['REMOTE_ADDR']} {environ['wsgi.url_scheme']}".encode()]

    headers = {"X-Forwarded-For": f"9.9.9.9, {client}", "X-Forwarded-Proto": "https"}
    answers = []
    for trusted in ((), ("127.0.0.0/8",), ("10.0.0.1",)):
        with serving(told, replace(config, trusted_proxies=trusted), host=host) as base:
            answers.append(asked(base, headers))
    assert answers == ["127.0.0.1 http", "203.0.113.7 https", "127.0.0.1 http"]


@pytest.mark.parametrize("inner", ["10.0.0.1", "::ffff:10.0.0.1"])
@pytest.mark.parametrize("trusted", ["10.0.0.1", "::ffff:10.0.0.1", "10.0.0.0/8"])
def test_no_trusted_proxy_is_taken_for_the_client_however_it_is_written(
    config: AppConfig, inner: str, trusted: str
) -> None:
    def told(environ: dict[str, str], start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [])
        return [environ["REMOTE_ADDR"].encode()]

    proxies = replace(config, trusted_proxies=("127.0.0.1", "2001:db8::/32", trusted))
    with serving(told, proxies) as base:
        assert asked(base, {"X-Forwarded-For": f"203.0.113.7, {inner}"}) == "203.0.113.7"


def asked(base: str, headers: dict[str, str]) -> str:
    import urllib.request

    with urllib.request.urlopen(urllib.request.Request(base, headers=headers), timeout=60) as got:
        return str(got.read().decode())


# --- joining ---


def join(app: Flask, address: str, code: str) -> int:
    client, environ = app.test_client(), {"REMOTE_ADDR": address}
    csrf = client.get("/api/session", environ_overrides=environ).get_json()["csrf"]
    return client.post(
        "/join", data={"csrf": csrf, "code": code}, environ_overrides=environ
    ).status_code


def test_a_few_devices_that_guess_do_not_keep_the_others_out(app: Flask) -> None:
    with app.app_context():
        code = join_code()
    guesses = [join(app, f"192.168.1.{number}", "WRONG1") for number in range(9) for _ in range(8)]
    assert guesses == ([403] * 6 + [429] * 2) * 9
    assert join(app, "192.168.1.200", code) == 303


def test_any_number_of_phones_behind_one_address_join_at_once(app: Flask) -> None:
    with app.app_context():
        code = join_code()
    joined = [join(app, "192.168.1.204", sent) for sent in ("WRONG1", *[code] * 12)]
    assert joined == [403] + [303] * 12


def test_who_has_sent_too_many_wrong_codes_does_not_learn_whether_the_next_is_right(
    app: Flask,
) -> None:
    """The form says so itself, and keeps the code and the page to which it leads."""
    with app.app_context():
        code = join_code()
    client, limited = app.test_client(), {"REMOTE_ADDR": "192.168.1.205"}
    csrf = token_of(client)
    for page, wrong in (("/host", "host"), ("/join?to=/matches/new", "WRONG1")):
        for _ in range(3):
            sent = {"csrf": csrf, "code": wrong}
            assert client.post(page, data=sent, environ_overrides=limited).status_code == 403
    answers = []
    for sent in (code, "WRONG2"):
        form = {"csrf": csrf, "code": sent}
        answer = client.post("/join?to=/matches/new", data=form, environ_overrides=limited)
        answers.append((answer.status_code, answer.text.replace(sent, "CODE")))
        assert f'value="{sent}"' in answer.text
    assert answers[0] == answers[1]
    status, page = answers[0]
    assert status == 429 and "demasiados códigos equivocados" in page
    assert 'action="/join?to=/matches/new"' in page
    assert not session_of(client, limited["REMOTE_ADDR"])["scorer"]


def test_a_code_may_be_typed_as_it_is_read_aloud(app: Flask) -> None:
    with app.app_context():
        code = join_code()
    assert join(app, "192.168.1.201", f" {code[:3]} {code[3:].lower()} ") == 303
    assert join(app, "192.168.1.202", f"{code[:3]}-{code[3:]}") == 303
    assert join(app, "192.168.1.203", code[:-1]) == 403


@pytest.mark.parametrize(
    ("to", "led_to"),
    [
        ("/hands/aB-3_x", "/hands/aB-3_x"),
        ("/matches/x/count?hand=y", "/matches/x/count?hand=y"),
        *[(wrong, "/") for wrong in ("", "//there.example", "/\\there.example", "hands/x")],
        *[(wrong, "/") for wrong in ("https://there.example/", "/hands/x\n", "/a//b", "/%2f/x")],
    ],
)
def test_who_joins_comes_back_to_a_page_of_this_server(app: Flask, to: str, led_to: str) -> None:
    client = app.test_client()
    with app.app_context():
        code = join_code()
    asked = client.get("/join", query_string={"to": to}, environ_overrides=FROM_AFAR)
    (action,) = re.findall(r'action="(/join[^"]*)"', asked.text)
    (csrf,) = re.findall(r'name="csrf" value="([^"]+)"', asked.text)
    for sent, status in (("WRONG1", 403), (code, 303)):
        form = {"csrf": csrf, "code": sent}
        answer = client.post(html.unescape(action), data=form, environ_overrides=FROM_AFAR)
        assert answer.status_code == status
    assert answer.headers["Location"] == led_to
    again = client.get("/join", query_string={"to": to}, environ_overrides=FROM_AFAR)
    assert again.headers["Location"] == led_to


def test_a_page_that_needs_the_code_leads_to_it_and_back(app: Flask) -> None:
    page = app.test_client().get("/matches/new?pieces=cards", environ_overrides=FROM_AFAR)
    assert page.status_code == 401
    assert 'class="button" href="/join?to=/matches/new?pieces%3Dcards"' in page.text


@pytest.fixture
def joined(app: Flask) -> FlaskClient:
    client = app.test_client()
    with app.app_context():
        code = join_code()
    csrf = client.get("/api/session", environ_overrides=FROM_AFAR).get_json()["csrf"]
    client.post("/join", data={"csrf": csrf, "code": code}, environ_overrides=FROM_AFAR)
    return client


@pytest.mark.parametrize("step", [-3, -3600, -400 * DAY, 90 * DAY])
def test_who_has_joined_stays_so_when_the_clock_is_set(
    joined: FlaskClient, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + step)
    assert session_of(joined, "192.168.1.66")["scorer"]


def test_a_session_ends_with_its_age(joined: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + 200 * DAY)
    assert not session_of(joined, "192.168.1.66")["scorer"]


def test_a_device_is_told_how_long_to_keep_the_cookie(app: Flask) -> None:
    client = app.test_client()
    csrf = token_of(client)
    answer = client.post("/settings/device", data={"csrf": csrf, "language": "en"})
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert int(re.findall(r"Max-Age=(\d+)", cookie)[0]) > 179 * DAY
