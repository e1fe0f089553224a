"""How the history of a match knows a request's device: by a name, which several devices may have,
and by an id.
"""

from __future__ import annotations

import secrets

from flask import request, session

from scorer_app.hand.fields import without_controls
from scorer_app.store.tables import token

LONGEST = 40
# Numbers of devices that nobody has named. What several devices are called the history cannot tell
# apart; of twelve devices, two have one number in less than one match of a hundred.
NUMBERS = range(1000, 10_000)
# What a browser's User-Agent names, and what people call such a device; the first that fits counts.
_KINDS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
)


def device_name() -> str:
    """Return the name that a person gave this device or, without one, its kind and a random number,
    such as `iPhone 3719`.
    """
    given = session.get("device_name")
    if isinstance(given, str) and given:
        return given[:LONGEST]
    if "device_number" not in session:
        session["device_number"] = secrets.choice(NUMBERS)
    agent = request.headers.get("User-Agent", "")
    kind = next((name for sign, name in _KINDS if sign in agent), "Burako")
    return f"{kind} {session['device_number']}"


def device_id() -> str:
    """Return what tells this device from others of the same name; made when it is first asked
    for.
    """
    if "device_id" not in session:
        session["device_id"] = token()
    return str(session["device_id"])


def rename_device(name: str) -> None:
    """Keep a new name for this device, without invisible characters. An empty name gives the device
    back the name made from its kind and number.
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in name)
    session.permanent = True
    session["device_name"] = without_controls(printable)[:LONGEST]
