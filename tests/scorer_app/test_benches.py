"""The programs that measure the page say how they are called."""

from __future__ import annotations

from types import ModuleType

import pytest

from .bench import bench_live_page, bench_many_matches, bench_page

BENCHES = [bench_page, bench_many_matches, bench_live_page]


@pytest.mark.parametrize("bench", BENCHES)
def test_help_is_given_and_a_wrong_argument_refused_in_a_sentence(
    bench: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    for argument, status, said in (("--help", 0, "usage: "), ("many", 2, "invalid ")):
        with pytest.raises(SystemExit) as ended:
            bench.main([argument])
        assert ended.value.code == status
        assert said in "".join(capsys.readouterr())
