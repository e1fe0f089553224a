"""Adds a column that says how many copies a set of tiles has of a face, if their number is not the
usual one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "own_set", sa.Column("copies", sa.JSON(), nullable=False, server_default=sa.text("'{}'"))
    )


def downgrade() -> None:
    op.drop_column("own_set", "copies")
