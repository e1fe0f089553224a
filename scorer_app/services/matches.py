"""Matches in the store. Their tallies are never stored but counted from the saved hands."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorer_app.hand.record import DamagedRecord, NewerRecord, Record, Trouble, UnreadableRecord
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.event_bus import EventBus
from scorer_app.services.form_ids import match_of_form
from scorer_app.services.hand_rows import NotFound, Overtaken, find_match, rules_of
from scorer_app.services.holdings import Role, hold_as_founder
from scorer_app.services.match_rows import HEAD, MatchRows
from scorer_app.services.memo import Memo
from scorer_app.services.steps import StepKind, note_step
from scorer_app.services.tally import WRONG_VALUE, Judged, Tally, add_up, judge
from scorer_app.services.undoing import lock_hand_of, undo_step
from scorer_app.services.unreadable import UnreadableMatch, match_as_stored
from scorer_app.store import Hand, HandState, Holding, Match, Step, Store
from scorer_app.store.tables import Json

log = logging.getLogger(__name__)
_GLANCE = (  # a row for each hand, with everything that changes when the tally does
    select(Match.id.label("match"), Match.version.label("match_version"), *HEAD)
    .outerjoin(Hand, Hand.match_id == Match.id)
    .where(~Match.deleted)
    .order_by(Hand.position)
)
_OF_MATCH, _OF_VIEWER = (
    _GLANCE.where(Match.id == bindparam("match")),
    _GLANCE.where(Match.viewer_token == bindparam("token")),
)
_OF_MATCHES = _GLANCE.where(Match.id.in_(bindparam("matches", expanding=True)))
TOGETHER = 50  # matches whose rows are fetched at once


# How many points win the match does not matter to its hands.
ANY_TARGET = 0


class Matches:
    """Creates and changes matches, and counts their tallies."""

    def __init__(self, store: Store, event_bus: EventBus) -> None:
        self.store, self.event_bus = store, event_bus
        self._judged: Memo[Judged | Trouble] = Memo(most=2000)
        self._tallies: Memo[Tally | UnreadableMatch] = Memo(most=500)

    def create(
        self, *, holder: str | None = None, form_id: str | None = None, **fields: Any
    ) -> str:
        """Create a match and return its id. `fields` are values of its columns, by name. On a
        public server `holder` is the device that may score the match; elsewhere it is None.

        `form_id` is the id of the form that was filled in. Where that form has just made a match,
        return the id of that one.
        """
        with self.store.writing() as session:
            if form_id is None:
                return _add_match(session, holder, fields)
            with suppress(IntegrityError), session.begin_nested():  # another process has it now
                return _of_form(session, form_id, holder, fields)
            return _of_form(session, form_id, holder, fields)

    def begin_again(
        self, form_id: str, device: str, *, holder: str | None = None, **fields: Any
    ) -> str | None:
        """Return the id of the match that the form with the id `form_id` has made, once it has the
        values `fields` in its columns, by name; None where another match is to be made.

        A match that has no hand yet is changed where it has other values: the history shows this as
        steps by this `device`. For one with hands another match is made. `holder` is as for
        `create`.
        """
        with self.store.writing() as session:
            match_id, match = match_of_form(session, form_id, holder, fields)
            if match is None:
                return None
            of_set = {name: fields[name] for name in ("options", "tile_set_id")}
            rules = {name: fields[name] for name in fields if name != "tile_set_id"}
            for kind, values in ((StepKind.RULES, rules), (StepKind.TILES, of_set)):
                _change(session, match, kind, device, values)
        self.event_bus.tell(match_id)
        return match_id

    def begun_by(self, form_id: str, holder: str | None = None) -> Match | None:
        """Return the match without hands that the form with the id `form_id` has made; None where
        there is none. `holder` is as for `create`.
        """
        with self.store.reading() as session:
            return match_of_form(session, form_id, holder, {})[1]

    def rematches(self, match_id: str, holder: str | None = None) -> list[str]:
        """List the ids of the matches that were begun as a rematch of the match `match_id` and are
        neither deleted nor archived. `holder` is as for `create`.
        """
        with self.store.reading() as session:
            return [match.id for match in session.scalars(_rematches(match_id, holder))]

    def create_rematch(self, match_id: str, *, holder: str | None = None, **fields: Any) -> str:
        """Create a rematch of the match `match_id`, and return its id; where another device has
        just created one that has no hand yet, return the id of that one. `fields` and `holder` are
        as for `create`. Raises NotFound.
        """
        with self.store.writing() as session:
            find_match(session, match_id, to_change=True)  # one device at a time
            unplayed = ~select(Hand.id).where(Hand.match_id == Match.id).exists()
            for other in session.scalars(_rematches(match_id, holder).where(unplayed)):
                return other.id
            return _add_match(session, holder, {**fields, "follows": match_id})

    def change(
        self,
        match_id: str,
        kind: StepKind = StepKind.RULES,
        device: str = "",
        given: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> None:
        """Change columns of a match to the values that `fields` holds by name. The history shows
        this as a step of the given kind by this `device`, which can be undone. Nothing is done
        where the match has these values already, unless dice were thrown: two throws may be equal.

        `given` holds the values of columns from which the new ones were worked out. Raises
        Overtaken where one of these columns has another value by now, and NotFound.
        """
        with self.store.writing() as session:
            match = find_match(session, match_id, to_change=True)
            if any(getattr(match, name) != value for name, value in (given or {}).items()):
                raise Overtaken(match_id)
            if not _change(session, match, kind, device, fields):
                return
        self.event_bus.tell(match_id)

    def newest_step(self, match_id: str, kind: StepKind) -> int | None:
        """Return the id of the newest step of this kind, undone or not; None where the match has
        none.
        """
        newest = select(func.max(Step.id)).where(Step.match_id == match_id, Step.kind == kind)
        with self.store.reading() as session:
            return session.scalar(newest)

    def undo(self, match_id: str, step_id: int, device: str) -> str | None:
        """Undo a step of a match; the history names the `device` that undid it. Returns the id of
        the hand that the step had changed; None for a step of the match itself. Raises NotFound,
        and CannotUndo for a step that is undone already, or where a later step changed the same
        thing.
        """
        with self.store.writing() as session:
            lock_hand_of(session, step_id)
            match = find_match(session, match_id, to_change=True)
            hand_id = undo_step(session, match, step_id, device)
        self.event_bus.tell(*filter(None, (match_id, hand_id)))
        return hand_id

    def by_rules(self, match_id: str, rules: TableRules) -> Tally:
        """Return the tally of a match as if it were played by other rules; nothing is changed.

        Raises NotFound, and UnreadableRecord for a match that cannot be shown.
        """
        with self.store.reading() as session:
            return self._tally_of(MatchRows(session), match_id, rules)

    def records(self, match_id: str) -> dict[str, Record]:
        """Map the ids of a match's saved hands to their records. Hands that cannot be shown are
        left out.
        """
        found = {}
        with self.store.reading() as session:
            rows = session.execute(select(Hand.id, Hand.record).where(Hand.match_id == match_id))
            for hand_id, saved in rows:
                with suppress(UnreadableRecord):
                    if saved is not None:
                        found[hand_id] = Record.from_json(saved)
        return found

    def of(self, match_ids: Sequence[str]) -> list[Tally | UnreadableMatch]:
        """Return the tallies of these matches in the same order. A match that this version cannot
        show comes as an UnreadableMatch, and one that is deleted is left out.
        """
        heads: dict[str, list[Any]] = {}
        for head in self.store.look(_OF_MATCHES, {"matches": match_ids}):
            heads.setdefault(head.match, []).append(head)
        listed = [match_id for match_id in match_ids if match_id in heads]
        found: list[Tally | UnreadableMatch] = []
        with self.store.reading() as session:
            rows = MatchRows(session)
            for first in range(0, len(listed), TOGETHER):
                some = listed[first : first + TOGETHER]
                unknown = [name for name in some if not self._tallies.knows(_key(heads[name]))]
                if len(unknown) > 1:
                    rows.fetch(unknown)
                for match_id in some:
                    with suppress(NotFound):  # deleted since that look
                        found.append(self._known(heads[match_id], rows))
        return found

    def unreadable(self, match_id: str) -> UnreadableMatch | None:
        """Describe a match that this version cannot show; None for one that it can show.

        Raises NotFound.
        """
        heads = self.store.look(_OF_MATCH, {"match": match_id})
        known = self._known_alone(heads) if heads else None
        if known is None:
            raise NotFound("match")
        return known if isinstance(known, UnreadableMatch) else None

    def known(self, match_id: str) -> str | None:
        """Return `match_id` if there is such a match, else None."""
        return match_id if self.store.look(_OF_MATCH, {"match": match_id}) else None

    def tally(self, match_id: str) -> Tally:
        """Return the tally of a match. Raises NotFound, and UnreadableRecord for a match that
        cannot be shown.
        """
        return self._tally(self.store.look(_OF_MATCH, {"match": match_id}))

    def of_viewer(self, viewer_token: str) -> Tally:
        """Return the tally of the match whose link for viewers has this token. Raises NotFound, and
        UnreadableRecord for a match that cannot be shown.
        """
        return self._tally(self.store.look(_OF_VIEWER, {"token": viewer_token}))

    def _tally(self, heads: Sequence[Any]) -> Tally:
        """Return the tally of a match. `heads` has a row of the database for each hand of the
        match; while these rows stay equal, so does the tally. Raises NotFound where `heads` is
        empty, and UnreadableRecord.
        """
        if not heads:
            raise NotFound("match")
        known = self._known_alone(heads)
        if isinstance(known, UnreadableMatch):
            kind = NewerRecord if known.trouble is Trouble.NEWER else DamagedRecord
            raise kind(f"expected a match that can be shown, got {known}")
        return known

    def _known_alone(self, heads: Sequence[Any]) -> Tally | UnreadableMatch:
        with self.store.reading() as session:  # runs no statement where the tally is remembered
            return self._known(heads, MatchRows(session))

    def _known(self, heads: Sequence[Any], rows: MatchRows) -> Tally | UnreadableMatch:
        """Return the tally of a match, or an UnreadableMatch where it cannot be counted.

        `heads` are the rows that `_GLANCE` selects for the match, one for each hand. Some value in
        them changes whenever the tally does, so a tally counted for equal `heads` is used again.
        Otherwise it is counted from what `rows` reads from the database. Raises NotFound.
        """
        return self._tallies.get(_key(heads), lambda: self._counted(heads[0].match, rows))

    def _counted(self, match_id: str, rows: MatchRows) -> Tally | UnreadableMatch:
        """Count the tally of a match from `rows`. Where it cannot be counted, return an
        UnreadableMatch with the match's names and the reason, so that a list of matches still shows
        the others.
        """
        try:
            return self._tally_of(rows, match_id)
        except UnreadableRecord as error:
            trouble = error.trouble
        except WRONG_VALUE:
            log.exception("match %s cannot be counted", match_id)
            trouble = Trouble.DAMAGED
        stored = match_as_stored(rows.session, match_id)
        names = stored["side_a"] or "?", stored["side_b"] or "?"
        return UnreadableMatch(match_id, *names, trouble)

    def _tally_of(
        self, rows: MatchRows, match_id: str, by_rules: TableRules | None = None
    ) -> Tally:
        """Count the tally of a match by the rules `by_rules`, or by its own where that is None."""
        match = rows.match(match_id)
        _check_names(match)
        rules = by_rules or rules_of(match)
        judged: list[tuple[Any, Judged | Trouble]] = []
        damaged = set()
        draft = None
        for hand in rows.heads(match_id):
            if hand.edited and _is_draft_damaged(rows.draft(hand.id)):
                damaged.add(hand.id)
            elif hand.state == HandState.DRAFT and draft is None:
                draft = hand.id
            if hand.recorded:
                judged.append((hand, self._judge(rows, hand.id, hand.version, rules)))
            elif hand.id in damaged:
                judged.append((hand, Trouble.DAMAGED))
        return add_up(match, rules, judged, damaged, draft)

    def _judge(
        self, rows: MatchRows, hand_id: str, version: int, rules: TableRules
    ) -> Judged | Trouble:
        """Return how a hand is judged, which does not depend on how many points win the match:
        whoever compares the tallies of many targets has each hand judged once.
        """
        alike = replace(rules, rules=replace(rules.rules, target=ANY_TARGET))
        return self._judged.get(
            (hand_id, version, alike), lambda: judge(hand_id, rows.record(hand_id), alike)
        )


def _of_form(session: Session, form_id: str, holder: str | None, fields: Mapping[str, Any]) -> str:
    """Return the id of the match that the form with the id `form_id` has made, or else of a new
    one. `holder` and `fields` are as for `_add_match`. Raises IntegrityError where another process
    makes the match at this moment.
    """
    match_id, match = match_of_form(session, form_id, holder, fields)
    return match_id if match else _add_match(session, holder, {**fields, "id": match_id})


def _add_match(session: Session, holder: str | None, fields: Mapping[str, Any]) -> str:
    """Add a match that has the values `fields` in its columns, by name, and return its id. `holder`
    is the device that may score it, None where all scorers may.
    """
    match = Match(**fields)
    session.add(match)
    session.flush()
    if holder:
        hold_as_founder(session, holder, match.id)
    return match.id


def _change(
    session: Session, match: Match, kind: StepKind, device: str, fields: Mapping[str, Any]
) -> bool:
    """Change columns of a match, as `Matches.change` does. Returns whether one was changed."""
    changed = {
        name: value
        for name, value in fields.items()
        if getattr(match, name) != value or kind is StepKind.DIE
    }
    if not changed:
        return False
    before = {name: getattr(match, name) for name in changed}
    note_step(session, match.id, kind, device, before, dict(fields))
    for name, value in changed.items():
        setattr(match, name, value)
    match.version += 1
    return True


def _rematches(match_id: str, holder: str | None) -> Select[Match]:
    """Return a query for the rematches of the match `match_id` that are neither deleted nor
    archived. With the name of a device as `holder`, it finds those alone that this device scores.
    """
    found = select(Match).where(Match.follows == match_id, ~Match.deleted, ~Match.archived)
    if holder is None:
        return found
    scored = select(Holding.match_id).where(Holding.device == holder, Holding.role == Role.SCORER)
    return found.where(Match.id.in_(scored))


def _key(heads: Sequence[Any]) -> tuple[Any, ...]:
    """Return the key under which the tally of a match is remembered: the rows of `heads`, each as a
    tuple. `heads` are the rows that `_GLANCE` selects for the match, one for each hand; some value
    in them changes whenever the tally changes.
    """
    return tuple(map(tuple, heads))


def _check_names(match: Match) -> None:
    """Raise DamagedRecord where a name of a match is not text, or where the seat of its first
    player is not a whole number.
    """
    if not isinstance(match.player_names, list):
        raise DamagedRecord(f"expected names, got {match.player_names!r}"[:300])
    names = [match.side_a, match.side_b, *match.player_names]
    if not all(isinstance(name, str) for name in names):
        raise DamagedRecord(f"expected names, got {names}"[:300])
    if match.first_player is not None and type(match.first_player) is not int:
        raise DamagedRecord(f"expected first_player, a seat, got {match.first_player!r}"[:300])


def _is_draft_damaged(draft: Json | None) -> bool:
    try:
        Record.from_json(draft)
    except UnreadableRecord as error:
        return error.trouble is Trouble.DAMAGED
    return False
