"""How marks, the indices in the corners of cards, lie relative to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ASPECT = 1.4  # height of a card in widths: 88 mm to 63 mm
# How far a mark usually lies from the middle, in widths and in heights of the card.
IN_CORNER = 0.41
# The corners of a card from its middle, in its widths and heights.
UNIT = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
# Greatest angle between a mark's direction and that to the mark beneath it at the same side of its
# card. Of 1,372 cards of rendered hands that were taken to have four marks, it is at most 5 degrees
# on 1,370; the other two were two cards each.
PLUMB_DEGREES = 10.0
SURELY_READ = 0.97  # probability of its likeliest face from which a card is surely read
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class MarkConfig:
    """Limits within which two marks count as marks of one card. Lengths are in widths of a card, of
    the size that the network tells.

    The distance of two marks is how far the second one lies from the nearest of the three other
    corners of the card that the first one tells, where a second mark of that card would stand.
    """

    just_so: float = 0.16  # largest distance of marks that show perhaps the same face
    alike: float = 0.8  # largest distance of marks that show the same face
    less_alike: float = 0.2  # by which `alike` shrinks for each nat of unlikeness of the faces
    surely_read: float = 0.9  # probability of a mark's face from which its direction is sure, too
    # Largest distance of marks in both upper corners: it is small, since equal cards may lie side
    # by side.
    beside: float = 0.25
    # The same, if each of the two stands at that edge of its card which is farther from the other:
    # then only the cards' size is told wrongly, as that of very large ones is.
    beside_if_facing: float = 0.45
    roughly: float = 1.0  # largest distance before the sizes of the cards are corrected
    enough: int = 2  # pairs of marks from which on these sizes are corrected
    # Largest distance of a single mark from the free corner of a card with two marks or more, and
    # of two single marks, each from a corner of the other's card.
    filled: float = 0.2
    filled_by_each: float = 0.3
    # By which factor the sizes of a card, as told by each of two single marks, differ at most. On
    # 1,727 of 1,728 cards with two marks on rendered hands they differ by up to 1.61; on the last
    # one, by 1.86, the second mark was a pip of its neighbour.
    most_unlike_size: float = 1.7
    # Two surely read single marks in opposite corners may tell of a card that is up to `other_size`
    # times as large or as small as the network says, where its width and its height differ from
    # what the network says by factors that differ by up to `one_factor`. Equal cards beside or
    # beneath each other differ more.
    other_size: float = 1.9
    one_factor: float = 1.35
    off_line: float = 0.32  # how far one of two marks along an edge of the card is off that line
    apart: float = 0.55  # least distance of two marks along one edge
    # Largest angle between the directions of two marks that stand the same way up, or between one
    # direction and the opposite of the other where they do not.
    turn_degrees: float = 35.0
    # Two marks show the same face, or perhaps the same one, if the likeliest common face of both
    # explains them worse than the likeliest face of each does, by at most so many nats.
    same_face: float = 4.0
    perhaps_same: float = 7.0
    # Added to a distance, before the nearest pairs are joined first, for each nat of unlikeness and
    # for each degree by which the directions of the two marks are neither alike nor opposite.
    a_nat: float = 0.03
    a_degree: float = 0.01
    # A pack counts as having indices in all four corners if marks of one face lie level with each
    # other, at least `least_spacing` and about equally far apart: at least `enough_level` pairs,
    # which hold at least the share `most_level` of all marks. Where these pairs lie no farther
    # apart than `usual_spacing`, farther than which equal cards lie side by side, the share
    # `enough_level_marks` tells that the marks of these pairs are of such a pack. On 2,600
    # photographs of rendered hands, such pairs of packs with two indices hold 0.44 of the marks and
    # less, at a spacing of 1.69 and more, or 0.2 at a smaller one; those of packs with four indices
    # hold 0.4 and more, at a spacing of 1.23 and less. Where marks in opposite corners do not agree
    # with that, the share has to be `enough_of_mixed`, which tells of two packs that lie mixed: on
    # these photographs 0.47 and more of three such tables, at a spacing of 1.42 and less, and 0.4
    # and less of all others. Cards in rows tell such a pack, too: as many pairs stand at the two
    # ends of one long edge, and hold the share `most_level` of the marks that are no jollies'.
    least_spacing: float = 0.3
    enough_level: int = 3
    enough_level_marks: float = 0.35
    enough_of_mixed: float = 0.45
    most_level: float = 0.5
    # Least share of level pairs whose marks each lie where the network sees the card of the other:
    # of 21 photographs of rendered hands with such pairs it is 1 on 20, and 0 on the one that shows
    # two equal columns of a pack with two indices beside each other.
    least_facing: float = 0.5
    usual_spacing: float = 1.5
    # With `enough_marks` or more, or `enough_whole` cards that show marks in opposite corners, a
    # pack that does not count as such has fewer indices: two marks of one face, level with each
    # other, are then of two cards side by side, except those of jollies.
    # So are two marks of which one lies beneath the other, unless they lie `just_so` and read alike
    # within so many nats: on 2,600 photographs of rendered hands, six such pairs that are less
    # alike are of two cards, and two that are quite alike of one.
    enough_marks: int = 12
    enough_whole: int = 3
    plainly_same: float = 1.0
    # Of a pack with indices in all four corners: by which factor a distance of two marks level with
    # each other differs from the median one at most; how far aside, as a share of the median, a
    # mark stands that is beneath another, at most; and what replaces `beside`.
    spread: float = 1.2
    beneath: float = 0.3
    beside_of_four: float = 0.35
    # Two edges of which both ends show are of two cards if marks of theirs that stand level lie
    # nearer than this. Steps of rendered rows are 0.18 to 0.52, so that the widest are not told by
    # it: the upper marks of one card that was seen from low above the table, and whose width was
    # told wrongly, lay 0.54 apart.
    too_near: float = 0.45
    # Two level marks of such a pack that lie nearer are of two cards even where no edge shows both
    # of its ends. On 120 rendered hands in fans and of 450 real photographs none of one card lay
    # nearer than 0.43.
    nearest: float = 0.4


USUAL = MarkConfig()


@dataclass(frozen=True)
class Places:
    """How n marks lie relative to each other.

    `lies` (n, n, 2) leads from mark i to mark j in the plane of i's card, in its widths and
    heights. All other arrays are (n, n) and symmetric; their lengths are means of what the cards of
    both marks say.

    `x` is how far the two are apart along the width of a card, in widths. `y`, for two marks upside
    down to each other, is how far each lies beneath the other as its own card stands, in heights;
    it is about 0 for two that stand the same way up. `slant`, for two marks that stand the same way
    up, is how far one lies beneath the other, in heights; it is about 0 for two upside down to each
    other. `width` and `height` tell the size of a card from mark to mark: how far a mark in its
    upper left corner is from one in its lower right corner, along the width in widths and along the
    height in heights. `turn` is the angle between the directions of the cards of both marks, 0-180
    degrees. `facing` tells of which pairs each mark lies on the side of the other to which the
    other's card reaches along its width, as two marks of one card do.
    """

    lies: Matrix
    x: Matrix
    y: Matrix
    slant: Matrix
    width: Matrix
    height: Matrix
    turn: Matrix
    facing: NDArray[np.bool_]

    @classmethod
    def of(cls, quads: NDArray[np.float32], outlines: NDArray[np.float32]) -> Places:
        marks, cards = quads.mean(axis=1, dtype=np.float64), outlines.mean(axis=1, dtype=np.float64)
        frames = card_frames(outlines)
        planes = np.linalg.inv(frames)
        lies = np.einsum("iab,ijb->ija", planes, marks[None] - marks[:, None])
        across = 2 * np.einsum("iab,ib->ia", planes, cards - marks)
        end = np.abs(across)
        x, y = np.abs(lies[..., 0]), lies[..., 1]
        faced = lies[..., 0] * across[:, None, 0] > 0
        return cls(
            lies,
            (x + x.T) / 2,
            (y + y.T) / 2,
            np.abs(y - y.T) / 2,
            (end[:, None, 0] + end[:, 0]) / 2,
            (end[:, None, 1] + end[:, 1]) / 2,
            _turns(frames[..., 0]),
            faced & faced.T,
        )

    def head_to_head(self, degrees: float) -> NDArray[np.bool_]:
        return self.turn >= 180 - degrees

    def diagonal(self) -> Matrix:
        """Return for each pair of marks how far they are from lying in opposite corners of one
        card, (n, n), in widths of a card.
        """
        return np.hypot(self.x - self.width, ASPECT * (self.y - self.height))

    def along_side(self) -> Matrix:
        """Return for each pair of marks how far they are from lying at the two ends of one long
        side of a card, (n, n), in widths of a card.
        """
        return np.hypot(self.x, ASPECT * (self.y - self.height))


def resized(
    quads: NDArray[np.float32], outlines: NDArray[np.float32], factors: Matrix
) -> NDArray[np.float32]:
    """Return the outlines of n cards, (n, 4, 2), scaled around the middles of their marks.

    `quads` (n, 4, 2) are the marks; `factors` multiply width and height of the cards, (n, 2), or
    (2,) for all cards alike.
    """
    marks = quads.mean(axis=1, dtype=np.float64)[:, None]
    frames = card_frames(outlines)
    in_plane = np.einsum("iab,ikb->ika", np.linalg.inv(frames), outlines - marks)
    in_plane *= factors[..., None, :]
    resized = marks + np.einsum("iab,ikb->ika", frames, in_plane)
    return np.asarray(resized, np.float32)


def plumb_pairs(quads: NDArray[np.float32], *, heads: bool = True) -> NDArray[np.bool_]:
    """Return a mask (n, n) of the pairs of marks that stand one beneath the other and upside down
    against each other, like the two marks at one side of a card. With `heads` False each mark may
    stand either way up.

    What is beneath a mark is told by the mark's own direction. It is enough if this is so as seen
    from one mark of the pair. `quads` (n, 4, 2) are the marks.
    """
    marks, down = quads.mean(axis=1, dtype=np.float64), card_sides(quads)[:, 1]
    down /= np.maximum(np.linalg.norm(down, axis=1, keepdims=True), 1e-6)
    moves = marks[None] - marks[:, None]
    along = np.einsum("ijb,ib->ij", moves, down)
    aside = moves[..., 0] * down[:, None, 1] - moves[..., 1] * down[:, None, 0]
    if not heads:
        along = np.abs(along)
    beneath = np.abs(aside) <= np.tan(np.radians(PLUMB_DEGREES)) * along
    found = beneath | beneath.T
    if heads:
        found &= down @ down.T < 0
    np.fill_diagonal(found, False)
    return np.asarray(found)


def unlikeness(faces: NDArray[np.float32]) -> Matrix:
    """Return for each pair of marks how unlike they read, (n, n), in nats: the sum of both marks'
    greatest log-probabilities, less the greatest sum that one face for both marks reaches.
    `faces` (n, 53) are the marks' log-probabilities.
    """
    if not len(faces):
        return np.zeros((0, 0))
    best = faces.max(axis=1)
    together = np.stack([(faces + face).max(axis=1) for face in faces])
    return np.asarray(best[:, None] + best[None] - together, np.float64)


def card_frames(outlines: NDArray[np.float32]) -> Matrix:
    """Return n matrices, (n, 2, 2), that take column vectors in the plane of a card, in its widths
    and heights, to pixels of the picture. `outlines` (n, 4, 2) are those of the cards; a degenerate
    outline gets the matrix of a huge card.
    """
    frames = card_sides(outlines).transpose(0, 2, 1)
    flat = np.abs(np.linalg.det(frames)) < 1e-3
    return np.where(flat[:, None, None], np.eye(2) * 1e6, frames)


def card_sides(quads: NDArray[np.floating]) -> Matrix:
    """Return two vectors for each of n quads, (n, 2, 2): first from left to right, the mean of top
    and bottom side; then from top to bottom, the mean of left and right side.
    """
    top_left, top_right, low_right, low_left = np.asarray(quads, np.float64).transpose(1, 0, 2)
    sides = np.empty((len(quads), 2, 2))
    sides[:, 0] = (top_right + low_right - top_left - low_left) / 2
    sides[:, 1] = (low_left + low_right - top_left - top_right) / 2
    return sides


def _turns(across: Matrix) -> Matrix:
    """Return the angle between the directions of each pair of n cards, (n, n), 0-180 degrees.
    `across` (n, 2) are vectors along their widths.
    """
    angles = np.degrees(np.arctan2(across[:, 1], across[:, 0]))
    return np.asarray(np.abs((angles[:, None] - angles + 180) % 360 - 180))
