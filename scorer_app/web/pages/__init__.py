"""The pages and the API, one blueprint for each area."""

from flask import Blueprint


def blueprints() -> list[Blueprint]:
    from scorer_app.web.pages import (
        admin,
        api,
        description,
        hands,
        health,
        home,
        joining,
        links,
        live,
        live_view,
        match_files,
        match_history,
        match_lists,
        match_rules,
        matches,
        sets,
        sets_api,
        settings,
    )

    areas = (
        home,
        matches,
        match_lists,
        match_rules,
        match_history,
        match_files,
        hands,
        joining,
        links,
        settings,
        sets,
        sets_api,
        live,
        live_view,
        api,
        description,
        admin,
        health,
    )
    return [area.pages for area in areas]
