"""Whether JSON from outside is the record of a hand: every name, face and number in it, and that
it hangs together.
"""

from __future__ import annotations

import re
from typing import Any

from scorer_app.hand.fields import MAX_POINTS, MAX_TILES
from scorer_app.hand.record import SIDES, End, Place, Record, UnreadableRecord
from scorer_app.hand.table_rules import FACES

_ID = re.compile(r"[a-z][0-9]{1,6}")
_TILE_KEYS = {
    "id",
    "face",
    "photo",
    "corners",
    "read",
    "confidence",
    "doubtful",
    "alternatives",
    "perhaps_none",
    "settled",
}
_ROW_KEYS = {"id", "side", "place", "tiles", "accepted", "as_laid", "by_hand"}


class BadRecord(ValueError):
    """`str()` says what was expected."""


def check_record(data: object) -> Record:
    """The record. Raises BadRecord. Photographs do not travel with a record, so its tiles come
    without.
    """
    need(isinstance(data, dict), "a record, an object")
    assert isinstance(data, dict)
    tiles, rows, adjustments = data.get("tiles"), data.get("rows"), data.get("adjustments")
    need(
        isinstance(tiles, dict) and len(tiles) <= MAX_TILES,
        f"tiles, at most {MAX_TILES} under their names",
    )
    need(isinstance(rows, list) and len(rows) <= MAX_TILES, "rows, a list")
    need(
        isinstance(adjustments, list) and len(adjustments) <= 20,
        "adjustments, a list of at most 20",
    )
    assert isinstance(tiles, dict) and isinstance(rows, list) and isinstance(adjustments, list)
    clean = {
        "tiles": {name: _tile(name, tile) for name, tile in tiles.items()},
        "rows": [_row(row) for row in rows],
        "adjustments": [_adjustment(item) for item in adjustments],
        **_ending(data),
    }
    lying = sorted(tile for row in clean["rows"] for tile in row["tiles"])
    need(lying == sorted(tiles), "every tile in exactly one row")
    names = [*tiles, *(row["id"] for row in rows), *(item["id"] for item in adjustments)]
    need(len(set(names)) == len(names), "names that occur once")
    clean["serial"] = max((int(name[1:]) for name in names), default=0)
    try:
        return Record.from_json(clean)
    except UnreadableRecord as error:
        raise BadRecord(str(error)) from error


def need(holds: bool, expected: str) -> None:
    if not holds:
        raise BadRecord(f"expected {expected}")


def _tile(name: object, tile: object) -> dict[str, Any]:
    need(
        isinstance(tile, dict) and set(tile) <= _TILE_KEYS,
        f"a tile with {', '.join(sorted(_TILE_KEYS))}",
    )
    assert isinstance(tile, dict)
    need(_is_id(name) and tile.get("id") == name, "a tile under its own name")
    for key in ("face", "read"):
        need(tile.get(key) is None or _is_face(tile[key]), f"{key}, a tile such as 7R or null")
    said = {key: bool(tile.get(key)) for key in ("doubtful", "perhaps_none", "settled")}
    return {
        "id": name,
        "face": tile.get("face"),
        "read": tile.get("read"),
        "alternatives": _alternatives(tile),
        **said,
    }


def _alternatives(tile: dict[str, Any]) -> list[Any]:
    """Kept with the doubt that a hand was saved with: they say how far off its score may be."""
    found = tile.get("alternatives", [])
    need(isinstance(found, list) and len(found) <= len(FACES), "alternatives, a list")
    for pair in found:
        fits = (
            isinstance(pair, list)
            and len(pair) == 2
            and _is_face(pair[0])
            and type(pair[1]) in (int, float)
        )
        need(fits, "an alternative, a tile and a number")
    return list(found)


def _row(row: object) -> dict[str, Any]:
    need(
        isinstance(row, dict) and set(row) <= _ROW_KEYS,
        f"a row with {', '.join(sorted(_ROW_KEYS))}",
    )
    assert isinstance(row, dict)
    tiles = row.get("tiles")
    need(_is_id(row.get("id")), "a row's id")
    need(
        isinstance(tiles, list) and len(tiles) > 0 and all(_is_id(tile) for tile in tiles),
        "a row's tiles by id",
    )
    need(row.get("side") in SIDES and row.get("place") in list(Place), "a row's side and place")
    switches = {key: row.get(key, False) for key in ("accepted", "as_laid", "by_hand")}
    need(
        all(isinstance(value, bool) for value in switches.values()),
        "accepted, as_laid and by_hand, true or false",
    )
    return {"id": row["id"], "side": row["side"], "place": row["place"], "tiles": tiles, **switches}


def _adjustment(item: object) -> dict[str, Any]:
    need(
        isinstance(item, dict) and set(item) == {"id", "side", "points", "reason"},
        "an adjustment with id, side, points, reason",
    )
    assert isinstance(item, dict)
    need(_is_id(item["id"]) and item["side"] in SIDES, "an adjustment's id and side")
    need(
        type(item["points"]) is int and abs(item["points"]) <= MAX_POINTS,
        f"points up to {MAX_POINTS}",
    )
    need(
        isinstance(item["reason"], str) and 0 < len(item["reason"]) <= 80,
        "a reason of 1 to 80 letters",
    )
    return item


def _ending(data: dict[str, Any]) -> dict[str, Any]:
    end, closed_by, muerto = data.get("end"), data.get("closed_by"), data.get("muerto")
    need(
        end in list(End) and closed_by in (SIDES if end == End.CLOSE else (None,)),
        "how the hand ended, and who closed",
    )
    need(isinstance(muerto, dict) and set(muerto) == set(SIDES), "muerto of A and B")
    assert isinstance(muerto, dict)
    need(
        all(taken in (True, False, None) for taken in muerto.values()), "muerto true, false or null"
    )
    unplayed, kept = data.get("muerto_unplayed", []), data.get("kept_copies", [])
    need(
        isinstance(unplayed, list) and all(side in SIDES for side in unplayed),
        "muerto_unplayed, sides",
    )
    need(isinstance(kept, list) and all(_is_face(face) for face in kept), "kept_copies, faces")
    return {
        "end": end,
        "closed_by": closed_by,
        "muerto": muerto,
        "muerto_unplayed": unplayed,
        "kept_copies": kept,
    }


def _is_id(value: object) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _is_face(value: object) -> bool:
    return isinstance(value, str) and value in FACES
