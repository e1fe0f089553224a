"""The rules of a running match. One page changes them, and shows what that does to the hands
played. Another page compares them with any other rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from flask import (
    Blueprint,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug import Response

from engine.pieces import Pieces
from engine.rulesets import RULESETS, RuleSet
from engine.sides import SIDES
from engine.tiles import JOKER
from scorer_app.hand.table_rules import TableRules, jokers_in
from scorer_app.services.hand_rows import Overtaken
from scorer_app.services.names import are_one_name
from scorer_app.services.recounting import differences
from scorer_app.services.set_values import with_comodines_of
from scorer_app.services.steps import StepKind
from scorer_app.services.tally import HandLine, Tally
from scorer_app.store import Match
from scorer_app.store.tables import IN_FORM
from scorer_app.web.devices import device_name
from scorer_app.web.forms import (
    BOXES,
    VALUED,
    FormProblem,
    Wrong,
    defaults,
    is_written_in,
    read_match,
)
from scorer_app.web.pages.context import (
    intake,
    language,
    matches,
    options_of_set,
    pieces,
    rulesets,
    say,
    side_name,
)
from scorer_app.web.pages.overtaken import (
    NAMES,
    SIDE_NAMES,
    checksum,
    columns_of,
    merged,
    values_of,
    written,
)
from scorer_app.web.pages.told_differences import rule_names, told_differences
from scorer_app.web.roles import scorers_only

pages = Blueprint("match_rules", __name__, url_prefix="/matches")
UNASKED = frozenset({"copies"})  # options that the form does not ask
JOKERS = (2, 4)  # numbers of comodines that a person may choose
# Fields of the form by which a match is changed; rulesets differ in their values alone.
FIELDS = frozenset(
    {
        *(name for rules in RULESETS.values() for name in defaults(rules)),
        *NAMES,
        *("ruleset", "players", "pieces", "seen", "options_shown", "hand", *BOXES),
    }
)
ASKED = "names_asked"  # in the session: a match, and the fields that have no place in an address
UNADDRESSED = frozenset({*NAMES, "shown"})  # these fields


@pages.get("/<match_id>/edit")
@scorers_only
def edit(match_id: str) -> Response:
    """Show the form in which the names and the rules of a match are changed.

    Where the query holds the fields of that form, show how hands of the match would then count;
    nothing is changed. Its address can be reloaded, and gone back to once the change is made. It
    has no names, which addresses would carry into logs and histories: those are in the session.

    Where the query only names `pieces`, as the page of a hand does whose photographs show others
    than the match has, these are chosen in the form already. The match's unfinished hand, if the
    query names it as `hand`, is what the form leads back to.
    """
    tally = matches().tally(match_id)
    if "ruleset" not in request.args:
        return make_response(_edit_page(tally, request.args))
    sent = _names_of(tally.match) | _names_asked(match_id) | request.args.to_dict()
    try:
        fields = _changes_in(tally, sent)
    except FormProblem as problem:
        return _wrong("edit_match.html", tally, problem, sent)
    if all(getattr(tally.match, name) == fields[name] for name in IN_FORM):
        return make_response(_edit_page(tally))
    if _is_overtaken(tally.match, request.args):
        return _overtaken(tally, sent)
    changed = Match(id=match_id, **{name: fields[name] for name in IN_FORM})
    other = replace(_recounted(tally, fields), match=changed)
    found = differences(matches(), tally, other)
    told = told_differences(tally, other, found, (say("edit.now"), say("edit.then")))
    return make_response(render_template("edit_match.html", **_fields_sent(sent) | told))


@pages.post("/<match_id>/edit")
@scorers_only
def change(match_id: str) -> Response:
    """Change names and rules of a match. Where hands of the match would then count differently,
    lead to the page that shows how, and change nothing until a person confirms it. Where another
    device has changed the match since the form was shown, change nothing, and show the match as it
    is now in the form, with what a person changed in it.
    """
    tally = matches().tally(match_id)
    if _is_overtaken(tally.match, request.form):
        return _overtaken(tally, request.form)
    try:
        fields = _changes_in(tally, request.form)
    except FormProblem as problem:
        return _wrong("edit_match.html", tally, problem, request.form.to_dict())
    other = _recounted(tally, fields)
    found = differences(matches(), tally, other)
    if (found or other.winner != tally.winner) and "sure" not in request.form:
        session[ASKED] = (match_id, _only(request.form, UNADDRESSED))
        sent = _only(request.form, FIELDS - {*NAMES})
        return redirect(f"{url_for('match_rules.edit', match_id=match_id)}?{urlencode(sent)}", 303)
    given = {name: getattr(tally.match, name) for name in (*IN_FORM, "tile_set_id")}
    changed = {name: fields[name] for name in IN_FORM}
    if fields["players"] != tally.match.players:
        changed |= {"first_player": None, "throws": None}  # a seat among as many as there were
    try:
        matches().change(match_id, StepKind.RULES, device_name(), given, **changed)
    except Overtaken:
        return _overtaken(matches().tally(match_id), request.form)
    session.pop(ASKED, None)
    if fields["pieces"] != tally.match.pieces:
        intake().read_anew(match_id)
    if tally.draft_id and request.form.get("hand") == tally.draft_id:
        return redirect(url_for("hands.edit", hand_id=tally.draft_id), 303)
    return redirect(url_for("matches.show", match_id=match_id), 303)


def _edit_page(tally: Tally, asked: Mapping[str, str] = MappingProxyType({}), **shown: Any) -> str:
    """Return the page with the form as the match fills it in, except that it has the pieces and
    names the hand that `asked` does.
    """
    told = _fields_of(tally)
    others = [kind for kind in Pieces if kind != tally.match.pieces and kind == asked.get("pieces")]
    for kind in others:
        jokers = str(jokers_in(RULESETS[tally.match.ruleset], kind))
        told["values"] |= {"pieces": kind, "options_shown": kind, "jokers": jokers}
    told["values"]["hand"] = asked.get("hand")
    return render_template("edit_match.html", tally=tally, others=others, **told | shown)


def _only(form: Mapping[str, str], fields: Set[str]) -> dict[str, str]:
    return {name: value for name, value in form.items() if name in fields}


def _names_asked(match_id: str) -> dict[str, str]:
    """Return the names that a match is to have, and what its form held of the match before, by
    field, as the form that this device sent last had them; none where that form was about another
    match.
    """
    asked_for, names = session.get(ASKED, ("", {}))
    return dict(names) if asked_for == match_id else {}


def _names_of(match: Match) -> dict[str, str]:
    """Return the names of a match, by field, as its form shows them."""
    seats = {f"player_{seat}": name for seat, name in enumerate(match.player_names)}
    return {side: side_name(getattr(match, side)) for side in SIDE_NAMES} | seats


def _changes_in(tally: Tally, form: Mapping[str, str]) -> dict[str, Any]:
    """Read from its form what a match is to be changed to. Raises FormProblem."""
    usual = {"pieces": tally.match.pieces, "players": str(tally.match.players)}
    fields = _read(tally, {**usual, **form})
    _keep_names(tally.match, fields)
    _check_names(tally.match, fields)
    return fields


def _keep_names(match: Match, fields: dict[str, Any]) -> None:
    """Put into `fields` the names of sides as the match has them, where the form has them as they
    are shown: nobody has changed them.
    """
    for side in SIDE_NAMES:
        kept = getattr(match, side)
        if fields[side] == side_name(kept):
            fields[side] = kept


def _is_overtaken(match: Match, form: Mapping[str, str]) -> bool:
    """Whether the match has changed since the form was shown."""
    seen = checksum(columns_of(match))
    return form.get("seen", seen) != seen


def _check_names(match: Match, fields: dict[str, Any]) -> None:
    """Raise FormProblem where the form gives both sides one name. Sides that had one name before
    may keep it.
    """
    names = fields["side_a"], fields["side_b"]
    if are_one_name(*map(side_name, names)) and names != (match.side_a, match.side_b):
        raise FormProblem("side_b", Wrong.SAME_NAME, names[1])


def _overtaken(tally: Tally, form: Mapping[str, str]) -> Response:
    """Show the form with the match as it is now, because another device has changed it, and with
    what a person changed in `form`.
    """
    sent = merged(form, form.get("shown", ""), tally.match)
    if sent is None:
        return make_response(_edit_page(tally, message=say("edit.overtaken")), 409)
    shown = _fields_sent(sent) | {"message": say("edit.overtaken_kept")}
    return make_response(render_template("edit_match.html", tally=tally, **shown), 409)


@pages.get("/<match_id>/compare")
@scorers_only
def compare(match_id: str) -> Response:
    """Show a form for the rules with which those of the match are to be compared; nothing is
    changed. If the query names one of the match's hands as `hand`, that hand alone is compared.

    Where the query holds the fields of that form, show the match or the hand by its own rules and
    by those asked for, side by side. Its address can be reloaded, and gone back to.
    """
    tally = matches().tally(match_id)
    line = _hand_asked(tally)
    if "ruleset" not in request.args:
        page = render_template("compare.html", tally=tally, line=line, **_fields_of(tally))
        return make_response(page)
    match = tally.match
    names = {"side_a": match.side_a, "side_b": match.side_b}
    fixed = {**names, "pieces": match.pieces, "players": str(match.players)}
    try:
        fields = _read(tally, {**request.args, **fixed})
    except FormProblem as problem:
        return _wrong("compare.html", tally, problem, request.args.to_dict(), line)
    other = _recounted(tally, fields)
    found = differences(matches(), tally, other)
    if line:
        found = [one for one in found if one.hand_id == line.hand_id]
    told = told_differences(tally, other, found, rule_names(tally, other))
    shown = _fields_sent(request.args.to_dict())
    return make_response(render_template("compare.html", line=line, **shown | told))


def _read(tally: Tally, form: Mapping[str, str]) -> dict[str, Any]:
    """Read a match from its form as `read_match` does, and add the numbers of copies of its tiles,
    which the form does not ask. Raises FormProblem.

    These numbers stay as they are in the match, but a new number of comodines in the form replaces
    that of the set. Where the match changes from cards to tiles, it gets the numbers of its set;
    where it changes from tiles to cards, it gets the usual ones. With another ruleset the form
    shows that ruleset's number of comodines; where nobody chose another one, the set's number
    holds.
    """
    form, match = _without_same_comodines(tally, form), tally.match
    fields = read_match(form)
    if not any((*fields["player_names"], *match.player_names)):
        fields["player_names"] = match.player_names  # of a match begun with one tap there are none
    is_same_rules, usual = fields["ruleset"] == match.ruleset, RULESETS[fields["ruleset"]].jokers
    are_chosen = "jokers" in form and (is_same_rules or form["jokers"] != str(usual))
    are_of_set = match.tile_set_id is not None and not (is_same_rules or are_chosen)
    if fields["pieces"] != match.pieces or are_of_set:
        fields["options"] = options_of_set(fields["options"], fields["pieces"], match.tile_set_id)
        return fields
    fields["options"] |= {name: match.options[name] for name in UNASKED & set(match.options)}
    if are_chosen:
        fields["options"] = _without_comodines(fields["options"])
    elif is_same_rules:
        fields["options"] = with_comodines_of(fields["options"], match.options)
    return fields


def _without_same_comodines(tally: Tally, form: Mapping[str, str]) -> Mapping[str, str]:
    """Return a form without its number of comodines where this is the number that the match has
    anyway. The number of a set, such as three, is none that a person could choose.
    """
    match, now = tally.match, tally.rules.rules.copies(JOKER)
    is_same = (form.get("ruleset"), form.get("pieces")) == (match.ruleset, match.pieces)
    if form.get("jokers") != str(now) or not (is_same or now not in JOKERS):
        return form
    return {name: value for name, value in form.items() if name != "jokers"}


def _without_comodines(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a match without the entry for the comodín in `copies`, the numbers of
    copies that the match's set of tiles has.
    """
    copies = {face: count for face, count in options.get("copies", {}).items() if face != "J"}
    others = {name: value for name, value in options.items() if name != "copies"}
    return others | ({"copies": copies} if copies else {})


def _hand_asked(tally: Tally) -> HandLine | None:
    """Return the hand that the query names; None where it names none. Aborts where the match has no
    such hand.
    """
    hand_id = request.args.get("hand")
    line = next((line for line in tally.lines if line.hand_id == hand_id), None)
    if hand_id and line is None:
        abort(404)
    return line


def _recounted(tally: Tally, fields: dict[str, Any]) -> Tally:
    rules = TableRules.of(fields["ruleset"], fields["options"], fields["players"], fields["pieces"])
    return matches().by_rules(tally.match.id, rules)


def _wrong(
    template: str,
    tally: Tally,
    problem: FormProblem,
    sent: dict[str, str],
    line: HandLine | None = None,
) -> Response:
    told = _fields_sent(sent) | {"message": problem.in_words(say)}
    told["wrong_field"] = problem.field if is_written_in(problem.field, told["rules"]) else None
    page = render_template(template, tally=tally, line=line, **told)
    return make_response(page, 422)


def _fields_of(tally: Tally) -> dict[str, Any]:
    """Return the values for the template, with the form filled in from a match."""
    columns = columns_of(tally.match)
    told = {"seen": checksum(columns), "shown": written(columns)}
    return _form(tally.rules.rules, values_of(columns) | told)


def _fields_sent(sent: dict[str, str]) -> dict[str, Any]:
    """Return the values for the template, with the form filled in as it was sent."""
    rules = RULESETS.get(sent.get("ruleset", ""), RULESETS["burako"])
    boxes = {name: name in sent for name in BOXES}
    return {**_form(rules, {**defaults(rules), "pieces": pieces(), **sent, **boxes}), "sent": sent}


def _form(rules: RuleSet, values: dict[str, Any]) -> dict[str, Any]:
    return {
        "rules": rules,
        "rulesets": rulesets(),
        "values": values,
        "faces": VALUED,
        "sides": SIDES,
        "language": language(),
        "message": None,
        "found": None,
    }
