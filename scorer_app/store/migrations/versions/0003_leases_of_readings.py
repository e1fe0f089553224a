"""Adds two columns that say which reader has a photograph, and in which attempt, so that a reading
that was cut short is taken up again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("photo", sa.Column("lease", sa.String(length=32), nullable=True))
    op.add_column(
        "photo", sa.Column("attempts", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
    op.create_index("ix_photo_state", "photo", ["state"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_photo_state", "photo")
    op.drop_column("photo", "attempts")
    op.drop_column("photo", "lease")
