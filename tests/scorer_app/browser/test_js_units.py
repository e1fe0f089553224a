"""The unit tests of the page's scripts, `tests/js/*.test.js`, each reported as a test of its own.

They run in the browser that the page tests use. No server is needed: the browser is given the
project's files at an address that leads nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from tests.places import PROJECT

from ..devices import new_device

pytestmark = pytest.mark.browser
ADDRESS = "http://unit.test"
FOLDER = PROJECT / "tests" / "js"
RUN = """async (file) => {
  await import(`/tests/js/${file}`);
  const { runAll } = await import("/tests/js/harness.js");
  return await runAll();
}"""
Outcomes = dict[str, str | None]


def declared(path: Path) -> list[str]:
    """The names of the tests in a file."""
    return re.findall(r'^test\(\s*"([^"]+)"', path.read_text("utf-8"), flags=re.MULTILINE)


FILES = sorted(path.name for path in FOLDER.glob("*.test.js"))
CASES = [(name, test) for name in FILES for test in declared(FOLDER / name)]


@pytest.fixture(scope="module")
def outcomes(browser: Browser) -> Iterator[OutcomesOf]:
    context = new_device(browser)
    context.route("**/*", give_file)
    yield OutcomesOf(context)
    context.close()


class OutcomesOf:
    """Runs each file of tests once, in a page of its own."""

    def __init__(self, context: BrowserContext) -> None:
        self.of = cache(lambda file: run(context.new_page(), file))


def run(page: Page, file: str) -> Outcomes:
    page.goto(f"{ADDRESS}/tests/js/page.html")
    outcomes: Outcomes = page.evaluate(RUN, file)
    page.close()
    return outcomes


def give_file(route: Route) -> None:
    path = PROJECT / route.request.url.removeprefix(f"{ADDRESS}/")
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.abort()


@pytest.mark.parametrize(("file", "test"), CASES)
def test_script(outcomes: OutcomesOf, file: str, test: str) -> None:
    assert outcomes.of(file)[test] is None


@pytest.mark.parametrize("file", FILES)
def test_no_test_of_a_script_is_overlooked(outcomes: OutcomesOf, file: str) -> None:
    assert list(outcomes.of(file)) == declared(FOLDER / file)
