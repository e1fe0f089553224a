"""Adds a column that says which matches are in the archive, and a table of what each device changed
of a match, step by step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "match", sa.Column("archived", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_table(
        "step",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("hand_id", sa.String(length=32), nullable=True),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.Column("device", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("undone_by", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_step_match_id", "step", ["match_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_step_match_id", "step")
    op.drop_table("step")
    op.drop_column("match", "archived")
