"""Many threads may use a type of msgspec for the first time at once: the process survives it."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from scorer_app.hand import prepared_types

# Threads take turns as often as they can, so that each is stopped half-way.
AT_ONCE = """
import sys, threading
from scorer_app.hand.record import Record
sys.setswitchinterval(1e-6)
start = threading.Barrier(24)
def read():
    start.wait()
    Record.from_json({})
threads = [threading.Thread(target=read) for _ in range(24)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
TIMES = 10  # without care the library ends most such processes


@pytest.mark.process
def test_the_process_lives_where_many_threads_read_a_record_for_the_first_time() -> None:
    for _ in range(TIMES):
        ended = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr


def test_each_type_is_looked_at_before_it_is_read_for_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[type] = []
    monkeypatch.setattr(prepared_types, "_known", set())
    monkeypatch.setattr(msgspec.json, "Decoder", looked_at.append)
    assert [prepared_types.prepared(kind) for kind in (int, str, int)] == [int, str, int]
    assert looked_at == [int, str]
