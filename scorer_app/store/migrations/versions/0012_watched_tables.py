"""Adds a table of what people said of watched tables, so that another process can go on watching
them.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "watched_table",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("camera", sa.String(80), nullable=False),
        sa.Column("memory", sa.JSON(), nullable=False),
        sa.Column("seen", sa.DateTime(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("watched_table")
