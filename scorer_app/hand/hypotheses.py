"""What the tiles of a hand may really be, and what rows they may form: all that is plausible where
the reading is in doubt.

Doubtful are faces, whether something is a tile at all, where one row ends and the next begins,
and whether the table lets an illegal meld pass. What a person has said or arranged is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, product
from math import log

from engine.candidates import best_candidates
from engine.rulesets import MINIMUM_MELD
from engine.tiles import FACE_INDEX, FACES
from scorer_app.hand.record import Record, Row, Tile
from scorer_app.hand.table_rules import TableRules, tiles_of

NOTHING = ""  # no tile lies there
IMPLAUSIBLE = 2e-3  # what is so much less likely than the likeliest is left out
MOST_COMBINATIONS = 64  # of one row's faces
MOST_COMPLETIONS = 6  # legal melds tried where a tile of the row could not be read
NO_TILE = 0.25  # weight of "no tile" beside the face of a find that may be none
ANY_FACE = 0.02  # weight of a face that the reader did not name where it could not read
ONE_OF_EACH_VALUE = (
    "1R",
    "2R",
    "3R",
    "8R",
    "J",
)  # stands for all faces where a tile has no reading at all
NEVER = -1e3  # log-weight of a face that a tile cannot have

Options = tuple[
    tuple[str, float], ...
]  # a tile's faces, or NOTHING, with their weights, the likeliest first: 1
Faces = tuple[str, ...]
Version = tuple[Faces, ...]  # the melds that count, if it is so


def options(tile: Tile) -> Options:
    """What a tile may be; just its own face where nothing is doubtful."""
    if tile.confirmed or (tile.face is not None and not tile.doubtful):
        return ((tile.face or NOTHING, 1.0),)
    weights = {face: share for face, share in tile.alternatives if share > 0}
    if tile.face is None:
        weights = dict.fromkeys(ONE_OF_EACH_VALUE, ANY_FACE) | {NOTHING: NO_TILE} | weights
    else:
        weights[tile.face] = max(tile.confidence or 0.0, *weights.values(), NO_TILE)
        weights |= {NOTHING: NO_TILE * weights[tile.face]} if tile.perhaps_none else {}
    most = max(weights.values())
    kept = [
        (face, weight / most) for face, weight in weights.items() if weight >= IMPLAUSIBLE * most
    ]
    return tuple(sorted(kept, key=lambda option: -option[1]))


def versions(record: Record, row: Row, rules: TableRules) -> set[Version]:
    """The melds that a row on the table may be: one as a rule, none or several where it is
    doubtful.
    """
    tiles = [record.tiles[name] for name in row.tiles]
    said = row.accepted or row.user_arranged
    # Players lay melds, so that what reads as one is one, though perhaps another.
    meld = rules.legal([tile.face for tile in tiles if tile.face], row.ordered)
    found: set[Version] = set()
    for faces in _faces_of(tiles, rules):
        fewer = any(tile.face and face == NOTHING for tile, face in zip(tiles, faces, strict=True))
        for parts in _parts(faces):
            choices = [
                _of_part(rules, part, row.ordered, fixed=said or (meld and not fewer))
                for part in parts
            ]
            found |= {tuple(chain.from_iterable(melds)) for melds in product(*choices)}
    return found


# --- faces ---


def _faces_of(tiles: Sequence[Tile], rules: TableRules) -> list[Faces]:
    row = [options(tile) for tile in tiles]
    unread = [tile.face is None and not tile.confirmed for tile in tiles]
    return [*_combinations(row), *(_completions(row, unread, rules) if any(unread) else ())]


def _combinations(row: Sequence[Options]) -> list[Faces]:
    """The plausible ones, the likeliest first."""
    beam: list[tuple[float, Faces]] = [(1.0, ())]
    for tile in row:
        grown = [(weight * share, (*faces, face)) for weight, faces in beam for face, share in tile]
        beam = sorted((one for one in grown if one[0] >= IMPLAUSIBLE), key=lambda one: -one[0])[
            :MOST_COMBINATIONS
        ]
    return [faces for _, faces in beam]


def _completions(row: Sequence[Options], unread: Sequence[bool], rules: TableRules) -> list[Faces]:
    """The likeliest legal melds if what could not be read may have any face."""
    if len(row) < MINIMUM_MELD:
        return []
    scores = [[log(ANY_FACE) if any_face else NEVER] * len(FACES) for any_face in unread]
    for tile, weights in zip(scores, row, strict=True):
        for face, weight in weights:
            if face != NOTHING:
                tile[FACE_INDEX[tiles_of([face])[0]]] = log(weight)
    found = best_candidates(scores, rules.rules, MOST_COMPLETIONS).legal
    return [tuple(map(str, reading.tiles)) for reading in found if reading.score > NEVER / 2]


# --- rows ---


def _parts(faces: Faces) -> Iterator[list[Faces]]:
    """The row closed up where no tile lies, and the rows that such a gap leaves."""
    whole = tuple(face for face in faces if face != NOTHING)
    yield [whole] if whole else []
    gaps = [-1, *(at for at, face in enumerate(faces) if face == NOTHING), len(faces)]
    between = [faces[start + 1 : end] for start, end in pairwise(gaps) if end > start + 1]
    if len(between) > 1:
        yield between


def _of_part(rules: TableRules, faces: Faces, ordered: bool, *, fixed: bool) -> list[Version]:
    """A legal meld counts. An illegal one the table may let pass or not, and a legal part of it
    may lie there by itself.
    """
    if fixed or rules.legal(faces, ordered):
        return [(faces,)]
    found: list[Version] = [(faces,), ()]
    for size in range(MINIMUM_MELD, len(faces)):
        for part, rest in ((faces[:size], faces[size:]), (faces[-size:], faces[:-size])):
            if rules.legal(part, ordered):
                found += [(part, rest), (part,)]
    return found
