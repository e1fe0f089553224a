"""Makes cases for `burako judge`, and returns its answer to one."""

import json
from typing import Any

from scorer_app.cli.judge import judge_line

RUN = {
    "id": "run",
    "kind": "meld",
    "ruleset": "burako",
    "input": {"tiles": ["3R", "4R", "5R"], "ordered": True},
}
CHANGE_INPUT = {
    "before": [],
    "after": [],
    "added": [],
    "taken_to_hand": [],
    "owner": "A",
    "actor": "A",
}
SIDE = {
    "melds": [["3R", "4R", "5R", "6R", "7R", "8R", "9R"]],
    "hands": [[], ["4B"]],
    "muerto_taken": True,
}
HAND_INPUT = {
    "players": 4,
    "end": "close",
    "closed_by": "A",
    "options": {},
    "teams": {"A": SIDE, "B": SIDE},
}
MATCH_INPUT = {"target": 2000, "hands": [{"A": 100, "B": 50}]}


def case(kind: str, fields: object, **more: object) -> dict[str, Any]:
    return {"id": 1, "kind": kind, "ruleset": "buraco", "input": fields, **more}


def answer(line: object, language: str = "es") -> dict[str, Any]:
    data = line if isinstance(line, bytes) else json.dumps(line).encode()
    return judge_line(data, language)  # type: ignore[arg-type]
