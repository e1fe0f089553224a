"""Every address of a server, with a request to each that the server would serve."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Flask
from werkzeug.test import encode_multipart

from scorer_app.web.pages.description import describe

from ..conftest import Scorer
from ..pictures import picture_of


@dataclass(frozen=True)
class Route:
    method: str
    path: str  # with <names>, or {names} as the description has them
    endpoint: str = ""

    def at(self, ids: dict[str, str]) -> str:
        return re.sub(r"[<{](?:[^<>{}]*:)?(\w+)[>}]", lambda found: ids[found[1]], self.path)

    @property
    def names(self) -> set[str]:
        return set(re.findall(r"[<{](?:[^<>{}]*:)?(\w+)[>}]", self.path))


def routes_of(app: Flask) -> list[Route]:
    """List all addresses of the application, and those of the API's description."""
    described = [
        Route(method.upper(), path)
        for path, methods in describe()["paths"].items()
        for method in methods
    ]
    built = [
        Route(method, rule.rule, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods or ())
        if method != "OPTIONS" and rule.endpoint != "static"
    ]
    assert len(described) > 15 and len(built) > 80
    return described + built


FORM_KIND = "application/x-www-form-urlencoded"
DELETE_MATCH = Route("POST", "/matches/<match_id>/delete")
EDITS = {"edits": [{"key": "k", "op": "add_tile", "side": "A", "place": "melds", "face": "J"}]}
# What the forms ask for, all together: each view takes its own.
FORM = {
    **{"side_a": "Robado", "side_b": "Robado", "players": "4", "ruleset": "burako"},
    **{"base_A": "1", "base_B": "1", "undone": "yes", "archived": "yes", "role": "scorer"},
    **{"side": "A", "place": "melds", "sure": "yes", "tile_set": ""},
}


@dataclass(frozen=True)
class Sent:
    """A request to a route, as any client could send it."""

    method: str
    url: str
    body: bytes | None = None
    kind: str | None = None  # of the body

    @classmethod
    def to(cls, route: Route, ids: dict[str, str]) -> Sent:
        """Make a request with everything that the route's view may ask for."""
        url = route.at(ids)
        if route.path.endswith("/edits"):
            return cls(route.method, url, json.dumps(EDITS).encode(), "application/json")
        if route.path.endswith("/photos"):
            photo = (io.BytesIO(picture_of("3R 4R 5R").data), "any.jpg")
            boundary, body = encode_multipart({**FORM, "photo": photo})
            return cls(route.method, url, body, f'multipart/form-data; boundary="{boundary}"')
        if route.method == "POST" and not route.path.startswith("/api/"):
            return cls(route.method, url, urlencode(FORM).encode(), FORM_KIND)
        return cls(route.method, url)


def alike(body: str) -> str:
    """Return a page without its token, which differs between any two answers."""
    return re.sub(r'(name="csrf" content=")[^"]*', r"\1", body)


def ask(device: Scorer, route: Route, ids: dict[str, str]) -> tuple[int, str]:
    """Return status and body of an answer, without the parts that differ at every request."""
    sent = Sent.to(route, ids)
    with device.client.open(
        sent.url,
        method=sent.method,
        headers=device.headers,
        data=sent.body,
        content_type=sent.kind,
    ) as answer:
        body = "" if answer.is_streamed and answer.status_code == 200 else answer.text
        return answer.status_code, alike(body)


def unknown_ids() -> dict[str, str]:
    made = {"match_id": "A" * 22, "hand_id": "B" * 22, "photo_id": "0" * 24}
    return {**made, "set_id": "C" * 22, "step_id": "1", "example_id": "1"} | {
        "viewer_token": "D" * 22,
        "scorer_token": "E" * 22,
    }
