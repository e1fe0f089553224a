"""Decides which way up tiles stand by the tiles beside them.

A 6 is a 9 upside down, and where a tile is half covered, nothing below the digit is seen that would
tell the two apart. But tiles in a row or on a rack share their direction, except for one turned now
and then. So the tiles of one row or rack, a company, are judged together, in three cases: most of
them stand upright, most stand upside down, or they share no direction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.quads import across, sides
from vision.reader import JOKER, NINE, SIX, UPRIGHT, UPSIDE_DOWN, FaceScores, log_softmax
from vision.reading import Layout

# Faces much the same upside down: 6, 9, 1, 2, 5, 8, 11. On 616 rendered racks the network was
# surely wrong about the direction of 185 of 2,590 tiles with such a number, and of none of 2,136
# others.
LOOKALIKES = (SIX, NINE, 0, 1, 4, 7, 10)
# Difference between the network's probabilities of upright and upside down up to which its 6 or 9
# does not tell the digit's shape. Of 4,172 sixes and nines on rendered scenes two have a difference
# between 0.3 and 0.6. One of these is a 9, and its company had made it a 6 with a probability of
# 0.996 (experiment 221 of models/EXPERIMENTS.md).
UNDECIDED = 0.6
LEAST = 0.002  # probability left to either shape, 6 or 9, where the network's direction is undone


@dataclass(frozen=True)
class CompanyConfig:
    """Which tiles make a company, and how much a company counts. Lengths are in widths of the tile
    for which a company is sought.
    """

    max_beside: float = 1.6  # from middle to middle along the row
    max_shift: float = 0.35  # up or down within a row
    max_above: float = 1.8  # from one row of a rack to the next
    max_aside: float = 0.8  # along the row, of a tile in the next row
    max_turn_degrees: float = 15.0
    max_ratio: float = 1.4  # of the two widths
    # On a rack all tiles that read the same way or the opposite way keep company, from middle to
    # middle in widths of the wider tile: seen from the side they are sheared, and hardly lie beside
    # each other by the limits above.
    max_apart_on_rack: float = 8.0
    max_turn_degrees_on_rack: float = 40.0
    # Share of tiles that stand upside down where tiles share a direction: one in twenty in a row on
    # the table, hardly any on a rack.
    turned_in_row: float = 0.05
    turned_on_rack: float = 0.01
    disorder: float = 0.05  # probability beforehand that the tiles share no direction
    # Probability beforehand that most tiles of a rack stand upright in the picture, where they are
    # within `max_lean_degrees` of that or of its opposite. A table is seen from any side.
    upright_rack: float = 0.9
    max_lean_degrees: float = 60.0
    # The network's log-odds of a tile's own direction count after they were multiplied by
    # `share_of_said` and limited to `most`, in nats. On 240 rendered racks the network was wrong
    # for 1 of 1,020 uncovered 6s and 9s about which it was surer than 8 nats, and for 10 of 33
    # about which it was less sure.
    share_of_said: float = 0.6
    most: float = 9.0
    # This limit replaces `most` on a rack. It is lower, so that a tile that stands against its
    # company is doubted: where the side of a tile is seen beside its face, a 6 upside down looks
    # like a 9. On 616 rendered racks the network tells 135 of 752 6s and 9s to stand against their
    # company, which 27 of them do (experiment 156 of models/EXPERIMENTS.md).
    most_on_rack: float = 3.5
    # What is seen around a 6 or a 9 on a rack counts up to so many nats (experiments 161 and 213 of
    # models/EXPERIMENTS.md).
    most_around: float = 6.5
    # The limit for a tile covered from below depends on its height over its width, divided by the
    # usual ratio in its company: at the two `heights` it is the two values below, in nats, and in
    # between it is interpolated. Of covered 6s and 9s less high than 0.75 times the usual, the
    # network was wrong for 22 of 103 about which it was surer than 8 nats; of higher ones for 8 of
    # 588.
    heights: tuple[float, float] = (0.65, 0.8)
    most_of_lookalikes: tuple[float, float] = (0.8, 4.0)
    most_of_others: tuple[float, float] = (3.5, 7.0)
    usual_height: float = 85.0  # percentile, of the heights over widths in one company
    # Such errors come from the look of a set, so several tiles of a company share them. The vote of
    # a covered tile on the company's direction is therefore limited to so many nats, and on a rack
    # the vote of every lookalike, too. On a table the votes of all lookalikes in a row count
    # together no more than the strongest of them.
    vote_of_lookalikes: float = 0.3
    vote_of_others: float = 2.0


CONFIG = CompanyConfig()


def turned_in_company(
    scores: FaceScores,
    sure: NDArray[np.bool_],
    layout: Layout,
    around: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the probability that each of n finds stands upside down in its quad, (n,).

    `scores` are what the reader sees on the finds; `sure` (n,) tells which finds are certainly
    tiles, since only these tell the direction of others. `layout` tells whether tiles lie in rows
    on a table, or on a rack, where rows one above the other are one company. `around` (n, 2) are
    log-odds that each tile of a rack stands upright in its quad, by what is seen around it, as
    `vision.tiles.rack_direction` tells them. The probability of a tile without company is the
    network's own.
    """
    if around is None:
        around = np.zeros((len(scores.quads), 2))
    beside, above = _links(scores.quads)
    if layout is Layout.MELDS:
        above[:] = False
    else:
        beside = beside | _on_one_rack(scores.quads)
    turned = 1 / (1 + np.exp(_said(scores)))
    for members in components((beside | above) & sure[:, None] & sure):
        covered = _covered(scores.quads[members], above[np.ix_(members, members)])
        turned[members] = _turned_of(scores.take(members), covered, around[members], layout)
    return turned


def _said(scores: FaceScores) -> NDArray[np.float64]:
    """Return, by the network alone, the log-odds that each of n tiles stands upright in its quad
    and not upside down, (n,).
    """
    return np.asarray(scores.turn[:, UPRIGHT] - scores.turn[:, UPSIDE_DOWN], np.float64)


def _turned_of(
    company: FaceScores,
    covered: NDArray[np.bool_],
    around: NDArray[np.float64],
    layout: Layout,
) -> NDArray[np.float64]:
    """Return the probability that each tile of one company stands upside down in its quad, (n,).

    `company` are the network's scores of its n tiles; `covered` (n,) tells which of them may be
    covered in part by another tile that stands in front. `around` (n, 2) is what is seen around
    them: log-odds that a tile stands upright in its quad, if the company stands as the quad does,
    and if it stands the other way round. They are 0 where nothing is told.
    """
    number = company.number[:, : JOKER + 1].argmax(axis=1)
    lookalike = np.isin(number, LOOKALIKES)
    limit = _most(company.quads, covered, lookalike)
    on_rack = layout is Layout.LOOSE
    if on_rack:
        limit = np.minimum(limit, CONFIG.most_on_rack)
    evidence = np.clip(CONFIG.share_of_said * _said(company), -limit, limit)
    along = company.quads[:, 1] - company.quads[:, 0]
    against = along @ along[0] < 0  # those that read against the first tile of the company
    # What each tile tells of its own direction where most stand upright, where most stand upside
    # down, and where they share no direction, (3, n).
    around = np.clip(around, -CONFIG.most_around, CONFIG.most_around)
    as_quad, other_way = evidence + around.T
    own = np.stack(
        [np.where(against, other_way, as_quad), np.where(against, as_quad, other_way), evidence]
    )
    evidence, own = (np.where(against, -told, told) for told in (evidence, own))
    vote = np.where(lookalike, CONFIG.vote_of_lookalikes, CONFIG.vote_of_others)
    vote = np.where(covered | (on_rack & lookalike), vote, np.inf)
    share = CONFIG.turned_on_rack if on_rack else CONFIG.turned_in_row
    as_first = _as_first(along[0], layout)
    votes = np.clip(evidence, -vote, vote)
    if not on_rack:  # on a rack each of their votes is limited already
        votes[lookalike] = _as_one(votes[lookalike])
    order = _order(votes, share, as_first, CONFIG.disorder)
    turned_from_first = np.einsum("c,cn->n", order, _turned(own, share))
    return np.asarray(np.where(against, 1 - turned_from_first, turned_from_first))


def _as_first(along: NDArray[np.float32], layout: Layout) -> float:
    """Return how probable it is, before any face is looked at, that most tiles of a company are
    upright when read in the direction of its first tile's quad. `along` (2,) is that direction, x,
    y in pixels.
    """
    lean = float(along[0] / max(np.linalg.norm(along), 1e-6))
    if layout is not Layout.LOOSE or abs(lean) < np.cos(np.radians(CONFIG.max_lean_degrees)):
        return 0.5
    return CONFIG.upright_rack if lean > 0 else 1 - CONFIG.upright_rack


def _as_one(votes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return n votes, (n,) in nats, made so small that together they count no more than the
    strongest of them does.
    """
    together = abs(votes.sum())
    if not together:
        return votes
    return np.asarray(votes * min(1.0, np.abs(votes).max() / together))


def _order(
    votes: NDArray[np.float64], share: float, as_first: float, disorder: float
) -> NDArray[np.float64]:
    """Return the probabilities (3,) that most tiles stand upright, that most stand upside down, and
    that they share no direction.

    `votes` (n,) are log-odds that each tile stands upright. In the first two cases a `share` of the
    tiles stands against the others. Before any vote the probabilities are `as_first` * (1 -
    `disorder`), (1 - `as_first`) * (1 - `disorder`) and `disorder`.
    """
    up = 1 / (1 + np.exp(-votes))
    beforehand = _turned_beforehand(share)
    likelihood = beforehand * (1 - up) + (1 - beforehand) * up
    weight = np.array([(1 - disorder) * as_first, (1 - disorder) * (1 - as_first), disorder])
    return np.asarray(np.exp(log_softmax(np.log(weight) + np.log(likelihood).sum(axis=1))))


def _turned(evidence: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Return the probability that each tile stands upside down, (3, n), in each of three cases:
    most tiles stand upright, most stand upside down, or they share no direction.

    `evidence` (3, n) are log-odds that a tile stands upright in each of these cases; in the first
    two a `share` of the tiles stands against the others.
    """
    up = 1 / (1 + np.exp(-evidence))
    beforehand = _turned_beforehand(share)
    upside_down = beforehand * (1 - up)
    return np.asarray(upside_down / (upside_down + (1 - beforehand) * up))


def _turned_beforehand(share: float) -> NDArray[np.float64]:
    return np.array([share, 1 - share, 0.5])[:, None]


def _most(
    quads: NDArray[np.float32],
    covered: NDArray[np.bool_],
    lookalike: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return for each of n tiles the limit, (n,) in nats, beyond which the network's log-odds of
    its direction are cut off.

    `covered` (n,) tells which tiles may be covered in part by a tile that stands in front;
    `lookalike` (n,) tells which bear a digit that looks much the same upside down.
    """
    width, height = sides(quads)
    tallness = height / width
    tallness = tallness / np.percentile(tallness, CONFIG.usual_height)
    most = np.where(
        lookalike,
        np.interp(tallness, CONFIG.heights, CONFIG.most_of_lookalikes),
        np.interp(tallness, CONFIG.heights, CONFIG.most_of_others),
    )
    return np.where(covered, most, CONFIG.most)


def _covered(quads: NDArray[np.float32], above: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the tiles, at `quads` (n, 4, 2), each of which another tile may cover:
    one that lies below it in the picture and so nearer to the camera.

    `above` (n, n), symmetric, tells which two tiles stand one above the other.
    """
    y = quads[:, :, 1].mean(axis=1)
    return np.asarray((above & (y > y[:, None])).any(axis=1))


def _links(quads: NDArray[np.float32]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return two masks (n, n) of pairs of tiles: those that stand beside each other, and those that
    stand one above the other. `quads` (n, 4, 2) are the tiles. Each tile counts as standing beside
    itself.
    """
    along = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2
    down = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 2
    width = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    down = down * (width / np.maximum(np.linalg.norm(down, axis=1), 1e-6))[:, None]
    to_own = np.linalg.pinv(np.stack([along, down], axis=2))
    centres = quads.mean(axis=1)
    offset = np.abs(np.einsum("iab,ijb->ija", to_own, centres[None] - centres[:, None]))
    x, y = offset[..., 0], offset[..., 1]
    direction = along / width[:, None]
    parallel = np.abs(direction @ direction.T) >= np.cos(np.radians(CONFIG.max_turn_degrees))
    ratio = width[:, None] / width
    alike = parallel & (np.maximum(ratio, 1 / ratio) <= CONFIG.max_ratio)
    beside = alike & (x <= CONFIG.max_beside) & (y <= CONFIG.max_shift)
    above = alike & (x <= CONFIG.max_aside) & (y <= CONFIG.max_above) & ~beside
    return beside & beside.T, above & above.T


def _on_one_rack(quads: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return a mask (n, n) of the pairs of tiles, at `quads` (n, 4, 2), that stand near each other
    and read the same way or the opposite way. Each tile makes such a pair with itself.
    """
    along = across(quads)
    width = np.maximum(np.linalg.norm(along, axis=1), 1e-6)
    direction = along / width[:, None]
    least = np.cos(np.radians(CONFIG.max_turn_degrees_on_rack))
    centres = quads.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)
    near = apart <= CONFIG.max_apart_on_rack * np.maximum(width[:, None], width)
    return np.asarray(near & (np.abs(direction @ direction.T) >= least))


def components(linked: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Return the connected components, of two tiles or more, of the graph with the adjacency matrix
    `linked`, (n, n): each as an array of indices.
    """
    reached = linked | np.eye(len(linked), dtype=bool)
    while True:
        further = (reached.astype(np.float32) @ reached) > 0  # of bool it takes far longer
        if (further == reached).all():
            break
        reached = further
    parts = {tuple(np.flatnonzero(row)) for row in reached}
    return [np.array(part, np.intp) for part in sorted(parts) if len(part) > 1]


def number_given_direction(
    number: NDArray[np.float32], turn: NDArray[np.float32], turned: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return log-probabilities of the numbers, (n, 15), in the order of NUMBER_CLASSES, with 6 and
    9 decided by a known direction.

    `number` (n, 15) are the network's log-probabilities of the numbers, and `turn` (n, 4) its
    log-probabilities of the direction in which each tile stands, in the order of TURNS. `turned`
    (n,) is the known direction: the probability that each tile stands upside down in its crop. The
    network answers 6 or 9 by the direction that `turn` tells. This choice is undone and made anew
    with `turned`.
    """
    seen_up = 1 / (1 + np.exp(np.asarray(turn[:, UPSIDE_DOWN] - turn[:, UPRIGHT], np.float64)))
    either = np.logaddexp(number[:, SIX], number[:, NINE])
    nine = np.exp(np.asarray(number[:, NINE] - either, np.float64))
    decided = 2 * seen_up - 1
    # Probability that the digit, were it upright, is a 9.
    shaped = (nine - (1 - seen_up)) / np.where(decided == 0, 1.0, decided)
    shaped = np.clip(shaped, np.minimum(nine, LEAST), np.maximum(nine, 1 - LEAST))
    known = np.abs(decided) > UNDECIDED
    nine = np.where(known, shaped * (1 - turned) + (1 - shaped) * turned, nine)
    nine = np.clip(nine, 1e-9, 1 - 1e-9)
    result = number.copy()
    result[:, NINE] = either + np.log(nine)
    result[:, SIX] = either + np.log1p(-nine)
    return result
