"""The catalogue is complete in three languages: no text is missing, unused, or left in another
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from engine.arrangements import Kind
from engine.checks import Trouble
from engine.fixes import FixAction
from engine.pieces import LETTERS, Pieces
from engine.reasons import Notice, Reason
from engine.rulesets import RULESETS, Special
from engine.scoring import LineKind
from engine.tiles import COLOURS
from scorer_app.cli.config_trouble import ConfigTrouble
from scorer_app.hand.fields import Refusal, Wrong
from scorer_app.hand.given_photos import Cause
from scorer_app.services.disk import DiskTrouble
from scorer_app.services.exchange import Likeness
from scorer_app.services.holdings import Role
from scorer_app.services.moving import MoveTrouble
from scorer_app.services.quotas import Quota
from scorer_app.services.reading_queue import Stage
from scorer_app.services.recounting import Why
from scorer_app.services.set_values import SetTrouble
from scorer_app.services.statistics import Result
from scorer_app.services.steps import StepKind
from scorer_app.store import PhotoState
from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.texts.translator import catalogue, texts_of, translator, words_of_cards
from scorer_app.texts.wrong_values import CaseTrouble
from scorer_app.watch.refusals import LiveTrouble
from tests.places import PROJECT
from vision.errors import Reason as VisionReason
from vision.live.sources import SourceProblem
from vision.live.table.kinds import ChangeKind
from vision.reading import Notice as PhotoNotice

from . import words_of_pieces

CANASTAS = {name for rules in RULESETS.values() for name, _ in rules.canasta_values}
# What other rooms name by a code, and the beginning of the keys under which a code is said.
FAMILIES: dict[str, Iterable[object]] = {
    "reason.": Reason,
    "notice.": Notice,
    "fix.": FixAction,
    "verdict.": Kind,
    "meld.": Kind,
    "canasta.": CANASTAS,
    "line.": LineKind,
    "score.": LineKind,
    "special.": Special,
    "ruleset.": RULESETS,
    "rules.": RULESETS,
    "colour.": COLOURS,
    "failure.": [reason.value for reason in VisionReason],
    "photo.problem.": [*(reason.value for reason in VisionReason), *DiskTrouble],
    "photo.notice.": PhotoNotice,
    "ask.photo.": Cause,
    "live.event.": [kind.value for kind in ChangeKind],
    "camera.problem.": [problem.value for problem in SourceProblem],
    "photo.stage.": (*Stage, *PhotoState),
    "stats.result.": Result,
    "step.": StepKind,
    "match.twin.": Likeness,
    "compare.why.": [why for why in Why if why is not Why.HAND],
    "error.": DiskTrouble,
    "error.edit.": Refusal,
    "error.set.": SetTrouble,
    "error.quota.": Quota,
    "links.": Role,
    "error.live.": LiveTrouble,
    "form.pieces_": Pieces,
    "home.score_with.": Pieces,
    "home.samples_of.": Pieces,
    "error.field.": Wrong,
    "config.": ConfigTrouble,
    "migrate.": MoveTrouble,
    "wrong.": (*Trouble, *CaseTrouble),
}
# Equal in Spanish and the other language, and right in both.
SAME_AS_SPANISH = {
    "en": "no match.total tile.name canasta.pura canasta.impura canasta.pulito canasta.semipulito"
    " canasta.sporco line.canasta line.muerto_taken score.canasta score.muerto_taken score.total"
    " score.base js.base js.total form.canastas form.muerto card.muerto card.canasta deal.muertos"
    " sheet.no sheet.base sheet.total rules.burako",
    "it": "number.thousands number.decimal no match.hand match.hand_n match.copy match.to tile.name"
    " canasta.pulito canasta.semipulito canasta.sporco line.canasta score.base js.base card.turn"
    " hand.adjust_reason js.unsent_photos_one js.live.legal js.set.row sheet.no sheet.hand"
    " sheet.base deal.thrown rules.burako rules.burraco_it form.close_burraco form.close_pulito",
}
# Texts about sets of tiles and the watched table, which matches of cards do not have.
ONLY_OF_TILES = ("set.", "error.set.", "js.set.", "live.", "js.live.", "camera.", "step.tiles")
# Texts that tell tiles from cards, or are read before anybody has chosen.
TELLS_OF_BOTH = {
    *("form.pieces_tiles", "home.lead", "home.samples_of.tiles", "home.score_with.tiles"),
    *("ask.photo.other_pieces", "edit.other_pieces", "js.other_pieces"),
    *("error.live.cards", "match.live_what"),
    *("photo.notice.other_pieces", "photo.notice.other_set"),
    *("photo.stage.preparing", "read.other_pieces", "read.other_set", "read.tiles"),
    *("step.copies", "step.forgotten", "usage.only_tiles", "usage.set_of_cards"),
}
# How a rule about tiles says that these have the same number.
OF_ONE_NUMBER: dict[Language, str] = {
    "es": "mismo número",
    "en": "of one number",
    "it": "stesso numero",
}
# Words that only one of the languages has.
OWN_WORDS: dict[Language, set[str]] = {
    "es": {"el", "los", "las", "y", "que", "ficha", "fichas", "juego", "hay", "se", "está", "muy"},
    "en": {"the", "is", "are", "not", "and", "of", "tile", "tiles", "this", "with", "was", "has"},
    "it": {"il", "gli", "che", "tessera", "tessere", "gioco", "è", "della", "di", "non", "più"},
}
SHARED_WORDS = {("se", "it")}  # (word of another language, language that has it as well)


def blanks(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", re.sub(r"«.*?»|\{\w+\}", "", text).lower()))


def foreign_words(language: str) -> set[str]:
    """Return the words that only the texts of the other languages hold."""
    return {
        word
        for other, own in OWN_WORDS.items()
        for word in own
        if other != language and (word, language) not in SHARED_WORDS
    }


@cache
def sources() -> str:
    """Return the code that may name a text: all packages that run, without the catalogue."""
    paths = [
        path
        for package in ("engine", "vision", "scorer_app")
        for path in sorted((PROJECT / package).rglob("*"))
        if path.suffix in (".py", ".html", ".js")
    ]
    assert paths
    return "\n".join(path.read_text("utf-8") for path in paths)


@cache
def quoted() -> set[str]:
    """Return every string of the code that could be a whole key; scripts write keys without their
    `js.`.
    """
    found = set(re.findall(r"""["'`]([A-Za-z_][\w.]*)["'`]""", sources()))
    return found | {f"js.{text}" for text in found}


@cache
def vocabulary() -> set[str]:
    return set(re.findall(r"\w+", sources()))


@cache
def composed() -> list[re.Pattern[str]]:
    """Return the keys that the code puts together, such as `card.{name}`, as patterns with a blank
    each.
    """
    whole = r"""["'`]([a-z_.]*)(?:\$?\{[^{}]*\}|%s)([a-z_.]*)["'`]"""
    parts = re.findall(whole, sources())
    parts += [(start, "") for start in re.findall(r"""["']([a-z_.]+[._])["'] ~""", sources())]
    return [
        re.compile(rf"(?:js\.)?{re.escape(start)}([\w.]+){re.escape(end)}")
        for start, end in set(parts)
        if "." in start
    ]


def is_used(key: str) -> bool:
    """Whether the code names the key: whole, or as a pattern such as `reason.{code}` with one of
    its words in the blank. The text of `KEY_one` is, where the code says of how many things it asks
    for `KEY`.
    """
    if key in quoted():
        return True
    plural = key.removesuffix("_one")
    if plural != key and plural in catalogue("es"):
        return bool(re.search(rf"""["']{re.escape(plural)}["'],[^()]*\bcount\b""", sources()))
    fills = [match[1] for pattern in composed() if (match := pattern.fullmatch(key))]
    return any(fill in vocabulary() or ("." in fill and is_used(fill)) for fill in fills)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_the_same_blanks(language: Language) -> None:
    spanish, texts = catalogue("es"), catalogue(language)
    assert list(texts) == list(spanish)
    assert [key for key, text in texts.items() if not text.strip()] == []
    assert [key for key in texts if blanks(texts[key]) != blanks(spanish[key])] == []


@pytest.mark.parametrize("start", FAMILIES)
def test_every_code_of_another_room_has_a_text(start: str) -> None:
    missing = [code for code in FAMILIES[start] if f"{start}{code}" not in catalogue("es")]
    assert missing == []


def test_every_text_that_is_asked_for_by_name_exists() -> None:
    asked = set(re.findall(r"""\bsay\(\s*["']([\w.]+\w)["']\s*[,)]""", sources()))
    assert asked
    existing = catalogue("es").keys()
    assert {key for key in asked if key not in existing and f"js.{key}" not in existing} == set()


def test_no_text_is_unused() -> None:
    assert [key for key in catalogue("es") if not is_used(key)] == []


def test_an_unused_text_would_be_found() -> None:
    assert not is_used("card.no_such_card") and not is_used("nowhere.at_all")


def test_every_text_of_one_thing_has_one_of_several() -> None:
    texts = catalogue("es")
    alone = [key for key in texts if key.endswith("_one") and key[: -len("_one")] not in texts]
    assert alone == ["special.one_to_one", "card.ace_one"]  # which tell of a 1, and of one end
    for language in LANGUAGES:
        of_cards = words_of_cards(language)
        ones = {f"{key}_one" for key in of_cards} & texts.keys()
        assert ones <= of_cards.keys()


@pytest.mark.parametrize("language", SAME_AS_SPANISH)
def test_what_equals_the_spanish_text_is_meant_to(language: Language) -> None:
    spanish, texts = catalogue("es"), catalogue(language)
    same = {key for key in texts if texts[key] == spanish[key]}
    assert same == set(SAME_AS_SPANISH[language].split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_left_in_another_language(language: Language) -> None:
    wrong = {
        key: words(text) & foreign_words(language) for key, text in catalogue(language).items()
    }
    assert {key: found for key, found in wrong.items() if found} == {}
    if language != "es":
        assert [key for key, text in catalogue(language).items() if set(text) & set("¿¡ñ")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_otherwise_of_cards_is_so_in_every_language(language: Language) -> None:
    of_tiles, of_cards = catalogue(language), words_of_cards(language)
    assert list(of_cards) == list(words_of_cards("es"))
    assert of_cards.keys() <= of_tiles.keys()
    assert [key for key in of_cards if blanks(of_cards[key]) != blanks(of_tiles[key])] == []
    wrong = {key: words(text) & foreign_words(language) for key, text in of_cards.items()}
    assert {key: found for key, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_match_of_cards_is_told_of_tiles(language: Language) -> None:
    texts = texts_of(language, Pieces.CARDS)
    told = {key for key, text in texts.items() if words(text) & words_of_pieces.TILES[language]}
    assert {key for key in told if not key.startswith(ONLY_OF_TILES)} == TELLS_OF_BOTH


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_plays_with_cards_is_asked_for_no_photograph_of_racks(language: Language) -> None:
    lead = texts_of(language, Pieces.CARDS)["home.lead"]
    assert words(lead).isdisjoint(words_of_pieces.RACKS[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rule_speaks_of_cards_of_one_number(language: Language) -> None:
    """Kings and queens have none."""
    texts = texts_of(language, Pieces.CARDS)
    assert [key for key, text in texts.items() if OF_ONE_NUMBER[language] in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_name(language: Language) -> None:
    texts = catalogue(language)
    for one, other in (
        ("meld.escalera", "verdict.escalera"),
        ("meld.pierna", "verdict.pierna"),
        ("js.adjustments", "sheet.adjustment"),
    ):
        assert texts[one].casefold() == texts[other].casefold()


def test_spanish_has_one_word_for_a_device() -> None:
    told = {key for key, text in catalogue("es").items() if "dispositivo" in text.casefold()}
    assert told == set()  # it is an aparato


def test_every_rank_with_a_letter_has_a_name() -> None:
    assert {key for key in catalogue("es") if key.startswith("rank.")} == {
        f"rank.{number}" for number in LETTERS
    }


@pytest.mark.parametrize(
    ("key", "count", "told"),
    [
        ("meld.unread", 1, "Falta leer una ficha"),
        ("meld.unread", 2, "Hay 2 fichas sin leer"),
        ("set.copies", 0, "hay 0"),
        ("set.copies", 1, "hay 1"),
        ("home.unsent", 1, "Sin mandar en este teléfono: 1. Abrí la mano y se manda."),
    ],
)
def test_one_thing_is_told_of_in_the_singular_where_there_is_such_a_text(
    key: str, count: int, told: str
) -> None:
    assert translator("es")(key, count=count) == told


def test_one_card_is_told_of_in_the_singular_in_the_words_of_cards() -> None:
    assert translator("es", Pieces.CARDS)("meld.unread", count=1) == "Falta leer una carta"


def test_an_unknown_text_is_told_by_its_key() -> None:
    assert translator("en")("no.such.text") == "no.such.text"


def test_italian_calls_a_set_of_tiles_no_meld() -> None:
    of_sets = {
        key: words(text)
        for key, text in catalogue("it").items()
        if key.startswith(("set.", "js.set.", "error.set."))
    }
    assert [key for key, used in of_sets.items() if used & {"gioco", "giochi"}] == []
    # `archivio` is where matches are put away.
    assert [key for key, used in of_sets.items() if "archivio" in used] == []


def test_italian_has_one_word_for_a_set_of_tiles_and_one_for_a_camera() -> None:
    others = {"set", "telecamera", "telecamere", "videocamera", "videocamere"}
    told = {
        key: words(re.sub(r"--[\w-]+", "", text)) & others  # without options such as --set
        for key, text in catalogue("it").items()
    }
    assert {key: used for key, used in told.items() if used} == {}  # a serie, a fotocamera


@pytest.mark.parametrize("pieces", Pieces)
def test_nobody_can_change_a_text_for_all_others(pieces: Pieces) -> None:
    for texts in (catalogue("en"), words_of_cards("en"), texts_of("en", pieces)):
        with pytest.raises(TypeError):
            texts["note.rack"] = ""  # type: ignore[index]


@pytest.mark.parametrize("pieces", Pieces)
def test_english_names_no_side_where_its_usual_name_would_need_another_case(
    pieces: Pieces,
) -> None:
    """Sides that nobody has named are called Us and Them: nobody says "if Us closed"."""
    wrong = re.compile(r"\b(if|of|that) \{side\}", re.IGNORECASE)
    found = {key for key, text in texts_of("en", pieces).items() if wrong.search(text)}
    assert found <= {"note.rack"}  # of the console, whose sides are A and B


@pytest.mark.parametrize(("language", "others"), [("es", "“”"), ("en", "«»"), ("it", "“”")])
@pytest.mark.parametrize("pieces", Pieces)
def test_each_language_has_its_own_quotation_marks(
    language: Language, others: str, pieces: Pieces
) -> None:
    texts = texts_of(language, pieces)
    assert [key for key, text in texts.items() if set(text) & set(others)] == []


def test_english_calls_no_two_things_a_set_in_the_options_of_a_table() -> None:
    """A set is a meld there: `form.pierna_max` says how many tiles it may have."""
    options = {key: text for key, text in catalogue("en").items() if key.startswith("form.")}
    assert [key for key, text in options.items() if re.search(r"\bset\b", text)] == [
        "form.pierna_max"
    ]
