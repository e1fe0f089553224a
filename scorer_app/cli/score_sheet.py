"""What `burako score` prints of a hand that was read from photographs: the score of both sides, all
doubts, and how far they could change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import reduce
from typing import Any

from engine.pieces import Pieces, card_name, piece_names
from engine.reasons import Reason
from engine.sides import SIDES, SideName
from engine.tiles import Tile
from scorer_app.cli.judge_answers import answer_hand
from scorer_app.cli.terminal import printable
from scorer_app.hand.duplicates import shown_again, shown_twice
from scorer_app.hand.given_photos import GivenPhoto, unused_photos
from scorer_app.hand.intervals import (
    Span,
    intervals,
    open_tiles,
    sides_with_doubtful_melds,
)
from scorer_app.hand.merging import drop_photo
from scorer_app.hand.missed_rows import with_canastas, with_racks
from scorer_app.hand.plainness import as_it_lies
from scorer_app.hand.questions import is_partner_unshown, unshown_racks
from scorer_app.hand.record import Place, Record
from scorer_app.hand.record import Tile as TileOfHand
from scorer_app.hand.refused_closing import intervals_if_refused
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.languages import Language
from scorer_app.texts.notices import explain_photo_notice
from scorer_app.texts.translator import Translate, translator
from vision.reading import Notice

# With these notices nobody knows what else lies there: any canasta may have been missed.
UNSEEN = frozenset(
    {
        Notice.NO_TILES,
        Notice.TOO_DARK,
        Notice.TOO_BRIGHT,
        Notice.TOO_BLURRED,
        Notice.OTHER_PIECES,
    }
)
# With these nothing was found at all.
NOTHING_FOUND = frozenset({Notice.NO_TILES, Notice.OTHER_PIECES})


@dataclass(frozen=True)
class Noticed:
    """A notice about a photograph, which is given by its path and by what it was to show."""

    photo: str
    notice: Notice
    side: SideName
    place: Place


@dataclass(frozen=True)
class Sheet:
    """The score sheet of a hand that was read from photographs."""

    answer: dict[str, Any]  # as `burako judge` answers a hand
    interval: dict[SideName, Span]  # lowest and highest total that a side may have
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
    closed_by: SideName | None
    partner: bool  # whether the same holds of the partner of the player who closed
    adds_nothing: bool  # whether all tiles of a photograph of melds were set aside
    language: Language
    pieces: Pieces

    @classmethod
    def of(
        cls,
        record: Record,
        notices: Sequence[Noticed],
        table: TableRules,
        language: Language,
    ) -> Sheet:
        """Score the hand in `record` by the rules of `table`, and return the sheet. `notices` are
        those of the photographs. Sentences are in `language`, in the words for the pieces of
        `table`. Raises ValueError where a side has more tiles than any set.
        """
        case = hand_case(record, table.players)
        answer = answer_hand(case, table.rules, language, table.pieces)
        counts = _has_totals(answer) and not answer.get("no_score")
        return cls(
            answer=answer,
            interval=_spans(answer, record, notices, table),
            doubtful=tuple(
                {
                    **_found(tile, table.pieces),
                    "alternatives": [list(pair) for pair in tile.alternatives],
                }
                for tile in open_tiles(record, table)
            ),
            aside=tuple(_found(tile, table.pieces) for tile in _set_aside(record)),
            notices=tuple(notices),
            copies=copies_in(record),
            again=_shown_again(record),
            unshown=tuple(unshown_racks(record)) if counts else (),
            partner=counts and is_partner_unshown(record, table),
            closed_by=record.closed_by,
            adds_nothing=_adds_nothing(record),
            language=language,
            pieces=table.pieces,
        )

    @property
    def open(self) -> bool:
        """Whether something doubtful touches the score. A hand whose closing is refused has no
        totals: a person has to look.
        """
        unread = any(doubt["read"] is None for doubt in self.doubtful)
        unseen = any(one.notice in UNSEEN for one in self.notices)
        refused = not _has_totals(self.answer)
        if unread or unseen or refused or self.copies or self.again or self.adds_nothing:
            return True
        return any(low < high for low, high in self.interval.values())

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
        if not _has_totals(self.answer):
            score = self._without_lines(say, self._advice(say))
        elif self.answer.get("no_score"):
            score = self._without_lines(say)
        else:
            score = self._score(say)
        return "\n".join([*score, *remarks])

    def _advice(self, say: Translate) -> str:
        """Return a sentence that says what to do where the rules refuse the closing. No
        photograph shows who took the muerto, only the command line tells: where the closing lacks
        it, no tile needs to be looked at.
        """
        if self.answer["reason"] == Reason.MUERTO_NOT_TAKEN:
            return say("score.refused_muerto", side=self.closed_by)
        return say("score.refused")

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


def _has_totals(answer: Mapping[str, Any]) -> bool:
    """Tell whether the engine's answer for a hand has totals: where the rules refuse the closing,
    it has none.
    """
    return any(side in answer for side in SIDES)


def _spans(
    answer: dict[str, Any], record: Record, notices: Sequence[Noticed], table: TableRules
) -> dict[SideName, Span]:
    """Map each side to the lowest and the highest total that it may have. `answer` is what the
    engine answers for the hand in `record`, and `notices` are those of the photographs.
    """
    counted = as_it_lies(record, table)
    small = _with_notice(notices, Place.MELDS, {Notice.TOO_SMALL})
    unseen = sides_with_doubtful_melds(counted, table) | small
    unknown = with_canastas(counted, sorted(_with_notice(notices, Place.MELDS, UNSEEN)))
    unknown = with_racks(unknown, sorted(_with_notice(notices, Place.RACK, NOTHING_FOUND)))
    if not _has_totals(answer):
        return intervals_if_refused(unknown, table)
    # An unread tile counts nothing in the total, which may then lie below every possible reading.
    return {
        side: (min(low, answer[side]["total"]), max(high, answer[side]["total"]))
        for side, (low, high) in intervals(unknown, table, unseen).items()
    }


def _with_notice(notices: Sequence[Noticed], place: Place, sought: Set[Notice]) -> set[SideName]:
    """Return the sides with a photograph of their melds, or of their rack, that has one of the
    notices `sought`.
    """
    return {one.side for one in notices if one.place is place and one.notice in sought}


def _path_of(name: str) -> str:
    """Return the path of a photograph, from the name that it has in the record: what stands before
    the last `#`.
    """
    return name.rpartition("#")[0]


def copies_in(record: Record) -> tuple[tuple[str, str], ...]:
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
