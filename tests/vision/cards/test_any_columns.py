"""Whatever columns were found, they are completed without an error, and no card is lost or told
twice. Columns are drawn with gaps, and jollies with marks anywhere on the table.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.pieces import Pieces
from engine.rulesets import ruleset
from tests.vision.cards.test_marks import card, mark, surely
from vision import Layout, open_reader
from vision.cards.card import Card
from vision.cards.columns import find_columns
from vision.cards.pipeline import CardTableReader
from vision.frame import Frame
from vision.seen import Rows, Seen

STEP, BESIDE, LEFT, TOP = 30.0, 130.0, 150.0, 150.0
COLUMNS, PLACES = 4, 6  # of the table; each place is one step below the last
FACES = ["J", "2R", "2B", *(f"{number}{suit}" for number in (4, 5, 6, 7) for suit in "RB")]
RULES = ruleset("burraco_it")
PICTURE = np.random.default_rng(0).integers(0, 256, (600, 800, 3), np.uint8)

places = st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, PLACES - 1))


def at(place: tuple[int, int]) -> tuple[float, float]:
    return LEFT + BESIDE * place[0], TOP + STEP * place[1]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Seen, list[Card]]:
    """Draw cards in some of the places, some of them with marks that stand in other places, or in
    their other corner.
    """
    lying = draw(st.lists(places, min_size=2, max_size=12, unique=True))
    names = draw(st.lists(st.sampled_from(FACES), min_size=len(lying), max_size=len(lying)))
    cards = list[Card]()
    for place in lying:
        one = card(*at(place))
        more = [mark(*at(other)).mean(axis=0) for other in draw(st.lists(places, max_size=2))]
        opposite = 2 * one.outline.mean(axis=0) - one.marks[0]
        more += [opposite] if draw(st.booleans()) else []
        marks = np.stack([one.marks[0], *more]).astype(np.float32)
        cards.append(replace(one, marks=marks, sure=draw(st.booleans())))
    scores = draw(st.lists(st.floats(0, 1, width=32), min_size=len(lying), max_size=len(lying)))
    quads = np.stack([mark(*at(place)) for place in lying]).astype(np.float32)
    rows = Rows(find_columns(cards))
    in_doubt = draw(st.frozensets(st.integers(0, len(lying) - 1)))
    seen = Seen(np.array(scores, np.float32), quads, surely(*names), rows, in_doubt=in_doubt)
    return seen, cards


@pytest.fixture(scope="module")
def reader() -> CardTableReader:
    opened = open_reader(pieces=Pieces.CARDS)
    assert isinstance(opened, CardTableReader)
    return opened


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(table=tables(), layout=st.sampled_from(Layout))
def test_any_columns_are_completed(
    reader: CardTableReader, table: tuple[Seen, list[Card]], layout: Layout
) -> None:
    seen, cards = table
    if layout is Layout.MELDS:
        seen = reader._as_melds(seen, cards, RULES)
    assert len(cards) == len(seen.quads)
    told = reader.missed_cards.with_missed(Frame.of(PICTURE), seen, cards, layout, RULES)
    assert len(told.quads) >= len(seen.quads)
    in_rows = [*chain(*told.table.rows)]
    assert len(in_rows) == len({*in_rows}) and {*in_rows} <= {*range(len(told.quads))}
    assert all(len(row) > 1 for row in told.table.rows)
    assert {*told.in_doubt} <= {*range(len(told.quads))}
    assert all(one != other for row in told.table.rows for one, other in pairwise(row))
