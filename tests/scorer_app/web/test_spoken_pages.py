"""What a person hears of a page who does not see it: its title, and what its figures are."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from ..conftest import Scorer
from ..hands import new_match

FROM_AFAR = {"REMOTE_ADDR": "192.168.1.66"}


@pytest.mark.parametrize(
    ("path", "title"),
    [("/nothing", "No se pudo"), ("/join", "Anotador de la casa"), ("/host", "Anfitrión")],
)
def test_a_page_that_asks_or_refuses_says_so_in_its_title(
    app: Flask, path: str, title: str
) -> None:
    page = app.test_client().get(path, environ_overrides=FROM_AFAR).text
    assert f"<title>{title} – Burako</title>" in page


def test_the_total_after_a_hand_is_told_apart_from_the_points_of_the_hand(scorer: Scorer) -> None:
    match = new_match(scorer)
    for _hand in range(2):
        scorer.form(f"/matches/{match}/count", base_A="300")
    page = scorer.client.get(f"/matches/{match}").text
    page = re.sub(r'<span aria-hidden="true">.*?</span>', "", page)
    told = re.findall(r'class="running">(.*?)</td>', page)
    assert [re.sub("<.*?>", "", one) for one in told] == [
        "Total 300",
        "Total 0",
        "Total 600",
        "Total 0",
    ]
