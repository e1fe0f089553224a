"""Writes the reference of all codes and their sentences from the enumerations and the catalogue.

`python -m scorer_app.texts.reference` writes it to `engine/REASONS.md`; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from engine.checks import Trouble
from engine.fixes import FixAction
from engine.reasons import CHANGE_REASONS, CLOSING_REASONS, MELD_REASONS, Notice
from scorer_app.texts.languages import LANGUAGES
from scorer_app.texts.translator import catalogue, words_of_cards
from scorer_app.texts.wrong_values import CaseTrouble
from vision.errors import Reason as VisionReason
from vision.live.sources import SourceProblem
from vision.live.table.kinds import ChangeKind
from vision.reading import Notice as PhotoNotice

PATH = Path(__file__).resolve().parents[2] / "engine" / "REASONS.md"
HEAD = """\
# Codes and their sentences

`python -m scorer_app.texts.reference` makes this page from the code's enumerations and from the
catalogue in `scorer_app/texts`; do not edit it by hand. `{tiles}` and `{row}` stand for tiles in
notation (`3R 4R J`), `{canasta}` for the canasta that a closing needs, `{what}` for a path or for
what came instead of what was expected, `{source}` for a camera, `{field}` for a place in a case
(`teams.A.hands[0]`) and `{got}` for what it holds.
"""


@dataclass(frozen=True)
class Section:
    """One table of the reference: under a `title` and a `remark`, the `codes` of an enumeration,
    each with its sentences. The key of a sentence in the catalogue is the `prefix` and the code's
    value.
    """

    title: str
    remark: str
    prefix: str
    codes: Iterable[Enum]


SECTIONS = (
    Section("Melds", "`reason` of a meld that is illegal.", "reason.", MELD_REASONS),
    Section(
        "Changes on the table",
        "`reason` of a change that is illegal, beside those of melds.",
        "reason.",
        CHANGE_REASONS,
    ),
    Section(
        "Closings",
        "`reason` of a closing that is invalid: the first that holds, in this order.",
        "reason.",
        CLOSING_REASONS,
    ),
    Section("Notices", "`notices` of melds and hands; nothing is illegal.", "notice.", Notice),
    Section("Fixes", "`action` of the smallest thing that puts it right.", "fix.", FixAction),
    Section(
        "Photographs and networks",
        "`error` of a photograph that cannot be read, or of a network that cannot be loaded.",
        "failure.",
        VisionReason,
    ),
    Section(
        "Notices of a photograph",
        "`notices` of a photograph that has been read.",
        "photo.notice.",
        PhotoNotice,
    ),
    Section("Live events", "`event` of `burako live`.", "live.event.", ChangeKind),
    Section(
        "Cameras, streams and video files",
        "`error` of a source that cannot be watched, or what is said while it is watched.",
        "camera.problem.",
        SourceProblem,
    ),
    Section(
        "Cases that cannot be judged",
        "`error` of such a case of `burako judge`. A hand with a meld that is illegal has"
        " `illegal_meld` and the meld's `reason`.",
        "wrong.",
        (*CaseTrouble, *Trouble),
    ),
)


def reference() -> str:
    """Return the whole reference of codes and sentences, as Markdown."""
    told = [*map(_lines, SECTIONS), _lines_of_cards()]
    return HEAD + "".join("\n" + "\n".join(lines) + "\n" for lines in told)


def _lines(section: Section) -> Iterator[str]:
    yield f"## {section.title}"
    yield ""
    yield section.remark
    yield ""
    yield from _head_of_table()
    for code in section.codes:
        texts = [catalogue(language)[f"{section.prefix}{code.value}"] for language in LANGUAGES]
        yield f"| `{code.value}` | " + " | ".join(texts) + " |"


def _lines_of_cards() -> Iterator[str]:
    """Yield the lines of the last table, which lists the codes whose sentences differ where people
    play with cards.
    """
    yield "## Of cards"
    yield ""
    yield "The same codes, where they say something else of cards; `{tiles}` is then `3H 4H *`."
    yield ""
    yield from _head_of_table()
    words = [words_of_cards(language) for language in LANGUAGES]
    keys = [(code, section.prefix + code.value) for section in SECTIONS for code in section.codes]
    for code, key in keys:
        if key in words[0]:
            yield f"| `{code.value}` | " + " | ".join(texts[key] for texts in words) + " |"


def _head_of_table() -> Iterator[str]:
    yield "| code | " + " | ".join(locale.name for locale in LANGUAGES.values()) + " |"
    yield "|---" * (len(LANGUAGES) + 1) + "|"


if __name__ == "__main__":
    PATH.write_text(reference(), "utf-8")
