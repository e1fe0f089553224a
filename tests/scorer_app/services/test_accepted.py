"""Whatever is accepted from outside, an edit or an imported match, can be shown, scored and
exported again; anything else is refused.
"""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine.rulesets import RULESETS
from scorer_app.hand.edits import EDITS, apply, read_edit
from scorer_app.hand.fields import EditRefused, WrongField
from scorer_app.hand.record import FACES, Place, Record
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.exchange import MOST_DOUBTS, export_match, import_match
from scorer_app.services.hand_rows import find_hand
from scorer_app.store import HandState
from scorer_app.web.parts import parts_of

from ...examples import examples
from ..conftest import Scorer
from ..hands import delete_match, saved_hand
from .test_damaged import pages_of
from .test_exchange import json_values

seeded = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[*HealthCheck],
    max_examples=examples(25),
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
    """Check that every page of the match opens, and that an imported copy has the same score."""
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
    delete_match(app, twin.match.id)


def _without_photographs(record: Any) -> Any:
    """Return the record without what an exported match leaves out: photographs, and what only their
    next reading would need.
    """
    left_behind = {"serial": 0, "compared": [], "told_apart": [], "removed": []}
    here = {"photo": None, "corners": None, "confidence": None}
    tiles = {name: tile | here for name, tile in record["tiles"].items()}
    return record | left_behind | {"tiles": tiles}


def save_as_it_is(app: Flask, hand: str) -> None:
    """Save a hand without regard to the rule for saving, as an import does."""
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
        status = scorer.edit(hand, edit).status_code
        assert status in (200, 409, 422)
        if status == 200:  # nothing that is refused changes the page
            assert scorer.client.get(f"/hands/{hand}").status_code == 200
    end = {"op": "set_end", "end": "stock_exhausted", "closed_by": None}
    scorer.edit(hand, *([] if scorer.hand(hand)["closing"]["end"] else [end]))
    save_as_it_is(app, hand)
    match = scorer.hand(hand)["match"]
    assert_comes_back(app, scorer, match)
    delete_match(app, match)


faces = st.sampled_from(sorted(FACES))
some_alternatives = st.lists(st.tuples(faces, st.floats(-1, 2)), max_size=3)
a_face_or_none = st.none() | faces


@st.composite
def copies(draw: st.DrawFn) -> Any:
    """Draw an exported match of one hand: any tiles in any rows, read with any doubts, ended in any
    way.
    """
    tiles = {}
    for number in range(draw(st.integers(0, 12))):
        alternatives = draw(some_alternatives)
        doubts = {name: draw(st.booleans()) for name in ("doubtful", "perhaps_none", "confirmed")}
        face = draw(a_face_or_none)
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
        "kept_copies": draw(st.lists(faces, max_size=2) | st.dictionaries(faces, st.just(3))),
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
    delete_match(app, match)


@settings(seeded, max_examples=examples(120))
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
    delete_match(app, match)


def damage(place: Any, data: st.DataObject) -> None:
    """Put another value somewhere into nested JSON, in place."""
    while isinstance(place, dict | list) and place:
        key = data.draw(
            st.sampled_from(list(place) if isinstance(place, dict) else [*range(len(place))])
        )
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            place[key] = data.draw(plausible | json_values)
            return
        place = place[key]


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


def test_a_refused_edit_leaves_nothing_in_the_record() -> None:
    rules = TableRules.of("burako", {}, 4)
    with pytest.raises(EditRefused):
        apply(Record(), read_edit({"op": "set_end", "end": "close", "closed_by": "close"}), rules)
