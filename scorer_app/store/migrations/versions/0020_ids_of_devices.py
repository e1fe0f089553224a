"""Adds a column that tells devices of the same name apart in the steps of a match. Of the steps
that are there already nobody knows it: they are kept as they are.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("step", sa.Column("device_id", sa.String(32), nullable=True))


def downgrade() -> None:
    op.drop_column("step", "device_id")
