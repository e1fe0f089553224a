"""Dependencies point one way: engine (standard library only) <- vision <- scorer_app."""

import ast
import sys
from functools import cache
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
    "datasets/loadtest": OURS,  # it runs whole servers
}


def sources(package: str) -> list[Path]:
    """Return the modules of a package.

    Fails where there are none, since a package in another place would pass every test.
    """
    found = sorted((PROJECT / package).rglob("*.py"))
    assert found, f"expected modules in {PROJECT / package}"
    return found


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a module's syntax tree."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def imported_top_levels(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(
                (node.module or "").split(".")[0]
                if node.level == 0
                else path.relative_to(PROJECT).parts[0]
            )
    return frozenset(names)


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_arrows_point_one_way(package: str) -> None:
    inner = [PROJECT / other for other in MAY_IMPORT if other.startswith(f"{package}/")]
    for path in sources(package):
        if any(path.is_relative_to(one) for one in inner):
            continue  # it has a rule of its own
        wrong = (imported_top_levels(path) & OURS) - MAY_IMPORT[package]
        assert not wrong, f"{path.relative_to(PROJECT)} must not import {wrong}"


# A pattern under search: its own `open` fills what the search needs of it.
MAY_CHANGE = {"Pattern"}


def is_frozen(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and any(
        option.arg == "frozen" and ast.unparse(option.value) == "True"
        for option in decorator.keywords
    )


@pytest.mark.parametrize("package", ["engine", "vision", "scorer_app/hand"])
def test_values_that_go_from_stage_to_stage_never_change(package: str) -> None:
    found = [
        (node.name, decorator)
        for path in sources(package)
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if ast.unparse(decorator).startswith("dataclass")
    ]
    assert len(found) > 5
    assert {name for name, decorator in found if not is_frozen(decorator)} <= MAY_CHANGE


BASES = {"Struct", "Logged", "Operation"}  # of what is done to a hand


def test_operations_on_a_hand_never_change() -> None:
    found = {
        node.name: [ast.unparse(word.value) for word in node.keywords if word.arg == "frozen"]
        for path in sources("scorer_app/hand")
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        and {ast.unparse(base).rpartition(".")[2] for base in node.bases} & BASES
    }
    assert len(found) > 15
    assert [name for name, frozen in found.items() if frozen != ["True"]] == []


def test_engine_uses_the_standard_library_only() -> None:
    for path in sources("engine"):
        foreign = imported_top_levels(path) - sys.stdlib_module_names - {"engine"}
        assert not foreign, f"{path.relative_to(PROJECT)} imports {foreign}"


@pytest.mark.parametrize("package", ["engine", "vision", "scorer_app"])
def test_no_training_library_at_run_time(package: str) -> None:
    for path in sources(package):
        assert not imported_top_levels(path) & {"torch", "onnx"}, path


def test_onnxruntime_is_imported_only_where_its_telemetry_was_switched_off_before() -> None:
    """The recipe calls `silent_onnxruntime` of the other module first; tests of it check that."""
    importing = [
        path.relative_to(PROJECT).as_posix()
        for package in sorted(OURS)
        for path in sources(package)
        if "onnxruntime" in imported_top_levels(path)
    ]
    assert importing == ["models/recipes/whole_numbers.py", "vision/modelfile.py"]
