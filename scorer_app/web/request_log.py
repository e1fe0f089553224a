"""Gives each request a name, and logs the request when it is answered. This is done in a cluster
only, where several processes serve one PostgreSQL.

A line of the log holds no link, no person's name and no network address. In place of the URL that
was requested it holds only the route, such as `/matches/<match_id>`.
"""

from __future__ import annotations

import logging
import re
import time
from functools import partial

from flask import Flask, Response, g, request

from scorer_app.serving.json_lines import REQUEST
from scorer_app.store.tables import token
from scorer_app.web.parts import parts_of

HEADER = "X-Request-ID"
_NAME = re.compile(r"[\w.-]{8,64}")
_SECRETS = frozenset({"scorer_token", "viewer_token"})  # parts of an address that open a match
log = logging.getLogger(__name__)


def install(app: Flask) -> None:
    """In a cluster, name each request and log it when it is answered."""
    config = parts_of(app).config
    if not config.cluster:
        return

    app.before_request(partial(_name_request, bool(config.trusted_proxies)))
    app.after_request(_tell_of_request)
    app.teardown_request(_forget_request)


def _name_request(is_named_before: bool) -> None:
    """Give the request a name. With `is_named_before`, the name that a trusted proxy has sent is
    taken if it is well-formed. In all other cases the name is new.
    """
    sent = request.headers.get(HEADER, "") if is_named_before else ""
    g.request_name = sent if _NAME.fullmatch(sent) else token(9)
    g.came = time.perf_counter()
    REQUEST.set(g.request_name)


def _tell_of_request(response: Response) -> Response:
    """Put the name of the request into a header of the answer, and log the request unless it was
    for a static file. Return the answer.
    """
    if "request_name" not in g:
        return response
    response.headers[HEADER] = g.request_name
    told = {
        "method": request.method,
        "route": str(request.url_rule or ""),
        "status": response.status_code,
        "ms": round(1000 * (time.perf_counter() - g.came), 1),
    }
    if request.endpoint != "static":
        log.info("request", extra={"told": told})
    return response


def _forget_request(_error: BaseException | None) -> None:
    REQUEST.set("")


def logged_path() -> str:
    """Return the path of this request as a log may hold it. Where the path itself gives access to a
    match, only the route is returned.
    """
    if request.url_rule is not None and _SECRETS & (request.view_args or {}).keys():
        return request.url_rule.rule
    return request.path
