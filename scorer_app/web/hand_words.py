"""What the screen says of a hand in words: the verdicts on its rows, the lines of its score sheet,
and its open questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.melds import Meld
from engine.pieces import Pieces
from engine.sides import SideName
from scorer_app.hand.given_photos import GivenPhoto
from scorer_app.hand.questions import Ask, Question
from scorer_app.hand.record import Place, Record, Row
from scorer_app.hand.score import Line
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.faces import face_in_words, rank_printed
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import Translate
from scorer_app.texts.verdicts import explain_meld
from scorer_app.web.advice import Known, explain_read


@dataclass(frozen=True)
class HandWords:
    """Puts hands into words, in one language and in the words of tiles or of cards."""

    say: Translate
    language: Language
    pieces: Pieces

    def face(self, face: str) -> str:
        """Return the name of a tile or card in words, for people and screen readers."""
        return face_in_words(face, self.pieces, self.say)

    def verdict(self, record: Record, row: Row, meld: Meld, rules: TableRules) -> str:
        """Return the verdict on a row that was judged as `meld`: its kind, or why it is illegal."""
        if meld.reason:
            if row.accepted:  # nobody need look for what is wrong any more
                return explain_meld(meld, rules.rules, self.language, pieces=rules.pieces)
            if any(record.tiles[name].photo for name in row.tiles):
                known = Known.of(record, row)
                return explain_read(meld, row.ordered, rules, self.language, self.say, known)
            return rules.sentence(meld, row.ordered, self.language)
        kind = self.say(f"meld.{meld.kind}")
        if not meld.canasta_class:
            return kind
        return f"{kind} · {self.say(f'canasta.{meld.canasta_class}')}"

    def line(self, line: Line, record: Record, rules: TableRules) -> str:
        """Return the label of a line of the score sheet."""
        if line.kind == "meld" and line.tiles:
            row = record.row_of(line.tiles[0])
            return self._short_name(rules.judge(record.faces(row), row.ordered))
        if line.kind == "adjustment":
            return line.detail or ""
        if line.kind == "canasta":
            return self.say("line.canasta", kind=self.say(f"canasta.{line.detail}"))
        return self.say(f"line.{line.kind}")

    def _short_name(self, meld: Meld | None) -> str:
        """Return a name for a meld: its kind and its first and last number, by which people find it
        on the score sheet. A meld that is unread (None) or illegal gets a general name.
        """
        if meld is None or meld.arrangement is None:
            return self.say("line.meld")
        first, last = (
            (place - 1) % 13 + 1
            for place in (meld.arrangement.places[0], meld.arrangement.places[-1])
        )
        ranks = [rank_printed(number, self.pieces) for number in (first, last)]
        numbers = ranks[0] if meld.kind == "pierna" else "–".join(ranks)
        return f"{self.say(f'meld.{meld.kind}')} {numbers}"

    def question(
        self, record: Record, question: Question, rules: TableRules, names: Mapping[SideName, str]
    ) -> str:
        """Return a question that the record raises. `names` are those of the sides."""
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
            return self.verdict(record, row, meld, rules) if meld else ""
        if question.ask is Ask.COPIES:
            return self._asked_of_copies(record, question)
        if question.ask is Ask.TWICE:
            return self.say("ask.twice")
        if question.ask in (Ask.TAPPED, Ask.AGAIN):
            return self.say(f"ask.{question.ask}", count=len(question.tiles))
        if question.ask in (Ask.MUERTO, Ask.RACK):
            side: SideName = "A" if subject == "A" else "B"
            is_partner = question.ask is Ask.RACK and side == record.closed_by
            return self.say(
                "ask.partner" if is_partner else f"ask.{question.ask}", side=names[side]
            )
        if question.ask is Ask.CLOSING:
            # Where the closing was right all the same, something else of the hand is still wrong.
            closer = names[record.closed_by] if record.closed_by else ""
            mend = self.say(f"ask.closing.{subject}", side=closer)
            return f"{self._closing_text(record, subject, rules)} {mend} {self.say('ask.end')}"
        return self.say("ask.end")

    def photo_question(
        self, question: Question, photo: GivenPhoto, names: Mapping[SideName, str]
    ) -> str:
        """Return the question about a photograph that adds nothing to the hand or is poor. It
        names the area for which the photograph was given. `names` are those of the sides.
        """
        area = f"{names[photo.side]} · {self.say(f'js.place.{photo.place}')}"
        return self.say(f"ask.photo.{question.cause}", area=area)

    def _asked_of_copies(self, record: Record, question: Question) -> str:
        """Return the question about a face that is there too often. Which of its tiles is too many
        is not known: it may be a tapped one as well as one of a photograph.
        """
        tapped = sum(record.tiles[name].was_added for name in question.tiles)
        count = len(question.tiles)
        some_tapped = "ask.copies_some_tapped" if tapped else "ask.copies"
        asked = "ask.copies_tapped" if tapped == count else some_tapped
        return self.say(asked, tile=self.face(question.subject or ""), count=count)

    def _closing_text(self, record: Record, reason: str, rules: TableRules) -> str:
        racks = record.in_place(record.closed_by, Place.RACK) if record.closed_by else ()
        return rules.closing(
            reason, [face for row in racks for face in record.faces(row)], self.language
        )
