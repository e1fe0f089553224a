"""Matches out and in: JSON that holds every record, CSV for spreadsheets. What comes in is checked
like a stranger's.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import select

from engine.rulesets import RULESETS
from scorer_app.hand.fields import Wrong, WrongField, read_as
from scorer_app.hand.received import received_record
from scorer_app.hand.record import SIDES, Trouble, UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.matches import Matches, Tally
from scorer_app.services.unreadable import hand_as_stored, hands_as_stored, match_as_stored
from scorer_app.store import Hand, HandState, Match

FORMAT, VERSION = "burako-match", 1
MOST_HANDS = 400
MATCH_FIELDS = ("side_a", "side_b", "players", "player_names", "ruleset", "options", "first_player")

Json = dict[str, Any]
SideName = Annotated[str, Meta(max_length=40, pattern=r"\S")]
SeatName = Annotated[str, Meta(max_length=40)]


class MatchColumns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of a match, what travels: names, seats, rules. `created` is for readers of the file alone."""

    side_a: SideName
    side_b: SideName
    players: Literal[2, 4]
    ruleset: str
    options: dict[str, Any]
    player_names: Annotated[list[SeatName], Meta(max_length=4)] | None = None
    first_player: Annotated[int, Meta(ge=0)] | None = None
    created: str | None = None


class HandCopy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that was saved. `undone`: taken out of the tally."""

    record: dict[str, Any]
    undone: bool = False


class MatchCopy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole match as a file. `totals` and `damaged` are for readers of the file alone."""

    format: Literal["burako-match"]
    version: Literal[1]
    match: MatchColumns
    hands: Annotated[list[HandCopy], Meta(max_length=MOST_HANDS)]
    totals: Any = None
    damaged: list[Any] | None = None


def export_match(matches: Matches, match_id: str) -> Json:
    """The match with the record of each saved hand, and the totals as a courtesy to readers:
    importing ignores them.

    Damaged hands are apart, their text as the database holds it, so that the others can be
    imported; and so are all hands of a match that cannot be shown. Raises NotFound.
    """
    if matches.unreadable(match_id):
        return _export_as_stored(matches, match_id)
    tally = matches.tally(match_id)
    match = tally.match
    damaged = {line.hand_id for line in tally.lines if line.trouble is Trouble.DAMAGED}
    with matches.store.reading() as session:
        hands = session.scalars(
            select(Hand)
            .where(
                Hand.match_id == match_id, Hand.record.is_not(None), Hand.id.not_in(sorted(damaged))
            )
            .order_by(Hand.position)
        ).all()
        apart = [hand_as_stored(session, hand_id) for hand_id in sorted(damaged)]
    return {
        "format": FORMAT,
        "version": VERSION,
        "match": {name: getattr(match, name) for name in MATCH_FIELDS}
        | {"created": match.created.isoformat()},
        "hands": [
            {"undone": hand.state == HandState.EXCLUDED, "record": hand.record} for hand in hands
        ],
        "totals": tally.totals,
    } | ({"damaged": apart} if apart else {})


def _export_as_stored(matches: Matches, match_id: str) -> Json:
    with matches.store.reading() as session:
        return {
            "format": FORMAT,
            "version": VERSION,
            "match": match_as_stored(session, match_id),
            "hands": [],
            "damaged": hands_as_stored(session, match_id),
        }


def import_match(matches: Matches, data: object) -> str:
    """A new match from an export; returns its id. Raises WrongField, and then nothing was
    written.
    """
    copy = read_as(MatchCopy, data)
    _check_rules(copy.match)
    records = [
        received_record(hand.record, f"hands[{at}].record") for at, hand in enumerate(copy.hands)
    ]
    with matches.store.writing() as session:
        match = Match(**{name: getattr(copy.match, name) for name in MATCH_FIELDS})
        match.player_names = match.player_names or []
        session.add(match)
        session.flush()
        for position, (hand, record) in enumerate(zip(copy.hands, records, strict=True), 1):
            state = HandState.EXCLUDED if hand.undone else HandState.SAVED
            kept = {"record": record.to_json(), "saved": match.created}
            session.add(Hand(match_id=match.id, position=position, state=state, **kept))
        return match.id


def _check_rules(match: MatchColumns) -> None:
    """Raises WrongField where the match cannot be played by its rules, or the seat that begins is
    none of its seats.
    """
    if match.first_player is not None and match.first_player >= match.players:
        raise WrongField("match.first_player", Wrong.VALUE, "expected a seat, counted from 0")
    try:
        TableRules.of(match.ruleset, match.options, match.players)
    except UnreadableRecord as error:
        field = "ruleset" if match.ruleset not in RULESETS else "options"
        raise WrongField(f"match.{field}", Wrong.VALUE, str(error)) from error


def export_csv(tally: Tally) -> str:
    """A line a hand: what each side made in base, puntos and adjustments, and the totals after
    it.
    """
    out = io.StringIO()
    sheet = csv.writer(out)
    parts = ("base", "puntos", "adjustment", "total", "running")
    names = {"A": tally.match.side_a, "B": tally.match.side_b}
    sheet.writerow(
        [
            "hand",
            "counts",
            "doubts",
            *(_plain(f"{names[side]} {part}") for side in SIDES for part in parts),
        ]
    )
    sheet.writerows(_csv_rows(tally))
    return out.getvalue()


def _csv_rows(tally: Tally) -> Iterator[list[object]]:
    for line in tally.lines:
        doubts = line.judged.doubts.count if line.judged and line.judged.doubts else 0
        row: list[object] = [line.position, "yes" if line.running else "no", doubts]
        for side in SIDES:
            made = [line.score.part(side, part) for part in ("base", "puntos", "adjustment")]
            row += (
                [*made, line.score.total(side), line.running.totals[side] if line.running else ""]
                if line.judged
                else [""] * 5
            )
        yield row


def _plain(text: str) -> str:
    """A name that a spreadsheet would take for a formula is quoted."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
