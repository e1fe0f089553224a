"""Whether a hand may be saved: each answer of the rule, for everything that it depends on."""

from __future__ import annotations

import pytest

from scorer_app.hand.fields import EditRefused, Refusal
from scorer_app.hand.questions import Ask, Question
from scorer_app.hand.record import End, Record
from scorer_app.hand.saving import check_may_save, may_save

ENDED = Record(end=End.STOCK_EXHAUSTED)
DOUBT = Question(Ask.TILE, 10, needed=False, subject="t1")
NEEDED = Question(Ask.MUERTO, 200, needed=True, subject="A")


@pytest.mark.parametrize(
    ("record", "asked", "unread", "with_doubts", "saved"),
    [
        (ENDED, (), 0, False, True),
        (ENDED, (), 0, True, True),
        (ENDED, (DOUBT,), 0, False, False),
        (ENDED, (DOUBT,), 0, True, True),
        (ENDED, (NEEDED,), 0, False, False),
        (ENDED, (NEEDED, DOUBT), 0, True, False),
        (ENDED, (), 1, True, False),
        (ENDED, (DOUBT,), 1, True, False),
        (Record(), (), 0, True, False),
        (Record(), (), 0, False, False),
    ],
)
def test_a_hand_is_saved_without_open_questions_or_with_doubts_that_somebody_knows_of(
    record: Record, asked: tuple[Question, ...], unread: int, with_doubts: bool, saved: bool
) -> None:
    if saved:
        check_may_save(record, asked, unread, with_doubts=with_doubts)
        return
    with pytest.raises(EditRefused) as refused:
        check_may_save(record, asked, unread, with_doubts=with_doubts)
    assert refused.value.reason is Refusal.OPEN_QUESTIONS
    told = [str(question.ask) for question in asked] + ["photograph"] * unread
    assert str(refused.value) == f"expected a hand without open questions, got {told!r}"


def test_doubts_alone_leave_a_hand_ready() -> None:
    assert may_save(ENDED, [DOUBT])
    assert not may_save(ENDED, [DOUBT, NEEDED])
    assert not may_save(Record(), [])
