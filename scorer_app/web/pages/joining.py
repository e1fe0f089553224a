"""Invites others at the table: a link lets them look at the tally, a code lets them score. Both are
also shown as QR codes.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug import Response as AnyResponse

from scorer_app.services.holdings import Role
from scorer_app.serving.addresses import bracketed, is_only_here, network_address
from scorer_app.web.pages.api import match_stream
from scorer_app.web.pages.context import config, matches, say
from scorer_app.web.roles import (
    Attempt,
    host_only,
    is_host,
    join_code,
    may_write,
    renew_join_code,
    scorers_only,
    try_to_be_host,
    try_to_join,
)
from scorer_app.web.tenancy import is_public, remember

pages = Blueprint("joining", __name__)
LONGEST_WAY_BACK = 500  # letters of an address to which a page leads back
# A path on this server and its parameters. Two slashes or a backslash would name another server.
_OWN_PAGE = re.compile(
    r"/(?:[\w.-]+(?:/[\w.-]+)*)?(?:\?(?:[\w.=&+-]|/(?!/)|%[0-9A-Fa-f]{2})*)?", re.ASCII
)


@pages.get("/join")
def ask() -> str | AnyResponse:
    """Ask for the join code. The parameter `to` is the page to which the person then returns."""
    to = page_to_return_to()
    return redirect(to) if may_write() else render_template("join.html", to=to)


@pages.post("/join")
def join() -> tuple[str, int] | AnyResponse:
    """Let a device take part as a scorer if it sends the right join code, and lead it to the page
    that the parameter `to` names. Otherwise the form is shown again.
    """
    to, code = page_to_return_to(), request.form.get("code", "")
    attempt = try_to_join(code)
    if attempt is Attempt.RIGHT:
        return redirect(to, 303)
    return _asked_again("join.html", attempt, code, to=to)


def page_to_return_to() -> str:
    """Return the address of a page of this server that the parameter `to` names; the home page's
    address where it names none, or where the address is longer than LONGEST_WAY_BACK.
    """
    to = request.args.get("to", "/")
    return to if len(to) <= LONGEST_WAY_BACK and _OWN_PAGE.fullmatch(to) else "/"


@pages.get("/host")
def ask_for_token() -> str | AnyResponse:
    """Show the form that asks for the host token. `burako serve --host-access token` prints the
    token for the host, who decides about the server. A device that is known as the host's is sent
    to the start page.
    """
    return redirect("/") if is_host() else render_template("host.html")


@pages.post("/host")
def become_host() -> tuple[str, int] | AnyResponse:
    """Give a device the rights of the host, who decides about the server, if it sends the right
    host token. Otherwise the form is shown again.
    """
    token = request.form.get("code", "")
    attempt = try_to_be_host(token)
    if attempt is Attempt.RIGHT:
        return redirect("/", 303)
    return _asked_again("host.html", attempt, token)


def _asked_again(template: str, attempt: Attempt, code: str, **values: str) -> tuple[str, int]:
    """Show a form for a code or a token again after an attempt that failed. What was
    refused because too many wrong ones came before stays in the form: it may well be right.
    """
    is_limited = attempt is Attempt.TOO_MANY
    page = render_template(template, failed=attempt, code=code if is_limited else "", **values)
    return page, 429 if is_limited else 403


@pages.get("/matches/<match_id>/others")
@scorers_only
def others(match_id: str) -> str:
    """Show the page with the link to the tally, which any scorer may send to others."""
    tally = matches().tally(match_id)
    base = base_url()
    view = base and base + url_for("joining.watch", viewer_token=tally.match.viewer_token)
    return render_template(
        "others.html", tally=tally, view=view, view_code=view and qr(view), code=None
    )


@pages.get("/matches/<match_id>/others/code")
@host_only
def show_code(match_id: str) -> str:
    """Show the code by which a device joins as a scorer, and the address at which it is typed.
    Only the host, who decides about the server, gets to see the code.
    """
    tally, code, base = matches().tally(match_id), join_code(), base_url()
    if base is None:
        return render_template("others.html", tally=tally, view=None, code=None)
    return render_template(
        "others.html", tally=tally, code=code, address=base, code_code=qr(f"{base}/join#{code}")
    )


@pages.post("/matches/<match_id>/others/renew")
@host_only
def renew(match_id: str) -> AnyResponse:
    """Make a new join code. Devices that joined with the old one can only look from now on."""
    renew_join_code()
    return redirect(url_for("joining.show_code", match_id=match_id), 303)


@pages.get("/v/<viewer_token>")
def watch(viewer_token: str) -> str:
    """Show the tally to whoever has its link."""
    tally = matches().of_viewer(viewer_token)
    if is_public():
        remember(tally.match.id, Role.VIEWER, viewer_token)
    return render_template("viewer.html", tally=tally)


@pages.get("/v/<viewer_token>/events")
def watch_events(viewer_token: str) -> Response:
    """Answer with a stream of events, one for each change of the match. Whoever has the link to the
    tally may ask for it.
    """
    return match_stream(matches().of_viewer(viewer_token).match.id)


def base_url() -> str | None:
    """Return the address at which other devices reach this server.

    A browser on the server's own machine may have asked for `localhost`; the address returned names
    the machine in its network instead. None where no other machine reaches the server: it listens
    to this one alone, or is in no network.
    """
    if is_public():
        return request.host_url.rstrip("/")
    here = urlsplit(request.host_url)
    name = here.hostname
    if is_only_here(name or ""):
        name = None if config().only_here else network_address()
    if name is None:
        return None
    port = f":{here.port}" if here.port else ""
    return f"{here.scheme}://{bracketed(name)}{port}"


def qr(link: str) -> Markup:
    """Draw a link as a QR code, in SVG."""
    drawn = segno.make(link, micro=False).svg_inline(
        border=2, omitsize=True, light="#fff", dark="#10241c"
    )
    return Markup(drawn.replace("<svg ", f'<svg role="img" aria-label="{say("join.qr")}" '))
