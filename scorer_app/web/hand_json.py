"""The JSON of a hand for the screen: its record, the verdict on each row, the itemised score and
the open questions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from engine.pieces import Pieces
from engine.sides import SIDES, SideName
from scorer_app.hand.duplicates import repeats
from scorer_app.hand.intervals import intervals, sides_with_doubtful_melds
from scorer_app.hand.plainness import is_illegal
from scorer_app.hand.questions import (
    Question,
    about_partner,
    about_photos,
    is_partner_unshown,
    melds_of,
    questions,
)
from scorer_app.hand.record import Place, Record, Row, UnreadableRecord
from scorer_app.hand.repairs import Repair, repairs
from scorer_app.hand.saving import may_save
from scorer_app.hand.score import HandScore, Line, muerto_taken, score_hand
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.hand_log import last_step
from scorer_app.services.hand_rows import (
    WAITING,
    find_hand,
    given_photos,
    glance_at,
    number_waiting,
    rules_of,
    stored_record,
)
from scorer_app.services.memo import Memo
from scorer_app.services.reading_queue import MENDABLE, MOST_BEFORE, Stage, Stages
from scorer_app.store import Hand, HandState, Match, PhotoState, Store
from scorer_app.texts.languages import Language
from scorer_app.texts.standing import shown_name
from scorer_app.texts.translator import Translate
from scorer_app.web.advice import repair_text
from scorer_app.web.hand_words import HandWords
from scorer_app.web.step_names import step_name
from vision.kinds import KINDS
from vision.reading import Notice

Json = dict[str, Any]

# Notices that advise to take a photograph again.
TAKE_AGAIN = (Notice.TOO_DARK, Notice.TOO_BRIGHT, Notice.TOO_BLURRED, Notice.TOO_SMALL)
# Probability from which the face that was read is beyond doubt, if a tile or card lies there.
SURE_FACE = max(kind.doubts.unsure for kind in KINDS.values())


@dataclass(frozen=True)
class Remembered:
    """The part of a hand's JSON that depends on its record and its match, but not on its
    photographs: as data (`view`) and as text. Computing it takes time, so it is remembered.
    """

    view: Json
    text: str  # the view as JSON
    record: Record
    asked: list[Question]  # the questions that the record raises
    questions: list[Json]  # the same questions as JSON
    ready: bool  # whether the hand may be saved, apart from its photographs


_text = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
_views: Memo[Remembered] = Memo(most=64)  # each a few tens of kilobytes


class HandView:
    """Makes the JSON of hands, in one language and in the words of tiles or of cards. A reading
    that takes longer than `reading_limit`, in seconds, is called slow.
    """

    def __init__(
        self,
        store: Store,
        queue: Stages,
        reading_limit: float,
        translate: Translate,
        language: Language,
        pieces: Pieces,
    ):
        self.store, self.queue, self.reading_limit = store, queue, reading_limit
        self.say, self.language = translate, language
        self.words = HandWords(translate, language, pieces)

    def of(self, hand_id: str) -> Json:
        """Return the JSON data of a hand. Raises NotFound and UnreadableRecord."""
        known, moving = self._known(hand_id)
        return known.view | moving

    def text(self, hand_id: str) -> str:
        """Return the JSON of a hand as text. Raises NotFound and UnreadableRecord."""
        return self.with_text(hand_id)[1]

    def with_text(self, hand_id: str) -> tuple[Json, str]:
        """Return the JSON of a hand both as data and as text.

        After an edit every device asks for the hand at once, so only the part about photographs is
        encoded anew each time.
        """
        known, moving = self._known(hand_id)
        return known.view | moving, f"{known.text[:-1]},{_text(moving)[1:]}"

    def _known(self, hand_id: str) -> tuple[Remembered, Json]:
        """Return the JSON of a hand in two parts. The first depends on the record and the match; it
        is remembered, and worked out anew once one of them has changed. The second depends on the
        photographs too, and is made at each call. Raises NotFound and UnreadableRecord.
        """
        versions, photos = glance_at(self.store, hand_id)
        known = _views.get((*versions, self.language), lambda: self._worked_out(hand_id))
        waiting = any(photo.state in WAITING for photo in photos)
        given = {photo.id: photo for photo in given_photos(photos)}
        about = about_photos(known.record, given.values(), known.asked)
        names = {side: known.view["score"][side]["name"] for side in SIDES}
        return known, {
            "photos": self._photos(photos, known.record),
            "questions": [
                *(
                    _question_json(
                        one, self.words.photo_question(one, given[one.subject or ""], names)
                    )
                    for one in about
                ),
                *known.questions,
            ],
            "ready": known.ready and not waiting and not any(one.needed for one in about),
        }

    def _worked_out(self, hand_id: str) -> Remembered:
        with self.store.reading() as session:
            hand = find_hand(session, hand_id)
            match, record = hand.match, stored_record(hand)
            rules = rules_of(match)
            names = self._side_names(match)
            view = self._judged(hand, record, rules, names) | {"undo": self._undo(session, hand)}
        asked = questions(record, rules)
        as_json = [self._question(record, question, rules, names) for question in asked]
        partner = about_partner(record, rules, asked)
        if partner and (view["corrected"] or view["state"] == HandState.DRAFT):
            view["partner"] = self._question(record, partner, rules, names)
        return Remembered(view, _text(view), record, asked, as_json, may_save(record, asked))

    def _judged(
        self, hand: Hand, record: Record, rules: TableRules, names: dict[SideName, str]
    ) -> Json:
        """Make the part of the JSON that depends on the record and the match's rules. `names` are
        those of the sides.
        """
        match, score = hand.match, score_hand(record, rules)
        spans = intervals(record, rules, sides_with_doubtful_melds(record, rules))
        return {
            "id": hand.id,
            "match": match.id,
            "pieces": match.pieces,
            "version": hand.version,
            "state": hand.state,
            "saved": hand.saved.isoformat() if hand.saved else None,
            "corrected": hand.record is not None and hand.draft is not None,
            "discarded": hand.record is None and hand.state == HandState.EXCLUDED,
            "counts": _counts(hand, score, rules),
            "position": hand.position,
            "tiles": {tile.id: _tile(record, tile.id) for tile in record.tiles.values()},
            "removed": [
                {"read": tile.read, "photo": tile.photo} for tile in record.removed if tile.read
            ],
            "repeats": repeats(record),
            "rows": [self._row(record, row, rules) for row in record.rows],
            "closing": self._closing(record, rules),
            "score": {
                side: self._side(score, side, spans[side], names[side], record, rules)
                for side in SIDES
            },
            "provisional": score.provisional,
            "notes": self._notes(record, score, rules),
        }

    def _undo(self, session: Session, hand: Hand) -> Json | None:
        """Return the `key` of the edit that undo would take back, and its name in words, `text`;
        None where there is no such edit.
        """
        step, match = last_step(session, hand.id), hand.match
        if step is None:
            return None

        def face_before(tile: str) -> str | None:
            """Return the face that a tile had before the edit that undo would take back; None where
            the tile was unread then or did not exist. The record from before the edit is read only
            in these functions, because that record is long and the names of few edits need it.
            """
            tiles = (step.before or {}).get("tiles") or {}
            face: str | None = tiles.get(tile, {}).get("face")
            return face

        def place_before(name: str) -> str | None:
            """Return the place in which a row lay before that edit; None where it did not exist."""
            rows = (step.before or {}).get("rows") or []
            return next((row.get("place") for row in rows if row.get("id") == name), None)

        sides = {str(side): name for side, name in self._side_names(match).items()}
        lookups = face_before, place_before
        text = step_name(step.operation, *lookups, sides, self.words.face, self.say)
        return {"key": step.key, "text": text}

    def _side_names(self, match: Match) -> dict[SideName, str]:
        return {
            "A": shown_name(match.side_a, self.say),
            "B": shown_name(match.side_b, self.say),
        }

    # --- parts ---

    def _row(self, record: Record, row: Row, rules: TableRules) -> Json:
        entry: Json = {
            "id": row.id,
            "side": row.side,
            "place": row.place,
            "tiles": row.tiles,
            "accepted": row.accepted,
        } | ({"by": row.by} if row.by else {})
        if row.place is not Place.MELDS:
            points = rules.points(record.faces(row))
            return entry | {"verdict": None, "points": points, "repairs": []}
        found = repairs(record, row, rules)
        return entry | {
            "verdict": self._verdict(record, row, rules),
            "repairs": [self._repair(record, row, repair) for repair in found],
        }

    def _repair(self, record: Record, row: Row, repair: Repair) -> Json:
        return {
            "kind": repair.kind,
            "tile": repair.tile,
            "edit": repair.edit.to_json(),
            "text": repair_text(repair, record, row, self.say, self.words.pieces),
        }

    def _verdict(self, record: Record, row: Row, rules: TableRules) -> Json:
        faces = record.faces(row)
        meld = rules.judge(faces, row.ordered)
        if meld is None:
            text = self.say("meld.unread", count=faces.count(None))
            return {"valid": None, "text": text}
        arranged = list(map(str, meld.arrangement.tiles)) if meld.arrangement else None
        return {
            "valid": meld.valid,
            "kind": meld.kind,
            "canasta": meld.canasta_class,
            "points": meld.points,
            "reason": meld.reason,
            "arranged": arranged,
            "text": self.words.verdict(record, row, meld, rules),
            "notices": rules.notices(meld, self.language),
        }

    def _photos(self, photos: Iterable[Any], record: Record) -> list[Json]:
        """Return the JSON of a hand's photographs. That the tiles are not of the chosen set is a
        matter of the match, so only the first photograph on which it was noticed says it. Nobody is
        advised to take one again that is good enough, as the players say.
        """
        found, is_told = [], False
        for photo in photos:
            notices = _notices_of(photo)
            if is_told:
                notices = [notice for notice in notices if notice != Notice.OTHER_SET]
            is_told = is_told or Notice.OTHER_SET in notices
            if photo.id in record.kept_blurred:
                notices = [notice for notice in notices if notice not in TAKE_AGAIN]
            found.append(self._photo(photo, notices))
        return found

    def _photo(self, photo: Any, notices: list[Any]) -> Json:
        stage, seconds = self._stage_of(photo)
        waiting = photo.state in WAITING
        problem = "slow" if waiting and seconds > self.reading_limit else _problem_of(photo)
        opened = not waiting or stage == Stage.READING
        if photo.erased:
            text = self.say("photo.gone")
        elif problem:
            text = self.say(f"photo.problem.{problem}")
        else:
            text = self._told_stage(photo.id, stage, waiting)
        return {
            "id": photo.id,
            "side": photo.side,
            "place": photo.place,
            "state": PhotoState.FAILED if problem else photo.state,
            "width": photo.width,
            "height": photo.height,
            "url": f"/photos/{photo.id}.jpg" if opened and not photo.erased else None,
            "text": text,
            "can_retry": problem in MENDABLE and not photo.erased,
            "of_table": photo.handed_over,
            "can_move": photo.state == PhotoState.READ and not (photo.erased or photo.handed_over),
            "notices": [self.say(f"photo.notice.{notice}") for notice in notices],
            "seconds": photo.seconds if isinstance(photo.seconds, int | float) else None,
        }

    def _told_stage(self, photo_id: str, stage: str, waiting: bool) -> str:
        """Return the sentence about the stage of a photograph's reading: of one that waits its turn
        how many are read before it. Pages with photographs that wait ask every two seconds anyway,
        so nobody is notified when that number changes.
        """
        is_queued = waiting and stage == Stage.QUEUED
        before = number_waiting(self.store, self.queue.before(photo_id)) if is_queued else 0
        if not before:
            return self.say(f"photo.stage.{stage}")
        most = MOST_BEFORE - 1
        return self.say("photo.others_first", count=before if before <= most else f"{most}+")

    def _stage_of(self, photo: Any) -> tuple[str, float]:
        """Return the stage of a photograph's reading, and the seconds since the reading began.
        Where no reading is queued or under way, return the photograph's state and 0.
        """
        # A photograph that is being read may have no job: the job has just ended, or ended in a
        # crash, and may not have opened it.
        unknown = Stage.OPENING if photo.state == PhotoState.READING else photo.state
        # The job of a photograph that has been read ends a moment after its state is written.
        job = self.queue.stage(photo.id) if photo.state in WAITING else None
        return job or (unknown, 0.0)

    def _closing(self, record: Record, rules: TableRules) -> Json:
        return {
            "end": record.end,
            "closed_by": record.closed_by,
            "muerto": {side: muerto_taken(record, side) for side in SIDES},
            "answered": {side: record.muerto[side] is not None for side in SIDES},
            "unplayed": record.muerto_unplayed,
            "unplayed_costs": bool(rules.rules.muerto_unplayed_penalty),
            "players": rules.players,
        }

    def _side(
        self,
        score: HandScore,
        side: SideName,
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
        label = self.words.line(line, record, rules)
        return {
            "kind": line.kind,
            "label": label,
            "points": line.points,
            "part": line.part,
            "tiles": line.tiles,
            "id": line.id,
        }

    def _notes(self, record: Record, score: HandScore, rules: TableRules) -> list[str]:
        accepted = [row for row in melds_of(record) if row.accepted]
        notes = {
            "no_score": score.no_score,
            "accepted": any(is_illegal(record, row, rules) for row in accepted),
            "pozo": any(row.place is Place.POZO for row in record.rows),
            "nothing_counts": bool(record.nothing_counts),
            "partner": is_partner_unshown(record, rules),
        }
        return [self.say(f"note.{name}") for name, holds in notes.items() if holds]

    def _question(
        self, record: Record, question: Question, rules: TableRules, names: dict[SideName, str]
    ) -> Json:
        return _question_json(question, self.words.question(record, question, rules, names))


def _counts(hand: Hand, score: HandScore, rules: TableRules) -> str:
    """Return whether what was saved of a hand has points for its match: "some" or "none"; empty
    where the hand is not saved, or is taken out of the tally. `score` is that of the hand's draft,
    or without one of its saved record. A saved record that cannot be shown has none that are known.
    """
    if hand.state != HandState.SAVED:
        return ""
    if hand.draft is not None:
        try:
            score = score_hand(Record.from_json(hand.record), rules)
        except UnreadableRecord:
            return "none"
    return "none" if score.no_score or score.reason else "some"


def _tile(record: Record, tile_id: str) -> Json:
    tile = record.tiles[tile_id]
    perhaps_none = tile.perhaps_none and not tile.confirmed
    is_sure = tile.face is not None and (tile.confidence or 0.0) >= SURE_FACE
    read = [tile.read] if tile.read else []
    likely = dict.fromkeys([*read, *(face for face, _share in tile.alternatives)])
    return {
        "face": tile.face,
        "photo": tile.photo,
        "corners": tile.corners,
        "read": tile.read,
        "doubtful": tile.doubtful or tile.face is None,
        "perhaps_none": perhaps_none,
        "settled": tile.confirmed,
        "added": tile.was_added,
        "likely": list(likely)[:3],
        **({"face_sure": is_sure} if perhaps_none else {}),
    }


def _question_json(question: Question, text: str) -> Json:
    return {
        "ask": question.ask,
        "effect": question.effect,
        "needed": question.needed,
        "subject": question.subject,
        "tiles": question.tiles,
        "duplicate_of": question.duplicate_of,
        "choices": question.choices,
        "cause": question.cause,
        "text": text,
    }


def _problem_of(photo: Any) -> str | None:
    """Return why a photograph has no usable reading, as a code for which the texts have a sentence;
    None for a photograph that has a usable reading or still waits.
    """
    if photo.state == PhotoState.FAILED:
        problem: str | None = photo.problem
        return problem
    is_damaged = photo.state == PhotoState.READ and not isinstance(photo.notices, list)
    return "damaged" if is_damaged else None


def _notices_of(photo: Any) -> list[Any]:
    return photo.notices if isinstance(photo.notices, list) else []
