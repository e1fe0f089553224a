"""The rules of one match on one screen, its options included; and what to deal for the hand to come."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets import Begins, RuleSet
from engine.set_up import SetUp, set_up
from engine.tiles import full_set
from scorer_app.language import Translate, figure
from scorer_app.record import Side
from scorer_app.store import Match


@dataclass(frozen=True)
class Section:
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class DealCard:
    """What to put on the table. `beginner`: seat and side of who begins, None until the die has named the first."""

    deal: SetUp
    notes: tuple[str, ...]
    seats: tuple[tuple[str, Side], ...]
    beginner: int | None


def rules_card(rules: RuleSet, say: Translate) -> list[Section]:
    """Sections of short sentences, all worked out from the rules in force."""
    parts = {"tiles": _tiles, "melds": _melds, "canastas": _canastas, "turn": _turn, "closing": _closing, "count": _count}
    return [Section(say(f"card.{name}"), tuple(lines(rules, say))) for name, lines in parts.items()]


def deal_card(match: Match, rules: RuleSet, hands_played: int, say: Translate) -> DealCard:
    """For the next hand: the right to begin passes to the left with every hand."""
    deal = set_up(rules)
    notes = [] if deal.adds_up else [say("deal.does_not_add_up", printed=deal.printed_stock or 0, real=deal.stock)]
    if rules.begins is Begins.DEAL_PASSES:
        notes.append(say("deal.first_discard"))
    seats = tuple((_seat_name(match, seat, say), _seat_side(seat)) for seat in range(rules.players))
    first = match.first_player
    return DealCard(deal, tuple(notes), seats, None if first is None else (first + hands_played) % rules.players)


def _seat_name(match: Match, seat: int, say: Translate) -> str:
    given = match.player_names[seat] if seat < len(match.player_names) else ""
    return given or say("deal.player", n=seat + 1)


def _seat_side(seat: int) -> Side:
    """Partners face each other."""
    return "A" if seat % 2 == 0 else "B"


def _tiles(rules: RuleSet, say: Translate) -> list[str]:
    deal = set_up(rules)
    values = rules.tile_values
    listed: dict[int, list[int]] = {}
    for number in range(1, 14):
        listed.setdefault(values[number], []).append(number)
    worth = [f"{_range(numbers)} = {points}" for points, numbers in listed.items()]
    return [
        say("card.set", tiles=len(full_set(rules.jokers)), jokers=rules.jokers),
        say("card.deal", hand=deal.hand_size, players=rules.players, muertos=deal.muertos, size=deal.muerto_size),
        say("card.values", joker=values[0], others=", ".join(worth)),
    ]


def _range(numbers: list[int]) -> str:
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}–{numbers[-1]}"
    return "·".join(map(str, numbers))


def _melds(rules: RuleSet, say: Translate) -> list[str]:
    most = rules.wilds_per_meld
    lines = [
        say("card.escalera"),
        say("card.ace_both" if rules.ace_at_both_ends else "card.ace_one"),
        say("card.pierna") if rules.pierna_max is None else say("card.pierna_max", most=rules.pierna_max),
        say("card.wilds_any") if most is None else say("card.wilds", most=most),
        say("card.natural_two"),
        say("card.twos_yes" if rules.pierna_of_twos else "card.twos_no"),
    ]
    return [*lines, say("card.wild_moves" if rules.wild_moves_freely else "card.wild_stays")]


def _canastas(rules: RuleSet, say: Translate) -> list[str]:
    lines = [say("card.canasta")]
    lines += [f"{say(f'canasta.{name}')}: {points}" for name, points in rules.canasta_values]
    for paid in rules.special_canastas:
        prices = " / ".join(str(points) for points in (paid.pura, paid.impura) if points is not None)
        lines.append(f"{say(f'special.{paid.special}')}: {prices}")
    return lines


def _turn(rules: RuleSet, say: Translate) -> list[str]:
    tiles = rules.begins is not Begins.DEAL_PASSES
    return [
        *([say("card.first_turn")] if tiles else []),
        say("card.turn_how"),
        say("card.muerto"),
        say("card.muerto_next" if rules.begins is Begins.PASSES_LEFT else "card.muerto_both"),
        say("card.stock_end" if tiles else "card.stock_end_it"),
    ]


def _closing(rules: RuleSet, say: Translate) -> list[str]:
    needed = say("card.close_pura" if rules.close_requires else "card.close_any")
    return [needed, say("card.close_bonus", points=rules.close_bonus)]


def _count(rules: RuleSet, say: Translate) -> list[str]:
    lines = [say("card.count_how")]
    lines.append(say("card.muerto_bonus", points=rules.muerto_bonus) if rules.muerto_bonus else say("card.muerto_no_bonus"))
    lines.append(say("card.muerto_penalty", points=rules.muerto_penalty))
    if not rules.muerto_penalty_if_nobody:
        lines.append(say("card.muerto_nobody"))
    if rules.muerto_unplayed_penalty:
        lines.append(say("card.muerto_unplayed", points=rules.muerto_unplayed_penalty))
    if rules.all_against_without_canasta:
        lines.append(say("card.all_against"))
    if rules.void_without_canasta:
        lines.append(say("card.void"))
    return [*lines, say("card.target", target=figure(rules.target, say))]
