"""What `burako serve` prints when it starts: the addresses to open on this machine and on
phones.
"""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import Flask

from scorer_app.config import AppConfig, Mode
from scorer_app.serving.addresses import is_only_here
from scorer_app.web.parts import parts_of
from scorer_app.web.roles import host_token, join_code


def terminal_invitation(app: Flask, links: list[str]) -> str:
    """Return the text to print: the addresses in `links`, one a line. For phones on the network it
    also shows the join code, and a QR code that leads to the last address and holds the join code.
    On a public server it shows neither of these codes.

    Where only the host token makes a device the host, a link for the host is added, which holds
    that token.
    """
    config: AppConfig = parts_of(app).config
    if config.mode is Mode.PUBLIC:
        return "\n".join(["", "Burako", *(f"  {link}" for link in links), "", "Ctrl-C", ""])
    with app.app_context():
        code, token = join_code(), host_token()
    lines = ["", "Burako", *(f"  {link}" for link in links)]
    if config.host_by_token:
        lines.append(f"  anfitrión / host / padrone di casa: {links[0]}host#{token}")
    if is_only_here(urlsplit(links[-1]).hostname or ""):
        lines.append("  solo desde esta máquina / this machine only / solo da questa macchina")
    else:
        drawn = io.StringIO()
        segno.make(f"{links[-1]}join#{code}", micro=False).terminal(drawn, compact=True)
        lines += ["", drawn.getvalue().rstrip(), f"  código / code: {code}"]
    return "\n".join([*lines, "", "Ctrl-C", ""])
