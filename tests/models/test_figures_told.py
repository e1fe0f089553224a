"""Figures of how well is read, in the sentences of the documents, are those of the committed
tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import groupby

import pytest

from tests.models.committed import Row, table, text_of
from tests.places import PROJECT

README, MODEL_CARD, CHANGELOG = "README.md", "models/MODEL_CARD.md", "CHANGELOG.md"
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def counts(rows: Iterable[Row], *keys: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """Map (the keys' values, measure) of each row to its count and of how many."""
    return {
        (*(row[key] for key in keys), row["measure"]): (int(row["count"]), int(row["of"]))
        for row in rows
        if row["count"]
    }


def hands_of(rows: Iterable[Row]) -> list[list[Row]]:
    """Group the rows of both sides by their hand."""
    return [list(sides) for _hand, sides in groupby(rows, key=lambda row: row["hand"])]


def exact(side: Row) -> bool:
    return side["read"] == side["true"]


def inside(side: Row) -> bool:
    return int(side["low"]) <= int(side["true"]) <= int(side["high"])


def is_open(side: Row) -> bool:
    return side["low"] != side["high"]


def sure_and_wrong(side: Row) -> bool:
    return not exact(side) and not is_open(side) and side["doubtful"] == "0"


def sure_wrong_in_words(wrong: int) -> str:
    return f"{WORDS[wrong]} {'are' if wrong > 1 else 'is'} sure and wrong"


def renders() -> str:
    measured = counts(table("summary.csv"), "source", "group")
    rows = "{} of {}".format(*measured["burako_renders", "all", "rows_equal"])
    illegal = "{} of {}".format(*measured["burako_renders", "all", "illegal_told"])
    (corners,) = (
        float(row["value"])
        for row in table("summary.csv")
        if row["measure"] == "corner_error_p50" and row["group"] == "all"
    )
    return (
        f"Rows of `burako_renders` equal the melds in {rows}; {illegal} illegal melds are told as"
        f" illegal; corners are off by {corners:.1%} of the tile's width (median)".replace(
            "%", " %"
        )
    )


def doubtful_renders() -> str:
    measured = counts(table("summary.csv"), "source", "group")
    doubtful, _of = measured["burako_renders", "all", "doubtful"]
    invented, _of = measured["burako_renders", "all", "invented"]
    return f"Of the {doubtful} reported as doubtful {invented} are the places invented"


def networks() -> str:
    names = json.loads((PROJECT / "models" / "manifest.json").read_text("utf-8"))
    of_cards = sum(name.startswith("card_") for name in names)
    assert len(names) == 13
    return (
        "Thirteen networks read photographs:"
        f" {WORDS[len(names) - of_cards]} for tiles, {WORDS[of_cards]} for playing cards"
    )


def invented_places() -> str:
    places = [row for row in table("failures.csv") if row["photo"] == "still_038"]
    assert {row["outcome"] for row in places} == {"invented"}
    assert {row["doubtful"] for row in places} == {"1"}
    return f"(`still_038`: rings with stars): {len(places)} places invented, each marked"


def own_set_in_rows() -> str:
    measured = counts(table("own_set.csv"), "taught_with")

    def told(taught_with: str, share: str = "") -> str:
        right, of = measured[taught_with, "tiles_exact"]
        silent, _of = measured[taught_with, "silent"]
        doubtful, reported = measured[taught_with, "doubtful"]
        share = share and f" ({100 * right / of:.1f} %)"
        return f"{right} of {of}{share} | {silent} | {doubtful} of {reported}"

    return (
        f"| `S1`, untaught | {told('0')} |"
        f" | `S1`, taught with one photograph | {told('1')} |"
        f" | `S1`, taught with two | {told('2', 'share')} |"
    )


def own_set() -> str:
    measured = counts(table("own_set.csv"), "taught_with")

    def told(taught_with: str) -> tuple[int, int, int, int]:
        silent, _of = measured[taught_with, "silent"]
        return measured[taught_with, "tiles_exact"][0], silent, *measured[taught_with, "doubtful"]

    right, of = measured["2", "tiles_exact"]
    return (
        "untaught {} right, {} silent, {} of {} reported doubtful; taught with".format(*told("0"))
        + " one photograph {}, {} and {} of {};".format(*told("1"))
        + " taught with two {} ({share}), {} and {} of {}".format(
            *told("2"), share=f"{100 * right / of:.1f} %"
        )
    )


def own_set_in_the_changelog() -> str:
    measured = counts(table("own_set.csv"), "taught_with")
    untaught, one, two = (measured[taught, "tiles_exact"] for taught in "012")
    silent = [measured[taught, "silent"][0] for taught in "012"]
    return (
        f"Of {two[1]} tiles of a real, bleached set with digits mended by hand {untaught[0]} are"
        f" read rightly untaught, {one[0]} taught with one photograph, {two[0]} taught with two;"
        " {}, {} and {} are wrong or missed without a doubt".format(*silent)
    )


def taught_in_rows(name: str, sets: str, loss: str = "") -> str:
    """Return the two rows of a table of ordinary sets: untaught, and taught with one photograph."""
    measured = {row["measure"]: row for row in table(name)}
    of = int(measured["tiles_exact"]["of"])

    def told(when: str) -> str:
        right, silent, doubtful = (
            int(measured[measure][when]) for measure in ("tiles_exact", "silent", "doubtful")
        )
        return f"{right:,} of {of:,} | {silent} | {doubtful:,}"

    return (
        f"| {sets}, untaught | {told('untaught')} |"
        f" | {sets}, taught with one photograph{loss} | {told('taught')} |"
    )


def ordinary_sets() -> str:
    (tiles,) = (row for row in table("ordinary_sets.csv") if row["measure"] == "tiles_exact")
    worse = int(tiles["sets_worse"])
    loss = f"; {WORDS[worse]} set{'s' if worse != 1 else ''} lost a tile or more"
    return taught_in_rows("ordinary_sets.csv", "forty ordinary sets", loss)


def blurred_ordinary_sets() -> str:
    return taught_in_rows("ordinary_sets_blurred.csv", "forty others, out of focus")


def odd_sets() -> str:
    measured = counts(table("odd_sets.csv"), "oddity", "taught_with", "photographs")

    def told(oddity: str, photographs: str) -> str:
        right, of = measured[oddity, "2", photographs, "tiles_exact"]
        return f"{right} of {of} | {measured[oddity, '2', photographs, 'silent'][0]}"

    kinds = {"inks": "odd inks", "old": "bleached", "marks": "a mark alone for a colour"}
    return " ".join(
        f"| {kind} | {told(oddity, 'all')} | {told(oddity, 'kept')} |"
        for oddity, kind in kinds.items()
    )


def all_cards() -> dict[str, tuple[int, int]]:
    """Map each measure to its count and of how many, over all packs of cards."""
    measured = counts(table("cards.csv"), "source")
    return {
        measure: (sum(count for count, _of in pairs), sum(of for _count, of in pairs))
        for measure in {measure for _source, measure in measured}
        if (pairs := [measured[key] for key in measured if key[1] == measure])
    }


def cards_together() -> str:
    cards = all_cards()
    fans = counts(table("cards.csv"), "source")["poker_cards", "columns_right"]
    return (
        "Together {:,} of {:,} cards right,".format(*cards["cards_right"])
        + " {} of {} photographs exact,".format(*cards["photos_exact"])
        + f" silent errors: {cards['silent'][0]}, {cards['extra'][0]} invented,"
        + " {:,} of {:,} doubtful,".format(*cards["doubtful"])
        + " {} of {} columns in order".format(*cards["columns_right"])
        + " ({} of the {} wide fans of `poker_cards`)".format(*fans)
    )


def photographs_of_cards() -> str:
    return "{} of {} photographs of four packs are exact".format(*all_cards()["photos_exact"])


def columns_of_cards() -> str:
    return "{} of {} on photographs are in order".format(*all_cards()["columns_right"])


def rendered_hands() -> tuple[int, list[list[Row]]]:
    """Return the number of cards in all rendered hands of cards, and the rows of each hand."""
    hands = hands_of(table("card_hands.csv"))
    return sum(int(sides[0]["cards"]) for sides in hands), hands


def hands_of_cards_in_the_readme() -> str:
    _cards, hands = rendered_hands()
    sizes = [int(sides[0]["cards"]) for sides in hands]
    sides = [side for sides in hands for side in sides]
    wrong = sum(map(sure_and_wrong, sides))
    return (
        f"of {len(hands)} rendered hands of {min(sizes)}-{max(sizes)} cards"
        f" {sum(all(map(exact, sides)) for sides in hands)} score exactly,"
        f" and {WORDS[wrong]} of {len(sides)} sides {'are' if wrong > 1 else 'is'} sure and wrong"
    )


def hands_of_cards_in_a_row() -> str:
    cards, hands = rendered_hands()
    sides = [side for sides in hands for side in sides]
    right = cards - sum(len(side["missing"].split()) for side in sides)
    without_question = sum(not is_open(side) and side["doubtful"] == "0" for side in sides)
    return (
        f"| {len(hands)} in columns (21400) | again"
        f" | {right:,} of {cards:,} ({100 * right / cards:.1f} %)"
        f" | {sum(all(map(exact, sides)) for sides in hands)} of {len(hands)}"
        f" | {sum(map(inside, sides))} of {len(sides)}"
        f" | {sum(map(sure_and_wrong, sides))}"
        f" | {without_question} of {len(sides)} |"
    )


def sizes_of_hands_of_cards() -> str:
    sizes = [int(sides[0]["cards"]) for sides in rendered_hands()[1]]
    return f"hands of Italian Burraco of {min(sizes)}-{max(sizes)} cards"


def promise() -> str:
    hands = hands_of(table("promise.csv"))
    sides = [side for sides in hands for side in sides]
    legal = sum(sides[0]["legal"] == "True" for sides in hands)
    assert all(map(exact, sides)) and all(map(inside, sides))
    return (
        f"| put together from photographs: {legal} of legal melds,"
        f" {len(hands) - legal} with illegal melds among them | {len(hands)} of {len(hands)}"
        f" | {sum(any(map(is_open, sides)) for sides in hands)} | 0"
        f" | {len(sides)} of {len(sides)} |"
    )


def photographs_of_the_promise() -> str:
    photographs = {photo for side in table("promise.csv") for photo in side["photos"].split()}
    return f"The first row comes from {len(photographs)} photographs"


def promise_in_short() -> str:
    hands = hands_of(table("promise.csv"))
    assert all(exact(side) for sides in hands for side in sides)
    open_ones = sum(any(map(is_open, sides)) for sides in hands)
    return (
        f"Of {len(hands)} hands put together from the photographs of tiles all score exactly,"
        f" and {open_ones} leave a question open"
    )


def dealt(file: str = "dealt_hands.csv") -> tuple[list[list[Row]], int, int, int]:
    """Return the sides of the dealt hands in a table, and how many of these hands score exactly,
    leave a question open, and are sure and wrong.
    """
    hands = hands_of(table(file))
    score_exactly = sum(all(map(exact, sides)) for sides in hands)
    open_ones = sum(any(map(is_open, sides)) for sides in hands)
    wrong = sum(not (all(map(exact, sides)) or any(map(is_open, sides))) for sides in hands)
    return hands, score_exactly, open_ones, wrong


def dealt_in_short() -> str:
    hands, score_exactly, open_ones, wrong = dealt()
    return (
        f"of {len(hands)} rendered hands that were dealt from one set each {score_exactly} score"
        f" exactly, {open_ones} leave a question open, and {sure_wrong_in_words(wrong)}"
    )


def dealt_in_a_row() -> str:
    return dealt_row(
        "dealt_hands.csv", "rendered, dealt from one set each, which settles doubts (216)"
    )


def dealt_and_taught_in_a_row() -> str:
    what = "the same, each read with its set, which one photograph has taught (243)"
    return dealt_row("dealt_hands_taught.csv", what)


def dealt_row(file: str, what: str) -> str:
    hands, score_exactly, open_ones, wrong = dealt(file)
    sides = [side for sides in hands for side in sides]
    return (
        f"| {what} | {score_exactly} of {len(hands)} | {open_ones} | {wrong}"
        f" | {sum(map(inside, sides))} of {len(sides)} |"
    )


def measured_scenes() -> dict[tuple[str, ...], tuple[int, int]]:
    """Map (slice, measure) to its count and of how many, for all hands of the slice."""
    rows = [row for row in table("scenes_summary.csv") if not row["melds"]]
    return counts(rows, "slice")


def scenes_in_short() -> str:
    measured = measured_scenes()
    score_exactly, hands = measured["ordinary", "hands_exact"]
    wrong = measured["ordinary", "hands_sure_and_wrong"][0]
    return (
        f"Of {hands} hands of rendered scenes, which are harder, {score_exactly} score exactly,"
        f" {measured['ordinary', 'hands_open'][0]} leave a question open,"
        f" and {sure_wrong_in_words(wrong)}"
    )


def hands_of_scenes() -> str:
    measured = measured_scenes()
    parts = {
        "ordinary": "rendered, ordinary, each photograph of another set",
        "low": "rendered, from low",
        "hard": "rendered, deliberately hard (low views, tiny, blurred, half covered)",
    }
    return " ".join(
        f"| {words} | {{}} of {{}}".format(*measured[part, "hands_exact"])
        + f" | {measured[part, 'hands_open'][0]} | {measured[part, 'hands_sure_and_wrong'][0]}"
        + " | {} of {} |".format(*measured[part, "true_inside_interval"])
        for part, words in parts.items()
    )


def scenes_from_low() -> str:
    measured = measured_scenes()
    right, tiles = measured["low", "tiles_exact"]
    return (
        f"{right:,} of {tiles:,} tiles are read rightly, {measured['low', 'silent'][0]} wrong"
        " without a doubt"
    )


SENTENCES: dict[Callable[[], str], tuple[str, ...]] = {
    renders: (MODEL_CARD,),
    doubtful_renders: (MODEL_CARD,),
    networks: (MODEL_CARD,),
    invented_places: (MODEL_CARD,),
    own_set: (README,),
    own_set_in_rows: (MODEL_CARD,),
    own_set_in_the_changelog: (CHANGELOG,),
    ordinary_sets: (MODEL_CARD,),
    blurred_ordinary_sets: (MODEL_CARD,),
    odd_sets: (MODEL_CARD,),
    cards_together: (MODEL_CARD,),
    photographs_of_cards: (CHANGELOG,),
    columns_of_cards: (CHANGELOG,),
    hands_of_cards_in_the_readme: (README, CHANGELOG),
    hands_of_cards_in_a_row: (MODEL_CARD,),
    sizes_of_hands_of_cards: (MODEL_CARD,),
    promise: (MODEL_CARD,),
    photographs_of_the_promise: (MODEL_CARD,),
    promise_in_short: (README, CHANGELOG),
    hands_of_scenes: (MODEL_CARD,),
    scenes_from_low: (MODEL_CARD,),
    scenes_in_short: (README,),
    dealt_in_short: (README, CHANGELOG),
    dealt_in_a_row: (MODEL_CARD,),
    dealt_and_taught_in_a_row: (MODEL_CARD,),
}


@pytest.mark.parametrize(
    ("sentence", "document"),
    [(sentence, document) for sentence, told in SENTENCES.items() for document in told],
)
def test_a_sentence_tells_what_its_table_holds(sentence: Callable[[], str], document: str) -> None:
    assert sentence() in text_of(document)


def test_every_failure_counted_is_listed() -> None:
    """`failures.csv` has a row for each tile that is wrong, unread or invented."""
    summary = counts(table("summary.csv"), "source", "group")
    listed = [(row["source"], row["outcome"]) for row in table("failures.csv")]
    for (source, group, measure), (count, _of) in summary.items():
        if group == "all" and measure in ("wrong", "unread", "invented"):
            assert listed.count((source, measure)) == count, (source, measure)
