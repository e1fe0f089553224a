"""Marks the matches that were made from the bundled photographs as samples.

Such a match has a hand with the four bundled photographs: all of them came together with the match,
none has a key given by a device, and all have the size of the bundled pictures.
"""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SIZE = (1600, 1200)  # pixels: width and height of every bundled photograph
AREAS = 4  # melds and rack of both sides
# One request makes the match and takes in all four photographs.
MADE_AT_ONCE = timedelta(seconds=30)
_MATCH = sa.table(
    "match", sa.column("id", sa.String), sa.column("created", sa.DateTime), sa.column("sample")
)
_HAND = sa.table("hand", sa.column("id", sa.String), sa.column("match_id", sa.String))
_PHOTO = sa.table(
    "photo",
    *(sa.column(name, sa.String) for name in ("hand_id", "side", "place", "key")),
    *(sa.column(name, sa.Integer) for name in ("width", "height")),
    sa.column("received", sa.DateTime),
)


def upgrade() -> None:
    op.add_column(
        "match", sa.Column("sample", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    connection = op.get_bind()
    for match_id in _made_of_bundled_photographs(connection):
        is_one = _MATCH.c.id == match_id
        connection.execute(sa.update(_MATCH).where(is_one).values(sample=sa.true()))


def _made_of_bundled_photographs(connection: sa.Connection) -> list[str]:
    of_match = (
        sa.select(_MATCH.c.id, _MATCH.c.created, _HAND.c.id, _PHOTO.c.side, _PHOTO.c.place)
        .add_columns(_PHOTO.c.received)
        .join_from(_MATCH, _HAND, _HAND.c.match_id == _MATCH.c.id)
        .join(_PHOTO, _PHOTO.c.hand_id == _HAND.c.id)
        .where(_PHOTO.c.key.is_(None), _PHOTO.c.width == SIZE[0], _PHOTO.c.height == SIZE[1])
    )
    areas: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for match_id, created, hand_id, side, place, received in connection.execute(of_match):
        if abs(received - created) < MADE_AT_ONCE:
            areas.setdefault((match_id, hand_id), set()).add((side, place))
    return sorted({match for (match, _hand), seen in areas.items() if len(seen) == AREAS})


def downgrade() -> None:
    op.drop_column("match", "sample")
