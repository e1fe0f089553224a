"""Adds a column that says when a match was imported from a file. Of the matches that are there
already nobody knows whether they were imported: they count as begun here.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match", sa.Column("imported", sa.DateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("match", "imported")
