"""Writes the photographs that people corrected, with their labels, for whoever trains a reader.

Nothing is written unless a person asks for it. The form is that of the benchmark's labelled
photographs: one line of JSON for each photograph, with corners in pixels of the upright picture.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import select

from engine.pieces import Pieces
from scorer_app.hand.record import Place, Record, Row, Tile, UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.hand_rows import is_handed_over, rules_of
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.store import Hand, HandState, Match, Photo, Store

STYLE = "own"  # style of the tiles, which nobody has described
_SAVED = (
    select(Hand, Match)
    .join(Match, Match.id == Hand.match_id)
    .where(~Match.deleted, ~Match.sample, Hand.state == HandState.SAVED)
    .where(Match.pieces == Pieces.TILES)
    .order_by(Hand.created, Hand.id)
)
log = logging.getLogger(__name__)
Json = dict[str, Any]


def write_dataset(store: Store, files: PhotoFiles, out: Path) -> int:
    """Write `labels.jsonl` and the photographs under `images/` into the folder `out`, which is made
    where it is missing.

    These are the photographs in which a person settled a tile, of all saved hands that were played
    with tiles. Samples, deleted matches, pictures of watched tables and photographs whose file is
    deleted are left out. Returns the number of photographs. Raises OSError where the folder cannot
    be written.
    """
    images = out / "images"
    images.mkdir(parents=True, exist_ok=True)
    lines = []
    for photo, record, rules in _photographs(store):
        label = label_of(photo, record, rules)
        with files.at_hand(photo.id) as at_hand:
            if label is not None and at_hand.jpeg.is_file():
                shutil.copyfile(at_hand.jpeg, images / at_hand.jpeg.name)
                lines.append(json.dumps(label, ensure_ascii=False) + "\n")
    partial = out / "labels.jsonl.partial"
    partial.write_text("".join(lines), "utf-8")
    partial.replace(out / "labels.jsonl")
    return len(lines)


def label_of(photo: Photo, record: Record, rules: TableRules) -> Json | None:
    """Return the line about one photograph for `labels.jsonl`, as a JSON object; None where no
    person settled a tile in it. `record` is the record of the photograph's hand, and `rules` are
    those of its match. Tiles that are still in doubt have no label: their boxes are listed under
    `ignore`, and so are those of finds that a person removed, since these may be tiles that another
    photograph shows, too.
    """
    shown = {tile.id for tile in record.tiles.values() if tile.photo == photo.id and tile.corners}
    if not any(record.tiles[name].confirmed for name in shown):
        return None
    tiles: list[Json] = []
    rows: list[Json] = []
    for row in record.rows:
        here = [record.tiles[name] for name in row.tiles if name in shown]
        sure = [tile for tile in here if _is_sure(tile)]
        if not sure:
            continue
        numbers = range(len(tiles), len(tiles) + len(sure))
        tiles += [{"tile": tile.face, "corners": tile.corners, "row": len(rows)} for tile in sure]
        whole = len(sure) == len(row.tiles)
        rows.append(_row_label(row, [*numbers], record, rules, whole=whole))
    unsure = [record.tiles[name] for name in sorted(shown) if not _is_sure(record.tiles[name])]
    unsure += [tile for tile in record.removed if tile.photo == photo.id and tile.corners]
    return {
        "photo": f"images/{photo.id}.jpg",
        "style": STYLE,
        "width": photo.width,
        "height": photo.height,
        "tiles": tiles,
        "rows": rows,
        "ignore": [_box(tile) for tile in unsure],
    }


def _photographs(store: Store) -> Iterator[tuple[Photo, Record, TableRules]]:
    """Yield the photographs of all saved hands that were played with tiles and can be shown, each
    with the hand's record and the rules of its match. Samples and deleted matches are left out, and
    so are pictures of watched tables, of which the record has one side's melds alone.
    """
    with store.reading() as session:
        for hand, match in session.execute(_SAVED):
            try:
                record = Record.from_json(hand.record)
                rules = rules_of(match)
            except UnreadableRecord as error:
                log.warning("hand %s is left out: %s", hand.id, error)
                continue
            of_hand = (Photo.hand_id == hand.id, ~Photo.removed, ~Photo.erased)
            for photo in session.scalars(select(Photo).where(*of_hand).order_by(Photo.received)):
                if not is_handed_over(photo):
                    yield photo, record, rules


def _is_sure(tile: Tile) -> bool:
    return tile.face is not None and not tile.doubtful


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
