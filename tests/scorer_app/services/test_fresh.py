"""A remembered answer is never shown once it is out of date, nor to somebody for whom it was not
made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event

import pytest
from flask import Flask

from scorer_app import create_app
from scorer_app.config import AppConfig
from scorer_app.services.hands import Hands
from scorer_app.services.memo import Memo
from scorer_app.store import Store
from scorer_app.texts.languages import LANGUAGES
from scorer_app.web.application import close
from scorer_app.web.hand_json import HandView
from scorer_app.web.parts import parts_of

from ..conftest import Scorer, token_of
from ..hands import CANASTA
from ..pictures import RecordedReader
from ..served import PATIENCE

FROM_AFAR = {"REMOTE_ADDR": "192.168.1.66"}
JOKER = {"op": "add_tile", "side": "A", "place": "melds", "face": "J"}


@pytest.fixture
def neighbour(config: AppConfig, app: Flask, reader: RecordedReader) -> Iterator[Scorer]:
    """A device at another server over the same data."""
    other = create_app(config, reader)
    device = other.test_client()
    yield Scorer(device, token_of(device))
    close(other)


def saved_hand(scorer: Scorer) -> str:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.close(hand)
    assert scorer.post(f"/api/hands/{hand}/save").status_code == 200
    return hand


def shown(scorer: Scorer, hand: str) -> tuple[str, str, str]:
    """Return the total of side A as the hand's JSON shows it, and the texts of the match's page and
    of the first page.
    """
    view = scorer.hand(hand)
    pages = (scorer.client.get(path).text for path in (f"/matches/{view['match']}", "/"))
    return str(view["score"]["A"]["total"]), *pages


def test_what_one_server_writes_the_other_shows_at_once(scorer: Scorer, neighbour: Scorer) -> None:
    hand = saved_hand(scorer)
    before = shown(neighbour, hand)
    assert all(before[0] in part for part in before)
    scorer.edit(hand, {"op": "add_adjustment", "side": "A", "points": 77, "reason": "house"})
    scorer.post(f"/api/hands/{hand}/save")
    after = shown(neighbour, hand)
    assert int(after[0]) == int(before[0]) + 77
    assert all(after[0] in part for part in after)
    assert shown(scorer, hand)[0] == after[0]
    neighbour.form(f"/hands/{hand}/undone", undone="yes")
    _hand, match, first = shown(scorer, hand)
    assert 'class="huge-figure">0<' in match
    assert after[0] not in first


def test_edits_refused_together_leave_nothing_behind(scorer: Scorer) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "rack", "3R")
    before = scorer.hand(hand)
    assert scorer.edit(hand, JOKER, {"op": "remove_tile", "tile": "t99"}).status_code == 409
    assert scorer.hand(hand) == before
    answer = scorer.tap(hand, "A", "rack", "4B").get_json()
    assert [tile["face"] for tile in answer["tiles"].values()] == ["3R", "4B"]
    assert scorer.hand(hand) == answer


def test_a_stale_save_is_refused_and_shows_the_hand_as_it_is(
    scorer: Scorer, neighbour: Scorer
) -> None:
    hand = scorer.begin()
    scorer.tap(hand, "A", "melds", CANASTA)
    scorer.close(hand)
    seen = neighbour.hand(hand)["version"]
    changed = scorer.tap(hand, "B", "rack", "9K").get_json()
    assert neighbour.post(f"/api/hands/{hand}/save", json={"version": seen}).status_code == 409
    assert neighbour.hand(hand) == changed


def test_each_device_is_answered_in_its_own_language_and_role(app: Flask, scorer: Scorer) -> None:
    hand = saved_hand(scorer)
    match = scorer.hand(hand)["match"]
    devices = {language: {"Accept-Language": language} for language in LANGUAGES}
    for _turn in range(2):
        words = {
            name: app.test_client().get(f"/api/hands/{hand}", headers=asked).text
            for name, asked in devices.items()
        }
        assert len(set(words.values())) == len(LANGUAGES)
        for name, asked in devices.items():
            for path in (f"/matches/{match}", f"/hands/{hand}", "/"):
                page = app.test_client().get(path, headers=asked)
                assert f'<html lang="{name}' in page.text
                assert app.test_client().get(
                    path, headers=asked, environ_overrides=FROM_AFAR
                ).status_code in (302, 401)


def test_the_code_renewed_anywhere_takes_the_pen_at_once(
    app: Flask, scorer: Scorer, neighbour: Scorer
) -> None:
    hand = saved_hand(scorer)
    others = f"/matches/{scorer.hand(hand)['match']}/others"
    code = re.search(r'class="code"[^>]*>(\w+)<', scorer.client.get(f"{others}/code").text)
    assert code
    guest = app.test_client()
    token = guest.get("/api/session", environ_overrides=FROM_AFAR).get_json()["csrf"]
    guest.post("/join", data={"csrf": token, "code": code.group(1)}, environ_overrides=FROM_AFAR)
    assert guest.get(f"/api/hands/{hand}", environ_overrides=FROM_AFAR).status_code == 200
    neighbour.form(f"{others}/renew")
    for path in (f"/api/hands/{hand}", f"/hands/{hand}"):
        assert guest.get(path, environ_overrides=FROM_AFAR).status_code == 401


def test_a_hand_asked_for_by_many_is_worked_out_once(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, counted = scorer.begin(), list[int]()
    real = HandView._judged
    monkeypatch.setattr(
        HandView,
        "_judged",
        lambda self, found, *more: counted.append(found.version) or real(self, found, *more),
    )
    version = scorer.tap(hand, "A", "melds", "3R 4R 5R").get_json()["version"]
    assert {scorer.hand(hand)["version"] for _ in range(5)} == {version}
    assert counted == [version]


def test_a_memo_keeps_the_newest_and_no_failure() -> None:
    memo: Memo[int] = Memo(most=2)
    with pytest.raises(ZeroDivisionError):
        memo.get("a", lambda: 1 // 0)
    assert [memo.get(key, partial(int, number)) for number, key in enumerate("abac")] == [
        0,
        1,
        0,
        3,
    ]
    assert memo.get("a", lambda: 9) == 0
    assert memo.get("b", lambda: 9) == 9


def test_who_asks_at_once_waits_for_the_same_and_for_no_other() -> None:
    memo: Memo[str] = Memo(most=9)
    begun, may_end = Event(), Event()

    def slowly() -> str:
        begun.set()
        assert may_end.wait(PATIENCE)
        return "slow"

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(memo.get, "slow", slowly)]
        assert begun.wait(PATIENCE)
        asked.append(pool.submit(memo.get, "slow", str))
        assert memo.get("other", lambda: "quick") == "quick"
        may_end.set()
        assert [one.result(PATIENCE) for one in asked] == ["slow", "slow"]


@pytest.mark.parametrize(("durable", "level"), [(True, 2), (False, 1)])
def test_what_is_saved_waits_for_the_disk_and_a_tap_does_not(
    app: Flask, durable: bool, level: int
) -> None:
    store: Store = parts_of(app).store
    for asked, expected in ((durable, level), (True, 2), (durable, level)):
        with store.writing(durable=asked) as session:
            assert session.connection().exec_driver_sql("PRAGMA synchronous").scalar() == expected


def test_saving_a_hand_waits_for_the_disk(
    app: Flask, scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    store, hands = parts_of(app).store, parts_of(app).hands
    assert isinstance(hands, Hands)
    real = store.writing
    monkeypatch.setattr(
        store, "writing", lambda durable=True: asked.append(durable) or real(durable=durable)
    )
    saved_hand(scorer)
    assert asked == [True, True, False, False, True]  # match and hand made, taps, the end, saved
