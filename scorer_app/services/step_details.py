"""What the history of a match tells of a saved hand: who closed it, who took a muerto, which melds
the players accepted although the rules do not allow them, which points they added or took away by
rules of their own, which photographs were removed, and which points a correction changed.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.sides import SIDES
from scorer_app.hand.edits_of_hand import SetEnd
from scorer_app.hand.plainness import is_illegal
from scorer_app.hand.questions import melds_of
from scorer_app.hand.record import Record
from scorer_app.hand.score import muerto_taken, score_hand
from scorer_app.hand.table_rules import TableRules
from scorer_app.store import Photo
from scorer_app.store.tables import Json


def details_of(record: Record, rules: TableRules, removed: Iterable[Photo]) -> Json:
    """Return what the history tells of a hand that is saved with this record: `end` as `SetEnd` has
    it, the `muertos` taken with side and whether they were played, the `accepted` melds with side
    and faces, the `adjustments` with side, points and reason, and the side and place of each of the
    `removed` photographs. What there is none of is left out.

    The totals that people counted themselves are kept as adjustments, too, and are none.
    """
    accepted = [
        {"side": row.side, "faces": [record.tiles[name].face for name in row.tiles]}
        for row in melds_of(record)
        if row.accepted and is_illegal(record, row, rules)
    ]
    muertos = [
        {"side": side, "played": side not in record.muerto_unplayed}
        for side in SIDES
        if muerto_taken(record, side)
    ]
    adjustments = [
        {"side": item.side, "points": item.points, "reason": item.reason}
        for item in record.adjustments
        if item.part == "adjustment"
    ]
    found = {
        "end": SetEnd(record.end, record.closed_by).to_json() if record.end else None,
        "muertos": muertos,
        "accepted": accepted,
        "adjustments": adjustments,
    }
    return {name: value for name, value in found.items() if value} | removed_details(removed)


def removed_details(photos: Iterable[Photo]) -> Json:
    """Return what the history tells of a hand that lost these photographs: as `removed` the side
    and place of each, and nothing where there is none.
    """
    removed = [{"side": photo.side, "place": photo.place} for photo in photos]
    return {"removed": removed} if removed else {}


def changed_points(former: Record, record: Record, rules: TableRules) -> Json:
    """Return what the history tells of the points of a saved hand whose record `former` is replaced
    by `record`: as `points` the total of each side before and after it, by its side.
    """
    scores = [score_hand(one, rules) for one in (former, record)]
    return {"points": {side: [score.total(side) for score in scores] for side in SIDES}}
