"""Every worked case and ruling of the rules folder beside the project, through `burako judge` as
other programs call it.
"""

import json

import pytest

from scorer_app.cli.judge import judge_line
from tests.places import SHARED

RULES = SHARED / "rules"
ANSWERED = ("id", "kind", "ruleset", "input")


def given_cases() -> list:
    if not RULES.is_dir():
        reason = "the rules folder is not beside the project"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason), id="absent")]
    lines = [
        line
        for name in ("cases", "rulings")
        for line in (RULES / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def agrees(expected: object, answer: object) -> bool:
    """Whether the answer holds at least what is expected."""
    if isinstance(expected, dict):
        return isinstance(answer, dict) and all(
            key in answer and agrees(value, answer[key]) for key, value in expected.items()
        )
    return expected == answer


@pytest.mark.parametrize("case", given_cases())
def test_comes_out_as_written(case: dict) -> None:
    asked = {key: case[key] for key in ANSWERED}
    answer = json.loads(json.dumps(judge_line(json.dumps(asked).encode(), "es")))
    expected = {key: value for key, value in case["expect"].items() if key != "reason_any"}
    assert agrees(expected, answer)
    assert answer["id"] == case["id"]
    assert answer["message"]
