"""An SQL expression for a JSON column. A statement that uses it can take single values from the
column even if some rows hold no valid JSON.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class SoundJson(FunctionElement[Any]):
    """The value of a JSON column, and NULL in rows whose text is no valid JSON, because somebody
    edited it or the disk failed. Without this expression, SQLite fails a whole statement that takes
    a value from an invalid text.
    """

    type = JSON()
    inherit_cache = True


@compiles(SoundJson)
def _as_it_is(element: SoundJson, compiler: Any, **options: Any) -> str:
    """Return the SQL for the column itself, for all databases but SQLite: a database with a type
    for JSON holds no invalid JSON.
    """
    return str(compiler.process(element.clauses, **options))


@compiles(SoundJson, "sqlite")
def _if_valid(element: SoundJson, compiler: Any, **options: Any) -> str:
    column = compiler.process(element.clauses, **options)
    return f"CASE WHEN json_valid({column}) THEN {column} END"
