"""How many copies of each tile, and how many comodines, the matches of a family's own set have."""

from __future__ import annotations

import io

import pytest
from flask import Flask

from engine.rulesets import RuleSet
from engine.tiles import tiles
from scorer_app.services.sets import Sets
from scorer_app.services.steps import steps_of
from scorer_app.web.parts import parts_of
from vision.own_set.examples import FACE_NAMES

from ..conftest import Scorer
from ..hands import new_match
from ..own_sets import example
from .set_requests import tiles_of


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
    rules = scorer.client.get(f"{address}/rules").text
    assert "de 104 (comodines: 3)" in rules
    assert "<dt>Se reparten</dt> <dd>11 fichas" in rules
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


def undo_newest(app: Flask, match: str) -> None:
    """Undo the newest step of a match that can be undone."""
    newest = next(step for step in steps_of(parts_of(app).store, match) if step.can_undo)
    parts_of(app).matches.undo(match, newest.id, "")


def test_what_is_undone_leaves_a_match_its_set_as_it_is_now(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set=kept.id)
    changed(scorer, match, target="2000")
    sets.count(kept.id, {"7R": 1})
    undo_newest(app, match)  # what was noted of the set is undone at the set alone
    assert (rules_of_match(app, match).target, copies_of(app, match, "7R")) == (3000, [1])
    scorer.form(f"/matches/{match}/tiles", tile_set="")
    sets.forget(kept.id)
    undo_newest(app, match)
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
    undo_newest(app, match)
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
    undo_newest(app, match)
    assert (tiles_of(app, match), copies_of(app, match, "7R", "J")) == (None, [2, 4])


def test_the_former_set_that_undo_brings_back_has_no_comodines_of_the_other_one(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    former, other = (sets.teach(name, [example("7R")]) for name in ("Casa", "Playa"))
    match = new_match(scorer, tile_set=former.id)
    scorer.form(f"/matches/{match}/tiles", tile_set=other.id)
    sets.count(other.id, {"7R": 1, "J": 4})
    assert copies_of(app, match, "7R", "J") == [1, 4]
    undo_newest(app, match)
    assert (tiles_of(app, match), copies_of(app, match, "7R", "J")) == (former.id, [2, 2])


def test_a_second_of_a_lost_tile_is_asked_about(scorer: Scorer, sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"7R": 1})
    hand = scorer.begin(new_match(scorer, tile_set=kept.id))
    scorer.tap(hand, "A", "rack", "7R")
    assert "copies" not in asked_of(scorer, hand)
    scorer.tap(hand, "A", "rack", "7R")
    assert "copies" in asked_of(scorer, hand)
