"""Hands in the store: beginning, editing, saving and excluding them.

Every change is one short transaction. A request is answered when the change is on the disk. Only
edits and undo are answered before that, as soon as the database has taken them: waiting for the
disk would slow down every tap, and a power cut loses no more than the last few taps.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import cast

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorer_app.hand.counted import Counted, counted_record
from scorer_app.hand.edits import apply
from scorer_app.hand.edits_of_hand import SetEnd, SetMuerto
from scorer_app.hand.edits_of_tiles import RemoveTile
from scorer_app.hand.fields import EditRefused, Refusal, own_key
from scorer_app.hand.put_back import tells_the_same
from scorer_app.hand.questions import about_photos, questions
from scorer_app.hand.record import Place, Record, UnreadableRecord
from scorer_app.hand.saving import check_may_save
from scorer_app.services.draft_photos import (
    bring_back,
    move_back,
    photos_in_saved,
    photos_of_draft,
    without_gone_photo,
)
from scorer_app.services.event_bus import EventBus
from scorer_app.services.hand_log import (
    KeyedEdit,
    KeyedOperation,
    forget_old_steps,
    is_known,
    is_undone,
    last_step,
    moved_photo,
    no_way_back,
    photos_removed_since,
    photos_to_bring_back,
    removed_photo,
    replacing_photo,
    tiles_added,
    undo_all_since,
    without_photo,
    write_step,
)
from scorer_app.services.hand_rows import (
    WAITING,
    Overtaken,
    find_hand,
    find_match,
    find_photo,
    given_photos,
    glance_at,
    hand_to_edit,
    open_draft,
    photos_of,
    remember_record,
    rules_of,
    stored_record,
    working_record,
)
from scorer_app.services.next_hand import (
    AlreadyCounted,
    NextHand,
    check_shown,
    free_id,
    next_hand,
)
from scorer_app.services.step_details import changed_points, details_of, removed_details
from scorer_app.services.steps import StepKind, note_step, state_of, tell_step
from scorer_app.services.undoing import put_photos_back
from scorer_app.store import Edit, Hand, HandState, Match, Store
from scorer_app.store.tables import Json, now, token

# Edits that the match's history shows, with the device that made them.
TOLD = MappingProxyType({SetEnd: StepKind.END, SetMuerto: StepKind.MUERTO})


class Hands:
    """Begins, edits, saves and excludes hands, and tells the event bus of each change."""

    def __init__(self, store: Store, event_bus: EventBus) -> None:
        self.store = store
        self.event_bus = event_bus

    def begin(self, match_id: str) -> str:
        """Return the id of the match's unfinished hand, or of a new one.

        Raises NotFound. Raises EditRefused where a second hand would begin in a sample. A sample is
        a match made of the bundled photographs, and it has a single hand.
        """
        with self.store.writing() as session:
            match = find_match(session, match_id, to_change=True)
            if draft := open_draft(session, match.id):
                return draft.id
            position = self._next_position(session, match)
            if match.sample and position > 1:
                raise EditRefused(Refusal.SAMPLE, "a match that is no sample", match_id)
            hand = Hand(match_id=match.id, position=position, draft=Record().to_json())
            session.add(hand)
            match.touched = now()
            session.flush()
            return hand.id

    def edit(
        self,
        hand_id: str,
        edits: Sequence[KeyedOperation],
        device: str = "",
        device_id: str = "",
    ) -> None:
        """Apply edits in order, all or none. An edit whose key the hand knows already is skipped.
        The history notes which device said how the hand ended or who took the muerto: its name
        `device`, and `device_id`, which no other device has. Raises EditRefused and NotFound.

        A correction that these edits put back to what was saved is none any more; undo still takes
        them back.
        """
        told = [hand_id]
        with self.store.writing(durable=False) as session:
            hand = hand_to_edit(session, hand_id)
            match, record = hand.match, stored_record(hand)
            rules = rules_of(match)
            for edit in edits:
                if not is_known(session, hand, edit.key):
                    edit = without_gone_photo(session, hand, edit)
                    record = apply(record, edit.operation, rules)
                    write_step(session, hand, edit, record)
                    if kind := TOLD.get(type(edit.operation)):
                        said = edit.operation.to_json()
                        tell_step(session, match.id, kind, device, said, hand.id, device_id)
            forget_old_steps(session, hand)
            if drop_if_put_back(hand):
                record = Record.from_json(hand.record)
                told.append(hand.match_id)
        remember_record(hand, record)
        self.event_bus.tell(*told)

    def undo(self, hand_id: str, key: str | None = None) -> str | None:
        """Undo the last edit, if there is one. Returns the id of a photograph that the caller must
        have read anew, since it goes back to an area where it is read differently; None where there
        is none.

        `key` names the edit that the person means; without a key it is the last one. If the edit
        with the key is undone already, nothing is done. If it is no longer the last one, the tiles
        that it added are removed, and EditRefused is raised if it added none or one of them has
        changed since.

        Raises NotFound, and UnreadableRecord where the record from before the edit cannot be shown;
        nothing is changed then.
        """
        told, to_read = [hand_id], None
        with self.store.writing(durable=False) as session:
            hand = hand_to_edit(session, hand_id)
            if key is not None and is_undone(session, hand, key):
                return None
            last = last_step(session, hand.id)
            if key is not None and (last is None or last.key != key):
                self._take_back(session, hand, key)
                if drop_if_put_back(hand):
                    told.append(hand.match_id)
            elif last is None:
                return None
            else:
                before, to_read = self._before(session, hand, last)
                # A saved hand of which everything is undone is as it was saved.
                hand.draft = None if _is_as_saved(before, hand) else before
                last.undone, last.before = True, None
                hand.version += 1
                if hand.draft is None:  # the tally no longer says that it is being corrected
                    told.append(hand.match_id)
        self.event_bus.tell(*told)
        return to_read

    def _before(self, session: Session, hand: Hand, last: Edit) -> tuple[Json, str | None]:
        """Return the record from before the `last` edit of a hand, as JSON, and the id of a
        photograph that must be read anew, None where there is none. A photograph that the edit
        removed is back, one that it moved lies where it lay, and the one that took its place goes.
        Raises UnreadableRecord.
        """
        record, before = Record.from_json(last.before), cast(Json, last.before)
        if moved := moved_photo(last.operation):
            area = last.operation["side"], Place(last.operation["place"])
            return before, moved if move_back(session, moved, area, record) else None
        bring_back(session, removed_photo(last.operation))
        replacing = replacing_photo(last.operation)
        photo = find_photo(session, replacing, to_change=True) if replacing else None
        if photo is None:
            return before, None
        photo.removed = True
        return without_photo(session, hand, before, photo.id), None

    def _take_back(self, session: Session, hand: Hand, key: str) -> None:
        """Remove the tiles that the earlier edit with this `key` added and that are still there.
        Raises EditRefused where the edit added no tiles, or where one of them has been changed
        since.
        """
        record, added = working_record(hand), tiles_added(session, hand, key)
        present = [name for name in added if name in record.tiles]
        if not added or any(record.tiles[name] != added[name] for name in present):
            raise EditRefused(Refusal.CHANGED, "the last edit, or one that added tiles", key)
        rules = rules_of(hand.match)
        for name in present:
            removal = RemoveTile(name)
            record = apply(record, removal, rules)
            # The same tiles may be taken back again, once this removal has been undone.
            write_step(
                session, hand, KeyedEdit(own_key("taken-back", hand.version), removal), record
            )

    def save(
        self,
        hand_id: str,
        *,
        version: int | None = None,
        with_doubts: bool = False,
        device: str = "",
    ) -> None:
        """Save the draft: its record becomes the saved record, which counts in the tally unless the
        hand was taken out of it.

        A hand with open doubts is saved only if `with_doubts`. `version` is the version of the hand
        that the person saw; None skips this check. `device` is noted in the match's history. Raises
        NotFound. Raises EditRefused where doubts prevent saving, where a photograph is still to be
        read or a needed question is open, and where the hand has another version than `version`, or
        the hand or the rules of its match are changed at the same moment.
        """
        with self.store.reading() as session:
            hand = find_hand(session, hand_id)
            match, record, seen = hand.match, stored_record(hand), hand.version
            if version not in (None, seen):
                raise _changed_since(seen)
            rules, unread = rules_of(match), _count_unread(session, hand_id)
        asked, photos = questions(record, rules), given_photos(glance_at(self.store, hand_id)[1])
        asked = [*about_photos(record, photos, asked), *asked]
        check_may_save(record, asked, unread, with_doubts=with_doubts)
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            is_changed = hand.version != seen or rules_of(hand.match) != rules
            if is_changed or _count_unread(session, hand_id):
                raise _changed_since(hand.version)
            told = details_of(record, rules, photos_removed_since(session, hand))
            self._note(session, hand, StepKind.SAVED, device, told | _changed_points(hand, record))
            _saved_now(hand)
            hand.record, hand.draft = record.to_json(), None
            _changed(hand)
            no_way_back(session, hand.id)
        self.event_bus.tell(hand_id, hand.match_id)

    def save_counted(
        self,
        match_id: str,
        points: Counted,
        device: str = "",
        *,
        new_id: str | None = None,
        shown: NextHand | None = None,
    ) -> str:
        """Save a new hand without tiles: base and puntos of each side, as people counted them.

        `new_id` is the id of the form that was filled in: one form saves one hand, however often
        and with whatever points it comes. `shown` is the next hand for which that form was shown;
        without it nothing is compared. `device` is noted in the match's history. Returns the id of
        the hand. Raises NotFound, AlreadyCounted where the form has saved a hand before, and
        NextHandTaken where another hand was saved or begun since the form was shown.
        """
        with self.store.writing() as session:
            hand, moved = self._another(session, match_id, new_id or token(), shown)
            self._count(session, hand, points, device)
        self.event_bus.tell(hand.id, match_id, *([moved.id] if moved else []))
        return hand.id

    def correct_counted(
        self, hand_id: str, points: Counted, device: str = "", *, known: Record | None = None
    ) -> None:
        """Replace what a hand holds, which was `known` when it was corrected, by base and puntos of
        each side; without `known` nothing is compared. A hand that was taken out of the tally stays
        out of it. Raises NotFound, and Overtaken where the hand holds something else by now.
        """
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            if known is not None and Record.from_json(hand.record) != known:
                raise Overtaken(hand_id)
            self._count(session, hand, points, device)
        self.event_bus.tell(hand_id, hand.match_id)

    def _count(self, session: Session, hand: Hand, points: Counted, device: str) -> None:
        """Save a hand as one without tiles, and note it in the history of its match."""
        counted = counted_record(points)
        lost = removed_details(photos_removed_since(session, hand))
        told = lost | _changed_points(hand, counted)
        self._note(session, hand, StepKind.COUNTED, device, told)
        _saved_now(hand)
        hand.record, hand.draft = counted.to_json(), None
        _changed(hand)
        no_way_back(session, hand.id)

    def counted_from(self, match_id: str, new_id: str) -> str | None:
        """Return the id of the hand that the form with the id `new_id` has saved in this match;
        None where it has saved none.
        """
        with self.store.reading() as session:
            return free_id(session, match_id, new_id)[1]

    def next_hand(self, match_id: str) -> NextHand:
        """Return the hand that a match would have next. Raises NotFound."""
        with self.store.reading() as session:
            match = find_match(session, match_id)
            position = self._next_position(session, match)
            return next_hand(position, open_draft(session, match_id))

    def _another(
        self, session: Session, match_id: str, new_id: str, shown: NextHand | None
    ) -> tuple[Hand, Hand | None]:
        """Make a hand with the number after the last saved one, whose id is `new_id` or follows
        from it. The match's unfinished hand, if there is one, gets the number after that. Returns
        the new hand and the unfinished one. Raises NotFound, AlreadyCounted where the match has a
        saved hand of this id, and NextHandTaken where the next hand is no longer the `shown` one.
        """
        # A hand is locked before its match, as everywhere, so that no two wait for each other.
        draft = open_draft(session, match_id, to_change=True)
        match = find_match(session, match_id, to_change=True)
        draft = draft or open_draft(session, match_id)  # begun while this one waited
        hand_id, counted = free_id(session, match_id, new_id)
        if counted is not None:
            raise AlreadyCounted(counted)
        position = self._next_position(session, match)
        if shown:
            check_shown(session, match_id, shown, next_hand(position, draft))
        if draft:
            draft.position = position + 1
        hand = Hand(id=hand_id, match_id=match.id, position=position, match=match)
        session.add(hand)
        session.flush()
        return hand, draft

    def _next_position(self, session: Session, match: Match) -> int:
        """Return the number of a match's next hand. Drafts that were thrown away leave no gap."""
        kept = (Hand.match_id == match.id, Hand.record.is_not(None))
        return (session.scalar(select(func.max(Hand.position)).where(*kept)) or 0) + 1

    def _note(
        self, session: Session, hand: Hand, kind: StepKind, device: str, told: Json | None = None
    ) -> None:
        """Note a step of a hand; `told` is what the history tells of the hand besides."""
        note_step(session, hand.match_id, kind, device, state_of(hand), told or {}, hand.id)

    def discard(self, hand_id: str) -> None:
        """Throw away a hand that was never saved. Raises NotFound, and EditRefused for a hand that
        was saved, as another device may have done meanwhile.
        """
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            if hand.record is not None:
                raise EditRefused(Refusal.CHANGED, "a hand that was never saved", hand_id)
            _throw_away(session, hand)
        self.event_bus.tell(hand_id, hand.match_id)

    def set_excluded(self, hand_id: str, excluded: bool, device: str = "") -> None:
        """Take a saved hand out of the tally if `excluded`, else put it back. `device` is noted in
        the match's history. A hand that was never saved is thrown away if `excluded`, else left as
        it is. Where the hand is already as asked, the history gets no step.

        Raises NotFound.
        """
        wanted = HandState.EXCLUDED if excluded else HandState.SAVED
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            if hand.record is None and excluded:
                _throw_away(session, hand)
            elif hand.record is not None and hand.state != wanted:
                kind = StepKind.EXCLUDED if excluded else StepKind.INCLUDED
                self._note(session, hand, kind, device)
                hand.state = wanted
                _changed(hand)
        self.event_bus.tell(hand_id, hand.match_id)

    def drop_draft(self, hand_id: str) -> list[str]:
        """Discard the unsaved corrections of a saved hand, and the photographs that came for these
        corrections. Undo brings none of them back. The photographs that the corrections removed are
        back. A hand that was never saved stays as it is. Returns the ids of the discarded
        photographs, whose files the caller must erase. Raises NotFound.
        """
        dropped = []
        with self.store.writing() as session:
            hand = find_hand(session, hand_id, to_change=True)
            if hand.record is not None:
                for photo_id in photos_in_saved(hand) | photos_to_bring_back(session, hand.id):
                    bring_back(session, photo_id)
                session.flush()
                dropped = photos_of_draft(session, hand)
                for photo in dropped:
                    photo.removed = photo.erased = True
                put_photos_back(session, hand)
                hand.draft = None
                _changed(hand)
                undo_all_since(session, hand)
                no_way_back(session, hand.id)
        self.event_bus.tell(hand_id, hand.match_id)
        return [photo.id for photo in dropped]


def _throw_away(session: Session, hand: Hand) -> None:
    hand.state, hand.draft = HandState.EXCLUDED, None
    no_way_back(session, hand.id)
    _changed(hand)


def _changed(hand: Hand) -> None:
    """Give the hand and its match a new version."""
    hand.version += 1
    hand.match.version += 1


def _count_unread(session: Session, hand_id: str) -> int:
    """Count the photographs of a hand that are still to be read."""
    return sum(photo.state in WAITING for photo in photos_of(session, hand_id))


def _saved_now(hand: Hand) -> None:
    """Note that a hand is saved at this moment. A saved hand that was taken out of the tally stays
    out of it. To be called before the new record takes the place of the earlier one.
    """
    if hand.record is None or hand.state != HandState.EXCLUDED:
        hand.state = HandState.SAVED
    hand.saved = now()
    hand.match.touched = hand.saved


def _changed_points(hand: Hand, record: Record) -> Json:
    """Return what the history tells of the points of a hand that is saved with this record; nothing
    of one that was not saved before, and where its saved record or its rules cannot be read. To be
    called before the new record takes the place of the earlier one.
    """
    if hand.record is None:
        return {}
    try:
        return changed_points(Record.from_json(hand.record), record, rules_of(hand.match))
    except UnreadableRecord:
        return {}


def drop_if_put_back(hand: Hand) -> bool:
    """Drop the correction of a saved hand where it tells people what was saved. Returns whether it
    did. The version of the hand rises then, so that no device keeps its view of the correction.
    """
    if hand.state == HandState.DRAFT or hand.draft is None or not _is_as_saved(hand.draft, hand):
        return False
    hand.draft = None
    hand.version += 1
    return True


def _is_as_saved(draft: Json, hand: Hand) -> bool:
    """Whether a draft tells people what was saved of its hand."""
    saved = hand.record
    if saved is None or draft == saved:
        return draft == saved
    try:
        rules = rules_of(hand.match)
        return tells_the_same(Record.from_json(draft), Record.from_json(saved), rules)
    except UnreadableRecord:
        return False


def _changed_since(version: int) -> EditRefused:
    return EditRefused(Refusal.CHANGED, f"version {version}, the hand as it now is")
