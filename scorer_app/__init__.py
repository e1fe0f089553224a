"""The application: it scores hands from photographs, keeps matches, and serves the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from scorer_app.config import AppConfig
    from scorer_app.services.reading_queue import PhotoReader


def create_app(config: AppConfig | None = None, reader: PhotoReader | None = None) -> Flask:
    """Make the Flask application from its settings, by default those of `AppConfig`.

    `reader` stands in for the networks that read photographs, for instance in tests; None leaves
    the reading to the networks. Flask is imported inside this function because `burako judge`
    imports the package too and must not wait for Flask.
    """
    from scorer_app.web.application import build

    return build(config, reader)


__all__ = ["create_app"]
