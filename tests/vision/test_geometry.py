"""Properties of quads, crops and rows that hold however a camera sees the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.examples import examples
from vision.crops import CROP_HEIGHT, CROP_WIDTH, MARGIN, WHITE, crop_faces, white_balance
from vision.grouping import find_rows
from vision.quads import (
    alternative_quads,
    are_convex,
    foreshortening,
    non_max_suppression,
    overlap,
    sides,
)

TILE = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]])


def tile_at(x: float, y: float, degrees: float = 0.0, size: float = 1.0) -> NDArray[np.float64]:
    """Return the corners of a tile face on the table's plane, (4, 2) in tile widths, its middle at
    (x, y).
    """
    turn = np.radians(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return TILE * size @ rotation.T + (x, y)


def photographed(
    tiles: list[NDArray[np.float64]], elevation: float, roll: float, pixels: float = 50.0
) -> NDArray[np.float32]:
    """Return the quads (n, 4, 2) of tiles as a camera sees them that looks at the origin from
    `elevation` degrees above the table and is turned by `roll` degrees.
    """
    up, around = np.radians(elevation), np.radians(roll)
    points = (
        np.concatenate(tiles)
        @ np.array([[np.cos(around), -np.sin(around)], [np.sin(around), np.cos(around)]]).T
    )
    distance = 40.0
    depth = distance - points[:, 1] * np.cos(up)
    seen = np.stack([points[:, 0], points[:, 1] * np.sin(up)], axis=1) * (distance / depth)[:, None]
    return (seen * pixels + 600).astype(np.float32).reshape(-1, 4, 2)


@settings(deadline=None, max_examples=examples(60))
@given(elevation=st.floats(10, 80), roll=st.floats(0, 360))
def test_how_flat_a_tile_looks_tells_how_low_the_camera_is(elevation: float, roll: float) -> None:
    shares, upright = foreshortening(photographed([tile_at(0, 0, 30)], elevation, roll))
    assert abs(shares[0] - np.sin(np.radians(elevation))) < 0.03
    assert upright[0] > 0.95


views = {"elevation": st.floats(28, 90), "roll": st.floats(0, 360)}


@settings(deadline=None, max_examples=examples(60))
@given(**views, seed=st.integers(0, 999))
def test_rows_are_found_from_every_side(elevation: float, roll: float, seed: int) -> None:
    rng = np.random.default_rng(seed)

    def hand_laid(x: float, y: float, turned: float = 0.0) -> NDArray[np.float64]:
        return tile_at(
            x + rng.uniform(-0.02, 0.04), y + rng.uniform(-0.12, 0.12), turned + rng.uniform(-3, 3)
        )

    # One of them lies upside down.
    first = [hand_laid(i * 1.06, 0, 180 * int(i == 2)) for i in range(5)]
    second = [hand_laid(i * 1.06 + 0.4, 1.75) for i in range(3)]  # the next row, close above
    single = [tile_at(-3.0, 0.3, 40), tile_at(8.0, 1.0)]
    quads = photographed(first + second + single, elevation, roll)
    order = rng.permutation(len(quads))
    place = {int(old): new for new, old in enumerate(order)}
    rows = set(find_rows(quads[order]))
    assert rows == {tuple(place[i] for i in range(5)), tuple(place[i] for i in range(5, 8))}


@pytest.mark.parametrize(
    ("other", "together"),
    [
        (tile_at(1.2, 0), True),
        (tile_at(1.0, 0, 180), True),
        (tile_at(1.7, 0), False),  # too far apart
        (tile_at(0, 1.45), False),  # above
        (tile_at(1.0, 0.9), False),  # beside, but half below
        (tile_at(1.25, 0, 90), False),  # across
        (tile_at(1.1, 0, 30), False),  # askew
        (tile_at(1.3, 0, 0, 1.8), False),  # of another size: not on the same plane
    ],
)
def test_what_lies_side_by_side(other: NDArray[np.float64], together: bool) -> None:
    rows = find_rows(photographed([tile_at(0, 0), other], 60, 20))
    assert bool(rows) is together


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(
    ("gap", "shift", "turn", "together"),
    [
        (0.31, 0, 0, True),
        (0.33, 0, 0, False),
        (-0.29, 0, 0, True),
        (-0.31, 0, 0, False),
        (0, 0.54, 0, True),
        (0, 0.56, 0, False),
        (0, 0, 16.6, True),
        (0, 0, 17.4, False),
    ],
)
def test_limits_of_a_touch_hold_on_either_side(
    gap: float, shift: float, turn: float, together: bool, side: int
) -> None:
    """In widths of a tile, degrees; seen from above, so that both planes are the picture's."""
    other = tile_at(side * (1 + gap), side * shift, side * turn)
    rows = find_rows(photographed([tile_at(0, 0), other], 90, 0))
    assert bool(rows) is together


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_is_too_narrow_beside_a_tile_joins_it_not(order: tuple[int, int]) -> None:
    """Its corners lie askew, so that seen from its own plane the tile is hardly any wider."""
    tile = [[0, 0], [20, 0], [20, 28], [0, 28]]
    narrow = [[25, 4], [35, 8], [36, 24], [23, 24]]
    assert find_rows(np.array([tile, narrow], np.float32)[[*order]]) == []


def test_a_tile_joins_the_one_that_it_lies_straight_beside() -> None:
    """Another tile, half a tile lower, is nearer to its side."""
    straight, lower = tile_at(1.2, 0), tile_at(1.05, 0.5)
    assert find_rows(photographed([tile_at(0, 0), straight, lower], 90, 0))[0] == (0, 1)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1)])
def test_what_was_never_joined_is_not_cut(order: tuple[int, ...]) -> None:
    """The doubtful touch is that of the lower tile. It was never joined, because the place is taken
    by another tile, so there is nothing to cut.
    """
    tiles = [tile_at(0, 0), tile_at(1.2, 0), tile_at(1.1, 0.54)]
    quads = photographed([tiles[at] for at in order], 90, 0)
    assert find_rows(quads[[0, order.index(2)]]) == [(0, 1)]  # it touches where it is alone
    row = tuple(sorted((order.index(0), order.index(1))))
    assert find_rows(quads, is_meld=lambda tiles: len(tiles) == 1)[0] == row


@pytest.mark.parametrize(
    ("third", "melds", "expected"),
    [
        (tile_at(2.1, 0.1, 26), [(0, 1, 2)], [(0, 1, 2)]),  # askew, but one meld with the others
        (tile_at(2.1, 0.1, 26), [], [(0, 1)]),
        (tile_at(2.5, 0), [(0, 1, 2)], [(0, 1, 2)]),  # a wide gap
        (tile_at(3.2, 0), [(0, 1, 2)], [(0, 1)]),  # too wide for any row
        # Near enough, but laid apart from what is a meld without it.
        (tile_at(2.26, 0.4), [(0, 1)], [(0, 1)]),
        (tile_at(2.26, 0.4), [], [(0, 1, 2)]),
        (tile_at(2.02, 0), [(0, 1)], [(0, 1, 2)]),  # touching is not in doubt
    ],
)
def test_a_contact_in_doubt_holds_where_it_makes_a_meld(
    third: NDArray[np.float64], melds: list[tuple[int, ...]], expected: list[tuple[int, ...]]
) -> None:
    quads = photographed([tile_at(0, 0), tile_at(1.01, 0), third], 75, 0)
    assert find_rows(quads, is_meld=lambda row: tuple(sorted(row)) in melds) == expected


@pytest.mark.parametrize(
    ("third", "sure", "together"),
    [
        pytest.param(tile_at(2.4, 0), (1, 2), True, id="a gap too wide for a touch"),
        pytest.param(tile_at(2.4, 0), (0, 1), False, id="not surely read"),
        pytest.param(tile_at(2.4, 0), (0, 2), False, id="beside one not surely read"),
        pytest.param(tile_at(2.4, 0.3), (1, 2), False, id="a gap, and aside"),
        pytest.param(tile_at(2.4, 0, 20), (1, 2), False, id="a gap, and askew"),
    ],
)
def test_tiles_surely_read_belong_together_whatever_they_make(
    third: NDArray[np.float64], sure: tuple[int, ...], together: bool
) -> None:
    """Else an illegal row loses its last tile, and may even look legal."""
    quads = photographed([tile_at(0, 0), tile_at(1.01, 0), third], 75, 0)
    surely_read = np.isin(np.arange(3), sure)
    for melds in ([], [(0, 1)]):
        found = find_rows(
            quads, is_meld=lambda row, melds=melds: row in melds, surely_read=surely_read
        )
        assert found == [(0, 1, 2) if together else (0, 1)]


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(
    ("steps", "turn", "size", "legal", "together"),
    [
        pytest.param(1.0, 90, 1.0, True, True, id="taken to lie across"),
        pytest.param(1.0, 0, 0.5, True, True, id="much smaller, as if it leant"),
        pytest.param(1.3, 90, 1.0, True, True, id="a little off its place"),
        pytest.param(1.4, 90, 1.0, True, False, id="too far from its place"),
        pytest.param(1.0, 90, 1.0, False, False, id="the whole is no meld"),
    ],
)
def test_a_tile_alone_in_the_next_place_of_a_row_belongs_to_it_if_the_whole_is_a_meld(
    steps: float, turn: float, size: float, legal: bool, together: bool, side: int
) -> None:
    row = [tile_at(side * at, 0) for at in range(4)]
    quads = photographed([*row, tile_at(side * (3 + steps), 0, turn, size)], 90, 0)
    found = find_rows(quads, is_meld=lambda tiles: legal or len(tiles) < 5)
    assert [len(tiles) for tiles in found] == [5 if together else 4]
    assert found[0] == tuple(sorted(found[0], key=lambda tile: quads[tile, :, 0].mean()))


def test_two_tiles_in_the_next_places_of_a_row_belong_to_it() -> None:
    row = [tile_at(at, 0) for at in range(3)]
    quads = photographed([*row, tile_at(3, 0, 90), tile_at(4, 0, 90)], 90, 0)
    assert find_rows(quads, is_meld=lambda tiles: len(tiles) < 6) == [(0, 1, 2, 3, 4)]
    assert find_rows(quads) == [(0, 1, 2)]


@pytest.mark.parametrize(
    ("lone", "legal", "together"),
    [
        pytest.param(tile_at(0, 0, 90), True, True, id="taken to lie across"),
        pytest.param(tile_at(0, 0.2, 0, 0.5), True, True, id="much smaller"),
        pytest.param(tile_at(0, 0, 90), False, False, id="the whole is no meld"),
        pytest.param(tile_at(0, 0.6, 90), True, False, id="too far from the place"),
    ],
)
@pytest.mark.parametrize("roll", [0, 130])
@pytest.mark.parametrize("longer", [0, 1])
def test_a_tile_in_a_hole_of_one_place_belongs_to_the_row_if_the_whole_is_a_meld(
    longer: int, roll: float, lone: NDArray[np.float64], legal: bool, together: bool
) -> None:
    """Whatever its own corners say. With one more tile at either end of the row, too."""
    places = [-1, 1, *[-2, 2][: 2 * longer]]
    quads = photographed([lone, *(tile_at(at, 0) for at in places)], 70, roll)
    whole = 3 + 2 * longer
    found = find_rows(quads, is_meld=lambda tiles: legal and len(tiles) == whole)
    told = [tuple(places[tile - 1] if tile else 0 for tile in row) for row in found]
    if together:
        assert told == [tuple(sorted([0, *places]))]
    else:
        assert [sorted(row) for row in told] == ([[-2, -1], [1, 2]] if longer else [])


def test_a_hole_is_closed_before_its_tile_is_taken_as_the_end_of_a_part() -> None:
    """The five tiles before the hole and the one in it would make a meld, too."""
    quads = photographed(
        [*(tile_at(at, 0) for at in range(5)), tile_at(5, 0, 0, 0.5), tile_at(6, 0), tile_at(7, 0)],
        90,
        0,
    )
    assert find_rows(quads, is_meld=lambda tiles: len(tiles) > 2) == [tuple(range(8))]


@pytest.mark.parametrize(("apart", "together"), [(1.36, True), (1.5, True), (1.6, False)])
def test_three_single_tiles_that_make_a_meld_may_lie_as_far_apart_as_two_in_a_row(
    apart: float, together: bool
) -> None:
    """Each lies too far from the next one to touch it, and two of them are no meld."""
    quads = photographed([tile_at(at * apart, 0) for at in (-1, 0, 1)], 70, 30)
    found = find_rows(quads, is_meld=lambda tiles: len(tiles) == 3)
    assert found == ([(0, 1, 2)] if together else [])


def test_tiles_beyond_a_hole_that_stand_aside_are_no_part_of_the_row() -> None:
    quads = photographed([tile_at(0, 0, 90), tile_at(-1, 0), tile_at(1, 0, 60)], 90, 0)
    assert find_rows(quads, is_meld=lambda tiles: len(tiles) == 3) == []


def test_both_ends_of_a_row_together_have_to_make_a_meld() -> None:
    """A comodín alone at either end of a row, say, of which a meld takes one."""
    lone = [tile_at(-1, 0, 90), tile_at(3, 0, 90)]
    quads = photographed([tile_at(0, 0), tile_at(1, 0), tile_at(2, 0), *lone], 90, 0)
    assert find_rows(quads, is_meld=lambda tiles: len(tiles) < 5) == [(0, 1, 2, 4)]


def test_a_tile_that_continues_a_misread_row_belongs_to_it() -> None:
    quads = photographed([*(tile_at(at, 0) for at in range(4)), tile_at(4, 0, 90)], 90, 0)

    def found(continued: tuple[int, ...]) -> list[tuple[int, ...]]:
        return find_rows(
            quads, is_meld=lambda row: False, is_continued=lambda row: row == continued
        )

    assert found((0, 1, 2, 3, 4)) == [(0, 1, 2, 3, 4)]
    assert found((4, 3, 2, 1, 0)) == [(0, 1, 2, 3)]  # the tile alone comes last


def test_two_tiles_tell_where_a_third_would_lie() -> None:
    quads = photographed([tile_at(0, 0, 90), tile_at(1, 0), tile_at(2, 0)], 90, 0)
    assert find_rows(quads, is_meld=lambda tiles: len(tiles) == 3) == [(0, 1, 2)]


def test_no_tiles_no_rows() -> None:
    assert find_rows(np.zeros((0, 4, 2), np.float32)) == []


def test_a_ring_of_tiles_is_cut_somewhere() -> None:
    count = 24
    around = [
        tile_at(
            count * 1.05 / 6.28 * np.cos(a), count * 1.05 / 6.28 * np.sin(a), np.degrees(a) + 90
        )
        for a in np.linspace(0, 2 * np.pi, count, endpoint=False)
    ]
    rows = find_rows(photographed(around, 90, 0, 30))
    assert len(rows) == 1
    assert sorted(rows[0]) == list(range(count))


def test_faces_are_clockwise_and_convex() -> None:
    quad = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
    crossed, nothing = quad[[0, 2, 1, 3]], np.zeros((4, 2), np.float32)
    assert are_convex(np.stack([quad, quad[::-1], crossed, nothing])).tolist() == [
        True,
        False,
        False,
        False,
    ]
    assert [s[0] for s in sides(quad[None])] == [10, 14]


def test_alternatives_to_a_quad_cover_every_direction() -> None:
    """Whatever the neighbour's direction, one alternative lies within 22.5 degrees of the tile's
    own, half turns aside.
    """
    box = np.array([[-5, -7], [5, -7], [5, 7], [-5, 7]], np.float32)
    for angle in range(0, 180, 5):
        turn = np.radians(angle)
        neighbour = (
            box
            @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], np.float32)
            + 30
        )
        collapsed = box * np.float32(0.2)
        found = alternative_quads(np.stack([collapsed, neighbour]), 0, np.array([1]))
        edges = [quad[1] - quad[0] for quad in found[1:]]
        away = [(np.degrees(np.arctan2(edge[1], edge[0])) + 90) % 180 - 90 for edge in edges]
        assert min(map(abs, away)) <= 22.5 + 1e-3
        assert all(abs(quad.mean(axis=0)).max() < 1e-3 for quad in found)


def test_of_two_quads_on_one_tile_the_better_stays() -> None:
    quad = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
    quads = np.stack([quad, quad + 1, quad + (10.5, 0), quad]).astype(np.float32)
    assert non_max_suppression(quads, np.array([0.5, 0.9, 0.8, 0.4]), 0.45) == [1, 2]
    assert overlap(quad, quad + np.float32([5, 0])) == pytest.approx(0.5)


@pytest.mark.parametrize("elevation", [90, 50, 30])
@pytest.mark.parametrize("roll", [0, 77, 180, 255])
@pytest.mark.parametrize("pixels", [24.0, 50.0, 190.0])
def test_crops_are_upright_from_everywhere(elevation: float, roll: float, pixels: float) -> None:
    """A face whose top half is red and whose lower left quarter is blue comes out so, whatever the
    view.
    """
    face = np.full((140, 100, 3), 255, np.uint8)
    face[:70] = (220, 0, 0)
    face[70:, :50] = (0, 0, 220)
    quad = photographed([tile_at(0, 0)], elevation, roll, pixels)[0]
    source = np.array([[0, 0], [99, 0], [99, 139], [0, 139]], np.float32)
    picture = cv2.warpPerspective(
        face, cv2.getPerspectiveTransform(source, quad), (1200, 1200), flags=cv2.INTER_AREA
    )
    crop = crop_faces(np.asarray(picture, np.uint8), [quad])[0].astype(int)
    assert crop.shape == (CROP_HEIGHT, CROP_WIDTH, 3)
    for y, x, wanted in [
        (16, 14, (220, 0, 0)),
        (16, 34, (220, 0, 0)),
        (48, 14, (0, 0, 220)),
        (48, 34, (255, 255, 255)),
    ]:
        assert np.abs(crop[y, x] - wanted).max() < 40
    inside = crop[int(MARGIN * CROP_HEIGHT) + 3, CROP_WIDTH // 2]
    assert inside[0] > 150


def test_crops_beyond_the_picture_do_not_fail() -> None:
    picture = np.full((50, 50, 3), 90, np.uint8)
    for shift in (-200.0, -25.0, 30.0, 400.0):
        crop = crop_faces(picture, [(TILE * 20 + shift).astype(np.float32)])[0]
        assert crop.shape == (CROP_HEIGHT, CROP_WIDTH, 3)


@settings(deadline=None, max_examples=examples(40))
@given(red=st.floats(0.15, 1), green=st.floats(0.15, 1), blue=st.floats(0.15, 1))
def test_balance_makes_the_body_neutral_under_any_lamp(
    red: float, green: float, blue: float
) -> None:
    linear = np.full((CROP_HEIGHT, CROP_WIDTH, 3), 0.75)
    linear[10:25, 15:30] = (0.5, 0.02, 0.02)  # red ink
    lit = linear * (red, green, blue)
    crop = np.round(
        255 * np.where(lit <= 0.0031308, 12.92 * lit, 1.055 * lit ** (1 / 2.4) - 0.055)
    ).astype(np.uint8)
    out = white_balance(crop[None])[0].astype(int)
    white = round(255 * (1.055 * WHITE ** (1 / 2.4) - 0.055))
    assert np.abs(out[45, 24] - white).max() <= 2
    assert out[15, 20, 0] > 150 > 80 > out[15, 20, 1:].max()


def test_balance_of_nothing() -> None:
    assert white_balance(np.zeros((0, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)).shape == (
        0,
        CROP_HEIGHT,
        CROP_WIDTH,
        3,
    )
    assert white_balance(np.zeros((2, CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)).max() == 0
