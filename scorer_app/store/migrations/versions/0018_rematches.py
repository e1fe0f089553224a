"""Adds a column that says of which match another one is a rematch. Of the matches that are there
already nobody knows that: they count as begun by themselves.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match", sa.Column("follows", sa.String(32), nullable=True))
    op.create_index("ix_match_follows", "match", ["follows"])


def downgrade() -> None:
    op.drop_index("ix_match_follows", "match")
    op.drop_column("match", "follows")
