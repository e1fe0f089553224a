"""Finds the statement and the function around a line of a file."""

from __future__ import annotations

import ast


def statement_at(tree: ast.AST, line: int) -> range:
    """Return the lines of the innermost statement at a line.

    Of a statement with a body, such as a loop, only the lines before the body count if the line is
    one of them.
    """
    spans = []
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            last = node.end_lineno or node.lineno
            if (body := getattr(node, "body", None)) and line < body[0].lineno:
                last = body[0].lineno - 1
            if first <= line <= last:
                spans.append(range(first, last + 1))
    return min(spans, key=len)


def function_at(tree: ast.AST, line: int) -> str:
    """Name the innermost function or class around a line, or the module where there is none."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, kinds) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno).name if around else "module"
