"""Adds a column that says when each match was played last, so that a page can list the newest
matches without looking at all of them.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_MATCH = sa.table(
    "match",
    sa.column("id", sa.String),
    sa.column("created", sa.DateTime),
    sa.column("touched", sa.DateTime),
)
_HAND = sa.table(
    "hand",
    sa.column("match_id", sa.String),
    sa.column("created", sa.DateTime),
    sa.column("saved", sa.DateTime),
)


def upgrade() -> None:
    column = sa.Column("touched", sa.DateTime(), nullable=False, server_default="1970-01-01")
    op.add_column("match", column)
    last = (
        sa.select(sa.func.max(sa.func.coalesce(_HAND.c.saved, _HAND.c.created)))
        .where(_HAND.c.match_id == _MATCH.c.id)
        .scalar_subquery()
    )
    op.execute(sa.update(_MATCH).values(touched=sa.func.coalesce(last, _MATCH.c.created)))
    # `deleted` is not among the columns: SQLite would use the index even to find a single match.
    op.create_index(
        "ix_match_shelf",
        "match",
        ["sample", "archived", "touched", "id"],
        sqlite_where=sa.text("deleted = 0"),
        postgresql_where=sa.text("NOT deleted"),
    )
    op.create_index("ix_match_names", "match", ["side_a", "side_b", "touched"])


def downgrade() -> None:
    op.drop_index("ix_match_names", "match")
    op.drop_index("ix_match_shelf", "match")
    op.drop_column("match", "touched")
