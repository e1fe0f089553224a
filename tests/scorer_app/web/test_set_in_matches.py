"""A family's own set in a match: which set a match is played with."""

from __future__ import annotations

import re
from threading import Event
from typing import Any

import pytest
from flask import Flask

from scorer_app.services.set_values import KeptSet
from scorer_app.services.sets import Sets
from scorer_app.web.pages.context import options_of_set
from scorer_app.web.parts import parts_of
from vision.reading import Notice

from ..conftest import Scorer, until
from ..hands import new_match, send, when_read
from ..own_sets import example
from ..pictures import RecordedReader, picture_of
from ..served import PATIENCE
from .set_requests import bring, face, teach, tiles_of


def test_a_new_match_takes_the_set_used_last(scorer: Scorer, app: Flask, sets: Sets) -> None:
    assert "tile_set" not in scorer.client.get("/matches/new", follow_redirects=True).text
    faces = [example("7R"), example("8B")]
    first, second = (sets.teach(name, faces) for name in ("One", "Two"))
    page = scorer.client.get("/matches/new", follow_redirects=True).text
    assert re.search(rf'value="{second.id}" selected', page)
    assert tiles_of(app, new_match(scorer, tile_set=first.id)) == first.id
    assert re.search(
        rf'value="{first.id}" selected',
        scorer.client.get("/matches/new", follow_redirects=True).text,
    )
    assert tiles_of(app, scorer.hand(scorer.begin())["match"]) == first.id
    assert tiles_of(app, new_match(scorer, tile_set="")) is None
    assert tiles_of(app, new_match(scorer, tile_set="unknown")) is None
    assert (
        "selected>Cualquiera" not in scorer.client.get("/matches/new", follow_redirects=True).text
    )


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


def test_what_choosing_a_set_did_is_said_beside_the_choice(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8B")])
    match = new_match(scorer, tile_set="")
    hand = scorer.begin(match)

    def shown() -> list[str]:
        _, _, form = scorer.client.get(f"/matches/{match}").text.partition('id="match-set"')
        return re.findall(r'role="status">([^<]*)</p>', form[: form.index("</form>")])

    def said(tile_set: str) -> str:
        where = scorer.form(f"/matches/{match}/tiles", tile_set=tile_set).headers["Location"]
        assert where.endswith("#match-set")
        (told,) = shown()
        assert not shown()  # it is said once
        return told

    assert said(kept.id) == "Listo: las fotos de esta partida se leen con «Casa»."
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    with_any = "Listo: las fotos de esta partida se leen con cualquier juego de fichas."
    assert said("") == f"{with_any} Las de la mano sin guardar se leen de nuevo."
    assert said("") == with_any
    assert 'role="status">Listo' not in scorer.client.get(f"/matches/{match}").text


def hand_read_with_a_set(scorer: Scorer, reader: RecordedReader, sets: Sets) -> tuple[KeptSet, str]:
    """Return a set, and a hand of which one photograph was read with it."""
    kept = sets.teach("Casa", [example("7R")])
    hand = scorer.begin(new_match(scorer, tile_set=kept.id))
    send(scorer, hand, "A", "melds", reader.add(picture_of("3R 4R 5R")))
    when_read(scorer, hand)
    return kept, hand


def test_photographs_of_the_open_hand_are_read_anew_once_their_set_is_forgotten(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    kept, hand = hand_read_with_a_set(scorer, reader, sets)
    scorer.form(f"/sets/{kept.id}/forget")
    until(lambda: [one and one.id for one in reader.chosen], lambda ids: ids == [kept.id, None])
    when_read(scorer, hand)
    assert len(scorer.hand(hand)["tiles"]) == 3


def test_photographs_of_the_open_hand_are_read_anew_once_their_set_has_learned(
    scorer: Scorer, reader: RecordedReader, sets: Sets
) -> None:
    kept, hand = hand_read_with_a_set(scorer, reader, sets)
    former = sets.of_id(kept.id).version
    teach(scorer, "Casa", face("8R"))
    until(lambda: [one and one.version for one in reader.chosen], lambda seen: len(seen) == 2)
    when_read(scorer, hand)
    last = sets.examples(kept.id)[-1].photo_id
    scorer.form(f"/sets/{kept.id}/photos/{last}/drop")
    versions = [former, former + 1, former + 2]
    until(lambda: [one and one.version for one in reader.chosen], lambda seen: seen == versions)
    when_read(scorer, hand)
    assert len(scorer.hand(hand)["tiles"]) == 3


def test_what_is_noted_of_a_set_stands_in_the_history_of_its_matches(
    scorer: Scorer, app: Flask, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    assert "partidas que se juegan con él" not in scorer.client.get(f"/sets/{kept.id}").text
    match = new_match(scorer, tile_set=kept.id)
    assert "Vale también para las partidas" in scorer.client.get(f"/sets/{kept.id}").text
    for count in ("1", "1"):  # the second time it is noted already
        scorer.form(f"/sets/{kept.id}/copies", face="7R", count=count)
    told = "anotó qué fichas faltan o sobran en «Casa»"
    assert scorer.client.get(f"/matches/{match}/history").text.count(told) == 1
    scorer.form(f"/sets/{kept.id}/forget")
    page = scorer.client.get(f"/matches/{match}/history").text
    assert "olvidó el juego de fichas «Casa»" in page and told in page
    assert parts_of(app).matches.tally(match).match.options == {}


def test_the_history_says_how_many_copies_were_noted_and_how_many_there_were_before(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    match = new_match(scorer, tile_set=kept.id)
    for tile, count in (("7R", "1"), ("7R", "0"), ("J", "4"), ("7R", ""), ("J", "")):
        scorer.form(f"/sets/{kept.id}/copies", face=tile, count=count)
    page = scorer.client.get(f"/matches/{match}/history").text
    assert re.findall('<span class="told">(.*?)</span>', page) == [
        "comodín: 4 → como siempre.",
        "7 rojo: 0 → 2.",
        "comodín: como siempre → 4.",
        "7 rojo: 1 → 0.",
        "7 rojo: 2 → 1.",
    ]


def test_the_history_says_how_many_comodines_the_match_itself_had_before(
    scorer: Scorer, sets: Sets
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.count(kept.id, {"J": 3})
    match, other = (new_match(scorer, tile_set=kept.id, jokers=count) for count in ("4", "2"))
    for tile, count in (("J", "5"), ("7R", "1")):
        scorer.form(f"/sets/{kept.id}/copies", face=tile, count=count)
    for one, before in ((match, 4), (other, 3)):
        page = scorer.client.get(f"/matches/{one}/history").text
        told = ["7 rojo: 2 → 1.", f"comodín: {before} → 5."]
        assert re.findall('<span class="told">(.*?)</span>', page) == told


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
    as_file = scorer.client.get(f"/sets/{kept.id}/export").data
    scorer.form(f"/sets/{kept.id}/forget")
    assert tiles_of(app, again) is None
    back = bring(scorer, as_file).headers["Location"].rsplit("/", 1)[1]
    page = scorer.client.get(f"/matches/{again}").text
    assert f'<option value="{back}" >Casa</option>' in page[page.index('id="match-set"') :]
    scorer.form(f"/matches/{again}/tiles", tile_set=back)
    assert tiles_of(app, again) == back


# --- how many tiles it has ---


def test_a_match_says_that_its_set_has_too_few_faces_to_read_with(
    scorer: Scorer, sets: Sets
) -> None:
    """And does not say that photographs are read with it."""
    kept = sets.teach("Casa", [example("7R"), example("8B")])
    match = new_match(scorer, tile_set="")
    page = scorer.form(f"/matches/{match}/tiles", tile_set=kept.id).headers["Location"]
    assert "se leen con «Casa»" in scorer.client.get(page).text
    sets.drop(kept.id, sets.examples(kept.id)[0].id)
    for _ in range(2):
        scorer.form(f"/matches/{match}/tiles", tile_set=kept.id)
        shown = scorer.client.get(page).text
        assert "«Casa» tiene muy pocas caras" in shown and "se leen con" not in shown
