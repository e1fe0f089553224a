"""The pages of a match: its form, its tally, and the cards that show its rules and what to deal."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from flask import (
    Blueprint,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug import Response as AnyResponse

from engine.pieces import Pieces
from engine.rulesets import RULESETS
from scorer_app.services.dice import throw_dice, winning_seat
from scorer_app.services.event_bus import links_topic
from scorer_app.services.exchange import likeness
from scorer_app.services.hand_rows import Overtaken
from scorer_app.services.names import are_one_name
from scorer_app.services.purging import purge_match
from scorer_app.services.quotas import QuotaSpent
from scorer_app.services.steps import StepKind
from scorer_app.services.tally import Tally
from scorer_app.store import Match
from scorer_app.store.tables import AGREED, token
from scorer_app.web.devices import device_name
from scorer_app.web.forms import (
    BOXES,
    VALUED,
    FormProblem,
    OnBothSides,
    Wrong,
    check_players,
    defaults,
    is_written_in,
    names_twice,
    pieces_of_rules,
    read_form_id,
    read_match,
    read_name,
)
from scorer_app.web.own_match import note_opened
from scorer_app.web.pages.context import (
    event_bus,
    hands,
    intake,
    matches,
    new_match,
    offered_sets,
    options_of_set,
    rulesets,
    say,
    sets,
    side_name,
    side_names,
    speak_of,
    store,
    usual_pieces,
    usual_ruleset,
    usual_set,
    with_copies_of_set,
)
from scorer_app.web.pages.live_view import watches
from scorer_app.web.pages.overtaken import columns_of, values_of
from scorer_app.web.plot import plot_of
from scorer_app.web.roles import scorers_only
from scorer_app.web.rules_card import deal_card, rules_card
from scorer_app.web.tenancy import count_new_match, holder, is_public

pages = Blueprint("matches", __name__, url_prefix="/matches")


@pages.get("/new")
@scorers_only
def new() -> str | AnyResponse:
    """Show the form of a new match. In the query `rules` may name the ruleset whose values the form
    shows, as scripts ask for them, and `pieces` tiles or cards.

    The form has an id, which stands in its address: whoever goes back to a form that has made its
    match finds this match in it, and sends the form for the same match again.
    """
    named, rules = request.args.get("pieces", ""), request.args.get("rules")
    given = {"pieces": named} if named else {}
    if rules is not None:
        return _form(given, rules)
    form_id = read_form_id(request.args.get("new", ""))
    if form_id is None:
        return redirect(url_for("matches.new", new=token(), pieces=named or None))
    begun = matches().begun_by(form_id, holder())
    if begun is None:
        return _form(given, usual_ruleset())
    return _form(_values_of(begun), begun.ruleset)


def _values_of(begun: Match) -> dict[str, Any]:
    """Return the fields of the form, by name, as a match fills them in."""
    return values_of(columns_of(begun)) | {"tile_set": begun.tile_set_id or ""}


@pages.post("/new")
@scorers_only
def create() -> AnyResponse:
    """Make a match from its form, or show the form again with what is wrong. A player's name on
    both sides is asked about once, since a family may have two of one name.

    A form that comes again leads to the match that it has made, with what was changed in the form.
    Of one that has hands this is said, unless something was changed: then another match is made.

    Where this device's network has begun as many matches today as it may, the form says so and
    keeps what was typed.
    """
    try:
        fields = read_match(request.form)
        if are_one_name(side_name(fields["side_a"]), side_name(fields["side_b"])):
            raise FormProblem("side_b", Wrong.SAME_NAME, fields["side_b"])
        check_players(fields["player_names"], request.form.get("known_twice", ""))
    except FormProblem as problem:
        sent = request.form.to_dict()
        if isinstance(problem, OnBothSides):  # who sends the form once more knows it
            sent["known_twice"] = names_twice(fields["player_names"])
        return make_response(_form(sent, request.form.get("ruleset", ""), problem), 422)
    _name_sides(fields)
    of_tiles = fields["pieces"] is Pieces.TILES
    fields["tile_set_id"] = _chosen_set(usual_set()) if of_tiles else None
    intake().jobs.make_ready(fields["tile_set_id"])
    form_id = read_form_id(request.form.get("new", ""))
    try:
        match_id = new_match(form_id, **with_copies_of_set(fields))
    except QuotaSpent as spent:
        told = say(f"error.quota.{spent.quota}", most=spent.most)
        page = _form(request.form.to_dict(), request.form["ruleset"], spent=told)
        return make_response(page, 429)
    following = hands().next_hand(match_id)
    begun = "yes" if following.position > 1 or following.draft_id else None
    return redirect(url_for("matches.show", match_id=match_id, begun=begun), 303)


def _name_sides(fields: dict[str, Any]) -> None:
    """In a match of two players, name each side that still has its default name after its player,
    if that player has a name, unless both sides would then have one name. `fields` are the columns
    of the match; the names are changed in them.
    """
    if fields["players"] != 2:
        return
    names = {side: fields[side] for side in ("side_a", "side_b")}
    for side, player in zip("AB", fields["player_names"], strict=True):
        if player and side_name(fields[f"side_{side.lower()}"]) == say(f"side.{side}"):
            names[f"side_{side.lower()}"] = player
    if not are_one_name(*names.values()):
        fields |= names


def _chosen_set(otherwise: str | None) -> str | None:
    """Return the id of the set that a person chose in the form, and make this choice the default
    for new matches. The id is None where the person chose no set, or one that is gone. Where the
    form offers no choice, return `otherwise` and leave the default.
    """
    wanted = request.form.get("tile_set")
    if wanted is None or is_public():  # the form offered no set
        return otherwise
    known = sets().chosen(wanted)
    sets().choose(known.id if known else None)
    return known.id if known else None


def _form(
    given: dict[str, Any], name: str, problem: FormProblem | None = None, *, spent: str = ""
) -> str:
    """Make the page with the form of a new match, which shows the values `given` and the ruleset
    called `name`. Above it stands what is wrong with a field, the `problem`, or that the quota of
    matches is `spent`.
    """
    usual = RULESETS[usual_ruleset()]
    rules = RULESETS.get(name, usual)
    asked = given.get("pieces")
    if asked in list(Pieces):
        pieces = Pieces(asked)
    else:
        pieces = usual_pieces() if rules is usual else pieces_of_rules(rules)
    speak_of(pieces)
    values = {**defaults(rules, pieces), **given}
    message = problem.in_words(say) if problem else spent
    if message:  # a browser does not send a box that is not ticked
        values |= {name: name in given for name in BOXES}
    shown = {
        "rules": rules,
        "rulesets": rulesets(),
        "values": values,
        "faces": VALUED,
        "message": message,
        "wrong_field": problem.field if problem and is_written_in(problem.field, rules) else None,
        "sure": asked is not None,
        "usual_rules": {} if message else {kind: usual_ruleset(kind) for kind in Pieces},
        "sets": offered_sets(),
        "chosen": given.get("tile_set", usual_set()),
        "new_id": read_form_id(given.get("new", request.args.get("new", ""))) or token(),
    }
    return render_template("new_match.html", **shown)


@pages.get("/<match_id>")
@scorers_only
def show(match_id: str) -> str | AnyResponse:
    """Show the tally of a match or, if it cannot be shown, why not and how to delete it."""
    if unreadable := matches().unreadable(match_id):
        page = render_template(
            "unreadable.html",
            title=" · ".join(side_names(unreadable).values()),
            message=say(f"error.{unreadable.trouble}"),
            export_url=url_for("match_files.as_json", match_id=match_id),
            back_url=url_for("home.index"),
            remedy="delete_match",
            remedy_url=url_for("matches.delete", match_id=match_id),
        )
        return make_response(page, 409)
    return _tally_page(match_id)


def _tally_page(match_id: str, problem: FormProblem | None = None) -> str:
    """Make the page of a match. After a `problem` with the names of the sides it shows those that
    were edited as they were sent, and what is wrong with them.
    """
    tally = matches().tally(match_id)
    note_opened(tally.match)
    sent = {name: request.form.get(name, "") for name in _edited_names()} if problem else {}
    copy, named = session.get("twin", ("", ""))
    twin = matches().known(named) if copy == match_id else None
    counted = request.args.get("counted")
    shown = {
        "plot": plot_of(tally),
        "begun": "begun" in request.args,
        "counted": next((line for line in tally.lines if line.hand_id == counted), None),
        "sets": offered_sets(),
        "set_chosen": _told_once(match_id),
        "twin": twin,
        "likeness": likeness(matches(), match_id, twin) if twin else None,
        "card": deal_card(tally.match, tally.rules.rules, len(tally.counted), say),
        "rematch_elsewhere": tally.finished and _has_rematch_elsewhere(match_id),
        "sent": sent,
        "wrong_field": problem and problem.field,
        "message": problem and problem.in_words(say),
    }
    return render_template("match.html", tally=tally, **shown)


def _told_once(match_id: str) -> str | None:
    """Return what this device did by choosing the match's set of tiles just now, `anew` or `yes`;
    None where it did not, and from the second time on.
    """
    chosen, done = session.get("set_chosen", ("", None))
    if chosen != match_id:
        return None
    del session["set_chosen"]
    return done if done is None else str(done)


@pages.post("/<match_id>/hands")
@scorers_only
def new_hand(match_id: str) -> AnyResponse:
    """Go on with the unfinished hand of a match, or begin a new one."""
    return redirect(url_for("hands.edit", hand_id=hands().begin(match_id)), 303)


@pages.post("/<match_id>/names")
@scorers_only
def rename(match_id: str) -> AnyResponse:
    """Change the names of the sides. Only a name that was edited in the form is written, so that
    two phones can change one name each.
    """
    try:
        names = _names_written(matches().tally(match_id).match)
    except FormProblem as problem:
        return make_response(_tally_page(match_id, problem), 422)
    matches().change(match_id, StepKind.RULES, device_name(), **names)
    return redirect(url_for("matches.show", match_id=match_id), 303)


def _names_written(kept: Match) -> dict[str, Any]:
    """Return the names of sides that were edited in the form, by the names of their columns. `kept`
    is the match that has the others. Raises FormProblem.
    """
    written = _edited_names()
    names: dict[str, Any] = {name: read_name(request.form, name) for name in written}
    both = [side_name(names.get(side, getattr(kept, side))) for side in ("side_a", "side_b")]
    if names and are_one_name(*both):
        raise FormProblem(written[-1], Wrong.SAME_NAME, names[written[-1]])
    return names


def _edited_names() -> list[str]:
    """Return the columns of the names of sides that were edited in the form that was sent."""
    form = request.form
    return [one for one in ("side_a", "side_b") if form.get(f"shown_{one}") != form.get(one)]


@pages.get("/<match_id>/names")
@scorers_only
def after_rename(match_id: str) -> AnyResponse:
    """Lead to the page of the match. Names that were refused leave this address in the browser's
    bar, where a person loads it anew.
    """
    return redirect(url_for("matches.show", match_id=match_id))


@pages.post("/<match_id>/real")
@scorers_only
def no_sample(match_id: str) -> AnyResponse:
    """Turn a match that was made from the bundled sample into an ordinary one."""
    matches().change(match_id, StepKind.SAMPLE, device_name(), sample=False)
    return redirect(url_for("matches.show", match_id=match_id), 303)


@pages.post("/<match_id>/tiles")
@scorers_only
def choose_tiles(match_id: str) -> AnyResponse:
    """Choose the set of tiles that the match is played with, or none. Where this is another set
    than before, the unfinished hand's photographs are read anew.
    """
    wanted = _chosen_set(matches().tally(match_id).match.tile_set_id)
    former = _play_with(match_id, wanted)
    intake().jobs.make_ready(wanted)
    are_read_anew = wanted != former and intake().read_anew(match_id)
    done = "anew" if are_read_anew else "yes"
    session["set_chosen"] = (match_id, done)
    return redirect(url_for("matches.show", match_id=match_id, _anchor="match-set"), 303)


def _play_with(match_id: str, wanted: str | None) -> str | None:
    """Let a match be played with the set of tiles whose id is `wanted`, None for no set, and return
    the id of its former set. Nothing is changed where it has this set already. Rules that another
    phone changes in the same instant are kept.
    """
    match = matches().tally(match_id).match
    if match.tile_set_id == wanted:
        return wanted
    given = {name: getattr(match, name) for name in ("options", "pieces", "tile_set_id")}
    options = options_of_set(match.options, match.pieces, wanted, match.tile_set_id)
    changed = {"tile_set_id": wanted, "options": options}
    try:
        matches().change(match_id, StepKind.TILES, device_name(), given, **changed)
    except Overtaken:
        return _play_with(match_id, wanted)
    return match.tile_set_id


@pages.post("/<match_id>/rematch")
@scorers_only
def rematch(match_id: str) -> AnyResponse:
    """Begin a new match of the same sides, rules and seats, or go to the unfinished one that was
    begun so before. In a new match the first hand is begun by the player who would have begun the
    next hand of the old match.

    On a public server a rematch has links of its own, so that whoever scored the old match does not
    score the new one by that: another device begins one of its own, or is given the link.
    """
    tally = matches().tally(match_id)
    there = _unfinished_rematch(match_id)
    if there is None:
        count_new_match()
        old = tally.match
        copied = {name: getattr(old, name) for name in (*AGREED, "tile_set_id")}
        if old.first_player is not None:
            copied["first_player"] = (old.first_player + len(tally.counted)) % old.players
        there = matches().create_rematch(match_id, holder=holder(), **copied)
        event_bus().tell(match_id)  # other devices show that there is a rematch
    return redirect(url_for("matches.show", match_id=there), 303)


def _has_rematch_elsewhere(match_id: str) -> bool:
    """Tell whether other devices score a rematch of the match `match_id`, and this one scores none;
    always False at home, where every device scores all matches.
    """
    held = holder()
    if held is None or matches().rematches(match_id, held):
        return False
    return bool(matches().rematches(match_id))


def _unfinished_rematch(match_id: str) -> str | None:
    """Return the id of an unfinished rematch of the match `match_id`; None where there is none."""
    names = matches().rematches(match_id, holder())
    tallies = [one for one in matches().of(names) if isinstance(one, Tally)]
    return next((one.match.id for one in tallies if not one.finished), None)


@pages.post("/<match_id>/delete")
@scorers_only
def delete(match_id: str) -> AnyResponse:
    """Delete a match with its hands, its photographs, and whatever else belongs to it."""
    purge_match(store(), intake().files, match_id)
    event_bus().tell(match_id, links_topic(match_id))
    watches().forget(match_id)
    return redirect("/", 303)


@pages.get("/<match_id>/rules")
@scorers_only
def rules(match_id: str) -> str:
    """Show the rules of a match on a card."""
    tally = matches().tally(match_id)
    return render_template(
        "rules.html", tally=tally, card=rules_card(tally.rules.rules, say, tally.rules.pieces)
    )


@pages.get("/<match_id>/deal")
@scorers_only
def deal(match_id: str) -> str:
    """Show what to deal for the next hand."""
    tally = matches().tally(match_id)
    card = deal_card(tally.match, tally.rules.rules, len(tally.counted), say)
    return render_template("deal.html", tally=tally, card=card, thrown=_thrown(tally))


@pages.post("/<match_id>/die")
@scorers_only
def throw_die(match_id: str) -> AnyResponse:
    """Let every seat throw a die: the highest begins the next hand, and the turn to begin passes
    to the left with every hand. Where another phone has thrown since the form was shown, or saved a
    hand, nothing changes; nor does it in a match that is won.
    """
    tally = matches().tally(match_id)
    thrown = _thrown(tally)
    if tally.finished or request.form.get("thrown", thrown) != thrown:
        return redirect(url_for("matches.deal", match_id=match_id), 303)
    players = tally.match.players
    throws = throw_dice(players)
    first = (winning_seat(throws) - len(tally.counted)) % players
    given = {name: getattr(tally.match, name) for name in ("players", "first_player", "throws")}
    with suppress(Overtaken):
        matches().change(
            match_id, StepKind.DIE, device_name(), given, first_player=first, throws=throws
        )
    return redirect(url_for("matches.deal", match_id=match_id), 303)


def _thrown(tally: Tally) -> str:
    """Return a text that changes with each throw of dice, even one that shows the numbers of the
    throw before, and with each hand, so that a form is noticed that is old or sent twice.
    """
    match = tally.match
    newest = matches().newest_step(match.id, StepKind.DIE)
    return f"{len(tally.counted)} {newest} {match.first_player} {match.throws}"
