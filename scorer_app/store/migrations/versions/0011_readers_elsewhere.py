"""Adds columns for the stage of a photograph's reading, which another process may be doing, and for
when the reading began, and an index of the photographs whose files are kept.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("photo", sa.Column("stage", sa.String(10), nullable=True))
    op.add_column("photo", sa.Column("begun", sa.DateTime(), nullable=True))
    op.create_index(
        "ix_photo_kept",
        "photo",
        ["received"],
        sqlite_where=sa.text("erased = 0"),
        postgresql_where=sa.text("NOT erased"),
    )


def downgrade() -> None:
    op.drop_index("ix_photo_kept", "photo")
    op.drop_column("photo", "begun")
    op.drop_column("photo", "stage")
