"""Structured logs of a cluster, where several processes serve one PostgreSQL: each record is a line
of JSON, with the name of the request during which it was logged.
"""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime

REQUEST: ContextVar[str] = ContextVar("request", default="")  # name of the request being answered


class JsonLines(logging.Formatter):
    """Writes each record as one line of JSON. A record's attribute `told`, if there is one, is a
    dictionary of further fields.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if name := REQUEST.get():
            line["request"] = name
        line |= getattr(record, "told", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_as_json() -> None:
    """Make every line that this process logs a line of JSON."""
    for handler in logging.getLogger().handlers:
        handler.setFormatter(JsonLines())
