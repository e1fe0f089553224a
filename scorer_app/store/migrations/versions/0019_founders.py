"""Adds a column that says which device began or imported a match on a public server.

A match and the holding of the device that begins it are written in one transaction. So the device
that has scored a match longest counts as the one that began it, if it has done so since the match
is there. Of other matches nobody knows: the device that began them may have lost its access since.
"""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_AT_THE_BEGINNING = timedelta(minutes=1)  # an import may have waited for the database before

_MATCH = sa.table(
    "match",
    sa.column("id", sa.String),
    sa.column("created", sa.DateTime),
    sa.column("imported", sa.DateTime),
)
_HOLDING = sa.table(
    "holding",
    sa.column("device", sa.String),
    sa.column("match_id", sa.String),
    sa.column("role", sa.String),
    sa.column("since", sa.DateTime),
    sa.column("founder", sa.Boolean),
)


def upgrade() -> None:
    op.add_column(
        "holding", sa.Column("founder", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    found = op.get_bind()
    there = sa.func.coalesce(_MATCH.c.imported, _MATCH.c.created, type_=sa.DateTime())
    scorers = (
        sa.select(_HOLDING.c.match_id, _HOLDING.c.device, _HOLDING.c.since, there.label("there"))
        .join(_MATCH, _MATCH.c.id == _HOLDING.c.match_id)
        .where(_HOLDING.c.role == "scorer")
        .order_by(_HOLDING.c.since.desc())
    )
    longest = {row.match_id: row for row in found.execute(scorers)}  # the last one of each stays
    founders = [
        {"held": row.match_id, "by": row.device}
        for row in longest.values()
        if row.since - row.there < _AT_THE_BEGINNING
    ]
    if founders:
        one = sa.update(_HOLDING).where(
            _HOLDING.c.match_id == sa.bindparam("held"), _HOLDING.c.device == sa.bindparam("by")
        )
        found.execute(one.values(founder=sa.true()), founders)


def downgrade() -> None:
    op.drop_column("holding", "founder")
