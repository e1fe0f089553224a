"""Kinds of pieces: what differs between tiles and playing cards, so that the same stages read both.

A kind is declared as data, but not all that differs stands here: other modules ask whether pieces
are tiles or cards, and know no third kind. CONTRIBUTING.md, "A further kind of pieces", lists what
a third one needs. `LOW_TILES`, `RACK_TILES` and `ODD_TILES` are no further kinds of pieces: they
are tiles, found or read by other networks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from engine.pieces import Pieces
from engine.rulesets import RuleSet
from vision.decoding import DecodingConfig
from vision.doubts import DoubtConfig


@dataclass(frozen=True)
class Kind:
    """What the stages need to know of a kind of pieces: its networks, its limits of doubt, and the
    rules that it is played by.
    """

    pieces: Pieces
    detector: str  # name of the detector's network in the manifest
    reader: str  # name of the reader's network there
    # How pieces are found that the camera sees from low above the table, and how those on racks
    # are. None: as all others are.
    low_views: Kind | None
    on_racks: Kind | None
    finds: str  # what the detector was trained to find, as its metadata tell
    # Whether the detector tells the outline of the whole piece beside the face: several faces may
    # then belong to one piece, as both corners of a card do.
    tells_outline: bool
    # Short side of faces, in pixels of the detector's input. With a median below `small_face` the
    # detector looks at the picture in enlarged quarters; with three of four below `tiny_face` it
    # does so even where the picture has no more detail than that input.
    small_face: float
    tiny_face: float
    # Two finds that overlap by more than usual, up to this share of the smaller one, may be two
    # faces all the same. None: they are one.
    overlap_of_two: float | None
    # Whether faces near one another are about equally large, so that one of other size is doubtful.
    faces_alike: bool
    doubts: DoubtConfig
    decoding: DecodingConfig
    rules: str  # the ruleset that is meant where none is named
    jokers: int | None  # in the set; None: as many as the ruleset says

    def inventory(self, rules: RuleSet) -> RuleSet:
        """Return the rules with as many jokers as the sets of this kind have."""
        return rules if self.jokers is None else replace(rules, jokers=self.jokers)


# Tiles that the camera sees from low above the table. The network that finds them was trained on
# more of such tables. It takes more figures of printed cloths for tiles, so that in other views the
# usual one is better (experiments 136 and 138 of models/EXPERIMENTS.md).
LOW_TILES = Kind(
    pieces=Pieces.TILES,
    detector="low_detector",
    reader="reader",
    low_views=None,
    on_racks=None,
    finds="tile face",
    tells_outline=False,
    small_face=30.0,
    # On nine seeds of rendered tables 26 px reads more tiles of hard ones and asks more on ordinary
    # ones (experiment 101 of models/EXPERIMENTS.md).
    tiny_face=22.0,
    overlap_of_two=None,
    faces_alike=True,
    doubts=DoubtConfig(),
    decoding=DecodingConfig(),
    rules="burako",
    jokers=None,
)

# Tiles on racks. The network that finds them was trained on more of these (experiments 192 and 193
# of models/EXPERIMENTS.md).
RACK_TILES = replace(LOW_TILES, detector="rack_detector")

TILES = replace(LOW_TILES, detector="detector", low_views=LOW_TILES, on_racks=RACK_TILES)

CARDS = Kind(
    pieces=Pieces.CARDS,
    detector="card_detector",
    reader="card_reader",
    low_views=None,
    on_racks=None,
    finds="index of a card",
    tells_outline=True,
    # Faces with a short side below this are looked at again in enlarged quarters. On 145 rendered
    # photographs that costs 0.4 s of 12 MP; without it 6 more of 416 cards with indices of 13-16 px
    # were missed, and 5 more of 569 with 16-20 px.
    small_face=13.5,
    tiny_face=0.0,  # never: it was not tried on cards
    overlap_of_two=0.65,  # see `vision.cards.overlapping`
    faces_alike=False,
    doubts=DoubtConfig(
        tile=0.42,
        odd_tile=0.42,
        surely_a_tile=0.65,
        faint_in_line=0.25,
        unsure=0.985,
        unsure_in_row=0.985,  # as `unsure`: lower ones were not tried on cards
        unsure_if_needed=0.985,
        unsure_wild=0.985,
        faint=0.50,
        # Figures of a cloth or a calculator look like the marks of jollies, which differ from pack
        # to pack. On 480 rendered hands seven jollies in no column were told with less than
        # `unsure`, and none was one. Of the 637 told without a doubt three were no cards: with this
        # limit two of these and one of the 634 others are in doubt.
        comodin=0.999,
        comodin_score=0.6,
        sure_in_row=None,  # it was not tried on cards
        # Neither limit was tried on cards: these values switch both off.
        dark_body=0.0,
        small_if_hard=DoubtConfig.small,
    ),
    # Suits are mistaken more often than colours of tiles. On 340 rendered hands of 12,879 cards,
    # with the networks of experiment 95 of models/EXPERIMENTS.md, a `legal_bonus` of 6.5 reads 10
    # cards and one hand more than one of 5, and one of 4 reads 13 cards fewer; 6 was not compared
    # by itself. On 220 hands of 8,301 cards, with earlier networks, a `further_bonus` of 2 reads 21
    # cards and 3 hands more than none. On 1,020 hands one card of melds in 34 is a 2 in the place
    # of another, of any of four suits: that makes each such face some 4.9 nats less likely than the
    # number that is lacking. A row in which one card was missed has six legal readings, and one in
    # which two were has more than eight.
    decoding=DecodingConfig(
        legal_bonus=6.0, further_bonus=2.0, per_unseen_two=4.5, max_readings=16
    ),
    rules="burraco_it",
    jokers=4,
)

# Tiles of taught sets that the usual reader cannot read by itself, such as those of odd inks, or
# with a mark alone for a colour. The networks for them were trained on more of such sets. They take
# more figures of printed cloths for tiles, and need a set's examples to leave those out (experiment
# 127 of models/EXPERIMENTS.md).
ODD_TILES = replace(LOW_TILES, detector="odd_detector", reader="odd_reader")

KINDS = MappingProxyType({kind.pieces: kind for kind in (TILES, CARDS)})
