"""Loads the trained networks, and refuses any that the code was not made for.

`manifest.json`, beside the networks, holds an entry for each: its file, the file's SHA-256, and its
metadata (classes, input size, temperatures and where it came from). The files are ONNX packed with
gzip, which takes about a tenth off their size.

The entry `input` is a size in pixels, in one of two orders. For readers it is height, width
(`vision.reader`). For networks that also look at what lies around a place, which have an entry
`window` too, it is width, height; so is `window`, in widths and heights of the place.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError, Reason

MANIFEST = "manifest.json"
ENDING = ".onnx.gz"  # of the files of networks
_threads = 2  # of one network: the smallest machine the program is made for has two cores


@dataclass(frozen=True)
class Network:
    """A loaded network and its entry in the manifest. Safe to use from several threads."""

    session: Any  # onnxruntime.InferenceSession, whose `run` is thread-safe
    metadata: Mapping[str, Any]

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return all outputs, in the network's order, for one batch of n pictures, (n, 3, h, w) RGB
        in 0..1; networks that see columns of cards get a fourth channel, see `LooksAtColumns`.
        """
        return list(self.session.run(None, {self.session.get_inputs()[0].name: batch}))


def default_folder() -> Path:
    """Return the folder of the networks that are installed with the program."""
    return Path(str(files("models")))


def load_network(name: str, expected: Mapping[str, Any], folder: Path | None = None) -> Network:
    """Load the network `name`, such as `detector` or `card_reader`, from the folder `folder`, or
    the installed one where that is None.

    `expected` is the metadata that the code relies on. Raises ModelError with MODEL_MISSING when
    the file or the manifest cannot be read; with MODEL_MISMATCH when the metadata or the SHA-256
    differ, or when the file is no network.
    """
    folder = folder or default_folder()
    metadata = _read_metadata(folder / MANIFEST, name)
    for key, value in expected.items():
        if metadata.get(key) != value:
            difference = f"{name}.{key}: expected {value!r}, got {metadata.get(key)!r}"
            raise ModelError(Reason.MODEL_MISMATCH, difference)
    path = folder / str(metadata["file"])
    packed = _read_checked(path, str(metadata["sha256"]))
    return Network(_session(packed, path), metadata)


def has_network(name: str, folder: Path | None = None) -> bool:
    """Tell whether the manifest in the folder `folder`, or that of the installed networks where
    that is None, has an entry for the network `name`. Raises ModelError with MODEL_MISSING when the
    manifest cannot be read, with MODEL_MISMATCH when it is none.
    """
    return name in _read_manifest((folder or default_folder()) / MANIFEST)


def _read_manifest(manifest: Path) -> Mapping[str, Any]:
    """Return the entries of the manifest, by the names of the networks."""
    try:
        entries = json.loads(manifest.read_text("utf-8"))
    except OSError:
        raise ModelError(Reason.MODEL_MISSING, str(manifest)) from None
    except ValueError as error:
        raise ModelError(Reason.MODEL_MISMATCH, f"{manifest}: {error!r}") from None
    if not isinstance(entries, dict):
        got = type(entries).__name__
        raise ModelError(Reason.MODEL_MISMATCH, f"{manifest}: expected an object, got {got}")
    return entries


def _read_metadata(manifest: Path, name: str) -> Mapping[str, Any]:
    """Return the manifest's entry of the network `name`. Raises ModelError where the manifest or
    the entry cannot be read, or where the entry lacks `file` or `sha256`.
    """
    entries = _read_manifest(manifest)
    try:
        entry: Mapping[str, Any] = entries[name]
        return {"file": entry["file"], "sha256": entry["sha256"], **entry}
    except (KeyError, TypeError) as error:
        raise ModelError(Reason.MODEL_MISMATCH, f"{manifest}: {error!r}") from None


def _read_checked(path: Path, sha256: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError:
        raise ModelError(Reason.MODEL_MISSING, str(path)) from None
    digest = hashlib.sha256(content).hexdigest()
    if digest != sha256:
        difference = f"{path.name}: expected SHA-256 {sha256[:12]}..., got {digest[:12]}..."
        raise ModelError(Reason.MODEL_MISMATCH, difference)
    return content


def use_threads(count: int) -> None:
    """Let each network that is loaded from now on use `count` threads."""
    global _threads
    _threads = count


def silent_onnxruntime() -> Any:
    """Import and return onnxruntime, with its telemetry off. Our other code imports
    it only after calling this function.

    From version 1.29 on, onnxruntime's wheels for Linux and macOS write a device identifier and a
    store of events into the user's cache folder and upload the events, unless
    `ORT_DISABLE_TELEMETRY` is set before the library starts (pull request 27379 of
    microsoft/onnxruntime). On Windows they log events through the system, which
    `disable_telemetry_events` stops.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def _session(packed: bytes, path: Path) -> Any:
    """Return an onnxruntime.InferenceSession of the network whose file, `path`, holds `packed`.
    Raises ModelError with MODEL_MISMATCH where that is no network.
    """
    onnxruntime = silent_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _threads
    # A spinning thread keeps a core busy while the other stages run. On two cores that costs more
    # than it saves.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3  # errors only
    try:
        content = gzip.decompress(packed)
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's exception classes have no common base
        difference = f"{path.name}: expected a network, got {type(error).__name__}"
        raise ModelError(Reason.MODEL_MISMATCH, difference) from None
