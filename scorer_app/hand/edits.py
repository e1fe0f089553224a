"""What a person (or a reading) may do to the record of a hand: one small function an operation,
record in, record out.

An operation is JSON `{"op": NAME, ...}`. `apply` checks it and raises EditRefused where it does
not fit the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from scorer_app.hand.duplicates import repeated_tiles, tapped_before
from scorer_app.hand.fields import (
    MAX_POINTS,
    MAX_TILES,
    EditRefused,
    Operation,
    Refusal,
    corners_of,
    face_of,
    index_of,
    named_row,
    named_tile,
    photo_of,
    place_of,
    side_of,
    truth_of,
)
from scorer_app.hand.record import SIDES, Adjustment, End, Place, Record, Row, Side, Tile
from scorer_app.hand.table_rules import TableRules


def apply(record: Record, operation: Operation, rules: TableRules) -> Record:
    """The record after the operation. Raises EditRefused, the record being a value nothing is half
    done.
    """
    name = operation.get("op") if isinstance(operation, dict) else None
    if not isinstance(name, str) or name not in OPERATIONS:
        raise EditRefused(Refusal.UNKNOWN_OPERATION, f"op, one of {', '.join(OPERATIONS)}", name)
    return OPERATIONS[name](record, operation, rules)


# --- tiles ---


def set_tile(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """A person says what a tile is; no later reading changes it."""
    tile = named_tile(record, operation)
    return record.with_tiles([replace(tile, face=face_of(operation), doubtful=False, settled=True)])


def remove_tile(record: Record, operation: Operation, _rules: TableRules) -> Record:
    return _remove(record, named_tile(record, operation))


def add_tile(record: Record, operation: Operation, rules: TableRules) -> Record:
    """A tapped tile. Without a row it goes where it fits: the side's newest meld while that can
    still grow, else a new one.
    """
    if len(record.tiles) >= MAX_TILES:
        raise EditRefused(Refusal.TOO_MANY, f"at most {MAX_TILES} tiles", len(record.tiles) + 1)
    face, corners = face_of(operation), corners_of(operation.get("corners"))
    tile_id, record = record.next_id("t")
    photo = photo_of(operation) if corners else None
    record = record.with_tiles([Tile(tile_id, face, photo=photo, corners=corners, settled=True)])
    if isinstance(operation.get("row"), str) and operation["row"] != "new":
        return _insert(
            record, named_row(record, operation), tile_id, index_of(operation.get("index"))
        )
    side, place = side_of(operation), place_of(operation)
    target = (
        None if operation.get("row") == "new" else _growing_row(record, side, place, face, rules)
    )
    return _insert(record, target, tile_id) if target else _new_row(record, side, place, (tile_id,))


def move_tile(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """To another row, another place in its row, or (row "new") a row of its own."""
    tile = named_tile(record, operation)
    target = None if operation.get("row") == "new" else named_row(record, operation)
    side, place = (
        (target.side, target.place) if target else (side_of(operation), place_of(operation))
    )
    record = _lift(record, tile.id).with_tiles([tile])
    remaining = target and next((row for row in record.rows if row.id == target.id), None)
    if remaining:
        return _insert(record, remaining, tile.id, index_of(operation.get("index")))
    return _new_row(record, side, place, (tile.id,))


# --- rows ---


def split_row(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """Two rows: the tiles before index `at`, and the rest."""
    row, at = named_row(record, operation), index_of(operation.get("at"))
    if at is None or not 0 < at < len(row.tiles):
        raise EditRefused(
            Refusal.BAD_VALUE, f"at between 1 and {len(row.tiles) - 1}", operation.get("at")
        )
    record = record.with_row(replace(row, tiles=row.tiles[:at], accepted=False, by_hand=True))
    return _new_row(record, row.side, row.place, row.tiles[at:], as_laid=row.as_laid)


def join_rows(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """All tiles of `row` go to the end of the row `into`."""
    row, into = named_row(record, operation), named_row(record, operation, "into")
    if row.id == into.id:
        raise EditRefused(Refusal.BAD_VALUE, "two different rows", row.id)
    record = record.with_row(replace(row, tiles=()))
    return record.with_row(
        replace(into, tiles=into.tiles + row.tiles, accepted=False, as_laid=False, by_hand=True)
    )


def move_row(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """To the other side, to the rack, or aside as pozo."""
    row, side, place = named_row(record, operation), side_of(operation), place_of(operation)
    rack = record.in_place(side, place) if place is Place.RACK else ()
    if rack and rack[0].id != row.id:
        record = record.with_row(replace(row, tiles=()))
        return record.with_row(replace(rack[0], tiles=rack[0].tiles + row.tiles, by_hand=True))
    return record.with_row(replace(row, side=side, place=place, accepted=False, by_hand=True))


def accept_row(record: Record, operation: Operation, _rules: TableRules) -> Record:
    return record.with_row(
        replace(
            named_row(record, operation), accepted=truth_of(operation, "accepted"), by_hand=True
        )
    )


# --- the hand ---


def set_end(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """Who closed, or that the stock ran out (`closed_by` null); `end` null takes the answer
    back.
    """
    end, closed_by = operation.get("end"), operation.get("closed_by")
    wanted = SIDES if end == End.CLOSE else (None,)
    if end not in (None, *End) or closed_by not in wanted:
        raise EditRefused(
            Refusal.BAD_VALUE, "end close with closed_by A or B, or stock_exhausted", operation
        )
    return replace(record, end=end and End(end), closed_by=closed_by)


def set_muerto(record: Record, operation: Operation, _rules: TableRules) -> Record:
    taken = operation.get("taken")
    if taken not in (True, False, None):
        raise EditRefused(Refusal.BAD_VALUE, "taken true, false or null", taken)
    side, played = side_of(operation), operation.get("played", True)
    unplayed = set(record.muerto_unplayed) - {side} | (
        {side} if taken and played is False else set()
    )
    return replace(
        record, muerto=record.muerto | {side: taken}, muerto_unplayed=tuple(sorted(unplayed))
    )


def add_adjustment(record: Record, operation: Operation, _rules: TableRules) -> Record:
    points, reason = operation.get("points"), operation.get("reason")
    if type(points) is not int or not 0 < abs(points) <= MAX_POINTS:
        raise EditRefused(
            Refusal.BAD_VALUE, f"points, a whole number up to {MAX_POINTS}, not 0", points
        )
    if not isinstance(reason, str) or not 0 < len(reason.strip()) <= 80:
        raise EditRefused(Refusal.BAD_VALUE, "reason, 1 to 80 letters", reason)
    if len(record.adjustments) >= 20:
        raise EditRefused(Refusal.TOO_MANY, "at most 20 adjustments", 21)
    name, record = record.next_id("x")
    return replace(
        record,
        adjustments=(
            *record.adjustments,
            Adjustment(name, side_of(operation), points, reason.strip()),
        ),
    )


def remove_adjustment(record: Record, operation: Operation, _rules: TableRules) -> Record:
    kept = tuple(item for item in record.adjustments if item.id != operation.get("adjustment"))
    if len(kept) == len(record.adjustments):
        raise EditRefused(
            Refusal.NOT_THERE, "an adjustment of this hand", operation.get("adjustment")
        )
    return replace(record, adjustments=kept)


def drop_repeats(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """Two photographs of one area overlap: what the named one shows a second time is counted
    once.
    """
    return _remove_all(record, repeated_tiles(record, _shown_photo(record, operation)))


def drop_tapped(record: Record, operation: Operation, rules: TableRules) -> Record:
    """Tiles tapped in while a photograph that shows them was still being read are counted once."""
    return keep_tapped(
        _remove_all(record, tapped_before(record, _shown_photo(record, operation))),
        operation,
        rules,
    )


def keep_tapped(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """The table has looked: the photograph shows other pieces than those tapped in."""
    return replace(record, compared=tuple({*record.compared, _shown_photo(record, operation)}))


def tell_apart(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """The table has looked: a photograph that looks like an earlier one shows other pieces."""
    return replace(record, told_apart=tuple({*record.told_apart, _shown_photo(record, operation)}))


def keep_copies(record: Record, operation: Operation, _rules: TableRules) -> Record:
    """The table has looked: this face really lies there more often than the set has it."""
    return replace(record, kept_copies=tuple({*record.kept_copies, face_of(operation)}))


Edit = Callable[[Record, Operation, TableRules], Record]
OPERATIONS: dict[str, Edit] = {
    edit.__name__: edit
    for edit in (
        set_tile,
        remove_tile,
        add_tile,
        move_tile,
        split_row,
        join_rows,
        move_row,
        accept_row,
        set_end,
        set_muerto,
        add_adjustment,
        remove_adjustment,
        keep_copies,
        drop_repeats,
        drop_tapped,
        keep_tapped,
        tell_apart,
    )
}


# --- parts ---


def _growing_row(
    record: Record, side: Side, place: Place, face: str, rules: TableRules
) -> Row | None:
    rows = record.in_place(side, place)
    if not rows:
        return None
    if place is not Place.MELDS:
        return rows[-1]
    newest = max(rows, key=lambda row: int(row.id[1:]))
    return newest if rules.can_grow(record.faces(newest), face) else None


def _new_row(
    record: Record, side: Side, place: Place, tiles: tuple[str, ...], as_laid: bool = False
) -> Record:
    name, record = record.next_id("r")
    return replace(
        record, rows=(*record.rows, Row(name, side, place, tiles, as_laid=as_laid, by_hand=True))
    )


def _insert(record: Record, row: Row, tile_id: str, index: int | None = None) -> Record:
    at = len(row.tiles) if index is None else index
    tiles = (*row.tiles[:at], tile_id, *row.tiles[at:])
    as_laid = row.as_laid and index is not None
    return record.with_row(replace(row, tiles=tiles, accepted=False, as_laid=as_laid, by_hand=True))


def _lift(record: Record, tile_id: str) -> Record:
    row = record.row_of(tile_id)
    tiles = {key: tile for key, tile in record.tiles.items() if key != tile_id}
    left = replace(
        row,
        tiles=tuple(other for other in row.tiles if other != tile_id),
        accepted=False,
        by_hand=True,
    )
    return replace(record, tiles=tiles).with_row(left)


def _remove(record: Record, tile: Tile) -> Record:
    """What was read in a photograph is remembered as removed: a later reading does not bring it
    back.
    """
    removed = (*record.removed, tile) if tile.corners else record.removed
    return replace(_lift(record, tile.id), removed=removed)


def _remove_all(record: Record, tiles: Iterable[str]) -> Record:
    for tile in tiles:
        record = _remove(record, record.tiles[tile])
    return record


def _shown_photo(record: Record, operation: Operation) -> str:
    photo = photo_of(operation)
    if not any(tile.photo == photo for tile in (*record.tiles.values(), *record.removed)):
        raise EditRefused(Refusal.NOT_THERE, "a photograph of this hand", photo)
    return photo
