"""What is known of the pieces of a photograph stays in step when some are added or left out."""

from __future__ import annotations

import numpy as np

from engine.rulesets import ruleset
from engine.tiles import FACES
from vision.decoding import decode_table
from vision.doubts import DoubtConfig, all_doubts
from vision.frame import Frame
from vision.reading import Doubt
from vision.seen import Rows, Seen

SURE = np.float32(0.9)


def row_of(count: int) -> Seen:
    """Make a row of sure tiles, each of another face."""
    first = np.array([(20, 20), (60, 20), (60, 80), (20, 80)], np.float32)
    quads = np.stack([first + (50 * at, 0) for at in range(count)]).astype(np.float32)
    faces = np.full((count, len(FACES)), -9.0, np.float32)
    faces[np.arange(count), np.arange(count)] = 0
    return Seen(np.full(count, SURE), quads, faces, Rows([tuple(range(count))]))


def test_what_is_in_doubt_stays_so_where_others_are_left_out() -> None:
    seen = row_of(4).with_in_doubt({1}).with_in_doubt({3})
    assert seen.take(np.array([3, 0, 2])).in_doubt == {0}
    assert seen.in_doubt == {1, 3}


def test_what_is_in_doubt_is_faint_however_sure_the_networks_are() -> None:
    seen, frame = row_of(4).with_in_doubt({2}), Frame.of(np.full((100, 300, 3), 90, np.uint8))
    decoded = decode_table(seen.faces, [], ruleset("burako"))
    doubts = all_doubts(frame, seen, [], decoded, True, DoubtConfig())
    assert [of_tile == {Doubt.FAINT} for of_tile in doubts] == [False, False, True, False]


def test_what_is_in_doubt_is_less_sure_than_its_joint_score_says() -> None:
    seen = row_of(3).with_in_doubt({0, 1})
    assert seen.sureness(0.5).tolist() == [0.5, 0.5, SURE]
    assert seen.sureness(0.95).tolist() == [SURE] * 3
    assert seen.joint_scores.tolist() == [SURE] * 3


def test_further_pieces_follow_in_no_row() -> None:
    seen, more = row_of(2), row_of(3)
    both = seen.with_more(more.joint_scores, more.quads, more.faces)
    assert [len(part) for part in (both.joint_scores, both.quads, both.faces)] == [5] * 3
    assert both.table.rows == [(0, 1)]
