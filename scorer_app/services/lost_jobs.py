"""Gives the jobs of dead processes to other processes.

Each process that reads photographs writes every few seconds, by the database's clock, a sign that
it lives. An old sign proves nothing by itself: where that clock was set forward, or the whole
machine stood still, the signs of all processes are old at once, and every photograph they have
would be read twice. So a process counts as gone only if its sign is old and it gives no other while
it is watched for `LOOKED_AT` seconds.
"""

from __future__ import annotations

import asyncio
from typing import Any, LiteralString

from procrastinate import App

from scorer_app.services.cluster_jobs import UPKEEP

SIGN_OF_LIFE = 2.0  # seconds between two signs of life of a process
SILENT = 6.0  # seconds without a sign of life after which a process is watched
LOOKED_AT = 4.0  # seconds for which a silent process is watched before it counts as gone
_QUIET: LiteralString = (
    "SELECT id, last_heartbeat FROM procrastinate_workers"
    " WHERE last_heartbeat < now() - make_interval(secs => %(silent)s)"
)
# Gives each lost job away once, however many processes look: the row of the job is locked. A job
# without a process belonged to one that has ended. Periodic jobs are deleted, since the next one
# comes by itself.
_GIVE_AWAY: LiteralString = """
WITH gone AS (
    SELECT * FROM unnest(%(processes)s::bigint[], %(signs)s::timestamptz[]) AS seen (id, sign)
), lost AS MATERIALIZED (
    SELECT job.id, job.task_name, job.queue_name FROM procrastinate_jobs AS job
    WHERE job.status = 'doing' AND (job.worker_id IS NULL OR job.worker_id IN (
        SELECT worker.id FROM procrastinate_workers AS worker
        JOIN gone ON gone.id = worker.id AND gone.sign = worker.last_heartbeat
    ))
    FOR UPDATE OF job SKIP LOCKED
), ended AS (
    DELETE FROM procrastinate_jobs
    WHERE id IN (SELECT id FROM lost WHERE queue_name = %(upkeep)s)
), given AS (
    UPDATE procrastinate_jobs
    SET status = 'todo', attempts = attempts + 1, scheduled_at = NULL, worker_id = NULL
    WHERE id IN (SELECT id FROM lost WHERE queue_name <> %(upkeep)s)
)
SELECT id, task_name FROM lost
"""


async def give_away_lost(app: App) -> list[dict[str, Any]]:
    """Queue the jobs of dead processes again, so that other processes do them. Periodic jobs are
    deleted instead. Returns `id` and `task_name` of each job that was queued again or deleted.

    Where the sign of a process is older than `SILENT` seconds, this takes `LOOKED_AT` seconds, in
    which the process may give another.
    """
    ask = app.connector.execute_query_all_async
    quiet = await ask(_QUIET, silent=SILENT)
    if quiet:
        await asyncio.sleep(LOOKED_AT)
    lost: list[dict[str, Any]] = await ask(
        _GIVE_AWAY,
        processes=[one["id"] for one in quiet],
        signs=[one["last_heartbeat"] for one in quiet],
        upkeep=UPKEEP,
    )
    return lost
