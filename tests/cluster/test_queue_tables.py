"""The tables of the queue in PostgreSQL: made, brought up to date and tuned by `burako migrate`."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Flask
from sqlalchemy import text

from scorer_app.web.parts import parts_of
from tests.cluster.queued import counted
from tests.scorer_app.cli.commands import burako


def schema_of(file: Path) -> str:
    found = re.search(r"search_path(?:=|%3D)(\w+)", file.read_text())
    assert found
    return found.group(1)


def test_taking_a_job_sorts_no_queue_whatever_its_statistics_say(pages: Flask) -> None:
    told = text(
        "SELECT proconfig FROM pg_proc WHERE proname = 'procrastinate_fetch_job_v2'"
        " AND pronamespace = current_schema()::regnamespace"
    )
    (row,) = parts_of(pages).store.look(told, {})
    assert {"enable_sort=off", "enable_seqscan=off"} <= set(row.proconfig)


def test_a_migrated_database_holds_the_queue_and_a_homes_photographs(
    file: Path, tmp_path: Path, pages: Flask
) -> None:
    with parts_of(pages).store.writing() as session:
        session.execute(text("DROP SCHEMA " + schema_of(file) + " CASCADE"))
        session.execute(text("CREATE SCHEMA " + schema_of(file)))
    home = tmp_path / "home"
    home.mkdir()
    (home / f"{'a' * 24}.jpg").write_bytes(b"a photograph")
    done = [burako("migrate", "--config", str(file), "--photos", str(home)) for _ in range(2)]
    assert [one.returncode for one in done] == [0, 0]
    assert "Archivos de fotos copiados: 1; ya estaban: 0" in done[0].stdout
    assert "Archivos de fotos copiados: 0; ya estaban: 1" in done[1].stdout
    assert parts_of(pages).intake.files.picture("a" * 24) == b"a photograph"
    assert counted(pages, "procrastinate_jobs") == counted(pages, "photo") == 0


def test_a_queue_of_an_older_version_is_brought_up_to_date(file: Path, pages: Flask) -> None:
    """The library's migration files that are newer than the tables are run, and no others;
    afterwards jobs leave no history either.
    """
    store, trigger = parts_of(pages).store, "procrastinate_trigger_status_events_update_v1"
    made = (
        f"pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE tgname = '{trigger}'"
        " AND relnamespace = current_schema()::regnamespace"
    )
    assert counted(pages, made) == 1
    with store.writing() as session:
        session.execute(text(f"DROP TRIGGER {trigger} ON procrastinate_jobs"))
    assert counted(pages, made) == 0
    newest = store.setting("queue_tables")
    store.set_setting("queue_tables", "03.04.00_01_pre_add_retry_failed_job_procedure")
    assert burako("migrate", "--config", str(file)).returncode == 0
    assert (counted(pages, made), store.setting("queue_tables")) == (1, newest)
    assert counted(pages, f"{made} AND tgenabled = 'D'") == 1


def test_tables_of_the_queue_that_another_version_tuned_are_tuned_anew(
    file: Path, pages: Flask
) -> None:
    store, enabled = parts_of(pages).store, "pg_trigger WHERE tgenabled = 'O' AND NOT tgisinternal"
    ours = f"{enabled} AND tgrelid = 'procrastinate_jobs'::regclass AND tgname LIKE '%status%'"
    with store.writing() as session:
        session.execute(text("ALTER TABLE procrastinate_jobs ENABLE TRIGGER USER"))
    assert counted(pages, ours) == 2
    store.set_setting("queue_tuned", store.setting("queue_tables"))  # as versions before wrote it
    assert burako("migrate", "--config", str(file)).returncode == 0
    assert counted(pages, ours) == 0
