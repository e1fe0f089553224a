"""Tells hidden cards, and things that are no cards, by what the picture shows around marks.

A card beneath a column, of which no mark was found, shows as a strip of paper beyond the column's
most covered card. A card over a column hides the far mark of the last card found, and shows as
something unlike the cloth. And a mark that lies on anything but paper is no mark of a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.card import Card
from vision.cards.corners import lies_within
from vision.cards.offsets import step_between, turn_between
from vision.cards.places import ASPECT, Matrix, card_frames
from vision.grouping import Indices
from vision.pyramid import RGB
from vision.quads import MIN_NEIGHBOURS, nearest_sure

ALONG, ACROSS = 8, 16  # points that are looked at in a strip
# Where a mark's quad is looked at, in its widths and heights.
ACROSS_MARK, DOWN_MARK = np.linspace(-0.05, 1.05, 14), np.linspace(-0.05, 1.05, 18)
DARKEST = 4.0  # of 255: added before a logarithm, since the tint of what is darker is noise
MARGIN = 0.1  # widths or heights of a card left out at both sides of a strip


@dataclass(frozen=True)
class PaperConfig:
    """When strips beyond the ends of a column show a card that was not found.

    A strip is given by its beginning and end, counted outwards from the edge of the column's end
    card, in steps of the column. The end card is the most covered one for a card beneath the
    column, and the last one for a card over it.

    On 460 rendered hands the strip of a card beneath shows at none of the 2,373 columns that were
    read right, and at two of the nine columns whose first card was not found.
    """

    shown: tuple[float, float] = (-0.8, -0.3)  # of the most covered card itself
    beneath: tuple[float, float] = (0.3, 0.8)  # of a card beneath it
    beyond: tuple[float, float] = (1.35, 1.85)  # of what lies beyond that one
    # A point is paper if no channel of its colour, 0-255, differs from the paper's by more than
    # `noise` plus `tint` times the paper's brightness.
    tint: float = 0.12
    noise: float = 8.0
    least_paper: float = 0.8  # share of the strip `beneath` that is paper, at least
    # Least share of paper where a large index or a picture covers much of the strip, if at least
    # the share `no_cloth` of it is unlike what lies beyond. On 360 rendered hands two cards not
    # found lie so, with 0.56 and 0.99 of paper, on 300 others one with 0.55 and 0.92 unlike, and
    # no other thing, nor on 646 real photographs.
    least_drawn_paper: float = 0.5
    no_cloth: float = 0.9
    # Share of the strip `beyond` that is paper, at most: on white cloth nobody can tell.
    most_paper_beyond: float = 0.15
    # Less paper is enough where its tint differs by no more than `same_tint` from that of the
    # card's paper, and no more than `none_beyond` of the strip `beyond` is paper: whatever lies
    # beyond, `least_same_paper`, or `least_same_drawn` where the share `no_cloth` is unlike that.
    # Cards were placed as the labels of 720 rendered hands say, about 3 % off: of 4,035 columns
    # without their first card 2,514 show it by the other limits, and 573 more by these; of 3,113
    # whole columns none does. With outlines 6 % off none of the 3,123 that can be looked at does.
    least_same_paper: float = 0.5
    least_same_drawn: float = 0.3
    same_tint: float = 0.03
    none_beyond: float = 0.02
    # The strip `beneath` is a bright stripe of the cloth if it goes on beside the column: if
    # `paper_beside` of the place between the two distances `beside` from an end of the strip are
    # paper. The distances are counted in lengths of the edge of the card; the place tells nothing
    # where less than `least_beside` of it is within the picture and on no card. Of seven strips on
    # 960 rendered hands five were cloth, with 72 % of paper and more at a side. Beside one card
    # 54 % were, of a printed cloth, and beside another 83 %, of the next column, whose outline
    # is not told to a pixel, and which left a third of the place to look at.
    beside: tuple[float, float] = (0.1, 0.35)
    paper_beside: float = 0.65
    least_beside: float = 0.5
    # A card over the last one found of at least `fewest_cards`: the strip just beyond that one's
    # edge is unlike what lies further on. On 60 rendered hands of 344 columns, the last card of
    # three shows no mark in its far half and no other card lies beyond: one lacks its last card,
    # and 82 % of its strip are unlike; of the two others none and 11 %.
    over: tuple[float, float] = (0.3, 0.8)
    further: tuple[float, float] = (1.4, 1.9)
    least_unlike: float = 0.5  # share of the strip
    spreads: float = 4.0  # median absolute deviations by which a point is unlike, at least `noise`
    fewest_cards: int = 3
    # Share of the place of its mark that is paper, above which a thing hides the far mark instead:
    # a card would show a mark there. Of a jolly that was missed 39 % are, of a card under a notepad
    # 77 %.
    most_plain: float = 0.7
    # Where cards lie at random, other things show beside them. In a column each card is turned by
    # `most_turned` degrees at most, and a step is at most `longest_step` of a card's height.
    most_turned: float = 8.0
    longest_step: float = 0.5
    most_covered: float = 0.2  # share of the strip on which other cards lie, at most
    # Something is not the paper of the cards around if its tint differs by more than this: one
    # channel's difference in natural logarithms, less the mean difference of all three. On 500
    # training scenes 1 in 418 marks of jollies differed by more, and 3 of 22 things that were taken
    # for a jolly's mark.
    other_tint: float = 0.1


def card_beneath(
    pixels: RGB, row: Indices, cards: Sequence[Card], config: PaperConfig = PaperConfig()
) -> NDArray[np.float32] | None:
    """Look for a card that lies beneath a column and shows nothing but a strip of paper. Return the
    step, (2,) in pixels, from the column's most covered card to it; None where no such card shows.

    `pixels` are those of the picture, (h, w, 3), `cards` are all its cards, and `row` holds the
    indices of the column's cards.
    """
    end = cards[row[0]]
    step = step_between(cards[row[1]], end)
    if not _is_regular(cards[row[1]], end, step, config):
        return None
    beneath = _strip(end, step, config.beneath)
    if not _is_free(pixels, beneath, row[0], cards, config):
        return None
    colours, beyond = (
        colours_at(pixels, points) for points in (beneath, _strip(end, step, config.beyond))
    )
    paper = paper_colour(colours_at(pixels, _strip(end, step, config.shown)))
    if not _is_paper(colours, beyond, paper, config) or _goes_on_beside(
        pixels, row[0], cards, step, config
    ):
        return None
    return step


def _is_paper(colours: Matrix, beyond: Matrix, paper: Matrix, config: PaperConfig) -> bool:
    """Tell whether a strip of the `colours` (k, 3) is that of a card whose paper has the colour
    `paper` (3,). `beyond` (m, 3) are the colours of what lies further on.
    """
    share, further = (_share_of_paper(some, paper, config) for some in (colours, beyond))
    apart = _tint_apart(paper_colour(colours), paper)
    drawn = _share_unlike(colours, beyond, config) >= config.no_cloth
    if apart <= config.same_tint and further <= config.none_beyond:
        least = config.least_same_drawn if drawn else config.least_same_paper
    else:
        least = config.least_drawn_paper if drawn else config.least_paper
    return apart <= config.other_tint and further <= config.most_paper_beyond and share >= least


def card_over(
    pixels: RGB,
    row: Indices,
    cards: Sequence[Card],
    mark: NDArray[np.float32],
    config: PaperConfig = PaperConfig(),
) -> NDArray[np.float32] | None:
    """Look for a card that lies over a column and whose mark was not found. Return the step, x and
    y in pixels, (2,), from the last found card of the column to that card; None where no such card
    shows.

    `pixels` is the picture, (h, w, 3) RGB, and `cards` are all cards found in it. `row` is the
    column: indices into `cards`, the most covered card first. `mark` (4, 2) is the quad of the
    surest mark of the column's last card.
    """
    if len(row) < config.fewest_cards:
        return None
    end, before = cards[row[-1]], cards[row[-2]]
    step = step_between(before, end)
    if not _is_regular(before, end, step, config) or _shows_far_mark(end, step):
        return None
    over, further = _strip(end, step, config.over), _strip(end, step, config.further)
    if not all(_is_free(pixels, strip, row[-1], cards, config) for strip in (over, further)):
        return None
    paper = paper_colour(colours_at(pixels, within(mark[None])[0]))
    its_mark = colours_at(pixels, within(mark[None] + step)[0])
    if _share_of_paper(its_mark, paper, config) > config.most_plain:
        return None
    unlike = _share_unlike(colours_at(pixels, over), colours_at(pixels, further), config)
    return step if unlike >= config.least_unlike else None


def off_paper(
    pixels: RGB,
    quads: NDArray[np.float32],
    asked: NDArray[np.intp],
    sure: NDArray[np.intp],
    config: PaperConfig = PaperConfig(),
) -> NDArray[np.bool_]:
    """Tell which of the marks with the indices `asked` (k,) lie on something of another tint than
    the paper of cards: a mask (k,).

    `pixels` are those of the picture, (h, w, 3), `quads` (n, 4, 2) the marks, and `sure` the
    indices of marks that are surely of cards. Each mark is compared with the median of the other
    sure marks whose centres are nearest, so that the light may change over the picture. With too
    few sure marks the mask is False everywhere.
    """
    near = nearest_sure(quads, sure)[asked]
    if near.shape[1] < MIN_NEIGHBOURS or not len(asked):
        return np.zeros(len(asked), bool)
    papers = np.zeros((len(quads), 3))
    needed = np.union1d(asked, near)
    for mark, points in zip(needed, within(quads[needed]), strict=True):
        papers[mark] = np.log(paper_colour(colours_at(pixels, points)) + DARKEST)
    away = papers[asked] - np.median(papers[near], axis=1)
    return np.asarray(_tint(away) > config.other_tint)


def within(quads: NDArray[np.float32]) -> Matrix:
    """Return points (n, k, 2): k of them for each of n quads, (n, 4, 2), spread evenly over the
    quad and a little beyond it.
    """
    x, y = (axis.ravel() for axis in np.meshgrid(ACROSS_MARK, DOWN_MARK))
    weights = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=1)
    return np.asarray(np.einsum("kc,ncx->nkx", weights, quads))


def _is_regular(card: Card, end: Card, step: NDArray[np.float32], config: PaperConfig) -> bool:
    """Tell whether the end card of a column and its neighbour, `card`, lie as people lay columns
    and not at random: hardly turned against each other, and one short `step` (2,) apart, in pixels.
    """
    in_end = np.linalg.solve(card_frames(end.outline[None])[0], step)
    return (
        abs(turn_between(card, end)) <= config.most_turned
        and np.abs(in_end).max() <= config.longest_step
    )


def _shows_far_mark(end: Card, step: NDArray[np.float32]) -> bool:
    """Tell whether a mark shows in that half of the card `end` to which the step (2,), x and y in
    pixels, leads.
    """
    frame = card_frames(end.outline[None])[0]
    away = np.linalg.solve(frame, (end.marks - end.middle).T).T
    in_card = np.linalg.solve(frame, step)
    along = _axis_of(in_card)
    return bool((away[:, along] * np.sign(in_card[along]) > 0).any())


def _is_free(
    pixels: RGB, points: Matrix, end: int, cards: Sequence[Card], config: PaperConfig
) -> bool:
    """Tell whether all k points, (k, 2) in pixels, lie within the picture, and only few of them on
    cards other than the one with the index `end`.
    """
    height, width = pixels.shape[:2]
    if (points < 0).any() or (points > [width - 1, height - 1]).any():
        return False
    others = [card.outline for number, card in enumerate(cards) if number != end]
    return float(_on_any(points, others).mean()) <= config.most_covered


def _axis_of(in_card: Matrix) -> int:
    """Tell along which axis of a card a step leads, 0 across or 1 down. `in_card` (2,) is the step
    in widths and heights of the card.
    """
    return int(abs(in_card[1]) * ASPECT > abs(in_card[0]))


def _on_any(points: Matrix, outlines: Sequence[NDArray[np.float32]]) -> NDArray[np.bool_]:
    """Return a mask (k,) of the points (k, 2) that lie within any of the outlines, (4, 2) each."""
    first, last = points.min(axis=0), points.max(axis=0)
    near = [
        outline
        for outline in outlines
        if (outline.max(axis=0) >= first).all() and (outline.min(axis=0) <= last).all()
    ]
    return np.array([any(lies_within(point, one) for one in near) for point in points])


def _goes_on_beside(
    pixels: RGB, end: int, cards: Sequence[Card], step: NDArray[np.float32], config: PaperConfig
) -> bool:
    """Tell whether the strip in which a card beneath would show is part of a bright stripe of cloth
    that goes on beside the column. `end` is the index of the column's most covered card, from which
    `step` (2,) in pixels leads to the strip.
    """
    height, width = pixels.shape[:2]
    others = [card.outline for number, card in enumerate(cards) if number != end]
    paper = paper_colour(colours_at(pixels, _strip(cards[end], step, config.shown)))
    near, far = config.beside
    for sides in ((-0.5 - far, -0.5 - near), (0.5 + near, 0.5 + far)):
        points = _strip(cards[end], step, config.beneath, sides)
        inside = ((points >= 0) & (points <= [width - 1, height - 1])).all(axis=1)
        cloth = points[inside & ~_on_any(points, others)]
        enough = len(cloth) >= config.least_beside * len(points)
        if (
            enough
            and _share_of_paper(colours_at(pixels, cloth), paper, config) >= config.paper_beside
        ):
            return True
    return False


def _strip(
    card: Card,
    step: NDArray[np.float32],
    ends: tuple[float, float],
    sides: tuple[float, float] = (MARGIN - 0.5, 0.5 - MARGIN),
) -> Matrix:
    """Return k points, (k, 2) in pixels, of a strip along that edge of a card to which `step` (2,)
    leads.

    The strip lies between the two distances `ends`, counted outwards from the edge in steps, and
    reaches from one of `sides` to the other along the edge, counted from its middle in lengths of
    the edge.
    """
    frame = card_frames(card.outline[None])[0]
    in_card = np.linalg.solve(frame, step)
    along = _axis_of(in_card)
    edge = np.copysign(0.5, in_card[along])
    steps = np.linspace(*ends, ALONG)[:, None]
    places = np.empty((ALONG, ACROSS, 2))
    places[..., along] = edge + steps * in_card[along]
    places[..., 1 - along] = np.linspace(*sides, ACROSS)
    places[..., 1 - along] += steps * in_card[1 - along]
    return np.asarray(card.middle + places.reshape(-1, 2) @ frame.T)


def colours_at(pixels: RGB, points: Matrix) -> Matrix:
    """Return the colours (k, 3) of the picture at k points, (k, 2); for points beyond the picture,
    those at its edge.
    """
    height, width = pixels.shape[:2]
    x, y = np.clip(np.round(points), 0, [width - 1, height - 1]).astype(np.intp).T
    return np.asarray(pixels[y, x], np.float64)


def paper_colour(colours: Matrix) -> Matrix:
    """Return the colour (3,) of paper: the median of the lighter half of `colours` (k, 3), or of
    their logarithms.
    """
    light = colours.min(axis=1)
    return np.asarray(np.median(colours[light >= np.median(light)], axis=0))


def _share_of_paper(colours: Matrix, paper: Matrix, config: PaperConfig) -> float:
    away = np.abs(colours - paper).max(axis=1)
    return float((away <= config.tint * paper.max() + config.noise).mean())


def _share_unlike(colours: Matrix, ground: Matrix, config: PaperConfig) -> float:
    """Return the share of `colours` (k, 3) that are unlike those of the `ground`, (m, 3)."""
    usual = np.median(ground, axis=0)
    spread = np.median(np.abs(ground - usual), axis=0).max()
    away = np.abs(colours - usual).max(axis=1)
    return float((away > config.noise + config.spreads * spread).mean())


def _tint_apart(colour: Matrix, other: Matrix) -> float:
    """Return by how much the tints of two colours, (3,) each, differ; see
    `PaperConfig.other_tint`.
    """
    return float(_tint(np.log(colour + DARKEST) - np.log(other + DARKEST)))


def _tint(away: Matrix) -> NDArray[np.float64]:
    """Return by how much tints differ, (...), given the differences of colours as logarithms,
    (..., 3): one channel's difference at most, less the mean difference of all three.
    """
    return np.asarray(np.abs(away - away.mean(axis=-1, keepdims=True)).max(axis=-1))
