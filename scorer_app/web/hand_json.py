"""What a screen shows of a hand, as JSON: the record, each row's verdict, the itemised score, what
is still open.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.melds import Meld
from scorer_app.hand.duplicates import repeats
from scorer_app.hand.questions import Ask, Question, intervals, questions
from scorer_app.hand.record import SIDES, Place, Record, Row, Side
from scorer_app.hand.saving import may_save
from scorer_app.hand.score import HandScore, Line, muerto_taken, score_hand
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.hands import WAITING, find_hand, glance_at, stored_record
from scorer_app.services.memo import Memo
from scorer_app.services.reading_queue import MENDABLE, ReadingQueue, Stage
from scorer_app.store import Hand, Match, PhotoState, Store
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import Translate
from scorer_app.web.advice import explain_read, split_at

Json = dict[str, Any]


@dataclass(frozen=True)
class Remembered:
    """What costs time to work out: all that follows from the record."""

    view: Json
    text: str  # the view as JSON
    ready: bool  # but for photographs still to be read


_text = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
_views: Memo[Remembered] = Memo(most=64)  # each a few tens of kilobytes


class HandView:
    """Builds the JSON of one hand in one language."""

    def __init__(
        self,
        store: Store,
        queue: ReadingQueue,
        reading_limit: float,
        translate: Translate,
        language: Language,
    ):
        self.store, self.queue, self.reading_limit = store, queue, reading_limit
        self.say, self.language = translate, language

    def of(self, hand_id: str) -> Json:
        known, moving = self._known(hand_id)
        return known.view | moving

    def text(self, hand_id: str) -> str:
        """The same as JSON."""
        return self.with_text(hand_id)[1]

    def with_text(self, hand_id: str) -> tuple[Json, str]:
        """Both. After an edit every device asks for it at once: only what moves is written out
        anew.
        """
        known, moving = self._known(hand_id)
        return known.view | moving, f"{known.text[:-1]},{_text(moving)[1:]}"

    def _known(self, hand_id: str) -> tuple[Remembered, Json]:
        """What is remembered of the hand, and what changes without it: its photographs, and so
        whether it may be saved.
        """
        versions, photos = glance_at(self.store, hand_id)
        known = _views.get((*versions, self.language), lambda: self._worked_out(hand_id))
        waiting = any(photo.state in WAITING for photo in photos)
        return known, {
            "photos": [self._photo(photo) for photo in photos],
            "ready": known.ready and not waiting,
        }

    def _worked_out(self, hand_id: str) -> Remembered:
        with self.store.reading() as session:
            view = self._judged(find_hand(session, hand_id))
        ready = bool(view.pop("ready"))
        return Remembered(view, _text(view), ready)

    def _judged(self, hand: Hand) -> Json:
        """All that follows from the record and the rules alone: the same until one of them
        changes.
        """
        match = hand.match
        record = stored_record(hand)
        rules = TableRules.of(match.ruleset, match.options, match.players)
        score, asked = score_hand(record, rules), questions(record, rules)
        names: dict[Side, str] = {"A": match.side_a, "B": match.side_b}
        spans = intervals(record, rules)
        return {
            "id": hand.id,
            "match": match.id,
            "version": hand.version,
            "state": hand.state,
            "position": hand.position,
            "tiles": {tile.id: _tile(record, tile.id) for tile in record.tiles.values()},
            "removed": [
                {"read": tile.read, "photo": tile.photo} for tile in record.removed if tile.read
            ],
            "repeats": repeats(record),
            "rows": [self._row(record, row, rules) for row in record.rows],
            "closing": self._closing(record, match),
            "score": {
                side: self._side(score, side, spans[side], names[side], record, rules)
                for side in SIDES
            },
            "provisional": score.provisional,
            "notes": self._notes(record, score, rules),
            "questions": [self._question(record, question, rules, names) for question in asked],
            "ready": may_save(record, asked),
        }

    # --- parts ---

    def _row(self, record: Record, row: Row, rules: TableRules) -> Json:
        entry: Json = {
            "id": row.id,
            "side": row.side,
            "place": row.place,
            "tiles": row.tiles,
            "accepted": row.accepted,
        }
        if row.place is not Place.MELDS:
            return entry | {"verdict": None, "points": rules.points(record.faces(row))}
        return entry | {"verdict": self._verdict(record, row, rules)}

    def _verdict(self, record: Record, row: Row, rules: TableRules) -> Json:
        meld = rules.judge(record.faces(row), row.ordered)
        if meld is None:
            return {"valid": None, "text": self.say("meld.unread")}
        verdict = {
            "valid": meld.valid,
            "kind": meld.kind,
            "canasta": meld.canasta_class,
            "points": meld.points,
            "reason": meld.reason,
            "arranged": [str(tile) for tile in meld.arrangement.tiles]
            if meld.arrangement
            else None,
            "split": split_at([str(tile) for tile in meld.tiles], row.ordered, rules)
            if meld.reason
            else None,
        }
        return verdict | {
            "text": self._in_words(record, row, meld, rules),
            "notices": rules.notices(meld, self.language),
        }

    def _in_words(self, record: Record, row: Row, meld: Meld, rules: TableRules) -> str:
        if meld.reason:
            if any(record.tiles[name].photo for name in row.tiles):
                return explain_read(meld, row.ordered, rules, self.language, self.say)
            return rules.sentence(meld, row.ordered, self.language)
        kind = self.say(f"meld.{meld.kind}")
        return (
            f"{kind} · {self.say(f'canasta.{meld.canasta_class}')}" if meld.canasta_class else kind
        )

    def _photo(self, photo: Any) -> Json:
        waiting = photo.state in WAITING
        # One said to be read that no job knows, as its job ended this moment or with a crash, may
        # never have been opened.
        unknown = Stage.OPENING if photo.state == PhotoState.READING else photo.state
        stage, seconds = self.queue.stage(photo.id) or (unknown, 0.0)
        slow = waiting and seconds > self.reading_limit
        problem = "slow" if slow else photo.problem if photo.state == PhotoState.FAILED else None
        return {
            "id": photo.id,
            "side": photo.side,
            "place": photo.place,
            "state": "failed" if slow else photo.state,
            "width": photo.width,
            "height": photo.height,
            "url": None
            if photo.erased or (waiting and stage != Stage.READING)
            else f"/photos/{photo.id}.jpg",
            "text": self.say(
                "photo.gone"
                if photo.erased
                else f"photo.problem.{problem}"
                if problem
                else f"photo.stage.{stage}"
            ),
            "can_retry": problem in MENDABLE and not photo.erased,
            "notices": [self.say(f"photo.notice.{notice}") for notice in photo.notices or ()],
            "seconds": photo.seconds,
        }

    def _closing(self, record: Record, match: Match) -> Json:
        return {
            "end": record.end,
            "closed_by": record.closed_by,
            "muerto": {side: muerto_taken(record, side) for side in SIDES},
            "answered": {side: record.muerto[side] is not None for side in SIDES},
            "unplayed": record.muerto_unplayed,
            "players": match.players,
        }

    def _side(
        self,
        score: HandScore,
        side: Side,
        span: tuple[int, int],
        name: str,
        record: Record,
        rules: TableRules,
    ) -> Json:
        return {
            "name": name,
            "lines": [self._line(line, record, rules) for line in score.lines if line.side == side],
            "base": score.part(side, "base"),
            "puntos": score.part(side, "puntos"),
            "total": score.total(side),
            "interval": span,
        }

    def _line(self, line: Line, record: Record, rules: TableRules) -> Json:
        label = self._label(line, record, rules)
        return {
            "kind": line.kind,
            "label": label,
            "points": line.points,
            "part": line.part,
            "tiles": line.tiles,
            "id": line.id,
        }

    def _label(self, line: Line, record: Record, rules: TableRules) -> str:
        if line.kind == "meld" and line.tiles:
            row = record.row_of(line.tiles[0])
            return self._short_name(rules.judge(record.faces(row), row.ordered))
        if line.kind == "adjustment":
            return line.detail or ""
        if line.kind == "canasta":
            return self.say("line.canasta", kind=self.say(f"canasta.{line.detail}"))
        return self.say(f"line.{line.kind}")

    def _short_name(self, meld: Meld | None) -> str:
        """Enough to tell one meld from another on the sheet: what it is and which numbers."""
        if meld is None or meld.arrangement is None:
            return self.say("line.meld")
        first, last = (
            (place - 1) % 13 + 1
            for place in (meld.arrangement.places[0], meld.arrangement.places[-1])
        )
        numbers = str(first) if meld.kind == "pierna" else f"{first}–{last}"
        return f"{self.say(f'meld.{meld.kind}')} {numbers}"

    def _notes(self, record: Record, score: HandScore, rules: TableRules) -> list[str]:
        notes = []
        if score.no_score:
            notes.append(self.say("note.no_score"))
        if any(row.accepted for row in record.rows if not _legal(record, row, rules)):
            notes.append(self.say("note.accepted"))
        if any(row.place is Place.POZO for row in record.rows):
            notes.append(self.say("note.pozo"))
        return notes

    def _question(
        self, record: Record, question: Question, rules: TableRules, names: dict[Side, str]
    ) -> Json:
        return {
            "ask": question.ask,
            "effect": question.effect,
            "needed": question.needed,
            "subject": question.subject,
            "tiles": question.tiles,
            "duplicate_of": question.duplicate_of,
            "text": self._question_text(record, question, rules, names),
        }

    def _question_text(
        self, record: Record, question: Question, rules: TableRules, names: dict[Side, str]
    ) -> str:
        subject = question.subject or ""
        if question.ask is Ask.TILE:
            tile = record.tiles[subject]
            if tile.face is None:
                return self.say("ask.unread")
            return self.say(
                "ask.perhaps_none" if tile.perhaps_none else "ask.doubtful",
                tile=self.face(tile.face),
            )
        if question.ask is Ask.ROW:
            row = record.row(subject)
            meld = rules.judge(record.faces(row), row.ordered)
            return self._in_words(record, row, meld, rules) if meld else ""
        if question.ask is Ask.COPIES:
            return self.say("ask.copies", tile=self.face(subject), count=len(question.tiles))
        if question.ask is Ask.TWICE:
            return self.say("ask.twice")
        if question.ask is Ask.TAPPED:
            return self.say("ask.tapped", count=len(question.tiles))
        if question.ask is Ask.MUERTO:
            return self.say("ask.muerto", side=names["A" if subject == "A" else "B"])
        if question.ask is Ask.CLOSING:
            return f"{self._closing_text(record, subject, rules)} {self.say('ask.end')}"
        return self.say("ask.end")

    def _closing_text(self, record: Record, reason: str, rules: TableRules) -> str:
        racks = record.in_place(record.closed_by, Place.RACK) if record.closed_by else ()
        return rules.closing(
            reason, [face for row in racks for face in record.faces(row)], self.language
        )

    def face(self, face: str) -> str:
        """A tile in words, for people and screen readers."""
        if face == "J":
            return self.say("tile.J")
        return self.say("tile.name", number=face[:-1], colour=self.say(f"colour.{face[-1]}"))


def _tile(record: Record, tile_id: str) -> Json:
    tile = record.tiles[tile_id]
    return {
        "face": tile.face,
        "photo": tile.photo,
        "corners": tile.corners,
        "read": tile.read,
        "doubtful": tile.doubtful or tile.face is None,
        "perhaps_none": tile.perhaps_none and not tile.confirmed,
        "settled": tile.confirmed,
        "likely": list(
            dict.fromkeys([*([tile.read] if tile.read else []), *(f for f, _ in tile.alternatives)])
        )[:3],
    }


def _legal(record: Record, row: Row, rules: TableRules) -> bool:
    meld = rules.judge(record.faces(row), row.ordered) if row.place is Place.MELDS else None
    return meld is None or meld.valid
