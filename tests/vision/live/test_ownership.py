"""Each mutable object of the live referee has one owner: only its own methods change its fields,
and methods that ask change nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import vision.live

ROOM = Path(vision.live.__file__).parent
MODULES = sorted(ROOM.rglob("*.py"))
QUESTIONS = ("is_", "has_", "may_", "_is_", "_has_", "_may_")


def changed_attributes(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Yield the attributes that are set or deleted, also within tuples."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node


def base_name(attribute: ast.Attribute) -> str:
    return attribute.value.id if isinstance(attribute.value, ast.Name) else ast.unparse(attribute)


def is_question(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef):
        return False
    says_yes_or_no = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
    return says_yes_or_no or node.name.startswith(QUESTIONS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOM)))
def test_fields_are_changed_and_private_ones_read_by_their_own_object_alone(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    reached = [ast.unparse(node) for node in changed_attributes(tree) if base_name(node) != "self"]
    for node in ast.walk(tree):
        is_private = isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr)
        if is_private and base_name(node) not in ("self", "cls"):
            reached.append(ast.unparse(node))
    assert reached == []


def test_questions_change_nothing() -> None:
    questions = [
        node
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if is_question(node)
    ]
    assert len(questions) > 30
    changing = [node.name for node in questions if [*changed_attributes(node)]]
    assert changing == []
