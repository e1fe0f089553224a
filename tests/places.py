"""Where the tests find the project, its bundled samples and the shared material beside it."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
SHARED = PROJECT.parent / "shared"  # labelled photographs, films, rule cases; absent in most clones
SAMPLES = PROJECT / "scorer_app" / "web" / "static" / "samples"
SCENES = PROJECT / "tests" / "data" / "scenes"
needs_photographs = pytest.mark.skipif(
    not (SHARED / "photos").is_dir(), reason="the labelled photographs are not on this machine"
)
