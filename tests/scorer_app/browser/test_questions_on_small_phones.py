"""On small phones, upright and on their side, the open question of a hand can be read as a whole,
with the pictures that it asks about, and each answer can be tapped.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from vision.reading import Notice

from ..conftest import Scorer
from ..devices import LOCALES, Watched, box_of, device
from ..hands import CANASTA, send, when_read
from ..layout import broken_words, enlarge_text, layout_faults
from ..pictures import Picture, RecordedReader, picture_of
from .review import opened

pytestmark = pytest.mark.browser
SMALL = [(320, 568), (320, 480), (667, 375), (568, 320)]
ENDED: list[dict[str, Any]] = [
    {"op": "set_end", "end": "stock_exhausted"},
    *({"op": "set_muerto", "side": side, "taken": True} for side in "AB"),
    *({"op": "empty_rack", "side": side} for side in "AB"),
]
SHOWN = {  # what a photograph shows, by what is asked about it, and the pictures in the question
    "tile": (picture_of(CANASTA, "3B 4B 5B", doubts={"5B": ["5B", "6B", "J"]}), 1),
    "copies": (picture_of(CANASTA, *["9K 9Y 9B"] * 3), 3),
    "row": (picture_of("3R 9B 4K"), 0),
}
# How much of what a question has to show is in view at once, for its words and for its answers.
IN_VIEW = """() => [".asked", ".answers"].map((name) => {
  const shown = document.querySelector(name);
  return shown.clientHeight / shown.scrollHeight;
})"""
# Whether an element is whole, and on top, once it has been scrolled to within the window.
REACHED = """shape => {
  shape.scrollIntoView({ block: "nearest" });
  const box = shape.getBoundingClientRect();
  const meets = (y) => shape.contains(document.elementFromPoint(box.x + box.width / 2, y));
  return box.height > 0 && box.x >= 0 && box.right <= innerWidth + 1 &&
    [box.top + 3, box.bottom - 3].every(meets);
}"""


def asked_about(scorer: Scorer, reader: RecordedReader, picture: Picture) -> str:
    """Make a hand in which only what this photograph shows is still asked about; return its id."""
    hand = scorer.begin()
    send(scorer, hand, "A", "melds", reader.add(picture))
    when_read(scorer, hand)
    scorer.edit(hand, *ENDED)
    return hand


def not_reached(phone: Watched, selector: str) -> list[str]:
    """List what of these elements cannot be scrolled to."""
    shapes = phone.page.locator(selector).all()
    return [shape.inner_text() for shape in shapes if not shape.evaluate(REACHED)]


@pytest.mark.parametrize("ask", SHOWN)
@pytest.mark.parametrize(("width", "height"), SMALL)
def test_a_question_its_pictures_and_its_answers_are_reached(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    width: int,
    height: int,
    ask: str,
) -> None:
    picture, pictures = SHOWN[ask]
    hand = asked_about(scorer, reader, picture)
    assert scorer.hand(hand)["questions"][0]["ask"] == ask
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector(".answers button")
        words, answers = phone.page.evaluate(IN_VIEW)
        assert words > 0.75 and answers == 1
        assert box_of(phone.page.locator(".hand-bar"))["height"] <= 0.53 * height
        assert phone.page.locator(".asked .close-up").count() == pictures
        for selector in (".question > span:first-child .tile", ".asked .close-up", ".effect"):
            assert not_reached(phone, selector) == []
        assert not_reached(phone, ".answers button") == []
        assert phone.faults == []


@pytest.mark.parametrize("ask", SHOWN)
def test_three_lines_of_a_question_are_in_view_at_twice_the_size_of_text(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, ask: str
) -> None:
    hand = asked_about(scorer, reader, SHOWN[ask][0])
    with device(browser, served, viewport={"width": 390, "height": 700}) as phone:
        opened(phone, hand)
        enlarge_text(phone.page, 200)
        phone.page.wait_for_selector(".answers button")
        line = "parseFloat(getComputedStyle(document.querySelector('.question')).lineHeight)"
        shown = box_of(phone.page.locator(".asked"))["height"]
        assert shown >= 2.5 * phone.page.evaluate(line)
        assert box_of(phone.page.locator(".hand-bar"))["height"] <= 0.53 * 700
        assert not_reached(phone, ".asked .effect, .answers button") == []
        assert phone.faults == []


def test_the_totals_are_back_once_all_is_answered_at_twice_the_size_of_text(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader
) -> None:
    hand = asked_about(scorer, reader, SHOWN["tile"][0])
    with device(browser, served, viewport={"width": 390, "height": 700}) as phone:
        opened(phone, hand)
        enlarge_text(phone.page, 200)
        phone.page.wait_for_selector(".answers button")
        assert not phone.page.is_visible(".hand-bar .totals")
        phone.page.click(".answers [data-key=sure]")
        phone.page.wait_for_selector(".hand-bar .totals", state="visible")


def faint(picture: Picture, *faces: str) -> Picture:
    """Return the picture once its reading takes the tiles with these faces for none, perhaps."""
    for tile in picture.reading["tiles"]:
        if tile["tile"] in faces:
            tile.update(doubts=["faint"], doubtful=True, confidence=0.5)
    return picture


def showing_others() -> Picture:
    """Return a picture of which the reading says that it shows cards."""
    picture = picture_of()
    picture.reading["notices"] = [Notice.OTHER_PIECES.value]
    return picture


# The faces that the reading leaves open.
PERHAPS_A_2 = {"6B": ["6B", "2B"], "9R": ["9R", "2R"], "9B": ["9B", "2B"], "3B": ["3B", "2B"]}
# What photographs show, by what is asked, and the number of answers.
CROWDED = {
    "a tile": (faint(picture_of(CANASTA, "3B 4B 5B 6B", doubts={"6B": ["6B", "2B"]}), "6B"), 4),
    "tiles": (
        faint(
            picture_of(CANASTA, "3B 4B 5B 6B", "9K 9Y 9B 9R", doubts=PERHAPS_A_2),
            *["6B", "9R", "9B", "3B"],
        ),
        5,
    ),
    "an unread tile": (picture_of(CANASTA, "3B 4B 5B 6B", doubts={"6B": ["", "6B", "J"]}), 3),
    "copies": SHOWN["copies"][:1] + (2,),
    "a row": (faint(picture_of(CANASTA, "3R 9B 4K"), "9B"), 3),
    "a row with a repair": (
        faint(picture_of(CANASTA, "3B 4B 9B 6B", doubts={"9B": ["9B", "5B"]}), "9B"),
        4,
    ),
    "a row with three repairs": (
        faint(
            picture_of(
                CANASTA,
                "6K 6R 6B",
                "3B 4B 5B",
                "7B 8B 9B 6Y",
                doubts={"6Y": ["6Y", "10B", "6B"]},
            ),
            "6Y",
        ),
        5,
    ),
    "a long meld": (picture_of("3R 4R 5R 6R 7R 8R 9R 10R", "11R 12R"), 3),
    "nothing that counts": (picture_of(loose="9K 4B 12R"), 4),
    "other pieces": (showing_others(), 4),
}


@pytest.mark.parametrize("locale", LOCALES.values())
@pytest.mark.parametrize("case", CROWDED)
def test_a_question_leaves_two_thirds_of_a_small_phone(
    browser: Browser,
    served: str,
    scorer: Scorer,
    reader: RecordedReader,
    case: str,
    locale: str,
) -> None:
    picture, count = CROWDED[case]
    hand = asked_about(scorer, reader, picture)
    with device(browser, served, locale=locale, viewport={"width": 360, "height": 640}) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector(".answers button")
        assert box_of(phone.page.locator(".hand-bar"))["height"] <= 0.33 * 640
        assert phone.page.evaluate(IN_VIEW) == [1, 1]
        answers = phone.page.locator(".answers .accept")
        assert answers.count() == count
        for answer in answers.all():
            assert box_of(answer)["height"] >= 44 and box_of(answer)["width"] >= 44
        assert not_reached(phone, ".question, .question .effect, .answers .accept") == []
        assert (broken_words(phone.page), layout_faults(phone.page)) == ([], [])
        assert phone.faults == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_points_stand_beside_the_words_of_a_question_and_an_interval_on_one_line(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, width: int, height: int
) -> None:
    laid = (CANASTA, "3K 4K 5K 6K 7K 8K 9K 10K", "3Y 4Y 5Y 6Y 7Y 8Y 9Y", "11K 11R 11B 11Y")
    picture = picture_of(*laid, "3B 4B 5B 6B 7B 8B 9B", doubts={"9B": ["9B", "6K", "J"]})
    hand = asked_about(scorer, reader, picture)
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        opened(phone, hand)
        phone.page.wait_for_selector(".answers button")
        total = phone.page.locator('.totals [data-total="A"]')
        assert total.inner_text() == "925 … 1.130"
        assert box_of(total)["height"] < 1.5 * 1.2 * 16
        picture_shown = box_of(phone.page.locator(".asked .close-up"))
        points = box_of(phone.page.locator(".asked .effect"))
        assert points["y"] < picture_shown["y"] + picture_shown["height"]
        assert points["x"] > picture_shown["x"] + picture_shown["width"]
        assert (layout_faults(phone.page), phone.faults) == ([], [])


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_the_sheet_that_asks_for_a_face_can_be_scrolled_to_its_end(
    browser: Browser, served: str, scorer: Scorer, reader: RecordedReader, width: int, height: int
) -> None:
    hand = asked_about(scorer, reader, SHOWN["tile"][0])
    with device(browser, served, viewport={"width": width, "height": height}) as phone:
        opened(phone, hand)
        phone.page.click('[data-key="look"]')
        phone.page.wait_for_selector("#picker[open]")
        assert not_reached(phone, "#picker .close-up, #picker button") == []
        assert phone.faults == []
