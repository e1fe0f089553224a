"""Which code is mutated, and which tests have to notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.places import PROJECT


@dataclass(frozen=True)
class Room:
    """Files or folders of code, and the tests that are run against their mutants."""

    name: str
    code: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self) -> Iterator[Path]:
        """Yield the Python files of the room, relative to the project."""
        for name in self.code:
            path = PROJECT / name
            found = [path] if path.is_file() else sorted(path.rglob("*.py"))
            assert found, f"expected Python files in {path}"
            for file in found:
                yield file.relative_to(PROJECT)

    def folders(self) -> list[str]:
        """List the folders that hold the code, relative to the project."""
        return sorted(
            {str(Path(name).parent) if name.endswith(".py") else name for name in self.code}
        )

    def test_files(self) -> list[str]:
        """List the files of tests, relative to the project."""
        places = [PROJECT / name for name in self.tests]
        found = [path for place in places for path in sorted(place.rglob("test_*.py")) or [place]]
        return [str(path.relative_to(PROJECT)) for path in found]


ARCHITECTURE = "tests/test_architecture.py"  # values that are frozen, among others
ROOMS = (
    Room(
        "engine",
        ("engine",),
        (
            "tests/engine",
            "tests/scorer_app/cli/test_given_cases.py",
            "tests/scorer_app/texts/test_verdicts.py",
            ARCHITECTURE,
        ),
    ),
    Room(
        "vision",
        ("vision/decoding.py", "vision/grouping.py", "vision/colour.py"),
        (
            "tests/vision/test_decoding.py",
            "tests/vision/test_colour.py",
            "tests/vision/test_geometry.py",
            "tests/vision/tiles/test_ground.py",
            "tests/vision/tiles/test_turned_scenes.py",
            "tests/vision/tiles/test_pipeline.py",
            ARCHITECTURE,
        ),
    ),
    Room("live", ("vision/live",), (ARCHITECTURE, "tests/vision/live")),
    Room(
        "hand",
        ("scorer_app/hand",),
        ("tests/scorer_app/hand", ARCHITECTURE, "tests/scorer_app/web"),
    ),
)


def room_of(path: Path) -> Room:
    """Find the room of a file. Raises ValueError where it belongs to none."""
    for room in ROOMS:
        if path in room.files():
            return room
    raise ValueError(f"expected a file of {', '.join(room.name for room in ROOMS)}, got {path}")


def own_tests_of(path: Path) -> tuple[str, ...]:
    """Find the tests that mirror a file's place in the tree; none where they lie elsewhere."""
    own = Path("tests") / path.parent / f"test_{path.name}"
    return (str(own),) if (PROJECT / own).is_file() else ()
