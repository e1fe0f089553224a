"""The rules of Burako: tiles, melds, changes on the table, scoring. Standard library only."""

from engine.arrangements import Arrangement, Kind
from engine.inventory import too_many_copies
from engine.melds import Meld, judge_meld
from engine.reasons import Notice, Reason
from engine.rulesets import RULESETS, Burraco, Canasta, RuleSet, ruleset
from engine.tiles import COLOURS, FACE_INDEX, FACES, JOKER, Colour, Tile, full_set, notation, tiles

__all__ = [
    "COLOURS",
    "FACES",
    "FACE_INDEX",
    "JOKER",
    "RULESETS",
    "Arrangement",
    "Burraco",
    "Canasta",
    "Colour",
    "Kind",
    "Meld",
    "Notice",
    "Reason",
    "RuleSet",
    "Tile",
    "full_set",
    "judge_meld",
    "notation",
    "ruleset",
    "tiles",
    "too_many_copies",
]
