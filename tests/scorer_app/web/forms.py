"""The fields of a form, as a browser sends them."""

from __future__ import annotations

import re
from html import unescape

from ..conftest import Scorer


def form_of(scorer: Scorer, page: str, holding: str = "") -> dict[str, str]:
    """Return the fields of a page's last form in which the text `holding` stands, as a browser
    sends them where nobody changes one.
    """
    return fields_in(scorer.client.get(page, follow_redirects=True).text, holding)


def fields_in(page: str, holding: str = "") -> dict[str, str]:
    """Return the fields of the last form in which the text `holding` stands on this page."""
    forms = page.split("<form ")[1:]
    form = [one.split("</form>")[0] for one in forms if holding in one][-1]
    fields = {}
    for field in re.findall(r"<input [^>]*>", form):
        given = dict(re.findall(r'(name|value|type)="([^"]*)"', field))
        if given.get("type") not in ("radio", "checkbox") or " checked" in field:
            fields[given["name"]] = unescape(given.get("value", "yes"))
    return fields
