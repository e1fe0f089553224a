"""Prepares types for msgspec, which is not safe when several threads use a new type at once."""

from __future__ import annotations

import threading
from typing import TypeVar

import msgspec

T = TypeVar("T")

_turn = threading.Lock()
_known = set[object]()


def prepared(kind: type[T]) -> type[T]:
    """Return `kind` after one thread alone has made msgspec inspect it.

    While msgspec 0.22 inspects a struct or dataclass, it stores what it has found so far on the
    class, and the process crashes if another thread uses that before it is complete. Every type
    that is read while threads run therefore passes through this function first.
    """
    if kind not in _known:
        with _turn:
            msgspec.json.Decoder(kind)
            _known.add(kind)
    return kind
