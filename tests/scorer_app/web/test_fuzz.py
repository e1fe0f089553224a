"""Every address of the published description, asked by stranger, viewer and scorer with right and
wrong bodies, never answers with status 500.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from scorer_app.web.pages.description import REFUSALS, describe
from scorer_app.web.parts import parts_of
from scorer_app.web.roles import join_code

from ...examples import examples
from ..conftest import Scorer
from ..hands import CANASTA, send, when_read
from ..pictures import RecordedReader, picture_of

FROM_AFAR = {"REMOTE_ADDR": "192.168.1.66"}
DESCRIPTION = describe()
OPEN_TO_ALL = "/api/session"
CLOSED = {308, 401, 403, 404, 405}
Json = dict[str, Any]
seeded = settings(
    max_examples=examples(10),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["A", "melds", "t1", "r2", "7R", "new"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=10,
)
files = st.sampled_from([b"", b"\xff\xd8\xff", picture_of(CANASTA).data]) | st.binary(max_size=60)


def conforming(schema: Json) -> st.SearchStrategy[Any]:
    """Draw values that the schema allows, and now and then one that it forbids."""
    if "$ref" in schema:
        return conforming(DESCRIPTION["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of(*map(conforming, schema["anyOf"]))
    if "type" not in schema:
        return json_values
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return st.one_of(*(_of_kind(kind, schema) for kind in kinds))


def _of_kind(kind: str, schema: Json) -> st.SearchStrategy[Any]:
    if kind == "object":
        needed = {
            name: conforming(schema["properties"][name]) for name in schema.get("required", [])
        }
        others = {
            name: conforming(part) | json_values
            for name, part in schema["properties"].items()
            if name not in needed
        }
        return st.fixed_dictionaries(needed, optional=others)
    simple = {
        "string": st.sampled_from(["t1", "t2", "r2", "r4", "x5"]) | st.text(max_size=20),
        "integer": st.integers(-9, 9),
    }
    simple |= {"number": st.floats(allow_nan=False), "boolean": st.booleans(), "null": st.none()}
    if "prefixItems" in schema:
        return st.tuples(*map(conforming, schema["prefixItems"])).map(list)
    return (
        st.lists(conforming(schema["items"]), min_size=schema.get("minItems", 0), max_size=4)
        if kind == "array"
        else simple[kind]
    )


def requests(operation: Json) -> st.SearchStrategy[Json]:
    """Draw a request that a client sends: as the description has it, or anything."""
    content = operation.get("requestBody", {}).get("content", {})
    anything = st.fixed_dictionaries(
        {"data": st.binary(max_size=60), "content_type": st.sampled_from([*content, "text/plain"])}
    )
    described = [_described(kind, part["schema"]) for kind, part in content.items()]
    return st.one_of(anything, *described)


def _described(kind: str, schema: Json) -> st.SearchStrategy[Json]:
    if kind == "application/json":
        text = (conforming(schema) | json_values).map(json.dumps)
        return st.fixed_dictionaries({"data": text, "content_type": st.just(kind)})
    if kind == "multipart/form-data":
        texts = {
            name: st.text(max_size=8) | conforming(part)
            for name, part in schema["properties"].items()
            if name != "photo"
        }
        asked = {name: texts.pop(name) for name in schema["required"] if name in texts}
        fields = st.fixed_dictionaries({**asked, "photo": files}, optional=texts)
        return st.fixed_dictionaries({"data": fields, "content_type": st.just(kind)})
    return st.fixed_dictionaries({"data": files, "content_type": st.just(kind)})


@dataclass(frozen=True)
class Device:
    client: FlaskClient
    token: str

    def ask(self, method: str, path: str, sent: Json) -> TestResponse:
        data = sent.get("data")
        if isinstance(data, dict):
            data = {
                name: (io.BytesIO(part), "p.jpg") if isinstance(part, bytes) else part
                for name, part in data.items()
            }
        headers = {"X-CSRF-Token": self.token}
        return self.client.open(
            path,
            method=method,
            headers=headers,
            environ_overrides=FROM_AFAR,
            **{**sent, "data": data},
        )


@pytest.fixture
def known(app: Flask, reader: RecordedReader) -> dict[str, str]:
    """Return ids that exist: of a match, of one of its hands with tiles, of a photograph."""
    host = Scorer.of(app)
    hand = host.begin()
    send(host, hand, "A", "melds", reader.add(picture_of(CANASTA, "7B 7K 7Y")))
    view = when_read(host, hand)
    return {"hand_id": hand, "match_id": view["match"], "photo_id": view["photos"][0]["id"]}


def device(app: Flask) -> Device:
    client = app.test_client()
    return Device(
        client, client.get("/api/session", environ_overrides=FROM_AFAR).get_json()["csrf"]
    )


def stranger(app: Flask, _match: str) -> Device:
    return device(app)


def viewer(app: Flask, match: str) -> Device:
    link = parts_of(app).matches.tally(match).match.viewer_token
    watching = device(app)
    assert watching.client.get(f"/v/{link}", environ_overrides=FROM_AFAR).status_code == 200
    return watching


def scorer(app: Flask, _match: str) -> Device:
    joining = device(app)
    with app.app_context():
        code = join_code()
    form = {"csrf": joining.token, "code": code}
    assert joining.client.post("/join", data=form, environ_overrides=FROM_AFAR).status_code == 303
    return joining


@pytest.mark.parametrize("role", [stranger, viewer, scorer])
def test_no_request_breaks_the_server(
    app: Flask, known: Json, role: Callable[[Flask, str], Device]
) -> None:
    asking = role(app, known["match_id"])
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            open_here = role is scorer or path == OPEN_TO_ALL
            try_out(
                asking,
                known,
                path,
                method.upper(),
                operation,
                {200, 202, 204, 308} | REFUSALS if open_here else CLOSED,
            )


def try_out(
    asking: Device, known: Json, path: str, method: str, operation: Json, expected: set[int]
) -> None:
    names = st.fixed_dictionaries(
        {name: st.just(real) | st.text(min_size=1, max_size=12) for name, real in known.items()}
    )

    @seeded
    @given(
        names=names,
        sent=requests(operation),
        method=st.sampled_from([method, method, "PUT", "HEAD"]),
    )
    def ask(names: dict[str, str], sent: Json, method: str) -> None:
        answer = asking.ask(
            method,
            path.format(**{name: quote(text, safe="") for name, text in names.items()}),
            sent,
        )
        assert answer.status_code in expected, (method, path, answer.status_code)
        assert (
            answer.status_code not in REFUSALS or method == "HEAD" or answer.get_json()["message"]
        )
        answer.close()

    ask()


@pytest.fixture
def joined(app: Flask, known: Json) -> Device:
    return scorer(app, known["match_id"])


@settings(seeded, max_examples=examples(60))
@given(body=conforming(DESCRIPTION["components"]["schemas"]["Edits"]) | json_values)
def test_no_body_of_edits_breaks_a_hand(joined: Device, known: Json, body: Any) -> None:
    """Edits are tried more often, since they have many forms; afterwards the hand can still be
    shown.
    """
    address = f"/api/hands/{known['hand_id']}"
    answer = joined.ask(
        "POST", f"{address}/edits", {"data": json.dumps(body), "content_type": "application/json"}
    )
    assert answer.status_code in {200} | REFUSALS
    assert joined.ask("GET", address, {}).status_code == 200
