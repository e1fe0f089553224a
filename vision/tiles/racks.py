"""What a rack tells: which faint finds are tiles, and what is doubted about tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.melds import judge_meld
from engine.rulesets import RuleSet
from engine.tiles import FACES
from vision.decoding import Decoded
from vision.doubts import DoubtConfig
from vision.quads import across
from vision.reading import Doubt
from vision.seen import Seen
from vision.tiles.behind_rack import BehindRack, behind_rack
from vision.tiles.off_rack import off_rack
from vision.tiles.rack_lines import is_in_line

# A find that is no tile by itself is one, in doubt, where it stands in line with two tiles, if the
# detector's score is above LEAST and the reader's probability of its digit above LEAST_DIGIT.
LEAST, LEAST_DIGIT = 0.3, 0.5
# A find that looks like a face, however badly its corners were seen, is a tile, in doubt, beside
# one that surely is: within BESIDE widths of it from middle to middle, and about as wide. On 1,085
# rendered racks four tiles are told by this alone; and eight other finds, all of them where
# something else is in doubt, too.
LOOKS_THERE, LOOKS_LIKE_DIGIT, BESIDE, ABOUT_AS_WIDE = 0.5, 0.15, 3.0, 1.6
SIX_AND_NINE = {6, 9}  # one is the other upside down


def read_in_line(
    quads: NDArray[np.float32],
    detector_scores: NDArray[np.float32],
    digits: NDArray[np.float32],
    tiles: NDArray[np.bool_],
    sure: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that are tiles because a digit is read on them and they stand
    in line with `sure` tiles of a rack, gaps and all.

    `quads` (n, 4, 2) are those of the finds, in pixels, `detector_scores` (n,) tell how
    surely they were found, and `digits` (n,) are the reader's probabilities of the likeliest digit.
    `tiles` (n,) tells which finds are already known to be tiles; the result is False for these.
    """
    asked = np.flatnonzero(~tiles & (detector_scores > LEAST) & (digits > LEAST_DIGIT))
    beside = np.flatnonzero(tiles & sure)
    in_line = [find for find in asked if is_in_line(quads, int(find), beside)]
    return np.isin(np.arange(len(quads)), in_line)


def seen_beside(
    quads: NDArray[np.float32],
    detector_scores: NDArray[np.float32],
    digits: NDArray[np.float32],
    sure: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the finds that may be tiles because they lie beside `sure` tiles of a
    rack and look like faces with a number.

    `quads` (n, 4, 2) are those of the finds, in pixels, `detector_scores` (n,) tell how surely they
    were found, and `digits` (n,) are the reader's probabilities of the likeliest digit.
    """
    looks = (detector_scores > LOOKS_THERE) & (digits > LOOKS_LIKE_DIGIT) & ~sure
    if not looks.any() or not sure.any():
        return np.zeros(len(quads), bool)
    middles, widths = quads.mean(axis=1), np.linalg.norm(across(quads), axis=1)
    away = np.linalg.norm(middles[:, None] - middles[sure], axis=2)
    nearest = widths[sure][away.argmin(axis=1)]
    as_wide = np.abs(np.log(widths / nearest)) < np.log(ABOUT_AS_WIDE)
    return np.asarray(looks & as_wide & (away.min(axis=1) <= BESIDE * nearest))


def behind(
    seen: Seen, decoded: Decoded, doubts: Sequence[frozenset[Doubt]], rules: RuleSet
) -> BehindRack:
    """Return which of the tiles that were `seen` lie behind the rack. `decoded` is the joint
    decision on the tiles, `doubts` those about them; melds are judged by the `rules`. What lies
    apart and is turned against the rack, as pictures on a box are, is not the rack, however large.
    """
    sure, read = _surely_tiles(doubts), _read(doubts)
    sure &= ~off_rack(seen.quads, sure, read).turned
    rows = seen.table.rows
    laid = [[FACES[decoded.face[tile]] for tile in row] for row in rows]
    return behind_rack(seen.quads, sure, rows, [judge_meld(row, rules).valid for row in laid])


def rack_doubts(
    seen: Seen,
    decoded: Decoded,
    doubts: Sequence[frozenset[Doubt]],
    behind: BehindRack,
    rules: RuleSet,
    config: DoubtConfig,
) -> list[frozenset[Doubt]]:
    """Return the `doubts` about the tiles of a rack that were `seen`, less those about numbers that
    are sure enough, and further ones: about those that lie off the rack, unless they plainly are
    melds `behind` it, and about comodines that could be the backs of tiles. What lies beyond the
    shelves, has another size than the tiles there or is seen faintly, and lies alone or is not
    surely read, is no tile of the rack: of 57 finds beyond the shelves of 1,350 rendered racks none
    was. Several side by side may be a second rack. Pictures are no copies of what stands on the
    rack, and the `rules` tell how many copies there are. `decoded` is the joint decision on these
    tiles.
    """
    off = off_rack(seen.quads, _surely_tiles(doubts), _read(doubts))
    in_rows = {tile for row in seen.table.rows for tile in row}
    result = []
    for i, (of_tile, face) in enumerate(zip(doubts, decoded.face, strict=True)):
        is_unsure = FACES[face].joker and decoded.posterior[i, face] < config.comodin_on_rack
        hardly_read = is_unsure or not of_tile.isdisjoint({Doubt.UNSURE, Doubt.UNREAD})
        beside = (off.beyond[i] or behind.others[i]) and not behind.melds[i]
        is_odd = not of_tile.isdisjoint({Doubt.SIZE, Doubt.FAINT})
        is_none = beside and off.beyond[i] and is_odd and (hardly_read or i not in in_rows)
        further = {
            Doubt.PRINTED: off.turned[i] or is_none,
            Doubt.OFF_RACK: (beside or off.askew[i]) and not is_none,
            Doubt.UNSURE: is_unsure,
        }
        if of_tile == {Doubt.UNSURE} and _is_sure_enough(decoded.posterior[i], config):
            of_tile = frozenset[Doubt]()
        result.append(of_tile | {doubt for doubt, applies in further.items() if applies})
    real = [i for i, of_tile in enumerate(result) if Doubt.PRINTED not in of_tile]
    shown = Counter(FACES[decoded.face[i]] for i in real)
    for i in real:
        face = FACES[decoded.face[i]]
        if shown[face] <= rules.copies(face):
            result[i] -= {Doubt.COPIES}
    return result


def _surely_tiles(doubts: Sequence[frozenset[Doubt]]) -> NDArray[np.bool_]:
    """Return a mask (n,) of what surely are tiles, though it may be in doubt which."""
    return np.array([of_tile <= {Doubt.UNSURE} for of_tile in doubts], bool)


def _read(doubts: Sequence[frozenset[Doubt]]) -> NDArray[np.bool_]:
    return np.array([Doubt.UNREAD not in of_tile for of_tile in doubts], bool)


def _is_sure_enough(faces: NDArray[np.float32], config: DoubtConfig) -> bool:
    """Tell whether the number of a tile is sure enough, and its colour is not in question. `faces`
    (53,) are the probabilities of its faces.
    """
    *_, second, first = np.argsort(faces)
    numbers = {FACES[first].number, FACES[second].number}
    if None in numbers or len(numbers) == 1:
        return False
    if numbers == SIX_AND_NINE and faces[first] + faces[second] >= config.unsure:
        return bool(faces[first] >= config.unsure_six_or_nine_on_rack)
    return bool(faces[first] >= config.unsure_number_on_rack)
