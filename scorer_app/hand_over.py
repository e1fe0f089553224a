"""The last stable table becomes the melds of the match's hand, as if each side's had been photographed and read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from scorer_app.hands import KeyedEdit, find_hand, no_way_back, photos_of, working_record, write_step
from scorer_app.intake import Intake
from scorer_app.readings import add_reading, drop_photo
from scorer_app.record import SIDES, Place, Record, Side
from scorer_app.store import Photo, PhotoState
from scorer_app.watching import LiveRefused, LiveTrouble

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.live import LiveMeld, StableTable

MARK = "live"  # in a reading: handed over, not photographed


def hand_over(intake: Intake, match_id: str, table: StableTable, picture: NDArray[np.uint8]) -> str:
    """The name of the hand. Handed over again, the table replaces itself; what people said about its tiles stays."""
    if any(meld.side is None for meld in table.melds):
        raise LiveRefused(LiveTrouble.NO_LINE)
    hands = intake.hands
    hand_id = hands.begin(match_id)
    gone: list[str] = []
    with hands.store.writing() as session:
        hand = find_hand(session, hand_id, to_change=True)
        record = working_record(hand)
        before = {photo.side: photo for photo in photos_of(session, hand_id) if (photo.reading or {}).get(MARK)}
        for side in SIDES:
            record = _take_in(session, intake, hand_id, record, side, table, picture, before.get(side))
        for photo in before.values():
            photo.removed = photo.erased = True
            gone.append(photo.id)
        write_step(session, hand, KeyedEdit(f"table-{hand.version}", {"op": "table_handed_over"}), record)
        no_way_back(session, hand_id)
    for name in gone:
        intake.erase(name)
    hands.news.tell(hand_id)
    return hand_id


def _take_in(
    session: Session, intake: Intake, hand_id: str, record: Record, side: Side, table: StableTable,
    picture: NDArray[np.uint8], old: Photo | None,
) -> Record:  # fmt: skip
    melds = [meld for meld in table.melds if meld.side == side]
    if not melds:
        return drop_photo(record, old.id) if old else record
    reading = _reading(melds)
    photo = Photo(hand_id=hand_id, side=side, place=Place.MELDS, state=PhotoState.READ, reading=reading)
    photo.width, photo.height = table.width, table.height
    session.add(photo)
    session.flush()
    intake.keep(photo.id, picture)
    if old:  # its tiles become the new photograph's, so that what was settled is found again
        record = record.with_tiles([replace(tile, photo=photo.id) for tile in record.tiles.values() if tile.photo == old.id])
    return add_reading(record, photo.id, side, Place.MELDS, reading, keep_unseen=False)


def _reading(melds: list[LiveMeld]) -> dict[str, Any]:
    """As `burako read --json` tells it, as far as a record needs it."""
    tiles: list[dict[str, Any]] = []
    rows = []
    for meld in melds:
        rows.append({"tiles": list(range(len(tiles), len(tiles) + len(meld.tiles))), "accepted": meld.overruled})
        tiles += [tile.to_json() for tile in meld.tiles]
    return {MARK: True, "tiles": tiles, "melds": rows, "loose": []}
