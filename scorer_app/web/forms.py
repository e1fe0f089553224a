"""The form of a new match. It shows every option with the ruleset's own value; the values that a
person changes become the options of the match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from engine.options import SPECIAL_VALUES, with_options
from engine.pieces import Pieces
from engine.rulesets import Canasta, RuleSet, Special, ruleset
from engine.set_up import set_up
from engine.tiles import NUMBERS
from scorer_app.hand.fields import without_controls
from scorer_app.hand.table_rules import jokers_in
from scorer_app.services.names import are_one_name, folded
from scorer_app.texts.translator import Translate

VALUED = ("J", *map(str, NUMBERS))  # the form asks how many points each of these counts
NUMBERS_ASKED = (
    "target",
    "muerto_penalty",
    "muerto_unplayed_penalty",
    "close_bonus",
    "wilds_per_meld",
    "pierna_max",
    "hand_size",
)
MAY_BE_EMPTY = ("wilds_per_meld", "pierna_max", "hand_size")
SWITCHES = (
    "muerto_bonus",
    "muerto_penalty_if_nobody",
    "all_against_without_canasta",
    "void_without_canasta",
)
BOXES = (*SWITCHES, *(f"special_{special}" for special in Special))
NAME_LENGTH = 40
# One separator before each group of three figures, as all languages of the page write thousands.
_SEPARATORS = re.compile(r"[.,\s]")
_GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:[.,\s][0-9]{3})+")


class Wrong(StrEnum):
    """What is wrong with a field; each has its sentence in the texts."""

    NAME = "name"
    SAME_NAME = "same_name"  # as the other side's
    BOTH_SIDES = "both_sides"  # a player's name, which perhaps two players have
    NUMBER = "number"
    VALUE = "value"  # well written, but no rules can have it


class FormProblem(ValueError):
    """A field of the form that cannot be used; `wrong` says why, and `str()` also says for the log
    what came.
    """

    def __init__(self, field: str, wrong: Wrong, got: object) -> None:
        super().__init__(f"{field}: wrong {wrong}, got {got!r}")
        self.field, self.wrong = field, wrong

    @property
    def label(self) -> str:
        """The key, in the catalogue of texts, of the label of the field. A field of a group has the
        label of its group.
        """
        groups = {"tile_": "form.values", "canasta_": "form.canastas", "special_": "form.special"}
        return next(
            (label for start, label in groups.items() if self.field.startswith(start)),
            f"form.{self.field}",
        )

    def in_words(self, say: Translate) -> str:
        """Return which field cannot be used, and why, as one sentence for people."""
        return f"{say(self.label)}: {say(f'form.wrong.{self.wrong}')}"


class OnBothSides(FormProblem):
    """A name that a player of each side has: by mistake, unless a person says that they are two.
    `field` is that of the second player.
    """

    def __init__(self, seat: int, name: str) -> None:
        super().__init__(f"player_{seat}", Wrong.BOTH_SIDES, name)
        self.name = name

    def in_words(self, say: Translate) -> str:
        return say(f"form.wrong.{self.wrong}", name=self.name)


def check_players(players: Sequence[str], known: str) -> None:
    """Raise OnBothSides for the first name that a player of each side has, unless a person knows
    it: `known` are names as `names_twice` writes them. `players` holds a name for each seat, or an
    empty one; partners face each other.
    """
    if names_twice(players) == known:
        return
    for seat, name in enumerate(players):
        if name and any(are_one_name(name, other) for other in players[(seat + 1) % 2 : seat : 2]):
            raise OnBothSides(seat, name)


def names_twice(players: Sequence[str]) -> str:
    """Return the names that players of both sides have, as a field of the form holds them."""
    one, other = ({folded(name) for name in players[side::2] if name} for side in (0, 1))
    return ", ".join(sorted(one & other))


def pieces_of_rules(rules: RuleSet) -> Pieces:
    """Return what a match by these rules is played with if nobody chooses: cards for Italian rules,
    otherwise tiles.
    """
    return Pieces.CARDS if rules.italian else Pieces.TILES


def read_pieces(form: Mapping[str, str], usual: Pieces) -> Pieces:
    """Read what a match is played with; `usual` where the form does not ask. Raises FormProblem."""
    named = form.get("pieces", usual)
    try:
        return Pieces(named)
    except ValueError as error:
        raise FormProblem("pieces", Wrong.VALUE, named) from error


def defaults(rules: RuleSet, pieces: Pieces = Pieces.TILES) -> dict[str, Any]:
    """Map each field of the form to the value that the ruleset itself gives it, for tiles or for
    cards.
    """
    fields: dict[str, Any] = {name: getattr(rules, name) for name in NUMBERS_ASKED}
    fields |= {name: bool(getattr(rules, name)) for name in SWITCHES}
    fields |= {f"tile_{face}": value for face, value in zip(VALUED, rules.tile_values, strict=True)}
    fields |= {f"canasta_{name}": points for name, points in rules.canasta_values}
    fields |= {
        "jokers": jokers_in(rules, pieces),
        "close_requires": "pura" if rules.close_requires is Canasta.PURA else "canasta",
    }
    for special in Special:
        paid = rules.special(special)
        usual = SPECIAL_VALUES[special]
        fields[f"special_{special}"] = paid is not None
        fields[f"special_{special}_pura"] = paid.pura if paid else usual[0]
        fields[f"special_{special}_impura"] = paid.impura if paid else usual[1]
    return fields


def is_written_in(field: str, rules: RuleSet) -> bool:
    """Tell whether the form has a field of this name in which people write, so that what is wrong
    with it can be said beside it.
    """
    usual = defaults(rules).get(field, False)
    is_number = usual is None or (isinstance(usual, int) and not isinstance(usual, bool))
    is_name = field in ("side_a", "side_b") or field.startswith("player_")
    return is_name or (is_number and field != "jokers")


def read_match(form: Mapping[str, str]) -> dict[str, Any]:
    """Read a new match from its form. Returns the values of the match's columns in the database, by
    name. Raises FormProblem.
    """
    name = form.get("ruleset", "")
    try:
        rules = ruleset(name)
    except ValueError as error:
        raise FormProblem("ruleset", Wrong.VALUE, name) from error
    players = 2 if form.get("players") == "2" else 4
    pieces = read_pieces(form, Pieces.TILES)
    if form.get("options_shown") in {*Pieces} - {pieces}:  # no person saw the jokers of `pieces`
        form = {name: value for name, value in form.items() if name != "jokers"}
    options = _changed(form, rules)
    if "jokers" not in form and (jokers := jokers_in(rules, pieces)) != rules.jokers:
        options["jokers"] = jokers
    if culprit := _refused(rules, options, players):
        raise FormProblem(culprit, Wrong.VALUE, options.get(culprit))
    return {
        "side_a": read_name(form, "side_a"),
        "side_b": read_name(form, "side_b"),
        "players": players,
        "player_names": [
            without_controls(form.get(f"player_{seat}", ""))[:NAME_LENGTH]
            for seat in range(players)
        ],
        "ruleset": name,
        "options": options,
        "pieces": pieces,
    }


def read_form_id(sent: str) -> str | None:
    """Return `sent` if it may be the id of a form, which what it makes gets too; else None."""
    return sent if re.fullmatch(r"[A-Za-z0-9_-]{22}", sent) else None


def read_name(form: Mapping[str, str], field: str) -> str:
    """Return a side's name from the form, with single spaces and without invisible characters.
    Raises FormProblem where the name is then empty or too long.
    """
    name = without_controls(form.get(field, ""))
    if not 0 < len(name) <= NAME_LENGTH:
        raise FormProblem(field, Wrong.NAME, name[: NAME_LENGTH + 1])
    return name


def points_written(text: str) -> int:
    """Read points as people write them: 1.250, 1,250 or 1 250 as well as 1250, with a hyphen or a
    minus sign before negative ones. An empty text is 0. Raises ValueError for a text that is no
    number.
    """
    figures = text.strip().replace("−", "-") or "0"
    if _GROUPED.fullmatch(figures):
        figures = _SEPARATORS.sub("", figures)
    return int(figures)


def _refused(rules: RuleSet, options: Mapping[str, Any], players: int) -> str | None:
    """Return the name of the first option that the rules cannot have. Returns "options" where they
    can have each option but not all together, and None where they can have them all.
    """
    for name, together in (
        *((name, {name: value}) for name, value in options.items()),
        ("options", dict(options)),
    ):
        try:
            set_up(with_options(rules, {**together, "players": players}))
        except ValueError:
            return name
    return None


def _changed(form: Mapping[str, str], rules: RuleSet) -> dict[str, Any]:
    """Return the options, by name, for which the form has another value than the ruleset. Fields
    that the form lacks count as unchanged.
    """
    usual = defaults(rules)
    options = _changed_numbers(form, usual, NUMBERS_ASKED)
    if options.get("hand_size", 0) is None:
        del options["hand_size"]
    if form.get("options_shown"):
        options |= {name: name in form for name in SWITCHES if (name in form) != usual[name]}
    canastas = [str(name) for name, _points in rules.canasta_values]
    paid = [special for special in Special if f"special_{special}" in form]
    groups: dict[str, Any] = {
        "tile_values": _changed_numbers(form, usual, VALUED, "tile_"),
        "canasta_values": _changed_numbers(form, usual, canastas, "canasta_"),
        "special_canastas": [_special(form, special, usual) for special in paid],
    }
    options |= {name: changed for name, changed in groups.items() if changed}
    options |= _changed_numbers(form, usual, ("jokers",))
    needed = form.get("close_requires", usual["close_requires"])
    if needed != usual["close_requires"]:
        options["close_requires"] = needed
    return options


def _changed_numbers(
    form: Mapping[str, str], usual: Mapping[str, Any], names: Sequence[str], prefix: str = ""
) -> dict[str, Any]:
    """Return the numbers that differ from the usual ones, by name. The field of the form that holds
    a number is named by `prefix` and the number's name.
    """
    numbers = {name: _number(form, prefix + name, usual[prefix + name]) for name in names}
    return {name: value for name, value in numbers.items() if value != usual[prefix + name]}


def _special(form: Mapping[str, str], special: Special, usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return the option for one special canasta: `canasta`, its name, and its prices `pura` and
    `impura`. Where the form lacks the field of a price, the `usual` one is taken. A field that was
    left empty gives None: the canasta is paid as an ordinary one.
    """
    prices = {
        key: _number(form, f"special_{special}_{key}", usual[f"special_{special}_{key}"])
        for key in ("pura", "impura")
    }
    return {"canasta": str(special), **prices}


def _number(form: Mapping[str, str], name: str, usual: int | None) -> int | None:
    """Read the number in a field: `usual` where the form lacks the field, None where the field may
    be empty and is. Raises FormProblem.
    """
    text = form.get(name)
    if text is None:
        return usual
    if not text.strip():
        if name in MAY_BE_EMPTY or name.startswith("special_"):
            return None
        raise FormProblem(name, Wrong.NUMBER, text)
    try:
        return int(text)
    except ValueError as error:
        raise FormProblem(name, Wrong.NUMBER, text[:20]) from error
