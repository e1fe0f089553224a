"""Opens photographs named on the command line, in a child process where that is safer."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np

from scorer_app.services.photo_opener import COMMAND_MEMORY, shared_opener
from vision.frame import Frame, decode, is_open_pipe, read_file
from vision.header import Format, read_header


def load_frame(path: str | Path) -> Frame:
    """Open a photograph as an upright frame of RGB pixels. Raises PhotoError.

    A JPEG is decoded in this process: that saves starting a child process, and the header of a JPEG
    tells how much memory decoding takes. Other formats go through a child process with limits,
    since their headers do not tell and a hostile file may crash their decoders.
    """
    data = read_file(path)
    header = read_header(data)
    if not data or (header and header.format is Format.JPEG and header.components in (1, 3)):
        return decode(data)
    if is_open_pipe(path):  # which is read now, and cannot be read again
        with NamedTemporaryFile() as copied:
            copied.write(data)
            copied.flush()
            return _frame_by_child(copied.name)
    del data
    return _frame_by_child(path)


def _frame_by_child(path: str | Path) -> Frame:
    # The child knows /dev/stdin and the like as files of its own.
    told, pixels = shared_opener(COMMAND_MEMORY).frame(Path(os.path.realpath(path)))
    shape = told.pop("shape")
    return Frame(np.frombuffer(pixels, np.uint8).reshape(shape), **told)
