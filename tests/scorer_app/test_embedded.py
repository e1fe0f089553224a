"""A server of one home loads none of the code that only a cluster needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .served import PATIENCE

SERVE_ONCE = """
import sys
from pathlib import Path
from scorer_app import create_app
from scorer_app.cli import serve
from scorer_app.web.application import close
from scorer_app.web.parts import parts_of

app = create_app(serve._config(serve._parser().parse_args(["--data", sys.argv[1]])))
parts_of(app).intake.jobs.start()
assert app.test_client().get("/").status_code == 200
close(app)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.process
def test_nothing_of_many_tables_is_loaded(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVE_ONCE, str(tmp_path / "data")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert {"flask", "sqlalchemy"} <= loaded
    of_many = {"obstore", "procrastinate", "prometheus_client", "psycopg", "psycopg_pool"}
    assert not loaded & of_many
