"""Matches are listed a page at a time: the ones played last come first, and each comes once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text, update

from scorer_app.services import exchange
from scorer_app.services.exchange import export_match, twin_of
from scorer_app.services.matches import Matches
from scorer_app.services.shelves import MOST_ALIKE, Shelf, listed
from scorer_app.store import Match, Store
from scorer_app.store.tables import now
from scorer_app.web.pages.home import SHOWN
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import new_match, saved_hand


def made(app: Flask, number: int, **columns: object) -> list[str]:
    """Make `number` matches without hands, the newest one last; return their ids."""
    fields = {"side_a": "Los Pérez", "side_b": "Visitas", "ruleset": "burako", **columns}
    with parts_of(app).store.writing() as session:
        matches = [Match(**fields, created=now(), touched=now()) for _ in range(number)]
        session.add_all(matches)
        session.flush()
        return [match.id for match in matches]


def walked(app: Flask, shelf: Shelf, most: int) -> list[str]:
    """List the ids of all matches of a shelf, asked for page after page of at most `most`."""
    found: list[str] = []
    page = listed(parts_of(app).matches, shelf, most)
    while True:
        found += [tally.match.id for tally in page.tallies]
        assert len(page.matches) <= most
        if page.last is None:
            return found
        page = listed(parts_of(app).matches, shelf, most, page.last)


@pytest.mark.parametrize("most", [1, 3, 7, 8])
def test_every_match_is_listed_once_the_newest_first(app: Flask, most: int) -> None:
    names = made(app, 7)
    made(app, 2, sample=True)
    made(app, 1, archived=True)
    made(app, 1, deleted=True)
    assert walked(app, Shelf.PLAYED, most) == names[::-1]


def test_matches_played_at_the_same_moment_are_listed_once_each(app: Flask) -> None:
    names = made(app, 9)
    with parts_of(app).store.writing() as session:
        session.execute(update(Match).values(touched=now()))
    assert walked(app, Shelf.PLAYED, 2) == sorted(names, reverse=True)


def test_each_shelf_lists_its_own(app: Flask) -> None:
    (played,), (archived,) = made(app, 1), made(app, 1, archived=True)
    samples = made(app, 1, sample=True) + made(app, 1, sample=True, archived=True)
    assert walked(app, Shelf.PLAYED, 5) == [played]
    assert walked(app, Shelf.ARCHIVED, 5) == [archived]
    assert walked(app, Shelf.SAMPLES, 5) == samples[::-1]


def test_a_match_played_again_is_listed_first(app: Flask, scorer: Scorer) -> None:
    _hand, first = saved_hand(scorer)
    second = new_match(scorer)
    assert walked(app, Shelf.PLAYED, 5) == [second, first]
    scorer.form(f"/matches/{first}/count", puntos_A="100", puntos_B="50", base_A="0", base_B="0")
    assert walked(app, Shelf.PLAYED, 5) == [first, second]


def test_matches_between_the_same_sides_are_told_apart(scorer: Scorer) -> None:
    sides = {"side_a": "Nosotros", "side_b": "Ellos"}
    new_match(scorer, **sides, player_0="Ana", player_2="Dani")
    second = new_match(scorer, **sides, ruleset="buraco", close_bonus="50")
    scorer.form(f"/matches/{second}/count", puntos_A="100", puntos_B="50")
    page = scorer.client.get("/").text
    plain = re.sub(r'<span class="apart">(.*?)</span>', r"\1", page)
    states = re.findall(r'class="state[^"]*">(.*?)</span>', plain)
    assert [state.split(" · ")[:3] for state in states] == [
        ["manos: 1", "a 2.000", "Buraco corto + opciones de la mesa"],
        ["manos: 0", "a 3.000", "Burako"],
        ["Ana, Dani"],
    ]
    assert re.search(r"jugada \d\d/\d\d/\d{4} \d\d:\d\d$", states[0])


def test_the_first_page_leads_to_older_matches(app: Flask, scorer: Scorer) -> None:
    names = made(app, SHOWN + 3)
    page = scorer.client.get("/").text
    assert re.findall(r'match-line" href="/matches/([^"]+)"', page) == names[:2:-1]
    (older,) = re.findall(r'rel="next" href="([^"]+)"', page)
    page = scorer.client.get(older.replace("&amp;", "&")).text
    assert re.findall(r'match-line" href="/matches/([^"]+)"', page) == names[2::-1]
    assert 'rel="next"' not in page


def test_archived_matches_and_samples_are_counted_as_far_as_they_are_shown(
    app: Flask, scorer: Scorer
) -> None:
    made(app, 1, sample=True)
    made(app, SHOWN + 1, archived=True)
    page = scorer.client.get("/").text
    assert f"Archivadas: {SHOWN}+" in page
    assert "Ejemplos: 1<" in page


def test_the_statistics_count_the_matches_played_last_and_say_so(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer_app.web.pages.match_lists.MOST_COUNTED", 3)
    made(app, 2, side_a="Viejos")
    made(app, 1, side_a="Guardados", archived=True)
    made(app, 1, side_a="Nuevos")
    made(app, 1, side_a="Novísimos", sample=True)
    page = scorer.client.get("/matches/statistics").text
    assert "Se cuentan las últimas 3 partidas jugadas." in page
    assert "Guardados" in page and "Nuevos" in page and "Novísimos" not in page
    assert re.findall(r"Partidas: (\d+)", page) == ["1", "1", "1"]
    monkeypatch.setattr("scorer_app.web.pages.match_lists.MOST_COUNTED", 4)
    page = scorer.client.get("/matches/statistics").text
    assert "Se cuentan" not in page
    assert sorted(re.findall(r"Partidas: (\d+)", page)) == ["1", "1", "2"]


@pytest.mark.parametrize("asked", ["shelf=none", "shelf="])
def test_a_shelf_that_is_not_there_is_not_found(scorer: Scorer, asked: str) -> None:
    assert scorer.client.get(f"/matches/?{asked}").status_code == 404


@pytest.mark.parametrize("after", ["", "nobody", "x" * 900, "%00", "'--"])
def test_a_match_that_is_not_there_has_none_before_it(
    app: Flask, scorer: Scorer, after: str
) -> None:
    made(app, 2)
    page = scorer.client.get(f"/matches/?shelf=played&after={after}")
    assert page.status_code == 200
    assert page.text.count("match-line") == (0 if after else 2)


def test_an_imported_copy_is_known_among_others_of_the_same_names(
    app: Flask, scorer: Scorer
) -> None:
    matches = parts_of(app).matches
    *_others, first, second = made(app, MOST_ALIKE)
    assert twin_of(matches, second) == first
    made(app, 1, side_a="Otros")
    (alone,) = made(app, 1, side_a="Nadie más")
    assert twin_of(matches, alone) is None


def test_no_hand_of_a_match_with_another_number_of_hands_is_read_for_a_copy(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is taken in as fast beside many long matches of the same two sides."""
    matches = parts_of(app).matches
    _hand, long = saved_hand(scorer)
    sides = {side: getattr(matches.tally(long).match, side) for side in ("side_a", "side_b")}
    (imported,) = made(app, 1, **sides)
    read: list[str] = []

    def noted(matches: Matches, match_id: str) -> Any:
        read.append(match_id)
        return export_match(matches, match_id)

    monkeypatch.setattr(exchange, "export_match", noted)
    assert twin_of(matches, imported) is None and read == [imported]


def test_a_page_of_a_shelf_is_found_by_indexes(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many matches there are: none is sorted, none that is not shown is looked at."""
    matches, store = parts_of(app).matches, parts_of(app).store
    made(app, 70)
    asked: list[str] = []
    look = store.look

    def noted(statement: Any, values: dict[str, Any]) -> Any:
        literally = statement.params(values)
        literally = literally.compile(store.engine, compile_kwargs={"literal_binds": True})
        asked.append(str(literally))
        return look(statement, values)

    monkeypatch.setattr(store, "look", noted)
    page = listed(matches, Shelf.PLAYED, 30)
    listed(matches, Shelf.PLAYED, 30, page.last)
    listed(matches, Shelf.PLAYED, 30, holder="nobody")
    newest, of_newest, older, of_older, held, _none = (plan_of(store, one) for one in asked)
    assert "sqlite_autoindex_holding_1 (device=?)" in held
    assert "sqlite_autoindex_match_1 (id=?)" in held
    for plan in (newest, older):
        assert "ix_match_shelf" in plan
        assert "TEMP B-TREE" not in plan
    for plan in (of_newest, of_older):
        assert "sqlite_autoindex_match_1 (id=?)" in plan
        assert "ix_hand_match_id (match_id=?)" in plan


def plan_of(store: Store, statement: str) -> str:
    """Return SQLite's query plan of a statement."""
    with store.engine.connect() as connection:
        plan = connection.execute(text(f"EXPLAIN QUERY PLAN {statement}")).all()
    return " ".join(row.detail for row in plan)
