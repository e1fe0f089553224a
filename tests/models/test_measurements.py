"""The tables of MEASUREMENTS.md agree with themselves, with the model card and with the README."""

from __future__ import annotations

import re

import pytest

from tests.models.committed import text_of
from tests.models.tables_told import (
    MEASUREMENTS,
    MODEL_CARD,
    Row,
    numbers,
    rows_with,
    seeds,
    tables,
)

HANDS, INSIDE, WRONG = "hands exact", "sides inside", "sure and wrong"
OPEN, CLEAR = "hands with a question", "sides without a question"
FIGURES = ("cards right", HANDS, INSIDE, WRONG, OPEN, CLEAR)
SHARE = re.compile(r"([\d,]+) of ([\d,]+) \(([\d.]+) %\)")
IN_WORDS = {0: "none", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def label_of(row: Row) -> str:
    """Return the first cell of a row, which says what was read."""
    return next(iter(row.values()))


def is_sum(row: Row) -> bool:
    return label_of(row).startswith("**these ")


def readme() -> str:
    return text_of("README.md")


def sums() -> list[tuple[Row, list[Row]]]:
    """Return each row that adds others up, with the rows above it that were read first."""
    return [
        (row, [above for above in rows[:place] if above["read"] == "first"])
        for rows in tables(MEASUREMENTS)
        for place, row in enumerate(rows)
        if is_sum(row)
    ]


def last_row_of(named: list[int]) -> Row:
    """Return the last row of MEASUREMENTS.md that tells of exactly these seeds of cards."""
    return [row for row in rows_with(MEASUREMENTS, HANDS) if seeds(label_of(row)) == named][-1]


def packs(option: str) -> Row:
    """Return the last row of the seed that is rendered with this option."""
    (named,) = {
        tuple(seeds(label_of(row)))
        for row in rows_with(MEASUREMENTS, HANDS)
        if f"--packs {option}`" in label_of(row)
    }
    return last_row_of(list(named))


def test_three_rows_add_others_up() -> None:
    assert [numbers(label_of(row))[0] for row, _above in sums()] == [58, 34, 54]


@pytest.mark.parametrize(("row", "above"), sums(), ids=lambda value: "")
def test_a_sum_is_the_sum_of_what_was_read_first(row: Row, above: list[Row]) -> None:
    named = [seed for one in above for seed in seeds(label_of(one))]
    assert numbers(label_of(row))[0] == len(set(named)) == len(named)
    for title in FIGURES:
        if row.get(title):
            cells = [numbers(one[title]) for one in above]
            assert numbers(row[title]) == tuple(map(sum, zip(*cells, strict=True))), title


@pytest.mark.parametrize("title", [OPEN, CLEAR])
def test_every_seed_was_read_first_once(title: str) -> None:
    """Sums would count a seed twice otherwise."""
    first = [row for row in rows_with(MEASUREMENTS, HANDS, title) if row["read"] == "first"]
    named = [seed for row in first for seed in seeds(label_of(row))]
    assert sorted(set(named)) == sorted(named)


@pytest.mark.parametrize("document", [MODEL_CARD, MEASUREMENTS])
def test_a_row_of_hands_counts_two_sides_a_hand(document: str) -> None:
    rows = rows_with(document, HANDS, INSIDE)
    assert rows
    for row in rows:
        exact, hands = numbers(row[HANDS])
        assert exact <= hands, row
        for title, of in ((INSIDE, 2 * hands), (CLEAR, 2 * hands), (OPEN, hands)):
            if row.get(title):
                count, told = numbers(row[title])
                assert count <= told == of, row


def test_a_row_has_as_many_hands_as_its_seeds() -> None:
    """A seed of tiles has 24 hands, one of cards 60."""
    rows = rows_with(MEASUREMENTS, HANDS, "seeds")
    counted = [row for row in rows if seeds(row["seeds"]) and row["seeds"][0].isdigit()]
    assert len(counted) > 60
    for row in counted:
        hands = 24 if OPEN in row else 60
        assert numbers(row[HANDS])[1] == hands * len(seeds(row["seeds"])), row


@pytest.mark.parametrize("document", [MODEL_CARD, MEASUREMENTS])
def test_a_share_in_brackets_is_that_of_its_counts(document: str) -> None:
    cells = [cell for rows in tables(document) for row in rows for cell in row.values()]
    told = [found.groups() for cell in cells if (found := SHARE.fullmatch(cell))]
    assert told
    for count, of, share in told:
        (part,), (whole,) = numbers(count), numbers(of)
        assert f"{100 * part / whole:.1f}" == share


@pytest.mark.parametrize("title", FIGURES)
def test_rows_of_the_same_seeds_count_the_same_cards_and_hands(title: str) -> None:
    totals: dict[tuple[int, ...], set[int]] = {}
    for row in rows_with(MEASUREMENTS, HANDS, "program"):
        named = tuple(seeds(label_of(row)))
        if named and row.get(title) and len(numbers(row[title])) == 2:
            totals.setdefault(named, set()).add(numbers(row[title])[1])
    assert {named for named, told in totals.items() if len(told) > 1} == set()


def test_rows_of_the_same_photographs_count_the_same_tiles() -> None:
    totals: dict[str, set[int]] = {}
    for row in rows_with(MEASUREMENTS, "photographs", "tiles right"):
        if row["tiles right"]:
            right, tiles = numbers(row["tiles right"])
            assert right + int(row["silent"]) <= tiles, row
            totals.setdefault(row["photographs"], set()).add(tiles)
    assert {photographs: len(told) for photographs, told in totals.items()} == dict.fromkeys(
        totals, 1
    )


def test_of_odd_sets_no_more_tiles_are_right_or_silent_than_there_are() -> None:
    rows = rows_with(MEASUREMENTS, "sets with", "tiles")
    assert len(rows) == 6
    for row in rows:
        for title in ("before", "pair", "now"):
            assert sum(numbers(row[title])) <= int(row["tiles"]), row


def test_every_row_says_whether_the_seeds_had_been_read_before() -> None:
    told = {row["read"] for row in rows_with(MEASUREMENTS, "program", "read") if not is_sum(row)}
    assert told == {"first", "first, too", "again", ""}


def test_the_model_card_tells_the_newest_rows() -> None:
    """But for the hands of `card_hands.csv`, which another test compares with that table."""
    told = [row for row in rows_with(MODEL_CARD, HANDS, CLEAR) if "(21400)" not in label_of(row)]
    assert told
    for row in told:
        newest = last_row_of(seeds(label_of(row)))
        for title in ("read", *FIGURES):
            assert row.get(title) == newest.get(title), row


def test_the_readme_adds_up_the_hands_of_cards_read_first() -> None:
    row, _above = sums()[-1]
    exact, hands = numbers(row[HANDS])
    (wrong,) = numbers(row[WRONG])
    clear, sides = numbers(row[CLEAR])
    assert (
        f"Of {hands:,} further hands, each read by the program of its day before anybody had looked"
        f" at its failures, {exact:,} score exactly, {wrong} of {sides:,} sides are sure and"
        f" wrong, and {clear:,} leave no question open"
    ) in readme()


def test_the_readme_adds_up_the_rows_and_fans() -> None:
    """Of the seeds that are rendered whole, those that were read last before anybody had looked at
    them; those of cut-out faces are left out.
    """

    def together(laid: str, count: int) -> tuple[int, int, int, int]:
        of_hands = rows_with(MEASUREMENTS, "hands", HANDS, CLEAR)
        laid_so = [row for row in of_hands if f" in {laid} (" in label_of(row)]
        first = [row for row in laid_so if row["read"] == "first"]
        rows = [row for row in first if row["program"] == first[-1]["program"]]
        assert len(rows) == count
        exact, hands = map(sum, zip(*(numbers(row[HANDS]) for row in rows), strict=True))
        return exact, hands, sum(int(row[WRONG]) for row in rows), 2 * hands

    exact, hands, wrong, sides = together("rows", 1)
    of_fans, fans, wrong_fans, sides_of_fans = together("fans", 1)
    of_rows = f"{IN_WORDS[wrong]} side{'s' if wrong != 1 else ''}" if wrong else "no side"
    assert (
        f"Of {hands} hands laid as rows that nobody had met {exact} score exactly, of {fans} as"
        f" fans {of_fans}, and {of_rows} of {sides} and"
        f" {IN_WORDS[wrong_fans]} of {sides_of_fans} are sure and wrong"
    ) in readme()


def test_the_readme_tells_of_packs_what_was_measured() -> None:
    unseen, hands = numbers(packs("unseen")[HANDS])
    trained, _hands = numbers(packs("trained")[HANDS])
    assert (
        f"Of {hands} hands in packs that the networks never saw {unseen} score exactly, of {_hands}"
        f" in packs that they were trained on {trained}."
    ) in readme()


def test_the_shares_of_racks_told_follow_from_their_counts() -> None:
    (row,) = (
        row
        for row in rows_with(MEASUREMENTS, "photographs", "tiles right")
        if row["photographs"].startswith("408 racks") and "193" in row["program"]
    )
    right, tiles = numbers(row["tiles right"])
    text = text_of(MODEL_CARD)
    assert (
        f"On 408 rendered racks {100 * (tiles - right) / tiles:.1f} % of the tiles are not read"
        f" rightly, and {100 * int(row['silent']) / tiles:.1f} % are wrong or missed without a word"
    ) in text
