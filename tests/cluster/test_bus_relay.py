"""A change that one process commits wakes the streams of all others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text

from scorer_app.services import bus_relay
from scorer_app.services.bus_relay import BusRelay
from scorer_app.services.event_bus import EventBus
from scorer_app.store import Store
from scorer_app.store import connections as store_connections

from ..scorer_app.conftest import in_a_thread, until
from ..scorer_app.served import Served
from .databases import own_database, page_processes
from .postgresql import postgresql
from .streams import Phone

CUT_LISTENERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    " AND datname = current_database()"
)
LISTENERS = text(
    "SELECT count(*) AS count FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    " AND datname = current_database()"
)
WHO = text("SELECT pg_backend_pid() AS pid")


@contextmanager
def own_connection(database: str) -> Iterator[Connection]:
    engine = create_engine(database)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.fixture
def database() -> Iterator[str]:
    with own_database() as address:
        yield address


class Process:
    """What a page process needs to pass changes on: a store of its own and the event bus of its
    pages.

    `told` collects the topics that its bus heard, `all` counts how often it was to wake all pages.
    """

    def __init__(self, database: str) -> None:
        self.store, self.bus = Store(database), EventBus(10)
        self.relay = BusRelay(self.store, self.bus)
        self.told: list[tuple[str, ...]] = []
        hear = self.bus.hear

        def heard(topics: tuple[str, ...]) -> None:
            self.told.append(tuple(topics))
            hear(topics)

        self.bus.hear = heard  # type: ignore[method-assign]
        self.all = 0
        self.bus.hear_all = self._hear_all  # type: ignore[method-assign]
        self.relay.start()
        until(lambda: self.all, lambda all: all == 1)

    def _hear_all(self) -> None:
        self.all += 1

    def close(self) -> None:
        self.relay.close()
        self.store.close()


@pytest.fixture
def processes(database: str) -> Iterator[tuple[Process, Process]]:
    both = Process(database), Process(database)
    yield both
    for one in both:
        one.close()


def test_others_hear_of_a_change_and_who_told_it_hears_it_once(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    here.bus.tell("hand", "match")
    until(lambda: there.told, lambda told: told == [("hand", "match")])
    there.bus.tell("last")
    until(lambda: here.told, lambda told: told == [("hand", "match"), ("last",)])


def test_more_topics_than_a_notification_holds_are_told_as_all_of_them(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    here.bus.tell(*(f"a topic whose name is long {number}" for number in range(500)))
    until(lambda: there.all, lambda all: all == 2)
    assert there.told == []


def test_a_burst_is_told_in_fewer_notifications(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = processes
    sent = []
    payload = here.relay._payload
    monkeypatch.setattr(
        here.relay, "_payload", lambda topics: sent.append(topics) or payload(topics)
    )
    topics = [f"hand {number}" for number in range(200)]

    async def burst() -> None:
        await asyncio.gather(*(asyncio.to_thread(here.bus.tell, topic) for topic in topics))

    in_a_thread(asyncio.run, burst())
    heard = until(lambda: {one for told in there.told for one in told}, set(topics).issubset)
    assert heard and len(sent) < len(topics)


def test_whoever_lost_the_connection_listens_again_and_looks_at_everything(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    with here.store.engine.connect() as connection:
        connection.execute(CUT_LISTENERS)
    until(lambda: (here.all, there.all), lambda all: min(all) >= 2)
    here.bus.tell("hand")
    until(lambda: there.told, lambda told: ("hand",) in told)


def test_a_process_that_no_page_follows_tells_and_does_not_listen(database: str) -> None:
    page, store, bus = Process(database), Store(database), EventBus(0)
    reader = BusRelay(store, bus)
    try:
        reader.start(listen=False)
        bus.tell("hand")
        until(lambda: page.told, lambda told: told == [("hand",)])
        (row,) = store.look(LISTENERS, {})
        assert row.count == 1
    finally:
        reader.close()
        store.close()
        page.close()


@pytest.mark.parametrize("trusted", [0.0, 60.0])
def test_a_connection_that_the_server_has_closed_is_replaced(
    database: str, monkeypatch: pytest.MonkeyPatch, trusted: float
) -> None:
    """A connection used a moment ago is replaced too, so that no request fails once the server is
    back.
    """
    store = Store(database)
    try:
        monkeypatch.setattr(store_connections, "TRUSTED", trusted)
        (before,) = store.look(WHO, {})
        with own_connection(database) as other:
            other.execute(text(f"SELECT pg_terminate_backend({before.pid}, 10000)"))
        (after,) = store.look(WHO, {})
        assert after.pid != before.pid
        monkeypatch.setattr(store_connections, "TRUSTED", 60.0)
        assert store.look(WHO, {}) == [after]
    finally:
        store.close()


def test_nobody_elses_notification_ends_the_listening(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    for payload in ("", "{}", "[]", "[1]", "no JSON"):
        with here.store.writing() as session:
            session.execute(bus_relay._NOTIFY, {"channel": bus_relay.CHANNEL, "payload": payload})
    here.bus.tell("hand")
    until(lambda: there.told, lambda told: told == [("hand",)])


# --- page processes ---


def phones_of(pages: list[Served], hand: str, each: int) -> list[Phone]:
    path = f"/api/hands/{hand}/events"
    return [Phone(page.base, path) for page in pages for _ in range(each)]


def begun_hand(page: Served) -> str:
    return str(page.post_form("/score")).rsplit("/", 1)[1]


async def while_following(phones: list[Phone], act: Callable[[], Awaitable[None]]) -> None:
    """Run `act` while phones follow."""
    following = [asyncio.create_task(phone.follow()) for phone in phones]
    try:
        await hear(phones, 1)
        await act()
    finally:
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)


async def hear(phones: list[Phone], count: int) -> None:
    await asyncio.gather(*(phone.hears(count) for phone in phones))


def test_each_of_400_phones_at_two_processes_hears_each_change(
    database: str, tmp_path: Path
) -> None:
    with page_processes(database, tmp_path) as pages:
        hand = begun_hand(pages[0])
        phones = phones_of(pages, hand, 200)

        async def change() -> None:
            for number in range(4):
                await asyncio.to_thread(tap, pages[number % 2], hand, number)
                await hear(phones, number + 2)

        in_a_thread(asyncio.run, while_following(phones, change))
        assert {len(phone.heard) for phone in phones} == {5}


def tap(page: Served, hand: str, number: int) -> None:
    edit = {"op": "add_tile", "side": "A", "place": "melds", "face": "3R"}
    page.post(f"/api/hands/{hand}/edits", {"edits": [{"key": f"tap-{number}", **edit}]})


def test_streams_catch_up_when_postgresql_was_killed_and_came_back(tmp_path: Path) -> None:
    with postgresql() as server, page_processes(server.url, tmp_path) as pages:
        hand = begun_hand(pages[0])
        phones = phones_of(pages, hand, 3)

        async def fall_and_rise() -> None:
            await asyncio.to_thread(server.stop, "immediate")
            await asyncio.to_thread(server.start)
            await hear(phones, 2)  # whatever changed meanwhile
            known = max(len(phone.heard) for phone in phones)
            await asyncio.to_thread(tap, pages[1], hand, 1)
            await hear(phones, known + 1)

        in_a_thread(asyncio.run, while_following(phones, fall_and_rise))
        assert len(pages[0].get(f"/api/hands/{hand}")["tiles"]) == 1
