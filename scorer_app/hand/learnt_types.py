"""Types that msgspec reads: each is learnt by one thread before many read it."""

from __future__ import annotations

import threading
from typing import TypeVar

import msgspec

T = TypeVar("T")

_turn = threading.Lock()
_known = set[object]()


def learnt(kind: type[T]) -> type[T]:
    """Return a type that msgspec is about to read, after it was looked at by one thread.

    msgspec 0.22 keeps what it knows of a struct or dataclass with the class, and puts it there
    before it is complete: the process dies where another thread uses that half. So every type that
    is read while threads run goes through here.
    """
    if kind not in _known:
        with _turn:
            msgspec.json.Decoder(kind)
            _known.add(kind)
    return kind
