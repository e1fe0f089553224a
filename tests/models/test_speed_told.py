"""Figures of speed and memory, in the sentences of the documents, are those of the committed
tables.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.models.committed import RESULTS, table, text_of

README, CHANGELOG = "README.md", "CHANGELOG.md"
MEASUREMENTS = "models/MEASUREMENTS.md"
CAPACITY = "scorer_app/serving/deploy/CAPACITY.md"


def speed() -> str:
    median = {row["what"]: float(row["p50"]) for row in table("speed.csv")}
    return (
        f"a 12-megapixel photograph with 40 tiles {median['photo 12 MP, 40 tiles']:.0f} ms,"
        f" with 106 tiles {median['photo 12 MP, 106 tiles']:.0f} ms,"
        f" a 1280x720 frame with 40 tiles {median['frame 1280x720, 40 tiles']:.0f} ms"
    )


def cold_start() -> str:
    median = {row["what"]: float(row["p50"]) for row in table("speed.csv")}
    return (
        f"`burako read` from cold start {median['burako read, cold start, 12 MP']:.2f} s,"
        f" {median['peak memory, 48 MP']:.0f} MB at most with 48 megapixels"
    )


def speed_of_cards() -> str:
    median = {row["what"]: float(row["p50"]) for row in table("speed.csv")}
    return f"A photograph with 48 cards takes {median['photo 12 MP, 48 cards']:.0f} ms"


@pytest.mark.parametrize(
    ("what", "label", "figure"),
    [
        ("photo 12 MP, 40 tiles", "a 12-megapixel photograph with 40 tiles", "{:.0f} ms"),
        ("photo 12 MP, 106 tiles", "a 12-megapixel photograph with 106 tiles", "{:.0f} ms"),
        ("frame 1280x720, 40 tiles", "a 1280x720 frame with 40 tiles", "{:.0f} ms"),
        ("photo 12 MP, 48 cards", "a 12-megapixel photograph with 48 cards", "{:.0f} ms"),
        ("burako read, cold start, 12 MP", "`burako read` from cold start", "{:.2f} s"),
        ("peak memory, 48 MP", "memory at most, with 48 megapixels", "{:.0f} MB"),
    ],
)
def test_a_row_of_speed_tells_what_its_table_holds(what: str, label: str, figure: str) -> None:
    (median,) = (float(row["p50"]) for row in table("speed.csv") if row["what"] == what)
    assert f"| {label} | {figure.format(median)} |" in text_of(MEASUREMENTS)


def live_frames() -> str:
    value = {row["what"]: float(row["value"]) for row in table("live.csv")}
    return (
        f"An unchanged 1280x720 frame takes {value['unchanged frame, p50']:.1f} ms,"
        f" one with a change {value['frame with a change, p50']:.0f} ms"
    )


def pages_of_a_million() -> list[tuple[str, float]]:
    """Return each page that was asked of a server with a million matches, a home's or a public one,
    with the milliseconds that 95 of 100 answers took at most.
    """
    lines = (RESULTS / "many_matches.txt").read_text("utf-8").splitlines()
    told = [line.removeprefix("ok").strip() for line in lines if ", p95: " in line]
    return [
        (line.split(", p95: ")[0], float(line.split(", p95: ")[1].split(" ms")[0])) for line in told
    ]


def million_matches() -> str:
    slowest = max(milliseconds for _page, milliseconds in pages_of_a_million())
    return f"A million matches in PostgreSQL: every page within {slowest:.0f} ms (p95)"


def pages_and_statistics() -> str:
    pages = pages_of_a_million()
    statistics = max(took for page, took in pages if page == "statistics")
    rest = max(took for page, took in pages if took != statistics)
    return (
        f"Every page answers within {rest:.0f} ms (p95), the statistics of a home,"
        f" which add up the 500 matches played last, within {statistics:.0f}"
    )


@pytest.mark.parametrize(
    ("sentence", "document"),
    [
        (speed, README),
        (speed_of_cards, README),
        (cold_start, README),
        (live_frames, MEASUREMENTS),
        (million_matches, CHANGELOG),
        (pages_and_statistics, CAPACITY),
    ],
)
def test_a_sentence_tells_what_its_table_holds(sentence: Callable[[], str], document: str) -> None:
    assert sentence() in text_of(document)
