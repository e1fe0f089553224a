"""Keeps the answers of the networks, and what readers work out of a set of tiles, since hundreds of
tests read the same few photographs.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.own_set.examples import TileSet
from vision.own_set.knowledge import OwnSet
from vision.reader import Reader

# The network, the batch's shape and the hash of its bytes.
Key = tuple[bytes, tuple[int, ...], int]
Answer = list[NDArray[Any]]
ROOM = 400 * 2**20  # bytes of answers kept; the oldest go first


@dataclass
class Answers:
    """The newest answers of all networks of this process, kept for tests that ask the same question
    again.

    Their arrays are read-only: code that changes one in place fails. Mutable; safe to use from
    threads.
    """

    given: OrderedDict[Key, Answer] = field(default_factory=OrderedDict)
    size: int = 0  # bytes
    are_kept: bool = True
    lock: Lock = field(default_factory=Lock)

    def of(self, key: Key, work_out: Callable[[], Answer]) -> Answer:
        answer = self.given.get(key) if self.are_kept else None
        if answer is None:
            answer = work_out()
            if self.are_kept:
                self._keep(key, answer)
        return answer

    @contextmanager
    def worked_out_anew(self) -> Iterator[None]:
        """Let the networks work out every answer anew while the context lasts."""
        self.are_kept = False
        try:
            yield
        finally:
            self.are_kept = True

    def _keep(self, key: Key, answer: Answer) -> None:
        for array in answer:
            array.setflags(write=False)
        with self.lock:
            if key in self.given:
                return
            self.given[key] = answer
            self.size += sum(array.nbytes for array in answer)
            while self.size > ROOM:
                _, oldest = self.given.popitem(last=False)
                self.size -= sum(array.nbytes for array in oldest)


ANSWERS = Answers()


@dataclass(frozen=True)
class Remembering:
    """Stands in for an onnxruntime.InferenceSession: it keeps each answer, so that none is computed
    twice.
    """

    session: Any
    network: bytes

    def get_inputs(self) -> Any:
        return self.session.get_inputs()

    def run(self, names: Any, batches: dict[str, NDArray[np.float32]]) -> Answer:
        (batch,) = batches.values()
        key = self.network, batch.shape, hash(batch.tobytes())
        return list(ANSWERS.of(key, lambda: self.session.run(names, batches)))


def remembering(open_session: Callable[[bytes, Path], Any]) -> Callable[[bytes, Path], Any]:
    """Wrap a function that opens the session of a network from its bytes: each network is opened
    once, and its session keeps its answers.
    """
    known: dict[bytes, Remembering] = {}

    def opened(content: bytes, path: Path) -> Remembering:
        network = hashlib.sha256(content).digest()
        if network not in known:
            known[network] = Remembering(open_session(content, path), network)
        return known[network]

    return opened


def remembering_sets(
    work_out: Callable[[TileSet, Reader], OwnSet],
) -> Callable[[TileSet, Reader], OwnSet]:
    """Wrap a function that works out what a reader knows of a set: it does so once for the same
    examples and the same network.
    """
    known: dict[tuple[object, ...], OwnSet] = {}

    def worked_out(tile_set: TileSet, reader: Reader) -> OwnSet:
        crops = hashlib.sha1(b"".join(one.crop.tobytes() for one in tile_set.examples)).digest()
        faces = tuple(one.face for one in tile_set.examples)
        key = reader.fingerprint, reader.config, faces, crops
        if key not in known:
            known[key] = work_out(tile_set, reader)
        return known[key]

    return worked_out
