"""The settings: language, light or dark, and how long photographs are kept."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from werkzeug import Response

from scorer_app.texts.languages import LANGUAGES
from scorer_app.texts.translator import figure
from scorer_app.web.devices import device_name, rename_device
from scorer_app.web.pages.context import intake, retention, say, speak_of, store, usual_pieces
from scorer_app.web.pages.joining import page_to_return_to
from scorer_app.web.roles import host_only, is_host

pages = Blueprint("settings", __name__, url_prefix="/settings")
THEMES = ("auto", "light", "dark")
KEEP_DAYS = (0, 7, 30, 365)  # 0: for ever
# Begins of the addresses of the settings and of the pages of sets, which lead back to the settings.
BEHIND = ("settings", "sets")


@pages.get("")
def show() -> str:
    """Show the settings, with a way back to the page from which they were opened, which the
    parameter `to` names.
    """
    speak_of(usual_pieces())
    return render_template(
        "settings.html",
        kept=_kept() if is_host() else None,
        days=store().setting("photo_days", 0),
        themes=THEMES,
        device=device_name(),
        keep_days=KEEP_DAYS,
        back_to=page_before(),
        saved=session.pop("settings_saved", False),
    )


def page_before() -> str | None:
    """Return the address of the page from which the settings were opened; None for the home page,
    to which every page has a link, for the settings themselves, and for the pages of sets, which
    lead back to the settings: two links would lead in a circle.
    """
    page = page_to_return_to()
    is_behind = page.partition("?")[0].split("/")[1] in BEHIND
    return None if page == "/" or is_behind else page


def _saved() -> Response:
    """Lead to the settings, which say once that they are saved."""
    session["settings_saved"] = True
    return _shown_again()


def _shown_again() -> Response:
    """Lead to the settings as they are by now, with the same way back."""
    return redirect(url_for("settings.show", to=page_before()), 303)


def _kept() -> dict[str, object]:
    """Return two values for the host's page. `photos` is the number of photographs that are kept.
    `megabytes` is the size of all their files as text, or None where it is not known.
    """
    size = intake().files.stored_bytes()
    return {
        "photos": intake().count(),
        "megabytes": None if size is None else figure(round(size / 2**20, 1), say),
    }


@pages.post("/device")
def set_device() -> Response:
    """Set the language of this device, whether its pages are light or dark, and its name if the
    form has one.
    """
    wanted, theme = request.form.get("language", ""), request.form.get("theme", "auto")
    if wanted not in ("", *LANGUAGES) or theme not in THEMES:
        abort(422)
    session.permanent = True
    session["language"], session["theme"] = wanted, theme
    if "device" in request.form:
        rename_device(request.form["device"])
    return _saved()


@pages.post("/photos")
@host_only
def set_retention() -> Response:
    """Set after how many days photographs are deleted; 0 keeps them for ever."""
    text = request.form.get("days", "")
    if text not in map(str, KEEP_DAYS):
        abort(422)
    store().set_setting("photo_days", int(text))
    retention().sweep()
    return _saved()


@pages.post("/photos/delete")
@host_only
def delete_photos() -> Response:
    """Delete all photographs now."""
    intake().forget_before(datetime.max)
    return _shown_again()
