"""Short functions by which pages and templates reach the running application, each with its
type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from flask import Flask, Response, g, request, session
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from engine.pieces import Pieces
from engine.rulesets import RULESETS, RuleSet
from engine.sides import SideName
from scorer_app.config import AppConfig
from scorer_app.services.event_bus import EventBus
from scorer_app.services.hands import Hands
from scorer_app.services.intake import Intake
from scorer_app.services.matches import Matches
from scorer_app.services.played_with import ADDRESSED, pieces_played_with
from scorer_app.services.retention import Retention
from scorer_app.services.set_values import ChosenSet, KeptSet, options_with, with_comodines_of
from scorer_app.services.sets import Sets
from scorer_app.services.shelves import Listed, PlayedLast, Shelf, listed, played_last
from scorer_app.services.tally import Tally
from scorer_app.services.teaching import Teacher
from scorer_app.services.unreadable import UnreadableMatch
from scorer_app.serving.table_paths import by_table
from scorer_app.store import Match, Store, StoreUnavailable
from scorer_app.texts.faces import face_in_words, face_written, rank_printed
from scorer_app.texts.languages import LANGUAGES, Language, choose
from scorer_app.texts.standing import shown_name
from scorer_app.texts.standing import signed as signed_in
from scorer_app.texts.translator import Translate, texts_of, translator
from scorer_app.web.devices import device_name
from scorer_app.web.forms import pieces_of_rules
from scorer_app.web.hand_json import HandView
from scorer_app.web.parts import parts
from scorer_app.web.rate_limits import RateLimiter
from scorer_app.web.roles import is_host, may_write
from scorer_app.web.security import csrf_token
from scorer_app.web.tenancy import count_new_match, holder, is_public, reach
from scorer_app.web.times import here

# A tile as sentences name it, such as 7R or J; a card, such as 7H or *.
_NOTATION = MappingProxyType(
    {
        Pieces.TILES: re.compile(r"\b((?:1[0-3]|[1-9])[RBKY]|J)\b"),
        Pieces.CARDS: re.compile(r"(\b(?:10|[2-9AJQK])[HDCS]\b|\*)"),
    }
)
# A command or an option as sentences name it; `splitAtCommands` in `words.js` does the same.
_COMMAND = re.compile(r"(burako [a-z]+(?: --[a-z]+)*|--[a-z]+)")
_USUAL_RULESETS: Mapping[Language, str] = MappingProxyType({"it": "burraco_it"})


def config() -> AppConfig:
    return parts().config


def store() -> Store:
    return parts().store


def hands() -> Hands:
    return parts().hands


def matches() -> Matches:
    return parts().matches


def intake() -> Intake:
    return parts().intake


def sets() -> Sets:
    return Sets(store())


def table_at(match_id: str, path: str) -> str:
    """Return the path under which a page asks for `path`, an address about the watched table of a
    match. In a cluster `/tables/KEY` stands before `path`; by this key of the match the proxy finds
    the process that watches the table. Elsewhere `path` is returned as it is.
    """
    return by_table(match_id, path) if config().cluster else path


def offered_sets() -> list[KeptSet]:
    """List the sets of tiles that a match may be played with. Empty on a public server, where a set
    would be visible to everybody.
    """
    return [] if is_public() else sets().listed()


def usual_set() -> str | None:
    """Return the id of the set of tiles that a new match is played with unless a person chooses
    another; None for no set.
    """
    return None if is_public() else sets().default()


def shelf(name: Shelf, most: int, after: str | None = None) -> Listed:
    """List at most `most` of the matches that this device may see on a shelf, the one played last
    first. The shelves are the matches played, those put away, and the samples. With the id of a
    match as `after`, only those played before that match are listed.
    """
    return listed(matches(), name, most, after, holder())


def new_match(form_id: str | None = None, **fields: Any) -> str:
    """Create a match that this device scores, with the values `fields` in its columns, and return
    its id. Where the form with the id `form_id` has made a match before, that one gets these values
    and its id is returned, unless it has other values and hands already. Raises QuotaSpent.
    """
    if form_id is not None:
        again = matches().begin_again(form_id, device_name(), holder=holder(), **fields)
        if again is not None:
            return again
    count_new_match()
    return matches().create(holder=holder(), form_id=form_id, **fields)


def with_copies_of_set(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a new match, by name, with the numbers of copies in its set of tiles
    among its options. A number of comodines that is among them already stays: players chose it,
    since it is not the one of the ruleset.
    """
    set_id, chosen = fields["tile_set_id"], fields["options"]
    if set_id is None:
        return fields
    options = options_of_set(chosen, fields["pieces"], set_id)
    if "jokers" in chosen:
        options = with_comodines_of(options, chosen)
    return fields | {"options": options}


def options_of_set(
    options: dict[str, Any], pieces: str, set_id: str | None, former_id: str | None = None
) -> dict[str, Any]:
    """Return a match's `options` with the numbers of copies of faces in the set `set_id`. Only
    faces of which the set has not the usual number are named. Without a set (None) all faces have
    the usual number. `former_id` is the id of the set that the match had before, None for no set; a
    number of comodines that came from that set is taken out of the options.

    The options of a match of cards, as `pieces` says, stay as they are.
    """
    if pieces == Pieces.CARDS:
        return options
    copies = {one.id: one.copies for one in sets().listed()}
    of_set, of_former = (copies.get(one, {}) if one else {} for one in (set_id, former_id))
    return options_with(options, of_set, of_former)


def chosen_set(tally: Tally) -> ChosenSet | None:
    """Return the set of tiles that a match is played with; None where it has none."""
    return sets().chosen(tally.match.tile_set_id)


def teacher() -> Teacher:
    return parts().teacher


def retention() -> Retention:
    return parts().retention


def event_bus() -> EventBus:
    return parts().event_bus


def upload_limiter() -> RateLimiter:
    return parts().upload_limiter


def language() -> Language:
    """Return the language of this request: the one picked on this device, else the browser's, else
    Spanish.
    """
    if "language" not in g:
        g.language = choose(session.get("language"), request.headers.get("Accept-Language"))
    chosen: Language = g.language
    return chosen


def pieces() -> Pieces:
    """Return what the match or hand in the address of this request is played with; tiles where the
    address names none.
    """
    if "pieces" not in g:
        named = request.view_args or {}
        wanted = {name: named[name] for name in ADDRESSED if name in named}
        g.pieces = Pieces.TILES
        with suppress(StoreUnavailable):  # the sentence that reports it needs the pieces, too
            if not is_public() or reach():  # else the words would betray that the match exists
                g.pieces = pieces_played_with(store(), **wanted)
    found: Pieces = g.pieces
    return found


def speak_of(played_with: Pieces) -> None:
    """Let all texts of this request use the words for tiles or for cards."""
    g.pieces = played_with


def say(key: str, **values: object) -> str:
    """Return a text in the language of this request, in the words of what is played with. `key` is
    its key in the catalogue, and `values` fill its blanks.
    """
    return translate()(key, **values)


def translate() -> Translate:
    """Return the translator of this request."""
    return translator(language(), pieces())


def match_played_last() -> PlayedLast | None:
    """Tell of the match that was played last, of those that this device scores; on a server at
    home of all.
    """
    if "played_last" not in g:
        g.played_last = played_last(store(), holder())
    found: PlayedLast | None = g.played_last
    return found


def usual_pieces() -> Pieces:
    """Return what a new match is played with unless a person chooses: as the match played last;
    without one, cards by Italian rules, otherwise tiles.
    """
    last = match_played_last()
    return last.pieces if last else pieces_of_rules(RULESETS[usual_ruleset()])


def usual_ruleset(pieces: Pieces | None = None) -> str:
    """Return the id of the ruleset that a new match has unless a person chooses another: that for
    which the server is configured, or that of the match played last. If there are none, or if that
    match was not played with the `pieces` asked for, it is that of a first match.
    """
    last = None if config().ruleset else match_played_last()
    return last.ruleset if last and pieces in (None, last.pieces) else first_ruleset(pieces)


def first_ruleset(pieces: Pieces | None = None) -> str:
    """Return the id of the ruleset that a first match has unless a person chooses another: that for
    which the server is configured. If there is none, cards are played by the Italian rules, and the
    language decides for tiles, and where nothing is said of the `pieces`.
    """
    configured = config().ruleset
    if configured is None and pieces is Pieces.CARDS:
        return next(rules.id for rules in RULESETS.values() if pieces_of_rules(rules) is pieces)
    return configured or _USUAL_RULESETS.get(language(), "burako")


def rulesets() -> list[RuleSet]:
    """Return all rulesets, the usual one first."""
    usual = usual_ruleset()
    return sorted(RULESETS.values(), key=lambda rules: rules.id != usual)


def hand_view() -> HandView:
    """Return a HandView, which makes the JSON of hands, in the language of this request."""
    limit = config().reading_limit
    return HandView(store(), parts().queue, limit, translate(), language(), pieces())


def script_texts(of: str = "") -> Markup:
    """Return the texts that scripts in the browser show: a JSON object of sentences by key, safe to
    stand in a page. Those of one page alone, which teaches a set or shows a watched table, are left
    out but on that page: `of` is then "set" or "live".
    """
    return _script_texts(language(), pieces(), of)


@cache
def _script_texts(code: Language, played_with: Pieces, of: str) -> Markup:
    wanted = ("js.", "colour.", "tile.", "photo.stage.queued", "rank.")
    others = tuple(f"js.{page}." for page in ("set", "live") if page != of)
    texts = texts_of(code, played_with).items()
    sent = {
        key: text for key, text in texts if key.startswith(wanted) and not key.startswith(others)
    }
    return htmlsafe_json_dumps(sent, ensure_ascii=False, separators=(",", ":"))


def install(app: Flask) -> None:
    """Give every template the values and functions that `_everywhere` returns, and make every
    answer name the request headers that it depends on.
    """

    app.context_processor(_everywhere)
    app.after_request(_vary)


def _everywhere() -> dict[str, Any]:
    """Return the values and functions that every template has."""
    return {
        **_of_the_visitor(),
        "match_days": config().match_days,
        "photo_days": config().photo_days,
        "printed": printed,
        "in_words": in_words,
        "table_at": table_at,
        "script_texts": script_texts,
        "signed": signed,
        "side_names": side_names,
        "fitted_length": _fitted_length,
        "tiles_in": _tiles_in,
        "commands_in": commands_in,
        "day": day,
        "moment": _moment,
    }


def _of_the_visitor() -> dict[str, Any]:
    """Return the values for templates, by name, that depend on who sends the request, such as the
    language, light or dark, and what the visitor may do.
    """
    return {
        "say": translate(),
        "pieces": pieces(),
        "language": language(),
        "languages": LANGUAGES,
        "theme": session.get("theme", "auto"),
        "csrf": csrf_token(),
        "is_host": is_host(),
        "may_write": may_write(),
        "is_public": is_public(),
        "here": _address(),
    }


def _address() -> str | None:
    """Return the path of the page asked for with its parameters, so that a link can lead back to
    it; None for the home page and for what a form has sent.
    """
    address = request.full_path.removesuffix("?")
    return None if address == "/" or request.method == "POST" else address


def _vary(response: Response) -> Response:
    if request.endpoint != "static":
        response.vary.update(("Accept-Language", "Cookie"))
    return response


def read_open_hands_anew(set_id: str) -> None:
    """Order another reading of the photographs of every unfinished hand that is played with a set
    of tiles, after the set has learned or unlearned, and tell the pages that show these matches.
    """
    played = [match.id for match in sets().played_with(set_id)]
    for match_id in played:
        intake().read_anew(match_id)
    event_bus().tell(*played)


def day(moment: datetime) -> str:
    """Return the day of a stored moment as text, such as 05/03/2026, or 05 Mar 2026 in English, in
    the time zone of the asking device.
    """
    return here(moment).strftime(LANGUAGES[language()].day)


def _moment(stored: datetime) -> str:
    """Return day and time of a stored moment as text, in the time zone of the asking device."""
    return f"{day(stored)} {here(stored):%H:%M}"


def _tiles_in(sentence: str) -> Iterator[tuple[str, str | None]]:
    """Split a sentence at the names of tiles or cards. Yields each piece of text with the face that
    follows it, in the engine's notation. The last piece comes with None.
    """
    parts = _NOTATION[pieces()].split(sentence)
    faces = (face_written(name, pieces()) for name in parts[1::2])
    yield from zip_longest(parts[::2], faces)


def commands_in(sentence: str) -> Iterator[tuple[str, str | None]]:
    """Split a sentence at commands and options. Yields each piece of text with the command or
    option that follows it. The last piece comes with None.
    """
    parts = _COMMAND.split(sentence)
    yield from zip_longest(parts[::2], parts[1::2])


def printed(face: str) -> str:
    """Return the rank that is printed on the tile or card with this face: of `11R` a tile shows
    `11` and a card `J`.
    """
    return rank_printed(face[:-1], pieces())


def in_words(face: str) -> str:
    """Return the name of `face` in words, in the language of this request: that of a tile or of a
    card, as `pieces` tells.
    """
    return face_in_words(face, pieces(), translate())


def _fitted_length(figures: list[int]) -> int:
    """Return how many characters the longest of these numbers of points has, at least 4 and at most
    9. The page's styles choose the size of the numbers by it.
    """
    return min(9, max(4, *(len(signed(points)) for points in figures)))


def signed(points: int) -> str:
    """Return points as score sheets show them: with separators at thousands, and with a minus sign
    where they are negative.
    """
    return signed_in(points, translate())


def side_name(name: str) -> str:
    """Return the name of a side as it is shown in the language of this request. A name that nobody
    has chosen is shown as this language has it, whatever that of the match's first page was.
    """
    return shown_name(name, translate())


def side_names(match: Match | UnreadableMatch) -> dict[SideName, str]:
    """Return the names of the sides of a match, as they are shown in the language of this
    request.
    """
    return {"A": side_name(match.side_a), "B": side_name(match.side_b)}
