"""Requests of every role, generated from the published description and from the list of pages.

Promise: no request is answered by a 5xx other than the refusals 503 and 507, whatever it carries.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from tests.attack.house import ROLES, Device, House, open_house
from tests.attack.report import Deadline, Report

REFUSED = (503, 507)
BATCH = 40  # requests generated from one seed: small, so that the time is kept
OPERATIONS_OF_PAGES = "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"
ODD_TEXTS = (
    "",
    "A",
    "melds",
    "-1",
    "9" * 400,
    "NaN",
    "\x00",
    "\ud800",
    "é" * 3000,
    "../../etc/passwd",
    "{" * 5000,
    '{"players": 2.0}',
    "<script>",
    "%s%n",
)
ODD_HEADERS = (
    {"Origin": "http://["},
    {"Host": "[::1"},
    {"Host": "elsewhere.example"},
    {"Content-Length": "-5"},
    {"Range": "bytes=99999999999999999999-"},
    {"If-Modified-Since": "yesterday"},
    {"Accept-Language": "," * 5000},
    {"Cookie": "session=" + "x" * 3000},
    {"Transfer-Encoding": "chunked, chunked"},
)
FIELDS = (
    "code",
    "names",
    "a",
    "b",
    "ruleset",
    "target",
    "players",
    "language",
    "days",
    "file",
    "tile_set",
    "face",
)


def run(seconds: float, seed_of_run: int) -> Report:
    """Ask for `seconds`, every role in turn."""
    report = Report("api")
    with open_house() as house:
        description = house.devices["host"].get("/api/openapi.json").json()
        operations = list(operations_of(description))
        chance, deadline = random.Random(seed_of_run), Deadline(seconds)
        while not deadline.is_over():
            role = ROLES[report.tried // BATCH % len(ROLES)]
            if chance.random() < 0.7:
                described(report, house, role, chance.choice(operations), chance.getrandbits(32))
            else:
                undescribed(report, house, role, chance)
        shown = house.devices["host"].get("/")
        report.expect(shown.status_code == 200, f"home answers {shown.status_code} afterwards")
        report.figures["peak MB"] = house.peak_megabytes()
    return report


def operations_of(description: dict[str, Any]) -> Iterator[Any]:
    for found in schemathesis.openapi.from_dict(description).get_all_operations():
        yield found.ok()


def described(report: Report, house: House, role: str, operation: Any, number: int) -> None:
    """Send a batch of requests to one operation: half as described, half against it."""
    mode = GenerationMode.POSITIVE if number % 2 else GenerationMode.NEGATIVE
    real = {
        name: house.names[name]
        for name in (parameter.name for parameter in operation.path_parameters)
        if name in house.names
    }
    strategy = operation.as_strategy(generation_mode=mode)
    device = house.devices[role]

    @seed(number)
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy, known=st.integers(0, 3))
    def ask(case: Any, known: int) -> None:
        if known:  # three of four requests name what there is
            case.path_parameters = real
        send_case(report, device, case)

    try:
        ask()
    except (schemathesis.errors.SchemathesisError, Unsatisfiable):
        return  # an operation without anything to negate


def send_case(report: Report, device: Device, case: Any) -> None:
    headers = dict(device.session.headers) | dict(case.headers or {})
    headers["X-CSRF-Token"] = device.session.headers["X-CSRF-Token"]
    case.headers = headers
    label = f"{device.role} {case.operation.label} {str(case.body)[:200]}"
    try:
        answer = case.call(base_url=device.base, session=device.session, timeout=30)
    except (requests.exceptions.InvalidHeader, UnicodeEncodeError, ValueError):
        return  # the client cannot write this down
    except requests.RequestException as error:
        report.tried += 1
        report.expect(False, f"{label}: no answer ({type(error).__name__})")
        return
    judge(report, answer.status_code, label)


def undescribed(report: Report, house: House, role: str, chance: random.Random) -> None:
    """Send a batch of odd forms and headers to pages that the description does not hold."""
    device = house.devices[role]
    for _ in range(BATCH // 4):
        path = odd_path(house, chance)
        method = chance.choice(OPERATIONS_OF_PAGES)
        form = {chance.choice(FIELDS): chance.choice(ODD_TEXTS) for _ in range(3)}
        headers = chance.choice(ODD_HEADERS) if chance.random() < 0.4 else {}
        label = f"{role} {method} {path[:80]!r} {str(form)[:100]} {str(headers)[:60]}"
        if chance.random() < 0.8:
            form["csrf"] = str(device.session.headers["X-CSRF-Token"])
        try:
            answer = device.session.request(
                method,
                device.base + path,
                data=form if method in ("POST", "PUT") else None,
                headers=headers,
                timeout=30,
                allow_redirects=False,
                stream=True,
            )
        except (requests.exceptions.InvalidHeader, UnicodeEncodeError, ValueError):
            continue
        except requests.RequestException:
            # A server may hang up on a broken message; that it still lives is asked for at the end.
            report.tried += 1
            continue
        judge(report, answer.status_code, label)
        answer.close()


PAGES = (
    "/",
    "/score",
    "/samples",
    "/join",
    "/new",
    "/import",
    "/statistics",
    "/settings",
    "/settings/device",
    "/settings/photos",
    "/matches/{match_id}",
    "/matches/{match_id}/hands",
    "/matches/{match_id}/names",
    "/matches/{match_id}/rematch",
    "/matches/{match_id}/rules",
    "/matches/{match_id}/deal",
    "/matches/{match_id}/tiles",
    "/matches/new",
    "/sets",
    "/sets/new",
    "/sets/import",
    "/sets/{set_id}",
    "/sets/{set_id}/teach",
    "/sets/{set_id}/export",
    "/sets/{set_id}/forget",
    "/sets/{set_id}/name",
    "/sets/{set_id}/pictures/1.png",
    "/sets/{set_id}/pictures/1/drop",
    "/sets/{set_id}/pictures/2/face",
    "/matches/{match_id}/die",
    "/matches/{match_id}/edit",
    "/matches/{match_id}/compare",
    "/matches/{match_id}/compare?hand={hand_id}",
    "/matches/{match_id}/count",
    "/matches/{match_id}/count?hand={hand_id}",
    "/matches/{match_id}/history",
    "/matches/{match_id}/history/1/undo",
    "/matches/{match_id}/archive",
    "/matches/{match_id}/share",
    "/matches/{match_id}/export.json",
    "/matches/{match_id}/export.csv",
    "/matches/{match_id}/others",
    "/matches/{match_id}/table",
    "/hands/{hand_id}",
    "/hands/{hand_id}/undone",
    "/photos/{photo_id}.jpg",
    "/v/{viewer_token}",
    "/api/openapi.json",
    "/static/x/../../y",
)


def odd_path(house: House, chance: random.Random) -> str:
    path = chance.choice(PAGES)
    known = house.names if chance.random() < 0.8 else dict.fromkeys(house.names, "%00..%2f")
    return path.format(**known)


def judge(report: Report, status: int, label: str) -> None:
    report.tried += 1
    report.expect(status < 500 or status in REFUSED, f"{label}: {status}")
