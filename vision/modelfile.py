"""Loads the trained networks and refuses what does not match: SHA-256, classes and input size
stand in the manifest.
"""

from __future__ import annotations

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
THREADS = 2  # of one network: what the smallest machine it is made for has


@dataclass(frozen=True)
class Network:
    """A loaded ONNX network and what its manifest entry says of it (input size, classes,
    temperatures, thresholds).
    """

    session: Any  # onnxruntime.InferenceSession, which is thread-safe
    facts: Mapping[str, Any]

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """All outputs for one (n, 3, h, w) batch, in the model's order."""
        return list(self.session.run(None, {self.session.get_inputs()[0].name: batch}))


def default_folder() -> Path:
    return Path(str(files("models")))


def load_network(name: str, expected: Mapping[str, Any], folder: Path | None = None) -> Network:
    """Network `name` (`detector`, `reader`). `expected`: facts the code relies on; a file with
    others is refused.

    Raises ModelError when the file or manifest is missing or differs.
    """
    folder = folder or default_folder()
    facts = _facts(folder, name)
    for key, value in expected.items():
        if facts.get(key) != value:
            raise ModelError(
                Reason.MODEL_MISMATCH, f"{name}.{key}: {value!r} != {facts.get(key)!r}"
            )
    path = folder / str(facts["file"])
    try:
        content = path.read_bytes()
    except OSError:
        raise ModelError(Reason.MODEL_MISSING, str(path)) from None
    digest = hashlib.sha256(content).hexdigest()
    if digest != facts["sha256"]:
        raise ModelError(
            Reason.MODEL_MISMATCH,
            f"{path.name}: SHA-256 {digest[:12]}... != {str(facts['sha256'])[:12]}...",
        )
    return Network(_session(content, path), facts)


def _facts(folder: Path, name: str) -> Mapping[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        facts: Mapping[str, Any] = manifest[name]
        return {"file": facts["file"], "sha256": facts["sha256"], **facts}
    except OSError:
        raise ModelError(Reason.MODEL_MISSING, str(folder / MANIFEST)) from None
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(Reason.MODEL_MISMATCH, f"{folder / MANIFEST}: {error!r}") from None


def _onnxruntime() -> Any:
    """Import onnxruntime with its telemetry switched off; the only place that imports it.

    From version 1.29 on its wheels for Linux and macOS write a device identifier and a store of
    events into the user's cache folder and upload the events, unless `ORT_DISABLE_TELEMETRY` is
    set before the library starts (pull request 27379 of microsoft/onnxruntime). On Windows they
    log events through the system, which `disable_telemetry_events` stops.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def _session(content: bytes, path: Path) -> Any:
    onnxruntime = _onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    # Spinning threads would burn a core while the other stages run: measured dearer than it saves
    # on two cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises classes of its own making
        raise ModelError(Reason.MODEL_MISMATCH, f"{path.name}: {type(error).__name__}") from None
