"""Adds what a public server needs: a column for the link by which a match is scored, and tables of
the devices that hold a link and of how much each network has sent.
"""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_MATCH = sa.table("match", sa.column("id", sa.String), sa.column("scorer_token", sa.String))


def upgrade() -> None:
    op.add_column(
        "match", sa.Column("scorer_token", sa.String(32), nullable=False, server_default="")
    )
    found = op.get_bind()
    names = found.execute(sa.select(_MATCH.c.id)).scalars().all()
    tokens = [{"named": name, "made": secrets.token_urlsafe(16)} for name in names]
    if tokens:
        one = sa.update(_MATCH).where(_MATCH.c.id == sa.bindparam("named"))
        found.execute(one.values(scorer_token=sa.bindparam("made")), tokens)
    op.create_index("ix_match_scorer_token", "match", ["scorer_token"], unique=True)
    op.create_table(
        "holding",
        sa.Column("device", sa.String(32), primary_key=True),
        sa.Column("match_id", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_holding_match_id", "holding", ["match_id"])
    op.create_table(
        "usage",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("network", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(20), primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("usage")
    op.drop_table("holding")
    op.drop_index("ix_match_scorer_token", "match")
    op.drop_column("match", "scorer_token")
