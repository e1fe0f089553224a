"""Advice on an illegal row that was read from a photograph: the reader may have made the mistake,
and not the players.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.concerned import tiles_concerned
from engine.fixes import Fix, FixAction, fix_meld
from engine.melds import Meld, is_meld
from engine.pieces import Pieces, piece_name, piece_names
from engine.reasons import Reason
from engine.tiles import Tile
from scorer_app.hand.record import Record, Row
from scorer_app.hand.repairs import ALL_FACES, Repair, RepairKind
from scorer_app.hand.table_rules import TableRules
from scorer_app.texts.languages import Language
from scorer_app.texts.translator import Translate
from scorer_app.texts.verdicts import explain_meld

_FEW = 2  # most tiles that a person is asked to look at


@dataclass(frozen=True)
class Known:
    """What is known of the tiles of a row. `sure` are the faces that a person has said, of all
    tiles that have them, and `doubted` those that the reader doubts.
    """

    sure: frozenset[Tile] = frozenset()
    doubted: frozenset[Tile] = frozenset()

    @classmethod
    def of(cls, record: Record, row: Row) -> Known:
        tiles = [record.tiles[name] for name in row.tiles]
        faces = {tile.id: Tile.parse(tile.face) for tile in tiles if tile.face}
        unsaid = {faces.get(tile.id) for tile in tiles if not tile.confirmed}
        doubted = {faces[tile.id] for tile in tiles if tile.face and not tile.is_sure}
        return cls(frozenset(faces.values()) - unsaid, frozenset(doubted))


def explain_read(
    meld: Meld,
    ordered: bool,
    rules: TableRules,
    language: Language,
    say: Translate,
    known: Known = Known(),
) -> str:
    """Return sentences that say why a row read from a photograph is illegal, and what to look for:
    two melds that were read as one row, tiles that may be misread, or a tile that is missing. If
    `ordered`, the row is judged as it lies, otherwise in any order. Nobody is asked to look at a
    tile that is `known` to be sure where one that is not stands in the way, or is in doubt and
    might have a face that makes the row legal.

    Where the tiles make a legal meld in another order, the sentences give that order instead.
    """
    fix = fix_meld(meld, rules.rules, ordered=ordered)
    if fix.action is FixAction.REARRANGE:
        return explain_meld(meld, rules.rules, language, fix, rules.pieces)
    reason = explain_meld(meld, rules.rules, language, pieces=rules.pieces, sure=known.sure)
    if rules.split_at([str(tile) for tile in meld.tiles], ordered) is not None:
        return f"{reason} {say('advice.split')}"
    suspects = _suspects(meld, fix, rules, known.sure)
    unsure = [tile for tile in suspects if tile not in known.sure]
    if suspects and not unsure:
        unsure = _others_to_look_at(meld, ordered, rules, known)
    suspects = unsure or suspects
    if suspects:
        return f"{reason} {say('advice.look', tiles=piece_names(suspects, rules.pieces))}"
    return f"{reason} {say('advice.seek')}"


def repair_text(
    repair: Repair, record: Record, row: Row, say: Translate, pieces: Pieces = Pieces.TILES
) -> str:
    """Return one sentence that says what a repair of a row does. Tiles are named as `7R`, cards as
    `JH`, which is the jack of hearts.
    """

    def name(face: str | None) -> str | None:
        return face and piece_name(Tile.parse(face), pieces)

    tile = record.tiles[repair.tile].face if repair.tile else None
    other = record.faces(record.row(repair.row)) if repair.row else record.faces(row)
    values = {
        "tile": name(tile),
        "face": name(getattr(repair.edit, "face", None)),
        "tiles": " ".join(name(face) or "?" for face in other),
    }
    if repair.kind is RepairKind.READ and tile is None:
        return say("repair.unread", **values)
    return say(f"repair.{repair.kind}", **values)


def _others_to_look_at(meld: Meld, ordered: bool, rules: TableRules, known: Known) -> list[Tile]:
    """Return the tiles of an illegal meld that may be misread and are not `known` to be sure: those
    that have to go so that the rest is legal or, if that does not help, those in doubt of which
    each makes the meld legal once it has another face. Empty where they are more than a person
    should be asked to look at.
    """
    unsure = [tile for tile in meld.tiles if tile not in known.sure]
    fix = fix_meld(meld, rules.rules, ordered=ordered, removable=unsure)
    helps = fix.action is FixAction.TAKE_BACK and is_meld(fix.row, rules.rules)
    if helps and len(fix.tiles) <= _FEW:
        return list(fix.tiles)
    others = [
        tile
        for at, tile in enumerate(meld.tiles)
        if tile in unsure and tile in known.doubted and _mends(meld, at, ordered, rules)
    ]
    return others if len(others) <= _FEW else []


def _mends(meld: Meld, at: int, ordered: bool, rules: TableRules) -> bool:
    """Tell whether an illegal meld is legal once its tile at the index `at` has another face."""
    faces = [str(tile) for tile in meld.tiles]
    return any(rules.legal([*faces[:at], face, *faces[at + 1 :]], ordered) for face in ALL_FACES)


def _suspects(meld: Meld, fix: Fix, rules: TableRules, sure: Collection[Tile]) -> Sequence[Tile]:
    """Return the tiles of an illegal meld that may be misread. `fix` is the smallest change that
    makes the meld legal. Empty where more tiles are suspect than a person should be asked to look
    at, or where a tile seems to be missing.
    """
    if meld.reason in (None, Reason.GAP, Reason.TOO_SHORT):
        return ()
    few = fix.action is FixAction.TAKE_BACK and len(fix.tiles) <= _FEW
    suspects = fix.tiles if few else tiles_concerned(meld.tiles, meld.reason, rules.rules, sure)
    return suspects if len(suspects) <= _FEW else ()
