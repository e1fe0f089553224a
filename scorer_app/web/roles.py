"""Who sends a request: the *host*, who decides about the server; a *scorer*, who has typed the join
code; or anybody else, who may look at a tally whose link they were given. On a public server there
is no host, and a scorer is whoever holds the link of the match that is asked for (`tenancy`).

The host is whoever has the host token. Unless the operator requires the token, the person at the
serving machine needs none. A request counts as that person's where it comes over the loopback, to a
loopback address, with no sign of a proxy.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import abort, g, request, session

from scorer_app.serving.addresses import is_only_here
from scorer_app.web.parts import parts, secret_key
from scorer_app.web.tenancy import Reach, is_public, reach

P = ParamSpec("P")
R = TypeVar("R")
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without characters that look alike
CODE_LENGTH = 6
PROXY_HEADERS = frozenset(
    {
        "forwarded",
        "via",
        "x-real-ip",
        "x-client-ip",
        "x-cluster-client-ip",
        "x-envoy-external-address",
        "x-original-host",
        "true-client-ip",
        "cf-connecting-ip",
        "fastly-client-ip",
    }
)


class Attempt(StrEnum):
    """What comes of an attempt to enter with a code or a token."""

    RIGHT = "right"
    WRONG = "wrong"
    TOO_MANY = "too_many"  # wrong ones came from this address: it does not learn what this one is


# --- the host ---


def is_host() -> bool:
    """Tell whether the request comes from the host."""
    if is_public():
        return False
    if "is_host" not in g:
        at_hand = not parts().config.host_by_token and _is_at_this_machine()
        g.is_host = _has_host_token() or at_hand
    return bool(g.is_host)


def host_token() -> str:
    """Return the token that makes a device the host. It is derived from the server's secret key and
    so outlives a restart.
    """
    return hmac.new(secret_key(), b"burako host", hashlib.sha256).hexdigest()[:32]


def try_to_be_host(token: str) -> Attempt:
    """Make the device the host if the token is right, and tell what came of it. A wrong token
    counts as a wrong join code.
    """
    attempt = _judged(token.strip(), host_token())
    if attempt is Attempt.RIGHT:
        session["host"] = _proof()
        session.permanent = True
    return attempt


def _has_host_token() -> bool:
    return bool(session.get("host")) and same(str(session["host"]), _proof())


def _proof() -> str:
    return hashlib.sha256(host_token().encode()).hexdigest()


def _is_at_this_machine() -> bool:
    """Whether the request comes from this machine, and not through a proxy on it.

    A proxy's requests come over the loopback as well. Nearly every proxy is recognised by a header,
    by a public name in `Host`, or by HTTP/1.0.
    """
    names = {name.lower() for name, _value in request.headers}
    proxied = bool(names & PROXY_HEADERS) or any(name.startswith("x-forwarded") for name in names)
    if proxied or request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0":
        return False
    try:
        named = urlsplit(f"//{request.host}").hostname or ""
        return ipaddress.ip_address(request.remote_addr or "").is_loopback and is_only_here(named)
    except ValueError:
        return False


# --- scorers ---


def may_write() -> bool:
    """Tell whether the request comes from a scorer; on a public server, from a scorer of the match
    that its address names. The answer is computed once for each request.
    """
    if is_public():
        return reach() is Reach.WRITE
    if "may_write" not in g:
        g.may_write = is_host() or (
            bool(session.get("code")) and same(str(session["code"]), join_code())
        )
    return bool(g.may_write)


def join_code() -> str:
    """Return the join code. Where there is none yet, the first one is made."""
    return str(parts().store.setting("join_code") or renew_join_code())


def renew_join_code() -> str:
    """Make a new join code. Devices that joined with the old one may no longer write."""
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    parts().store.set_setting("join_code", code)
    return code


def try_to_join(code: str) -> Attempt:
    """Let the device score if the code is right, and tell what came of it. Blanks and hyphens, with
    which a code is read aloud and noted, do not count.

    Wrong codes are counted for each network address: counted together, a few devices could keep
    everybody out. At six wrong codes a minute each, a thousand addresses need two months to try
    half of the 887 million codes.
    """
    attempt = _judged(re.sub(r"[\s-]", "", code).upper(), join_code())
    if attempt is Attempt.RIGHT:
        session["code"] = join_code()
        session.permanent = True
    return attempt


def _judged(given: str, secret: str) -> Attempt:
    """Return what comes of an attempt to enter with `given` where `secret` is wanted. Right ones
    do not count, so that any number of phones behind one address join at once. Once too many wrong
    ones have come from an address, it does not learn whether a further one is right.
    """
    right = same(given, secret)
    if not parts().join_limiter.allow(request.remote_addr or "", counts=not right):
        return Attempt.TOO_MANY
    return Attempt.RIGHT if right else Attempt.WRONG


def same(one: str, other: str) -> bool:
    """Whether two texts are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())


def scorers_only(view: Callable[P, R]) -> Callable[P, R]:
    """Restrict a view to scorers; anybody else gets 401."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if not may_write():
            abort(401)
        return view(*args, **kwargs)

    return guarded


def host_only(view: Callable[P, R]) -> Callable[P, R]:
    """Restrict a view to the host; anybody else gets 403."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if not is_host():
            abort(403, "host_only")
        return view(*args, **kwargs)

    return guarded
