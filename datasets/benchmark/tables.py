"""The committed results: their CSV tables, the tables formatted for printing, and what changed
since the last committed run.

A run over some sources leaves the rows of the other sources as they were, so that the tables hold
the newest figures of every source.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from datasets.benchmark.counting import Judged, Outcome, PictureCount
from datasets.benchmark.measures import Measure, confusions, reliability, summarise

ALL = "all"
Row = dict[str, str]

SUMMARY = ("source", "group", "measure", "value", "count", "of", "low", "high")
COLUMNS = {
    "summary.csv": SUMMARY,
    "cards.csv": SUMMARY,
    "confusions.csv": ("source", "true", "read", "count"),
    "failures.csv": (
        "source",
        "photo",
        "outcome",
        "true",
        "read",
        "confidence",
        "doubtful",
        "silent",
        "x",
        "y",
    ),
    "row_failures.csv": ("source", "photo", "tiles", "equal", "legal", "told"),
    "reliability.csv": ("source", "low", "high", "of", "confidence", "exact"),
}

# What a source must reach: at least, or at most where less is better.
GOALS: dict[str, dict[str, float]] = {
    "rummikub_ivory": {
        "tiles_exact": 0.995,
        "photos_exact": 0.92,
        "silent": 0.002,
        "doubtful": 0.04,
    },
    "other_sets": {
        "tiles_exact": 0.98,
        "photos_exact": 5 / 6,
        "silent": 0.005,
        "doubtful": 0.04,
        "rows_equal": 0.97,
    },
    "burako_renders": {
        "tiles_exact": 0.99,
        "photos_exact": 0.85,
        "silent": 0.003,
        "doubtful": 0.04,
        "rows_equal": 0.97,
        "illegal_told": 0.95,
        "corner_error_p50": 0.04,
    },
}
OVERVIEW = (
    "photos_exact",
    "tiles_exact",
    "tiles_found",
    "silent",
    "invented",
    "doubtful",
    "rows_equal",
    "illegal_told",
)
LESS_IS_BETTER = frozenset(
    {
        "wrong",
        "unread",
        "invented",
        "silent",
        "doubtful",
        "corner_error_p50",
        "corner_error_p95",
        "calibration_error",
    }
)
# Times differ from machine to machine: they never count as a change.
TIMED = frozenset({"seconds_p50", "seconds_p95"})


@dataclass(frozen=True)
class Change:
    """A figure of summary.csv that differs between two runs, `before` and `after`. It is `clear`
    where the new value lies outside the old 95 % interval.
    """

    source: str
    group: str
    measure: str
    before: str  # as in the table
    after: str
    worse: bool  # False: better
    clear: bool


def group_of(count: PictureCount) -> str:
    """Name the group of the picture that `count` is about: its shoot, or its style where it has no
    shoot, or ALL where it has neither. Photographs of one group resemble each other.
    """
    return count.picture.shoot or count.picture.style or ALL


def tables(counted: dict[str, list[PictureCount]]) -> dict[str, list[Row]]:
    """Map the file name of each CSV table, such as `summary.csv`, to the table's rows. `counted`
    maps the name of each source of pictures to the counts of its pictures.
    """
    makers: dict[str, Callable[[str, list[PictureCount]], Iterable[Row]]] = {
        "summary.csv": _summary,
        "confusions.csv": _confusions,
        "failures.csv": _failures,
        "row_failures.csv": _row_failures,
        "reliability.csv": reliability_rows,
    }
    return {
        file: [row for source, counts in counted.items() for row in make(source, counts)]
        for file, make in makers.items()
    }


def _summary(source: str, counts: list[PictureCount]) -> Iterable[Row]:
    groups = [(ALL, counts)]
    by_group = groupby(sorted(counts, key=group_of), key=group_of)
    groups += [(group, list(members)) for group, members in by_group if group != ALL]
    for group, members in groups:
        for measure in summarise(members):
            if measure.value is not None:
                yield {"source": source, "group": group, **_measure_row(measure)}


def _measure_row(measure: Measure) -> Row:
    figures = {"value": measure.value, "low": measure.low, "high": measure.high}
    texts = {name: "" if figure is None else f"{figure:.4f}" for name, figure in figures.items()}
    count = "" if measure.count is None else str(measure.count)
    return {"measure": measure.name, "count": count, "of": str(measure.of), **texts}


def _confusions(source: str, counts: list[PictureCount]) -> Iterable[Row]:
    """Yield the rows of confusions.csv for one source: how often each tile was read as each other
    tile, the most frequent first, and then how often each was read as itself.
    """
    found = confusions(judged for count in counts for judged in count.tiles)
    for (true, read), times in sorted(
        found.items(), key=lambda item: (item[0][0] == item[0][1], -item[1], item[0])
    ):
        yield {"source": source, "true": true, "read": read, "count": str(times)}


def _failures(source: str, counts: list[PictureCount]) -> Iterable[Row]:
    for count in sorted(counts, key=lambda count: count.picture.name):
        for judged in failures(count):
            yield {
                "source": source,
                "photo": count.picture.name,
                "outcome": judged.outcome.value,
                "true": judged.true or "",
                "read": judged.read or "",
                "confidence": "" if judged.confidence is None else f"{judged.confidence:.4f}",
                "doubtful": str(int(judged.doubtful)),
                "silent": str(int(judged.silent)),
                "x": f"{judged.centre[0]:.0f}",
                "y": f"{judged.centre[1]:.0f}",
            }


def failures(count: PictureCount) -> list[Judged]:
    """List the tiles of a picture that were not read exactly. Silent failures, at whose place the
    reading marks no doubt, come before the others; within each of these two groups tiles are
    ordered by x, then y.
    """
    failed = [judged for judged in count.tiles if judged.outcome is not Outcome.EXACT]
    return sorted(failed, key=lambda judged: (not judged.silent, judged.centre))


def _row_failures(source: str, counts: list[PictureCount]) -> Iterable[Row]:
    """Yield the rows of row_failures.csv for one source: melds that no reported row matches tile
    for tile, and melds whose reported verdict is wrong.
    """
    for count in sorted(counts, key=lambda count: count.picture.name):
        for row in count.rows:
            if not row.equal or (row.legal is not None and row.told is not row.legal):
                yield {
                    "source": source,
                    "photo": count.picture.name,
                    "tiles": " ".join(row.tiles),
                    "equal": str(int(row.equal)),
                    "legal": _verdict(row.legal),
                    "told": _verdict(row.told),
                }


def _verdict(valid: bool | None) -> str:
    return {True: "legal", False: "illegal", None: ""}[valid]


def reliability_rows(source: str, counts: Sequence[PictureCount]) -> Iterable[Row]:
    """Yield the rows of reliability.csv for one source; `counts` are the verdicts on its pictures.
    There is a row for each bin of confidence that holds readings: how many readings it holds, their
    mean confidence, and the share of them that is right.
    """
    for bin_ in reliability(judged for count in counts for judged in count.tiles):
        yield {
            "source": source,
            "low": f"{bin_.low:g}",
            "high": f"{bin_.high:g}",
            "of": str(bin_.of),
            "confidence": f"{bin_.confidence:.4f}",
            "exact": f"{bin_.exact:.4f}",
        }


def read_table(path: Path) -> list[Row]:
    """Read the rows of a CSV table, dictionaries of texts by column; an empty list where the file
    does not exist.
    """
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_tables(made: dict[str, list[Row]], sources: Iterable[str], folder: Path) -> None:
    """Write every table of `made`, which holds rows by file name, into the folder. Rows that a
    file there already has stay in it if their source is not among `sources`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run = set(sources)
    for file, rows in made.items():
        kept = [row for row in read_table(folder / file) if row["source"] not in run]
        write_table(
            folder / file, COLUMNS[file], sorted(kept + rows, key=lambda row: row["source"])
        )


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write a CSV table under another name and then move it to `path`, so that a write that fails,
    as on a full disk, leaves an earlier table whole.
    """
    beside = path.with_name(f"{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def compare(before: Iterable[Row], after: Iterable[Row]) -> list[Change]:
    """List the figures that differ between two runs, those that got worse first. `before` and
    `after` are the runs' rows of summary.csv.

    A measure that only one of the two has is left out, and so are times.
    """
    earlier = {_key(row): row for row in before}
    changes = []
    for row in after:
        old = earlier.get(_key(row))
        if old and old["value"] != row["value"] and row["measure"] not in TIMED:
            changes.append(_change(old, row))
    return sorted(changes, key=lambda change: (not change.worse, not change.clear))


def _key(row: Row) -> tuple[str, str, str]:
    return row["source"], row["group"], row["measure"]


def _change(old: Row, new: Row) -> Change:
    value = float(new["value"])
    worse = (value > float(old["value"])) == (new["measure"] in LESS_IS_BETTER)
    clear = bool(old["low"]) and not float(old["low"]) <= value <= float(old["high"])
    return Change(*_key(new), _told(old), _told(new), worse, clear)


def _told(row: Row) -> str:
    return f"{row['count']}/{row['of']}" if row["count"] else row["value"]


def aligned(summary: Sequence[Row]) -> str:
    """Format the rows of summary.csv for printing: a table with a line of counts for each group,
    then a table with a line for each measure of a whole source, with its interval and its goal.
    """
    return f"{_overview(summary)}\n\n{_details(summary)}"


def _overview(summary: Sequence[Row]) -> str:
    told = {_key(row): _told(row) for row in summary}
    groups = dict.fromkeys((row["source"], row["group"]) for row in summary)
    lines = [
        (*group, *(told.get((*group, measure), "") for measure in OVERVIEW)) for group in groups
    ]
    return align([("source", "group", *OVERVIEW), *lines])


def _details(summary: Sequence[Row]) -> str:
    lines = []
    for row in summary:
        if row["group"] == ALL:
            interval = f"{_percent(row['low'])} - {_percent(row['high'])}" if row["low"] else ""
            value = _percent(row["value"]) if row["count"] else row["value"]
            lines.append((row["source"], row["measure"], value, interval, _goal(row)))
    return align([("source", "measure", "value", "95 %", "goal"), *lines])


def align(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _percent(value: str) -> str:
    return f"{float(value):.2%}"


def _goal(row: Row) -> str:
    goal = GOALS.get(row["source"], {}).get(row["measure"])
    if goal is None:
        return ""
    less = row["measure"] in LESS_IS_BETTER
    value = int(row["count"]) / int(row["of"]) if row["count"] else float(row["value"])
    reached = value <= goal if less else value >= goal
    return f"{'<=' if less else '>='} {goal:.4g} {'met' if reached else 'MISSED'}"
