"""What `burako serve` prints at its start: where to go, for this machine and for phones."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import Flask

from scorer_app.serving.addresses import is_only_here
from scorer_app.web.security import join_code


def terminal_invitation(app: Flask, links: list[str]) -> str:
    """What `burako serve` prints: where to go, and the QR code and join code for phones on the
    network.
    """
    lines = ["", "Burako", *(f"  {link}" for link in links)]
    if is_only_here(urlsplit(links[-1]).hostname or ""):
        return "\n".join(
            [
                *lines,
                "  solo desde esta máquina / this machine only / solo da questa macchina",
                "",
                "Ctrl-C",
                "",
            ]
        )
    with app.app_context():
        code = join_code()
    drawn = io.StringIO()
    segno.make(f"{links[-1]}join#{code}", micro=False).terminal(drawn, compact=True)
    return "\n".join(
        [*lines, "", drawn.getvalue().rstrip(), f"  código / code: {code}", "", "Ctrl-C", ""]
    )
