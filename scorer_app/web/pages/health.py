"""The addresses at which a proxy or a supervisor asks whether a process works. They tell nothing
else.
"""

from __future__ import annotations

from flask import Blueprint, Response
from sqlalchemy import select

from scorer_app.store import StoreUnavailable
from scorer_app.web.pages.context import store

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def alive() -> Response:
    """Answer 200 as long as the process answers at all."""
    return Response("ok\n", mimetype="text/plain")


@pages.get("/readyz")
def ready() -> Response:
    """Answer 200 where the process can answer pages, 503 while its database cannot be reached."""
    try:
        store().look(select(1), {})
    except StoreUnavailable:
        return Response("no database\n", 503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain")
