"""Carries changes between the event buses of the processes that serve one PostgreSQL. Each process
listens on one connection of its own, in a thread, and notifies the others over the connections that
it writes with.

A notification is sent after the commit that it tells of, in a transaction of its own: within the
transaction of the change, PostgreSQL would make all who commit wait for one another. It is sent
before the request is answered: where a process dies in between, the page gets no answer and repeats
its request. With SQLite there is one process, and none of this runs.
"""

from __future__ import annotations

import json
import logging
import threading
from typing import Any

import msgspec
from sqlalchemy import Update, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql.dml import ReturningUpdate

from scorer_app.services.event_bus import EventBus
from scorer_app.store import Store, StoreUnavailable
from scorer_app.store.tables import token

CHANNEL = "burako_news"
ROOM = 7900  # bytes of one notification; PostgreSQL refuses 8000
PAUSE = 0.5  # seconds between two tries to listen
LOOK = 60.0  # seconds of silence after which the thread looks whether it is to end
ENDING = 2.0  # seconds that closing waits for the thread
_NOBODYS = ""  # a topic that no stream follows
# Nobody waits for the disk: after a power cut every process listens anew.
_NOTIFYING = (
    func.set_config("synchronous_commit", "off", True),
    func.pg_notify(bindparam("channel"), bindparam("payload")),
)
_NOTIFY = select(*_NOTIFYING)
log = logging.getLogger(__name__)


def and_notify(change: Update) -> ReturningUpdate[Any]:
    """Return a statement that does what the UPDATE `change` does and that, for each row it changes,
    also sends a notification. `BusRelay.tell_of` runs the statement and says what is notified.
    """
    return change.returning(*_NOTIFYING)


class BusRelay:
    """Passes the changes of this process on to all other processes, and tells this process's
    EventBus of the changes of the others.
    """

    def __init__(self, store: Store, bus: EventBus) -> None:
        self._store, self._bus = store, bus
        self._name = token(6)  # of this process
        self._pending: set[str] = set()
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._stop = threading.Event()
        self._listener: threading.Thread | None = None

    def start(self, *, listen: bool = True) -> None:
        """Pass changes on to other processes, and listen for theirs in a thread until `close` is
        called. Where only one process can use the store, nothing is done. A process that serves no
        pages need not `listen`: each notification wakes every listener.
        """
        if not self._store.can_listen:
            return
        self._bus.relay = self.tell
        if not listen:
            return
        self._listener = threading.Thread(
            target=self._keep_listening, name="bus relay", daemon=True
        )
        self._listener.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        if self._listener is not None:
            self.tell((_NOBODYS,))  # wakes the thread
            self._listener.join(ENDING)

    def tell(self, topics: tuple[str, ...]) -> None:
        """Tell the other processes that topics have changed. Threads that call this at the same
        time share one notification: while they wait for their turn, another thread sends their
        topics too. While the database cannot be reached, the topics are kept, and they are sent
        later.
        """
        with self._lock:
            self._pending.update(topics)
        with self._sending:
            self._send_pending()

    def tell_of(
        self, change: ReturningUpdate[Any], values: dict[str, Any], topics: tuple[str, ...]
    ) -> None:
        """Change rows and tell the other processes, in one transaction, that the topics have
        changed. `change` is a statement made by `and_notify`, and `values` are its parameters. If
        it changes no row, nobody is told.

        This is only for changes that may be lost in a power cut, because the transaction does not
        wait for the disk. For others `tell` is called after the commit. Raises StoreUnavailable.
        """
        told = {"channel": CHANNEL, "payload": self._payload(set(topics))}
        self._store.write_alone(change, values | told)

    def _send_pending(self) -> None:
        with self._lock:
            topics, self._pending = self._pending, set()
        if not topics:
            return
        try:
            self._store.write_alone(_NOTIFY, {"channel": CHANNEL, "payload": self._payload(topics)})
        except StoreUnavailable as error:
            log.warning("news wait for the database: %s", error)
            with self._lock:
                self._pending |= topics

    def _payload(self, topics: set[str]) -> str:
        """Return the text of a notification: the name of this process, then the topics. Where the
        topics do not fit into one notification, they are left out. A notification without topics
        stands for all topics.
        """
        payload = json.dumps([self._name, *sorted(topics)])
        return payload if len(payload) <= ROOM else json.dumps([self._name])

    def _keep_listening(self) -> None:
        failures = (SQLAlchemyError, self._store.engine.dialect.loaded_dbapi.Error)
        while not self._stop.is_set():
            try:
                self._listen()
            except failures as error:
                log.warning("listens for news again: %s", str(error).partition("\n")[0])
                self._stop.wait(PAUSE)

    def _listen(self) -> None:
        """Pass on the news of other processes until `close` is called. Raises the error of the
        database's driver where the connection is lost.
        """
        pooled = self._store.engine.raw_connection()
        connection: Any = pooled.driver_connection  # psycopg's, which knows notifications
        pooled.detach()
        try:
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            self._bus.hear_all()  # whatever changed while nobody listened
            self.tell(())
            while not self._stop.is_set():
                for notification in connection.notifies(timeout=LOOK):
                    self._hear(notification.payload)
                    if self._stop.is_set():
                        break
        finally:
            connection.close()

    def _hear(self, payload: str) -> None:
        try:
            sender, *topics = msgspec.json.decode(payload, type=list[str])
        except (msgspec.MsgspecError, ValueError):  # not a notification of this program
            return
        if sender == self._name:
            return
        if topics:
            self._bus.hear(topics)
        else:
            self._bus.hear_all()
