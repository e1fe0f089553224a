"""Alembic runs this inside the connection that `Store` hands over."""

from alembic import context

from scorer_app.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
