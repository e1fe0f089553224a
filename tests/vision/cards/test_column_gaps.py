"""Where columns are looked at between their cards, and the cards that are told to lie there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_scores import Probabilities, log_probabilities
from vision.cards.card import Card
from vision.cards.column_ends import CARD, CLASSES, JOLLY, NOTHING
from vision.cards.column_gaps import (
    A_JOLLY_ALONE,
    LIKELY,
    LIKELY_ANYWHERE,
    LIKELY_FAR,
    LIKELY_IN_MELD,
    LIKELY_IN_SHORT,
    LIKELY_LACKING,
    LIKELY_LOOSE,
    SURELY_A_JOLLY,
    ColumnGaps,
    beside_jollies,
    between,
    in_loose_columns,
    in_wide_steps,
    lacking_one,
    not_in_order,
)
from vision.cards.known_marks import KnownMarks, NearMarks
from vision.cards.pipeline import CardTableReader
from vision.cards.steps import Gap
from vision.grouping import Indices
from vision.pyramid import Picture

from .test_column_ends import NONE_KNOWN, PICTURE, card, marks_of
from .test_marks import surely

SURELY_NOTHING = {NOTHING: 0.99, CARD: 0.01}
RATHER_NOTHING = {NOTHING: 0.6, CARD: 0.4}
A_CARD = {NOTHING: 0.1, CARD: 0.8, JOLLY: 0.1}


class Told(ColumnGaps):
    """Tells these things of the places it is asked about."""

    def __init__(self, *shown: Probabilities) -> None:
        self.shown, self.asked = list(shown), list[list[float]]()
        self.own = list[int]()

    def look(
        self, picture: Picture, quads: NDArray[np.float32], marks: Sequence[NearMarks]
    ) -> NDArray[np.float32]:
        self.asked += quads.mean(axis=1).tolist()
        self.own += [int(near.own.sum()) for near in marks]
        return log_probabilities(self.shown[: len(quads)], len(CLASSES))


def judged(
    told: Told, names: tuple[str, ...], gaps: list[Gap], *, is_meld: bool = True
) -> list[Gap]:
    """The gaps of one column whose cards lie 30 pixels apart."""
    cards = [card(300, 300 + 30 * number) for number in range(len(names))]
    rows: list[Indices] = [tuple(range(len(names)))]
    faces, known = surely(*names), KnownMarks(rows, cards, marks_of(cards))
    incomplete = [] if is_meld else [0]
    asked = not_in_order(rows, cards, faces, incomplete)
    lacking = lacking_one(rows, faces, incomplete)
    return told.judged(PICTURE, rows, cards, gaps, asked, lacking, known)


@pytest.mark.parametrize(
    ("step", "middle", "right"),
    [
        ((0, 30), (350, 315), (70, 0)),
        ((0, -30), (350, 425), (-70, 0)),
        ((20, 0), (310, 370), (0, -70)),
        ((-20, 0), (390, 370), (0, 70)),
    ],
    ids=["down", "up", "to the right", "to the left"],
)
def test_the_strip_of_the_lower_card_is_looked_at_and_never_mirrored(
    step: tuple[float, float], middle: tuple[float, float], right: tuple[float, float]
) -> None:
    square = between(card(300, 300), card(300 + step[0], 300 + step[1]))
    assert square.mean(axis=0).tolist() == pytest.approx(middle)
    assert (square[1] - square[0]).tolist() == pytest.approx(right)
    assert (square[3] - square[0]).tolist() == pytest.approx(step)
    assert np.linalg.det([right, step]) > 0


def test_two_cards_almost_in_one_place_are_looked_at_from_farther() -> None:
    square = between(card(300, 300), card(300, 305))
    assert np.linalg.norm(square[3] - square[0]) == pytest.approx(0.12 * 140)


def test_neighbours_of_a_run_and_those_of_a_jolly_are_not_looked_at() -> None:
    told = Told(*[SURELY_NOTHING] * 2)
    assert judged(told, ("12R", "13R", "1R", "2B", "3B", "5B"), []) == []
    assert told.asked == [[350, 375], [350, 435]]
    assert told.own == [2, 2]  # the marks of both cards beside each gap
    judged(told := Told(SURELY_NOTHING), ("4B", "4R", "J", "4K"), [])
    assert told.asked == [[350, 315]]


@pytest.mark.parametrize(("step", "asked"), [(83, 1), (85, 0)])
def test_cards_that_lie_far_apart_are_not_looked_at(step: int, asked: int) -> None:
    """A card is 140 pixels high."""
    cards = [card(300, 300), card(300, 300 + step)]
    assert len(not_in_order([(0, 1)], cards, surely("4B", "4R"), [])) == asked


def test_gaps_beside_a_jolly_are_known() -> None:
    columns: list[Indices] = [(3, 0), (1, 2, 4, 5)]
    gaps = [Gap(0, 1, 0.5), *(Gap(1, before, 0.5) for before in (1, 2, 3))]
    jollies = np.array([False, False, True, False, False, False])
    assert beside_jollies(gaps, columns, jollies) == gaps[1:3]


@pytest.mark.parametrize(
    ("places", "wide", "others", "jollies"),
    [
        ((0, 30, 60, 90, 141), [4], [1, 2, 3], []),
        ((0, 30, 60, 90, 140), [], [1, 2, 3, 4], []),
        ((0, 20, 60, 80, 120, 140, 160), [2, 4], [1, 3, 5, 6], []),
        ((0, 40, 80, 120, 210), [], [1, 2, 3], []),
        ((0, 25, 45, 111), [], [], [1, 2, 3]),
        ((0, 90), [], [], []),
    ],
    ids=["wide", "hardly wide", "two", "far apart", "too few others", "two far apart"],
)
def test_of_loose_cards_a_card_between_is_likelier_in_a_step_much_wider_than_others(
    places: tuple[int, ...], wide: list[int], others: list[int], jollies: list[int]
) -> None:
    """A card is 140 pixels high."""
    cards = [card(300, 300), *(card(300, 300 + place) for place in places)]
    told = in_loose_columns([(0, 1), tuple(range(1, len(cards)))], cards)
    limits = dict.fromkeys(wide, LIKELY) | dict.fromkeys(others, LIKELY_LOOSE)
    limits |= dict.fromkeys(jollies, A_JOLLY_ALONE)
    assert told == {(0, 1): A_JOLLY_ALONE} | {(1, place): limits[place] for place in limits}


@pytest.mark.parametrize(
    ("places", "limits"),
    [
        ((0, 29, 58), [LIKELY_IN_SHORT, LIKELY_IN_SHORT]),
        ((0, 27, 85), [A_JOLLY_ALONE, LIKELY_IN_SHORT]),
        ((0, 60, 89), [A_JOLLY_ALONE, LIKELY_IN_SHORT]),
        ((0, 30, 60, 112), [LIKELY_IN_SHORT, LIKELY_IN_SHORT, LIKELY]),
        ((0, 30, 60, 110), [LIKELY_IN_SHORT] * 3),
        ((0, 30), [A_JOLLY_ALONE]),
    ],
    ids=["three", "one too near", "one too far", "wide", "hardly wide", "two cards"],
)
def test_among_three_or_four_loose_cards_the_step_has_to_be_a_usual_one(
    places: tuple[int, ...], limits: list[float]
) -> None:
    """A card is 140 pixels high."""
    cards = [card(300, 300 + place) for place in places]
    told = in_loose_columns([tuple(range(len(cards)))], cards)
    assert told == {(0, at): limit for at, limit in enumerate(limits, 1)}


@pytest.mark.parametrize(
    ("names", "places", "told"),
    [
        (("9B", "9K", "9R", "9Y", "9B"), (0, 50, 100, 150, 236), [4]),
        (("9B", "9K", "9R", "9Y", "9B"), (0, 50, 100, 150, 233), []),
        (("9B", "9K", "9R", "9Y", "9B"), (0, 60, 120, 180, 281), []),
        (("9B", "9K", "9R", "9Y"), (0, 50, 100, 186), []),
        (("9B", "9K", "9R", "9Y", "J"), (0, 50, 100, 150, 236), []),
        (("5B", "6B", "7B", "8B", "9B"), (0, 50, 100, 150, 236), []),
    ],
    ids=["wide", "near enough", "hardly wide", "too few others", "a jolly", "a run"],
)
def test_far_neighbours_of_a_meld_are_asked_about_in_a_step_much_wider_than_others(
    names: tuple[str, ...], places: tuple[int, ...], told: list[int]
) -> None:
    """A card is 140 pixels high; near ones are asked about anyway."""
    cards = [card(300, 300 + place) for place in places]
    found = in_wide_steps([tuple(range(len(cards)))], cards, surely(*names))
    assert found == {(0, at): LIKELY_FAR for at in told}


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ({JOLLY: SURELY_A_JOLLY + 0.002}, 1),
        ({JOLLY: SURELY_A_JOLLY - 0.01, CARD: 0.015}, 0),
        ({CARD: 1.0}, 0),
    ],
    ids=["a jolly", "rather a jolly", "another card"],
)
def test_between_few_loose_cards_only_a_sure_jolly_is_told(shown: Probabilities, told: int) -> None:
    cards = [card(300, 300), card(300, 330)]
    rows, known = [(0, 1)], KnownMarks([(0, 1)], cards, marks_of(cards))
    asked = in_loose_columns(rows, cards)
    assert len(Told(shown).judged(PICTURE, rows, cards, [], asked, [], known)) == told


@pytest.mark.parametrize(
    ("names", "incomplete", "limit"),
    [
        (("4B", "2B"), [], LIKELY_IN_MELD),
        (("4B", "2B"), [0], LIKELY_ANYWHERE),
        (("5B", "2B"), [], LIKELY_ANYWHERE),
        (("4B", "2R"), [], LIKELY_ANYWHERE),
        (("3B", "2B"), [], None),
        (("J", "2B"), [], None),
    ],
)
def test_a_card_between_is_likelier_where_a_wild_2_makes_a_meld_that_lacks_a_number(
    names: tuple[str, str], incomplete: list[int], limit: float | None
) -> None:
    cards = [card(300, 300), card(300, 330)]
    told = not_in_order([(0, 1)], cards, surely(*names), incomplete)
    assert told == ({} if limit is None else {(0, 1): limit})


@pytest.mark.parametrize(
    ("places", "limit"),
    [
        ((0, 46, 76, 106), LIKELY_LACKING),
        ((0, 44, 74, 104), LIKELY_IN_MELD),
        ((0, 46, 76), LIKELY_IN_MELD),
    ],
    ids=["longer", "hardly longer", "too few others"],
)
def test_a_number_lacks_in_a_step_longer_than_others_though_a_2_makes_a_meld(
    places: tuple[int, ...], limit: float
) -> None:
    cards = [card(300, 300 + place) for place in places]
    faces = surely("2B", "4B", "5B", "6B")[: len(cards)]
    assert not_in_order([tuple(range(len(cards)))], cards, faces, []) == {(0, 1): limit}


@pytest.mark.parametrize(("nothing", "told"), [(0.04, True), (0.06, False)])
def test_a_place_is_told_up_to_the_probability_that_it_is_asked_about_with(
    nothing: float, told: bool
) -> None:
    cards = [card(300, 300), card(300, 330)]
    known, shown = (
        KnownMarks([(0, 1)], cards, marks_of(cards)),
        {NOTHING: nothing, JOLLY: 1 - nothing},
    )
    found = Told(shown).judged(PICTURE, [(0, 1)], cards, [], {(0, 1): 0.05}, [], known)
    assert len(found) == told


def test_a_card_that_is_seen_between_two_was_missed() -> None:
    (gap,) = judged(Told(RATHER_NOTHING, A_CARD), ("4B", "4R", "4K"), [])
    assert (gap.column, gap.before, gap.share) == (0, 2, 0.5)
    assert gap.jolly == pytest.approx(0.6, abs=1e-4)


def test_a_wide_step_without_a_card_in_it_stays_as_it_was_told() -> None:
    names, wide = ("4B", "4R", "4K"), Gap(0, 1, 0.5, incomplete=True)
    assert judged(Told(SURELY_NOTHING, SURELY_NOTHING), names, [wide]) == [wide]
    assert judged(Told(RATHER_NOTHING, SURELY_NOTHING), names, [wide]) == [wide]


@pytest.mark.parametrize(
    ("nothing", "is_meld", "told"),
    [(0.99, False, True), (0.999, False, False), (0.99, True, False)],
)
def test_a_number_that_an_escalera_lacks_was_missed_where_hardly_anything_shows(
    nothing: float, is_meld: bool, told: bool
) -> None:
    shown = Told({NOTHING: nothing, CARD: 0.9 - 0.9 * nothing, JOLLY: 0.1 - 0.1 * nothing})
    found = judged(shown, ("4B", "5B", "7B"), [], is_meld=is_meld)
    assert [(gap.before, gap.share, gap.incomplete) for gap in found] == [(2, 0.5, True)] * told


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (("4B", "5B", "7B"), [2]),
        (("9B", "7B", "6B", "4B"), [1, 3]),
        (("12B", "1B"), [1]),
        (("1B", "3B"), [1]),
        (("13B", "1B"), []),
        (("1B", "1B"), []),
        (("4B", "7B"), []),
        (("4B", "6R"), []),
        (("4B", "J", "6B"), []),
    ],
)
def test_numbers_two_apart_lack_one(names: tuple[str, ...], places: list[int]) -> None:
    column = tuple(range(len(names)))
    other = (len(names), len(names) + 1)
    faces = surely(*names, "4B", "6B")
    assert lacking_one([column, other], faces, {0}) == [(0, place) for place in places]


def test_of_two_cards_missed_in_one_gap_both_are_told() -> None:
    told = judged(Told(A_CARD), ("4B", "5B"), [Gap(0, 1, 1 / 3), Gap(0, 1, 2 / 3)])
    assert [(gap.share, gap.jolly is None) for gap in told] == [(1 / 3, False), (2 / 3, False)]


def test_a_table_without_columns_is_not_looked_at() -> None:
    cards: list[Card] = []
    assert ColumnGaps.judged(Told(), PICTURE, [], cards, [], {}, [], NONE_KNOWN) == []


def test_the_installed_networks_look_between_cards() -> None:
    assert CardTableReader().column_gaps is not None
