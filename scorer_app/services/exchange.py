"""Exports matches as JSON, which holds every record, and as CSV for spreadsheets; imports the JSON.

A file to import may come from anybody, so everything in it is checked.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import select

from engine.pieces import Pieces
from engine.rulesets import RULESETS
from engine.sides import SIDES
from scorer_app.hand.fields import Wrong, WrongField, read_as, without_controls
from scorer_app.hand.intervals import open_tiles
from scorer_app.hand.received import received_record
from scorer_app.hand.record import Part, Trouble, UnreadableRecord, without_browsers
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.file_names import plain_words
from scorer_app.services.holdings import hold_as_founder
from scorer_app.services.matches import Matches
from scorer_app.services.shelves import created_with, perhaps_equal
from scorer_app.services.tally import HandLine, Tally
from scorer_app.services.unreadable import hand_as_stored, hands_as_stored, match_as_stored
from scorer_app.store import Hand, HandState, Match
from scorer_app.store.tables import AGREED, now
from scorer_app.texts.standing import shown_name
from scorer_app.texts.translator import Translate

FORMAT, VERSION = "burako-match", 1
PARTS: tuple[Part, ...] = ("base", "puntos", "adjustment")
COLUMNS = (*PARTS, "total", "running")  # of each side in the table for spreadsheets
MOST_HANDS = 400
MOST_DOUBTS = 800  # tiles in doubt in all hands together, since the tally weighs each hand's
EARLIEST = datetime(1970, 1, 1)  # what a clock shows that was never set

Json = dict[str, Any]
_STATE_AND_RECORD = select(Hand.state, Hand.record)  # another column of a hand may be damaged
# As a file writes it. Its control characters are taken out afterwards, as of a name that is typed.
Name = Annotated[str, Meta(max_length=40)]


class MatchColumns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names, seats and rules of an exported match, what it is played with, and when it was
    created, in UTC without a zone.
    """

    side_a: Name
    side_b: Name
    players: Literal[2, 4]
    ruleset: str
    options: dict[str, Any]
    player_names: Annotated[list[Name], Meta(max_length=4)] | None = None
    first_player: Annotated[int, Meta(ge=0)] | None = None
    created: Annotated[datetime, Meta(tz=False)] | None = None
    pieces: Pieces = Pieces.TILES
    sample: bool = False  # it was made of the bundled photographs


class HandCopy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saved hand. One that is `undone` does not count in the tally."""

    record: dict[str, Any]
    undone: bool = False


class MatchCopy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole match as the JSON file holds it. `totals` and `damaged` are not imported."""

    format: Literal["burako-match"]
    version: Literal[1]
    match: MatchColumns
    hands: Annotated[list[HandCopy], Meta(max_length=MOST_HANDS)]
    totals: Any = None
    damaged: list[Any] | None = None


def export_match(matches: Matches, match_id: str) -> Json:
    """Return the JSON of a match: its names and rules, the record of each saved hand, and the
    totals.

    Damaged hands are listed apart, under `damaged`, as the text that the database holds; so the
    other hands can still be imported. If the match itself cannot be shown, all its hands are under
    `damaged`. Raises NotFound.
    """
    if matches.unreadable(match_id):
        return _export_as_stored(matches, match_id)
    tally = matches.tally(match_id)
    damaged = sorted({line.hand_id for line in tally.lines if line.trouble is Trouble.DAMAGED})
    whole = (Hand.match_id == match_id, Hand.record.is_not(None), Hand.id.not_in(damaged))
    with matches.store.reading() as session:
        hands = session.execute(_STATE_AND_RECORD.where(*whole).order_by(Hand.position)).all()
        apart = [hand_as_stored(session, hand_id) for hand_id in damaged]
    exported: Json = {
        "format": FORMAT,
        "version": VERSION,
        "match": _columns(tally.match),
        "hands": [
            {"undone": hand.state == HandState.EXCLUDED, "record": without_browsers(hand.record)}
            for hand in hands
        ],
        "totals": tally.totals,
    }
    if apart:
        exported["damaged"] = apart
    return exported


def file_name(matches: Matches, match_id: str, ending: str, zone: tzinfo | None = None) -> str:
    """Return the name of a file that holds a match and ends in `ending`, such as `json`: the sides,
    and the day on which it was played last, in the time zone `zone`, by default this machine's. A
    match that cannot be shown has no such name.
    """
    if matches.unreadable(match_id):
        return f"burako.{ending}"
    match = matches.tally(match_id).match
    day = match.touched.replace(tzinfo=UTC).astimezone(zone)
    sides = [*plain_words(match.side_a), *plain_words(match.side_b)]
    return f"{'-'.join(['burako', *sides, f'{day:%Y-%m-%d}'])}.{ending}"


def _columns(match: Match) -> Json:
    columns = {name: getattr(match, name) for name in AGREED}
    columns["created"] = match.created.isoformat()
    if match.sample:
        columns["sample"] = True
    if match.pieces == Pieces.TILES:  # so that versions that know no cards can import it, too
        del columns["pieces"]
    return columns


def _export_as_stored(matches: Matches, match_id: str) -> Json:
    """Return the JSON of a match that cannot be shown: the text of everything that is stored."""
    with matches.store.reading() as session:
        return {
            "format": FORMAT,
            "version": VERSION,
            "match": match_as_stored(session, match_id),
            "hands": [],
            "damaged": hands_as_stored(session, match_id),
        }


def is_match_copy(data: object) -> bool:
    """Whether `data`, the JSON of a file, says that it is the copy of a match."""
    return isinstance(data, dict) and data.get("format") == FORMAT


def import_match(
    matches: Matches,
    data: object,
    holder: str | None = None,
    before_storing: Callable[[], None] | None = None,
) -> str:
    """Make a new match from `data`, the JSON of an export, and return its id. On a public server
    `holder` is the device that may score the match; elsewhere it is None. `before_storing` is
    called once nothing is wrong with the data; nothing is stored if it raises.

    The match keeps the moment at which it was created, and counts as played last then: what a file
    tells of an old match is no match of today. A moment in the future, as a wrong clock gives it,
    is replaced by now, and so is a missing one.

    Raises WrongField for anything that `export_match` does not write, and for more than MOST_DOUBTS
    tiles in doubt; nothing is stored then.
    """
    copy = read_as(MatchCopy, data)
    rules, names = _rules_of(copy.match), _names_of(copy.match)
    moments = _moments_of(copy.match)
    records = [
        received_record(hand.record, f"hands[{at}].record", rules)
        for at, hand in enumerate(copy.hands)
    ]
    doubts = sum(len(open_tiles(record, rules)) for record in records)
    if doubts > MOST_DOUBTS:
        expected = f"expected at most {MOST_DOUBTS} tiles in doubt, got {doubts}"
        raise WrongField("hands", Wrong.VALUE, expected)
    if before_storing:
        before_storing()
    with matches.store.writing() as session:
        columns = {name: getattr(copy.match, name) for name in (*AGREED, "sample")}
        match = Match(**columns | names | moments)
        session.add(match)
        session.flush()
        if holder:
            hold_as_founder(session, holder, match.id)
        for position, (hand, record) in enumerate(zip(copy.hands, records, strict=True), 1):
            state = HandState.EXCLUDED if hand.undone else HandState.SAVED
            kept = {"record": record.to_json(), "saved": match.imported}
            session.add(Hand(match_id=match.id, position=position, state=state, **kept))
        return match.id


class Likeness(StrEnum):
    """How a match that was brought in compares with its twin, the same match that was here before;
    each has its sentence (`match.twin.VALUE`).
    """

    SAME = "same"
    FEWER = "fewer"  # it has fewer saved hands than the twin
    MORE = "more"  # it has more saved hands
    OTHER = "other"  # it has as many, but other names, rules or hands


def twin_of(matches: Matches, match_id: str) -> str | None:
    """Return the id of another match with the same names, rules and hands, or else of one that was
    created at the same moment, as an older or newer copy of a match is; None where there is none.

    Of the matches with these names and as many hands, at most the MOST_ALIKE that were played last
    are compared. Of several created at that moment, the one counts that the statistics count.
    """
    own = _content(matches, match_id)
    others = perhaps_equal(matches, match_id)
    same = next((other for other in others if _content(matches, other) == own), None)
    return same or _other_state_of(matches, match_id)


def _other_state_of(matches: Matches, match_id: str) -> str | None:
    found = matches.of(created_with(matches, match_id))
    tallies = without_copies(one for one in found if isinstance(one, Tally))
    return tallies[0].match.id if tallies else None


def likeness(matches: Matches, match_id: str, twin: str) -> Likeness:
    """Tell how a match that was brought in compares now with its twin."""
    if _content(matches, match_id) == _content(matches, twin):
        return Likeness.SAME
    hands = [len(one.lines) for one in matches.of([match_id, twin]) if isinstance(one, Tally)]
    if len(hands) < 2 or hands[0] == hands[1]:
        return Likeness.OTHER
    return Likeness.FEWER if hands[0] < hands[1] else Likeness.MORE


def without_copies(tallies: Iterable[Tally]) -> list[Tally]:
    """Return the tallies of all matches, but of a match and its imported copies only one: the one
    with most saved hands; among equals the match itself, else the copy that was played last.

    A copy is known by the moment at which its match was created, whatever was changed since.
    """
    alike: dict[datetime, list[Tally]] = {}
    for tally in tallies:
        alike.setdefault(tally.match.created, []).append(tally)
    kept = []
    for group in alike.values():
        has_copy = any(tally.match.imported for tally in group)
        kept += [max(group, key=_progress)] if has_copy else group
    return kept


def _progress(tally: Tally) -> tuple[int, bool, datetime]:
    match = tally.match
    return len(tally.lines), match.imported is None, match.touched


def _content(matches: Matches, match_id: str) -> Json:
    """Return the exported content of a match without what a copy of it may lack: the time at which
    the match was created, and what belongs to its photographs.
    """
    content = export_match(matches, match_id)
    content["match"].pop("created", None)  # a match that cannot be shown has none
    if content["hands"]:
        rules = matches.tally(match_id).rules
        for hand in content["hands"]:
            hand["record"] = _as_received(hand["record"], rules)
    return content


def _as_received(record: Json, rules: TableRules) -> Json:
    """Return the record of a hand as an import would store it, without what belongs to the hand's
    photographs. A record that cannot be imported is returned as it is.
    """
    try:
        return received_record(record, "record", rules).to_json()
    except WrongField:
        return record


def _names_of(match: MatchColumns) -> Json:
    """Return the names of the sides and players of a match, by column, without their control
    characters, as the form of a new match keeps them. Raises WrongField where a side's name has no
    other characters.
    """
    sides = {"side_a": without_controls(match.side_a), "side_b": without_controls(match.side_b)}
    for field, name in sides.items():
        if not name:
            raise WrongField(f"match.{field}", Wrong.VALUE, "expected a name with a visible sign")
    return sides | {"player_names": list(map(without_controls, match.player_names or []))}


def _moments_of(match: MatchColumns) -> Json:
    """Return by column when a match was created and so touched, and that it is imported now. Raises
    WrongField where it would have been created before EARLIEST.
    """
    moment = now()
    created = moment if match.created is None else min(match.created, moment)
    if created < EARLIEST:
        raise WrongField("match.created", Wrong.VALUE, f"expected a moment from {EARLIEST} on")
    return {"created": created, "touched": created, "imported": moment}


def _rules_of(match: MatchColumns) -> TableRules:
    """Return the rules of a match. Raises WrongField where these are no rules by which a match can
    be played, or where the seat that begins does not exist.
    """
    if match.first_player is not None and match.first_player >= match.players:
        raise WrongField("match.first_player", Wrong.VALUE, "expected a seat, counted from 0")
    try:
        return TableRules.of(match.ruleset, match.options, match.players, match.pieces)
    except UnreadableRecord as error:
        field = "ruleset" if match.ruleset not in RULESETS else "options"
        raise WrongField(f"match.{field}", Wrong.VALUE, str(error)) from error


def export_csv(tally: Tally, say: Translate, between_cells: str) -> str:
    """Return CSV text with a line for each hand, under a header in the language of the translator
    `say`. The cells of a line are parted by `between_cells`, one sign.

    A line has the number of the hand, whether it counts, and the number of its doubts. Then it has
    for each side base, puntos and adjustments, their total, and the total of the match after the
    hand.
    """
    header = [say("sheet.hand"), say("sheet.counts"), say("sheet.doubts")]
    for stored in (tally.match.side_a, tally.match.side_b):
        name = shown_name(stored, say)
        header += [_plain(f"{name} {say(f'sheet.{column}')}") for column in COLUMNS]
    out = io.StringIO()
    sheet = csv.writer(out, delimiter=between_cells)
    sheet.writerow(header)
    sheet.writerows(_csv_row(line, say) for line in tally.lines)
    return out.getvalue()


def _csv_row(line: HandLine, say: Translate) -> list[object]:
    """Return the cells of one hand's line, in the order of the header. The points of a hand that
    cannot be shown are empty cells.
    """
    judged = line.judged
    doubts = judged.doubts.count if judged and judged.doubts else 0
    row: list[object] = [line.position, say("sheet.yes" if line.running else "sheet.no"), doubts]
    for side in SIDES:
        if judged is None:
            row += [""] * len(COLUMNS)
            continue
        row += [judged.score.part(side, part) for part in PARTS]
        row += [judged.score.total(side), line.running.totals[side] if line.running else ""]
    return row


def _plain(text: str) -> str:
    """Return the text, with an apostrophe before it where a spreadsheet would take it for a
    formula.
    """
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
