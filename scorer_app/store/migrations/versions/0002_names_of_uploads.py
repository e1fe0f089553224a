"""Adds a column for the name that a device gives a photograph, by which a photograph that is sent
again is recognised.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("photo", sa.Column("key", sa.String(length=40), nullable=True))
    op.create_index("ix_photo_hand_id_key", "photo", ["hand_id", "key"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_photo_hand_id_key", "photo")
    op.drop_column("photo", "key")
