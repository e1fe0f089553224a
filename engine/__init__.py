"""The rules of Burako: tiles, melds, changes on the table, scoring. Standard library only.

The docstrings cite RULES.md, the collection of Burako's rules that this package follows. It is no
part of the repository; `engine.rulesets` names its sources.

Everything that other programs need is imported from here:

>>> from engine import judge_meld, ruleset, tiles
>>> meld = judge_meld(tiles("3R 4R 5R J"), ruleset("burako"))
>>> meld.valid, meld.kind.value, meld.wilds, meld.points
(True, 'escalera', 1, 65)
>>> judge_meld(tiles("3R 4R 6R"), ruleset("burako")).reason.value
'gap'
"""

from engine.arrangements import Arrangement, Kind
from engine.candidates import Candidate, Candidates, best_candidates
from engine.changes import Change, ChangeVerdict, judge_change
from engine.fixes import Fix, FixAction, fix_meld
from engine.inventory import too_many_copies
from engine.match import Tally, tally
from engine.melds import Meld, judge_meld
from engine.options import OPTIONS, with_options
from engine.reasons import Notice, Reason
from engine.rulesets import RULESETS, Burraco, Canasta, RuleSet, ruleset
from engine.scoring import (
    HandNotice,
    HandScore,
    IllegalMeld,
    LineKind,
    ScoreLine,
    Side,
    SideScore,
    score_hand,
)
from engine.set_up import SetUp, set_up
from engine.sides import SIDES, SideName
from engine.tiles import (
    COLOURS,
    FACE_INDEX,
    FACES,
    JOKER,
    Colour,
    Tile,
    Tiles,
    full_set,
    notation,
    tiles,
)

__all__ = [
    "COLOURS",
    "FACES",
    "FACE_INDEX",
    "JOKER",
    "OPTIONS",
    "RULESETS",
    "SIDES",
    "Arrangement",
    "Burraco",
    "Canasta",
    "Candidate",
    "Candidates",
    "Change",
    "ChangeVerdict",
    "Colour",
    "Fix",
    "FixAction",
    "HandNotice",
    "HandScore",
    "IllegalMeld",
    "Kind",
    "LineKind",
    "Meld",
    "Notice",
    "Reason",
    "RuleSet",
    "ScoreLine",
    "SetUp",
    "Side",
    "SideName",
    "SideScore",
    "Tally",
    "Tile",
    "Tiles",
    "best_candidates",
    "fix_meld",
    "full_set",
    "judge_change",
    "judge_meld",
    "notation",
    "ruleset",
    "score_hand",
    "set_up",
    "tally",
    "tiles",
    "too_many_copies",
    "with_options",
]
