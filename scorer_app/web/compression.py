"""Sends the page's scripts and styles compressed, to browsers that accept gzip.

Only static text is compressed. A page also carries a secret (its CSRF token), whose letters the
length of a compressed answer could betray.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

TEXT_TYPES = ("text/javascript", "text/css", "image/svg+xml")


def install(app: Flask) -> None:
    """Make the application compress its static text for browsers that accept it."""

    @app.after_request
    def compress(response: Response) -> Response:
        if request.endpoint != "static" or response.mimetype not in TEXT_TYPES:
            return response
        response.vary.add("Accept-Encoding")
        if response.status_code == 200 and request.accept_encodings["gzip"]:
            _compress(response)
        return response


def _compress(response: Response) -> None:
    response.direct_passthrough = False
    response.set_data(_gzip(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    etag, _ = response.get_etag()
    if etag:
        # A weak ETag: the compressed answer has other bytes than the plain one for the same text.
        response.set_etag(etag, weak=True)


@lru_cache(maxsize=128)
def _gzip(plain: bytes) -> bytes:
    return gzip.compress(plain, compresslevel=9, mtime=0)
