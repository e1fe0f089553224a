"""Adds the first tables: matches, hands, edits, photographs, settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "match",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("side_a", sa.String(length=40), nullable=False),
        sa.Column("side_b", sa.String(length=40), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("player_names", sa.JSON(), nullable=False),
        sa.Column("ruleset", sa.String(length=20), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("first_player", sa.Integer(), nullable=True),
        sa.Column("viewer_token", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("viewer_token"),
    )
    op.create_table(
        "setting",
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "hand",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("record", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("draft", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("saved", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("hand", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_hand_match_id"), ["match_id"], unique=False)

    op.create_table(
        "edit",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("hand_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.Column("operation", sa.JSON(), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["hand_id"],
            ["hand.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hand_id", "key"),
    )
    with op.batch_alter_table("edit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_edit_hand_id"), ["hand_id"], unique=False)

    op.create_table(
        "photo",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("hand_id", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=1), nullable=False),
        sa.Column("place", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("problem", sa.String(length=40), nullable=True),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("reading", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("received", sa.DateTime(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("erased", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["hand_id"],
            ["hand.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("photo", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_photo_hand_id"), ["hand_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("photo", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_photo_hand_id"))

    op.drop_table("photo")
    with op.batch_alter_table("edit", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_edit_hand_id"))

    op.drop_table("edit")
    with op.batch_alter_table("hand", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_hand_match_id"))

    op.drop_table("hand")
    op.drop_table("setting")
    op.drop_table("match")
