"""The form of a new match on a slow network: what is sent is what its ruleset and pieces mean."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from playwright.sync_api import Page, Route

from scorer_app.services.tally import Tally
from scorer_app.web.parts import parts_of

from ..conftest import until
from ..devices import Watched, wait_until

pytestmark = pytest.mark.browser
ASKED = "**/matches/new?*"


def held_form(phone: Watched) -> list[Route]:
    """Open the form; the answers that it asks for are held back."""
    held: list[Route] = []
    phone.page.route(ASKED, lambda route: held.append(route))
    phone.page.goto(f"{phone.base}/matches/new")
    phone.page.wait_for_selector("form[data-ready=yes]")
    return held


def wait_for(held: list[Route], page: Page, count: int) -> None:
    """Wait until so many requests are held back; what the page asks for comes a moment later."""
    until(lambda: (page.title(), len(held)), lambda seen: seen[1] == count)


def begun(page: Page, app: Flask) -> Tally:
    """Begin the match and return its tally."""
    page.click("button.huge")
    page.wait_for_url(re.compile(r"/matches/[\w-]{8,}$"))
    return parts_of(app).matches.tally(page.url.rsplit("/", 1)[1])


def choose(page: Page, name: str, value: str) -> None:
    page.click(f'label:has([name="{name}"][value="{value}"])')


def test_a_match_begun_before_the_values_of_its_ruleset_came_has_them(
    phone: Watched, app: Flask
) -> None:
    held = held_form(phone)
    choose(phone.page, "ruleset", "buracco")
    tally = begun(phone.page, app)
    assert (len(held), tally.match.ruleset, tally.match.options) == (1, "buracco", {})


def test_a_match_of_cards_begun_at_once_has_four_jollies(phone: Watched, app: Flask) -> None:
    held_form(phone)
    phone.page.fill('[name="target"]', "1500")
    choose(phone.page, "pieces", "cards")
    tally = begun(phone.page, app)
    assert (tally.match.pieces, tally.match.options) == ("cards", {"target": 1500, "jokers": 4})


def test_cards_begun_at_once_have_the_italian_rules_and_tiles_again_those_of_tiles(
    phone: Watched, app: Flask
) -> None:
    page = phone.page
    held_form(phone)
    choose(page, "pieces", "cards")
    tally = begun(page, app)
    assert (tally.match.pieces, tally.match.ruleset) == ("cards", "burraco_it")
    assert tally.target == 2005
    page.unroute(ASKED)
    page.goto(f"{phone.base}/matches/new")
    page.wait_for_selector("form[data-ready=yes]")
    choose(page, "pieces", "tiles")
    wait_until(page, "document.querySelector('[name=target]').value === '3000'")
    tally = begun(page, app)
    assert (tally.match.pieces, tally.match.ruleset) == ("tiles", "burako")


@pytest.mark.parametrize("chosen", ["ruleset", "target"])
def test_other_pieces_leave_the_rules_that_a_person_chose(
    phone: Watched, app: Flask, chosen: str
) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    page.wait_for_selector("form[data-ready=yes]")
    if chosen == "target":
        page.fill('[name="target"]', "1500")
    else:
        for ruleset in ("buracco", "burako"):
            choose(page, "ruleset", ruleset)
    choose(page, "pieces", "cards")
    tally = begun(page, app)
    assert (tally.match.pieces, tally.match.ruleset) == ("cards", "burako")
    assert tally.target == (1500 if chosen == "target" else 3000)


def test_the_rulesets_are_described_in_the_words_of_the_pieces(phone: Watched) -> None:
    page = phone.page
    page.goto(f"{phone.base}/matches/new")
    page.wait_for_selector("form[data-ready=yes]")
    short = 'label:has([value="buraco"]) small'
    assert "6 fichas" in page.inner_text(short)
    for pieces, words in (("cards", "6 cartas"), ("tiles", "6 fichas")):
        choose(page, "pieces", pieces)
        page.wait_for_selector(f"{short}:has-text('{words}')")
    assert phone.faults == []


def test_rules_and_pieces_chosen_before_the_script_came_are_both_taken(
    phone: Watched, app: Flask
) -> None:
    held: list[Route] = []
    phone.page.route("**/new_match.js*", lambda route: held.append(route))
    phone.page.goto(f"{phone.base}/matches/new", wait_until="commit")
    choose(phone.page, "ruleset", "buracco")
    choose(phone.page, "pieces", "cards")
    wait_for(held, phone.page, 1)
    with phone.page.expect_response(ASKED):
        held[0].continue_()
    phone.page.wait_for_selector('[name="target"]:enabled')
    tally = begun(phone.page, app)
    assert (tally.match.ruleset, tally.match.options) == ("buracco", {"jokers": 4})


@pytest.mark.parametrize("target", ["", "1500"])
def test_what_the_browser_restored_counts_as_chosen_only_if_a_person_chose_it(
    phone: Watched, app: Flask, target: str
) -> None:
    """As after going back to the form: its script begins anew with what stood there, the cards and
    the rules that the script itself had proposed for them, or tiles with another target.
    """
    held: list[Route] = []
    page = phone.page
    page.route("**/new_match.js*", lambda route: held.append(route))
    page.goto(f"{phone.base}/matches/new", wait_until="commit")
    if target:
        page.fill('[name="target"]', target)
    else:
        choose(page, "ruleset", "burraco_it")
        choose(page, "pieces", "cards")
    wait_for(held, page, 1)
    held[0].continue_()
    page.wait_for_selector("form[data-ready=yes]")
    choose(page, "pieces", "cards" if target else "tiles")
    tally = begun(page, app)
    assert tally.match.ruleset == "burako"
    assert (tally.match.pieces, tally.target) == (("cards", 1500) if target else ("tiles", 3000))


def test_answers_in_the_wrong_order_leave_what_was_chosen_last(phone: Watched, app: Flask) -> None:
    held = held_form(phone)
    choose(phone.page, "ruleset", "buracco")
    choose(phone.page, "pieces", "cards")
    wait_for(held, phone.page, 2)
    for route in reversed(held):
        with phone.page.expect_response(ASKED):
            route.continue_()
    phone.page.wait_for_selector('[name="target"]:enabled')
    assert phone.page.input_value('[name="target"]') == "2000"
    tally = begun(phone.page, app)
    assert (tally.match.ruleset, tally.match.options) == ("buracco", {"jokers": 4})


def test_a_match_that_is_changed_keeps_its_options_while_others_are_looked_at(
    phone: Watched, app: Flask
) -> None:
    options = {"target": 1500, "jokers": 4}
    matches = parts_of(app).matches
    match = matches.create(
        side_a="A", side_b="B", players=4, ruleset="burako", options=options, pieces="tiles"
    )
    page = phone.page
    page.goto(f"{phone.base}/matches/{match}/edit")
    page.wait_for_selector("form[data-ready=yes]")
    for ruleset, target in (("buracco", "2000"), ("burako", "1500")):
        choose(page, "ruleset", ruleset)
        wait_until(page, f"document.querySelector('[name=target]').value === '{target}'")
    page.fill('[name="target"]', "1800")
    for pieces in ("cards", "tiles"):
        choose(page, "pieces", pieces)
        page.wait_for_selector('[name="jokers"]:enabled', state="attached")
    page.click("button.huge")
    page.wait_for_url(re.compile(r"/matches/[\w-]{8,}$"))
    kept = matches.tally(match).match
    assert (kept.ruleset, kept.pieces) == ("burako", "tiles")
    assert kept.options == options | {"target": 1800}
