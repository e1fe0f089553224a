"""Adds a column that says whether a match is played with tiles or cards. All matches of earlier
versions are played with tiles.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("pieces", sa.String(length=10), nullable=False, server_default="tiles")
    op.add_column("match", column)


def downgrade() -> None:
    op.drop_column("match", "pieces")
