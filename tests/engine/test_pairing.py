"""Which meld before a change is paired with which one after it, where several answers are
possible.
"""

from __future__ import annotations

from engine import tiles
from engine.pairing import pair_melds


def test_a_meld_that_only_grew_goes_before_one_that_shares_more_tiles() -> None:
    short, long = tiles("3R 4R 5R"), tiles("4R 5R 6R 7R 8R")
    grown, rest = tiles("3R 4R 5R 6R 7R"), tiles("8R 9R 10R")
    for before in ([short, long], [long, short]):
        for after in ([grown, rest], [rest, grown]):
            pairing = pair_melds(before, after)
            assert pairing.kept == ((short, grown), (long, rest))
            assert (pairing.new, pairing.gone) == ((), ())
