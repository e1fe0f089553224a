"""The rule that says when a hand may be saved, that is, when it begins to count."""

from __future__ import annotations

from collections.abc import Sequence

from scorer_app.hand.fields import EditRefused, Refusal
from scorer_app.hand.questions import Question
from scorer_app.hand.record import Record


def may_save(record: Record, asked: Sequence[Question]) -> bool:
    """Tell whether somebody has said how the hand ended and every needed question is answered.
    `asked` are the open questions of the record.

    Mere doubts, which are questions that are not needed, do not stand in the way.
    """
    return record.end is not None and not any(question.needed for question in asked)


def check_may_save(
    record: Record, asked: Sequence[Question], unread: int, *, with_doubts: bool
) -> None:
    """Raise EditRefused where a hand may not be saved. `asked` are the open questions of the
    record, and `unread` is the number of photographs still to be read.

    A hand may not be saved while a photograph is unread, while nobody has said how the hand ended,
    or while a needed question is open. Other questions are mere doubts: with these the hand is
    saved only if the person asks for it by `with_doubts`, so that no guess becomes a fact
    unnoticed.
    """
    if unread or not may_save(record, asked) or (asked and not with_doubts):
        still_open = [*(str(question.ask) for question in asked), *["photograph"] * unread]
        raise EditRefused(Refusal.OPEN_QUESTIONS, "a hand without open questions", still_open)
