"""Sets of tiles in the store: how they are taught, learn from use, are shown and deleted. Each
change is one transaction: all of it is stored, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine.pieces import Pieces
from scorer_app.services.face_pictures import from_png, to_png
from scorer_app.services.set_rows import (
    find_example,
    find_set,
    kept_sets,
    matches_with,
    readable_examples,
    set_named,
)
from scorer_app.services.set_values import (
    ChangedCopies,
    ChosenSet,
    KeptSet,
    Learned,
    SetError,
    SetTrouble,
    changed_copies,
    clean_name,
    copies_in,
    odd_copies,
    options_noted,
    options_with,
    unknown_examples,
)
from scorer_app.services.steps import StepKind, note_step
from scorer_app.store import UNSYNCHRONIZED, Example, Match, OwnSet, Setting, Store, put_setting
from scorer_app.store.tables import now, token
from vision.own_set.examples import FaceExample, Origin, TileSet
from vision.own_set.same_set import shows_other_set

MOST_SETS = 40  # a family has one or two
_DEFAULT = "tile_set"  # setting: id of the set used last, empty after a match without one
_PLAYED_WITH = (
    select(Match.id, Match.side_a, Match.side_b, Match.touched)
    .where(Match.tile_set_id == bindparam("set"), ~Match.deleted)
    .order_by(Match.touched.desc(), Match.id.desc())
)
_LEARNED_FROM = select(Example.photo_id, Example.set_id).where(Example.hand_id == bindparam("hand"))
_VERSION = select(OwnSet.version).where(OwnSet.id == bindparam("set"))


class Sets:
    """Keeps the sets of tiles in one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # --- looked at ---

    def listed(self) -> list[KeptSet]:
        """Return all sets as lists show them, the one used last first. A set whose row is damaged
        is left out.
        """
        with self.store.reading() as session:
            return kept_sets(session)

    def find(self, name: str) -> KeptSet:
        """Return the set that is called `name`; capital and small letters count as the same. Raises
        SetError where there is no such set.
        """
        folded = clean_name(name).casefold()
        for one in self.listed():
            if one.name.casefold() == folded:
                return one
        raise SetError(SetTrouble.UNKNOWN, name)

    def of_id(self, set_id: str) -> KeptSet:
        """Return the set with that id. Raises SetError where no set has it."""
        for one in self.listed():
            if one.id == set_id:
                return one
        raise SetError(SetTrouble.UNKNOWN)

    def load(self, set_id: str) -> TileSet:
        """Return the set with all its examples, as a reader needs it. Raises SetError where no set
        has that id.
        """
        with self.store.reading() as session:
            own = find_set(session, set_id)
            examples = tuple(example for _row, example in readable_examples(session, set_id))
            return TileSet(own.name, examples, own.copies)

    def examples(self, set_id: str) -> list[Example]:
        """Return the database's rows of the set's examples that can be shown, oldest first."""
        with self.store.reading() as session:
            return [row for row, _example in readable_examples(session, set_id)]

    def picture(self, set_id: str, example_id: int) -> bytes | None:
        """Return the bytes of one example's PNG file; None where the set has no such example."""
        with self.store.reading() as session:
            row = session.get(Example, example_id)
        return row.picture if row and row.set_id == set_id and not row.dropped else None

    def learners(self, hand_id: str) -> dict[str, str]:
        """Map the ids of a hand's photographs from which a set has learned to the id of that
        set.
        """
        rows = self.store.look(_LEARNED_FROM, {"hand": hand_id})
        return {row.photo_id: row.set_id for row in rows if row.photo_id is not None}

    def chosen(self, set_id: str | None) -> ChosenSet | None:
        """Return what a reader needs to know of the set; None where `set_id` is None or no set has
        that id (any more).
        """
        is_id = bool(set_id) and "\0" not in str(set_id)  # PostgreSQL refuses a text with NUL
        found = self.store.look(_VERSION, {"set": set_id}) if is_id else ()
        if not set_id or not found:
            return None
        return ChosenSet(set_id, found[0].version, lambda: self.load(set_id))

    def played_with(self, set_id: str) -> Sequence[Row[Any]]:
        """Return the `id`, `side_a`, `side_b` and `touched` of each match that is played with the
        set, the one played last first.
        """
        return self.store.look(_PLAYED_WITH, {"set": set_id})

    def default(self) -> str | None:
        """Return the id of the set that new matches begin with: the one chosen or taught last. None
        where a person last chose to play without a set, and where the set has too few faces to read
        with.
        """
        set_id = self.store.setting(_DEFAULT)
        if not set_id:
            return None
        last = (one for one in self.listed() if one.id == set_id)
        return next((one.id for one in last if one.can_read), None)

    def known_photos(self, name: str, photos: Iterable[Iterable[FaceExample]]) -> int:
        """Count the photographs of which the set called `name` has the very pictures already, or an
        earlier one of these photographs has: nothing more is learned from them.
        """
        with self.store.reading() as session:
            own = set_named(session, clean_name(name))
            known = [one for _row, one in readable_examples(session, own.id)] if own else []
        count = 0
        for photo in photos:
            new = unknown_examples(photo, known)
            known += new
            count += not new
        return count

    # --- changed ---

    def teach(
        self,
        name: str,
        *photos: Iterable[FaceExample],
        replace: bool = False,
        adds: bool = False,
        alike: bool = False,
    ) -> KeptSet:
        """Add the examples of each photograph to the set called `name`, and return the set. Those
        of which the set has the very picture already, as from a photograph that is given again, are
        left out. A new set is made where no set has that name, unless `adds` says that the set is
        to learn more. With `replace` the earlier examples of the set are deleted. With `alike`
        every photograph has to show the set's tiles.

        Raises SetError for a text that is no name, where there are too many sets to make one, where
        the set that is to learn more is not there, and, with `alike`, for a photograph that seems
        to show the tiles of another set.
        """
        name = clean_name(name)
        with self.store.writing() as session:
            own = set_named(session, name)
            if own is None and adds:
                raise SetError(SetTrouble.FORGOTTEN, name)
            # Another device may make the set at this moment; it is there then.
            own = own or _new(session, name) or set_named(session, name)
            if own is None:  # and that device has forgotten it
                raise SetError(SetTrouble.UNKNOWN, name)
            if replace:
                session.execute(
                    delete(Example).where(Example.set_id == own.id),
                    execution_options=UNSYNCHRONIZED,
                )
            known = [example for _row, example in readable_examples(session, own.id)]
            more = list[tuple[Example, FaceExample]]()
            for number, photo in enumerate(photos):
                new = unknown_examples(photo, known)
                if alike and shows_other_set(new, known):
                    raise SetError(SetTrouble.OTHER_TILES, own.name, number)
                photo_id = token()
                more += [(Example(set_id=own.id, photo_id=photo_id), one) for one in new]
                known += new
            if more or replace:
                _keep(session, own, more)
            _use(session, own)
            set_id = own.id
        return self.of_id(set_id)

    def create(
        self, name: str, examples: Iterable[FaceExample], copies: Mapping[str, int] | None = None
    ) -> KeptSet:
        """Make a set from the examples of a file, such as a friend's, and return it. `copies` maps
        faces to the number of tiles with this face in the set; all other faces have the usual
        number. Raises SetError for a text that is no name, for the name of another set, and where
        there are too many sets.

        The new set becomes the default, unless a person has already chosen another default: a set
        that still exists, or no set.
        """
        name = clean_name(name)
        with self.store.writing() as session:
            other = set_named(session, name)
            own = None if other else _new(session, name)
            if own is None:
                raise SetError(SetTrouble.TAKEN, other.name if other else name)
            own.copies = odd_copies(copies or {})
            of_file = [(Example(set_id=own.id, imported=True), example) for example in examples]
            _keep(session, own, of_file)
            if not _is_chosen(session):
                _use(session, own)
            set_id = own.id
        return self.of_id(set_id)

    def learn(
        self,
        set_id: str,
        hand_id: str,
        learned: Sequence[Learned],
        unseen: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        """Bring the examples that the set has from this hand in line with `learned`.

        An example stays as it is if a person has named its face, or if its tile still has the same
        face. The row of an example that a person removed stays, too, so that the hand does not
        teach it again. All other examples are deleted. Those of `learned` are added for tiles of
        which nothing stays. A set that was forgotten meanwhile learns nothing.

        `unseen` maps a pair of ids, of a photograph and of a tile, to the tile's face. It holds the
        tiles that a person settled but whose photograph is deleted, damaged or out of reach. Such a
        tile keeps its example if the example shows this face, and gets no new one.
        """
        of_hand = (Example.set_id == set_id, Example.hand_id == hand_id)
        with self.store.writing() as session:
            own = session.get(OwnSet, set_id, with_for_update=True)
            if own is None:
                return
            known = session.scalars(select(Example).where(*of_hand)).all()
            wanted = {(one.photo_id, one.tile_id): one for one in learned}
            faces = {key: one.example.face for key, one in wanted.items()} | dict(unseen or {})
            stays = set()
            for row in known:
                key = (row.photo_id or "", row.tile_id or "")
                if _is_settled(row) or faces.get(key) == row.face:
                    stays.add(key)
                else:
                    session.delete(row)
            session.flush()
            new = [one for key, one in wanted.items() if key not in stays]
            if new or len(stays) < len(known):
                _keep(session, own, [(_row_of(set_id, hand_id, one), one.example) for one in new])

    def drop(self, set_id: str, example_id: int) -> None:
        """Remove an example from the set. One that was learned from a hand is not learned from that
        hand again. Raises SetError where the set has no such example.
        """
        with self.store.writing() as session:
            own, row = find_example(session, set_id, example_id)
            _remove(session, row)
            own.version += 1

    def drop_photo(self, set_id: str, photo_id: str) -> None:
        """Remove all that a photograph of rows has taught the set. Raises SetError where it has
        taught nothing, or where nothing of that is left.
        """
        taught = _of_photo(set_id, photo_id)
        with self.store.writing() as session:
            own = find_set(session, set_id, to_change=True)
            if not session.scalar(select(func.count()).select_from(Example).where(*taught)):
                raise SetError(SetTrouble.UNKNOWN)
            session.execute(delete(Example).where(*taught), execution_options=UNSYNCHRONIZED)
            own.version += 1

    def rename_face(self, set_id: str, example_id: int, face: str) -> None:
        """Say which face an example shows. Raises SetError where the set has no such example, and
        ValueError for a face that no tile has.
        """
        with self.store.writing() as session:
            own, row = find_example(session, set_id, example_id)
            example = FaceExample(face, from_png(row.picture))
            seen = {"hand_id": row.hand_id, "photo_id": row.photo_id, "tile_id": row.tile_id}
            session.delete(row)
            session.flush()
            _keep(session, own, [(Example(set_id=set_id, **seen), example)])

    def count(self, set_id: str, copies: Mapping[str, int | None], device: str = "") -> KeptSet:
        """Note how many copies the set has of the faces in `copies`; None stands for the usual
        number. The options of the matches that are played with the set are changed accordingly, and
        their history names the `device`. Returns the set. Raises SetError for an unknown set, and
        ValueError for a face that no tile has or a number that no set can have.
        """
        with self.store.writing() as session:
            own = find_set(session, set_id, to_change=True)
            former = own.copies
            own.copies = odd_copies({**former, **copies})
            for match in matches_with(session, set_id):
                if match.pieces != Pieces.TILES:  # it has changed to cards
                    continue
                options = options_noted(match.options, own.copies, former)
                if options != match.options:
                    changed = changed_copies(copies_in(match.options), copies_in(options))
                    _tell(session, match, StepKind.COPIES, device, own, changed)
                match.options = options
                match.version += 1
        return self.of_id(set_id)

    def rename(self, set_id: str, name: str) -> KeptSet:
        """Give the set another name, and return it. Raises SetError where no set has that id, for a
        text that is no name, and for the name of another set.
        """
        name = clean_name(name)
        with self.store.writing() as session:
            own = find_set(session, set_id, to_change=True)
            if own.name == name:
                return self.of_id(set_id)
            try:
                with session.begin_nested():
                    own.name, own.folded = name, name.casefold()
            except IntegrityError as error:
                other = set_named(session, name)
                raise SetError(SetTrouble.TAKEN, other.name if other else name) from error
        return self.of_id(set_id)

    def forget(self, set_id: str, device: str = "") -> None:
        """Delete the set and its examples. Matches that were played with the set have no set from
        then on, and their history names the `device`. Raises SetError where no set has that id.
        """
        with self.store.writing() as session:
            own = find_set(session, set_id, to_change=True)
            for match in matches_with(session, set_id):
                match.tile_set_id = None
                _tell(session, match, StepKind.FORGOTTEN, device, own)
                if match.pieces == Pieces.TILES:
                    match.options = options_with(match.options, {}, own.copies)
                match.version += 1
            session.execute(
                delete(Example).where(Example.set_id == set_id), execution_options=UNSYNCHRONIZED
            )
            session.delete(own)

    def choose(self, set_id: str | None) -> None:
        """Note what a match is played with, so that new matches begin with the same: the set with
        the id `set_id`, or no set where it is None. Raises SetError where there is no such set.
        """
        with self.store.writing(durable=False) as session:
            if set_id is None:
                put_setting(session, _DEFAULT, "")
            else:
                _use(session, find_set(session, set_id, to_change=True))


def _tell(
    session: Session,
    match: Match,
    kind: StepKind,
    device: str,
    own: OwnSet,
    copies: ChangedCopies | None = None,
) -> None:
    """Note in the history of a match what a device did to the match's set of tiles; `copies` are
    the numbers of copies that this changed in the match, if any.
    """
    told: dict[str, Any] = {"set": own.name} | ({"copies": copies} if copies else {})
    note_step(session, match.id, kind, device, before={}, after=told)


def _is_chosen(session: Session) -> bool:
    """Whether a person has chosen the set that new matches begin with, or has chosen that they
    begin without a set. The choice of a set that has been forgotten since does not count.
    """
    chosen = session.get(Setting, _DEFAULT)
    if chosen is None:
        return False
    set_id = str(chosen.value)
    return not set_id or session.get(OwnSet, set_id) is not None


def _use(session: Session, own: OwnSet) -> None:
    own.used = now()
    put_setting(session, _DEFAULT, own.id)


def _of_photo(set_id: str, photo_id: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the examples that a photograph of rows has taught a set."""
    of_set, of_photo = Example.set_id == set_id, Example.photo_id == photo_id
    return of_set, of_photo, Example.hand_id.is_(None)


def _is_settled(row: Example) -> bool:
    """Whether a person has decided on this very example, by removing it or naming its face."""
    return row.dropped or row.origin == Origin.TAUGHT


def _remove(session: Session, row: Example) -> None:
    """Remove an example. The database keeps the row of an example that was learned from a hand, but
    without its picture, so that the hand does not teach the example again.
    """
    if row.hand_id is None:
        session.delete(row)
    else:
        row.dropped, row.picture = True, b""


def _new(session: Session, name: str) -> OwnSet | None:
    """Make a set called `name`; None where another device has made one of that name since the
    caller looked. Raises SetError where there are too many sets.
    """
    if (session.scalar(select(func.count()).select_from(OwnSet)) or 0) >= MOST_SETS:
        raise SetError(SetTrouble.TOO_MANY, MOST_SETS)
    own = OwnSet(name=name, folded=name.casefold(), version=0)
    try:
        with session.begin_nested():
            session.add(own)
    except IntegrityError:
        return None
    return own


def _row_of(set_id: str, hand_id: str, one: Learned) -> Example:
    named = {"hand_id": hand_id, "photo_id": one.photo_id, "tile_id": one.tile_id}
    return Example(set_id=set_id, **named)


def _keep(session: Session, own: OwnSet, more: Sequence[tuple[Example, FaceExample]]) -> None:
    """Add examples to a set. `more` pairs a new row of the database, which has no picture yet, with
    its example. Where a face then has more examples than a set may hold, the surplus ones are
    removed. A removed example whose face a person had named is not learned again from its hand.
    """
    known = [*readable_examples(session, own.id)]
    before = TileSet(own.name, tuple(example for _row, example in known))
    after = before.with_examples(example for _row, example in more)
    kept = {id(example) for example in after.examples}
    for row, example in known:
        if id(example) not in kept:
            if _is_settled(row):
                _remove(session, row)
            else:
                session.delete(row)
    for row, example in more:
        if id(example) in kept:
            row.face, row.origin = example.face, example.origin
            row.picture = to_png(example.crop)
            session.add(row)
    own.version += 1
