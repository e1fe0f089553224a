"""Writes the photographs that people corrected, with their labels, for whoever trains a reader.

Nothing is written unless a person asks for it. The form is that of the benchmark's labelled
photographs: one line of JSON for each photograph, with corners in pixels of the upright picture.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, select

from engine.pieces import Pieces
from scorer_app.hand.record import Place, Record, Row, Tile, UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.hand_rows import AnyRow, is_handed_over, rules_of
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.store import Hand, HandState, Match, Photo, Store

STYLE = "own"  # style of the tiles, which nobody has described
# Columns by name, and no dates: a damaged date must not keep the rest of a row from being read.
_SAVED = (
    select(Hand.id, Hand.record, Match.ruleset, Match.options, Match.players, Match.pieces)
    .join(Match, Match.id == Hand.match_id)
    .where(~Match.deleted, ~Match.sample, Hand.state == HandState.SAVED)
    .where(Match.pieces == Pieces.TILES)
    .order_by(Hand.created, Hand.id)
)
_PHOTOS = (
    select(Photo.id, Photo.width, Photo.height, Photo.reading)
    .where(Photo.hand_id == bindparam("hand"), ~Photo.removed, ~Photo.erased)
    .order_by(Photo.received)
)
log = logging.getLogger(__name__)
Json = dict[str, Any]


def write_dataset(store: Store, files: PhotoFiles, out: Path) -> int:
    """Write `labels.jsonl` and the photographs under `images/` into the folder `out`, which is made
    where it is missing.

    These are the photographs in which a person settled a tile, of all saved hands that were played
    with tiles. Samples, deleted matches, pictures of watched tables and photographs whose file is
    deleted are left out. What `labels.jsonl` told before of any other photograph stays: it may have
    been copied there before it was deleted here, or be somebody else's. Returns the number of
    photographs that were copied now. Raises OSError where the folder cannot be written.
    """
    images = out / "images"
    images.mkdir(parents=True, exist_ok=True)
    lines, told = list[bytes](), set[str]()
    for photo, record, rules in _photographs(store):
        label = label_of(photo, record, rules)
        with files.at_hand(photo.id) as at_hand:
            if label is None:  # nor is there one any more where there was one
                told.add(_name_of(photo))
            elif at_hand.jpeg.is_file():
                shutil.copyfile(at_hand.jpeg, images / at_hand.jpeg.name)
                lines.append(json.dumps(label, ensure_ascii=False).encode())
                told.add(_name_of(photo))
    earlier = _lines_of_others(out / "labels.jsonl", told)
    partial = out / "labels.jsonl.partial"
    partial.write_bytes(b"".join(line + b"\n" for line in [*earlier, *lines]))
    partial.replace(out / "labels.jsonl")
    return len(lines)


def _name_of(photo: AnyRow) -> str:
    """Return how the file of a photograph is named in `labels.jsonl`."""
    return f"images/{photo.id}.jpg"


def _lines_of_others(labels: Path, photos: Container[str]) -> list[bytes]:
    """Return the lines of the file `labels` but those about one of `photos`; none where there is no
    such file. A line that is no label stays, too.
    """
    try:
        content = labels.read_bytes()
    except FileNotFoundError:
        return []
    return [line for line in content.splitlines() if _photo_in(line) not in photos]


def _photo_in(line: bytes) -> str | None:
    """Return the photograph that a line is about; None where it is no label."""
    with suppress(ValueError, RecursionError):
        label = json.loads(line)
        if isinstance(label, dict) and isinstance(label.get("photo"), str):
            return str(label["photo"])
    return None


def label_of(photo: AnyRow, record: Record, rules: TableRules) -> Json | None:
    """Return the line about one photograph for `labels.jsonl`, as a JSON object; None where no
    person settled a tile in it. `photo` has the columns of `_PHOTOS`, `record` is the record of the
    photograph's hand, and `rules` are those of its match. The boxes of tiles without a label are
    listed under `ignore`. These are tiles still in doubt, tiles whose corners are not exact, and
    finds that a person removed, since these may be tiles that another photograph shows, too. A row
    to which a person added a tile without its place is listed there as a whole.
    """
    shown = {tile.id for tile in record.tiles.values() if tile.photo == photo.id and tile.corners}
    if not any(record.tiles[name].confirmed for name in shown):
        return None
    tiles: list[Json] = []
    rows: list[Json] = []
    for row in record.rows:
        here = [record.tiles[name] for name in row.tiles if name in shown]
        sure = [tile for tile in here if _is_sure(tile)]
        if not sure or _count_without_place(row, record):
            continue
        numbers = range(len(tiles), len(tiles) + len(sure))
        tiles += [{"tile": tile.face, "corners": tile.corners, "row": len(rows)} for tile in sure]
        whole = len(sure) == len(row.tiles)
        rows.append(_row_label(row, [*numbers], record, rules, whole=whole))
    unsure = [record.tiles[name] for name in sorted(shown) if not _is_sure(record.tiles[name])]
    unsure += [tile for tile in record.removed if tile.photo == photo.id and tile.corners]
    return {
        "photo": _name_of(photo),
        "style": STYLE,
        "width": photo.width,
        "height": photo.height,
        "tiles": tiles,
        "rows": rows,
        "ignore": [*map(_box, unsure), *_boxes_of_rows(shown, record)],
    }


def _photographs(store: Store) -> Iterator[tuple[AnyRow, Record, TableRules]]:
    """Yield the photographs of all saved hands that were played with tiles and can be shown, each
    as its columns of `_PHOTOS` with the hand's record and the rules of its match. Samples and
    deleted matches are left out, and so are pictures of watched tables, of which the record has one
    side's melds alone.
    """
    with store.reading() as session:
        for hand in session.execute(_SAVED):
            try:
                record = Record.from_json(hand.record)
                rules = rules_of(hand)
            except UnreadableRecord as error:
                log.warning("hand %s is left out: %s", hand.id, error)
                continue
            for photo in session.execute(_PHOTOS, {"hand": hand.id}):
                if _has_size(photo) and not is_handed_over(photo):
                    yield photo, record, rules


def _has_size(photo: AnyRow) -> bool:
    """Whether width and height of a photograph are numbers of pixels, as they are in a store that
    is not damaged.
    """
    return isinstance(photo.width, int) and isinstance(photo.height, int)


def _is_sure(tile: Tile) -> bool:
    """Whether a tile's face and corners are known. Not so the corners of a 6 that was read as a 9,
    which stand upside down, and those that a person tapped: an upright box, however the tile lies.
    """
    is_found = not tile.was_added and not tile.was_turned
    return is_found and tile.face is not None and not tile.doubtful


def _count_without_place(row: Row, record: Record) -> int:
    """Count the tiles of a row that a person added without saying where a photograph shows them."""
    return sum(record.tiles[name].corners is None for name in row.tiles)


def _boxes_of_rows(shown: Container[str], record: Record) -> Iterator[list[float]]:
    """Yield a box for each row of a photograph in which the reader missed tiles whose places are
    not known: the box around the row's other tiles, with room for those on all sides. `shown` holds
    the ids of the photograph's tiles.
    """
    for row in record.rows:
        boxes = [_box(record.tiles[name]) for name in row.tiles if name in shown]
        missed = _count_without_place(row, record)
        if boxes and missed:
            left, top, right, bottom = zip(*boxes, strict=True)
            size = max(max(box[2] - box[0], box[3] - box[1]) for box in boxes)
            room = missed * size
            yield [min(left) - room, min(top) - room, max(right) + room, max(bottom) + room]


def _row_label(
    row: Row, tiles: list[int], record: Record, rules: TableRules, *, whole: bool
) -> Json:
    """Return the label of one row, a JSON object for `rows` of the photograph's line. `tiles` are
    indices into the photograph's list of tiles. `whole` says that the photograph shows every tile
    of the row without doubt; only then does a meld's label hold the engine's verdict.
    """
    if row.place is not Place.MELDS:
        return {"kind": str(row.place), "tiles": tiles}
    meld = rules.judge(record.faces(row), row.ordered) if whole else None
    return {
        "kind": meld.kind if meld else None,
        "tiles": tiles,
        "legal": meld and meld.valid,
        "reason": meld.reason if meld else None,
        "whole": whole,
    }


def _box(tile: Tile) -> list[float]:
    """Return the upright box around a tile: left, top, right and bottom in pixels."""
    across, down = zip(*(tile.corners or ()), strict=True)
    return [min(across), min(down), max(across), max(down)]
