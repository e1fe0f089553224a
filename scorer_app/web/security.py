"""Guards every request: by which name it addresses the server, where it comes from, and how much it
sends. Who may do what is decided in `roles`.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable
from math import ceil
from types import MappingProxyType
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request, session

from scorer_app.texts.translator import Translate
from scorer_app.web.parts import parts
from scorer_app.web.roles import may_write

P = ParamSpec("P")
R = TypeVar("R")
STRANGERS_BYTES = 64 * 2**10  # largest body from a stranger, who sends a join code or a language
OTHER_BYTES = 2**20  # largest body for a view without `takes_up_to`
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
HEADERS = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
            " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none';"
            " frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": (
            "camera=(self), screen-wake-lock=(self), geolocation=(), microphone=()"
        ),
    }
)


def install(app: Flask, allowed_hosts: frozenset[str]) -> None:
    """Make the application check every request, and send its security headers with every answer.

    A request may address the server by its IP address, by this machine's own names or by one of
    the names in `allowed_hosts`.
    """
    names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in allowed_hosts)}
    names |= {f"{name}.local" for name in names}
    names |= {_as_browsers_send(name) for name in names}

    @app.before_request
    def guard() -> None:
        if not host_is_ours(request.host, names):
            abort(421)
        if "\0" in request.path:  # PostgreSQL refuses a text with NUL
            abort(404)
        refuse_by_head()
        if request.method not in SAFE_METHODS:
            refuse_foreign_write()

    @app.after_request
    def seal(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def refuse_by_head() -> None:
    """Refuse a request by the size of its body, before any of the body is read. The answer is 413
    where the body is larger than the address takes. It is 401 where the body has more than
    STRANGERS_BYTES and comes from a device that may not write.
    """
    limit = request.max_content_length = _body_limit()
    size = request.content_length or 0
    if size > limit:
        abort(413)
    if size > STRANGERS_BYTES and not may_write():
        abort(401)


def too_large_in_words(say: Translate, most: int | None = None) -> str:
    """Return the sentence about a body that was refused as too large: how large it is, and how many
    bytes its address takes. `most` is given where a file may be smaller than the body around it.

    A body below that limit is refused, too, where its form has too many fields or too long ones.
    """
    size, limit = request.content_length or 0, most or request.max_content_length or 0
    if size <= limit:
        return say("error.form_too_large")
    return say("error.too_large", size=ceil(size / 2**20), limit=round(limit / 2**20))


def takes_up_to(setting: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for views. It limits the body of a request to as many bytes as the field
    `setting` of AppConfig says.
    """

    def mark(view: Callable[P, R]) -> Callable[P, R]:
        view.body_setting = setting  # type: ignore[attr-defined]
        return view

    return mark


def _body_limit() -> int:
    view = current_app.view_functions.get(request.endpoint or "")
    setting = getattr(view, "body_setting", None)
    if setting is None:
        return OTHER_BYTES
    return int(getattr(parts().config, setting))


def host_is_ours(host: str, names: set[str]) -> bool:
    """Tell whether `host`, the `Host` of a request, is an IP address or one of the `names` of this
    machine. A request that comes by an attack called DNS rebinding bears a name of the attacker's
    instead.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
    except ValueError:  # brackets that do not close
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


def _as_browsers_send(name: str) -> str:
    """Return a host's name as browsers send it. A name with letters beyond ASCII, such as
    `josé-pc`, is written as DNS writes it; a name that DNS cannot have stays as it is.
    """
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


def refuse_foreign_write() -> None:
    """Abort with 403 where a write does not come from a page of this server.

    The write must have this server's origin, if the browser sends one, and the token of its
    session.
    """
    if not _is_our_origin(request.headers.get("Origin")):
        abort(403, "cross_origin")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "cross_origin")
    sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    if not hmac.compare_digest(sent.encode(errors="replace"), csrf_token().encode()):
        abort(403, "csrf")


def _is_our_origin(origin: str | None) -> bool:
    try:
        return not origin or urlsplit(origin).netloc == request.host
    except ValueError:  # brackets that do not close
        return False


def csrf_token() -> str:
    """Return the token of this session; every request that changes something must carry it."""
    token: str = session.setdefault("csrf", secrets.token_urlsafe(18))
    return token
