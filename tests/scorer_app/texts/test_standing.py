"""The sentences that say who has won or leads."""

from __future__ import annotations

import pytest

from engine.sides import SIDES
from scorer_app.texts.languages import LANGUAGES, Language
from scorer_app.texts.standing import shown_name, standing, with_figure, won
from scorer_app.texts.translator import catalogue, translator


@pytest.mark.parametrize(
    ("name", "language", "sentence"),
    [
        ("Nosotros", "es", "¡Ganamos!"),
        ("Ellos", "es", "Ganaron ellos"),
        ("Loro", "es", "Ganaron ellos"),
        ("They", "en", "They won"),
        ("Them", "en", "They won"),
        ("Noi", "it", "Abbiamo vinto!"),
        ("Ana", "es", "Victoria de Ana"),
        ("Ana y Beto", "es", "Victoria de Ana y Beto"),
        ("Los Pérez", "es", "Victoria de Los Pérez"),
        ("Ana/Beto", "it", "Vittoria di Ana/Beto"),
        ("Leonardo", "it", "Vittoria di Leonardo"),
        ("Nietos", "es", "Victoria de Nietos"),
        ("Nietos", "en", "Nietos won"),
        ("Nietos", "it", "Vittoria di Nietos"),
    ],
)
def test_a_winner_is_told_in_the_right_person_or_by_name(
    name: str, language: Language, sentence: str
) -> None:
    assert won(name, translator(language)) == sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Noi", "Vittoria di «Noi»"),
        ("Ellos", "Vittoria di «Ellos»"),
        ("Ana y Beto", "Vittoria di Ana y Beto"),
    ],
)
def test_the_default_names_are_names_to_who_only_looks_on(name: str, sentence: str) -> None:
    assert won(name, translator("it"), to_viewer=True) == sentence


@pytest.mark.parametrize(
    ("names", "totals", "sentence"),
    [
        (("Nosotros", "Ellos"), (1335, -150), "Vamos ganando por 1.485. Faltan 1.665"),
        (("Nosotros", "Ellos"), (0, 100), "Van ganando ellos por 100. Faltan 2.900"),
        (("Ana", "Ana y Beto"), (0, 100), "Ventaja de Ana y Beto: 100."),
        (("Ana", "Beto"), (50, 50), "Ana 50, Beto 50. Empatados."),
        (("Ana", "Beto"), (3000, 3000), "Los dos llegaron a 3.000 y están empatados"),
        (("Ana", "Beto"), (3200, 3000), "Ana 3.200, Beto 3.000. Ventaja de Ana: 200."),
        (("Ana", "Beto"), (50, -50), "Ana 50, Beto −50. Ventaja de Ana: 100."),
    ],
)
def test_the_standing_tells_who_leads_and_how_far_it_is(
    names: tuple[str, str], totals: tuple[int, int], sentence: str
) -> None:
    by_name, by_side = dict(zip("AB", names, strict=True)), dict(zip("AB", totals, strict=True))
    told = standing(by_name, by_side, 3000, translator("es"))  # type: ignore[arg-type]
    assert sentence in told
    assert "Faltan" not in standing(by_name, by_side, 50, translator("es"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "totals", "sentence"),
    [
        ("es", (100, 40), "Falta 1 para llegar a 101."),
        ("en", (100, 40), "1 to go to 101."),
        ("it", (100, 40), "Manca 1 per arrivare a 101."),
        ("es", (40, 99), "Faltan 2 para llegar a 101."),
        ("en", (40, 99), "2 to go to 101."),
        ("it", (40, 99), "Mancano 2 per arrivare a 101."),
    ],
)
def test_one_lacking_point_is_told_of_in_the_singular(
    language: Language, totals: tuple[int, int], sentence: str
) -> None:
    told = standing(
        {"A": "Ana", "B": "Beto"}, dict(zip(SIDES, totals, strict=True)), 101, translator(language)
    )
    assert told.endswith(sentence)


ARABIC, HEBREW = "\u0623\u0628\u0648 7", "\u05d3\u05d5\u05d3"


@pytest.mark.parametrize("name", [ARABIC, HEBREW])
def test_a_figure_stays_after_a_name_that_is_written_from_right_to_left(name: str) -> None:
    assert with_figure(name, "−45") == f"{name}\u200e −45"
    told = standing({"A": "Ana", "B": name}, {"A": 50, "B": -45}, 3000, translator("es"))
    assert told.startswith(f"Ana 50, {name}\u200e −45.")
    told = standing({"A": "Ana", "B": name}, {"A": 50, "B": 145}, 3000, translator("es"))
    assert f"Ventaja de {name}\u200e: 95." in told


def test_a_figure_after_any_other_name_has_nothing_but_a_blank_before_it() -> None:
    assert with_figure("Ñandú 2 🎲", "−45") == "Ñandú 2 🎲 −45"


def test_a_default_name_of_any_language_is_shown_in_the_language_of_whoever_looks() -> None:
    for key, former in (("side.A", "We"), ("side.B", "They")):
        names = {language: catalogue(language)[key] for language in LANGUAGES}
        for name in (*names.values(), former):
            shown = {one: shown_name(name, translator(one)) for one in LANGUAGES}
            assert shown == names
    assert shown_name("Nosotros", translator("it")) == shown_name("We", translator("it")) == "Noi"
    assert shown_name("Ellos", translator("en")) == shown_name("They", translator("en")) == "Them"


def test_a_name_that_people_chose_is_shown_as_it_is() -> None:
    for name in ("Los Pérez", "nosotros", "Nosotros dos", "?"):
        assert {shown_name(name, translator(language)) for language in LANGUAGES} == {name}
