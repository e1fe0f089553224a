"""Cards to read at the table: the rules of a match, and what to deal for the next hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.pieces import Pieces
from engine.rulesets import Begins, RuleSet, Special, SpecialCanasta
from engine.set_up import SetUp, set_up
from engine.sides import SideName
from engine.tiles import JOKER
from scorer_app.store import Match
from scorer_app.texts.faces import rank_printed
from scorer_app.texts.translator import Translate, figure
from scorer_app.texts.verdicts import needed_to_close


@dataclass(frozen=True)
class RulesCard:
    """The rules of a match on one screen: the values of tiles, all other points, and sentences
    about the play. Each entry has a heading and what stands under it.
    """

    values: tuple[tuple[str, int], ...]
    points: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DealCard:
    """What to deal for a hand.

    `notes` are sentences about the deal, and `turns` tells who begins the first hand and the next
    ones. `seats` holds, for each seat, the player's name, the side,
    and what the dice showed, empty where none were thrown for this hand. `beginner` is the seat
    that begins, counted from 0; None where it is not known who begins.
    """

    deal: SetUp
    notes: tuple[str, ...]
    turns: str
    seats: tuple[tuple[str, SideName, tuple[int, ...]], ...]
    beginner: int | None

    @property
    def dealer(self) -> int | None:
        """The seat whose player deals, counted from 0: the one to the right of the seat that
        begins. None where it is not known which seat begins.
        """
        return None if self.beginner is None else (self.beginner - 1) % self.deal.players


def rules_card(rules: RuleSet, say: Translate, pieces: Pieces) -> RulesCard:
    """Make the card of rules, with a sentence for every rule in force."""
    return RulesCard(
        tuple(_values(rules, say, pieces)), tuple(_points(rules, say)), tuple(_rules(rules, say))
    )


def deal_card(match: Match, rules: RuleSet, hands_played: int, say: Translate) -> DealCard:
    """Make the card to read at the table that tells what to deal after `hands_played` hands. The
    turn to begin passes to the left with every hand.
    """
    deal = set_up(rules)
    notes = []
    if not deal.adds_up:
        notes.append(say("deal.does_not_add_up", printed=deal.printed_stock or 0, real=deal.stock))
    turns = say("deal.passes_left")
    if rules.begins is Begins.DEAL_PASSES:
        notes.append(say("deal.first_discard", left=max(0, deal.stock - 1)))
        turns = say("deal.by_lot")
    thrown = match.throws if hands_played == 0 and match.throws else []
    dice = [*thrown, *[[]] * rules.players]
    seats = tuple(
        (_seat_name(match, seat, say), _seat_side(seat), tuple(dice[seat]))
        for seat in range(rules.players)
    )
    first = match.first_player
    beginner = None if first is None else (first + hands_played) % rules.players
    return DealCard(deal, tuple(notes), turns, seats, beginner)


def _seat_name(match: Match, seat: int, say: Translate) -> str:
    given = match.player_names[seat] if seat < len(match.player_names) else ""
    return given or say("deal.player", n=seat + 1)


def _seat_side(seat: int) -> SideName:
    """Return the side of a seat: A for the seats 0 and 2, B for 1 and 3, so that partners face each
    other.
    """
    return "A" if seat % 2 == 0 else "B"


def _values(rules: RuleSet, say: Translate, pieces: Pieces) -> Iterator[tuple[str, int]]:
    listed: dict[int, list[int]] = {}
    for number in range(1, 14):
        listed.setdefault(rules.tile_values[number], []).append(number)
    yield say("card.joker"), rules.tile_values[0]
    for points, numbers in listed.items():
        yield _range(numbers, pieces), points


def _range(numbers: list[int], pieces: Pieces) -> str:
    ranks = [rank_printed(number, pieces) for number in numbers]
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{ranks[0]}–{ranks[-1]}"
    return "·".join(ranks)


def _points(rules: RuleSet, say: Translate) -> Iterator[tuple[str, str]]:
    for name, points in rules.canasta_values:
        yield say(f"canasta.{name}"), figure(points, say)
    for paid in rules.special_canastas:
        yield say(f"special.{paid.special}"), _prices(paid, say)
    yield say("card.close_points"), figure(rules.close_bonus, say)
    if rules.muerto_bonus:
        yield say("card.muerto_bonus"), figure(rules.muerto_bonus, say)
    if rules.muerto_penalty:
        yield say("card.muerto_penalty"), f"−{figure(rules.muerto_penalty, say)}"
    if rules.muerto_unplayed_penalty:
        yield say("card.muerto_unplayed"), f"−{figure(rules.muerto_unplayed_penalty, say)}"


def _prices(paid: SpecialCanasta, say: Translate) -> str:
    """Return the prices of a special canasta without and with a wild, as one text such as
    "500/250". Two equal prices are written once. Where the rules set no price, the text says that
    it is the usual one.
    """
    prices = (paid.pura, paid.impura)
    told = (say("form.usual_price") if one is None else figure(one, say) for one in prices)
    return "/".join(dict.fromkeys(told))


def _rules(rules: RuleSet, say: Translate) -> Iterator[tuple[str, str]]:
    yield from _of_the_deal(rules, say)
    yield from _of_melds(rules, say)
    yield from _of_play(rules, say)
    yield from _of_the_count(rules, say)


def _of_the_deal(rules: RuleSet, say: Translate) -> Iterator[tuple[str, str]]:
    deal = set_up(rules)
    size = {
        "players": rules.players,
        "hand": deal.hand_size,
        "muertos": deal.muertos,
        "size": deal.muerto_size,
    }
    yield (
        say("card.deal"),
        say("card.set", tiles=rules.set_size, jokers=rules.copies(JOKER), **size),
    )


def _of_melds(rules: RuleSet, say: Translate) -> Iterator[tuple[str, str]]:
    most, longest = rules.wilds_per_meld, rules.pierna_max
    ace = "ace_both" if rules.ace_at_both_ends else "ace_one"
    yield say("meld.escalera"), _all(say, "escalera", ace)
    lengths = {None: "card.pierna", 3: "card.pierna_three"}
    pierna = say(lengths.get(longest, "card.pierna_max"), most=longest)
    may_be_of_twos = rules.pierna_of_twos or rules.special(Special.WILDS)
    twos = say("card.twos_yes" if may_be_of_twos else "card.twos_no")
    yield say("meld.pierna"), f"{pierna} {twos}"
    wilds = say("card.wilds_any") if most is None else say("card.wilds_most", most=most)
    moves = "wild_moves" if rules.wild_moves_freely else "wild_stays"
    yield say("card.wilds"), f"{wilds} {_all(say, 'natural_two', moves)}"
    yield say("card.canasta"), _all(say, "canasta_how", "semipulito" if rules.italian else "")


def _of_play(rules: RuleSet, say: Translate) -> Iterator[tuple[str, str]]:
    by_number = rules.begins is Begins.DEAL_PASSES
    yield say("card.turn"), _all(say, "turn_how", "" if by_number else "first_turn")
    muerto = "card.muerto_next" if rules.begins is Begins.PASSES_LEFT else "card.muerto_both"
    yield say("card.muerto"), say(muerto)
    yield say("card.close"), say("card.close_how", canasta=needed_to_close(rules, say))
    stock = "stock_end_it" if by_number else "stock_end"
    yield say("card.end"), _all(say, stock, "void" if rules.void_without_canasta else "")


def _of_the_count(rules: RuleSet, say: Translate) -> Iterator[tuple[str, str]]:
    against = "all_against" if rules.all_against_without_canasta else ""
    nobody = "" if rules.muerto_penalty_if_nobody else "muerto_nobody"
    yield say("card.count"), _all(say, "count_how", against, nobody)
    yield say("card.wins"), say("card.target", target=figure(rules.target, say))


def _all(say: Translate, *names: str) -> str:
    """Look up with `say` the sentences that the texts have under `card.NAME`, for each NAME of
    `names`, and join them into one text. Empty names are left out.
    """
    return " ".join(say(f"card.{name}") for name in names if name)
