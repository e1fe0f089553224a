"""The server under attack: one real `burako serve`, and the devices of host, scorer, viewer and
stranger.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
import urllib3

from scorer_app.services.face_pictures import to_png
from tests.places import SAMPLES
from tests.scorer_app.own_sets import drawn_crop
from tests.scorer_app.served import PATIENCE, Served

urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
ROLES = ("host", "scorer", "viewer", "stranger")
# A request that passed through a proxy is nobody's at the serving machine, so these devices are
# guests although they connect from it.
FROM_AFAR = {"Via": "1.1 attack"}


@dataclass
class Device:
    """One browser: a session with its cookies, and the token that its writes must carry."""

    role: str
    base: str
    session: requests.Session

    @classmethod
    def of(cls, role: str, base: str) -> Device:
        session = requests.Session()
        session.trust_env = False
        session.verify = False  # the server's certificate is its own
        session.headers.update({} if role == "host" else FROM_AFAR)
        device = cls(role, base, session)
        session.headers["X-CSRF-Token"] = device.get("/api/session").json()["csrf"]
        return device

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.session.get(self.base + path, timeout=PATIENCE, **options)

    def post(self, path: str, **options: Any) -> requests.Response:
        return self.session.post(self.base + path, timeout=PATIENCE, **options)


@dataclass
class House:
    """A served match with one hand, one read photograph, and a device of each role."""

    server: Served
    devices: dict[str, Device]
    names: dict[str, str]  # match_id, hand_id, photo_id, set_id

    def peak_megabytes(self) -> float:
        """The most memory that the server and its children have held, in MB, summed."""
        return peak_megabytes(self.server.process.pid)


@contextmanager
def open_house(*options: str, under: Sequence[str] = ()) -> Iterator[House]:
    """Start a server over an empty folder, play a little, let everybody in; stop it at the end.

    `under` is a program with its arguments that runs the server's command.
    """
    with tempfile.TemporaryDirectory(prefix="burako-attack-") as folder:
        server = Served(Path(folder) / "data", *options, under=under)
        try:
            yield furnish(server)
        finally:
            server.kill()


def furnish(server: Served) -> House:
    host = Device.of("host", server.base)
    hand = server.post("/score").rsplit("/", 1)[1]
    with (SAMPLES / "melds-a.jpg").open("rb") as photo:
        host.post(
            f"/api/hands/{hand}/photos",
            files={"photo": ("a.jpg", photo, "image/jpeg")},
            data={"side": "A", "place": "melds"},
        ).raise_for_status()
    shown = host.get(f"/api/hands/{hand}").json()
    names = {
        "match_id": shown["match"],
        "hand_id": hand,
        "photo_id": shown["photos"][0]["id"],
    }
    names["set_id"] = host.post("/api/sets", json=taught_set()).json()["id"]
    host.get(f"/matches/{names['match_id']}/others/code").raise_for_status()  # makes the code
    code, link = written_down(server.data)
    devices = {role: Device.of(role, server.base) for role in ROLES[1:]} | {"host": host}
    joined = devices["scorer"].post(
        "/join",
        data={"csrf": devices["scorer"].session.headers["X-CSRF-Token"], "code": code},
    )
    joined.raise_for_status()
    devices["viewer"].get(f"/v/{link}").raise_for_status()
    return House(server, devices, names | {"viewer_token": link})


def taught_set() -> dict[str, Any]:
    """Return a set of two faces as the page sends it once a person has confirmed them."""
    pictures = {face: b64encode(to_png(drawn_crop(face))).decode() for face in ("7R", "J")}
    faces = [{"face": face, "picture": picture} for face, picture in pictures.items()]
    return {"name": "Casa", "faces": faces}


def written_down(data: Path) -> tuple[str, str]:
    """Read the join code and the viewers' token of the one match from the database itself.

    The pages show neither to a server that only its own machine reaches.
    """
    with contextlib.closing(sqlite3.connect(data / "burako.sqlite3")) as store:
        (code,) = store.execute("select value from setting where key = 'join_code'").fetchone()
        (link,) = store.execute("select viewer_token from match").fetchone()
    return json.loads(code), link


def peak_megabytes(pid: int) -> float:
    """The sum of the peaks (VmHWM) of a process and its descendants, in MB; 0 without /proc."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [one for thread in threads for one in (thread / "children").read_text().split()]
    except OSError:  # no such system, or a thread or the process has just ended
        return 0.0
    found = re.search(r"VmHWM:\s*(\d+)", status)
    own = int(found[1]) / 1024 if found else 0.0
    return own + sum(peak_megabytes(int(child)) for child in children)
