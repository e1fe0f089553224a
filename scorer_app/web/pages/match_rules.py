"""The rules of a running match: changed, with what that does to the hands played, and compared with
any others.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug import Response

from engine.rulesets import RULESETS, RuleSet
from scorer_app.hand.record import SIDES
from scorer_app.hand.table_rules import TableRules
from scorer_app.services.matches import Tally
from scorer_app.services.recounting import HandDifference, differences
from scorer_app.services.steps import StepKind
from scorer_app.web.devices import device_name
from scorer_app.web.forms import BOXES, FACE_NAMES, FormProblem, defaults, read_match
from scorer_app.web.pages.context import language, matches, rulesets, say
from scorer_app.web.roles import scorers_only

pages = Blueprint("match_rules", __name__, url_prefix="/matches")
CHANGEABLE = ("side_a", "side_b", "player_names", "ruleset", "options")


@pages.get("/<match_id>/edit")
@scorers_only
def edit(match_id: str) -> str:
    """Show names and rules of a match, to be changed."""
    tally = matches().tally(match_id)
    return render_template("edit_match.html", tally=tally, **_fields_of(tally), found=None)


@pages.post("/<match_id>/edit")
@scorers_only
def change(match_id: str) -> Response:
    """Change names and rules of a match. Where hands of it would count otherwise, show how, and
    wait until a person says so.
    """
    tally = matches().tally(match_id)
    try:
        fields = read_match({**request.form, "players": str(tally.match.players)})
    except FormProblem as problem:
        return _wrong("edit_match.html", tally, problem)
    other = _recounted(tally, fields)
    found = differences(matches(), tally, other)
    if (found or other.winner != tally.winner) and "sure" not in request.form:
        page = render_template(
            "edit_match.html", tally=tally, **_fields_sent(), found=found, other=other
        )
        return make_response(page)
    changed = {name: fields[name] for name in CHANGEABLE}
    matches().change(match_id, StepKind.RULES, device_name(), **changed)
    return redirect(url_for("matches.show", match_id=match_id), 303)


@pages.get("/<match_id>/compare")
@scorers_only
def compare(match_id: str) -> str:
    """Ask by which other rules a match is to be counted; nothing is changed."""
    tally = matches().tally(match_id)
    name = request.args.get("rules", tally.match.ruleset)
    fields = _fields_of(tally) if name == tally.match.ruleset else _fields_by(RULESETS.get(name))
    return render_template("compare.html", tally=tally, **fields, found=None)


@pages.post("/<match_id>/compare")
@scorers_only
def compared(match_id: str) -> Response:
    """Show a match by its own rules and by others, side by side."""
    tally = matches().tally(match_id)
    names = {"side_a": tally.match.side_a, "side_b": tally.match.side_b}
    try:
        fields = read_match({**request.form, **names, "players": str(tally.match.players)})
    except FormProblem as problem:
        return _wrong("compare.html", tally, problem)
    other = _recounted(tally, fields)
    found = differences(matches(), tally, other)
    page = render_template("compare.html", tally=tally, **_fields_sent(), found=found, other=other)
    return make_response(page)


def _recounted(tally: Tally, fields: dict[str, Any]) -> Tally:
    rules = TableRules.of(fields["ruleset"], fields["options"], tally.match.players)
    return matches().by_rules(tally.match.id, rules)


def _wrong(template: str, tally: Tally, problem: FormProblem) -> Response:
    message = f"{say(problem.label)}: {say(f'form.wrong.{problem.wrong}')}"
    page = render_template(template, tally=tally, **_fields_sent(), found=None, message=message)
    return make_response(page, 422)


def _fields_of(tally: Tally) -> dict[str, Any]:
    """The values of the form as a match has them."""
    match = tally.match
    seats = {f"player_{seat}": name for seat, name in enumerate(match.player_names)}
    names = {"side_a": match.side_a, "side_b": match.side_b, **seats}
    return _form(tally.rules.rules, {**defaults(tally.rules.rules), **names})


def _fields_by(rules: RuleSet | None) -> dict[str, Any]:
    """The values of the form as a ruleset has them."""
    known = rules or RULESETS["burako"]
    return _form(known, defaults(known))


def _fields_sent() -> dict[str, Any]:
    """The values of the form as they were sent."""
    rules = RULESETS.get(request.form.get("ruleset", ""), RULESETS["burako"])
    sent = request.form.to_dict()
    boxes = {name: name in sent for name in BOXES}
    return {**_form(rules, {**defaults(rules), **sent, **boxes}), "sent": sent}


def _form(rules: RuleSet, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "rules": rules,
        "rulesets": rulesets(),
        "values": values,
        "faces": FACE_NAMES,
        "sides": SIDES,
        "language": language(),
        "explain": _explain,
        "message": None,
    }


def _explain(difference: HandDifference, tally: Tally, other: Tally) -> list[dict[str, Any]]:
    """Say each line of a hand that differs: whose, what, which tiles, and by how much."""
    names = {"A": tally.match.side_a, "B": tally.match.side_b}
    told = []
    for line in difference.lines:
        shown = line.after or line.before
        assert shown is not None
        detail = f"canasta.{shown.detail}" if shown.kind == "canasta" else f"line.{shown.kind}"
        told.append(
            {
                "side": names[line.side],
                "label": say(detail),
                "faces": line.faces,
                "before": line.before.points if line.before else 0,
                "after": line.after.points if line.after else 0,
                "reason": say(f"reason.{line.reason}", tiles=" ".join(line.faces))
                if line.reason
                else "",
            }
        )
    return told
