"""Lets a set of tiles learn from use: the faces that a person settled in the photographs of a saved
hand become examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.pieces import Pieces
from scorer_app.hand.record import Record, Tile
from scorer_app.hand.settled import SURELY_READ
from scorer_app.services.hand_rows import NotFound, find_hand, photos_of
from scorer_app.services.photo_files import PhotoFiles, PhotosUnavailable
from scorer_app.services.set_values import Learned
from scorer_app.services.sets import Sets
from scorer_app.store import HandState, Photo
from vision.crops import crop_faces, white_balance
from vision.errors import PhotoError
from vision.frame import Frame, load
from vision.own_set.examples import FaceExample, Origin
from vision.pyramid import RGB
from vision.quality import is_colourless
from vision.reading import Notice


def learn_from_hand(sets: Sets, files: PhotoFiles, hand_id: str) -> str | None:
    """Let the set of the hand's match learn the tiles that people settled in the hand. Examples
    that the set learned from the hand earlier, and that the hand no longer supports, are deleted.
    Those from a photograph whose file is deleted, damaged or out of reach stay as long as the hand
    supports them. A photograph that shows another set teaches nothing. One from which a set has
    learned before teaches that set, whatever set the match is played with by now.

    Returns the id of the match's set; None where the match has no set, and where nothing is learned
    because the hand is not saved or has been deleted.
    """
    try:
        with sets.store.reading() as session:
            hand = find_hand(session, hand_id)
            match, saved, state = hand.match, hand.record, hand.state
            known = [one for one in photos_of(session, hand_id) if not _shows_other_set(one)]
            photos = {photo.id: photo.erased for photo in known}
    except NotFound:  # its match has been deleted
        return None
    set_id = match.tile_set_id if match.pieces == Pieces.TILES else None
    owners = sets.learners(hand_id)
    learners = {one for one in (set_id, *owners.values()) if one is not None}
    if not learners or state != HandState.SAVED:
        return None
    record = Record.from_json(saved)
    for learner in learners:
        own = {name: gone for name, gone in photos.items() if owners.get(name, set_id) == learner}
        learned, unseen = _lessons(files, record, own)
        sets.learn(learner, hand_id, learned, unseen)
    return set_id


def _lessons(
    files: PhotoFiles, record: Record, photos: Mapping[str, bool]
) -> tuple[list[Learned], dict[tuple[str, str], str]]:
    """Return what the photographs of a hand teach, and the tiles settled in those that cannot be
    looked at, as `Sets.learn` takes them. `photos` maps the ids of the photographs to whether their
    files are deleted.
    """
    learned, unseen = list[Learned](), dict[tuple[str, str], str]()
    for photo_id, erased in photos.items():
        tiles = settled_tiles(record, photo_id)
        found = None if erased or not tiles else _learned_from(files, photo_id, tiles)
        if found is None:
            unseen |= {(photo_id, tile.id): str(tile.face) for tile in tiles}
        else:
            learned += found
    return learned, unseen


def _shows_other_set(photo: Photo) -> bool:
    """Whether the reading of a photograph says that its tiles are not those of the chosen set."""
    reading = photo.reading if isinstance(photo.reading, dict) else {}
    notices = reading.get("notices")
    return isinstance(notices, list) and Notice.OTHER_SET in notices


def settled_tiles(record: Record, photo_id: str) -> list[Tile]:
    """Return the tiles of one photograph that the reader found and whose face a person settled.
    Tiles whose corners a person tapped are left out, because these are not exact enough for a crop.

    A 6 that was read as a 9 is left out, and a 9 read as a 6: the tile's direction was read
    wrongly, and its crop would stand upside down. A face that the rules suggested is left out where
    the reader surely read another one.
    """
    return [
        tile
        for tile in record.tiles.values()
        if tile.photo == photo_id
        and tile.confirmed
        and tile.corners is not None
        and not tile.was_added
        and not tile.was_turned
        and not _is_against_a_sure_reading(tile)
    ]


def _is_against_a_sure_reading(tile: Tile) -> bool:
    """Tell whether a person accepted a suggested face although the reader was sure of another.

    A suggestion follows from the rules alone, and many people accept it to make a meld legal: the
    players may have laid the meld wrongly, or another of its tiles was misread. From SURELY_READ on
    the reader is hardly ever wrong. A face that a person chose by looking at the tile does count.
    """
    sure = (tile.confidence or 0.0) >= SURELY_READ
    return tile.suggested and sure and tile.read not in (None, tile.face)


def _learned_from(files: PhotoFiles, photo_id: str, tiles: Sequence[Tile]) -> list[Learned] | None:
    """Return an example for each of the tiles, cut out of their photograph. The list is empty where
    that is in black and white: such examples would tell the set's inks wrongly. None where the
    photograph's file is deleted, damaged or out of reach.
    """
    try:
        with files.at_hand(photo_id) as at_hand:
            frame = load(at_hand.jpeg)
    except (PhotoError, PhotosUnavailable):
        return None
    if is_colourless(frame.pixels):
        return []
    return [
        Learned(photo_id, tile.id, FaceExample(str(tile.face), crop, Origin.SETTLED))
        for tile, crop in zip(tiles, crops_of(frame, tiles), strict=True)
    ]


def crops_of(frame: Frame, tiles: Iterable[Tile]) -> RGB:
    """Return the faces of the tiles, (n, 64, 48, 3) RGB, cut out and white-balanced as the reader
    sees them.
    """
    corners = np.array([tile.corners for tile in tiles], np.float32)
    return white_balance(crop_faces(frame.pixels, (corners + 0.5) / frame.scale - 0.5))
