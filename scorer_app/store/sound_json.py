"""A JSON column whose parts may be asked for although some rows hold no JSON."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class SoundJson(FunctionElement[Any]):
    """The value of a JSON column, NULL in rows that an editor or a fault of the disk left without
    JSON. SQLite gives up the whole statement where a part of such a value is asked for.
    """

    type = JSON()
    inherit_cache = True


@compiles(SoundJson)
def _as_it_is(element: SoundJson, compiler: Any, **options: Any) -> str:
    """Write the column as it is: a database that has a type for JSON refuses what is none."""
    return str(compiler.process(element.clauses, **options))


@compiles(SoundJson, "sqlite")
def _if_valid(element: SoundJson, compiler: Any, **options: Any) -> str:
    column = compiler.process(element.clauses, **options)
    return f"CASE WHEN json_valid({column}) THEN {column} END"
