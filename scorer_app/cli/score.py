"""`burako score`: reads photographs of both sides and prints the itemised score of the hand, with
all doubts and how far they could change it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from engine.options import with_options
from engine.pieces import Pieces, card_name, piece_names
from engine.rulesets import RuleSet
from engine.sides import SIDES, SideName
from engine.tiles import Tile
from scorer_app.cli.judge_answers import answer_hand
from scorer_app.cli.options import complain, failure, filled, parser, tell_failure
from scorer_app.cli.pieces import add_pieces, check_pieces, rules_of
from scorer_app.cli.set_option import NoSet, named_set, open_tables, rules_with_set
from scorer_app.cli.table_options import add_table_options, read_table_options
from scorer_app.cli.terminal import json_line, printable
from scorer_app.hand.duplicates import shown_again, shown_twice
from scorer_app.hand.given_photos import GivenPhoto, unused_photos
from scorer_app.hand.intervals import intervals, open_tiles, sides_with_doubtful_melds
from scorer_app.hand.merging import LAYOUTS, add_reading, drop_photo
from scorer_app.hand.missed_canasta import with_canastas
from scorer_app.hand.plainness import as_it_lies
from scorer_app.hand.questions import is_partner_unshown, unshown_racks
from scorer_app.hand.record import End, Place, Record
from scorer_app.hand.record import Tile as TileOfHand
from scorer_app.hand.refused_closing import intervals_if_refused
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.photo_frames import load_frame
from scorer_app.texts.failures import explain_failure
from scorer_app.texts.languages import Language
from scorer_app.texts.notices import explain_photo_notice
from scorer_app.texts.translator import Translate, translator
from vision.errors import ModelError, PhotoError
from vision.reading import Notice

if TYPE_CHECKING:
    from vision.own_set.examples import TileSet
    from vision.pipeline import TableReader

DONE, FAILED, WRONG_USAGE, DOUBTFUL = 0, 1, 2, 3
# With these notices more tiles may lie there than were read, which no interval allows for.
UNSEEN = {
    Notice.NO_TILES,
    Notice.TOO_DARK,
    Notice.TOO_BLURRED,
    Notice.OTHER_PIECES,
}
UNREAD = UNSEEN | {Notice.TOO_SMALL}  # with these a canasta may be missed


@dataclass(frozen=True)
class Noticed:
    """A notice about a photograph, which is given by its path and by what it was to show."""

    photo: str
    notice: Notice
    side: SideName
    place: Place


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    try:
        tile_set = named_set(options)
        rules = _rules(options, tile_set)
        table = TableRules(rules, rules.players, options.pieces)
        reader = open_tables(options, tile_set)
    except ValueError as error:
        complain(f"burako score: {error}")
        return WRONG_USAGE
    except NoSet as error:
        complain(f"burako score: {error}")
        return error.status
    except ModelError as error:
        complain(f"burako score: {explain_failure(error, options.lang)}")
        return FAILED
    record, notices, failed = _read_all(reader, options, table)
    if failed:
        return FAILED
    try:
        sheet = Sheet.of(record, notices, table, options)
    except ValueError as error:  # more tiles were read than any set has
        if options.json:
            print(json_line(failure(str(error))), flush=True)
        complain(f"burako score: {error}")
        say = translator(options.lang, options.pieces)
        for photo, original in _copies(record):
            complain(f"{photo}, {original}: {say('ask.twice')}")
        return FAILED
    print(
        json_line(sheet.to_json()) if options.json else sheet.in_words(),
        flush=True,
    )
    return DOUBTFUL if sheet.open else DONE


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    options = parser("score", "Score a hand from photographs.")
    add_pieces(options)
    _add_photographs(options)
    options.add_argument("--closed-by", choices=SIDES, help="without it the stock ran out")
    _add_muerto(options)
    options.add_argument("--players", type=int, choices=(2, 4), default=4)
    add_table_options(options)
    given = options.parse_args(arguments)
    if not (given.melds_a or given.melds_b or given.rack_a or given.rack_b):
        options.error(
            "expected at least one photograph: --melds-a, --melds-b, --rack-a or --rack-b"
        )
    if not set(given.unplayed) <= set(given.muerto):
        options.error("expected --unplayed for sides that --muerto names")
    return check_pieces(options, given)


def _add_muerto(options: argparse.ArgumentParser) -> None:
    """Add the options that say which sides took the muerto, and which played no tile of it."""
    told = {
        "--muerto": "the sides that took the muerto",
        "--unplayed": "those that played no tile of it; counts with muerto_unplayed_penalty",
    }
    for name, what in told.items():
        options.add_argument(
            name, action="extend", type=_sides, default=[], metavar="A,B", help=what
        )


def _add_photographs(options: argparse.ArgumentParser) -> None:
    """Add the options for the photographs of each side's melds and rack. An option that is given
    again adds photographs to those named before.
    """
    for side in ("a", "b"):
        options.add_argument(
            f"--melds-{side}",
            nargs="+",
            action="extend",
            default=[],
            type=filled,
            metavar="PHOTO",
            help=f"the melds of side {side.upper()}",
        )
        options.add_argument(
            f"--rack-{side}",
            nargs="+",
            action="extend",
            default=[],
            type=filled,
            metavar="PHOTO",
            help=f"what side {side.upper()} has left",
        )


def _sides(text: str) -> tuple[str, ...]:
    sides = tuple(part.strip() for part in text.split(",") if part.strip())
    if not set(sides) <= set(SIDES):
        raise argparse.ArgumentTypeError(f"expected A, B or A,B, got {text!r}")
    return sides


def _rules(options: argparse.Namespace, tile_set: TileSet | None) -> RuleSet:
    """Return the ruleset of the command line with the options given there. Where a `tile_set` is
    given, there are as many copies of each tile as that set has, unless an option says otherwise.
    Raises ValueError for an unknown ruleset, and for an unknown or wrong option.
    """
    rules = rules_of(options)
    told = {"players": options.players, **read_table_options(options.option, rules)}
    if tile_set and "jokers" in told:
        others = {face: count for face, count in tile_set.copies.items() if face != "J"}
        tile_set = replace(tile_set, copies=others)
    return with_options(rules_with_set(rules, tile_set), told)


def _read_all(
    reader: TableReader, options: argparse.Namespace, table: TableRules
) -> tuple[Record, list[Noticed], bool]:
    """Read all photographs that the options name into the record of one hand. `table` holds the
    rules of the table.

    Returns the record, the notices, and whether one of the photographs could not be used.
    """
    record, notices, failed = Record(), list[Noticed](), False
    for side in SIDES:
        for place, layout in LAYOUTS.items():
            for number, photo in enumerate(getattr(options, f"{place}_{side.lower()}")):
                try:
                    reading = reader.read(load_frame(photo), layout, table.rules)
                except PhotoError as error:
                    sentence = explain_failure(error, options.lang)
                    tell_failure(photo, error.reason.value, sentence, as_json=options.json)
                    failed = True
                    continue
                # The same photograph may be named twice: each naming is a photograph of its own.
                name = f"{photo}#{side}{place}{number}"
                record = add_reading(record, name, side, place, reading)
                notices += [Noticed(photo, notice, side, place) for notice in reading.notices]
    end = End.CLOSE if options.closed_by else End.STOCK_EXHAUSTED
    muerto: dict[SideName, bool | None] = {side: side in options.muerto for side in SIDES}
    record = replace(record, muerto=muerto, muerto_unplayed=tuple(sorted(set(options.unplayed))))
    # A rack that was photographed holds what its photographs show, which may be nothing.
    shown = tuple(side for side in SIDES if getattr(options, f"rack_{side.lower()}"))
    record = replace(record, empty_racks=shown)
    return replace(record, end=end, closed_by=options.closed_by), notices, failed


@dataclass(frozen=True)
class Sheet:
    """The score sheet of a hand that was read from photographs."""

    answer: dict[str, Any]  # as `burako judge` answers a hand
    interval: dict[SideName, tuple[int, int]]  # lowest and highest total that a side may have
    doubtful: tuple[dict[str, Any], ...]  # for each doubtful tile, what `--json` prints of it
    aside: tuple[dict[str, Any], ...]  # the same of the tiles that were set aside, and do not count
    notices: tuple[Noticed, ...]
    # The path of each photograph that seems to be a copy of an earlier one, and the path of that.
    copies: tuple[tuple[str, str], ...]
    # The path of each photograph that shows melds, or a large part of a rack, of an earlier one,
    # and the faces of their tiles.
    again: tuple[tuple[str, tuple[str | None, ...]], ...]
    # The sides that did not close and of which no rack was shown, in a hand that counts.
    unshown: tuple[SideName, ...]
    partner: bool  # whether the same holds of the partner of the player who closed
    open: bool  # something doubtful touches the score
    language: Language
    pieces: Pieces

    @classmethod
    def of(
        cls,
        record: Record,
        notices: Sequence[Noticed],
        table: TableRules,
        options: argparse.Namespace,
    ) -> Sheet:
        """Score the hand in `record` by the rules of `table`, and return the sheet. `notices` are
        those of the photographs; of the `options` of the command line, the language and the pieces
        are used. Raises ValueError where a side has more tiles than any set.
        """
        case = hand_case(record, table.players)
        answer = answer_hand(case, table.rules, options.lang, options.pieces)
        # An unread tile counts nothing in the total, which may then lie below every possible
        # reading.
        totals = {side: answer[side]["total"] for side in SIDES if side in answer}
        counted = as_it_lies(record, table)
        if totals:
            unseen = sides_with_doubtful_melds(counted) | _with_melds_noted(notices, UNREAD)
            # Nobody knows what melds a side has that were photographed in other pieces.
            unknown = with_canastas(counted, _with_melds_noted(notices, {Notice.OTHER_PIECES}))
            spans = {
                side: (min(low, totals[side]), max(high, totals[side]))
                for side, (low, high) in intervals(unknown, table, unseen).items()
            }
        else:
            spans = intervals_if_refused(counted, table)
        doubts = tuple(
            {
                **_found(tile, options.pieces),
                "alternatives": [list(pair) for pair in tile.alternatives],
            }
            for tile in open_tiles(record)
        )
        copies = _copies(record)
        again = _shown_again(record)
        unread = any(doubt["read"] is None for doubt in doubts) or any(
            one.notice in UNSEEN for one in notices
        )
        # A hand whose closing is refused has no totals: a person has to look.
        is_open = bool(unread or copies or again or not totals or _adds_nothing(record)) or any(
            low != high for low, high in spans.values()
        )
        aside = tuple(_found(tile, options.pieces) for tile in _set_aside(record))
        counts = bool(totals) and not answer.get("no_score")
        unshown = tuple(unshown_racks(record)) if counts else ()
        partner = counts and is_partner_unshown(record, table)
        told = (answer, spans, doubts, aside, tuple(notices), copies, again, unshown, partner)
        return cls(*told, is_open, options.lang, options.pieces)

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` prints: the keys of the hand's answer as `burako judge` gives them,
        and what the photographs add.
        """
        spans = {side: list(span) for side, span in self.interval.items()}
        notices = [{"photo": one.photo, "notice": one.notice} for one in self.notices]
        return {
            **self.answer,
            "interval": spans,
            "doubtful": list(self.doubtful),
            "set_aside": list(self.aside),
            "photo_notices": notices,
            "copies": [{"photo": one, "duplicate_of": other} for one, other in self.copies],
            "again": [{"photo": photo, "tiles": list(tiles)} for photo, tiles in self.again],
            "unshown_racks": list(self.unshown),
            "partner_unshown": self.partner,
        }

    def in_words(self) -> str:
        """Return the sheet as text for people: the lines of both sides, the notices of the hand
        and of the photographs, the photographs that seem to be given twice, the tiles set aside,
        the racks that were not shown, and the doubtful tiles.
        """
        say = translator(self.language, self.pieces)
        remarks = [str(notice["message"]) for notice in self.answer["notice_details"]]
        for one in self.notices:
            remarks.append(f"{printable(one.photo)}: {explain_photo_notice(one.notice, say)}")
        for copy, original in self.copies:
            remarks.append(f"{printable(copy)}, {printable(original)}: {say('ask.twice')}")
        for photo, tiles in self.again:
            remarks.append(f"{printable(photo)}: {say('ask.again', count=len(tiles))}")
        for photo in dict.fromkeys(tile["photo"] for tile in self.aside):
            faces = [_name(tile) for tile in self.aside if tile["photo"] == photo]
            remarks.append(f"{printable(photo)}: {say('note.pozo')} {' '.join(faces)}")
        remarks += [say("note.rack", side=side) for side in self.unshown]
        if self.partner:
            remarks.append(say("note.partner"))
        doubtful = say("score.doubtful")
        for doubt in self.doubtful:
            found = f"{_name(doubt)} @ {doubt['tile']}"
            remarks.append(f"{printable(doubt['photo'])}: {doubtful} {found}")
        if not any(side in self.answer for side in SIDES):
            score = self._without_lines(say, say("score.refused"))
        elif self.answer.get("no_score"):
            score = self._without_lines(say)
        else:
            score = self._score(say)
        return "\n".join([*score, *remarks])

    def _without_lines(self, say: Translate, *sentences: str) -> Iterator[str]:
        """Yield what is said of a hand that is void, or whose closing the rules refuse, in place of
        an itemised score: why it has none, further `sentences`, and the total of each side, or the
        lowest and highest that it may be.
        """
        yield str(self.answer["message"])
        yield from sentences
        for side in SIDES:
            low, high = self.interval[side]
            span = low if low == high else say("score.between", low=low, high=high)
            yield f"{side}: {span}"

    def _score(self, say: Translate) -> Iterator[str]:
        for side in SIDES:
            score = self.answer[side]
            yield side
            for line in score["lines"]:
                kind, canasta = line["kind"], line["canasta"]
                title = say(f"canasta.{canasta}" if canasta else f"score.{kind}")
                tiles = piece_names(map(Tile.parse, line["tiles"]), self.pieces)
                yield f"  {title:<24}{line['points']:>7}  {tiles}"
            base = f"{say('score.base')} {score['base']}"
            puntos = f"{say('score.puntos')} {score['puntos']}"
            low, high = self.interval[side]
            span = f"  ({say('score.between', low=low, high=high)})" if low != high else ""
            yield f"  {say('score.total'):<24}{score['total']:>7}  {base}, {puntos}{span}"


def _with_melds_noted(notices: Sequence[Noticed], sought: set[Notice]) -> set[SideName]:
    """Return the sides with a photograph of their melds that has one of the notices `sought`."""
    return {one.side for one in notices if one.place is Place.MELDS and one.notice in sought}


def _path_of(name: str) -> str:
    """Return the path of a photograph, from the name that it has in the record: what stands before
    the last `#`.
    """
    return name.rpartition("#")[0]


def _copies(record: Record) -> tuple[tuple[str, str], ...]:
    """List the photographs that seem to be copies of earlier ones: the path of each, and the path
    of that earlier one.
    """
    found = shown_twice(record).items()
    return tuple((_path_of(photo), _path_of(original)) for photo, original in found)


def _shown_again(record: Record) -> tuple[tuple[str, tuple[str | None, ...]], ...]:
    """List the photographs that show melds, or a large part of a rack, of an earlier one: the path
    of each, and the faces of the tiles that the record holds twice for that reason. Copies of whole
    photographs are left out.
    """
    once = reduce(drop_photo, shown_twice(record), record)
    return tuple(
        (_path_of(photo), tuple(record.tiles[name].face for name in tiles))
        for photo, tiles in shown_again(once).items()
    )


def _set_aside(record: Record) -> list[TileOfHand]:
    """List the tiles that lie beside the melds of a photograph, and so count for nobody."""
    rows = [row for side in SIDES for row in record.in_place(side, Place.POZO)]
    return [record.tiles[name] for row in rows for name in row.tiles]


def _adds_nothing(record: Record) -> bool:
    """Tell whether nothing of a photograph counts, because all its tiles were set aside."""
    given = [
        GivenPhoto(str(record.tiles[name].photo), side, Place.MELDS)
        for side in SIDES
        for row in record.in_place(side, Place.POZO)
        for name in row.tiles
    ]
    return bool(unused_photos(record, given))


def _found(tile: TileOfHand, pieces: Pieces) -> dict[str, Any]:
    """Return what `--json` prints of a tile: its photograph, its middle in pixels of that, and its
    face; of a card also the card's name. Face and name are None where the tile was not read.
    """
    face = tile.face
    found = {
        "photo": _path_of(str(tile.photo)),
        "tile": [round(sum(axis) / 4, 1) for axis in zip(*tile.corners or (), strict=True)],
        "read": face,
    }
    if pieces is not Pieces.CARDS:
        return found
    return {**found, "card": None if face is None else card_name(Tile.parse(face))}


def _name(found: dict[str, Any]) -> str:
    """Return the name by which people know the tile or card of `_found`; `?` where it is unread."""
    return found.get("card", found["read"]) or "?"


def hand_case(record: Record, players: int) -> dict[str, Any]:
    """Return a record as the input of a `hand` case of `burako judge`. `players` is the number of
    the match's players, 2 or 4.

    Unread tiles are left out, and so is what lies in the pozo.
    """
    teams = {}
    for side in SIDES:
        melds = [
            [face for face in record.faces(row) if face]
            for row in record.in_place(side, Place.MELDS)
        ]
        rack = [
            face for row in record.in_place(side, Place.RACK) for face in record.faces(row) if face
        ]
        # With four players one rack stands for both of a side: the partner of the one who closed
        # has what is left.
        hands = [[], rack] if players == 4 else [rack]
        teams[side] = {
            "melds": [meld for meld in melds if meld],
            "hands": hands,
            "muerto_taken": record.muerto[side],
            "muerto_played": side not in record.muerto_unplayed,
        }
    return {
        "players": players,
        "end": record.end,
        "closed_by": record.closed_by,
        "teams": teams,
        "accept_illegal": True,
    }
