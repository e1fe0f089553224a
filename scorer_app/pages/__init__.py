"""The pages and the API, one blueprint an area."""

from flask import Blueprint


def blueprints() -> list[Blueprint]:
    from scorer_app.pages import api, hands, home, matches

    return [home.pages, matches.pages, hands.pages, api.pages]
