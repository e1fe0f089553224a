"""Keeps the matches of a public server apart: a device reaches a match, and what belongs to it,
only if it holds a link of that match.

Every request is judged by its address before its view runs. An address names the match, hand or
photograph that it is about. An address that names none of these is open to everybody if EVERYBODYS
lists it, and otherwise to nobody. A device gets the same answer for what it may not reach as for
what does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import Flask, Response, g, request, session

from scorer_app.config import Mode
from scorer_app.services.hand_rows import NotFound
from scorer_app.services.holdings import ADDRESSED, Role, hold_by_link, role_of
from scorer_app.services.quotas import QuotaCounter
from scorer_app.store.tables import token
from scorer_app.web.parts import parts, secret_key

P = ParamSpec("P")
R = TypeVar("R")
_DEVICE = "holder"  # the device's name in its cookie
# Addresses for programs. They keep no cookie, and send a credential where one is needed.
COOKIELESS = ("admin.metrics", "admin.show", "health.alive", "health.ready")
# Addresses that are about no match, or about those alone that the device holds.
EVERYBODYS = frozenset(
    {
        "static",
        *COOKIELESS,
        "api.session_facts",
        "description.openapi",
        "home.index",
        "home.manifest",
        "home.samples",
        "home.score_now",
        "links.accept",  # this view and the next check the link themselves
        "links.enter",
        "match_files.after_import",
        "match_files.take_in",
        "match_lists.older",
        "match_lists.statistics",
        "matches.create",
        "matches.new",
        "settings.set_device",
        "settings.show",
    }
)
# About a match, and yet for nobody here: the cameras and the sets of tiles of the server.
NOBODYS = frozenset(
    {
        "joining.others",
        "joining.renew",
        "joining.show_code",
        "live.start_camera",
        "live.stop_camera",
        "matches.choose_tiles",
    }
)


class Reach(IntEnum):
    """What a device may do at the address that it asks for."""

    NOTHING = 0
    LOOK = 1  # at a tally, by its link
    WRITE = 2


def install(app: Flask) -> None:
    """On a public server, answer with NotFound where a device asks for an address that it may not
    reach, and keep search engines away from all pages but the home page.
    """

    @app.before_request
    def part() -> None:
        if not is_public() or request.routing_exception is not None:
            return
        if _DEVICE not in session and request.endpoint not in ("static", *COOKIELESS):
            session[_DEVICE] = token()
            session.permanent = True
        if reach() is Reach.NOTHING:
            raise NotFound("match")

    @app.after_request
    def stay_out_of_indexes(response: Response) -> Response:
        if is_public() and request.endpoint != "home.index":
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
        return response


def is_public() -> bool:
    """Tell whether the server is public and so keeps the matches of strangers apart."""
    return parts().config.mode is Mode.PUBLIC


def holder() -> str | None:
    """Return the name by which the store knows this request's device as a holder of matches; None
    on a server at home, where every device sees all matches.
    """
    return str(session.get(_DEVICE, "")) if is_public() else None


def reach() -> Reach:
    """Return what this request may do in public mode. The answer is looked up once for each
    request.
    """
    if "reach" not in g:
        g.reach = _reach()
    found: Reach = g.reach
    return found


def public_only(view: Callable[P, R]) -> Callable[P, R]:
    """Make a view exist on a public server only; elsewhere NotFound is raised."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if not is_public():
            raise NotFound("link")
        return view(*args, **kwargs)

    return guarded


def remember(match_id: str, role: Role, link: str) -> None:
    """Note that this request's device has opened a link of the match that lets it do what `role`
    says; `link` is the link's token. Raises NotFound where the link has been renewed meanwhile.
    """
    known = role_of(parts().store, str(session[_DEVICE]), match_id=match_id)
    if known in (role, Role.SCORER):
        return  # the usual case: the device has opened the link before
    with parts().store.writing() as store:
        hold_by_link(store, str(session[_DEVICE]), match_id, role, link)


def quotas() -> QuotaCounter:
    """Return the counter of this server's quotas."""
    return QuotaCounter(parts().store, parts().config.quotas, b"burako quota" + secret_key())


def count_new_match() -> None:
    """Count a match that is begun now against the quota of the network that the request comes from.
    Raises QuotaSpent.
    """
    if is_public():
        quotas().begin_match(request.remote_addr or "")


def _reach() -> Reach:
    named = request.view_args or {}
    if request.endpoint in EVERYBODYS:
        return Reach.WRITE
    if request.endpoint is None or request.endpoint in NOBODYS:
        return Reach.NOTHING
    if "viewer_token" in named:
        return Reach.LOOK
    held = {name: str(named[name]) for name in ADDRESSED if name in named}
    device = holder()
    if not device or role_of(parts().store, device, **held) is not Role.SCORER:
        return Reach.NOTHING
    return Reach.WRITE
