"""Whatever phones do to a match one after another, its pages show the points that a small model of
it adds up.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ...examples import examples
from ..conftest import Scorer, closing, taps
from ..hands import CANASTA, delete_match, new_match, totals

MELDED = 345  # points of side A in a hand of tiles, without those for closing
TAKEN = -150  # points of side B: no muerto, and a comodín on the rack
THIRTEEN = "13K"  # a tile that counts 10 on a rack
points = st.sampled_from([-1250, -40, 0, 85, 300, 1100])
numbers = st.integers(0, 9)  # of a hand, counted around where there are fewer


@dataclass
class Played:
    """A hand that was saved: the points of both sides, and whether it was taken out of the tally.
    `of_tiles` says that it has tiles; otherwise people counted it. The points `a` of a hand of
    tiles, which side A closed, come without those for closing.
    """

    a: int
    b: int
    of_tiles: bool
    excluded: bool = False


@dataclass
class Model:
    """What a match should hold after all that was done to it."""

    target: int = 3000
    close_bonus: int = 100
    name: str = "Visitas"
    hands: list[Played] = field(default_factory=list)

    def totals(self) -> list[int]:
        """Add up the hands until one of them ends the match."""
        a = b = 0
        for hand in self.hands:
            if hand.excluded:
                continue
            a, b = a + hand.a + self.close_bonus * hand.of_tiles, b + hand.b
            if max(a, b) >= self.target and a != b:
                break
        return [a, b]

    def restore(self, later: Model) -> None:
        """Give a later model the values of this one; hands saved since then stay as they are."""
        for hand, before in zip(later.hands, self.hands, strict=False):
            vars(hand).update(vars(before))
        vars(later).update(vars(self) | {"hands": later.hands})


class Evening(RuleBasedStateMachine):
    """Two phones that score one match. `undos` has an entry for each step of the history that is
    not undone, the latest step last: how the model was before it or, for a hand saved for the first
    time, which hand that is. Undo takes such a hand out of the tally.
    """

    def __init__(self, app: Flask, phones: tuple[Scorer, Scorer]) -> None:
        super().__init__()
        self.app, self.phones = app, phones
        self.match = new_match(phones[0])
        self.model = Model()
        self.undos: list[Model | Played] = []
        self.turn = 0
        for _hand in self.phones:
            self.play_a_hand()

    @property
    def phone(self) -> Scorer:
        """The phones take turns."""
        self.turn += 1
        return self.phones[self.turn % 2]

    def step(self, change: Callable[[Model], None]) -> None:
        """Change the model as a step that the history notes does; no step where nothing changes."""
        before = deepcopy(self.model)
        change(self.model)
        if self.model != before:
            self.undos.append(before)

    def exported(self, match: str) -> dict[str, Any]:
        """Return the copy of a match without the moment at which it was made."""
        copy: dict[str, Any] = self.phone.client.get(f"/matches/{match}/export.json").get_json()
        copy["match"].pop("created")
        return copy

    def listed(self) -> list[str]:
        """Return the ids of the hands in the order of the tally."""
        page = self.phone.client.get(f"/matches/{self.match}").text
        return re.findall(r'<a href="(?:/hands/|/matches/[^"]+hand=)([\w-]+)" aria-label', page)

    def save(self, hand: str) -> None:
        assert self.phone.post(f"/api/hands/{hand}/save").status_code == 200

    def begin_to_count(self, hand: Played) -> None:
        self.model.hands.append(hand)
        self.undos.append(hand)

    @rule(a=points, b=points)
    def count_a_hand(self, a: int, b: int) -> None:
        form = {"new": f"{self.turn:022}", "base_A": str(a), "puntos_B": str(b)}
        for _sent in range(2):  # its answer was lost
            answer = self.phone.form(f"/matches/{self.match}/count", **form)
            assert answer.status_code == 303
        self.begin_to_count(Played(a, b, of_tiles=False))

    @rule()
    def play_a_hand(self) -> None:
        hand = self.phone.begin(self.match)
        self.phone.edit(hand, *taps("A", "melds", CANASTA), *taps("B", "rack", "J"), *closing())
        self.save(hand)
        self.begin_to_count(Played(MELDED, TAKEN, of_tiles=True))

    @rule(number=numbers, dropped=st.booleans())
    def correct_a_hand(self, number: int, dropped: bool) -> None:
        of_tiles = [at for at, hand in enumerate(self.model.hands) if hand.of_tiles]
        at = of_tiles[number % len(of_tiles)]
        hand = self.listed()[at]
        self.phone.tap(hand, "B", "rack", THIRTEEN)
        self.phone.tap(hand, "B", "rack", "1R")
        assert self.phone.post(f"/api/hands/{hand}/undo").status_code == 200
        if dropped:
            self.phone.form(f"/hands/{hand}/drop")
            return
        keep = {"op": "keep_copies", "face": THIRTEEN}  # corrected often, a rack has many of it
        self.phone.edit(hand, keep)
        self.save(hand)
        self.step(lambda model: _add(model.hands[at], -10))

    @rule(number=numbers, excluded=st.booleans())
    def take_a_hand_out_or_put_it_back(self, number: int, excluded: bool) -> None:
        at = number % len(self.model.hands)
        asked = {"undone": "yes" if excluded else "no"}
        for _phone in self.phones:
            self.phone.form(f"/hands/{self.listed()[at]}/undone", **asked)
        self.step(lambda model: setattr(model.hands[at], "excluded", excluded))

    @rule(
        goal=st.sampled_from([500, 1000, 3000]),
        close_bonus=st.sampled_from([0, 100]),
        name=st.sampled_from(["Visitas", "Ñandú & Cía"]),
    )
    def change_the_rules_or_a_name(self, goal: int, close_bonus: int, name: str) -> None:
        form = {"side_a": "Los Pérez", "side_b": name, "ruleset": "burako"}
        form |= {"target": str(goal), "close_bonus": str(close_bonus), "sure": "yes"}
        form |= {f"player_{seat}": "" for seat in range(4)}
        answer = self.phone.form(f"/matches/{self.match}/edit", **form)
        assert answer.status_code == 303
        changed = {"target": goal, "close_bonus": close_bonus, "name": name}
        self.step(lambda model: vars(model).update(changed))

    @precondition(lambda self: self.undos)
    @rule()
    def undo_the_latest_step(self) -> None:
        page = self.phone.client.get(f"/matches/{self.match}/history").text
        latest = re.findall(r'action="(/matches/[^"]+/undo)"', page)[0]
        assert [self.phone.form(latest).status_code for _sent in range(2)] == [303, 409]
        before = self.undos.pop()
        if isinstance(before, Played):
            before.excluded = True
        else:
            before.restore(self.model)

    @invariant()
    def shows_the_points_of_the_model(self) -> None:
        shown = [figure.replace("−", "-") for figure in totals(self.phone.client, self.match)]
        assert [int(figure.replace(".", "")) for figure in shown] == self.model.totals()
        copy = self.exported(self.match)
        assert [*copy["totals"].values()] == self.model.totals()
        assert [hand["undone"] for hand in copy["hands"]] == [
            hand.excluded for hand in self.model.hands
        ]
        assert copy["match"]["side_b"] == self.model.name

    def teardown(self) -> None:
        """Bring the match in from its copy, which must be the same match."""
        copy = self.exported(self.match)
        form = {"csrf": self.phones[0].token, "file": (io.BytesIO(json.dumps(copy).encode()), "x")}
        answer = self.phones[0].client.post("/matches/import", data=form)
        brought = answer.headers["Location"].rsplit("/", 1)[1]
        assert self.exported(brought) == copy
        for match in (brought, self.match):
            delete_match(self.app, match)


def _add(hand: Played, points: int) -> None:
    hand.b += points


def test_phones_that_take_turns_see_the_points_of_all_that_they_did(
    app: Flask, scorer: Scorer
) -> None:
    phones, few = (scorer, Scorer.of(app)), examples(8)
    # Hypothesis would take minutes to make a sequence that fails shorter.
    limits = settings(max_examples=few, stateful_step_count=18, phases=[Phase.generate])
    run_state_machine_as_test(lambda: Evening(app, phones), settings=limits)
