"""Lists matches, a page at a time, however many there are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Integer, Select, and_, bindparam, or_, select
from sqlalchemy.orm import aliased

from scorer_app.services.matches import Matches, Tally
from scorer_app.services.unreadable import UnreadableMatch
from scorer_app.store import Match

MOST_OF_SAME_NAMES = 50


class Shelf(StrEnum):
    """Where a match is listed."""

    PLAYED = "played"
    ARCHIVED = "archived"  # put away by a person
    SAMPLES = "samples"  # made of the bundled photographs


_OTHER = aliased(Match)
_LAST_TOUCHED = select(_OTHER.touched).where(_OTHER.id == bindparam("after")).scalar_subquery()
_OF_SAME_NAMES = (
    select(Match.id)
    .join(_OTHER, and_(Match.side_a == _OTHER.side_a, Match.side_b == _OTHER.side_b))
    .where(_OTHER.id == bindparam("match"), Match.id != bindparam("match"))
    .where(~Match.deleted, ~Match.sample)
    .order_by(Match.touched.desc())
    .limit(MOST_OF_SAME_NAMES)
)
_ON_SHELF = {
    Shelf.PLAYED: (~Match.sample, ~Match.archived),
    Shelf.ARCHIVED: (~Match.sample, Match.archived),
    Shelf.SAMPLES: (Match.sample,),
}


def _newest(shelf: Shelf) -> Select[str]:
    return (
        select(Match.id)
        .where(~Match.deleted, *_ON_SHELF[shelf])
        .order_by(Match.touched.desc(), Match.id.desc())
        .limit(bindparam("most", type_=Integer))
    )


def _older(shelf: Shelf) -> Select[str]:
    return _newest(shelf).where(
        Match.touched <= _LAST_TOUCHED,  # an index finds where they begin
        or_(Match.touched < _LAST_TOUCHED, Match.id < bindparam("after")),
    )


_NEWEST = {shelf: _newest(shelf) for shelf in Shelf}
_OLDER = {shelf: _older(shelf) for shelf in Shelf}


@dataclass(frozen=True)
class Listed:
    """A part of a shelf, the match played last first. `last` is the id of its last match where
    older ones follow, else None.
    """

    matches: tuple[Tally | UnreadableMatch, ...]
    last: str | None

    @property
    def tallies(self) -> list[Tally]:
        """The matches that this version can show."""
        return [one for one in self.matches if isinstance(one, Tally)]

    @property
    def unreadable(self) -> list[UnreadableMatch]:
        """The matches that it cannot show."""
        return [one for one in self.matches if isinstance(one, UnreadableMatch)]


def listed(matches: Matches, shelf: Shelf, most: int, after: str | None = None) -> Listed:
    """List at most so many matches of a shelf: those played last, or those before the match
    `after`.
    """
    statement = (_OLDER if after else _NEWEST)[shelf]
    values = {"most": most + 1, **({"after": after} if after else {})}
    names = [row.id for row in matches.store.look(statement, values)]
    shown = names[:most]
    return Listed(tuple(matches.of(shown)), shown[-1] if len(names) > most else None)


def of_same_names(matches: Matches, match_id: str) -> list[str]:
    """List the other matches between sides of the same names that were played last, at most
    MOST_OF_SAME_NAMES, without samples.
    """
    return [row.id for row in matches.store.look(_OF_SAME_NAMES, {"match": match_id})]
