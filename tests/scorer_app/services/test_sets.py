"""Sets of tiles in the store: taught, learned, limited in size, taken back, forgotten, and never
stored half.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from sqlalchemy import update

from scorer_app.config import AppConfig
from scorer_app.services.set_values import Learned, SetError, SetTrouble, clean_name
from scorer_app.services.sets import MOST_SETS, Sets
from scorer_app.store import Example, Store, StoreUnavailable
from tests.places import PROJECT
from vision.own_set.examples import FACE_NAMES, MAX_PER_FACE, FaceExample, Origin

from ..own_sets import drawn_crop, example, tile_set


@pytest.fixture
def sets(config: AppConfig) -> Iterator[Sets]:
    store = Store(config.database)
    yield Sets(store)
    store.close()


def trouble(raised: pytest.ExceptionInfo[SetError]) -> SetTrouble:
    return raised.value.reason


def learned(face: str, tile: str, photo: str = "photo-1", variant: int = 1) -> Learned:
    return Learned(photo, tile, example(face, variant, Origin.SETTLED))


# --- names ---


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Casa", "Casa"),
        ("  el   de la abuela ", "el de la abuela"),
        ("N\u0303andu\u0301 2", "Ñandú 2"),
        ("a-b", "a-b"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_has_letters_digits_blanks_and_hyphens(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        *("", "   ", "-", "x" * 41, "a/b", "..", "<b>", "a\x00b", "\ud800", "½", "a_b", "a\u202eb"),
        *("\u3164", "\u115f -", "\u0301"),  # nothing of them would be seen
    ],
)
def test_any_other_name_is_refused(given: str) -> None:
    with pytest.raises(SetError) as raised:
        clean_name(given)
    assert trouble(raised) is SetTrouble.BAD_NAME


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("L'Italia", "'"),
        ("a/b_c", "/"),
        ("x" * 41 + "!", "!"),
        ("x" * 41, "x" * 41),
        ("-", "-"),
        ("a\u202eb", "a\u202eb"),  # which nobody would see
    ],
)
def test_the_character_that_no_name_may_have_is_told(given: str, told: str) -> None:
    with pytest.raises(SetError) as raised:
        clean_name(given)
    assert raised.value.what == told


def test_a_name_of_endless_accents_is_refused_before_it_is_normalized(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def takes_minutes(*_: object) -> str:
        raise AssertionError("a long name was normalized")

    instead = SimpleNamespace(normalize=takes_minutes)
    monkeypatch.setattr("scorer_app.services.set_values.unicodedata", instead)
    with pytest.raises(SetError):
        clean_name("a" + "\u0301\u0316" * 20_000)


def test_a_name_is_found_however_its_letters_are_written(sets: Sets) -> None:
    sets.teach("La Caßa", [example("7R")])
    assert sets.find("la CASSA").name == "La Caßa"
    assert sets.teach("LA CAßA", [example("8R")]).counts == {"7R": 1, "8R": 1}
    with pytest.raises(SetError) as raised:
        sets.create("la cassa", [example("7R")])
    assert trouble(raised) is SetTrouble.TAKEN
    assert len(sets.listed()) == 1


# --- taught ---


def test_what_was_taught_is_read_as_it_was(sets: Sets) -> None:
    taught = tile_set()
    kept = sets.teach("Casa", taught.examples)
    assert (kept.name, kept.missing, kept.learned) == ("Casa", (), 0)
    loaded = sets.load(kept.id)
    assert loaded.counts() == dict.fromkeys(FACE_NAMES, 1)
    for one, other in zip(loaded.examples, taught.examples, strict=True):
        assert (one.face, one.origin) == (other.face, other.origin)
        assert np.array_equal(one.crop, other.crop)


def test_teaching_again_adds_and_replacing_replaces(sets: Sets) -> None:
    first = sets.teach("Casa", [example("7R"), example("J")])
    second = sets.teach("casa", [example("7R", 1)])
    assert (second.id, second.counts) == (first.id, {"7R": 2, "J": 1})
    assert second.version > first.version
    third = sets.teach("Casa", [example("1B")], replace=True)
    assert (third.id, third.counts) == (first.id, {"1B": 1})
    assert third.version > second.version


def test_a_photograph_that_is_given_twice_counts_once(sets: Sets) -> None:
    twice = [example("7R", 1), example("8B", 2), example("7R", 1)]
    assert sets.teach("Casa", twice).counts == {"7R": 1, "8B": 1}
    assert sets.teach("Casa", [example("8B", 2), example("8B", 3)]).counts == {"7R": 1, "8B": 2}


def test_a_picture_that_a_person_named_anew_does_not_come_again_under_its_old_name(
    sets: Sets,
) -> None:
    kept = sets.teach("Casa", [example("7R", 1)])
    (taught,) = sets.examples(kept.id)
    sets.rename_face(kept.id, taught.id, "8R")
    assert sets.teach("Casa", [example("7R", 1)]).counts == {"8R": 1}


def test_a_face_keeps_a_bounded_number_of_examples(sets: Sets) -> None:
    for variant in range(MAX_PER_FACE + 4):
        kept = sets.teach("Casa", [example("7R", variant)])
    assert kept.counts == {"7R": MAX_PER_FACE}
    newest = sets.load(kept.id).examples[-1].crop
    assert np.array_equal(newest, drawn_crop("7R", MAX_PER_FACE + 3))


def test_a_store_holds_a_bounded_number_of_sets(sets: Sets) -> None:
    for number in range(MOST_SETS):
        sets.teach(f"Set {number}", [example("7R")])
    with pytest.raises(SetError) as raised:
        sets.teach("One more", [example("7R")])
    assert trouble(raised) is SetTrouble.TOO_MANY
    assert len(sets.listed()) == MOST_SETS


def test_the_set_used_last_is_listed_first(sets: Sets) -> None:
    older, newer = (sets.teach(name, [example("7R")]) for name in ("Older", "Newer"))
    assert [one.name for one in sets.listed()] == ["Newer", "Older"]
    sets.choose(older.id)
    assert [one.name for one in sets.listed()] == ["Older", "Newer"]
    assert sets.of_id(newer.id).version == newer.version


def test_the_set_used_last_is_the_default(sets: Sets) -> None:
    assert sets.default() is None
    faces = [example("7R"), example("8B")]
    older, newer = (sets.teach(name, faces) for name in ("Older", "Newer"))
    assert sets.default() == newer.id
    sets.choose(older.id)
    assert sets.default() == older.id
    sets.choose(None)
    assert sets.default() is None
    sets.choose(newer.id)
    sets.forget(newer.id)
    assert sets.default() is None


def test_a_friends_set_becomes_the_default_only_where_nobody_has_chosen(sets: Sets) -> None:
    faces = [example("7R"), example("8B")]
    first = sets.create("De Ana", faces)
    assert sets.default() == first.id
    sets.create("De Beto", faces)
    assert sets.default() == first.id
    sets.forget(first.id)
    assert sets.default() is None
    third = sets.create("De Clara", faces)
    assert sets.default() == third.id
    sets.choose(None)  # to play without a set is a choice, too
    sets.create("De Dora", faces)
    assert sets.default() is None


def test_the_usual_copies_of_a_friends_set_are_nothing_odd(sets: Sets) -> None:
    kept = sets.create("De Ana", [example("7R")], {"7R": 2, "8B": 1, "J": 2})
    assert kept.copies == {"8B": 1, "J": 2}


def test_a_set_that_cannot_be_read_with_is_no_default(sets: Sets) -> None:
    sets.teach("Begun", [example("7R"), example("7K")])
    assert sets.default() is None
    begun = sets.teach("Begun", [example("J")])
    assert sets.default() == begun.id


def test_a_damaged_picture_leaves_the_others(sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R"), example("8R")])
    with sets.store.engine.begin() as connection:
        damaged = update(Example).where(Example.face == "7R").values(picture=b"\x89PNG")
        connection.execute(damaged)
    assert sets.load(kept.id).counts() == {"8R": 1}


def test_who_teach_a_set_at_once_count_one_after_another(sets: Sets) -> None:
    begun = sets.teach("Casa", [example("7R")])
    together = threading.Barrier(4)

    def teach(phone: int) -> None:
        together.wait()
        sets.teach("Casa", [example("8R", 3 * phone + variant) for variant in range(3)])

    with ThreadPoolExecutor(4) as phones:
        list(phones.map(teach, range(4)))
    kept = sets.of_id(begun.id)
    assert (kept.version, kept.counts) == (begun.version + 4, {"7R": 1, "8R": MAX_PER_FACE})


# --- learned ---


def test_a_hand_saved_again_replaces_what_it_had_taught(sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.learn(kept.id, "hand", [learned("7R", "t1"), learned("8R", "t2")])
    assert (sets.of_id(kept.id).counts, sets.of_id(kept.id).learned) == ({"7R": 2, "8R": 1}, 2)
    sets.learn(kept.id, "hand", [learned("7R", "t1"), learned("9B", "t2")])
    assert sets.of_id(kept.id).counts == {"7R": 2, "9B": 1}
    sets.learn(kept.id, "hand", [])
    assert sets.of_id(kept.id).counts == {"7R": 1}


def test_a_hand_that_says_nothing_new_changes_no_version(sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.learn(kept.id, "hand", [learned("8R", "t2")])
    before = sets.of_id(kept.id).version
    sets.learn(kept.id, "hand", [learned("8R", "t2")])
    assert sets.of_id(kept.id).version == before


def test_what_was_taken_back_does_not_come_again(sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.learn(kept.id, "hand", [learned("8R", "t2")])
    (row,) = [row for row in sets.examples(kept.id) if row.face == "8R"]
    sets.drop(kept.id, row.id)
    assert sets.picture(kept.id, row.id) is None
    sets.learn(kept.id, "hand", [learned("8R", "t2"), learned("9R", "t3")])
    assert sets.of_id(kept.id).counts == {"7R": 1, "9R": 1}


def test_a_face_named_by_a_person_stays_so(sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    sets.learn(kept.id, "hand", [learned("8R", "t2")])
    (row,) = [row for row in sets.examples(kept.id) if row.face == "8R"]
    sets.rename_face(kept.id, row.id, "3K")
    sets.learn(kept.id, "hand", [learned("8R", "t2")])
    assert sets.of_id(kept.id).counts == {"7R": 1, "3K": 1}
    with pytest.raises(ValueError, match="14R"):
        sets.rename_face(kept.id, sets.examples(kept.id)[0].id, "14R")


def test_a_face_named_by_a_person_does_not_come_again_under_its_former_name(sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    misread = Learned("photo-1", "t2", FaceExample("8R", drawn_crop("3K", 1), Origin.SETTLED))
    sets.learn(kept.id, "hand", [misread])
    (row,) = [row for row in sets.examples(kept.id) if row.face == "8R"]
    sets.rename_face(kept.id, row.id, "3K")
    sets.teach("Casa", [example("3K", variant) for variant in range(2 * MAX_PER_FACE)])
    assert all(row.hand_id is None for row in sets.examples(kept.id))  # others took its place
    sets.learn(kept.id, "hand", [misread])
    assert sets.of_id(kept.id).counts == {"7R": 1, "3K": MAX_PER_FACE}


def test_one_set_cannot_reach_the_examples_of_another(sets: Sets) -> None:
    mine, other = (sets.teach(name, [example("7R")]) for name in ("Mine", "Other"))
    (row,) = sets.examples(other.id)
    assert sets.picture(mine.id, row.id) is None
    for change in (sets.drop, lambda one, at: sets.rename_face(one, at, "8R")):
        with pytest.raises(SetError):
            change(mine.id, row.id)
    assert sets.of_id(other.id).counts == {"7R": 1}


# --- forgotten ---


def test_a_forgotten_set_is_gone_and_learns_nothing(sets: Sets) -> None:
    kept = sets.teach("Casa", [example("7R")])
    chosen = sets.chosen(kept.id)
    assert chosen is not None and chosen.load().counts() == {"7R": 1}
    sets.forget(kept.id)
    sets.learn(kept.id, "hand", [learned("8R", "t2")])
    assert (sets.listed(), sets.chosen(kept.id), sets.chosen(None)) == ([], None, None)
    for asked in (sets.load, sets.forget, sets.choose):
        with pytest.raises(SetError) as raised:
            asked(kept.id)
        assert trouble(raised) is SetTrouble.UNKNOWN


# --- whole or not at all ---


def test_a_set_that_cannot_be_written_stays_as_it_was(
    sets: Sets, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = sets.teach("Casa", [example("7R")])
    with sets.store.engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER full BEFORE INSERT ON example WHEN NEW.face = '9R'"
            " BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    with pytest.raises(StoreUnavailable, match="disk full"):
        sets.teach("Casa", [example("8R"), example("9R")], replace=True)
    assert sets.of_id(kept.id) == kept


TEACHER = """
import sys
from scorer_app.services.sets import Sets
from scorer_app.store import Store
from tests.scorer_app.own_sets import tile_set
sets = Sets(Store(sys.argv[1]))
one, other = tile_set(variants=[0]), tile_set(faces=["7R", "J"], variants=[0, 1])
while True:
    for taught in (one, other):
        sets.teach("Casa", taught.examples, replace=True)
        print(len(taught.examples), flush=True)
"""


@pytest.mark.process
def test_kill_9_while_teaching_leaves_one_whole_set(config: AppConfig) -> None:
    for wait in (0.0, 0.02, 0.05):
        teacher = subprocess.Popen(
            [sys.executable, "-c", TEACHER, config.database],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert teacher.stdout is not None
        teacher.stdout.readline()
        time.sleep(wait)
        teacher.kill()
        told = teacher.stdout.read().split()
        teacher.stdout.close()
        teacher.wait()
        store = Store(config.database)
        (kept,) = Sets(store).listed()
        store.close()
        assert sum(kept.counts.values()) in (53, 4), told
