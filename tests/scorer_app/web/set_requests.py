"""Sends a family's own sets of tiles as a page does: photographed, taught, or imported from a
file.
"""

from __future__ import annotations

import io
from base64 import b64encode
from typing import Any

import numpy as np
from flask import Flask

from scorer_app.services.face_pictures import to_png
from scorer_app.web.parts import parts_of
from vision.pyramid import RGB

from ..conftest import Scorer
from ..own_sets import drawn_crop
from ..pictures import picture_of

JPEG = picture_of("3R 4R 5R").data


def photograph(scorer: Scorer, data: bytes = JPEG) -> Any:
    form = {"photo": (io.BytesIO(data), "p.jpg")}
    return scorer.post("/api/sets/photos", data=form, content_type="multipart/form-data")


def face(name: str, variant: int = 0) -> dict[str, Any]:
    return _face(name, drawn_crop(name, variant))


def mirrored_face(name: str) -> dict[str, Any]:
    """Return a face of a set that looks otherwise than that of `face`."""
    return _face(name, np.ascontiguousarray(drawn_crop(name)[::-1, ::-1]))


def _face(name: str, crop: RGB) -> dict[str, Any]:
    return {"face": name, "picture": b64encode(to_png(crop)).decode()}


def teach(scorer: Scorer, name: str, *faces: dict[str, Any], **more: Any) -> Any:
    return scorer.post("/api/sets", json={"name": name, "faces": list(faces), **more})


def bring(scorer: Scorer, data: bytes, name: str = "") -> Any:
    form = {"csrf": scorer.token, "file": (io.BytesIO(data), "x.json"), "name": name}
    return scorer.client.post("/sets/import", data=form, content_type="multipart/form-data")


def tiles_of(app: Flask, match: str) -> str | None:
    """Return the id of the set that a match is played with, None where it is any."""
    found: str | None = parts_of(app).matches.tally(match).match.tile_set_id
    return found
