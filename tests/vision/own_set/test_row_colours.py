"""The colours of taught rows are found by the network and by hues; a person is asked where neither
is sure.
"""

import numpy as np
from numpy.typing import NDArray

from engine.tiles import COLOURS
from vision.own_set.row_colours import RowInks, row_colours

RED, BLUE, BLACK, YELLOW = (190, 25, 40), (25, 60, 170), (32, 30, 30), (225, 150, 10)
PURPLE, GREEN = (120, 20, 160), (30, 150, 50)
BODY = 231
UNDECIDED = np.log(np.full(4, 0.25))
Rgb = tuple[int, int, int]
Row = tuple[NDArray[np.float32], NDArray[np.uint8]]


def row(said: NDArray[np.float64], digit: Rgb, mark: Rgb) -> Row:
    """Make thirteen tiles with a bar for a digit and a square below it; `said`, (4,), are the
    network's log-probabilities of their colours.
    """
    crops = np.full((13, 64, 48, 3), BODY, np.uint8)
    crops[:, 14:30, 18:30] = digit
    crops[:, 40:48, 20:28] = mark
    return np.tile(said, (13, 1)).astype(np.float32), crops


def surely(colour: str) -> NDArray[np.float64]:
    return np.where(np.array(COLOURS) == colour, np.log(0.97), np.log(0.01))


def told(rows: list[Row]) -> tuple[str, list[bool]]:
    found = row_colours(RowInks.of(rows))
    return "".join(one.colour for one in found), [one.sure for one in found]


def test_inks_as_they_are_sold_are_sure() -> None:
    inks = {"Y": YELLOW, "R": RED, "K": BLACK, "B": BLUE}
    rows = [row(surely(colour), ink, ink) for colour, ink in inks.items()]
    assert told(rows) == ("YRKB", [True] * 4)


def test_where_digits_are_black_their_marks_tell() -> None:
    rows = [row(UNDECIDED, BLACK, mark) for mark in (BLUE, BLACK, YELLOW, RED)]
    assert told(rows) == ("BKYR", [True] * 4)


def test_rows_of_black_digits_and_coloured_marks_are_not_sure_unless_all_four_are_seen() -> None:
    """The network knows black digits from sets on sale, whatever mark is beside them."""
    marks = [row(surely("K"), BLACK, mark) for mark in (RED, BLUE, YELLOW, BLACK)]
    black = row(surely("K"), BLACK, BLACK)
    assert told([black]) == ("K", [True])
    for mark in marks[:3]:
        assert told([mark])[1] == [False]
    assert told(marks * 2)[1] == [False, False, False, True] * 2


def test_inks_that_no_set_sold_has_are_not_sure_whatever_the_network_says() -> None:
    inks = {"B": PURPLE, "K": GREEN, "R": YELLOW, "Y": RED}
    rows = [row(surely(colour), ink, ink) for colour, ink in inks.items()]
    assert told(rows)[1] == [False] * 4


def test_inks_between_two_colours_are_not_sure() -> None:
    either = np.log([0.45, 0.05, 0.05, 0.45])
    orange = (215, 90, 25)
    rows = [row(either, orange, orange) for _ in range(2)]
    assert told(rows)[1] == [False] * 2


def test_of_more_rows_than_colours_several_may_have_one() -> None:
    inks = [("R", RED), ("R", RED), ("B", BLUE), ("K", BLACK), ("Y", YELLOW)]
    rows = [row(surely(colour), ink, ink) for colour, ink in inks]
    assert told(rows) == ("RRBKY", [True] * 5)
