"""Passes the melds of a watched table on to the hand of its match, to be scored.

The melds of the last stable table become the hand's melds, as if those of each side had been
photographed and read. The pozo, other loose tiles and pictures on a box are set aside and count for
nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.sides import SIDES, SideName
from scorer_app.hand.fields import EditRefused, Refusal, own_key
from scorer_app.hand.merging import add_reading
from scorer_app.hand.operation import TableHandedOver
from scorer_app.hand.record import Place, Record, UnreadableRecord
from scorer_app.services.hand_log import KeyedEdit, no_way_back, write_step
from scorer_app.services.hand_rows import (
    HANDED_OVER,
    find_hand,
    is_handed_over,
    open_draft,
    photos_of,
    working_record,
)
from scorer_app.services.intake import Intake
from scorer_app.store import Hand, HandState, Photo, PhotoState
from scorer_app.store.tables import photo_name
from scorer_app.watch.refusals import LiveRefused, LiveTrouble
from scorer_app.watch.same_tiles import follow_tiles
from vision.reading import Doubt, MeldReading, TableReading, TileReading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.melds import Meld
    from vision.live import LiveMeld, LiveTile, StableTable


# Melds of a table that are those of a hand counted before: so many at least, and this share.
FEWEST_SAME, SAME_SHARE = 2, 2 / 3


def hand_over(
    intake: Intake,
    match_id: str,
    table: StableTable,
    picture: NDArray[np.uint8],
    *,
    replaces: bool = False,
) -> str:
    """Make the melds of a table the melds of the match's hand, and return the hand's id. `picture`
    is the frame that shows the table, (h, w, 3) RGB. A table that is handed over again replaces the
    earlier one; what people said about its tiles stays.

    Raises LiveRefused where it is not known which side a meld belongs to, where the melds still are
    those of the hand saved last and, unless it `replaces` them, where melds handed over before do
    not lie there any more. Raises NotFound where there is no such match, and EditRefused
    for a sample, which is a match made of the bundled photographs, and where somebody saves the
    hand or throws it away at the same moment.
    """
    if any(meld.side is None for meld in table.melds):
        raise LiveRefused(LiveTrouble.NO_LINE)
    hands = intake.hands
    with hands.store.reading() as session:
        _check_is_new(session, match_id, table)
        draft = open_draft(session, match_id)
        if draft and not replaces:
            _check_loses_none(_handed_over_before(session, draft.id).values(), table)
    hand_id = hands.begin(match_id)
    sides = {meld.side for meld in table.melds}
    photo_ids = {side: photo_name() for side in SIDES if side in sides}
    with intake.files_first(*photo_ids.values()):
        for photo_id in photo_ids.values():
            intake.files.keep(photo_id, picture)
        with hands.store.writing() as session:
            replaced = _replace_melds(session, hand_id, table, photo_ids, replaces)
    for photo_id in replaced:
        intake.files.erase(photo_id)
    intake.removed.forget(hand_id)
    hands.event_bus.tell(hand_id)
    return hand_id


def _replace_melds(
    session: Session,
    hand_id: str,
    table: StableTable,
    photo_ids: Mapping[SideName, str],
    replaces: bool,
) -> list[str]:
    """Put the melds of the table into the hand, in place of those handed over before, which may be
    gone from the table only if it `replaces` them. `photo_ids` holds, for each side with melds, the
    id of a new photograph that stands for them.

    Returns the ids of the photographs that stood for the earlier melds; their files are to be
    erased once the session has committed. Raises EditRefused for a hand whose match is a sample,
    and for one that somebody saved or threw away meanwhile, and LiveRefused as `hand_over` does.
    """
    hand = find_hand(session, hand_id, to_change=True)
    if hand.match.sample:
        raise EditRefused(Refusal.SAMPLE, "a match that is no sample", hand.match_id)
    if hand.state != HandState.DRAFT:
        raise EditRefused(Refusal.CHANGED, "the unfinished hand of the match", hand_id)
    _check_is_new(session, hand.match_id, table)
    record, before = working_record(hand), _handed_over_before(session, hand_id)
    if not replaces:
        _check_loses_none(before.values(), table)
    readings = _readings(table)
    now = {side: (photo_ids[side], reading) for side, reading in readings.items()}
    record = follow_tiles(record, {side: photo.id for side, photo in before.items()}, now)
    for side, (photo_id, reading) in now.items():
        _keep_photo(session, Photo(id=photo_id, hand_id=hand_id, side=side), reading)
        melds = [meld for meld in table.melds if meld.side == side]
        accepted = [number for number, meld in enumerate(melds) if meld.accepted]
        record = add_reading(
            record, photo_id, side, Place.MELDS, reading, keep_unseen=False, accepted=accepted
        )
    for photo in before.values():
        photo.removed = photo.erased = True
    write_step(session, hand, KeyedEdit(own_key("table", hand.version), TableHandedOver()), record)
    no_way_back(session, hand_id)
    return [photo.id for photo in before.values()]


def _check_is_new(session: Session, match_id: str, table: StableTable) -> None:
    """Raise LiveRefused where the table still shows the melds of the hand that was saved last:
    at least two of them, or its only one, and hardly any other. Some may have been put right while
    that hand was scored, and some been cleared away since.
    """
    saved = (
        select(Hand)
        .where(Hand.match_id == match_id, Hand.state == HandState.SAVED)
        .order_by(Hand.position.desc())
        .limit(1)
    )
    counted = Counter[tuple[str | None, ...]]()
    for hand in session.scalars(saved):
        with suppress(UnreadableRecord):
            record = Record.from_json(hand.record)
            rows = (row for side in SIDES for row in record.in_place(side, Place.MELDS))
            counted.update(_in_any_order(record.faces(row)) for row in rows)
    lying = Counter(_in_any_order(_faces(meld)) for meld in table.melds)
    same = (lying & counted).total()
    if same >= max(1, min(FEWEST_SAME, counted.total())) and same >= SAME_SHARE * lying.total():
        raise LiveRefused(LiveTrouble.COUNTED)


def _check_loses_none(photos: Iterable[Photo], table: StableTable) -> None:
    """Raise LiveRefused where a meld that was handed over before, for which one of the `photos`
    stands, does not lie on the table any more, nor a longer one with all its tiles.
    """
    melds = [meld for photo in photos for meld in (photo.reading or {}).get("melds", ())]
    earlier = [Counter[str | None](meld["laid"]) for meld in melds]
    # The longest first, each in the shortest that holds it: a short one may lie in several.
    lying = sorted((Counter(_faces(meld)) for meld in table.melds), key=Counter.total)
    for before in sorted(earlier, key=Counter.total, reverse=True):
        now = next((one for one in lying if before <= one), None)
        if now is None:
            raise LiveRefused(LiveTrouble.REPLACES)
        lying.remove(now)


def _faces(meld: LiveMeld) -> list[str | None]:
    return [None if tile.tile is None else str(tile.tile) for tile in meld.tiles]


def _in_any_order(faces: Iterable[str | None]) -> tuple[str | None, ...]:
    return tuple(sorted(faces, key=str))


def _handed_over_before(session: Session, hand_id: str) -> dict[SideName, Photo]:
    """Map each side whose melds were handed over earlier to the photograph that stands for them."""
    return {
        "A" if photo.side == "A" else "B": photo
        for photo in photos_of(session, hand_id)
        if is_handed_over(photo)
    }


def _readings(table: StableTable) -> dict[SideName, TableReading]:
    """Return the reading of each side's melds; a side without melds is absent. The first side that
    has melds also gets the tiles that are nobody's.
    """
    # Unread tiles are left out: they are the stock, face down.
    loose = [tile for tile in table.loose if tile.tile is not None]
    printed = table.printed
    readings: dict[SideName, TableReading] = {}
    for side in SIDES:
        if melds := [meld for meld in table.melds if meld.side == side]:
            readings[side] = _reading(table, melds, loose, printed)
            loose, printed = [], ()
    return readings


def _keep_photo(session: Session, photo: Photo, reading: TableReading) -> None:
    """Store `photo`, which stands in the hand for the melds that the camera saw of one side, with
    `reading`, the reading of these melds.
    """
    photo.place, photo.state = Place.MELDS, PhotoState.READ
    photo.width, photo.height = reading.width, reading.height
    photo.reading = reading.to_json() | {HANDED_OVER: True}
    session.add(photo)
    session.flush()


def _reading(
    table: StableTable,
    melds: Sequence[LiveMeld],
    loose: Iterable[LiveTile],
    printed: Iterable[tuple[LiveTile, ...]],
) -> TableReading:
    """Return the reading of one side's melds, as if they had been photographed. `loose` are tiles
    that lie by themselves, and `printed` are rows that are pictures on a box.
    """
    tiles: list[TileReading] = []
    rows = [_meld_reading(tiles, meld.tiles, meld.verdict) for meld in melds]
    rows += [_meld_reading(tiles, row, None, Doubt.PRINTED) for row in printed]
    rest = _added(tiles, loose)
    return TableReading(table.width, table.height, tuple(tiles), tuple(rows), rest)


def _meld_reading(
    tiles: list[TileReading], row: Sequence[LiveTile], verdict: Meld | None, *doubts: Doubt
) -> MeldReading:
    doubtful = any(tile.doubtful for tile in row)
    return MeldReading(
        _added(tiles, row, *doubts), tuple(tile.tile for tile in row), verdict, doubtful
    )


def _added(tiles: list[TileReading], more: Iterable[LiveTile], *doubts: Doubt) -> tuple[int, ...]:
    """Append readings to the list `tiles`, one for each tile of a watched table in `more`. Return
    the indices of the new readings in the list. Each has the given `doubts`; the reading of a
    doubtful tile also has UNSURE.
    """
    start = len(tiles)
    for tile in more:
        reasons = {*doubts, *([Doubt.UNSURE] if tile.doubtful else [])}
        tiles.append(
            TileReading(
                tile.tile,
                tile.corners,
                tile.confidence,
                frozenset(reasons),
                tuple(tile.alternatives),
            )
        )
    return tuple(range(start, len(tiles)))
