"""The two links of a match on a public server, one to score it and one to look at it: opening,
showing and renewing them.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug import Response

from scorer_app.services.event_bus import links_topic
from scorer_app.services.holdings import Role, match_of_link, renew_link
from scorer_app.web.devices import device_name
from scorer_app.web.pages.context import event_bus, matches, store
from scorer_app.web.pages.joining import base_url, qr
from scorer_app.web.roles import scorers_only
from scorer_app.web.tenancy import holder, public_only, remember

pages = Blueprint("links", __name__)


@pages.get("/m/<scorer_token>")
@public_only
def enter(scorer_token: str) -> str | Response:
    """Let a device score a match whose link it was given.

    Where another website led here, a person is asked first: that site could otherwise slip its own
    match in among the person's matches.
    """
    match_id = match_of_link(store(), scorer_token)
    if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        return render_template("enter.html", tally=matches().tally(match_id))
    return _entered(match_id, scorer_token)


@pages.post("/m/<scorer_token>")
@public_only
def accept(scorer_token: str) -> Response:
    """Let a device score a match after a person has confirmed that they want to enter it."""
    return _entered(match_of_link(store(), scorer_token), scorer_token)


def _entered(match_id: str, scorer_token: str) -> Response:
    remember(match_id, Role.SCORER, scorer_token)
    return redirect(url_for("matches.show", match_id=match_id), 303)


@pages.get("/matches/<match_id>/links")
@scorers_only
@public_only
def show(match_id: str) -> str:
    """Show both links of a match to whoever scores it."""
    tally = matches().tally(match_id)
    paths = {
        Role.SCORER: url_for("links.enter", scorer_token=tally.match.scorer_token),
        Role.VIEWER: url_for("joining.watch", viewer_token=tally.match.viewer_token),
    }
    links = {role: f"{base_url()}{path}" for role, path in paths.items()}
    codes = {role: qr(link) for role, link in links.items()}
    return render_template("links.html", tally=tally, links=links, codes=codes)


@pages.post("/matches/<match_id>/links")
@scorers_only
@public_only
def renew(match_id: str) -> Response:
    """Replace the link to score the match or the one to look at it, as the form says. The old link,
    and the devices that opened it, no longer reach anything; the device that asks for it, and the
    one that began or imported the match, go on scoring.
    """
    named = request.form.get("role", "")
    if named not in list(Role):
        abort(422)
    renew_link(store(), match_id, Role(named), holder() or "", device_name())
    event_bus().tell(match_id, links_topic(match_id))
    return redirect(url_for("links.show", match_id=match_id), 303)
