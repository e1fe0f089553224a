"""Values that describe a set of tiles apart from its pictures: its name, how many copies it has of
a face, and why something cannot be done with it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from engine.options import with_options
from engine.rulesets import RULESETS
from engine.tiles import COPIES
from scorer_app.hand.fields import without_controls
from vision.own_set.examples import FACE_NAMES, FaceExample, TileSet, enough_to_read

ChangedCopies = dict[str, list[int | None]]  # face -> how many before and after
NAME_LENGTH = 40
MOST_TYPED = 200  # characters of a name before accents are put together with their letters


class SetTrouble(StrEnum):
    """Why something cannot be done with a set; each has its sentence (`error.set.TROUBLE`)."""

    UNKNOWN = "unknown"  # no set has that name
    BAD_NAME = "bad_name"
    FORGOTTEN = "forgotten"  # the set that is to learn more is no longer there
    OTHER_TILES = "other_tiles"  # a photograph shows other tiles than the set has
    TAKEN = "taken"  # another set has that name
    TOO_MANY = "too_many"  # there are as many sets as there may be
    TOO_FEW = "too_few"  # it has too few faces to read with
    NO_COLOURS = "no_colours"  # a photograph is in black and white
    BLURRED = "blurred"  # all edges of a photograph are soft
    TOO_SMALL = "too_small"  # the tiles in a photograph
    NO_ROW = "no_row"  # a photograph shows no row of thirteen
    ONE_FACE = "one_face"  # a row of a photograph shows comodines alone, or one other face
    MIRRORED = "mirrored"  # a photograph is mirrored, by a telephone's front camera
    ROWS_UNSURE = "rows_unsure"  # the colours of a photograph's rows cannot be told
    OTHER_ROWS = "other_rows"  # a photograph shows another number of rows than colours were named
    ROWS_SURE = "rows_sure"  # colours named for several photographs are plainly not those of one
    NO_FILE = "no_file"  # the file cannot be read
    FILE_EXISTS = "file_exists"  # nobody has agreed that the file be replaced
    TOO_LARGE = "too_large"
    NOT_A_SET = "not_a_set"  # a file that holds something else
    BAD_NAME_IN_FILE = "bad_name_in_file"
    NEWER = "newer"  # a file that a newer version wrote
    BAD_PICTURE = "bad_picture"  # one of the file's pictures is no picture of a face
    TOO_MANY_PICTURES = "too_many_pictures"  # the file has too many pictures of one face


class SetError(Exception):
    """A set of tiles cannot be used or changed as asked. `reason` says why; `what` names what it is
    about: a set, a character of its name, a file, an entry of a file. `photo` is the index of the
    photograph that cannot teach it, among those that should; None where it is not about one.
    """

    def __init__(self, reason: SetTrouble, what: object = "", photo: int | None = None) -> None:
        super().__init__(f"{reason.value}: {what}")
        self.reason, self.what, self.photo = reason, str(what)[:200], photo


@dataclass(frozen=True)
class KeptSet:
    """A set as lists show it. `version` grows whenever its examples change. `counts` holds the
    number of examples of each face that has any, in the order of FACE_NAMES.
    """

    id: str
    name: str
    version: int
    created: datetime
    used: datetime  # when it was last taught, or chosen for a match
    counts: dict[str, int]
    learned: int  # number of examples that come from saved hands
    # How many copies the set has of each face of which it does not have the usual number.
    copies: Mapping[str, int] = field(default_factory=dict)

    @property
    def can_read(self) -> bool:
        """Whether it has enough faces to read with it."""
        return enough_to_read(self.counts)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces without an example, in the order of FACE_NAMES."""
        return tuple(face for face in FACE_NAMES if face not in self.counts)


@dataclass(frozen=True)
class ChosenSet:
    """The set that a table is read with, by its id and its version, which grows whenever its
    examples change. `load` reads its examples, which is needed only until a reader has been made
    ready for the set.
    """

    id: str
    version: int
    load: Callable[[], TileSet] = field(compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class Learned:
    """A face that a person settled in a photograph of a hand. `tile_id` is the tile's id in the
    hand's record.
    """

    photo_id: str
    tile_id: str
    example: FaceExample


def clean_name(text: str) -> str:
    """Return the name of a set with single blanks between its words.

    Raises SetError for a text that is no name. A name has up to 40 letters, digits, blanks and `-`,
    and at least one letter or digit that can be seen. The error is about the first character that
    no name may have, such as an apostrophe, or else about the whole text: where every character may
    stand in a name, and where that one could not be seen.
    """
    typed = " ".join(text.split())
    if len(typed) > MOST_TYPED:  # to normalize a long row of accents takes minutes
        raise SetError(SetTrouble.BAD_NAME, text)
    name = unicodedata.normalize("NFC", typed)
    letters = [letter for letter in name if letter not in " -"]
    refused = next((letter for letter in letters if not _is_letter_or_digit(letter)), None)
    if refused is not None:
        raise SetError(SetTrouble.BAD_NAME, refused if refused.isprintable() else text)
    if not without_controls("".join(letters)) or len(name) > NAME_LENGTH:
        raise SetError(SetTrouble.BAD_NAME, text)
    return name


def unknown_examples(
    examples: Iterable[FaceExample], known: Iterable[FaceExample]
) -> list[FaceExample]:
    """Return the examples that show other pixels than each of the `known` ones, and than each
    example before them. Only a photograph that is looked at again gives the very same pixels; a
    person may have named another face for them meanwhile, which stays.
    """
    seen = {one.crop.tobytes() for one in known}
    new = dict[bytes, FaceExample]()
    for one in examples:
        pixels = one.crop.tobytes()
        if pixels not in seen:
            new.setdefault(pixels, one)
    return list(new.values())


def check_copies(copies: Mapping[str, object]) -> None:
    """Raise ValueError unless `copies` maps faces to numbers of copies that a set may have."""
    with_options(RULESETS["burako"], {"copies": copies})


def odd_copies(copies: Mapping[str, int | None]) -> dict[str, int]:
    """Return the entries of `copies` that say something unusual: that of comodines, whose usual
    number depends on the rules, and those of other faces of which the set does not have two. A
    value of None in `copies` stands for the usual number and is left out. Raises ValueError as
    `check_copies` does. The faces are in the order in which the page shows them.
    """
    told = {face: count for face, count in copies.items() if count is not None}
    check_copies(told)
    odd = [face for face, count in told.items() if face == "J" or count != COPIES]
    return {face: told[face] for face in sorted(odd, key=FACE_NAMES.index)}


def copies_in(options: Mapping[str, Any]) -> dict[str, int]:
    """Return the numbers of copies that the options of a match set; all other faces have the usual
    number.
    """
    jokers = {"J": options["jokers"]} if "jokers" in options else {}
    return {**jokers, **options.get("copies", {})}


def changed_copies(former: Mapping[str, int], copies: Mapping[str, int]) -> ChangedCopies:
    """Map each face of which a match has another number of copies than before to both numbers, that
    of before first. Both arguments are what `copies_in` returns. None stands for the usual number
    of comodines, which depends on the rules.
    """
    numbers = [(face, _number(former, face), _number(copies, face)) for face in FACE_NAMES]
    return {face: [before, after] for face, before, after in numbers if before != after}


def _number(copies: Mapping[str, int], face: str) -> int | None:
    return copies.get(face, None if face == "J" else COPIES)


def options_with(
    options: Mapping[str, Any], copies: Mapping[str, int], former: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return a match's options for a set of tiles. `copies` maps faces to the number of tiles with
    this face in the set; all other faces have the usual number. Two or four comodines are set by
    the option `jokers`, all other numbers by the option `copies`.

    `former` are the copies from which `options` were made before, None where there are none. A
    number of comodines that came from `former` is taken out of the options.
    """
    told = {name: value for name, value in options.items() if name != "copies"}
    if former and former.get("J") == told.get("jokers"):
        told.pop("jokers", None)
    odd = dict(copies)
    if odd.get("J") in (2, 4):
        told["jokers"] = odd.pop("J")
    return told | ({"copies": odd} if odd else {})


def options_noted(
    options: Mapping[str, Any], copies: Mapping[str, int], former: Mapping[str, int]
) -> dict[str, Any]:
    """Return the new options of a match after the numbers of copies in its set of tiles were
    changed from `former` to `copies`. Where the set has as many comodines as before, the match
    keeps its own number of comodines, because the players may have chosen that number.
    """
    if copies.get("J") != former.get("J"):
        return options_with(options, copies, former)
    others = {face: count for face, count in copies.items() if face != "J"}
    jokers = {face: n for face, n in options.get("copies", {}).items() if face == "J"}
    return options_with(options, others | jokers)


def with_comodines_of(options: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return a match's options with the number of comodines that the options `other` have."""
    told = {name: value for name, value in options.items() if name not in ("copies", "jokers")}
    copies = {face: count for face, count in options.get("copies", {}).items() if face != "J"}
    if "jokers" in other:
        told["jokers"] = other["jokers"]
    if "J" in other.get("copies", {}):
        copies["J"] = other["copies"]["J"]
    return told | ({"copies": copies} if copies else {})


def _is_letter_or_digit(letter: str) -> bool:
    """Whether a character of a name is a letter or a digit. A combining mark counts as a letter."""
    kind = unicodedata.category(letter)
    return kind[0] in "LM" or kind == "Nd"
