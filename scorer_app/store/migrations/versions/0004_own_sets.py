"""Adds tables for the sets of tiles that their owners have taught, and a column that says which set
each match is played with.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "own_set",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("folded", sa.String(length=120), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("used", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("folded"),
    )
    op.create_table(
        "example",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("set_id", sa.String(length=32), nullable=False),
        sa.Column("face", sa.String(length=3), nullable=False),
        sa.Column("picture", sa.LargeBinary(), nullable=False),
        sa.Column("origin", sa.String(length=10), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.Column("hand_id", sa.String(length=32), nullable=True),
        sa.Column("photo_id", sa.String(length=32), nullable=True),
        sa.Column("tile_id", sa.String(length=10), nullable=True),
        sa.Column("dropped", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["set_id"], ["own_set.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("set_id", "photo_id", "tile_id"),
    )
    op.create_index("ix_example_set_id", "example", ["set_id"], unique=False)
    op.create_index("ix_example_hand_id", "example", ["hand_id"], unique=False)
    op.add_column("match", sa.Column("tile_set_id", sa.String(length=32), nullable=True))


def downgrade() -> None:
    op.drop_column("match", "tile_set_id")
    op.drop_index("ix_example_hand_id", "example")
    op.drop_index("ix_example_set_id", "example")
    op.drop_table("example")
    op.drop_table("own_set")
