"""A photograph of another set's tiles is told from one of the same tiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from datasets.faces import FaceStyle, Kind, random_style
from datasets.faces.odd_style import Oddity, odd_style
from tests.places import SHARED, needs_photographs
from tests.scorer_app.own_sets import tile_set
from tests.teaching_scenes import teaching_photograph
from vision import open_reader
from vision.frame import Frame
from vision.own_set.examples import FaceExample
from vision.own_set.same_set import FEWEST_FACES, MOST_TILES, Typeface, shows_other_set
from vision.own_set.teaching import teach
from vision.reader import FaceScores

USUAL = random_style(np.random.default_rng(40), Kind.BURAKO)
MARKED = odd_style(np.random.default_rng(101), Oddity.MARKS)
S1 = SHARED / "photos" / "strange_sets" / "S1" / "images"


def examples_of(style: FaceStyle, seed: int, roll: float = 2.0) -> list[FaceExample]:
    picture, _labelled = teaching_photograph(seed=seed, roll=roll, style=style)
    return [
        one.example for one in teach(open_reader(), Frame.of(picture), ("Y", "K", "R", "B")).faces
    ]


@pytest.mark.pictures
def test_a_rendered_set_is_told_from_another_one() -> None:
    first, again = examples_of(USUAL, 3), examples_of(USUAL, 4, roll=-7.0)
    other = examples_of(MARKED, 5)
    assert not shows_other_set(again, first)
    assert shows_other_set(other, first)
    assert shows_other_set(first, other)
    assert not shows_other_set(other, [*first, *other])


@pytest.mark.pictures
@needs_photographs
def test_both_photographs_of_an_old_set_show_the_same_set() -> None:
    first, again = (
        [one.example for one in teach(open_reader(), S1 / name).faces]
        for name in ("teach_1.jpg", "teach_2.jpg")
    )
    assert not shows_other_set(again, first)
    assert shows_other_set(again, examples_of(MARKED, 5))


def test_few_faces_tell_nothing() -> None:
    known = tile_set().examples
    other = [FaceExample(one.face, np.ascontiguousarray(one.crop[::-1, ::-1])) for one in known]
    assert shows_other_set(other[:FEWEST_FACES], known)
    assert not shows_other_set(other[: FEWEST_FACES - 1], known)
    assert not shows_other_set(other, [])
    assert not shows_other_set(known, known)


def seen(examples: Sequence[FaceExample]) -> FaceScores:
    """Return what a network would say of the examples if it read their numbers."""
    crops = np.stack([one.crop for one in examples])
    number = np.full((len(crops), 15), -9.0, np.float32)
    for row, one in zip(number, examples, strict=True):
        row[13 if one.face == "J" else int(one.face[:-1]) - 1] = 0.0
    nothing = np.zeros((len(crops), 8), np.float32)
    quads = np.zeros((len(crops), 4, 2), np.float32)
    return FaceScores(number, nothing[:, :4], nothing[:, :4], quads, crops, nothing, nothing)


@pytest.mark.pictures
def test_the_numbers_of_a_set_are_like_those_taught_whatever_their_colours() -> None:
    typeface = Typeface.of(examples_of(USUAL, 3))
    again, other = examples_of(USUAL, 4, roll=-7.0), examples_of(MARKED, 5)
    black_alone = Typeface.of([one for one in examples_of(USUAL, 3) if one.face[-1] == "K"])
    for known in (typeface, black_alone):
        same, others = known.unlike(seen(again)), known.unlike(seen(other))
        assert same is not None and others is not None
        assert same < 0.1 < others
    dark = [FaceExample(one.face, one.crop // 2) for one in again]
    assert typeface.unlike(seen(dark)) == pytest.approx(typeface.unlike(seen(again)), abs=0.02)


def test_few_numbers_that_were_taught_do_not_tell_a_typeface() -> None:
    known = [one for one in tile_set().examples if one.face != "J"]
    typeface = Typeface.of(tile_set().examples)
    assert typeface.unlike(seen(known)) == pytest.approx(0, abs=0.02)
    assert typeface.unlike(seen(known[: FEWEST_FACES - 1])) is None
    assert typeface.unlike(seen([FaceExample("J", one.crop) for one in known])) is None
    assert Typeface.of([]).unlike(seen(known)) is None


@pytest.mark.parametrize("others", [FEWEST_FACES, MOST_TILES, 5 * MOST_TILES])
def test_tiles_of_numbers_that_were_not_taught_take_no_place_of_those_that_were(
    others: int,
) -> None:
    """Each tile of a taught number lies behind many others."""
    sevens = [one for one in tile_set().examples if one.face[:-1] == "7"]
    nines = [one for one in tile_set().examples if one.face[:-1] == "9"]
    lying = [nines[at % len(nines)] for at in range(others)] + [sevens[0]] * FEWEST_FACES
    assert Typeface.of(sevens).unlike(seen(lying)) == pytest.approx(0, abs=0.02)
