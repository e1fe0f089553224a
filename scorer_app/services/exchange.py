"""Matches out and in: JSON that holds every record, CSV for spreadsheets. What comes in is checked
like a stranger's.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from engine.options import with_options
from engine.rulesets import ruleset
from engine.set_up import set_up
from scorer_app.hand.record import SIDES, Record, Trouble
from scorer_app.hand.record_check import BadRecord, check_record
from scorer_app.services.matches import Matches, Tally
from scorer_app.services.unreadable import hand_as_stored, hands_as_stored, match_as_stored
from scorer_app.store import Hand, HandState, Match

FORMAT, VERSION = "burako-match", 1
MOST_HANDS = 400
MATCH_FIELDS = ("side_a", "side_b", "players", "player_names", "ruleset", "options", "first_player")

Json = dict[str, Any]


class ImportRefused(ValueError):
    """`str()` says what was expected and what came."""


@dataclass(frozen=True)
class ImportedHand:
    record: Record
    undone: bool


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
            {"undone": hand.state == HandState.UNDONE, "record": hand.record} for hand in hands
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
    """A new match from an export; returns its id. Raises ImportRefused, and then nothing was
    written.
    """
    fields, hands = read_export(data)
    with matches.store.writing() as session:
        match = Match(**fields)
        session.add(match)
        session.flush()
        for position, hand in enumerate(hands, 1):
            state = HandState.UNDONE if hand.undone else HandState.SAVED
            session.add(
                Hand(
                    match_id=match.id,
                    position=position,
                    state=state,
                    record=hand.record.to_json(),
                    saved=match.created,
                )
            )
        return match.id


def read_export(data: object) -> tuple[Json, list[ImportedHand]]:
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ImportRefused(f"expected format {FORMAT!r} version {VERSION}")
    match, hands = data.get("match"), data.get("hands")
    if not isinstance(match, dict) or not isinstance(hands, list) or len(hands) > MOST_HANDS:
        raise ImportRefused(f"expected match, an object, and hands, a list of at most {MOST_HANDS}")
    return _match_fields(match), [_hand(hand) for hand in hands]


def _match_fields(match: Json) -> Json:
    fields = {name: match.get(name) for name in MATCH_FIELDS}
    names, players = [fields["side_a"], fields["side_b"]], fields["players"]
    if not all(isinstance(name, str) and 0 < len(name) <= 40 for name in names) or players not in (
        2,
        4,
    ):
        raise ImportRefused("expected side_a and side_b, 1 to 40 letters, and 2 or 4 players")
    seats = fields["player_names"] or []
    if (
        not isinstance(seats, list)
        or len(seats) > 4
        or not all(isinstance(name, str) and len(name) <= 40 for name in seats)
    ):
        raise ImportRefused("expected player_names, at most 4 of 40 letters")
    if fields["first_player"] not in (None, *range(players)):
        raise ImportRefused("expected first_player, a seat counted from 0")
    _check_rules(fields["ruleset"], fields["options"], players)
    return fields | {"player_names": seats}


def _check_rules(name: object, options: object, players: int) -> None:
    if not isinstance(name, str) or not isinstance(options, dict):
        raise ImportRefused("expected ruleset, a name, and options, an object")
    try:
        set_up(with_options(ruleset(name), {**options, "players": players}))
    except ValueError as error:
        raise ImportRefused(str(error)) from error


def _hand(hand: object) -> ImportedHand:
    if not isinstance(hand, dict) or not isinstance(hand.get("undone", False), bool):
        raise ImportRefused("expected a hand, an object with undone and record")
    try:
        return ImportedHand(check_record(hand.get("record")), hand.get("undone", False))
    except BadRecord as error:
        raise ImportRefused(str(error)) from error


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
