"""The application factory: makes a Flask application from a configuration."""

from __future__ import annotations

import hashlib
import io
import mimetypes
import secrets
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.exceptions import HTTPException

from scorer_app.config import AppConfig
from scorer_app.services.bus_relay import BusRelay
from scorer_app.services.event_bus import EventBus, table_topic
from scorer_app.services.hands import Hands
from scorer_app.services.intake import Intake
from scorer_app.services.matches import Matches
from scorer_app.services.photo_files import PhotoFiles
from scorer_app.services.photo_place import photo_files
from scorer_app.services.reading_jobs import Jobs, ReadingJobs
from scorer_app.services.reading_queue import PhotoReader, ReadingQueue, Stages, VisionReader
from scorer_app.services.retention import Retention
from scorer_app.services.teaching import Teacher
from scorer_app.services.watch_notes import WatchNotes
from scorer_app.store import Store, StoreUnavailable
from scorer_app.watch.tables import Watches, network_eyes
from scorer_app.web import (
    compression,
    error_handlers,
    metrics,
    request_log,
    security,
    tenancy,
)
from scorer_app.web.pages import blueprints, context, results
from scorer_app.web.parts import Parts, furnish, parts_of
from scorer_app.web.rate_limits import RateLimiter
from scorer_app.web.sessions import PageResponse, Sessions
from scorer_app.web.unindented import Unindented

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

# Types as browsers want them. Python on Windows takes types from the registry, where other programs
# may have left wrong ones.
MEDIA_TYPES = MappingProxyType(
    {
        "text/javascript": ".js",
        "text/css": ".css",
        "image/svg+xml": ".svg",
        "image/png": ".png",
        "image/jpeg": ".jpg",
    }
)


KEY_BYTES = 32  # of the key that signs session cookies


def build(config: AppConfig | None = None, reader: PhotoReader | None = None) -> Flask:
    """Make the application from its configuration and the reader of its photographs, by default the
    networks.

    Opens the data directory and the database. Raises StoreUnavailable where they cannot be used.
    """
    config = config or AppConfig()
    key = _open_folder(config)
    app = Flask(__name__, static_url_path=f"/static/{_edition()}")
    _configure(app, config, key)
    _furnish(app, config, reader or VisionReader(config.prepared_dir))
    _install_hooks(app, config)
    for blueprint in blueprints():
        app.register_blueprint(blueprint)
    return app


def _open_folder(config: AppConfig) -> bytes:
    """Make the folder of the photographs where it is missing, and return the key that signs
    sessions.

    Raises StoreUnavailable where that folder or the data directory cannot be used.
    """
    try:
        config.photo_dir.mkdir(parents=True, exist_ok=True)
        kept = config.secret_key
        return kept.encode() if kept else _secret_key(config.data_dir / "secret.key")
    except OSError as error:
        where = error.filename or config.data_dir
        raise StoreUnavailable(f"{where}: {error.strerror or error}") from error


def _configure(app: Flask, config: AppConfig, key: bytes) -> None:
    """Set Flask's own options: limits of request bodies, cookies, types of files, and the layout of
    JSON and pages.
    """
    app.session_interface, app.response_class = Sessions(), PageResponse
    app.config.update(
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=365),
        SECRET_KEY=key,
        MAX_CONTENT_LENGTH=config.upload_bytes,
        MAX_FORM_MEMORY_SIZE=2**20,
        SESSION_COOKIE_NAME="burako",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=config.https,
        PERMANENT_SESSION_LIFETIME=timedelta(days=180),
    )
    for kind, ending in MEDIA_TYPES.items():
        mimetypes.add_type(kind, ending)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension(Unindented)


def _install_hooks(app: Flask, config: AppConfig) -> None:
    """Install the functions that run for every request. Those before a request run in the order in
    which they are installed, those after it in the reverse order.
    """
    request_log.install(app)
    metrics.install(app)
    security.install(app, config.allowed_hosts)
    tenancy.install(app)
    error_handlers.install(app)
    compression.install(app)
    context.install(app)
    results.install(app)


def admits(app: Flask) -> Callable[[WSGIEnvironment], bool]:
    """Return a function that tells, from a WSGI environment without its body, whether the server
    accepts the request's body. The server refuses a body too large for its address, and a large one
    from a device that may not write.
    """

    def may_come(environ: WSGIEnvironment) -> bool:
        with app.request_context({**environ, "wsgi.input": io.BytesIO()}):
            try:
                security.refuse_by_head()
            except (HTTPException, StoreUnavailable):
                return False
        return True

    return may_come


def close(app: Flask) -> None:
    """End the application: its event streams and cameras, the reading under way, and its
    database.
    """
    made = parts_of(app)
    made.retention.close()
    made.intake.jobs.close()
    made.watches.close()
    made.event_bus.close()
    made.queue.close()
    made.bus_relay.close()
    made.store.close()


def _furnish(app: Flask, config: AppConfig, reader: PhotoReader) -> None:
    """Make the services of the application and give them to `app`. Then resume the work that a
    crash interrupted.
    """
    store, event_bus = Store(config.database, config.lock_patience), EventBus(config.watchers)
    hands, files = Hands(store, event_bus), photo_files(config)
    queue, jobs = _reading_of(config, hands, files, reader)
    intake = Intake(config, hands, files, jobs)
    watches = Watches(
        partial(network_eyes, config.prepared_dir),
        tell=lambda match_id: event_bus.tell(table_topic(match_id)),
        notes=WatchNotes(store),
        most=config.watched_tables,
    )
    made = Parts(
        config=config,
        store=store,
        event_bus=event_bus,
        bus_relay=BusRelay(store, event_bus),
        queue=queue,
        hands=hands,
        matches=Matches(store, event_bus),
        intake=intake,
        retention=Retention(store, intake),
        teacher=Teacher(config, reader),
        watches=watches,
        frame_limiter=RateLimiter(config.frames_per_minute),
        join_limiter=RateLimiter(config.join_attempts_per_minute),
        upload_limiter=RateLimiter(config.uploads_per_minute),
    )
    furnish(app, made)
    _take_up_work(made)


def _reading_of(
    config: AppConfig, hands: Hands, files: PhotoFiles, reader: PhotoReader
) -> tuple[Stages, Jobs]:
    """Make two objects: first the one that tells the stage of each photograph that is being read,
    then the one that has photographs read. The reading is done by threads of this process or, in a
    cluster, by other processes.
    """
    if config.cluster:
        from scorer_app.services.cluster_jobs import ClusterJobs  # its library is an extra

        of_cluster = ClusterJobs(hands.store)
        return of_cluster, of_cluster
    queue = ReadingQueue(config.readers)
    return queue, ReadingJobs(config, hands, files, reader, queue)


def _take_up_work(made: Parts) -> None:
    """Start listening for news of other processes, delete what is due, and resume the readings that
    a crash interrupted.
    """
    made.bus_relay.start()
    if not made.config.cluster:  # where this process alone has the data
        made.retention.sweep(starting=True)
    made.intake.jobs.resume()


def _edition() -> str:
    """Return the part of the address of static files that changes whenever one of the files does,
    so that browsers may keep them for good.

    It is computed from names and contents alone, so that all servers of one version give the same
    addresses.
    """
    folder = Path(__file__).parent / "static"
    known = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        known.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return known.hexdigest()[:10]


def _secret_key(path: Path) -> bytes:
    """Read the key that signs session cookies, or make it on first use, and also where the file
    holds less than a key, as after a power cut.

    The file can be read by its owner alone, and is written whole or not at all.
    """
    if not path.exists() or path.stat().st_size < KEY_BYTES:
        begun = path.with_suffix(".partial")
        begun.unlink(missing_ok=True)
        begun.touch(mode=0o600)
        begun.write_bytes(secrets.token_bytes(KEY_BYTES))
        begun.replace(path)
    return path.read_bytes()
