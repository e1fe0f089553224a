"""Lists matches, a page at a time, however many there are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    Integer,
    ScalarSelect,
    Select,
    SQLColumnExpression,
    and_,
    bindparam,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Mapped, aliased

from engine.pieces import Pieces
from engine.rulesets import RULESETS
from scorer_app.services.holdings import Role
from scorer_app.services.matches import Matches
from scorer_app.services.tally import Tally
from scorer_app.services.unreadable import UnreadableMatch
from scorer_app.store import Hand, Holding, Match, Store

MOST_ALIKE = 50  # matches that are compared with another one


class Shelf(StrEnum):
    """The list in which a match stands. Each match stands in one."""

    PLAYED = "played"
    ARCHIVED = "archived"  # put away by a person
    SAMPLES = "samples"  # made of the bundled photographs


_OTHER = aliased(Match)
_LAST_TOUCHED = select(_OTHER.touched).where(_OTHER.id == bindparam("after"))


def _saved_hands(match: type[Match]) -> ScalarSelect[int]:
    """Return the query for the number of hands of `match` that have a saved record."""
    saved = (Hand.match_id == match.id, Hand.record.is_not(None))
    return select(func.count(Hand.id)).where(*saved).scalar_subquery()


_LIKE_ANOTHER = (
    select(Match.id)
    .join(_OTHER, and_(Match.side_a == _OTHER.side_a, Match.side_b == _OTHER.side_b))
    .where(_OTHER.id == bindparam("match"), Match.id != bindparam("match"))
    .where(~Match.deleted, ~Match.sample, _saved_hands(Match) == _saved_hands(_OTHER))
    .order_by((Match.created == _OTHER.created).desc(), Match.touched.desc())
    .limit(MOST_ALIKE)
)
_CREATED_WITH_ANOTHER = (
    select(Match.id)
    .join(_OTHER, Match.created == _OTHER.created)
    .where(_OTHER.id == bindparam("match"), Match.id != bindparam("match"))
    .where(~Match.deleted, ~Match.sample)
    .order_by(Match.touched.desc())
    .limit(MOST_ALIKE)
)
_ON_SHELF = MappingProxyType(
    {
        Shelf.PLAYED: (~Match.sample, ~Match.archived),
        Shelf.ARCHIVED: (~Match.sample, Match.archived),
        Shelf.SAMPLES: (Match.sample,),
    }
)


def _on_shelf(shelf: Shelf, held: bool) -> list[SQLColumnExpression[bool]]:
    """Return the conditions by which a query finds the matches on a shelf.

    `held` says that the query asks only for the few matches that a device scores. The conditions
    are then written so that no index of the shelf applies and the database begins with those few.
    """
    if not held:
        return [~Match.deleted, *_ON_SHELF[shelf]]
    wanted = {Match.deleted: False, Match.sample: shelf is Shelf.SAMPLES}
    if shelf is not Shelf.SAMPLES:
        wanted[Match.archived] = shelf is Shelf.ARCHIVED
    return [func.coalesce(column, not value).is_(value) for column, value in wanted.items()]


def _held(found: Select[Any], match_id: Mapped[str]) -> Select[Any]:
    """Return the query `found`, restricted to the matches that one device may score. The query
    returned has the parameter `holder`, the device. `match_id` is the column of the query that
    holds a match's id.
    """
    scored = (Holding.device == bindparam("holder"), Holding.role == Role.SCORER)
    return found.join(Holding, and_(Holding.match_id == match_id, *scored))


def _newest(shelf: Shelf, held: bool) -> Select[str]:
    found = (
        select(Match.id)
        .where(*_on_shelf(shelf, held))
        .order_by(Match.touched.desc(), Match.id.desc())
        .limit(bindparam("most", type_=Integer))
    )
    return _held(found, Match.id) if held else found


def _older(shelf: Shelf, held: bool) -> Select[str]:
    last = (_held(_LAST_TOUCHED, _OTHER.id) if held else _LAST_TOUCHED).scalar_subquery()
    return _newest(shelf, held).where(
        Match.touched <= last,  # lets an index find the first of them
        or_(Match.touched < last, Match.id < bindparam("after")),
    )


_KINDS = tuple((shelf, held) for shelf in Shelf for held in (False, True))
_NEWEST = MappingProxyType({kind: _newest(*kind) for kind in _KINDS})
_OLDER = MappingProxyType({kind: _older(*kind) for kind in _KINDS})
_PLAYED_LAST = MappingProxyType(
    {
        held: _newest(Shelf.PLAYED, held).with_only_columns(Match.pieces, Match.ruleset)
        for held in (False, True)
    }
)


@dataclass(frozen=True)
class PlayedLast:
    """What the match played last was played with, and by which ruleset."""

    pieces: Pieces
    ruleset: str  # its id


@dataclass(frozen=True)
class Listed:
    """A part of a shelf, the match played last first. `last` is the id of the last match in this
    part if older ones follow, else None.
    """

    matches: tuple[Tally | UnreadableMatch, ...]
    last: str | None

    @property
    def tallies(self) -> list[Tally]:
        """The tallies of the listed matches that this version of the program can show."""
        return [one for one in self.matches if isinstance(one, Tally)]

    @property
    def unreadable(self) -> list[UnreadableMatch]:
        """The listed matches that this version of the program cannot show."""
        return [one for one in self.matches if isinstance(one, UnreadableMatch)]


def listed(
    matches: Matches, shelf: Shelf, most: int, after: str | None = None, holder: str | None = None
) -> Listed:
    """List at most `most` matches of a shelf, the one played last first. With the id of a match as
    `after`, the list begins with the match played last before that one. With the name of a device
    as `holder`, only the matches that this device scores are listed.
    """
    if after and "\0" in after:  # PostgreSQL refuses such a text, and no match has such an id
        return Listed((), None)
    statement = (_OLDER if after else _NEWEST)[shelf, holder is not None]
    given = {"after": after, "holder": holder}
    values = {"most": most + 1, **{name: value for name, value in given.items() if value}}
    names = [row.id for row in matches.store.look(statement, values)]
    shown = names[:most]
    return Listed(tuple(matches.of(shown)), shown[-1] if len(names) > most else None)


def played_last(store: Store, holder: str | None = None) -> PlayedLast | None:
    """Tell of the match that was played last, put-away matches and samples left out; None where
    there is none, or where this version cannot show it. With the name of a device as `holder`, only
    the matches that this device scores count.
    """
    values = {"most": 1, **({} if holder is None else {"holder": holder})}
    for row in store.look(_PLAYED_LAST[holder is not None], values):
        if row.pieces in list(Pieces) and row.ruleset in RULESETS:
            return PlayedLast(Pieces(row.pieces), row.ruleset)
    return None


def perhaps_equal(matches: Matches, match_id: str) -> list[str]:
    """List the ids of the other matches between sides of the same names with as many saved hands:
    those created at the same moment, as copies are, and then the one played last first. They are at
    most MOST_ALIKE, and no samples.
    """
    return [row.id for row in matches.store.look(_LIKE_ANOTHER, {"match": match_id})]


def created_with(matches: Matches, match_id: str) -> list[str]:
    """List the ids of the other matches that were created at the same moment, as copies are, the
    one played last first. They are at most MOST_ALIKE, and no samples.
    """
    return [row.id for row in matches.store.look(_CREATED_WITH_ANOTHER, {"match": match_id})]
