"""Sentences about the engine's verdicts: the reason with the tiles that it is about, then the
smallest fix.

`pieces` says what people play with: a sentence names a card as `JH`, the jack of hearts, and a tile
in the engine's notation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.changes import ChangeVerdict
from engine.concerned import tiles_concerned
from engine.fixes import Fix, FixAction
from engine.inventory import too_many_copies
from engine.melds import Meld
from engine.pieces import Pieces, piece_names
from engine.reasons import Notice, Reason
from engine.rulesets import RuleSet
from engine.scoring import HandNotice, HandScore
from engine.tiles import Tile, Tiles
from scorer_app.texts.languages import DEFAULT, Language
from scorer_app.texts.translator import Translate, translator


def reason_text(
    reason: Reason,
    tiles: Iterable[Tile],
    language: Language = DEFAULT,
    pieces: Pieces = Pieces.TILES,
) -> str:
    """Return a sentence that says why a meld, a change or a closing is invalid, naming `tiles`."""
    return translator(language, pieces)(f"reason.{reason}", tiles=piece_names(tiles, pieces) or "-")


def illegal_meld_text(
    reason: Reason,
    row: Tiles,
    rules: RuleSet,
    language: Language = DEFAULT,
    pieces: Pieces = Pieces.TILES,
    sure: Collection[Tile] = (),
) -> str:
    """Return a sentence that says why `row` is no legal meld, naming the tiles that the `reason` is
    about. `sure` are tiles that a person has confirmed: where the reason may as well be about other
    tiles, those are named of which fewest are among `sure`.

    The reason TOO_MANY_COPIES has two sentences: one for more equal tiles than a set has, and one
    for a pierna with more tiles than the table allows.
    """
    if reason is Reason.TOO_MANY_COPIES and not too_many_copies(row, rules):
        say = translator(language, pieces)
        tiles = piece_names(row, pieces)
        return say("verdict.pierna_too_long", most=rules.pierna_max, tiles=tiles)
    return reason_text(reason, tiles_concerned(row, reason, rules, sure), language, pieces)


def notice_text(
    notice: Notice,
    tiles: Iterable[Tile],
    language: Language = DEFAULT,
    pieces: Pieces = Pieces.TILES,
) -> str:
    """Return a sentence that names `tiles` and says what people should know about them, although
    nothing is illegal.
    """
    return translator(language, pieces)(f"notice.{notice}", tiles=piece_names(tiles, pieces))


def fix_text(fix: Fix, language: Language = DEFAULT, pieces: Pieces = Pieces.TILES) -> str:
    """Return a sentence that names the smallest change that makes a meld or a change legal."""
    say = translator(language, pieces)
    tiles, row = piece_names(fix.tiles, pieces), piece_names(fix.row, pieces)
    if fix.action is FixAction.TAKE_BACK and not fix.row:
        return say("fix.must_take_back", tiles=tiles)
    if not fix.order_matters:
        return say(f"fix.{fix.action}", tiles=tiles, row=row)
    if fix.action is FixAction.ADD:
        return say("verdict.add_in_order", tiles=tiles, row=row)
    return say("verdict.take_back_in_order", tiles=tiles, row=row)


def explain_meld(
    meld: Meld,
    rules: RuleSet,
    language: Language = DEFAULT,
    fix: Fix | None = None,
    pieces: Pieces = Pieces.TILES,
    sure: Collection[Tile] = (),
) -> str:
    """Return sentences that say what a legal meld is, with its notices, or why a meld is illegal
    and how `fix` mends it, if `fix` is given. `sure` are tiles that a person has confirmed.
    """
    if meld.reason:
        reason = illegal_meld_text(meld.reason, meld.tiles, rules, language, pieces, sure)
        return f"{reason} {fix_text(fix, language, pieces)}" if fix and fix.tiles else reason
    tiles = meld.better or meld.tiles
    notices = [notice_text(notice, tiles, language, pieces) for notice in meld.notices]
    return " ".join([_legal_meld(meld, language), *notices])


def _legal_meld(meld: Meld, language: Language) -> str:
    say = translator(language)
    kind = say(f"verdict.{meld.kind}")
    if meld.canasta_class is None:
        return say("verdict.meld", kind=kind, points=meld.points)
    canasta = say(f"canasta.{meld.canasta_class}")
    return say("verdict.canasta", kind=kind, canasta=canasta, points=meld.points)


def explain_change(verdict: ChangeVerdict, rules: RuleSet, language: Language = DEFAULT) -> str:
    """Return sentences that say why a change is illegal and how to mend it, or, for a legal change,
    what the changed melds are now.
    """
    if verdict.reason is None:
        return " ".join(explain_meld(meld, rules, language) for meld in verdict.melds)
    rule, fix = split_change(verdict, rules, language)
    return f"{rule} {fix}" if fix else rule


def split_change(
    verdict: ChangeVerdict, rules: RuleSet, language: Language = DEFAULT
) -> tuple[str, str | None]:
    """Return two sentences: why a change is illegal, and how to mend it. The second is None where
    no fix is known.

    Raises ValueError for a legal change.
    """
    if verdict.reason is None:
        raise ValueError("expected an illegal change, got a legal one")
    fix = verdict.fix if verdict.fix and verdict.fix.tiles else None
    if verdict.melds:
        rule = illegal_meld_text(verdict.reason, verdict.tiles, rules, language)
    else:
        rule = reason_text(verdict.reason, verdict.tiles, language)
    return rule, fix_text(fix, language) if fix else None


def explain_notice(
    notice: HandNotice, language: Language = DEFAULT, pieces: Pieces = Pieces.TILES
) -> str:
    """Return a sentence about one notice that the engine gives with the score of a hand."""
    better = notice.meld.better if notice.meld else None
    return notice_text(notice.notice, better or notice.tiles, language, pieces)


def explain_closing(
    reason: Reason,
    racks: tuple[Tiles, ...],
    rules: RuleSet,
    language: Language = DEFAULT,
    pieces: Pieces = Pieces.TILES,
) -> str:
    """Return a sentence that says why a closing is invalid. `racks` holds the tiles that each
    player of the closing side has left.
    """
    if reason is Reason.NO_CANASTA:
        say = translator(language, pieces)
        return say(f"reason.{reason}", canasta=needed_to_close(rules, say))
    return reason_text(reason, [tile for rack in racks for tile in rack], language, pieces)


def needed_to_close(rules: RuleSet, say: Translate) -> str:
    """Return the canasta that a closing needs, in the words of the ruleset: Italian rules speak of
    a burraco.
    """
    words = ("burraco", "pulito") if rules.italian else ("canasta", "pura")
    return say(f"form.close_{words[rules.close_requires is not None]}")


def explain_totals(score: HandScore, language: Language = DEFAULT) -> str:
    """Return the totals of both sides as text, such as `A 440 · B -160`; for a void hand, a
    sentence that says that it counts for neither side. The text is empty where the closing is
    invalid, since no side has a total then.
    """
    if score.void:
        return translator(language)("verdict.void")
    return " · ".join(f"{side} {lines.total}" for side, lines in score.sides.items())
