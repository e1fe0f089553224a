"""What is damaged in the store is listed as such, can be exported and deleted, and takes nothing
else with it; and nothing that is accepted from outside is of that kind.
"""

from __future__ import annotations

import io
import json
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from engine.rulesets import RULESETS
from scorer_app.config import AppConfig
from scorer_app.hand.edits import EDITS, apply, read_edit
from scorer_app.hand.fields import EditRefused, WrongField
from scorer_app.hand.record import FACES, Place, Record
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.exchange import MOST_DOUBTS, export_match, import_match
from scorer_app.services.hands import find_hand
from scorer_app.store import HandState
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..pictures import RecordedReader, picture_of
from ..web.test_hand_api import send, when_read
from .test_matches import closed_hand, json_values, new_match, saved_hand, totals

DAMAGED = "Dañada: no se puede mostrar ni contar."
# Written over a value of a good record, by the path to it; None in front: in place of the record.
BROKEN: dict[str, tuple[Any, ...]] = {
    "no object": ([],),
    "a closing by nobody there is": ("closed_by", "close"),
    "a closing of a hand whose stock ran out": ("end", "stock_exhausted"),
    "a third side": ("rows", 0, "side", "C"),
    "a face that no tile has": ("tiles", "t1", "face", "14R"),
    "a number for a text": ("tiles", "t1", "face", 7),
    "a text for a truth": ("tiles", "t1", "confirmed", "yes"),
    "a tile under another's id": ("tiles", "t1", "id", "t9"),
    "a tile in no row": ("rows", 0, "tiles", ["t1"]),
    "a row of tiles that are gone": ("rows", 0, "tiles", ["t1", "t77"]),
    "points too many": (
        "adjustments",
        [{"id": "x99", "side": "A", "points": 10**9, "reason": "x"}],
    ),
    "points in parts": ("adjustments", [{"id": "x99", "side": "A", "points": 1.5, "reason": "x"}]),
    "one muerto": ("muerto", {"A": True}),
    "a serial that was given out before": ("serial", 1),
    "corners of a triangle": ("tiles", "t1", "corners", [[0, 0], [1, 0], [1, 1]]),
    "rows that are an object": ("rows", {}),
    "tiles that are a list": ("tiles", []),
    "alternatives of nothing": ("tiles", "t1", "alternatives", [None]),
}
NO_JSON = ["", "{", "\\", "NaN", '{"serial": Infinity}', "[" * 5000, "3R 4R 5R"]


def broken(record: Any, path: tuple[Any, ...]) -> str:
    """Return the JSON of the record with one value replaced: `path` holds the keys that lead to it,
    and then the new value. A path of the value alone replaces the whole record.
    """
    found = deepcopy(record)
    if len(path) == 1:
        return json.dumps(path[0])
    *keys, last, value = path
    inner = found
    for key in keys:
        inner = inner[key]
    inner[last] = value
    return json.dumps(found)


def write(app: Flask, table: str, name: str, **columns: Any) -> None:
    """Write columns past the program, as a hand with an editor or a fault of the disk would."""
    assigned = ", ".join(f"{column} = :{column}" for column in columns)
    if table != "photo":
        assigned += ", version = version + 1"
    with parts_of(app).store.writing() as session:
        session.execute(
            text(f"UPDATE {table} SET {assigned} WHERE id = :id"),
            {"id": name, **columns},
        )


def stored(app: Flask, hand: str, column: str) -> Any:
    with parts_of(app).store.reading() as session:
        found = session.execute(text(f"SELECT {column} FROM hand WHERE id = :id"), {"id": hand})
        return found.scalar()


def pages_of(match: str) -> list[str]:
    parts = ("", "/rules", "/deal", "/share", "/others", "/export.csv", "/export.json")
    return ["/", "/matches/statistics", *(f"/matches/{match}{part}" for part in parts)]


def assert_all_else_is_well(scorer: Scorer, match: str, sums: list[str]) -> None:
    for page in pages_of(match):
        assert scorer.client.get(page).status_code == 200, page
    assert totals(scorer.client, match) == sums


@pytest.mark.parametrize(
    "path", [*BROKEN.values(), *NO_JSON], ids=[*BROKEN, *NO_JSON[:-2], "[[", "words"]
)
def test_a_damaged_hand_is_listed_exported_and_deleted_and_takes_nothing_with_it(
    app: Flask, scorer: Scorer, path: tuple[Any, ...] | str
) -> None:
    good, match = saved_hand(scorer)
    hand, _match = saved_hand(scorer)
    record = json.loads(stored(app, hand, "record"))
    written = path if isinstance(path, str) else broken(record, path)
    write(app, "hand", hand, record=written)
    assert_all_else_is_well(scorer, match, ["445", "−150"])
    for page in (f"/matches/{match}", f"/matches/{match}/share"):
        assert DAMAGED in scorer.client.get(page).text
    assert "no se pueden mostrar: 1" in scorer.client.get("/matches/statistics").text
    page = scorer.client.get(f"/hands/{hand}")
    assert page.status_code == 409 and "está dañado" in page.text
    for refused in (scorer.client.get(f"/api/hands/{hand}"), scorer.tap(hand, "A", "rack", "3R")):
        assert (refused.status_code, refused.get_json()["error"]) == (409, "damaged")
    assert scorer.client.get(f"/hands/{hand}/export.json").get_json()["record"] == written
    copy = scorer.client.get(f"/matches/{match}/export.json")
    assert [entry["record"] for entry in copy.get_json()["damaged"]] == [written]
    sent = scorer.form("/matches/import", file=(io.BytesIO(copy.data), "x.json"))
    assert totals(scorer.client, sent.headers["Location"].rsplit("/", 1)[1]) == ["445", "−150"]
    assert scorer.form(f"/hands/{good}/delete").status_code == 422
    assert scorer.form(f"/hands/{hand}/delete").status_code == 303
    assert DAMAGED not in scorer.client.get(f"/matches/{match}").text
    assert "damaged" not in scorer.client.get(f"/matches/{match}/export.json").get_json()
    assert saved_hand(scorer)[0] not in (good, hand)


@pytest.mark.parametrize("written", [broken({"a": 1}, ([],)), "{", '{"serial": NaN}'])
def test_a_damaged_draft_is_left_and_another_hand_is_begun(
    app: Flask, scorer: Scorer, written: str
) -> None:
    _good, match = saved_hand(scorer)
    hand = closed_hand(scorer)
    write(app, "hand", hand, draft=written)
    assert_all_else_is_well(scorer, match, ["445", "−150"])
    assert DAMAGED in scorer.client.get(f"/matches/{match}").text
    assert scorer.client.get(f"/hands/{hand}").status_code == 409
    assert scorer.begin() != hand
    assert scorer.form(f"/hands/{hand}/delete").status_code == 303
    assert DAMAGED not in scorer.client.get(f"/matches/{match}").text


def test_a_damaged_correction_is_given_up_and_the_hand_is_as_it_was_saved(
    app: Flask, scorer: Scorer
) -> None:
    hand, match = saved_hand(scorer)
    scorer.tap(hand, "B", "rack", "J")
    write(app, "hand", hand, draft="{")
    assert_all_else_is_well(scorer, match, ["445", "−150"])
    assert "La corrección empezada está dañada." in scorer.client.get(f"/matches/{match}").text
    assert f'action="/hands/{hand}/drop"' in scorer.client.get(f"/hands/{hand}").text
    assert scorer.form(f"/hands/{hand}/delete").status_code == 422
    scorer.form(f"/hands/{hand}/drop")
    assert scorer.hand(hand)["score"]["A"]["total"] == 445


def test_what_undoing_would_bring_back_damaged_is_not_brought_back(
    app: Flask, scorer: Scorer
) -> None:
    hand = scorer.begin()
    view = scorer.tap(hand, "A", "rack", "3R 4B").get_json()
    with parts_of(app).store.writing() as session:
        session.execute(text("UPDATE edit SET before = '{\"tiles\": 7}' WHERE key = 'edit-2'"))
    assert scorer.post(f"/api/hands/{hand}/undo").status_code == 409
    assert scorer.hand(hand) == view


@pytest.mark.parametrize(
    "reading",
    [*NO_JSON, "[]", "7", '{"tiles": []}', '{"notices": 7}', '{"notices": {"too_dark": 1}}'],
    ids=lambda text: text[:9] or "nothing",
)
def test_a_damaged_reading_of_a_photograph_costs_that_reading_alone(
    app: Flask, scorer: Scorer, reader: RecordedReader, reading: str
) -> None:
    _good, match = saved_hand(scorer)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    tiles = when_read(scorer, hand)["tiles"]
    (photo,) = scorer.hand(hand)["photos"]
    write(app, "photo", photo["id"], reading=reading)
    assert_all_else_is_well(scorer, match, ["445", "−150"])
    (shown,) = scorer.hand(hand)["photos"]
    assert (shown["state"], shown["can_retry"], shown["seconds"]) == ("failed", True, None)
    assert shown["text"].startswith("La lectura guardada de esta foto está dañada.")
    assert scorer.client.get(f"/hands/{hand}").status_code == 200
    assert scorer.tap(hand, "A", "rack", "9K").get_json()["tiles"].keys() > tiles.keys()
    assert scorer.client.get(f"/hands/{hand}/export.json").status_code == 200
    again = f"/api/hands/{hand}/photos/{photo['id']}/read"
    assert scorer.post(again).status_code == 202
    (mended,) = when_read(scorer, hand)["photos"]
    assert (mended["state"], mended["notices"]) == ("read", [])
    write(app, "photo", photo["id"], reading=reading)
    removed = scorer.client.delete(again.removesuffix("/read"), headers=scorer.headers)
    assert removed.status_code == 200 and removed.get_json()["photos"] == []


def test_a_photograph_that_came_at_no_time_costs_its_hand_alone(
    app: Flask, config: AppConfig, scorer: Scorer, reader: RecordedReader
) -> None:
    _good, match = saved_hand(scorer)
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = when_read(scorer, hand)["photos"]
    write(app, "photo", photo["id"], received="yesterday")
    assert_all_else_is_well(scorer, match, ["445", "−150"])
    path = f"/api/hands/{hand}/photos/{photo['id']}"
    for answer in (
        scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}),
        scorer.post(f"{path}/read"),
        scorer.client.delete(path, headers=scorer.headers),
    ):
        assert (answer.status_code, answer.get_json()["error"]) == (409, "damaged")
    assert "3R" in scorer.client.get(f"/hands/{hand}/export.json").get_json()["draft"]
    assert scorer.form(f"/hands/{hand}/delete").status_code == 303
    assert list(config.photo_dir.glob(f"{photo['id']}*")) == []
    assert scorer.begin() != hand


def test_what_a_reading_does_not_say_as_a_number_is_not_shown_as_seconds(
    app: Flask, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    (photo,) = when_read(scorer, hand)["photos"]
    write(app, "photo", photo["id"], reading='{"notices": [], "seconds": {"total": "long"}}')
    (shown,) = scorer.hand(hand)["photos"]
    assert (shown["state"], shown["seconds"]) == ("read", None)


@pytest.mark.parametrize(
    "columns",
    [
        {"options": "{"},
        {"options": "[]"},
        {"options": '{"target": "many"}'},
        {"options": '{"hand_size": 30}'},
        {"players": 3},
        {"players": "four"},
        {"player_names": "7"},
        {"player_names": "[null]"},
        {"created": "yesterday"},
        {"first_player": "me"},
    ],
)
def test_a_damaged_match_is_listed_exported_and_deleted_and_takes_nothing_with_it(
    app: Flask, scorer: Scorer, columns: dict[str, Any]
) -> None:
    _hand, good = saved_hand(scorer)
    bad = new_match(scorer, side_a="Rotos")
    hand = scorer.begin(bad)
    scorer.tap(hand, "A", "rack", "3R")
    write(app, "match", bad, **columns)
    assert_all_else_is_well(scorer, good, ["445", "−150"])
    home = scorer.client.get("/").text
    assert "Rotos" in home and DAMAGED in home
    page = scorer.client.get(f"/matches/{bad}")
    assert page.status_code == 409 and f'action="/matches/{bad}/delete"' in page.text
    assert scorer.client.get(f"/hands/{hand}").status_code in (200, 409)
    copy = scorer.client.get(f"/matches/{bad}/export.json")
    assert "3R" in copy.get_json()["damaged"][0]["draft"]
    refused = scorer.form("/matches/import", file=(io.BytesIO(copy.data), "x.json"))
    assert refused.status_code == 422
    assert scorer.hand(scorer.begin())["match"] == good
    assert scorer.form(f"/matches/{bad}/delete").status_code == 303
    assert "Rotos" not in scorer.client.get("/").text
    assert scorer.client.get(f"/matches/{bad}").status_code == 404


def test_a_closing_by_nobody_is_refused_wherever_it_comes_in(scorer: Scorer) -> None:
    hand, match = saved_hand(scorer)
    refused = scorer.edit(hand, {"op": "set_end", "end": "stock_exhausted", "closed_by": "close"})
    assert refused.status_code == 422
    copy = scorer.client.get(f"/matches/{match}/export.json").get_json()
    copy["hands"][0]["record"] |= {"end": "stock_exhausted", "closed_by": "close"}
    sent = {"file": (io.BytesIO(json.dumps(copy).encode()), "x.json")}
    assert scorer.form("/matches/import", **sent).status_code == 422
    assert scorer.client.get("/").text.count('class="match-line"') == 1


def test_a_copy_with_thousands_of_tiles_in_doubt_is_refused(scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    copy = scorer.client.get(f"/matches/{match}/export.json").get_json()
    unread = {f"t{number}": {"id": f"t{number}", "face": None} for number in range(100)}
    row = {"id": "r200", "side": "A", "place": "rack", "tiles": [*unread]}
    record = copy["hands"][0]["record"] | {"tiles": unread, "rows": [row]}
    for hands, status in ((MOST_DOUBTS // 100 + 1, 422), (1, 303)):
        copy["hands"] = [{"record": record}] * hands
        sent = {"file": (io.BytesIO(json.dumps(copy).encode()), "x.json")}
        assert scorer.form("/matches/import", **sent).status_code == status
    assert scorer.client.get("/").text.count('class="match-line"') == 2


# --- whatever is accepted ---

seeded = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[*HealthCheck],
    max_examples=40,
    phases=[Phase.explicit, Phase.generate],  # a failing example is short enough as it is
)
plausible = st.sampled_from(
    [None, True, False, 0, 1, 3, 12, 4.0, "A", "B", "close", "stock_exhausted", "new", "casa"]
    + [*Place, *(f"{letter}{number}" for letter in "trx" for number in range(1, 12))]
    + [*sorted(FACES)]
)
FIELDS = """tile face row side place into at index end closed_by taken played points reason accepted
    adjustment corners photo"""
fields = st.sampled_from(FIELDS.split())
edits = st.builds(
    lambda name, given: given | {"op": name},
    st.sampled_from(sorted(EDITS)),
    st.dictionaries(fields, plausible | json_values, min_size=2, max_size=6),
)


def assert_comes_back(app: Flask, scorer: Scorer, match: str) -> None:
    """Every page of the match shows it, and its copy is imported with the same score."""
    matches = parts_of(app).matches
    for page in pages_of(match):
        assert scorer.client.get(page).status_code == 200, page
    tally = matches.tally(match)
    assert not tally.left_out
    for line in tally.lines:
        assert scorer.client.get(f"/hands/{line.hand_id}").status_code == 200
    copy = scorer.client.get(f"/matches/{match}/export.json")
    again = json.loads(copy.data, parse_constant=pytest.fail)
    twin = matches.tally(import_match(matches, again))
    assert [line.score for line in twin.lines] == [line.score for line in tally.lines]
    for hand, back in zip(
        again["hands"], export_match(matches, twin.match.id)["hands"], strict=True
    ):
        assert _without_photographs(back["record"]) == _without_photographs(hand["record"])
    matches.delete(twin.match.id)


def _without_photographs(record: Any) -> Any:
    """Photographs do not travel with a match, nor does what only their next reading would need."""
    left_behind = {"serial": 0, "compared": [], "told_apart": [], "removed": []}
    here = {"photo": None, "corners": None, "confidence": None}
    tiles = {name: tile | here for name, tile in record["tiles"].items()}
    return record | left_behind | {"tiles": tiles}


def save_as_it_is(app: Flask, hand: str) -> None:
    """Save a hand past the rule for saving one, as an import does."""
    with parts_of(app).store.writing() as session:
        found = find_hand(session, hand)
        found.record, found.draft, found.state = found.draft, None, HandState.SAVED
        found.version += 1
        found.match.version += 1


@seeded
@given(made=st.lists(edits, max_size=12))
def test_whatever_the_edits_accept_is_shown_scored_exported_and_imported_again(
    app: Flask, scorer: Scorer, made: list[dict[str, Any]]
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", "3R 4R 5R 9K")
    for edit in made:
        assert scorer.edit(hand, edit).status_code in (200, 409, 422)
        assert scorer.client.get(f"/hands/{hand}").status_code == 200
    end = {"op": "set_end", "end": "stock_exhausted", "closed_by": None}
    scorer.edit(hand, *([] if scorer.hand(hand)["closing"]["end"] else [end]))
    save_as_it_is(app, hand)
    match = scorer.hand(hand)["match"]
    assert_comes_back(app, scorer, match)
    parts_of(app).matches.delete(match)


@st.composite
def copies(draw: st.DrawFn) -> Any:
    """An exported match of one hand: any tiles in any rows, read with any doubts, ended anyhow."""
    faces = st.sampled_from(sorted(FACES))
    tiles = {}
    for number in range(draw(st.integers(0, 12))):
        alternatives = draw(st.lists(st.tuples(faces, st.floats(-1, 2)), max_size=3))
        doubts = {name: draw(st.booleans()) for name in ("doubtful", "perhaps_none", "confirmed")}
        face = draw(st.none() | faces)
        tiles[f"t{number}"] = {
            "id": f"t{number}",
            "face": face,
            "alternatives": alternatives,
        } | doubts
    rows: list[Any] = []
    for name in tiles:
        if not rows or draw(st.integers(0, 3)) == 0:
            flags = {flag: draw(st.booleans()) for flag in ("accepted", "ordered", "user_arranged")}
            side, place = draw(st.sampled_from("AB")), draw(st.sampled_from([*Place]))
            rows.append(
                {"id": f"r{len(rows) + 20}", "side": side, "place": place, "tiles": []} | flags
            )
        rows[-1]["tiles"].append(name)
    closed_by = draw(st.sampled_from([None, "A", "B"]))
    taken = st.sampled_from([None, True, False])
    record = {
        "tiles": tiles,
        "rows": rows,
        "adjustments": [
            {"id": "x90", "side": "A", "points": draw(st.integers(-9, 9)), "reason": "r"}
        ],
        "end": "close" if closed_by else "stock_exhausted",
        "closed_by": closed_by,
        "muerto": {"A": draw(taken), "B": draw(taken)},
        "muerto_unplayed": draw(st.lists(st.sampled_from("AB"), unique=True)),
        "kept_copies": draw(st.lists(faces, max_size=2)),
    }
    match = {
        "side_a": draw(st.sampled_from(["A", "Nosotros", "\u202e{{7*7}}", "=1+1"])),
        "side_b": "B",
        "players": draw(st.sampled_from([2, 4])),
        "player_names": draw(st.lists(st.sampled_from(["", "Ana", "<b>"]), max_size=4)),
        "ruleset": draw(st.sampled_from([*RULESETS])),
        "options": draw(
            st.fixed_dictionaries(
                {}, optional={"target": st.integers(1, 9), "void_without_canasta": st.booleans()}
            )
        ),
        "first_player": draw(st.sampled_from([None, 0, 1])),
    }
    hands = [{"undone": draw(st.booleans()), "record": record}]
    return {"format": "burako-match", "version": 1, "match": match, "hands": hands}


@seeded
@given(copy=copies())
def test_whatever_the_import_accepts_is_shown_scored_exported_and_imported_again(
    app: Flask, scorer: Scorer, copy: Any
) -> None:
    match = import_match(parts_of(app).matches, json.loads(json.dumps(copy)))
    assert_comes_back(app, scorer, match)
    parts_of(app).matches.delete(match)


@settings(seeded, max_examples=300)
@given(copy=copies(), data=st.data())
def test_an_altered_copy_is_refused_or_as_good_as_any(
    app: Flask, scorer: Scorer, copy: Any, data: st.DataObject
) -> None:
    altered = json.loads(json.dumps(copy))
    damage(altered, data)
    try:
        match = import_match(parts_of(app).matches, altered)
    except WrongField:
        return
    assert_comes_back(app, scorer, match)
    parts_of(app).matches.delete(match)


def damage(place: Any, data: st.DataObject) -> None:
    """Put another value somewhere in nested JSON."""
    while isinstance(place, dict | list) and place:
        key = data.draw(
            st.sampled_from(list(place) if isinstance(place, dict) else [*range(len(place))])
        )
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            place[key] = data.draw(plausible | json_values)
            return
        place = place[key]


def test_a_refused_edit_leaves_nothing_in_the_record() -> None:
    rules = TableRules.of("burako", {}, 4)
    with pytest.raises(EditRefused):
        apply(Record(), read_edit({"op": "set_end", "end": "close", "closed_by": "close"}), rules)
