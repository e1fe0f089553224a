"""The rules of Burako: tiles, melds, changes on the table, scoring. Standard library only."""

from engine.arrangements import Arrangement, Kind
from engine.changes import Change, ChangeVerdict, judge_change
from engine.fixes import Fix, FixAction, fix_meld
from engine.inventory import too_many_copies
from engine.match import Tally, tally
from engine.melds import Meld, judge_meld
from engine.options import OPTIONS, with_options
from engine.readings import Reading, Readings, best_readings
from engine.reasons import Notice, Reason
from engine.rulesets import RULESETS, Burraco, Canasta, RuleSet, ruleset
from engine.scoring import (
    HandNotice,
    HandScore,
    IllegalMeld,
    Line,
    LineKind,
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
    Row,
    Tile,
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
    "Change",
    "ChangeVerdict",
    "Colour",
    "Fix",
    "FixAction",
    "HandNotice",
    "HandScore",
    "IllegalMeld",
    "Kind",
    "Line",
    "LineKind",
    "Meld",
    "Notice",
    "Reading",
    "Readings",
    "Reason",
    "Row",
    "RuleSet",
    "SetUp",
    "Side",
    "SideName",
    "SideScore",
    "Tally",
    "Tile",
    "best_readings",
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
