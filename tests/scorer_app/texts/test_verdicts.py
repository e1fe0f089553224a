"""Every verdict has a sentence in each language, naming the tiles concerned and the smallest
fix.
"""

import pytest

from engine import (
    Change,
    Reason,
    fix_meld,
    judge_change,
    judge_meld,
    ruleset,
    tiles,
    with_options,
)
from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.texts.translator import catalogue
from scorer_app.texts.verdicts import (
    explain_change,
    explain_closing,
    explain_meld,
    fix_text,
    reason_text,
)

BURAKO = ruleset("burako")


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("3R 4R", "3R 4R"),
        ("5R 5R 5R 5B", "de 5R."),
        ("J J 2R", "J J 2R"),
        ("5R 5B J 2K", ": J 2K."),
        ("2R 3R J 5R 2K", ": J 2K."),
        ("3R 4R J 6R 2R", ": J 2R."),
        ("3R 4R 5R 6B", "de otro: 6B."),
        ("5R 5B 5K 6R", ": 6R."),
        ("3R 4R 6R 9B", "lugar: 9B."),
        ("3R 3R 4R 5R", ": 3R 3R."),
        ("9Y 10Y 11Y 13Y", "sin 12Y."),
        ("10K 12K 1K", "sin 11K 13K."),
        ("13R 1R 2R", "(1R)"),
        ("13R J 2R 3R", "(13R J 2R 3R)"),
        ("3R 4R 1R 6R", ": 1R."),
        ("13K 1K J", "para J."),
        ("3R 2R 4R", ": 3R 2R 4R."),
    ],
)
def test_the_tiles_concerned_are_named(row: str, named: str) -> None:
    assert named in explain_meld(judge_meld(tiles(row), BURAKO), BURAKO)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "Una pierna puede tener hasta 3: 5R 5B 5K 5Y."),
        ("en", "A set may have 3 at most: 5R 5B 5K 5Y."),
        ("it", "Una combinazione può averne al massimo 3: 5R 5B 5K 5Y."),
    ],
)
def test_more_tiles_than_the_table_lets_a_pierna_have(language: Language, text: str) -> None:
    rules = with_options(BURAKO, {"pierna_max": 3})
    assert explain_meld(judge_meld(tiles("5R 5B 5K 5Y"), rules), rules, language) == text
    grown = Change((tiles("5R 5B 5K"),), (tiles("5R 5B 5K 5Y"),), tiles("5Y"))
    assert explain_change(judge_change(grown, rules), rules, language).startswith(text)
    more = judge_meld(tiles("5R 5B 5K 5R 5R"), rules)
    assert "5R 5B" not in explain_meld(more, rules, language)  # of 5R there are too many copies


@pytest.mark.parametrize("named", ["5R", "5R 6R"])
@pytest.mark.parametrize(
    ("language", "reason", "sentence"),
    [
        ("es", Reason.GAP, "La escalera está incompleta sin {}."),
        ("en", Reason.GAP, "The run lacks {}."),
        ("it", Reason.GAP, "La sequenza è incompleta senza {}."),
        ("es", Reason.TILE_REMOVED, "Lo bajado no se levanta: {}."),
        ("en", Reason.TILE_REMOVED, "What is laid stays: {}."),
        ("it", Reason.TILE_REMOVED, "Ciò che è calato non si riprende: {}."),
        ("es", Reason.UNKNOWN_TILE, "Nadie jugó {}: quizás antes se leyó mal la mesa."),
        ("en", Reason.UNKNOWN_TILE, "Nobody played {}: perhaps the table was misread before."),
        (
            "it",
            Reason.UNKNOWN_TILE,
            "Nessuno ha giocato {}: forse prima il tavolo è stato letto male.",
        ),
        ("es", Reason.HAND_NOT_EMPTY, "Para cerrar hay que quedarse sin fichas; en la mano: {}."),
        ("en", Reason.HAND_NOT_EMPTY, "To close a player must be out of tiles; in hand: {}."),
        ("it", Reason.HAND_NOT_EMPTY, "Per chiudere bisogna restare senza tessere; in mano: {}."),
    ],
)
def test_a_reason_holds_of_one_tile_as_of_several(
    language: Language, reason: Reason, sentence: str, named: str
) -> None:
    assert reason_text(reason, tiles(named), language) == sentence.format(named)


@pytest.mark.parametrize("language", LANGUAGES)
def test_reason_and_fix_make_one_message(language: Language) -> None:
    meld = judge_meld(tiles("9Y 10Y 11Y 13Y"), BURAKO)
    message = explain_meld(meld, BURAKO, language, fix_meld(meld, BURAKO))
    texts = catalogue(language)
    reason, fix = texts["reason.gap"], texts["fix.take_back"]
    assert message == f"{reason.format(tiles='12Y')} {fix.format(tiles='13Y')}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_meld_of_which_nothing_can_stay_is_taken_back_whole(language: Language) -> None:
    meld = judge_meld(tiles("3R 8B 13Y"), BURAKO)
    fix = fix_meld(meld, BURAKO)
    assert fix.tiles == meld.tiles
    told = fix_text(fix, language)
    assert told == catalogue(language)["fix.must_take_back"].format(tiles="3R 8B 13Y")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "Escalera, canasta pura: 45 puntos."),
        ("en", "Run, canasta pura: 45 points."),
        ("it", "Sequenza, burraco pulito: 45 punti."),
    ],
)
def test_a_legal_meld_is_told(language: Language, text: str) -> None:
    assert explain_meld(judge_meld(tiles("3R 4R 5R 6R 7R 8R 9R"), BURAKO), BURAKO, language) == text


def test_notices_are_told() -> None:
    assert "2B 3B 4B 5B" in explain_meld(judge_meld(tiles("3B 4B 5B 2B"), BURAKO), BURAKO)
    assert "2R 2B 2K" in explain_meld(judge_meld(tiles("2R 2B 2K"), BURAKO), BURAKO)


def test_changes_are_told() -> None:
    before = (tiles("4R J 6R"),)
    taken = Change(before, (tiles("4R 5R 6R"),), tiles("5R"), tiles("J"))
    assert explain_change(judge_change(taken, BURAKO), BURAKO, "en") == (
        "A wild that was laid does not return to the hand: J. It is enough to put J back in place."
    )
    wrong = Change(before, (tiles("4R J 6R 8R"),), tiles("8R"))
    assert "sin 7R." in explain_change(judge_change(wrong, BURAKO), BURAKO)
    right = Change(before, (tiles("4R 5R 6R J"),), tiles("5R"))
    assert explain_change(judge_change(right, BURAKO), BURAKO, "it") == "Sequenza: 65 punti."
    assert "J" in explain_change(judge_change(Change(before, (tiles("J 4R 6R"),)), BURAKO), BURAKO)


@pytest.mark.parametrize("named", ["6R", "6R 7R"])
@pytest.mark.parametrize(
    ("language", "not_own", "unknown"),
    [
        (
            "es",
            "Solo se agrega a los juegos propios: {0}. Hay que levantar {0}.",
            "Nadie jugó {0}: quizás antes se leyó mal la mesa. Hay que levantar {0}.",
        ),
        (
            "en",
            "Only one's own melds may be changed: {0}. {0} must be taken back.",
            "Nobody played {0}: perhaps the table was misread before. {0} must be taken back.",
        ),
        (
            "it",
            "Si può aggiungere solo ai propri giochi: {0}. Bisogna riprendere {0}.",
            "Nessuno ha giocato {0}: forse prima il tavolo è stato letto male."
            " Bisogna riprendere {0}.",
        ),
    ],
)
def test_a_meld_that_stays_is_not_said_to_go(
    language: Language, not_own: str, unknown: str, named: str
) -> None:
    before, after = (tiles("3R 4R 5R"),), (tiles(f"3R 4R 5R {named}"),)
    theirs = judge_change(Change(before, after, tiles(named), actor="B"), BURAKO)
    assert explain_change(theirs, BURAKO, language) == not_own.format(named)
    nobodys = judge_change(Change(before, after), BURAKO)
    assert explain_change(nobodys, BURAKO, language) == unknown.format(named)


def test_a_closing_names_what_is_left() -> None:
    racks = tiles("9B"), tiles("4B 12K")
    assert explain_closing(Reason.HAND_NOT_EMPTY, racks, BURAKO).endswith("en la mano: 9B 4B 12K.")


@pytest.mark.parametrize(
    ("rules", "language", "any_canasta", "pura"),
    [
        ("burako", "es", "una canasta", "una canasta pura"),
        ("burako", "en", "a canasta", "a canasta pura"),
        ("burako", "it", "un burraco", "un burraco pulito"),
        ("burraco_it", "es", "un burraco", "un burraco pulito"),
        ("burraco_it", "en", "a burraco", "a burraco pulito"),
        ("burraco_it", "it", "un burraco", "un burraco pulito"),
    ],
)
def test_a_closing_needs_a_canasta_in_the_words_of_the_ruleset(
    rules: str, language: Language, any_canasta: str, pura: str
) -> None:
    usual = ruleset(rules)
    strict = with_options(usual, {"close_requires": "pura"})
    for one, needed in ((usual, any_canasta), (strict, pura)):
        told = explain_closing(Reason.NO_CANASTA, (), one, language)
        assert told.endswith(f" {needed}.")


def test_no_sentence_ends_in_nothing() -> None:
    meld = judge_meld((), BURAKO)
    assert (
        explain_meld(meld, BURAKO, "en", fix_meld(meld, BURAKO))
        == "A meld needs at least three tiles: -."
    )
