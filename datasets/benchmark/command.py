"""What the command lines of the benchmarks share: their options, opening the networks, and writing
tables. `asked` always holds the options of the command line.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from datasets.benchmark.tables import Row, align, write_table
from engine.pieces import Pieces
from vision import open_reader
from vision.errors import ModelError
from vision.tiles.pipeline import TableReader

RESULTS = Path(__file__).resolve().parents[1] / "results"  # the committed tables


FOLDS = "folder with SHOOT/ networks that never saw that shoot"


def bench_parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """Make a parser for `python -m MODULE` with --models, --out and --dry-run."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--models", type=Path, help="folder of the networks (default: installed)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the written tables")
    parser.add_argument("--dry-run", action="store_true", help="print only, write nothing")
    return parser


def asked_reader(asked: argparse.Namespace, pieces: Pieces = Pieces.TILES) -> TableReader:
    """Return a reader of `pieces`, tiles or cards, with the networks that the option `--models` of
    the command line `asked` names. Where the networks cannot be used, the program ends with status
    1 and prints why.
    """
    try:
        return open_reader(asked.models, pieces)
    except ModelError as problem:
        raise SystemExit(f"nothing can be measured: {problem}") from problem


def print_rows(columns: Sequence[str], rows: Sequence[Row]) -> None:
    print(align([columns, *(tuple(row[column] for column in columns) for row in rows)]))


def write_rows(
    asked: argparse.Namespace, file: str, columns: Sequence[str], rows: Sequence[Row]
) -> None:
    """Write rows, dictionaries of texts by column, as the CSV table `file` into the folder of
    `--out`, unless the command line has --dry-run.
    """
    if not asked.dry_run:
        asked.out.mkdir(parents=True, exist_ok=True)
        write_table(asked.out / file, columns, rows)
