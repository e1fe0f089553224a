"""Dependencies point one way: engine (standard library only) <- vision <- scorer_app."""

import ast
import sys
from pathlib import Path

import pytest

from tests.places import PROJECT

OURS = {"engine", "vision", "scorer_app", "models", "datasets"}
MAY_IMPORT = {
    "engine": {"engine"},
    "vision": {"engine", "vision"},
    "scorer_app": {"engine", "vision", "scorer_app"},
    "models": OURS - {"scorer_app"},
    "datasets": OURS - {"scorer_app"},
}


def sources(package: str) -> list[Path]:
    """Never none: a package that is not where it is looked for would pass every test."""
    found = sorted((PROJECT / package).rglob("*.py"))
    assert found, f"expected modules in {PROJECT / package}"
    return found


def imported_top_levels(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(
                (node.module or "").split(".")[0]
                if node.level == 0
                else path.relative_to(PROJECT).parts[0]
            )
    return names


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_arrows_point_one_way(package: str) -> None:
    for path in sources(package):
        wrong = (imported_top_levels(path) & OURS) - MAY_IMPORT[package]
        assert not wrong, f"{path.relative_to(PROJECT)} must not import {wrong}"


def test_engine_uses_the_standard_library_only() -> None:
    for path in sources("engine"):
        foreign = imported_top_levels(path) - sys.stdlib_module_names - {"engine"}
        assert not foreign, f"{path.relative_to(PROJECT)} imports {foreign}"


@pytest.mark.parametrize("package", ["engine", "vision", "scorer_app"])
def test_no_training_library_at_run_time(package: str) -> None:
    for path in sources(package):
        assert not imported_top_levels(path) & {"torch", "onnx"}, path


def test_onnxruntime_is_imported_where_its_telemetry_is_switched_off_and_nowhere_else() -> None:
    importing = [
        path.relative_to(PROJECT).as_posix()
        for package in sorted(OURS)
        for path in sources(package)
        if "onnxruntime" in imported_top_levels(path)
    ]
    assert importing == ["vision/modelfile.py"]
