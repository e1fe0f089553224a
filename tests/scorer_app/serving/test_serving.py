"""The served page: its certificate, its addresses, its samples, its files."""

from __future__ import annotations

import gzip
import ipaddress
import itertools
import json
import mimetypes
import re
import socket
import ssl
import subprocess
import sys
import urllib.request
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest
from cryptography import x509
from flask import Flask
from flask.testing import FlaskClient

from scorer_app import create_app
from scorer_app.cli.invitation import terminal_invitation
from scorer_app.config import AppConfig, default_data_dir
from scorer_app.serving import server
from scorer_app.serving.addresses import addresses, is_only_here
from scorer_app.serving.certificate import ensure_certificate
from scorer_app.serving.server import listener_at, listeners_in_a_row
from scorer_app.web import application
from scorer_app.web.application import close
from scorer_app.web.roles import join_code

from ..conftest import Scorer, token_of
from ..hands import CANASTA, new_match, send, when_read
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE, Served, serve_command


def test_the_certificate_is_made_once_and_names_this_machine(tmp_path: Path) -> None:
    certificate, key = ensure_certificate(tmp_path)
    first = certificate.read_bytes()
    assert key.stat().st_mode & 0o077 == 0
    names = (
        x509.load_pem_x509_certificate(first)
        .extensions.get_extension_for_class(x509.SubjectAlternativeName)
        .value
    )
    assert "localhost" in names.get_values_for_type(x509.DNSName)
    assert ipaddress.ip_address("127.0.0.1") in names.get_values_for_type(x509.IPAddress)
    assert ensure_certificate(tmp_path)[0].read_bytes() == first
    certificate.write_bytes(b"damaged")
    assert ensure_certificate(tmp_path)[0].read_bytes() != b"damaged"


@pytest.mark.parametrize("left", ["of another", "empty", "no key"])
def test_a_key_that_is_not_the_certificates_stops_no_server(tmp_path: Path, left: str) -> None:
    """A process that is killed while it makes both, or a full disk, leaves such a key."""
    (tmp_path / "other").mkdir()
    keys = {"of another": ensure_certificate(tmp_path / "other")[1].read_bytes(), "empty": b""}
    ensure_certificate(tmp_path)[1].write_bytes(keys.get(left, b"no key"))
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
        *ensure_certificate(tmp_path)
    )


def test_a_certificate_from_a_clock_that_was_ahead_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ahead(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) + timedelta(days=100)

    with monkeypatch.context() as patch:
        patch.setattr("scorer_app.serving.certificate.datetime", Ahead)
        ensure_certificate(tmp_path)
    made = x509.load_pem_x509_certificate(ensure_certificate(tmp_path)[0].read_bytes())
    assert made.not_valid_before_utc < datetime.now(UTC)


@pytest.mark.parametrize(
    ("host", "written"),
    [
        ("JOSÉ-PC", ["localhost", "xn--jos-pc-dva", "xn--jos-pc-dva.local"]),
        ("a" * 70, ["localhost"]),
    ],
)
def test_a_machine_of_any_name_has_a_certificate(
    host: str, written: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: host)
    certificate, _key = ensure_certificate(tmp_path)
    names = x509.load_pem_x509_certificate(certificate.read_bytes()).extensions
    told = names.get_extension_for_class(x509.SubjectAlternativeName).value
    assert told.get_values_for_type(x509.DNSName) == written


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 65536), ("a" * 70, 0)])
def test_an_address_that_cannot_be_is_told_as_one_that_is_not_there(host: str, port: int) -> None:
    with pytest.raises(OSError, match="expected"):
        listener_at(host, port)


@pytest.mark.process
def test_https_serves_the_page_with_secure_cookies(config: AppConfig) -> None:
    process = subprocess.Popen(
        serve_command(config.data_dir, "0", "--https"), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    base = next(
        found.group() for line in process.stdout if (found := re.search(r"https://127\S+", line))
    )
    trust = ssl.create_default_context(cafile=str(config.data_dir / "certificate.pem"))
    with urllib.request.urlopen(base + "api/session", context=trust, timeout=PATIENCE) as answer:
        assert json.loads(answer.read())["host"]
        assert "Secure" in answer.headers["Set-Cookie"]
    process.terminate()
    process.wait(PATIENCE)
    process.stdout.close()


@pytest.mark.process
def test_a_camera_or_file_that_is_not_there_is_told_of_at_the_start(config: AppConfig) -> None:
    film = config.data_dir / "film.mp4"
    film.write_bytes(b"")
    cameras = [str(config.data_dir / "gone.mp4"), str(config.data_dir), str(film)]
    cameras += ["97", "rtsp://there/1", "n" * 5000]  # the last is longer than any file's name
    options = [word for source in cameras for word in ("--camera", source)]
    with subprocess.Popen(
        serve_command(config.data_dir, "0", *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None and server.stderr is not None
        server.stdout.readline()
        server.terminate()
        told = [line for line in server.stderr.read().splitlines() if "--camera" in line]
    folder = f"burako serve: --camera: Es una carpeta, y se esperaba un video: {cameras[1]}."
    absent = "burako serve: --camera 97: esa cámara todavía no está conectada"
    assert told == [
        f"burako serve: --camera {cameras[0]}: ese archivo todavía no existe",
        folder,
        *([absent] if sys.platform == "linux" else []),  # elsewhere it would have to be opened
        f"burako serve: --camera {cameras[-1]}: ese archivo todavía no existe",
    ]


def test_a_terminal_that_cannot_draw_the_code_does_not_stop_the_server(config: AppConfig) -> None:
    server = Served(config.data_dir, "--host", "0.0.0.0", PYTHONIOENCODING="ascii")
    assert server.get("/api/session")["host"]
    server.kill()


def test_scripts_have_their_type_whatever_the_system_says(
    config: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    mimetypes.init()
    monkeypatch.setitem(mimetypes.types_map, ".js", "text/plain")
    app = create_app(config, reader)
    answer = app.test_client().get(f"{app.static_url_path}/js/dom.js")
    assert answer.mimetype == "text/javascript"
    answer.close()
    close(app)


@pytest.mark.parametrize("name", ["js/dom.js", "css/base.css", "icons/tile.svg"])
def test_scripts_and_styles_go_compressed_to_browsers_that_accept_it(app: Flask, name: str) -> None:
    client, address = app.test_client(), f"{app.static_url_path}/{name}"
    with client.get(address) as answer:
        assert "Content-Encoding" not in answer.headers
        plain = answer.data
    with client.get(address, headers={"Accept-Encoding": "gzip, deflate, br"}) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.data) == plain
        assert answer.content_length == len(answer.data) < len(plain)
        etag = answer.headers["ETag"]
    known = {"Accept-Encoding": "gzip", "If-None-Match": etag}
    with client.get(address, headers=known) as answer:
        assert answer.status_code == 304


def test_neither_pages_nor_pictures_are_compressed(app: Flask) -> None:
    client = app.test_client()
    for address in ("/", f"{app.static_url_path}/icons/tile-180.png"):
        with client.get(address, headers={"Accept-Encoding": "gzip"}) as answer:
            assert "Content-Encoding" not in answer.headers


def test_the_pages_own_files_are_fetched_once_and_anew_when_they_change(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scorer.form("/settings/device", language="en")  # a cookie that lasts
    page = scorer.client.get("/")
    address = next(iter(re.findall(r'href="(/static/[^"]+\.css)"', page.text)))
    for _ in range(2):
        answer = scorer.client.get(address)
        assert (answer.status_code, "Set-Cookie" in answer.headers, answer.vary.as_set()) == (
            200,
            False,
            {"accept-encoding"},
        )
        assert (
            answer.cache_control.max_age or 0
        ) >= 30 * 86400 and not answer.cache_control.no_cache
        answer.close()
    assert page.cache_control.no_store
    (tmp_path / "static").mkdir()
    monkeypatch.setattr(application, "__file__", str(tmp_path / "application.py"))
    names = []
    for text in ("let a;", "let a, b;"):
        (tmp_path / "static" / "a.js").write_text(text)
        names.append(application._edition())
    assert len(set(names)) == 2
    copied = tmp_path / "elsewhere"
    (copied / "static").mkdir(parents=True)
    (copied / "static" / "a.js").write_text("let a, b;")
    monkeypatch.setattr(application, "__file__", str(copied / "application.py"))
    assert application._edition() == names[1]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", ["http://127.0.0.1:80/"]),
        ("192.168.1.9", ["http://192.168.1.9:80/"]),
        ("::1", ["http://[::1]:80/"]),
        ("127.0.0.2", ["http://127.0.0.2:80/"]),
        ("localhost", ["http://localhost:80/"]),  # some machines listen at ::1 then
    ],
)
def test_addresses_are_those_that_can_be_opened(host: str, expected: list[str]) -> None:
    assert addresses(host, 80, https=False) == expected


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "0.0.0.0"])
def test_served_to_this_machine_alone_nobody_else_is_invited(
    config: AppConfig, reader: RecordedReader, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    for module in ("serving.addresses", "web.pages.joining"):
        monkeypatch.setattr(f"scorer_app.{module}.network_address", lambda: "192.168.0.7")
    alone = is_only_here(host)
    app = create_app(replace(config, only_here=alone), reader)
    printed = terminal_invitation(app, addresses(host, 8080, https=False))
    assert ("this machine only" in printed, "código" in printed, "█" in printed) == (
        alone,
        not alone,
        not alone,
    )
    client = app.test_client()
    match = new_match(Scorer(client, token_of(client)))
    for page in ("others", "others/code"):
        shown = client.get(f"/matches/{match}/{page}").text
        assert ("solo esta máquina" in shown, "<svg" in shown, "192.168.0.7" in shown) == (
            alone,
            not alone,
            not alone,
        )
    there = "http://192.168.0.9"
    with app.app_context():
        join = {"csrf": client.get("/api/session", base_url=there).get_json()["csrf"]}
        client.post("/join", data={**join, "code": join_code()}, base_url=there)
    named = client.get(f"/matches/{match}/others", base_url=there).text
    assert "http://192.168.0.9/v/" in named  # reached through something that forwards to it
    close(app)


@pytest.mark.process
def test_the_command_says_that_only_this_machine_reaches_it(config: AppConfig) -> None:
    process = subprocess.Popen(
        serve_command(config.data_dir, "0"), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    printed = list(itertools.takewhile(lambda line: "Ctrl-C" not in line, process.stdout))
    assert any("solo desde esta máquina" in line for line in printed)
    process.kill()
    process.wait(PATIENCE)
    process.stdout.close()


def test_data_lie_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BURAKO_DATA", str(tmp_path))
    assert default_data_dir() == tmp_path
    monkeypatch.delenv("BURAKO_DATA")
    assert default_data_dir().is_absolute()
    monkeypatch.setenv("BURAKO_DATA", "")
    for value in ("", "data"):
        for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"):
            monkeypatch.setenv(variable, value)
        assert default_data_dir().is_absolute(), "else a match would lie in the present folder"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert tmp_path in default_data_dir().parents or sys.platform == "darwin"


def test_the_bundled_samples_become_a_hand_with_one_click(scorer: Scorer) -> None:
    assert 'id="try-samples"' in scorer.client.get("/").text
    hand = scorer.form("/samples").headers["Location"].rsplit("/", 1)[1]
    areas = [(photo["side"], photo["place"]) for photo in when_read(scorer, hand)["photos"]]
    assert sorted(areas) == [("A", "melds"), ("A", "rack"), ("B", "melds"), ("B", "rack")]


def test_the_manifest_names_icons_that_exist(client: FlaskClient) -> None:
    manifest = client.get("/app.webmanifest").get_json()
    for icon in manifest["icons"]:
        answer = client.get(icon["src"])
        assert answer.status_code == 200
        answer.close()


def test_old_photographs_are_deleted_and_their_readings_stay(
    scorer: Scorer, reader: RecordedReader, config: AppConfig
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of(CANASTA)))
    assert when_read(scorer, hand)["photos"][0]["url"]
    scorer.form("/settings/photos", days="7")
    assert len(list(config.photo_dir.iterdir())) == 1
    scorer.form("/settings/photos/delete")
    assert list(config.photo_dir.iterdir()) == []
    view = scorer.hand(hand)
    assert (view["photos"][0]["url"], len(view["tiles"])) == (None, 7)


def test_language_and_colours_are_this_devices_own(scorer: Scorer) -> None:
    scorer.form("/settings/device", language="it", theme="dark")
    page = scorer.client.get("/").text
    assert re.search(r'css/dark\.css" media="all"', page)
    assert "Segna una mano" in page
    assert scorer.form("/settings/device", language="xx", theme="dark").status_code == 422


def test_two_overlapping_photographs_count_each_tile_once(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    for rows in ((CANASTA, "7B 7K 7Y"), ("7B 7K 7Y", "10K 11K 12K")):
        send(scorer, hand, "A", "melds", reader.add(picture_of(*rows)))
        when_read(scorer, hand)
    view = when_read(scorer, hand)
    assert len(view["tiles"]) == 16
    view = scorer.edit(hand, {"op": "drop_repeats", "photo": view["photos"][1]["id"]}).get_json()
    assert sorted(len(row["tiles"]) for row in view["rows"]) == [3, 3, 7]


def test_any_free_port_has_free_ones_behind_it_for_further_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first port that the system offers has a neighbour that somebody else holds."""
    with listener_at("127.0.0.1", 0) as somebody:
        taken = somebody.getsockname()[1]
        offered = iter([taken - 1])

        def listen(host: str, port: int) -> socket.socket:
            return listener_at(host, port or next(offered, 0))

        monkeypatch.setattr(server, "listener_at", listen)
        row = listeners_in_a_row("127.0.0.1", 0, 3)
        ports = [one.getsockname()[1] for one in row]
        assert ports == [ports[0], ports[0] + 1, ports[0] + 2]
        assert taken not in ports
        for one in row:
            one.close()
        with pytest.raises(OSError):
            listeners_in_a_row("127.0.0.1", taken - 1, 3)  # a port that was asked for stays
