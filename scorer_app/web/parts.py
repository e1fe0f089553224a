"""The services and limits that a running application has besides its pages."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, current_app

from scorer_app.config import AppConfig
from scorer_app.services.bus_relay import BusRelay
from scorer_app.services.event_bus import EventBus
from scorer_app.services.hands import Hands
from scorer_app.services.intake import Intake
from scorer_app.services.matches import Matches
from scorer_app.services.reading_queue import Stages
from scorer_app.services.retention import Retention
from scorer_app.services.teaching import Teacher
from scorer_app.store import Store
from scorer_app.watch.tables import Watches
from scorer_app.web.rate_limits import RateLimiter

_KEY = "burako"


@dataclass(frozen=True)
class Parts:
    """The configuration, the services and the limits of one application. Each limiter counts how
    often a network address does one thing: sends a frame of a watched table, tries to join, or
    uploads a photograph.
    """

    config: AppConfig
    store: Store
    event_bus: EventBus
    bus_relay: BusRelay
    queue: Stages
    hands: Hands
    matches: Matches
    intake: Intake
    retention: Retention
    teacher: Teacher
    watches: Watches
    frame_limiter: RateLimiter
    join_limiter: RateLimiter
    upload_limiter: RateLimiter


def furnish(app: Flask, made: Parts) -> None:
    """Store the parts of an application in the application, where `parts_of` finds them."""
    app.extensions[_KEY] = made


def parts_of(app: Flask) -> Parts:
    """Return the Parts that `furnish` stored in the application."""
    found: Parts = app.extensions[_KEY]
    return found


def parts() -> Parts:
    """Return the parts of the application that answers the request under way."""
    return parts_of(current_app)


def secret_key() -> bytes:
    """Return the key that signs the sessions of the application that answers the request under way;
    other secrets of the server are derived from it.
    """
    key = current_app.secret_key
    return key if isinstance(key, bytes) else str(key).encode()
