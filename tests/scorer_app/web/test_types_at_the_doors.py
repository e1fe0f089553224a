"""Every value of a wrong type that comes from outside is refused with a sentence that names its
field.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer_app.hand.edits import EDITS
from scorer_app.hand.record import FACES
from scorer_app.texts.languages import LANGUAGES

from ..conftest import Scorer, scoring
from ..hands import new_match, saved_hand

HUGE = "1" + "0" * 400
TAP = {"op": "add_tile", "side": "A", "place": "rack", "face": "7R"}
FINE = {"op": "add_adjustment", "side": "A", "points": 5, "reason": "house"}
# As JSON text, for not every wrong value can be written by a JSON library.
WRONG_EDITS = [
    (FINE, "points", "4.0"),
    (FINE, "points", "true"),
    (FINE, "points", '"5"'),
    (FINE, "points", "null"),
    (FINE, "points", HUGE),
    (FINE, "points", "0"),
    (FINE, "reason", '"   "'),
    (FINE, "reason", "7"),
    (FINE, "reason", '""'),
    (FINE, "side", '"C"'),
    (FINE, "weather", '"rain"'),
    (TAP, "face", '"7R\\n"'),
    (TAP, "face", '"14R"'),
    (TAP, "place", "0"),
    (TAP, "index", "0.0"),
    (TAP, "index", "-1"),
    (TAP, "corners", f"[[0,0],[1,0],[1,1],[0,{HUGE}]]"),
    (TAP, "corners", "[[0,0],[1,0],[1,1]]"),
    (TAP, "photo", '""'),
    ({"op": "accept_row", "row": "r1"}, "accepted", "1"),
    ({"op": "set_muerto", "side": "A"}, "taken", "0"),
    ({"op": "set_muerto", "side": "A"}, "played", '"yes"'),
    ({"op": "set_end", "end": "stock_exhausted"}, "closed_by", '"close"'),
    ({"op": "split_row", "row": "r1"}, "at", "true"),
]
NO_JSON = ["NaN", "1e999", "Infinity", '"\\ud800"', "1e99999999999", "[" * 10_000, "01", "'a'"]


@pytest.fixture(scope="module")
def begun(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> Iterator[tuple[Scorer, str]]:
    """A scorer and a hand, shared by all tests whose edits are refused, since these leave it as it
    is.
    """
    with scoring(tmp_path_factory.mktemp("begun"), empty_database) as scorer:
        yield scorer, scorer.begin()


@pytest.fixture(scope="module")
def exported(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> Iterator[tuple[Scorer, bytes]]:
    """A scorer with one match, and its exported copy, shared by all tests whose altered copies are
    refused.
    """
    with scoring(tmp_path_factory.mktemp("exported"), empty_database) as scorer:
        _hand, match = saved_hand(scorer)
        yield scorer, scorer.client.get(f"/matches/{match}/export.json").data


def sent(scorer: Scorer, address: str, text: str, **headers: str) -> Any:
    return scorer.client.post(
        address,
        data=text,
        content_type="application/json",
        headers={"X-CSRF-Token": scorer.token, **headers},
    )


@pytest.mark.parametrize(("edit", "field", "value"), WRONG_EDITS)
def test_a_wrong_field_of_an_edit_is_named(
    begun: tuple[Scorer, str], edit: dict[str, Any], field: str, value: str
) -> None:
    scorer, hand = begun
    before = scorer.hand(hand)
    good = json.dumps({"key": "k", **{name: edit[name] for name in edit if name != field}})
    text = f'{{"edits": [{{"key": "a", "op": "set_end"}}, {good[:-1]}, "{field}": {value}}}]}}'
    for language in LANGUAGES:
        refused = sent(scorer, f"/api/hands/{hand}/edits", text, **{"Accept-Language": language})
        assert (refused.status_code, refused.get_json()["error"]) == (422, "bad_value")
        assert re.search(rf"[«“](edits\[1\]\.)?{field}(\[\d\])*[»”]", refused.get_json()["message"])
    assert scorer.hand(hand) == before


@pytest.mark.parametrize("value", NO_JSON)
def test_what_is_no_json_is_refused(begun: tuple[Scorer, str], value: str) -> None:
    scorer, hand = begun
    text = f'{{"edits": [{{"key": "k", "op": "add_tile", "face": {value}}}]}}'
    refused = sent(scorer, f"/api/hands/{hand}/edits", text)
    assert (refused.status_code, refused.get_json()["message"]) == (422, "El pedido no es JSON.")


@pytest.mark.parametrize(
    ("field", "value"), [("version", "1.0"), ("version", '"1"'), ("with_doubts", "1"), ("all", "1")]
)
def test_a_wrong_field_of_saving_is_named(
    begun: tuple[Scorer, str], field: str, value: str
) -> None:
    scorer, hand = begun
    refused = sent(scorer, f"/api/hands/{hand}/save", f'{{"{field}": {value}}}')
    assert refused.status_code == 422 and f"«{field}»" in refused.get_json()["message"]


WRONG_COPIES = [
    ("match.players", "2.0"),
    ("match.players", "true"),
    ("match.players", "3"),
    ("match.players", HUGE),
    ("match.side_a", '" "'),
    ("match.side_a", "7"),
    ("match.side_b", '"\\u0000\\u001b"'),
    ("match.player_names", '["a", null]'),
    ("match.first_player", "4"),
    ("match.first_player", "0.0"),
    ("match.ruleset", '"canasta"'),
    ("match.options", '{"target": 1.5}'),
    ("match.options", '{"weather": 1}'),
    ("match.weather", "1"),
    ("version", "1.0"),
    ("hands[0].undone", "0"),
    ("hands[0].record.closed_by", '"close"'),
    ("hands[0].record.end", "null"),
    ("hands[0].record.muerto", "{}"),
    ("hands[0].record.weather", "1"),
]


@pytest.mark.parametrize(("path", "value"), WRONG_COPIES)
def test_a_wrong_field_of_an_imported_match_is_named(
    exported: tuple[Scorer, bytes], path: str, value: str
) -> None:
    scorer, good = exported
    place = copy = json.loads(good)
    *keys, last = re.findall(r"\w+", path)
    for key in keys:
        place = place[int(key) if key.isdigit() else key]
    place[last] = "@@"
    text = json.dumps(copy).replace('"@@"', value).encode()
    refused = scorer.form("/matches/import", file=(io.BytesIO(text), "x.json"))
    assert refused.status_code == 422
    named = re.search("«(.*?)»", refused.text)
    assert named and named.group(1).startswith((path, path.rpartition(".")[0]))
    assert scorer.client.get("/").text.count('class="match-line"') == 1


def test_a_copy_with_the_mark_that_windows_puts_before_text_comes_in(scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    copy = scorer.client.get(f"/matches/{match}/export.json").data
    file = io.BytesIO(b"\xef\xbb\xbf" + copy)
    assert scorer.form("/matches/import", file=(file, "x.json")).status_code == 303


def test_the_description_knows_every_operation_and_its_fields(scorer: Scorer) -> None:
    schemas = scorer.client.get("/api/openapi.json").get_json()["components"]["schemas"]
    for name, kind in EDITS.items():
        described = schemas[kind.__name__]
        assert described["properties"]["op"] == {"enum": [name]}
        assert set(described["properties"]) == {"key", "op", *kind.__struct_fields__}
        assert described["additionalProperties"] is False
    assert len(schemas["Edits"]["properties"]["edits"]["items"]["anyOf"]) == len(EDITS)
    pattern = schemas["SetTile"]["properties"]["face"]["pattern"]
    faces = [f"{number}{colour}" for number in range(20) for colour in "RYBKX"] + ["J", "JR", ""]
    assert {face for face in faces if re.search(pattern, face)} == FACES


@pytest.mark.parametrize(
    ("named", "asked"),
    [
        ("state", {"watch", "version", "event"}),
        ("picture.jpg", {"after"}),
        ("settled.jpg", set()),
        ("thumbnail.jpg", {"watch", "event"}),
    ],
)
def test_the_description_knows_what_is_asked_and_answered_about_a_table(
    scorer: Scorer, named: str, asked: set[str]
) -> None:
    path = f"/api/live/{{match_id}}/{named}"
    described = scorer.client.get("/api/openapi.json").get_json()["paths"][path]["get"]
    in_query = {one["name"] for one in described["parameters"] if one["in"] == "query"}
    answer = scorer.client.get(path.format(match_id=new_match(scorer)))
    assert (in_query, str(answer.status_code) in described["responses"]) == (asked, True)
