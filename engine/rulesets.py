"""The published rulesets as declarations. CONTRIBUTING.md tells what a further one needs.

Sources: "Buracco, reglamento de juego", "BURACO" and "Reglamento de Burako" (Argentina), "Come si
gioca a Burraco" with the FIBUR values (Italy), and pagat.com's "Burako". RULES.md, "Side by side",
compares them; that document is no part of the repository.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from engine.checks import Trouble, WrongValue, shown
from engine.tiles import COPIES, FACES, Tile

MINIMUM_MELD = 3  # tiles
CANASTA_SIZE = 7  # tiles, at least
LOW_ACE, HIGH_ACE = 1, 14  # the two places of the 1 in a run: below the 2, above the 13


class Canasta(StrEnum):
    """The class of a canasta: pura without a wild, impura with one wild or more."""

    PURA = "pura"
    IMPURA = "impura"


class Burraco(StrEnum):
    """The Italian class of a canasta: pulito without a wild, semipulito with one wild beside at
    least seven naturals, sporco otherwise.
    """

    PULITO = "pulito"
    SEMIPULITO = "semipulito"
    SPORCO = "sporco"


class Special(StrEnum):
    """Canastas that some tables pay with points of their own."""

    WILDS = "wilds"  # 2s and comodines alone; such melds are legal where the table pays them
    ONES = "ones"  # a pierna of 1s
    ONE_TO_THIRTEEN = "one_to_thirteen"  # a run from 1 to 13
    ONE_TO_ONE = "one_to_one"  # a run with a 1 at both ends


class Begins(StrEnum):
    """Who begins a hand."""

    DIE = "die"  # the player whom the throw of a die chooses
    MANO = "mano"  # the player called "mano"
    DEAL_PASSES = "deal_passes"  # the dealer is chosen by lot, then the deal passes on
    PASSES_LEFT = "passes_left"  # anyone at first, then the right passes to the left


@dataclass(frozen=True, slots=True)
class SpecialCanasta:
    """What a table pays for a special canasta, in points.

    `pura` is the price without a wild, `impura` with one; for `Special.WILDS`, a canasta of wilds
    alone, they are the prices without and with a comodín. Where the price is None, the canasta is
    paid as an ordinary one.
    """

    special: Special
    pura: int | None
    impura: int | None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All rules and figures in which tables differ.

    Points are positive numbers, also where they count against a side. Sizes are counts of tiles.
    """

    id: str
    title: str  # of the published text
    target: int  # points at which a match ends
    jokers: int = 2  # comodines in the set
    hand_size_four: int = 11  # of each of four players
    hand_size_two: tuple[int, ...] = (12,)  # of each of two players; the first is the usual one
    players: int = 4
    hand_size: int | None = None  # as agreed at the table; None: by the number of players
    # Piles of ten tiles in the stock by the ruleset's text; None: the text says "the rest".
    printed_piles: int | None = None
    begins: Begins = Begins.DIE
    # Points of the comodín, then of the numbers 1 to 13.
    tile_values: tuple[int, ...] = (50, 15, 20, *(5,) * 5, *(10,) * 6)
    wilds_per_meld: int | None = 1  # None: no limit
    pierna_max: int | None = None  # tiles; None: no limit
    pierna_of_twos: bool = True  # whether it is legal
    ace_at_both_ends: bool = True  # whether a run may have a 1 at both ends
    wild_moves_freely: bool = True  # inside its meld, also where no natural takes its place
    # Points of each class of canasta.
    canasta_values: tuple[tuple[Canasta | Burraco, int], ...] = (
        (Canasta.PURA, 200),
        (Canasta.IMPURA, 100),
    )
    special_canastas: tuple[SpecialCanasta, ...] = ()
    muerto_bonus: int = 100  # points for taking a muerto
    muerto_penalty: int = 100  # points against a side that took none
    muerto_penalty_if_nobody: bool = True  # also where neither side took one
    muerto_unplayed_penalty: int = 0  # points against a side that took one and played none of it
    close_bonus: int = 100  # points for closing
    close_requires: Canasta | None = None  # None: any canasta will do
    # Laid tiles count against a side that has no canasta and did not close.
    all_against_without_canasta: bool = False
    # A hand counts for neither side if the stock runs out and neither has a canasta.
    void_without_canasta: bool = False
    # Tiles of which the set on the table has lost or gained copies, each with how many there are.
    other_copies: tuple[tuple[Tile, int], ...] = ()

    @property
    def italian(self) -> bool:
        """Whether canastas are classed in the Italian way: burraco pulito, semipulito or sporco."""
        return isinstance(self.canasta_values[0][0], Burraco)

    def points(self, tiles: Iterable[Tile]) -> int:
        """Add up the printed values of tiles, in points; a wild counts its own value.

        >>> from engine import tiles
        >>> ruleset("burako").points(tiles("1R 2R 3R 8R J"))
        100
        """
        values = self.tile_values
        return sum([values[tile.number or 0] for tile in tiles])

    def copies(self, tile: Tile) -> int:
        """Return how many copies of this tile the set holds."""
        for other, count in self.other_copies:
            if other == tile:
                return count
        return self.jokers if tile.joker else COPIES

    @property
    def set_size(self) -> int:
        """How many tiles the set has, without those that it has lost and with those gained."""
        return sum(self.copies(tile) for tile in FACES)

    def wild_limit(self, size: int) -> int:
        """Return how many tiles may act as wild in a meld of `size` tiles. Without a limit these
        are all of them.
        """
        return size if self.wilds_per_meld is None else self.wilds_per_meld

    def special(self, special: Special) -> SpecialCanasta | None:
        """Return what these rules pay for a special canasta; None where they set no price."""
        for entry in self.special_canastas:
            if entry.special is special:
                return entry
        return None


BURACCO = RuleSet(
    id="buracco",
    title="Buracco, reglamento de juego",
    target=2000,
    printed_piles=5,
    all_against_without_canasta=True,
)
BURACO = RuleSet(id="buraco", title="BURACO", target=2000, hand_size_four=6, printed_piles=6)
BURAKO = RuleSet(
    id="burako",
    title="Reglamento de Burako",
    target=3000,
    hand_size_two=(12, 15),
    begins=Begins.MANO,
    void_without_canasta=True,
)
BURRACO_IT = RuleSet(
    id="burraco_it",
    title="Come si gioca a Burraco (FIBUR)",
    target=2005,
    jokers=4,
    hand_size_two=(11,),
    begins=Begins.DEAL_PASSES,
    tile_values=(30, *BURAKO.tile_values[1:]),
    pierna_of_twos=False,
    ace_at_both_ends=False,
    wild_moves_freely=False,
    canasta_values=((Burraco.PULITO, 200), (Burraco.SEMIPULITO, 150), (Burraco.SPORCO, 100)),
    muerto_bonus=0,
)
PAGAT = RuleSet(
    id="pagat",
    title="Burako (pagat.com)",
    target=3000,
    hand_size_two=(12, 15),
    printed_piles=4,
    begins=Begins.PASSES_LEFT,
    pierna_of_twos=False,
    muerto_bonus=0,
    void_without_canasta=True,
)

RULESETS: Mapping[str, RuleSet] = MappingProxyType(
    {rules.id: rules for rules in (BURACCO, BURACO, BURAKO, BURRACO_IT, PAGAT)}
)


def ruleset(name: str) -> RuleSet:
    """Find a ruleset by its id.

    Raises ValueError, naming those that exist, for any other id.

    >>> ruleset("burraco_it").target
    2005
    """
    try:
        return RULESETS[name]
    except (KeyError, TypeError):
        choices, got = ", ".join(RULESETS), shown(name)
        sentence = f"expected a ruleset, one of {choices}, got {got}"
        raise WrongValue(Trouble.UNKNOWN_RULESET, sentence, choices=choices, got=got) from None
