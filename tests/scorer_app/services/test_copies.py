"""An imported match keeps its day, is marked as a copy, and counts once in the statistics."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from scorer_app.hand.fields import Wrong, WrongField
from scorer_app.services.exchange import export_match, import_match, without_copies
from scorer_app.services.purging import purge_before, purge_match
from scorer_app.services.shelves import Shelf, listed
from scorer_app.store.tables import now
from scorer_app.web.pages.home import SHOWN
from scorer_app.web.parts import parts_of

from ..conftest import Scorer
from ..hands import new_match, saved_hand

LONG_AGO = "2024-05-03T21:14:07.000123"
POINTS = {"base_A": "300", "puntos_A": "100", "base_B": "0", "puntos_B": "0"}


def copy_of(app: Flask, match: str, created: object = LONG_AGO) -> Any:
    """Export a match as if it had been created at another moment."""
    copy = export_match(parts_of(app).matches, match)
    copy["match"]["created"] = created
    return copy


def counted(scorer: Scorer) -> list[str]:
    """Return the numbers of matches and of hands that the statistics tell of each pair."""
    page = scorer.client.get("/matches/statistics").text
    return re.findall(r"Partidas: (\d+ · manos: \d+)", page)


def test_an_imported_match_bears_the_day_on_which_it_was_played(app: Flask, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    matches, before = parts_of(app).matches, now()
    twin = import_match(matches, copy_of(app, match))
    found = matches.tally(twin).match
    assert found.created == found.touched == datetime.fromisoformat(LONG_AGO)
    assert found.imported is not None and found.imported > before
    assert "03/05/2024" in scorer.client.get(f"/matches/{twin}").text
    assert "jugada 03/05/2024" in scorer.client.get("/").text
    assert export_match(matches, twin)["match"]["created"] == LONG_AGO
    scorer.form(f"/matches/{twin}/count", **POINTS)
    played_on = matches.tally(twin).match
    assert played_on.created == found.created
    assert played_on.touched > found.imported


def test_a_file_that_tells_no_day_is_of_today(app: Flask, scorer: Scorer) -> None:
    matches, before = parts_of(app).matches, now()
    copy = copy_of(app, new_match(scorer), None)
    for _ in range(2):
        assert before < matches.tally(import_match(matches, copy)).match.created < now()
        copy["match"].pop("created", None)


@pytest.mark.parametrize("ahead", [timedelta(minutes=5), timedelta(days=400), None])
def test_a_day_in_the_future_is_today(app: Flask, scorer: Scorer, ahead: timedelta | None) -> None:
    matches, before = parts_of(app).matches, now()
    moment = datetime.max if ahead is None else before + ahead
    copy = copy_of(app, new_match(scorer), moment.isoformat())
    assert before < matches.tally(import_match(matches, copy)).match.created < now()


@pytest.mark.parametrize(
    "nonsense",
    [
        *("", "yesterday", "2026-02-30T00:00:00", "2026-05-03", "0000-01-01T00:00:00", "9" * 5000),
        *("2024-05-03T21:14:07Z", "2024-05-03T21:14:07+03:00", "<b>"),
        *("0001-01-01T00:00:00", "1969-12-31T23:59:59.999999"),
        *(0, 1714770847, 1e300, True, [], {}, [LONG_AGO]),
    ],
)
def test_what_is_no_day_is_refused_and_nothing_is_stored(
    app: Flask, scorer: Scorer, nonsense: object
) -> None:
    matches = parts_of(app).matches
    match = new_match(scorer)
    with pytest.raises(WrongField) as refused:
        import_match(matches, copy_of(app, match, nonsense))
    assert (refused.value.field, refused.value.wrong) == ("match.created", Wrong.VALUE)
    assert [tally.match.id for tally in listed(matches, Shelf.PLAYED, 9).tallies] == [match]


def test_the_days_after_which_matches_are_deleted_count_from_the_import(
    app: Flask, scorer: Scorer
) -> None:
    made = parts_of(app)
    begun = new_match(scorer)
    twin = import_match(made.matches, copy_of(app, begun))
    moment = made.matches.tally(begun).match.touched + timedelta(microseconds=1)
    assert purge_before(made.store, made.intake.files, moment) == 1
    assert made.matches.known(twin)


def test_a_copy_is_listed_by_its_day_until_it_is_played_on(app: Flask, scorer: Scorer) -> None:
    matches = parts_of(app).matches
    older, newer = (new_match(scorer) for _ in range(2))
    twin = import_match(matches, copy_of(app, older))

    def shown() -> list[str]:
        return [tally.match.id for tally in listed(matches, Shelf.PLAYED, 9).tallies]

    assert shown() == [newer, older, twin]
    scorer.begin(twin)
    assert shown() == [twin, newer, older]


def test_a_copy_of_a_match_long_past_is_not_the_match_under_way(app: Flask, scorer: Scorer) -> None:
    matches = parts_of(app).matches
    first = new_match(scorer, side_a="Los primeros")
    for _ in range(SHOWN):
        last = new_match(scorer)
    twin = import_match(matches, export_match(matches, first))
    assert scorer.hand(scorer.begin())["match"] == last
    assert matches.known(twin)


def test_a_rematch_of_a_copy_is_none_that_was_begun_before_the_import(
    app: Flask, scorer: Scorer
) -> None:
    begun = new_match(scorer)
    twin = import_match(parts_of(app).matches, copy_of(app, begun))
    again = scorer.form(f"/matches/{twin}/rematch").headers["Location"].rsplit("/", 1)[1]
    assert again not in (begun, twin)


def test_the_list_marks_copies_alone_in_each_language(app: Flask, scorer: Scorer) -> None:
    _hand, match = saved_hand(scorer)
    twin = import_match(parts_of(app).matches, copy_of(app, match))
    for language, word in (("es", "copia"), ("en", "copy"), ("it", "copia")):
        scorer.form("/settings/device", language=language)
        page = scorer.client.get("/matches/").text
        lines = re.findall(r'match-line" href="/matches/([^"]+)".*?</a>', page, re.DOTALL)
        marked = re.findall(rf'href="/matches/([^"]+)">(?:(?!</a>).)*· {word}<', page, re.DOTALL)
        assert (lines, marked) == ([match, twin], [twin])


def test_a_match_that_is_imported_twice_counts_once_in_the_statistics(
    app: Flask, scorer: Scorer
) -> None:
    made = parts_of(app)
    _hand, match = saved_hand(scorer)
    saved_hand(scorer)  # another hand of the same match
    new_match(scorer)
    assert sorted(counted(scorer)) == ["1 · manos: 0", "1 · manos: 2"]
    copy = export_match(made.matches, match)
    first = import_match(made.matches, copy)
    scorer.form(f"/matches/{first}/archive", archived="yes")
    second = import_match(made.matches, export_match(made.matches, first))
    assert sorted(counted(scorer)) == ["1 · manos: 0", "1 · manos: 2"]
    assert f'href="/matches/{match}"' in scorer.client.get("/matches/statistics").text
    purge_match(made.store, made.intake.files, match)
    assert sorted(counted(scorer)) == ["1 · manos: 0", "1 · manos: 2"]
    assert f'href="/matches/{second}"' in scorer.client.get("/matches/statistics").text


def test_of_a_match_and_its_copy_the_one_that_was_played_on_counts(
    app: Flask, scorer: Scorer
) -> None:
    hand, match = saved_hand(scorer)
    matches = parts_of(app).matches
    twin = import_match(matches, export_match(matches, match))
    both = (match, twin)
    assert chosen(app, both) == match
    matches.change(twin, side_a="Otros")
    assert chosen(app, both) == match
    scorer.form(f"/matches/{twin}/count", **POINTS)
    assert chosen(app, both) == chosen(app, both[::-1]) == twin
    assert counted(scorer) == ["1 · manos: 2"]
    scorer.form(f"/matches/{match}/count", **POINTS)
    assert chosen(app, both) == chosen(app, both[::-1]) == match
    scorer.form(f"/hands/{hand}/undone", undone="yes")
    assert chosen(app, both) == match  # a voided hand is one of the hands that were played


def chosen(app: Flask, names: tuple[str, ...]) -> str:
    """Return the id of the one match, of those with these ids, that counts."""
    matches = parts_of(app).matches
    (found,) = without_copies(map(matches.tally, names))
    return found.match.id


def test_matches_of_one_moment_that_were_begun_here_all_count(app: Flask) -> None:
    fields = {"side_a": "A", "side_b": "B", "ruleset": "burako", "created": now()}
    matches = parts_of(app).matches
    tallies = [matches.tally(matches.create(**fields)) for _ in range(2)]
    assert without_copies(tallies) == tallies
