"""The faces that the tiles of a hand may have and the melds that its rows may be, where a reading
is in doubt.

A reading may be in doubt about a tile's face, about whether something is a tile, about where one
row ends and the next begins, and about whether the players accept an illegal meld. What a person
has said or arranged is certain. NOTHING in place of a face means that no tile lies there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby, product
from math import log, prod

from engine.candidates import Candidate, Scores, best_candidates
from engine.pieces import Pieces
from engine.rulesets import MINIMUM_MELD
from engine.tiles import FACE_INDEX, FACES, JOKER, NUMBERS
from scorer_app.hand.plainness import is_illegal
from scorer_app.hand.record import Record, Row, Tile
from scorer_app.hand.table_rules import TableRules, tiles_of

NOTHING = ""  # stands for "no tile lies there"
IMPLAUSIBLE = 2e-3  # share of the likeliest weight below which a possibility is left out
MOST_COMBINATIONS = 64  # of faces of one row
MOST_COMPLETIONS = 6  # legal melds tried where a tile of the row could not be read
# Of a row that gaps divide into many parts: 2 to the power of 8. A row of one unread tile after
# another has so many where it is 16 tiles long.
MOST_OF_PARTS = 256
# Of the search for legal melds. A row of a real table needs up to 2,000 where a meld may have one
# wild; where it may have any number, a row with many unread tiles may need millions.
MOST_STATES = 5000
NO_TILE = 0.25  # weight of "no tile" relative to the face of a find that may be none
ANY_FACE = 0.02  # weight of a face that the reader did not name for a tile it could not read
# Stands for all faces where a tile has no reading at all: one face of each usual value.
ONE_OF_EACH_VALUE = ("1R", "2R", "3R", "8R", "J")
# A row of which so many and so large a share are in doubt is hardly read at all: what is read of it
# counts as doubtful too. Of tiles this holds where no faces that the reader names make the row a
# meld. Of cards, up to MOST_MISSED may be missed besides.
FEWEST_DOUBTFUL, DOUBTFUL_SHARE = 2, 1 / 3
MOST_MISSED = 2
NEVER = -1e3  # log-weight of a face that a tile cannot have

# The faces that a tile may have (NOTHING among them), each with its weight. The likeliest is the
# first and has weight 1.
Options = tuple[tuple[str, float], ...]
Faces = tuple[str, ...]
# The melds that count if one guess at a row is true: none, one or several.
Version = tuple[Faces, ...]


def options(tile: Tile, any_face: Sequence[str] = ONE_OF_EACH_VALUE) -> Options:
    """List the plausible faces of a tile with their weights. The likeliest comes first and has
    weight 1.

    A tile without doubt has one option, its own face. NOTHING is an option where the reader may
    have taken something else for a tile. `any_face` stands for all faces where the tile could not
    be read: one face of each value that tiles have.
    """
    if tile.is_sure:
        return ((tile.face or NOTHING, 1.0),)
    weights = _weights(tile, any_face)
    most = max(weights.values())
    plausible = []
    for face, weight in weights.items():
        if weight >= IMPLAUSIBLE * most:
            plausible.append((face, weight / most))
    return tuple(sorted(plausible, key=lambda option: -option[1]))


@lru_cache(maxsize=64)
def one_of_each_value(rules: TableRules) -> tuple[str, ...]:
    """List faces so that each value that a tile may have by the rules occurs at least once: the
    faces in ONE_OF_EACH_VALUE, and one more for each value that none of these has.
    """
    found = {rules.points([face]): face for face in ONE_OF_EACH_VALUE}
    for number in NUMBERS:
        face = f"{number}R"
        found.setdefault(rules.points([face]), face)
    return tuple(dict.fromkeys((*ONE_OF_EACH_VALUE, *found.values())))


def _weights(tile: Tile, any_face: Sequence[str]) -> dict[str, float]:
    """Map each face that a doubtful tile may have to its weight: how likely it is in comparison
    with the other faces. NOTHING, which means that no tile lies there, may be among the faces. The
    weights need not add up to 1. A tile that could not be read may have any of the faces
    `any_face`.
    """
    weights = {face: share for face, share in tile.alternatives if share > 0}
    if tile.face is None:
        return dict.fromkeys(any_face, ANY_FACE) | {NOTHING: NO_TILE} | weights
    weights[tile.face] = max(tile.confidence or 0.0, *weights.values(), NO_TILE)
    if tile.perhaps_none:
        weights[NOTHING] = NO_TILE * weights[tile.face]
    return weights


def versions(record: Record, row: Row, rules: TableRules) -> set[Version]:
    """Return the versions of a row on the table; a version is the melds that the row may stand for.

    A row without doubt has one version. A doubtful one has several, and one of them may hold no
    meld at all. So has a row that is illegal as it is, even one that a person arranged, until the
    players accept it: the question about it is still open.
    """
    tiles = [record.tiles[name] for name in row.tiles]
    said = row.accepted or row.user_arranged
    # Players lay melds: a row that reads as one meld is one, even if its faces are others.
    reads_as_meld = rules.legal([tile.face for tile in tiles if tile.face], row.ordered)
    found: set[Version] = set()
    for faces in _faces_of(tiles, rules):
        fixed = said or (reads_as_meld and not _lacks_a_read_tile(tiles, faces))
        for parts in _splits_at_gaps(faces):
            found |= _versions_of_parts(parts, rules, row.ordered, fixed=fixed)
    if not row.accepted and is_illegal(record, row, rules):
        found.add(())
    known = tuple(tile.face for tile in tiles if tile.face)
    whole = len(known) == len(tiles) and row.ordered and not (said or reads_as_meld)
    if whole and rules.pieces is Pieces.CARDS:
        found |= _of_covered_cards(known, rules)
    if said or not _is_hardly_read(tiles):
        return found
    if rules.pieces is Pieces.CARDS:
        return found | _of_hardly_read(len(tiles), MOST_MISSED, rules)
    if not _is_whole_meld_among(found, len(tiles), row.ordered, rules):
        return found | _of_hardly_read(len(tiles), 0, rules)
    return found


def _is_whole_meld_among(found: set[Version], count: int, ordered: bool, rules: TableRules) -> bool:
    """Tell whether one of the versions `found` is a single legal meld of `count` tiles."""
    wholes = (melds[0] for melds in found if len(melds) == 1 and len(melds[0]) == count)
    return any(rules.legal(faces, ordered) for faces in wholes)


def _is_hardly_read(tiles: Sequence[Tile]) -> bool:
    """Tell whether so many pieces of a row are in doubt that nothing read of the row can be relied
    on, neither the faces of the other pieces nor, for cards, how many there are.
    """
    doubtful = sum(not tile.is_sure for tile in tiles)
    return doubtful >= FEWEST_DOUBTFUL and doubtful >= DOUBTFUL_SHARE * len(tiles)


@lru_cache(maxsize=64)
def _of_hardly_read(count: int, missed: int, rules: TableRules) -> frozenset[Version]:
    """Return the extreme versions of a row of `count` pieces of which many are in doubt. One
    version holds no meld at all, and each of the others holds a single meld. For every length from
    `count` pieces to `missed` more there are up to two of these: the meld of this length that is
    worth most, and the one worth most in which no piece acts as a wild.
    """
    worth = [rules.points([str(face)]) / 100 for face in FACES]
    without_wilds = replace(rules.rules, wilds_per_meld=0)
    found: set[Version] = {()}
    for more, ruleset in product(range(missed + 1), (rules.rules, without_wilds)):
        legal = best_candidates([worth] * (count + more), ruleset, 1, most_states=MOST_STATES).legal
        found |= {(tuple(map(str, one.tiles)),) for one in legal}
    return frozenset(found)


@lru_cache(maxsize=512)
def _of_covered_cards(faces: Faces, rules: TableRules) -> frozenset[Version]:
    """Return the legal melds that the cards of an illegal column could make in another order or
    with one more card, each as a version that consists of this one meld.

    Hardly more than a corner is seen of a covered card, and of a covered jolly perhaps nothing that
    identifies it, so that a card may have been missed.
    """
    found: set[Version] = set()
    if rules.legal(faces, False):
        found.add((tuple(map(str, rules.laid(faces, False))),))
    known = [_log_weights(((face, 1.0),), NEVER) for face in faces]
    any_card = _log_weights(((str(JOKER), 1.0),), log(ANY_FACE))
    for at in range(len(faces) + 1):
        scores = [*known[:at], any_card, *known[at:]]
        legal = _legal(scores, rules)
        found |= {(tuple(map(str, one.tiles)),) for one in legal if one.score > NEVER / 2}
    return frozenset(found)


def _lacks_a_read_tile(tiles: Sequence[Tile], faces: Faces) -> bool:
    """Tell whether the guess `faces` has NOTHING for a tile whose face the reader named."""
    return any(tile.face and face == NOTHING for tile, face in zip(tiles, faces, strict=True))


def _versions_of_parts(
    parts: Sequence[Faces], rules: TableRules, ordered: bool, *, fixed: bool
) -> set[Version]:
    """Return the versions of a row that gaps divide into `parts`, by combining the versions of each
    part. A part is given by the faces of its tiles. If `ordered`, melds are judged as they lie,
    otherwise in any order. `fixed` says that each part counts as one meld even if illegal.

    Where the combinations are more than MOST_OF_PARTS, there are two versions: with every part as a
    meld, and without any meld.
    """
    choices = [_versions_of_part(part, rules, ordered, fixed=fixed) for part in parts]
    if prod(map(len, choices)) > MOST_OF_PARTS:
        return {tuple(parts), ()}
    return {tuple(chain.from_iterable(melds)) for melds in product(*choices)}


# --- faces ---


def _faces_of(tiles: Sequence[Tile], rules: TableRules) -> list[Faces]:
    """List the guesses at a row's faces; a guess has a face or NOTHING for each tile."""
    row = [options(tile, one_of_each_value(rules)) for tile in tiles]
    unread = [tile.face is None and not tile.confirmed for tile in tiles]
    guesses = _combinations(row)
    if any(unread):
        guesses += _completions(row, unread, rules)
    return guesses


def _combinations(row: Sequence[Options]) -> list[Faces]:
    """List the likeliest guesses at a row's faces, the likeliest first, found by beam search. `row`
    holds the options of each tile.

    The tiles are taken as independent: the weight of a guess is the product of its options'
    weights.
    """
    beam: list[tuple[float, Faces]] = [(1.0, ())]
    for tile in row:
        grown = []
        for (weight, faces), (face, share) in product(beam, tile):
            if weight * share >= IMPLAUSIBLE:
                grown.append((weight * share, (*faces, face)))
        beam = sorted(grown, key=lambda one: -one[0])[:MOST_COMBINATIONS]
    return [faces for _weight, faces in beam]


def _completions(row: Sequence[Options], unread: Sequence[bool], rules: TableRules) -> list[Faces]:
    """List the likeliest legal melds that a row could be, each as the faces of its tiles in order.
    `row` holds the options of each tile. `unread` says of each whether it could not be read; such a
    tile may have any face.
    """
    if len(row) < MINIMUM_MELD:
        return []
    scores = []
    for tile, any_face in zip(row, unread, strict=True):
        scores.append(_log_weights(tile, log(ANY_FACE) if any_face else NEVER))
    found = _legal(scores, rules)
    return [tuple(map(str, reading.tiles)) for reading in found if reading.score > NEVER / 2]


def _legal(scores: Scores, rules: TableRules) -> Sequence[Candidate]:
    """Find the likeliest legal melds that tiles may be, the likeliest first: MOST_COMPLETIONS at
    most. `scores` are the log-scores of the tiles' faces, (tiles, 53). A search that takes too long
    ends with the melds found so far.
    """
    return best_candidates(scores, rules.rules, MOST_COMPLETIONS, most_states=MOST_STATES).legal


def _log_weights(tile: Options, of_others: float) -> list[float]:
    """Return the natural logarithm of a tile's weight for each face of `FACES`, in that order.

    Faces that are no option of the tile have the log-weight `of_others`. The option NOTHING, which
    is no face, has no place in the list.
    """
    logs = [of_others] * len(FACES)
    for face, weight in tile:
        if face != NOTHING:
            logs[FACE_INDEX[tiles_of([face])[0]]] = log(weight)
    return logs


# --- rows ---


def _splits_at_gaps(faces: Faces) -> Iterator[list[Faces]]:
    """Yield the ways to divide a row at its gaps, the places where the guess `faces` has NOTHING.
    Each way is a list of parts.

    The first way leaves the row undivided and closes the gaps; it has no part if `faces` holds
    nothing but gaps. The second way divides the row at every gap; it is missing where no gap lies
    between faces.
    """
    whole = tuple(face for face in faces if face != NOTHING)
    yield [whole] if whole else []
    runs = groupby(faces, key=lambda face: face == NOTHING)
    between = [tuple(run) for is_gap, run in runs if not is_gap]
    if len(between) > 1:
        yield between


def _versions_of_part(
    faces: Faces, rules: TableRules, ordered: bool, *, fixed: bool
) -> list[Version]:
    """List what tiles with these faces, which lie side by side, may be: each version is a tuple of
    the melds that count. If `ordered`, melds are judged as they lie, otherwise in any order.

    Where the tiles together are a legal meld, there is one version: this meld. The same holds where
    they are `fixed`: they then count as one meld even if it is illegal. Otherwise the players may
    have accepted the tiles as one meld, or they count as none. Or some tiles at either end are a
    legal meld of their own, and the rest counts as an accepted meld or not at all.
    """
    if fixed or rules.legal(faces, ordered):
        return [(faces,)]
    found: list[Version] = [(faces,), ()]
    for size in range(MINIMUM_MELD, len(faces)):
        at_the_start = faces[:size], faces[size:]
        at_the_end = faces[-size:], faces[:-size]
        for part, rest in (at_the_start, at_the_end):
            if rules.legal(part, ordered):
                found += [(part, rest), (part,)]
    return found
