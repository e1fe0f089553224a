"""Alembic runs this file to migrate the database, over the connection that `Store` provides."""

from alembic import context

from scorer_app.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
