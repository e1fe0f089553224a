"""What is damaged in the store is listed as damaged, can be exported and deleted, and harms nothing
else.
"""

from __future__ import annotations

import io
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.dataset import write_dataset
from scorer_app.services.photo_files import FolderPhotos
from scorer_app.services.sets import Sets
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import closed_hand, new_match, saved_hand, send, totals, when_read
from ..own_sets import example
from ..pictures import RecordedReader, picture_of

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


def write(app: Flask, table: str, name: str, /, **columns: Any) -> None:
    """Write columns into the database without the program, as a person with an editor or a fault of
    the disk would.
    """
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


def assert_told_as_damaged(scorer: Scorer, hand: str, written: str) -> None:
    """Check that the hand is shown as damaged: it counts among the damaged ones, its page and the
    API say so, it refuses taps, and its export is the text as it was written.
    """
    assert "no se pueden mostrar: 1" in scorer.client.get("/matches/statistics").text, written
    page = scorer.client.get(f"/hands/{hand}")
    assert page.status_code == 409 and "está dañado" in page.text, written
    for refused in (scorer.client.get(f"/api/hands/{hand}"), scorer.tap(hand, "A", "rack", "3R")):
        assert (refused.status_code, refused.get_json()["error"]) == (409, "damaged"), written
    assert scorer.client.get(f"/hands/{hand}/export.json").get_json()["record"] == written


def test_whatever_is_damaged_in_a_hand_it_is_told_and_exported_as_it_is(
    app: Flask, scorer: Scorer
) -> None:
    hand, match = saved_hand(scorer)
    record = json.loads(stored(app, hand, "record"))
    every = {name: broken(record, path) for name, path in BROKEN.items()}
    for name, written in (every | {written: written for written in NO_JSON}).items():
        write(app, "hand", hand, record=written)
        listed = scorer.client.get(f"/matches/{match}")
        assert (listed.status_code, DAMAGED in listed.text) == (200, True), name
        assert_told_as_damaged(scorer, hand, written)
    write(app, "hand", hand, record=json.dumps(record))
    assert_all_else_is_well(scorer, match, ["445", "−150"])


def test_a_photograph_that_is_sent_to_a_damaged_hand_is_kept(app: Flask, scorer: Scorer) -> None:
    hand, _match = saved_hand(scorer)
    write(app, "hand", hand, draft='{"tiles": 5}')
    answer = send(scorer, hand, "A", "melds", picture_of("3R 4R 5R"))
    assert (answer.status_code, answer.get_json()["error"]) == (409, "damaged")
    with parts_of(app).store.reading() as session:
        kept = text("SELECT count(*) FROM photo WHERE hand_id = :hand")
        assert session.scalar(kept, {"hand": hand}) == 1


@pytest.mark.parametrize("damage", ["no object", "a third side", "tiles that are a list", "{"])
def test_a_damaged_hand_is_listed_exported_and_deleted_and_takes_nothing_with_it(
    app: Flask, scorer: Scorer, damage: str
) -> None:
    good, match = saved_hand(scorer)
    hand, _match = saved_hand(scorer)
    record = json.loads(stored(app, hand, "record"))
    written = broken(record, BROKEN[damage]) if damage in BROKEN else damage
    write(app, "hand", hand, record=written)
    assert_all_else_is_well(scorer, match, ["445", "−150"])
    for page in (f"/matches/{match}", f"/matches/{match}/share"):
        assert DAMAGED in scorer.client.get(page).text
    picture = scorer.client.get(f"/matches/{match}/share").text.split('id="share-data">')[1]
    assert "No se cuentan manos que ac\\u00e1 no se pueden mostrar: 1." in picture
    assert_told_as_damaged(scorer, hand, written)
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
    [
        "",
        "NaN",
        "[" * 5000,
        "[]",
        '{"tiles": []}',
        '{"notices": 7}',
        '{"notices": {"too_dark": 1}}',
    ],
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


@pytest.mark.parametrize("moment", ["created", "saved"])
def test_a_hand_of_no_time_is_exported_with_its_match(
    app: Flask, scorer: Scorer, moment: str
) -> None:
    hand, match = saved_hand(scorer)
    write(app, "hand", hand, **{moment: "yesterday"})
    copy = scorer.client.get(f"/matches/{match}/export.json").get_json()
    assert copy["totals"] == {"A": 445, "B": -150}
    assert [one["record"]["closed_by"] for one in copy["hands"]] == ["A"]


@pytest.mark.parametrize(
    "columns",
    [
        {"used": "yesterday"},
        {"copies": "{"},
        {"copies": "7"},
        {"copies": '{"7R": "x"}'},
        {"copies": '{"14R": 1}'},
        {"name": b"\x00\xff"},
    ],
)
def test_a_damaged_set_of_tiles_takes_no_other_and_no_match_with_it(
    app: Flask, scorer: Scorer, sets: Sets, columns: dict[str, Any]
) -> None:
    good, bad = (sets.teach(name, [example("7R")]) for name in ("Entero", "Roto"))
    match = new_match(scorer, tile_set=good.id)
    write(app, "own_set", bad.id, **columns)
    assert [one.name for one in sets.listed()] == ["Entero"]
    parts_of(app).intake.jobs.start()
    for page in ("/", "/matches/new", f"/matches/{match}", f"/sets/{good.id}"):
        assert scorer.client.get(page, follow_redirects=True).status_code == 200
    assert scorer.client.get(f"/sets/{bad.id}").status_code == 404


@pytest.mark.parametrize("columns", [{"made": "yesterday"}, {"picture": "x"}, {"picture": 1.5}])
def test_a_damaged_picture_of_a_set_takes_no_other_with_it(
    scorer: Scorer, sets: Sets, columns: dict[str, Any]
) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8R")])
    (name,) = columns
    with sets.store.writing() as session:
        session.execute(text(f"UPDATE example SET {name} = :{name} WHERE face = '7R'"), columns)
    assert sets.load(kept.id).counts() == {"8R": 1}
    assert scorer.client.get(f"/sets/{kept.id}").status_code == 200
    assert sets.teach("Casa", [example("9R")]).version > kept.version


@pytest.mark.parametrize(
    ("table", "columns", "count"),
    [
        ("hand", {"created": "yesterday", "saved": "{"}, 2),
        ("match", {"created": "yesterday", "touched": ""}, 2),
        ("photo", {"received": "yesterday", "begun": "x"}, 2),
        ("photo", {"width": b"\x00\xff"}, 1),
    ],
)
def test_photographs_are_copied_with_their_labels_though_a_value_is_damaged(
    app: Flask,
    config: AppConfig,
    scorer: Scorer,
    reader: RecordedReader,
    tmp_path: Path,
    table: str,
    columns: dict[str, Any],
    count: int,
) -> None:
    hand = closed_hand(scorer)
    for row in ("3B 4B 5B", "3Y 4Y 5Y"):
        send(scorer, hand, "A", "melds", reader.add(picture_of(row)))
    view = when_read(scorer, hand)
    for name, tile in view["tiles"].items():
        if tile["photo"]:
            scorer.edit(hand, {"op": "set_tile", "tile": name, "face": tile["face"]})
    scorer.post(f"/api/hands/{hand}/save")
    names = {"hand": hand, "match": view["match"], "photo": view["photos"][0]["id"]}
    write(app, table, names[table], **columns)
    files = FolderPhotos(config.photo_dir)
    assert write_dataset(parts_of(app).store, files, tmp_path / "out") == count


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE photo SET received = 'yesterday'",
        "UPDATE setting SET value = '{' WHERE key = 'photo_days'",
        "UPDATE setting SET value = '\"x\"' WHERE key = 'clock_believed'",
    ],
)
def test_a_server_starts_although_it_cannot_tell_which_photographs_are_old(
    app: Flask, config: AppConfig, scorer: Scorer, reader: RecordedReader, statement: str
) -> None:
    hand, store = scorer.begin(), parts_of(app).store
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    store.set_setting("photo_days", 7)
    if "clock_believed" in statement:
        store.set_setting("clock_believed", "")
    with store.writing() as session:
        session.execute(text(statement))
    later = create_app(config, reader)
    assert later.test_client().get("/").status_code == 200
    parts_of(later).retention.look()
    assert parts_of(later).intake.count() == 1
    close(later)


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
