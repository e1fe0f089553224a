"""Writes a set of tiles as one file, to send to a friend, and reads it: JSON that holds each
picture as a PNG file.

A file that comes in may be a stranger's: its size, its types, its counts and each picture are
checked before anything of it is stored.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from scorer_app.hand.prepared_types import prepared
from scorer_app.services.face_pictures import from_png, to_png
from scorer_app.services.file_names import plain_words
from scorer_app.services.set_values import SetError, SetTrouble, check_copies, clean_name
from vision.own_set.examples import FACE_NAMES, MAX_PER_FACE, FaceExample, Origin, TileSet

MOST_EXAMPLES = len(FACE_NAMES) * len(Origin) * MAX_PER_FACE
# A full set, none of whose pictures could be compressed, takes 11 MB.
MOST_BYTES = 12 * 2**20
NEWEST = 2  # version of the format that this program knows


class _Head(msgspec.Struct):
    """The first fields of a file, which tell its format and version whatever the rest holds."""

    format: str
    version: Annotated[int, Meta(ge=1)]


class ExampleCopy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One example of a face, such as `7R`: its picture, the bytes of a PNG file, and how it is
    known which face it shows.
    """

    face: Annotated[str, Meta(max_length=3)]
    origin: Origin
    picture: Annotated[bytes, Meta(max_length=16_384)]  # PNG; base64 in the file


class SetCopy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole set, as its file holds it in JSON. `copies` maps those faces of which the set has an
    unusual number of copies to that number.
    """

    format: Literal["burako-set"]
    version: Literal[1, 2]
    name: str
    examples: Annotated[list[ExampleCopy], Meta(min_length=1, max_length=MOST_EXAMPLES)]
    # Since version 2: how many copies the set has of each face of which it lacks the usual number.
    copies: dict[str, int] = {}


def export_set(tile_set: TileSet) -> bytes:
    """Return the bytes of a file that holds the set. A set with the usual number of copies of each
    face is written in the first version of the format, which every version of the program reads.
    Any other set is written in the second. Raises SetError for a set without examples, which cannot
    be written.
    """
    if not tile_set.examples:
        raise SetError(SetTrouble.TOO_FEW, tile_set.name)
    examples = [ExampleCopy(one.face, one.origin, to_png(one.crop)) for one in tile_set.examples]
    copies = dict(tile_set.copies)
    version: Literal[1, 2] = 2 if copies else 1
    file = SetCopy("burako-set", version, tile_set.name, examples, copies)
    return msgspec.json.encode(file) + b"\n"


def file_name(name: str) -> str:
    """Return a file name for the set called `name` that any system accepts. After `burako-set` it
    has the Latin letters of the name without accents and the digits, with hyphens between words.
    """
    return f"{'-'.join(['burako-set', *plain_words(name)])}.json"


def import_set(data: bytes) -> TileSet:
    """Return the set that a file holds. `data` are the bytes of the file. Raises SetError for a
    file that is too large, holds no set, gives the set a bad name, or comes from a newer version
    of the program.
    """
    if len(data) > MOST_BYTES:
        raise SetError(SetTrouble.TOO_LARGE, MOST_BYTES // 2**20)
    _check_head(data)
    try:
        copy = msgspec.json.decode(data, type=prepared(SetCopy))
    except (ValueError, RecursionError) as error:
        raise SetError(SetTrouble.NOT_A_SET, error) from error
    counted = Counter((one.face, one.origin) for one in copy.examples)
    for (face, _origin), count in counted.items():
        if count > MAX_PER_FACE:
            raise SetError(SetTrouble.TOO_MANY_PICTURES, face)
    try:
        name = clean_name(copy.name)
    except SetError as error:
        raise SetError(SetTrouble.BAD_NAME_IN_FILE, copy.name) from error
    try:
        check_copies(copy.copies)
    except ValueError as error:
        raise SetError(SetTrouble.NOT_A_SET, error) from error
    examples = tuple(_example(at, one) for at, one in enumerate(copy.examples, 1))
    return TileSet(name, examples, copy.copies)


def read_set_file(path: Path) -> TileSet:
    """Return the set that the file at `path` holds. Raises SetError where the file cannot be read
    or `import_set` refuses it.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise SetError(SetTrouble.NO_FILE, path) from error
    return import_set(data)


def _check_head(data: bytes) -> None:
    try:
        head = msgspec.json.decode(data, type=prepared(_Head))
    except (ValueError, RecursionError) as error:
        raise SetError(SetTrouble.NOT_A_SET, error) from error
    if head.format != "burako-set":
        raise SetError(SetTrouble.NOT_A_SET, f"format {head.format[:40]!r}")
    if head.version > NEWEST:
        raise SetError(SetTrouble.NEWER, head.version)


def _example(at: int, copy: ExampleCopy) -> FaceExample:
    try:
        return FaceExample(copy.face, from_png(copy.picture), copy.origin)
    except ValueError as error:
        raise SetError(SetTrouble.BAD_PICTURE, at) from error
