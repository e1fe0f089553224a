"""The session cookie, which holds the join code that a device sent, the device's language, and what
its next page is to say, such as the names in a form.

Sessions must survive a server whose clock is wrong, such as a small computer that keeps no time
while it is off.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import SignatureExpired, TimestampSigner, URLSafeTimedSerializer


class SkewTolerantSigner(TimestampSigner):
    """Accepts signatures whose time lies in the future, because the clock was set back since. A
    signature expires only by its age.
    """

    def unsign(
        self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False
    ) -> Any:
        value, signed = super().unsign(signed_value, return_timestamp=True)
        age = self.get_timestamp() - int(signed.timestamp())
        if max_age is not None and age > max_age:
            raise SignatureExpired(f"signature age {age} > {max_age} seconds", value, signed)
        return (value, signed) if return_timestamp else value


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions with `SkewTolerantSigner`. Answers with static files set no cookie: browsers
    would fetch the files anew whenever the cookie is renewed.
    """

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        serializer = super().get_signing_serializer(app)
        if serializer is not None:
            serializer.signer = SkewTolerantSigner
        return serializer

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure or super().get_cookie_secure(app)

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        return request.endpoint != "static" and super().should_set_cookie(app, session)


class PageResponse(Response):
    """A response whose cookies have their lifetime in seconds instead of a date of expiry. A server
    whose clock is years behind would give a date that, for the browser, has already passed.
    """

    def set_cookie(self, key: str, value: str = "", **named: Any) -> None:  # type: ignore[override]
        expires = named.get("expires")
        if isinstance(expires, datetime) and named.get("max_age") is None:
            seconds = round((expires - datetime.now(UTC)).total_seconds())
            named |= {"max_age": seconds, "expires": None}
        super().set_cookie(key, value, **named)
