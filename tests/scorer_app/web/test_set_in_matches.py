"""A family's own set in a match: which set a match is played with, and how many copies of each tile
it has.
"""

from __future__ import annotations

import io
import re
from threading import Event
from typing import Any

import pytest
from flask import Flask

from engine.rulesets import RuleSet
from engine.tiles import tiles
from scorer_app.services.sets import Sets
from scorer_app.services.steps import steps_of
from scorer_app.web.pages.context import options_of_set
from scorer_app.web.parts import parts_of
from vision.own_set.examples import FACE_NAMES
from vision.reading import Notice

from ..conftest import Scorer, until
from ..hands import new_match, send, when_read
from ..own_sets import example
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE


def tiles_of(app: Flask, match: str) -> str | None:
    found: str | None = parts_of(app).matches.tally(match).match.tile_set_id
    return found


def test_a_new_match_takes_the_set_used_last(scorer: Scorer, app: Flask, sets: Sets) -> None:
    assert "tile_set" not in scorer.client.get("/matches/new").text
    faces = [example("7R"), example("8B")]
    first, second = (sets.teach(name, faces) for name in ("One", "Two"))
    page = scorer.client.get("/matches/new").text
    assert re.search(rf'value="{second.id}" selected', page)
    assert tiles_of(app, new_match(scorer, tile_set=first.id)) == first.id
    assert re.search(rf'value="{first.id}" selected', scorer.client.get("/matches/new").text)
    assert tiles_of(app, scorer.hand(scorer.begin())["match"]) == first.id
    assert tiles_of(app, new_match(scorer, tile_set="")) is None
    assert tiles_of(app, new_match(scorer, tile_set="unknown")) is None
    assert "selected>Cualquiera" not in scorer.client.get("/matches/new").text


def test_the_set_of_a_match_is_chosen_without_opening_anything(scorer: Scorer, sets: Sets) -> None:
    match = new_match(scorer, tile_set=sets.teach("One", [example("7R")]).id)
    before, _, _ = scorer.client.get(f"/matches/{match}").text.partition('id="match-set"')
    main = before[before.index("<main") :]
    assert main.count("<details") == main.count("</details")


def test_the_reader_prepares_for_the_set_of_a_new_match(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    first, second = (sets.teach(name, [example("7R")]) for name in ("One", "Two"))
    match = new_match(scorer, tile_set=first.id)
    until(lambda: [one.id for one in reader.ready], lambda ids: ids == [first.id])
    scorer.form(f"/matches/{match}/tiles", tile_set=second.id)
    until(lambda: [one.id for one in reader.ready], lambda ids: ids == [first.id, second.id])


def test_a_photograph_that_waits_for_the_reader_to_be_prepared_says_so(
    scorer: Scorer, reader: RecordedReader, sets: Sets, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, prepared = sets.teach("One", [example("7R")]), Event()
    monkeypatch.setattr(reader, "make_ready", lambda _chosen: prepared.wait(PATIENCE))
    hand = scorer.begin(new_match(scorer, tile_set=own.id))
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    sentence = "Antes se prepara la lectura de tu juego de fichas"
    until(lambda: scorer.hand(hand)["photos"][0]["text"], lambda text: sentence in text)
    prepared.set()
    assert when_read(scorer, hand)["photos"][0]["text"] == "Leída"


def test_rules_that_another_phone_changes_while_a_set_is_chosen_are_kept(
    scorer: Scorer, app: Flask, sets: Sets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options of the former ruleset would leave the match unreadable under the new one."""
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"7R": 1})
    match = new_match(scorer, tile_set="", canasta_pura="300")
    matches, real = parts_of(app).matches, options_of_set
    others = [{"ruleset": "burraco_it", "options": {"canasta_values": {"pulito": 250}}}]

    def change_meanwhile(*values: Any) -> dict[str, Any]:
        if others:
            matches.change(match, **others.pop())
        return real(*values)

    monkeypatch.setattr("scorer_app.web.pages.matches.options_of_set", change_meanwhile)
    assert scorer.form(f"/matches/{match}/tiles", tile_set=kept.id).status_code == 303
    found = matches.tally(match).match
    assert (found.ruleset, found.tile_set_id) == ("burraco_it", kept.id)
    assert found.options == {"canasta_values": {"pulito": 250}, "copies": {"7R": 1}}


def test_photographs_of_the_open_hand_are_read_anew_with_another_set(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set="")
    hand = scorer.begin(match)
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    for _twice in range(2):  # the second time it is chosen already
        scorer.form(f"/matches/{match}/tiles", tile_set=kept.id)
        when_read(scorer, hand)
    (undo,) = re.findall(
        r'action="([^"]*/undo)"', scorer.client.get(f"/matches/{match}/history").text
    )
    scorer.form(undo)
    when_read(scorer, hand)
    assert [one and one.id for one in reader.chosen] == [None, kept.id, None]
    assert len(scorer.hand(hand)["tiles"]) == 3


def test_tiles_of_another_set_are_told_beside_the_photograph(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    sets.teach("Casa", [example("7R")])
    hand = scorer.begin()
    picture = picture_of("3R 4R 5R")
    picture.reading["notices"] = [Notice.OTHER_SET]
    send(scorer, hand, "A", "melds", reader.add(picture))
    (photo,) = when_read(scorer, hand)["photos"]
    assert "juego elegido" in " ".join([photo["text"], *photo["notices"]])


def test_tiles_of_another_set_are_told_once_for_all_photographs(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    sets.teach("Casa", [example("7R")])
    hand = scorer.begin()
    for faces, notices in (
        ("3R 4R 5R", [Notice.CUT_OFF]),
        ("3B 4B 5B", [Notice.OTHER_SET]),
        ("3K 4K 5K", [Notice.CUT_OFF, Notice.OTHER_SET]),
    ):
        picture = picture_of(faces)
        picture.reading["notices"] = notices
        send(scorer, hand, "A", "melds", reader.add(picture))

    def told() -> list[list[str]]:
        photos = when_read(scorer, hand)["photos"]
        return [[text.split()[0] for text in photo["notices"]] for photo in photos]

    assert told() == [["Hay"], ["Estas"], ["Hay"]]
    second = scorer.hand(hand)["photos"][1]["id"]
    scorer.client.delete(f"/api/hands/{hand}/photos/{second}", headers=scorer.headers)
    assert told() == [["Hay"], ["Hay", "Estas"]]


def test_a_match_changes_its_set_and_a_rematch_keeps_it(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set="")
    assert "Casa" in scorer.client.get(f"/matches/{match}").text
    assert scorer.form(f"/matches/{match}/tiles", tile_set=kept.id).status_code == 303
    assert tiles_of(app, match) == kept.id
    again = scorer.form(f"/matches/{match}/rematch").headers["Location"].rsplit("/", 1)[1]
    assert tiles_of(app, again) == kept.id
    scorer.form(f"/matches/{match}/tiles", tile_set="")
    assert tiles_of(app, match) is None
    scorer.form(f"/sets/{kept.id}/forget")
    assert tiles_of(app, again) is None


# --- how many tiles it has ---


def rules_of_match(app: Flask, match: str) -> RuleSet:
    return parts_of(app).matches.tally(match).rules.rules


def copies_of(app: Flask, match: str, *faces: str) -> list[int]:
    rules = rules_of_match(app, match)
    return [rules.copies(one) for one in tiles(" ".join(faces))]


def test_lost_and_further_tiles_are_noted_and_count_in_its_matches(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    before = new_match(scorer, tile_set=kept.id)
    scorer.form(f"/sets/{kept.id}/copies", face="7R", count="1")
    scorer.form(f"/sets/{kept.id}/copies", face="5K", count="3")
    page = scorer.client.get(f"/sets/{kept.id}").text
    assert "7 rojo: hay 1" in page and "5 negro: hay 3" in page
    in_english = scorer.client.get(f"/sets/{kept.id}", headers={"Accept-Language": "en"}).text
    assert "7 red: there is 1" in in_english and "5 black: there are 3" in in_english
    since, without = new_match(scorer, tile_set=kept.id), new_match(scorer, tile_set="")
    for match in (before, since):
        assert copies_of(app, match, "7R", "5K", "6K", "J") == [1, 3, 2, 2]
    assert copies_of(app, without, "7R", "5K") == [2, 2]
    scorer.form(f"/matches/{without}/tiles", tile_set=kept.id)
    assert copies_of(app, without, "7R", "5K") == [1, 3]
    scorer.form(f"/matches/{since}/tiles", tile_set="")
    assert copies_of(app, since, "7R", "5K") == [2, 2]
    scorer.form(f"/sets/{kept.id}/copies", face="7R", count="")
    assert (sets.of_id(kept.id).copies, copies_of(app, before, "7R")) == ({"5K": 3}, [2])
    scorer.form(f"/sets/{kept.id}/forget")
    assert copies_of(app, before, "5K") == [2]


def test_open_pages_hear_that_tiles_of_their_set_were_lost_or_the_set_forgotten(
    scorer: Scorer, app: Flask, sets: Sets, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set=kept.id)
    told: list[str] = []
    monkeypatch.setattr(parts_of(app).event_bus, "relay", told.extend)
    scorer.form(f"/sets/{kept.id}/copies", face="7R", count="1")
    assert told == [match]
    scorer.form(f"/sets/{kept.id}/forget")
    assert told == [match, match]


def test_what_is_dealt_and_left_is_counted_with_the_tiles_of_the_set(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"7R": 1, "8B": 0, "J": 3})
    address = f"/matches/{new_match(scorer, tile_set=kept.id)}"
    assert "<b>38</b>" in scorer.client.get(f"{address}/deal").text
    assert "de 104 con 3 comodines" in scorer.client.get(f"{address}/rules").text
    sets.count(kept.id, dict.fromkeys(FACE_NAMES, 0))
    assert "<b>0</b>" in scorer.client.get(f"{address}/deal").text


def test_a_rematch_of_a_copy_keeps_the_copies_of_its_tiles(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"7R": 1})
    match = new_match(scorer, tile_set=kept.id)
    copy = io.BytesIO(scorer.client.get(f"/matches/{match}/export.json").data)
    address = scorer.form("/matches/import", file=(copy, "x.json")).headers["Location"]
    again = scorer.form(f"{address}/rematch").headers["Location"].rsplit("/", 1)[1]
    assert (tiles_of(app, again), copies_of(app, again, "7R")) == (None, [1])
    changed(scorer, again, ruleset="pagat", jokers="2")
    assert copies_of(app, again, "7R") == [1]


def changed(scorer: Scorer, match: str, **fields: str) -> None:
    """Change a match by the page's form, some of whose fields are given."""
    form = {"side_a": "Los Pérez", "side_b": "Visitas", "ruleset": "burako", **fields}
    assert scorer.form(f"/matches/{match}/edit", **form).status_code == 303


def test_other_rules_leave_a_match_the_copies_of_its_tiles(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"7R": 1})
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, target="2000")
    assert (rules_of_match(app, match).target, copies_of(app, match, "7R")) == (2000, [1])
    changed(scorer, match, pieces="cards")
    sets.count(kept.id, {"5K": 3})
    assert copies_of(app, match, "7R", "5K") == [2, 2]
    changed(scorer, match, pieces="tiles")
    assert copies_of(app, match, "7R", "5K") == [1, 3]


def test_a_set_of_tiles_changes_nothing_of_a_match_that_became_one_of_cards(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set="")
    scorer.form(f"/matches/{match}/tiles", tile_set=kept.id)
    sets.count(kept.id, {"7R": 1, "J": 4})
    changed(scorer, match, pieces="cards")
    again = scorer.form(f"/matches/{match}/rematch").headers["Location"].rsplit("/", 1)[1]
    chosen = scorer.form(f"/matches/{again}/rematch").headers["Location"].rsplit("/", 1)[1]
    scorer.form(f"/matches/{chosen}/tiles", tile_set="")  # from a page that was opened before
    scorer.form(f"/matches/{chosen}/tiles", tile_set=kept.id)
    undone = parts_of(app).matches
    undone.undo(match, steps_of(parts_of(app).store, match)[-1].id, "")
    for one in (match, again, chosen):
        assert copies_of(app, one, "7R", "J") == [2, 4]
    sets.forget(kept.id)
    for one in (match, again, chosen):
        assert (tiles_of(app, one), copies_of(app, one, "7R", "J")) == (None, [2, 4])


def test_what_is_undone_leaves_a_match_its_set_as_it_is_now(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, target="2000")
    sets.count(kept.id, {"7R": 1})
    matches = parts_of(app).matches
    (rules,) = steps_of(parts_of(app).store, match)
    matches.undo(match, rules.id, "")
    assert (rules_of_match(app, match).target, copies_of(app, match, "7R")) == (3000, [1])
    scorer.form(f"/matches/{match}/tiles", tile_set="")
    sets.forget(kept.id)
    matches.undo(match, steps_of(parts_of(app).store, match)[0].id, "")
    assert (tiles_of(app, match), copies_of(app, match, "7R")) == (None, [2])


def asked_of(scorer: Scorer, hand: str) -> list[str]:
    return [question["ask"] for question in scorer.hand(hand)["questions"]]


def test_four_comodines_of_a_set_are_those_of_its_matches(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    scorer.form(f"/sets/{kept.id}/copies", face="J", count="4")
    match, other = (new_match(scorer, tile_set=kept.id) for _ in range(2))
    assert (rules_of_match(app, match).jokers, copies_of(app, match, "J")) == (4, [4])
    scorer.form(f"/matches/{other}/tiles", tile_set="")
    assert rules_of_match(app, other).jokers == 2
    scorer.form(f"/sets/{kept.id}/copies", face="J", count="")
    assert rules_of_match(app, match).jokers == 2


def test_another_tile_that_is_noted_leaves_a_match_the_comodines_that_its_players_chose(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": 4})
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, jokers="2")
    sets.count(kept.id, {"7R": 1})
    assert copies_of(app, match, "7R", "J") == [1, 2]
    sets.count(kept.id, {"J": 3})
    assert copies_of(app, match, "7R", "J") == [1, 3]
    sets.count(kept.id, {"7R": None})
    assert copies_of(app, match, "7R", "J") == [2, 3]


def test_players_choose_another_number_of_comodines_than_the_three_of_their_set(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": 3, "8B": 1})
    match = new_match(scorer, tile_set=kept.id)
    assert "<option selected>3</option>" in scorer.client.get(f"/matches/{match}/edit").text
    changed(scorer, match, jokers="3", target="2000")  # as many as the form shows
    assert copies_of(app, match, "8B", "J") == [1, 3]
    changed(scorer, match, target="2000")
    assert copies_of(app, match, "8B", "J") == [1, 3]
    changed(scorer, match, jokers="2", target="2000")
    assert copies_of(app, match, "8B", "J") == [1, 2]
    changed(scorer, match, jokers="4", target="2000")
    sets.count(kept.id, {"7R": 1})
    assert copies_of(app, match, "7R", "8B", "J") == [1, 1, 4]


@pytest.mark.parametrize(
    ("rules", "of_set", "chosen", "counted"),
    [("burako", 3, 4, 4), ("burako", 2, 4, 4), ("burako", 3, 2, 3), ("burraco_it", 4, 2, 2)],
)
def test_players_choose_the_comodines_of_a_new_match_but_not_by_leaving_them_as_usual(
    scorer: Scorer, app: Flask, sets: Sets, rules: str, of_set: int, chosen: int, counted: int
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": of_set, "8B": 1})
    match = new_match(scorer, tile_set=kept.id, ruleset=rules, jokers=str(chosen))
    assert copies_of(app, match, "8B", "J") == [1, counted]
    sets.count(kept.id, {"7R": 1})
    assert copies_of(app, match, "7R", "8B", "J") == [1, 1, counted]


@pytest.mark.parametrize(("of_set", "chosen"), [(3, 4), (4, 2)])
def test_a_rematch_keeps_the_comodines_that_players_chose(
    scorer: Scorer, app: Flask, sets: Sets, of_set: int, chosen: int
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": of_set, "8B": 1})
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, jokers=str(chosen))
    again, once = (scorer.form(f"/matches/{match}/rematch").headers["Location"] for _ in range(2))
    assert again == once
    again = again.rsplit("/", 1)[1]
    sets.count(kept.id, {"7R": 1})
    assert copies_of(app, again, "7R", "8B", "J") == [1, 1, chosen]


def test_the_same_set_chosen_again_leaves_the_comodines_that_players_chose(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8B")])
    sets.count(kept.id, {"J": 4})
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, jokers="2")
    steps = steps_of(sets.store, match)
    scorer.form(f"/matches/{match}/tiles", tile_set=kept.id)
    assert (copies_of(app, match, "J"), steps_of(sets.store, match)) == ([2], steps)


def test_undo_of_other_rules_leaves_the_comodines_that_players_chose(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": 3, "8B": 1})
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, jokers="4")
    changed(scorer, match, jokers="4", target="2000")
    target, chosen = steps_of(parts_of(app).store, match)
    sets.count(kept.id, {"7R": 1})
    parts_of(app).matches.undo(match, target.id, "")
    assert copies_of(app, match, "7R", "8B", "J") == [1, 1, 4]
    sets.count(kept.id, {"J": 5})
    parts_of(app).matches.undo(match, chosen.id, "")
    assert copies_of(app, match, "7R", "8B", "J") == [1, 1, 5]


def test_undo_gives_back_the_comodines_that_players_had_chosen_before(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": 3})
    match = new_match(scorer, tile_set=kept.id)
    changes = {4: {"jokers": "4"}, 2: {"jokers": "2"}, 3: {"ruleset": "pagat", "jokers": "2"}}
    for comodines, fields in changes.items():
        changed(scorer, match, **fields)
        assert copies_of(app, match, "J") == [comodines]
    for step, comodines in zip(steps_of(parts_of(app).store, match), (2, 4, 3), strict=True):
        parts_of(app).matches.undo(match, step.id, "")
        assert copies_of(app, match, "J") == [comodines]


def test_undo_of_tiles_or_cards_counts_with_the_set_as_it_is_now(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    italian = {"ruleset": "burraco_it", "jokers": "4"}
    of_tiles = new_match(scorer, tile_set=kept.id, **italian)
    of_cards = new_match(scorer, tile_set="", pieces="cards", **italian)
    changed(scorer, of_tiles, pieces="cards", **italian)
    changed(scorer, of_cards, pieces="tiles", **italian)
    sets.count(kept.id, {"7R": 1})
    scorer.form(f"/matches/{of_cards}/tiles", tile_set=kept.id)
    assert [copies_of(app, one, "7R") for one in (of_tiles, of_cards)] == [[2], [1]]
    for match in (of_tiles, of_cards):
        parts_of(app).matches.undo(match, steps_of(parts_of(app).store, match)[-1].id, "")
    assert [copies_of(app, one, "7R") for one in (of_tiles, of_cards)] == [[1], [2]]


@pytest.mark.parametrize("comodines", [3, 4])
def test_another_ruleset_leaves_a_match_the_comodines_of_its_set(
    scorer: Scorer, app: Flask, sets: Sets, comodines: int
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": comodines, "8B": 1})
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, ruleset="pagat", jokers="2")  # as many as the ruleset has
    assert copies_of(app, match, "8B", "J") == [1, comodines]
    changed(scorer, match, ruleset="buraco", jokers="4")
    assert copies_of(app, match, "8B", "J") == [1, 4]
    changed(scorer, match, ruleset="burraco_it", jokers="2")
    assert copies_of(app, match, "8B", "J") == [1, 2]


def test_a_choice_undone_takes_along_what_was_noted_of_the_set_since(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set="")
    scorer.form(f"/matches/{match}/tiles", tile_set=kept.id)
    sets.count(kept.id, {"7R": 1, "J": 4})
    assert copies_of(app, match, "7R", "J") == [1, 4]
    parts_of(app).matches.undo(match, steps_of(parts_of(app).store, match)[0].id, "")
    assert (tiles_of(app, match), copies_of(app, match, "7R", "J")) == (None, [2, 2])


@pytest.mark.parametrize("noted_first", [True, False])
def test_a_choice_undone_leaves_the_comodines_that_the_match_had_before(
    scorer: Scorer, app: Flask, sets: Sets, noted_first: bool
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set="", jokers="4")
    if noted_first:
        sets.count(kept.id, {"J": 4})
    scorer.form(f"/matches/{match}/tiles", tile_set=kept.id)
    sets.count(kept.id, {"7R": 1, "J": 4})
    assert copies_of(app, match, "7R", "J") == [1, 4]
    parts_of(app).matches.undo(match, steps_of(parts_of(app).store, match)[0].id, "")
    assert (tiles_of(app, match), copies_of(app, match, "7R", "J")) == (None, [2, 4])


def test_the_former_set_that_undo_brings_back_has_no_comodines_of_the_other_one(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    former, other = (sets.teach(name, [example("7R")]) for name in ("Casa", "Playa"))
    match = new_match(scorer, tile_set=former.id)
    scorer.form(f"/matches/{match}/tiles", tile_set=other.id)
    sets.count(other.id, {"7R": 1, "J": 4})
    assert copies_of(app, match, "7R", "J") == [1, 4]
    parts_of(app).matches.undo(match, steps_of(parts_of(app).store, match)[0].id, "")
    assert (tiles_of(app, match), copies_of(app, match, "7R", "J")) == (former.id, [2, 2])


def test_a_second_of_a_lost_tile_is_asked_about(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"7R": 1})
    hand = scorer.begin(new_match(scorer, tile_set=kept.id))
    scorer.tap(hand, "A", "rack", "7R")
    assert "copies" not in asked_of(scorer, hand)
    scorer.tap(hand, "A", "rack", "7R")
    assert "copies" in asked_of(scorer, hand)
