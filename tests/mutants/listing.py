"""Lists the mutants of a file that cosmic-ray's operators make."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutants.statements import function_at, statement_at
from tests.places import PROJECT

Span = tuple[tuple[int, int], tuple[int, int]]  # (line, column) of the beginning and of the end
NEVER_RUN = {"core/RemoveDecorator"}  # without @dataclass or @property nothing works at all


@dataclass(frozen=True, order=True)
class Site:
    """A place of a file, relative to the project, and the operator that mutates it."""

    path: Path
    line: int
    column: int
    operator: str
    occurrence: int  # among all places of the file to which the operator applies


@dataclass(frozen=True)
class Mutant:
    """One change of one file. `before` and `after` are the lines changed, without their indent."""

    path: Path
    lines: range  # of the statement changed; of an `if`, a `def` and the like up to its body
    function: str
    before: str
    after: str
    code: str  # the whole file, mutated

    @property
    def identity(self) -> str:
        """A text that tells the mutant from all others, even after lines above it have come or
        gone.
        """
        return f"{self.path}: `{self.function}`: `{self.before}` -> `{self.after}`"


@cache
def _operator(name: str) -> Operator:
    return get_operator(name)()


def sites_of(path: Path) -> Iterator[Site]:
    """Yield where a file can be mutated, except where a mutation cannot change what the code does.

    Such places are annotations, which are never evaluated; `strict=True` of `zip` and the `*`
    before keyword-only arguments, which only guard against mistakes; and the sizes of caches.
    """
    source = (PROJECT / path).read_text("utf-8")
    parsed = get_ast(source)
    ignored = list(_without_effect(ast.parse(source)))
    for name in operator_names():
        if name in NEVER_RUN or get_operator(name).arguments():
            continue
        operator = _operator(name)
        spans = [span for node in ast_nodes(parsed) for span in operator.mutation_positions(node)]
        for occurrence, (start, end) in enumerate(spans):
            if not any(first <= start and end <= last for first, last in ignored):
                yield Site(path, *start, name, occurrence)


def one_for_each_place(sites: Iterable[Site], rng: random.Random) -> list[Site]:
    """Choose at random one operator for each place, so that all places count alike; the order is
    random, too.

    Some operators make a dozen mutants of one place, others a single one.
    """
    places: dict[tuple[Path, int, int], list[Site]] = {}
    for site in sorted(sites):
        places.setdefault((site.path, site.line, site.column), []).append(site)
    drawn = [rng.choice(choices) for choices in places.values()]
    rng.shuffle(drawn)
    return drawn


def mutate(site: Site) -> Mutant | None:
    """Make the mutant; None where the operator leaves the code as it is."""
    source = (PROJECT / site.path).read_text("utf-8")
    code = mutate_code(source, _operator(site.operator), site.occurrence)
    if code is None or code == source:
        return None
    before, after = _changed_lines(source, code)
    tree = ast.parse(source)
    lines, function = statement_at(tree, site.line), function_at(tree, site.line)
    return Mutant(site.path, lines, function, before, after, code)


def _without_effect(tree: ast.AST) -> Iterator[Span]:
    for node in ast.walk(tree):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.keyword) and node.arg in ("strict", "maxsize"):
            parts.append(node.value)
        for part in parts:
            if isinstance(part, ast.expr) and part.end_lineno and part.end_col_offset:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _marks_of_signature(node)


def _marks_of_signature(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Span]:
    """Yield where a signature has the bare `*` before its keyword-only arguments, if it has one."""
    signature = function.args
    if not signature.kwonlyargs or signature.vararg:
        return
    before: list[ast.arg | ast.expr] = [
        *signature.posonlyargs,
        *signature.args,
        *signature.defaults,
    ]
    ends = [(each.end_lineno or 0, each.end_col_offset or 0) for each in before]
    named = signature.kwonlyargs[0]
    yield max(ends, default=(function.lineno, 0)), (named.lineno, named.col_offset)


def _changed_lines(source: str, mutated: str) -> tuple[str, str]:
    """Return the lines that differ, before and after, joined and without their indent."""
    old, new = source.splitlines(), mutated.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return " ".join(map(str.strip, old)), " ".join(map(str.strip, new))
