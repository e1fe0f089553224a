"""Lists copies of matches by the moment at which the match was created, until somebody plays them
on: they were listed by the moment of their import.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_MATCH = sa.table(
    "match",
    sa.column("created", sa.DateTime),
    sa.column("touched", sa.DateTime),
    sa.column("imported", sa.DateTime),
)


def upgrade() -> None:
    unplayed = sa.update(_MATCH).where(_MATCH.c.touched == _MATCH.c.imported)
    op.execute(unplayed.values(touched=_MATCH.c.created))


def downgrade() -> None:
    unplayed = sa.update(_MATCH).where(_MATCH.c.touched < _MATCH.c.imported)
    op.execute(unplayed.values(touched=_MATCH.c.imported))
