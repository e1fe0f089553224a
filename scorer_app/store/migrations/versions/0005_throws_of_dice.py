"""Adds a column for what each seat's die showed when dice decided who begins."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match", sa.Column("throws", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("match", "throws")
