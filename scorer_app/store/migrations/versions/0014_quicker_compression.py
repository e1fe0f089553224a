"""Makes PostgreSQL compress records and readings by lz4, if it has that method. Lz4 takes a quarter
of the processor time of PostgreSQL's older method. What was written before stays as it is.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None
LONG = (("hand", "record"), ("hand", "draft"), ("edit", "before"), ("photo", "reading"))
_KNOWN = sa.text("SELECT enumvals FROM pg_settings WHERE name = 'default_toast_compression'")


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "postgresql" and "lz4" in (connection.scalar(_KNOWN) or ()):
        _compress_by("lz4")


def downgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "postgresql" and connection.scalar(_KNOWN):
        _compress_by("default")


def _compress_by(method: str) -> None:
    for table, column in LONG:
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET COMPRESSION {method}")
