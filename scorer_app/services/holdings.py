"""On a public server: which devices hold a link of a match, and what the link lets them do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from sqlalchemy import Select, bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from scorer_app.services.hand_rows import NotFound, find_match
from scorer_app.services.steps import StepKind, note_step
from scorer_app.store import Hand, Holding, Match, Photo, Store
from scorer_app.store.tables import token

# Devices that a match remembers in each role. A program that keeps no cookie counts as another
# device each time it opens the link.
MOST_HOLDERS = 200
MOST_VIEWED = 20  # most matches listed of those that a device may only look at


class Role(StrEnum):
    """What a link lets its holders do."""

    SCORER = "scorer"  # everything that concerns the match
    VIEWER = "viewer"  # look at the tally


_ROLE = (
    select(Holding.role)
    .join(Match, Match.id == Holding.match_id)
    .where(Holding.device == bindparam("device"), ~Match.deleted)
)
_OF_HAND = _ROLE.join(Hand, Hand.match_id == Match.id)
# By what an address names; the same statement runs whether or not there is such a thing.
_ROLES: Mapping[str, Select[str]] = MappingProxyType(
    {
        "match_id": _ROLE.where(Match.id == bindparam("named")),
        "hand_id": _OF_HAND.where(Hand.id == bindparam("named")),
        "photo_id": _OF_HAND.join(Photo, Photo.hand_id == Hand.id).where(
            Photo.id == bindparam("named")
        ),
    }
)
ADDRESSED = tuple(_ROLES)
_BY_LINK = select(Match.id).where(Match.scorer_token == bindparam("token"), ~Match.deleted)
_VIEWED = (
    select(Match.viewer_token, Match.side_a, Match.side_b)
    .join(Holding, Holding.match_id == Match.id)
    .where(Holding.device == bindparam("device"), Holding.role == Role.VIEWER, ~Match.deleted)
    .order_by(Match.touched.desc())
    .limit(MOST_VIEWED)
)


@dataclass(frozen=True)
class Viewed:
    """A match that a device may not score, but whose tally it may look at. `side_a` and `side_b`
    are the names of the sides.
    """

    viewer_token: str
    side_a: str
    side_b: str


def role_of(store: Store, device: str, **named: str) -> Role | None:
    """Return what a device may do with a match; None where the device holds no link of the match,
    or where there is no such match. The match is named by `match_id`, or by the `hand_id` or
    `photo_id` of one of its hands or photographs.

    Where several ids are given, return what the device may do with all that they name.
    """
    roles = set[Role]()
    for name, value in named.items():
        found = store.look(_ROLES[name], {"device": device, "named": value})
        if not found:
            return None
        roles.add(Role(found[0].role))
    return Role.VIEWER if Role.VIEWER in roles else next(iter(roles), None)


def hold_as_founder(session: Session, device: str, match_id: str) -> None:
    """Let the device that begins or imports a match score it, for as long as the match is there."""
    session.add(Holding(device=device, match_id=match_id, role=Role.SCORER, founder=True))


def hold(session: Session, device: str, match_id: str, role: Role) -> None:
    """Let a device hold a match in a role. A device that may score keeps that right when it opens a
    link for viewers.

    Where MOST_HOLDERS devices hold the match in that role already, the one that has held it longest
    loses its access; the device that began or imported the match keeps it and is not counted.
    """
    held = session.get(Holding, (device, match_id))
    if held is not None:
        held.role = role if role is Role.SCORER else held.role
        return
    its = (Holding.match_id == match_id, Holding.role == role, ~Holding.founder)
    first = select(Holding).where(*its).order_by(Holding.since).limit(1)
    count = session.scalar(select(func.count()).select_from(Holding).where(*its)) or 0
    if count >= MOST_HOLDERS:
        session.delete(session.scalars(first).one())
    session.add(Holding(device=device, match_id=match_id, role=role))


def hold_by_link(session: Session, device: str, match_id: str, role: Role, link: str) -> None:
    """Give a device a role in a match, because it has opened the link for that role; `link` is the
    token of the link that it opened. Raises NotFound where the link has been renewed, or the match
    deleted, meanwhile.
    """
    match = find_match(session, match_id, to_change=True)
    if getattr(match, f"{role}_token") != link:
        raise NotFound("match")
    hold(session, device, match_id, role)


def match_of_link(store: Store, scorer_token: str) -> str:
    """Return the id of the match whose link for scorers has this token. Raises NotFound."""
    found = store.look(_BY_LINK, {"token": scorer_token})
    if not found:
        raise NotFound("match")
    return str(found[0].id)


def viewed_by(store: Store, device: str) -> list[Viewed]:
    """List the matches that a device may only look at, the one played last first: at most
    MOST_VIEWED.
    """
    found: Sequence[tuple[str, str, str]] = store.look(_VIEWED, {"device": device})  # type: ignore[assignment]
    return [Viewed(*row) for row in found]


def renew_link(store: Store, match_id: str, role: Role, keeper: str, device: str) -> None:
    """Replace the match's link for a role by a new one. The old link is worthless from now on, and
    so is the access of everybody who opened it, except the device `keeper` and the one that began
    or imported the match. The history names `device` as the one that renewed the link. Raises
    NotFound.
    """
    its = (Holding.match_id == match_id, Holding.role == role)
    others = (*its, Holding.device != keeper, ~Holding.founder)
    with store.writing() as session:
        match = find_match(session, match_id, to_change=True)
        setattr(match, f"{role}_token", token())
        match.version += 1
        session.execute(delete(Holding).where(*others))
        note_step(session, match_id, StepKind.LINK, device, {}, {"role": str(role)})


def forget_holders(session: Session, match_id: str) -> None:
    """End the access of all devices that hold a link of a match, and replace its links by new ones
    that nobody knows.
    """
    session.execute(delete(Holding).where(Holding.match_id == match_id))
    gone = {"viewer_token": token(), "scorer_token": token()}
    session.execute(update(Match).where(Match.id == match_id).values(gone))
