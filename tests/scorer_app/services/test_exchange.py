"""Matches exported and imported again have the same tally, and anything that is no export is
refused.
"""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from scorer_app.hand.fields import WrongField
from scorer_app.services.exchange import export_match, import_match
from scorer_app.store import Match
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, closing, taps
from ..hands import CANASTA, closed_hand, new_match, saved_hand, send, totals, when_read
from ..pictures import RecordedReader, picture_of

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


def test_a_match_copied_out_comes_in_with_the_same_tally(scorer: Scorer) -> None:
    undone, match = saved_hand(scorer)
    saved_hand(scorer, {"op": "add_adjustment", "side": "B", "points": -30, "reason": "multa"})
    scorer.form(f"/hands/{undone}/undone", undone="yes")
    copy = scorer.client.get(f"/matches/{match}/export.json").data
    sent = scorer.client.post(
        "/matches/import",
        data={"csrf": scorer.token, "file": (io.BytesIO(copy), "x.json")},
        content_type="multipart/form-data",
    )
    twin = sent.headers["Location"].rsplit("/", 1)[1]
    assert twin != match
    assert totals(scorer.client, twin) == totals(scorer.client, match) == ["445", "−180"]
    first, second = (
        json.loads(scorer.client.get(f"/matches/{name}/export.json").data) for name in (match, twin)
    )
    assert first["hands"][1]["record"]["rows"] == second["hands"][1]["record"]["rows"]
    assert scorer.client.get(f"/matches/{match}/export.csv").text.count("\n") == 3


@pytest.mark.parametrize("ending", ["json", "csv"])
@pytest.mark.parametrize(
    ("side_a", "side_b", "sides"),
    [
        ("Los Pérez", 'Ñato & "Cía"; ../x', "los-perez-nato-cia-x"),
        ("Мы", "玩家\r", ""),
    ],
)
def test_a_file_of_a_match_is_named_after_the_sides_and_the_day(
    scorer: Scorer, side_a: str, side_b: str, sides: str, ending: str
) -> None:
    match = new_match(scorer, side_a=side_a, side_b=side_b)
    head = scorer.client.get(f"/matches/{match}/export.{ending}").headers["Content-Disposition"]
    name = f"burako-{sides}-" if sides else "burako-"
    assert re.fullmatch(rf'attachment; filename="{name}\d{{4}}-\d\d-\d\d\.{ending}"', head)


def test_a_copy_is_told_beside_the_match_whose_photographs_it_lacks(
    scorer: Scorer, reader: RecordedReader
) -> None:
    hand = closed_hand(scorer)
    send(
        scorer, hand, "B", "melds", reader.add(picture_of("3B 4B 5B", doubts={"5B": ["5B", "6B"]}))
    )
    when_read(scorer, hand)
    match = scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True}).get_json()["match"]
    copy = scorer.client.get(f"/matches/{match}/export.json").data
    assert b"confidence" in copy
    sent = brought_in(scorer, copy)
    assert f'href="/matches/{match}"' in scorer.client.get(sent.headers["Location"]).text


def test_a_newer_or_older_copy_of_a_match_is_told_as_what_it_is(scorer: Scorer) -> None:
    """Only a copy that has nothing of its own can be deleted where it is told."""
    _hand, match = saved_hand(scorer)
    older = scorer.client.get(f"/matches/{match}/export.json").data
    newer = json.loads(older)
    newer["hands"] *= 2
    other = json.loads(older)
    other["match"] |= {"side_a": "Ana", "options": {"target": 3000}}
    told = []
    for copy in (newer, other):
        page = told_of_twin(scorer, json.dumps(copy).encode())
        told.append(page)
        assert f'href="/matches/{match}"' in page and "Borrar la copia" not in page
        scorer.form(f"/matches/{page.partition('|')[0]}/delete")
    play_on(scorer, match)
    page = told_of_twin(scorer, older)
    assert f'href="/matches/{match}"' in page and "Borrar la copia" in page
    sentences = [re.findall(r"<p>(.+?)</p>", one)[0] for one in (*told, page)]
    assert sentences == [
        "Esta partida ya estaba acá, con menos manos: la traída es una copia que tiene más.",
        "Esta partida ya estaba acá: la traída es una copia con otros nombres, reglas o manos.",
        "Esta partida ya estaba acá, con más manos: la traída es una copia que tiene menos.",
    ]


def test_a_copy_that_was_played_on_cannot_be_deleted_where_its_twin_is_told(
    scorer: Scorer,
) -> None:
    _hand, match = saved_hand(scorer)
    exported = scorer.client.get(f"/matches/{match}/export.json").data
    copy = brought_in(scorer, exported).headers["Location"]
    assert "Borrar la copia" in scorer.client.get(copy).text
    scorer.begin(copy.rsplit("/", 1)[1])
    assert "Borrar la copia" not in scorer.client.get(copy).text  # it would take the new hand along
    play_on(scorer, copy.rsplit("/", 1)[1])
    page = scorer.client.get(copy).text
    assert "con menos manos" in page and "Borrar la copia" not in page


def play_on(scorer: Scorer, match: str) -> None:
    hand = scorer.begin(match)
    scorer.edit(hand, *taps("A", "melds", CANASTA), *closing())
    scorer.post(f"/api/hands/{hand}/save", json={"with_doubts": True})


def told_of_twin(scorer: Scorer, copy: bytes) -> str:
    """Import a copy, and return its id and, after a `|`, what its page says of its twin."""
    address = brought_in(scorer, copy).headers["Location"]
    page = scorer.client.get(address).text
    return address.rsplit("/", 1)[1] + "|" + page.partition('id="twin">')[2].partition("</form>")[0]


def test_a_copy_comes_in_beside_a_match_of_the_same_names_that_cannot_be_shown(
    app: Flask, scorer: Scorer
) -> None:
    _hand, match = saved_hand(scorer)
    copy = scorer.client.get(f"/matches/{match}/export.json").data
    with parts_of(app).store.writing() as session:
        session.execute(update(Match).values(ruleset="unknown", version=9))
    assert brought_in(scorer, copy).status_code == 303


def brought_in(scorer: Scorer, copy: bytes) -> Any:
    """Import a copy by the page's form, and return the server's answer."""
    return scorer.client.post(
        "/matches/import",
        data={"csrf": scorer.token, "file": (io.BytesIO(copy), "x.json")},
        content_type="multipart/form-data",
    )


def test_the_first_page_goes_on_with_the_match_itself_until_somebody_plays_on_its_copy(
    scorer: Scorer,
) -> None:
    _hand, match = saved_hand(scorer)
    exported = scorer.client.get(f"/matches/{match}/export.json").data
    copy = brought_in(scorer, exported).headers["Location"].rsplit("/", 1)[1]
    assert going_on(scorer) == match
    scorer.begin(copy)
    assert going_on(scorer) == copy


def test_the_first_page_goes_on_with_a_copy_where_the_match_itself_is_not_listed(
    scorer: Scorer,
) -> None:
    _hand, match = saved_hand(scorer)
    exported = scorer.client.get(f"/matches/{match}/export.json").data
    copies = [brought_in(scorer, exported).headers["Location"].rsplit("/", 1)[1] for _ in range(2)]
    scorer.form(f"/matches/{match}/archive", archived="yes")
    assert going_on(scorer) in copies  # neither has been played on: they are alike


def going_on(scorer: Scorer) -> str:
    """Return the id of the match whose score stands at the top of the first page."""
    found = re.search(r'class="big-score" href="/matches/([^"]+)"', scorer.client.get("/").text)
    assert found is not None
    return found[1]


def test_a_copy_of_a_match_of_cards_is_one_too_and_one_without_a_word_is_of_tiles(
    app: Flask, scorer: Scorer
) -> None:
    matches = parts_of(app).matches
    of_cards = new_match(scorer, ruleset="burraco_it", pieces="cards")
    copy = scorer.client.get(f"/matches/{of_cards}/export.json").get_json()
    assert copy["match"]["pieces"] == "cards"
    assert matches.tally(import_match(matches, copy)).match.pieces == "cards"
    del copy["match"]["pieces"]
    assert matches.tally(import_match(matches, copy)).match.pieces == "tiles"
    with pytest.raises(WrongField, match="pieces"):
        import_match(matches, copy | {"match": copy["match"] | {"pieces": "dominoes"}})


def test_a_copy_does_not_name_the_browsers_on_which_tiles_were_tapped_in(
    app: Flask, scorer: Scorer
) -> None:
    hand = scorer.begin()
    laid = [one | {"by": "phone-of-ana"} for one in taps("A", "melds", CANASTA)]
    scorer.edit(hand, *laid, *closing())
    assert [row["by"] for row in scorer.hand(hand)["rows"]] == ["phone-of-ana"]
    match = scorer.post(f"/api/hands/{hand}/save").get_json()["match"]
    copy = scorer.client.get(f"/matches/{match}/export.json")
    assert copy.status_code == 200 and b"phone-of-ana" not in copy.data
    assert [row["by"] for row in scorer.hand(hand)["rows"]] == ["phone-of-ana"]
    earlier = copy.get_json()  # as earlier versions wrote it
    for row in earlier["hands"][0]["record"]["rows"]:
        row["by"] = "phone-of-ana"
    for data in (copy.get_json(), earlier):
        twin = import_match(parts_of(app).matches, data)
        assert b"phone-of-ana" not in scorer.client.get(f"/matches/{twin}/export.json").data
        assert totals(scorer.client, twin) == totals(scorer.client, match)


def test_names_of_a_copy_do_not_turn_the_writing_around_them(app: Flask, scorer: Scorer) -> None:
    matches = parts_of(app).matches
    copy = scorer.client.get(f"/matches/{new_match(scorer)}/export.json").get_json()
    copy["match"] |= {"side_a": "\u202eAna  y Beto", "player_names": ["Ana\u2067", "", "", ""]}
    match = matches.tally(import_match(matches, copy)).match
    assert (match.side_a, match.player_names) == ("Ana y Beto", ["Ana", "", "", ""])
    for unseen in ("", " ", "\x00\x1b", "\u202e", "\u200b\u200f", "\u3164"):
        copy["match"]["side_b"] = unseen
        with pytest.raises(WrongField) as refused:
            import_match(matches, copy)
        assert refused.value.field == "match.side_b"


def test_control_characters_in_names_of_a_copy_are_taken_out_as_of_typed_ones(
    app: Flask, scorer: Scorer
) -> None:
    matches = parts_of(app).matches
    odd = {"side_a": "Ana\x00y\x1b Beto\x7f", "side_b": "\tVisitas\r\n", "player_0": "\x07Ana\x00"}
    typed = matches.tally(new_match(scorer, **odd)).match
    copy = scorer.client.get(f"/matches/{new_match(scorer)}/export.json").get_json()
    seats = [odd["player_0"], "", "", ""]
    copy["match"] |= {"side_a": odd["side_a"], "side_b": odd["side_b"], "player_names": seats}
    match = matches.tally(import_match(matches, copy)).match
    assert (match.side_a, match.side_b) == (typed.side_a, typed.side_b) == ("Ana y Beto", "Visitas")
    assert match.player_names == typed.player_names == ["Ana", "", "", ""]


def test_a_reason_of_a_copy_does_not_turn_the_points_beside_it(app: Flask, scorer: Scorer) -> None:
    matches = parts_of(app).matches
    multa = {"op": "add_adjustment", "side": "B", "points": -30, "reason": "multa"}
    _hand, match = saved_hand(scorer, multa, multa)
    copy = scorer.client.get(f"/matches/{match}/export.json").get_json()
    first, second = copy["hands"][0]["record"]["adjustments"]
    first["reason"], second["reason"] = "\u202emulta\u0000", "\u202e"
    kept = export_match(matches, import_match(matches, copy))["hands"][0]["record"]
    assert [item["reason"] for item in kept["adjustments"]] == ["multa", "?"]


def test_a_copy_that_deals_more_tiles_than_there_are_is_refused_in_a_sentence(
    scorer: Scorer,
) -> None:
    match = new_match(scorer)
    copy = json.loads(scorer.client.get(f"/matches/{match}/export.json").data)
    copy["match"]["options"] = {"hand_size": 30}
    refused = scorer.form("/matches/import", file=(io.BytesIO(json.dumps(copy).encode()), "x.json"))
    assert refused.status_code == 422
    assert "Ese archivo es una partida guardada por Burako, pero está dañado." in refused.text
    assert "«match.options»" in refused.text


@pytest.mark.parametrize(
    "file",
    [b"", b"<html>", b"[]", b"7", b'{"totals": 3}', b'{"format": "burako-set", "version": 1}'],
)
def test_of_a_file_that_is_no_match_it_is_said_which_file_is_expected(
    scorer: Scorer, file: bytes
) -> None:
    """No field of such a file is named as missing: nobody who chose it knows of fields."""
    refused = scorer.form("/matches/import", file=(io.BytesIO(file), "x.json"))
    assert refused.status_code == 422
    assert "«Guardar copia» en la página de una partida, que termina en .json." in refused.text
    assert "«format»" not in refused.text
    # It is said at the field of the form, which is open, and the page can be loaded anew.
    assert re.search(r'<details class="card narrow more" id="import" open>', refused.text)
    assert 'aria-invalid="true" aria-describedby="wrong"' in refused.text
    assert scorer.client.get("/matches/import").headers["Location"] == "/"


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_copy_is_refused_and_never_breaks(app: Flask, data: st.DataObject) -> None:
    record: dict[str, Any] = {
        "tiles": {"t1": {"id": "t1", "face": "3R"}},
        "rows": [{"id": "r2", "side": "A", "place": "rack", "tiles": ["t1"]}],
        "adjustments": [{"id": "x3", "side": "A", "points": 5, "reason": "r"}],
        "end": "stock_exhausted",
        "closed_by": None,
        "muerto": {"A": True, "B": None},
    }
    match = {
        "side_a": "A",
        "side_b": "B",
        "players": 4,
        "player_names": [],
        "ruleset": "burako",
        "options": {},
    }
    export: dict[str, Any] = {
        "format": "burako-match",
        "version": 1,
        "match": match,
        "hands": [{"undone": False, "record": record}],
    }
    import_match(parts_of(app).matches, export)
    place: Any = export
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            place[key] = data.draw(json_values)
            break
        place = place[key]
    try:
        match = import_match(parts_of(app).matches, export)
    except WrongField as error:
        assert error.field or not isinstance(export, dict)
        return
    assert parts_of(app).matches.tally(match).match.players in (2, 4)
