"""The pages and the API, one blueprint an area."""

from flask import Blueprint


def blueprints() -> list[Blueprint]:
    from scorer_app.pages import api, description, hands, home, joining, live, matches, settings

    return [home.pages, matches.pages, hands.pages, joining.pages, settings.pages, live.pages, api.pages, description.pages]
