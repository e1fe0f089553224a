"""What mutation testing reports, and which changes it leaves out."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path
from textwrap import dedent

import pytest

from tests.mutants.report import OPEN, interval, read_reasons, summary, write_survivors
from tests.mutants.rooms import ARCHITECTURE, ROOMS, own_tests_of, room_of
from tests.mutants.statements import statement_at
from tests.mutants.tracing import Trace, able_to_notice, read_lines
from tests.places import PROJECT

LIVING = "engine/match.py: `finished`: `return self.winner is not None` -> `return self.winner`"
GONE = "engine/match.py: `finished`: `return no_such_code` -> `return None`"


@pytest.mark.parametrize(
    ("killed", "total", "low", "high"),
    [(0, 0, 0.0, 1.0), (90, 100, 0.826, 0.945), (10, 10, 0.722, 1.0)],
)
def test_wilsons_interval(killed: int, total: int, low: float, high: float) -> None:
    assert interval(killed, total) == pytest.approx((low, high), abs=5e-4)


def test_survivors_keep_their_reasons(tmp_path: Path) -> None:
    path = tmp_path / "SURVIVORS.md"
    write_survivors({LIVING: False}, path)
    assert read_reasons(path) == {LIVING: OPEN}
    path.write_text(path.read_text("utf-8").replace(f"  {OPEN}\n", "  equivalent: say\n"), "utf-8")
    write_survivors({}, path)
    assert read_reasons(path) == {LIVING: "equivalent: say"}
    write_survivors({LIVING: True}, path)
    assert read_reasons(path) == {}


def test_an_entry_goes_with_its_code(tmp_path: Path) -> None:
    path = tmp_path / "SURVIVORS.md"
    write_survivors({GONE: False}, path)
    write_survivors({}, path)
    assert read_reasons(path) == {}


def test_equivalent_mutants_are_counted_apart() -> None:
    text = summary({"a": True, "b": False, "c": False}, {"b": "equivalent: no matter"})
    assert text.splitlines()[0].startswith("killed: 1 of 3, 33.3 %")
    assert text.splitlines()[1].startswith("without equivalent ones: 1 of 2, 50.0 %")
    assert text.splitlines()[2] == "survivors: 2, of which without a reason: 1"


def test_every_room_has_code_and_tests() -> None:
    for room in ROOMS:
        assert all(room_of(path) is room for path in room.files())
        assert all((PROJECT / path).exists() for path in room.tests)
    with pytest.raises(ValueError, match=r"expected a file of engine, .*, got setup\.py"):
        room_of(Path("setup.py"))


def test_the_folders_of_a_room_are_listed() -> None:
    folders = {room.name: room.folders() for room in ROOMS}
    assert (folders["vision"], folders["hand"]) == (["vision"], ["scorer_app/hand"])


def test_the_test_files_of_a_room_are_listed() -> None:
    (hand,) = (room for room in ROOMS if room.name == "hand")
    files = hand.test_files()
    assert {"tests/scorer_app/hand/test_score.py", ARCHITECTURE} < set(files)
    assert not [name for name in files if "conftest" in name or (PROJECT / name).is_dir()]


def test_the_own_tests_of_a_file_lie_in_its_mirror_place() -> None:
    assert own_tests_of(Path("engine/scoring.py")) == ("tests/engine/test_scoring.py",)
    assert own_tests_of(Path("engine/sides.py")) == ()


def test_executed_lines_are_read_by_file(tmp_path: Path) -> None:
    told = {"engine/a.py": {"executed_lines": [3, 4], "missing_lines": [5]}}
    (tmp_path / "lines.json").write_text(json.dumps({"meta": {}, "files": told}), "utf-8")
    assert read_lines(tmp_path / "lines.json") == {Path("engine/a.py"): {3, 4}}


def test_a_change_meets_the_tests_that_execute_its_lines_its_own_first() -> None:
    code = Path("engine/scoring.py")
    (own,) = own_tests_of(code)
    traces = [
        Trace("slow", 9.0, {code: frozenset({11, 12})}),
        Trace("elsewhere", 0.5, {code: frozenset({9, 13}), Path("engine/a.py"): frozenset({11})}),
        Trace(ARCHITECTURE, 1.0, {}),
        Trace("quick", 2.0, {code: frozenset({12})}),
        Trace(own, 5.0, {code: frozenset({10})}),
    ]
    chosen = [trace.test for trace in able_to_notice(code, range(10, 13), traces)]
    assert chosen == [own, "quick", "slow", ARCHITECTURE]


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        (1, 1, 3),  # a decorator
        (3, 1, 3),  # what follows of the head of a function
        (4, 4, 4),
        (5, 5, 5),  # an `if` on the line of its body
        (7, 6, 8),
        (9, 9, 9),  # the head of a `for`
        (10, 10, 10),
    ],
)
def test_a_mutant_has_the_lines_of_its_statement(line: int, first: int, last: int) -> None:
    code = """\
        @decorated
        def f(a,
              b=2):
            x = a
            if x: x = 1
            y = [
                a,
            ]
            for z in y:
                x += z
    """
    assert statement_at(ast.parse(dedent(code)), line) == range(first, last + 1)


def test_annotations_are_left_alone() -> None:
    pytest.importorskip("cosmic_ray", reason="make mutants installs what makes mutants")
    from tests.mutants.listing import mutate, one_for_each_place, sites_of

    sites = list(sites_of(Path("engine/match.py")))
    mutants = [mutant for mutant in map(mutate, sites) if mutant]
    assert len(mutants) > 20
    assert not [one for one in mutants if "SideName" in one.before and "|" in one.before]
    drawn = one_for_each_place(sites, random.Random(1))
    assert len({(site.line, site.column) for site in sites}) == len(drawn)


def test_marks_of_a_signature_and_sizes_of_caches_are_left_alone() -> None:
    pytest.importorskip("cosmic_ray", reason="make mutants installs what makes mutants")
    from tests.mutants.listing import mutate, sites_of

    paths = [Path("scorer_app/hand/merging.py"), Path("scorer_app/hand/hypotheses.py")]
    mutants = [mutant for path in paths for mutant in map(mutate, sites_of(path)) if mutant]
    assert not [one for one in mutants if "maxsize" in one.before]
    assert not [one for one in mutants if "*, keep_unseen" in one.before]
    assert [
        one for one in mutants if "keep_unseen: bool = True" in one.before
    ]  # the default is not
