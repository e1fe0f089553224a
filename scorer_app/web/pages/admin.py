"""The pages for whoever runs a server: its load, its queue and its failures, but nothing of what
anybody plays. They need a token of their own, which comes from the environment.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import Blueprint, Response, abort, current_app, make_response, render_template, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from scorer_app.services.hand_rows import NotFound
from scorer_app.services.overview import overview
from scorer_app.web.metrics import metrics_of
from scorer_app.web.pages.context import config, event_bus, store
from scorer_app.web.parts import parts
from scorer_app.web.roles import same

P = ParamSpec("P")
R = TypeVar("R")
pages = Blueprint("admin", __name__)


def admin_only(view: Callable[P, R]) -> Callable[P, R]:
    """Restrict a view to requests with the admin's token, sent as a bearer token or as a password
    with any user name. Other requests get 401, or 429 after too many wrong tokens. On a server
    without such a token the page does not exist.
    """

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        token, sent = config().admin_token, request.authorization
        if token is None:
            raise NotFound("page")
        given = sent and (sent.token or sent.password)
        if given and same(given, token):
            return view(*args, **kwargs)
        if given and not parts().join_limiter.allow(f"admin {request.remote_addr}"):
            abort(429, "join_rate")
        raise Unauthorized("admin", www_authenticate=WWWAuthenticate("basic", {"realm": "Burako"}))

    return guarded


@pages.get("/admin")
@admin_only
def show() -> str:
    """Show the server's load, its queue of photographs to be read, and its failures."""
    counted = metrics_of(current_app)
    load = [f"{part:.2f}" for part in os.getloadavg()] if hasattr(os, "getloadavg") else []
    return render_template(
        "admin.html",
        work=overview(store()),
        streams=event_bus().open_streams,
        most_streams=config().watchers,
        load=load,
        cores=os.cpu_count(),
        broken=counted.broken() if counted else None,
    )


@pages.get("/metrics")
@admin_only
def metrics() -> Response:
    """Send all counts in Prometheus' text format. Raises NotFound where there are no counts."""
    counted = metrics_of(current_app)
    if counted is None:
        raise NotFound("metrics")
    return make_response(counted.told(), {"Content-Type": "text/plain; version=0.0.4"})
