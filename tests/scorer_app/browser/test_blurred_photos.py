"""Blurred photographs, and those that leave most tiles in doubt: another one takes the place of
each, or it is said to be good enough.
"""

from __future__ import annotations

import pytest

from ..conftest import Scorer
from ..devices import Watched, wait_until
from ..hands import when_read
from ..layout import broken_words, layout_faults
from ..pictures import Picture, RecordedReader, picture_of
from .review import photographed, shown

pytestmark = pytest.mark.browser
ASKED = "[data-part=question] .question"
ANOTHER = "[data-part=question] [data-key=photo-another]"
BLURRED = f'{ASKED}:has-text("una foto salió movida")'
NOTICE = ".photo-notice"
CAMERA = '[data-slot="A-melds"] .shoot'
OFFLINE = '[data-slot="A-melds"] .slot-status:text-is("Sin conexión: se manda sola cuando vuelva.")'


@pytest.fixture
def hand(phone: Watched, scorer: Scorer, reader: RecordedReader) -> str:
    """A hand with one blurred photograph of melds, on the phone."""
    blurred = picture_of("3R 4R 5R", "9B 9K 9Y")
    blurred.reading["notices"] = ["too_blurred"]
    return photographed(phone, scorer, reader.add(blurred))


def take(phone: Watched, key: str, picture: Picture | None) -> None:
    """Press what opens the camera, and take a picture; None comes back without any."""
    with phone.page.expect_file_chooser() as chooser:
        phone.page.click(key)
    file = picture and {"name": "p.jpg", "mimeType": "image/jpeg", "buffer": picture.data}
    if file:
        chooser.value.set_files([file])


def test_another_photograph_takes_the_place_of_a_blurred_one_and_undo_brings_that_back(
    phone: Watched, scorer: Scorer, reader: RecordedReader, hand: str
) -> None:
    (before,) = scorer.hand(hand)["photos"]
    assert phone.page.inner_text(NOTICE) == "Salió movida: conviene sacarla de nuevo."
    assert phone.page.inner_text(ANOTHER) == "Sacar otra"
    assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
    take(phone, ANOTHER, reader.add(picture_of("3R 4R 5R", "9B 9K 9Y", "10K 11K 12K")))
    shown(phone, "3R 4R 5R", "9B 9K 9Y", "10K 11K 12K")
    view = when_read(scorer, hand)
    assert [photo["id"] for photo in view["photos"]] != [before["id"]]
    assert (len(view["photos"]), len(view["tiles"])) == (1, 9)
    assert not phone.page.locator(f"{BLURRED}, {NOTICE}").count()
    phone.page.click("[data-part=undo]")
    phone.page.wait_for_selector(f'[data-photo="{before["id"]}"] {NOTICE}')
    shown(phone, "3R 4R 5R", "9B 9K 9Y")
    view = scorer.hand(hand)
    assert ([photo["id"] for photo in view["photos"]], len(view["tiles"])) == ([before["id"]], 6)


def test_a_blurred_photograph_stays_until_the_other_one_has_arrived(
    phone: Watched, scorer: Scorer, reader: RecordedReader, hand: str
) -> None:
    phone.page.context.set_offline(True)
    another = ".photo-tools [data-key^=another-]"
    take(phone, another, reader.add(picture_of("10K 11K 12K")))
    phone.page.wait_for_selector(OFFLINE)
    assert not phone.page.locator(BLURRED).count()  # it may be answered
    shown(phone, "3R 4R 5R", "9B 9K 9Y")
    phone.page.context.set_offline(False)
    shown(phone, "10K 11K 12K")
    assert len(when_read(scorer, hand)["photos"]) == 1
    phone.faults.clear()  # the refused requests of the time without a network


def test_one_that_is_added_takes_the_place_of_none_though_another_was_given_up(
    phone: Watched, scorer: Scorer, reader: RecordedReader, hand: str
) -> None:
    take(phone, ANOTHER, None)
    take(phone, CAMERA, reader.add(picture_of("10K 11K 12K")))
    shown(phone, "3R 4R 5R", "9B 9K 9Y", "10K 11K 12K")
    assert len(when_read(scorer, hand)["photos"]) == 2
    phone.page.wait_for_selector(BLURRED)


def test_a_blurred_photograph_is_kept_with_one_tap(
    phone: Watched, scorer: Scorer, hand: str
) -> None:
    phone.page.wait_for_selector(BLURRED)
    keep = phone.page.locator("[data-part=question] [data-key=keep]")
    assert keep.inner_text() == "Sirve así"
    keep.click()
    phone.page.wait_for_selector(f'{ASKED}:has-text("¿Quién cerró?")')
    wait_until(phone.page, "() => !document.querySelector('.photo-notice')")
    assert len(scorer.hand(hand)["tiles"]) == 6


def test_a_photograph_full_of_doubts_is_asked_about_before_they_are(
    phone: Watched, scorer: Scorer, reader: RecordedReader
) -> None:
    faces = ["3R", "4R", "5R", "6R", "7R", "8R", "9R"]
    full_of_doubts = picture_of(
        " ".join(faces), "9B 9K 9Y", doubts={one: ["", one] for one in faces} | {"9K": ["", "9K"]}
    )
    hand = photographed(phone, scorer, reader.add(full_of_doubts))
    phone.page.wait_for_selector(
        f'{ASKED}:has-text("muchas fichas de una foto no se leen bien. ¿Sacás otra en su lugar")'
    )
    assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
    assert sum(one["ask"] == "tile" for one in scorer.hand(hand)["questions"]) == 8
    take(phone, ANOTHER, reader.add(picture_of(" ".join(faces), "9B 9K 9Y")))
    shown(phone, " ".join(faces), "9B 9K 9Y")
    view = when_read(scorer, hand)
    assert (len(view["photos"]), [one["ask"] for one in view["questions"]]) == (1, ["end"])
    phone.page.click("[data-part=undo]")
    phone.page.click("[data-part=question] [data-key=keep]")
    phone.page.wait_for_selector(f'{ASKED}:not(:has-text("una foto"))')
    assert scorer.hand(hand)["questions"][0]["ask"] == "tile"
