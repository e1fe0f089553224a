"""Keeps in files what was worked out for a family's own set, so that this takes its seconds once.

A file is named after everything that its content depends on: the examples, the networks and the
code. It is never wrong, only useless when one of these changes, and can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import io
import os
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import numpy as np

from vision.modelfile import MANIFEST, default_folder
from vision.own_set.examples import TileSet
from vision.own_set.knowledge import OwnSet

if TYPE_CHECKING:
    from vision.tiles.pipeline import TableReader

MOST_FILES = 8  # the oldest beyond these are deleted; one has a quarter of a megabyte
DIGEST_BYTES = hashlib.sha256().digest_size
ODD = "needs_odd_networks"


def reader_with_set(tables: TableReader, tile_set: TileSet, folder: Path) -> TableReader:
    """Return what `tables.with_set(tile_set)` returns. What has to be worked out for the set comes
    from a file in `folder`, or is written there for the next time. A folder that cannot be written
    to, and a damaged file, only cost time.

    Raises ValueError and ModelError as `TableReader.with_set` does, and OSError where the manifest
    of the networks has gone.
    """
    path = folder / _digest(tables, tile_set)
    if arrays := _read(path):
        return tables.knowing(_structure(OwnSet, arrays), odd=bool(arrays[ODD]))
    ready = tables.with_set(tile_set)
    assert ready.own_set
    with suppress(OSError):
        _write(path, {ODD: np.array(ready.for_other_sets is not None), **_arrays(ready.own_set)})
    return ready


def _digest(tables: TableReader, tile_set: TileSet) -> str:
    """Return a name for all that the knowledge of a set depends on, 64 hexadecimal digits. Raises
    OSError.
    """
    digest = hashlib.sha256(_digest_of_code())
    # The manifest holds the SHA-256 of each network's file, which is checked at loading.
    digest.update(((tables.models or default_folder()) / MANIFEST).read_bytes())
    for example in tile_set.examples:
        digest.update(example.face.ljust(3).encode())
        digest.update(example.crop.tobytes())
    return digest.hexdigest()


@cache
def _digest_of_code() -> bytes:
    """Return the digest of all source files of this package."""
    digest = hashlib.sha256()
    for source in _sources(files("vision")):
        digest.update(source.read_bytes())
    return digest.digest()


def _sources(folder: Traversable) -> list[Traversable]:
    """Return the source files in a folder and in the folders within, in a fixed order."""
    inside = sorted(folder.iterdir(), key=lambda entry: entry.name)
    found = [entry for entry in inside if entry.name.endswith(".py")]
    for entry in inside:
        if entry.is_dir():
            found += _sources(entry)
    return found


def _arrays(whole: Any, prefix: str = "") -> dict[str, Any]:
    """Return the arrays, numbers and truth values that a dataclass holds, by the names of their
    fields. The fields of a dataclass within it are named `outer.inner`. What is None is left out.
    """
    arrays: dict[str, Any] = {}
    for field in fields(whole):
        value, name = getattr(whole, field.name), prefix + field.name
        if is_dataclass(value):
            arrays |= _arrays(value, f"{name}.")
        elif value is not None:
            arrays[name] = np.asarray(value)
    return arrays


def _structure(kind: type[Any], arrays: dict[str, Any], prefix: str = "") -> Any:
    """Return the dataclass of type `kind` of which `_arrays` made `arrays`. Raises KeyError where
    an array is missing.
    """
    values: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        at, is_optional = prefix + name, get_origin(hint) is UnionType
        inner = get_args(hint)[0] if is_optional else hint
        if is_optional and not any(key.startswith(f"{at}.") for key in arrays):
            values[name] = None
        elif isinstance(inner, type) and is_dataclass(inner):
            values[name] = _structure(inner, arrays, f"{at}.")
        elif inner in (float, bool):
            values[name] = inner(arrays[at])
        else:
            values[name] = arrays[at]
    return kind(**values)


def _read(path: Path) -> dict[str, Any]:
    """Return the arrays that `_write` wrote; none where the file is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return {}
    digest, packed = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    if hashlib.sha256(packed).digest() != digest:
        return {}
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        return dict(arrays)


def _write(path: Path, arrays: dict[str, Any]) -> None:
    """Write a whole file, or none: the SHA-256 of the rest, then the arrays as numpy packs them.
    Raises OSError.
    """
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile(dir=path.parent, suffix=".partial", delete=False) as partial:
        try:
            partial.write(hashlib.sha256(packed.getvalue()).digest() + packed.getvalue())
            partial.close()
            os.replace(partial.name, path)
        except OSError:
            os.unlink(partial.name)
            raise
    for old in sorted(path.parent.iterdir(), key=lambda file: -file.stat().st_mtime)[MOST_FILES:]:
        old.unlink()
