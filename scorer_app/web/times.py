"""Moments as a page shows them: in the time zone of the phone that asks, which its pages tell in
the cookie `zone`. Until that has come, in the zone of this machine.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from flask import request

COOKIE = "zone"
# America/Argentina/ComodRivadavia is the longest name. A name must not lead to another folder.
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
_MOST_LETTERS = 40


def zone() -> ZoneInfo | None:
    """Return the time zone of the device that asks; None, which stands for this machine's, where it
    has told none, or one that is not known here.
    """
    return known_zone(request.cookies.get(COOKIE, ""))


@lru_cache(maxsize=256)
def known_zone(name: str) -> ZoneInfo | None:
    """Return the time zone that is called `name`, such as Europe/Rome; None where there is none."""
    if len(name) > _MOST_LETTERS or not _NAME.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return None


def here(stored: datetime) -> datetime:
    """Return a moment that the store holds, in UTC, as a clock beside the asking device shows
    it.
    """
    return stored.replace(tzinfo=UTC).astimezone(zone())
