"""Adds a column that says whether an example of a set of tiles was imported from a file. Of the
examples that are there already nobody knows that: they count as taught or learned here.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "example",
        sa.Column("imported", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("example", "imported")
