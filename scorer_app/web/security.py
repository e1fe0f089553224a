"""Every request is met as hostile: whose name it calls us by, where it comes from, what it may
write, how often.

Roles: the *host* sits at the serving machine (loopback), a *scorer* has typed the join code,
everybody else may only look at a tally whose link they were given.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, request, session

from scorer_app.store import Store

P = ParamSpec("P")
R = TypeVar("R")
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that two people read differently
CODE_LENGTH = 6
STRANGERS_BYTES = 64 * 2**10  # of a body; theirs are a join code or a language
OTHER_BYTES = 2**20  # of a body where `takes_up_to` says nothing
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
        " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), screen-wake-lock=(self), geolocation=(), microphone=()",
}


def install(app: Flask, allowed_hosts: frozenset[str]) -> None:
    names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in allowed_hosts)}
    names |= {f"{name}.local" for name in names}

    @app.before_request
    def guard() -> None:
        if not host_is_ours(request.host, names):
            abort(421)
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
    """Refuses a body by its size alone, before any of it is read: too large for its address, or
    large and from somebody who may not write.
    """
    limit = request.max_content_length = _body_limit()
    size = request.content_length or 0
    if size > limit:
        abort(413)
    if size > STRANGERS_BYTES and not may_write():
        abort(401)


def takes_up_to(setting: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The view's body may have as many bytes as this setting of AppConfig says."""

    def mark(view: Callable[P, R]) -> Callable[P, R]:
        view.body_setting = setting  # type: ignore[attr-defined]
        return view

    return mark


def _body_limit() -> int:
    view = current_app.view_functions.get(request.endpoint or "")
    setting = getattr(view, "body_setting", None)
    if setting is None:
        return OTHER_BYTES
    return int(getattr(current_app.extensions["burako_config"], setting))


def host_is_ours(host: str, names: set[str]) -> bool:
    """DNS rebinding comes with a foreign name in `Host`; an address or a name of this machine does
    not.
    """
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


def refuse_foreign_write() -> None:
    """A write must come from our own page: same origin where the browser tells it, and the
    session's token always.
    """
    origin = request.headers.get("Origin")
    if origin and urlsplit(origin).netloc != request.host:
        abort(403, "cross_origin")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "cross_origin")
    sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    if not hmac.compare_digest(sent.encode(), csrf_token().encode()):
        abort(403, "csrf")


def csrf_token() -> str:
    token: str = session.setdefault("csrf", secrets.token_urlsafe(18))
    return token


# --- who may write ---


def is_host() -> bool:
    """At the serving machine itself; behind a proxy everybody would seem to be, so nobody is."""
    if "is_host" not in g:
        g.is_host = _is_host()
    return bool(g.is_host)


def _is_host() -> bool:
    if any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "Via")):
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def may_write() -> bool:
    """Asked several times in a request, looked up once."""
    if "may_write" not in g:
        g.may_write = is_host() or (
            bool(session.get("code")) and hmac.compare_digest(str(session["code"]), join_code())
        )
    return bool(g.may_write)


def join_code() -> str:
    """The code in force. A new one (see `renew_join_code`) takes the pen from everybody who joined
    with the old.
    """
    store: Store = current_app.extensions["store"]
    return str(store.setting("join_code") or renew_join_code())


def renew_join_code() -> str:
    store: Store = current_app.extensions["store"]
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    store.set_setting("join_code", code)
    return code


def try_to_join(code: str) -> bool:
    """Whether the code was right; attempts are counted by device and over all devices."""
    limiter: RateLimiter = current_app.extensions["join_limiter"]
    if not (limiter.allow(request.remote_addr or "") and limiter.allow("*", factor=5)):
        abort(429, "join_rate")
    right = hmac.compare_digest(code.strip().upper().encode(), join_code().encode())
    if right:
        session["code"] = join_code()
        session.permanent = True
    return right


def scorers_only(view: Callable[P, R]) -> Callable[P, R]:
    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if not may_write():
            abort(401)
        return view(*args, **kwargs)

    return guarded


def host_only(view: Callable[P, R]) -> Callable[P, R]:
    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if not is_host():
            abort(403, "host_only")
        return view(*args, **kwargs)

    return guarded


class RateLimiter:
    """At most `count` events a minute and key; keys that fall silent are forgotten."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._events: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def allow(self, key: str, factor: int = 1) -> bool:
        moment = time.monotonic()
        with self._lock:
            if len(self._events) > 1000:
                self._events = {
                    name: seen
                    for name, seen in self._events.items()
                    if seen and seen[-1] > moment - 60
                }
            seen = self._events.setdefault(key, deque())
            while seen and seen[0] < moment - 60:
                seen.popleft()
            if len(seen) >= self.count * factor:
                return False
            seen.append(moment)
            return True
