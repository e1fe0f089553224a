"""What pages and templates ask of the running application, by name and with its type."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

from flask import Flask, Response, current_app, g, request, session
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from scorer_app.config import AppConfig
from scorer_app.hand.record import SIDES
from scorer_app.services.event_bus import Broadcaster
from scorer_app.services.hands import Hands
from scorer_app.services.intake import Intake
from scorer_app.services.matches import Matches, Tally
from scorer_app.services.reading_queue import ReadingQueue
from scorer_app.services.retention import Retention
from scorer_app.services.sets import ChosenSet, Sets
from scorer_app.services.teaching import Teacher
from scorer_app.store import Store
from scorer_app.texts.languages import DEFAULT, LANGUAGES, Language, choose
from scorer_app.texts.translator import catalogue, figure, translator
from scorer_app.web.hand_json import HandView
from scorer_app.web.roles import RateLimiter, is_host, may_write
from scorer_app.web.security import csrf_token


def config() -> AppConfig:
    return cast(AppConfig, current_app.extensions["burako_config"])


def store() -> Store:
    return cast(Store, current_app.extensions["store"])


def hands() -> Hands:
    return cast(Hands, current_app.extensions["hands"])


def matches() -> Matches:
    return cast(Matches, current_app.extensions["matches"])


def intake() -> Intake:
    return cast(Intake, current_app.extensions["intake"])


def sets() -> Sets:
    return Sets(store())


def chosen_set(tally: Tally) -> ChosenSet | None:
    """The set of tiles that a match is played with."""
    return sets().chosen(tally.match.tile_set_id)


def teacher() -> Teacher:
    return cast(Teacher, current_app.extensions["teacher"])


def retention() -> Retention:
    return cast(Retention, current_app.extensions["retention"])


def event_bus() -> Broadcaster:
    return cast(Broadcaster, current_app.extensions["event_bus"])


def upload_limiter() -> RateLimiter:
    return cast(RateLimiter, current_app.extensions["upload_limiter"])


def language() -> Language:
    """Choose the language of this request: the one picked on this device, else the browser's, else
    Spanish.
    """
    if "language" not in g:
        g.language = choose(session.get("language"), request.headers.get("Accept-Language"))
    return cast(Language, g.language)


def say(key: str, **values: object) -> str:
    """Look up a text in the language of this request."""
    return translator(language())(key, **values)


def hand_view() -> HandView:
    """Return the maker of hands' JSON, in the language of this request."""
    queue = cast(ReadingQueue, current_app.extensions["queue"])
    return HandView(store(), queue, config().reading_limit, translator(language()), language())


def script_texts() -> Markup:
    """Return the texts that scripts in the browser say, as JSON."""
    return _script_texts(language())


@cache
def _script_texts(code: Language) -> Markup:
    merged = {**catalogue(DEFAULT), **catalogue(code)}
    wanted = ("js.", "colour.", "tile.", "photo.stage.", "match.won")
    return htmlsafe_json_dumps(
        {key: text for key, text in merged.items() if key.startswith(wanted)}, ensure_ascii=False
    )


def install(app: Flask) -> None:
    """Give every template its functions and values, and every answer the headers that it varies
    with.
    """

    @app.context_processor
    def everywhere() -> dict[str, Any]:
        return {
            "say": translator(language()),
            "language": language(),
            "languages": LANGUAGES,
            "csrf": csrf_token(),
            "is_host": is_host(),
            "may_write": may_write(),
            "theme": session.get("theme", "auto"),
            "script_texts": script_texts,
            "signed": signed,
            "day": day,
            "share_hands": lambda tally: [
                [line.score.total(side) for side in SIDES] for line in tally.counted
            ],
        }

    @app.after_request
    def vary(response: Response) -> Response:
        if request.endpoint != "static":
            response.vary.update(("Accept-Language", "Cookie"))
        return response


def day(moment: datetime) -> str:
    """Write the day of a stored moment in this machine's time zone."""
    here = moment.replace(tzinfo=UTC).astimezone()
    return f"{here:%d %b %Y}" if language() == "en" else f"{here:%d/%m/%Y}"


def signed(points: int) -> str:
    """Write points with a minus sign and thin spaces at thousands, as score sheets do."""
    text = figure(abs(points), translator(language()))
    return f"−{text}" if points < 0 else text
