"""`python -m datasets.benchmark.promise`: whole hands from photographs, `burako score` against the
true score.

Each hand is put together at random, by a seed, from photographs that the models were never trained
on: two of tables whose melds are all whole, one for each side, and racks for what is left in the
hands. The melds of half of the hands are all legal. Tables take turns, so that each is used equally
often. Hands made of the same few photographs are not independent; therefore the tables whose side
was always scored exactly are counted as well. With `--folds` the racks are photographs of
`rummikub_ivory`, each read with the models that never saw its shoot (`datasets.benchmark` explains
shoots and folds).

The engine computes the true score from the labels, as if the table had accepted every illegal meld.
`burako score` runs as a process of its own, as when people call it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from datasets.benchmark.command import FOLDS, bench_parser, write_rows
from datasets.benchmark.counting import MELD_KINDS, counts
from datasets.benchmark.measures import Measure, quantile, share
from datasets.benchmark.tables import Row, align
from datasets.labels import LabelledPicture
from datasets.options import positive, seed_number
from datasets.photos import PhotosMissing, load_burako_renders, load_other_sets, load_rummikub_ivory
from engine.melds import judge_meld
from engine.rulesets import ruleset
from engine.scoring import Side, score_hand
from engine.sides import SIDES, SideName
from engine.tiles import Tile

RULES = ruleset("burako")
COLUMNS = ("hand", "side", "legal", "true", "read", "low", "high", "doubtful", "melds", "photos")
DOUBTFUL_STATUS = 3  # of `burako score`: answered, and a person should look
EMPTY_RACK = 0.3  # share of sides drawn with nothing left in the hand

Score = Callable[["Hand"], dict[str, Any]]  # a hand in, the JSON of `burako score` out


@dataclass(frozen=True)
class Hand:
    """Photographs of both sides and how the hand ended.

    Each side is one player with one rack; the rack is None where that player has no tiles left.
    `muerto` lists the sides that took a muerto, and `closed_by` is None where nobody closed.
    """

    melds: dict[SideName, tuple[LabelledPicture, ...]]
    racks: dict[SideName, LabelledPicture | None]
    muerto: tuple[SideName, ...]
    closed_by: SideName | None

    def truth(self) -> dict[SideName, int]:
        sides = {name: self._side(name) for name in SIDES}
        scored = score_hand(sides, self.closed_by, RULES, accept_illegal=True)
        return {name: side.total for name, side in scored.sides.items()}

    def _side(self, name: SideName) -> Side:
        melds = tuple(row for picture in self.melds[name] for row in meld_rows(picture))
        rack = self.racks[name]
        left = tuple(Tile.parse(tile.tile) for tile in rack.tiles) if rack else ()
        return Side(melds, (left,), name in self.muerto)

    @property
    def shoot(self) -> str | None:
        """The shoot from which the photographs of the racks come; None where these photographs are
        of no shoot, or where both racks are empty. The models that read the photographs must not
        have been trained on this shoot.
        """
        return next((rack.shoot for rack in self.racks.values() if rack and rack.shoot), None)

    @property
    def legal(self) -> bool:
        return all(map(is_legal, chain.from_iterable(self.melds.values())))

    def photos(self) -> list[str]:
        racks = [rack for rack in self.racks.values() if rack]
        return [picture.name for name in SIDES for picture in self.melds[name]] + [
            rack.name for rack in racks
        ]


@dataclass(frozen=True)
class SideResult:
    """How one side of a hand was scored, in points.

    `read` is the score by the program, which says that the true score lies between `low` and
    `high`. All three are None where the program gave no score. `doubtful` counts the doubts of the
    whole hand. `melds` names the photographs of the side's melds, `photos` all photographs of the
    hand, separated by blanks.
    """

    hand: int  # its number
    side: SideName
    legal: bool  # whether all melds of the hand are
    true: int  # score by the labels
    read: int | None
    low: int | None
    high: int | None
    doubtful: int
    melds: str  # names of the photographs of the side's melds
    photos: str  # names of all photographs of the hand

    @property
    def exact(self) -> bool:
        return self.read == self.true

    @property
    def inside(self) -> bool:
        return self.low is not None and self.high is not None and self.low <= self.true <= self.high

    @property
    def width(self) -> int:
        return 0 if self.low is None or self.high is None else self.high - self.low

    def row(self) -> Row:
        told = {column: getattr(self, column) for column in COLUMNS}
        return {column: "" if value is None else str(value) for column, value in told.items()}


def meld_rows(picture: LabelledPicture) -> tuple[tuple[Tile, ...], ...]:
    return tuple(
        tuple(Tile.parse(picture.tiles[tile].tile) for tile in row.tiles)
        for row in picture.rows
        if row.kind in MELD_KINDS
    )


def usable_table(picture: LabelledPicture) -> bool:
    """Tell whether a photograph shows melds, no rack, and nothing cut or hidden, so that its labels
    give a side's true score.
    """
    whole = all(row.whole for row in picture.rows) and all(
        counts(picture, tile) for tile in picture.tiles
    )
    return bool(meld_rows(picture)) and not picture.rack and whole


def is_legal(picture: LabelledPicture) -> bool:
    return all(judge_meld(row, RULES).valid for row in meld_rows(picture))


def usable_rack(picture: LabelledPicture) -> bool:
    return (
        picture.rack
        and not meld_rows(picture)
        and all(counts(picture, tile) for tile in picture.tiles)
    )


def draw_hands(pictures: Sequence[LabelledPicture], number: int, seed: int) -> list[Hand]:
    """Make `number` hands at random. At least one side of each hand has a canasta: a hand without
    any is void under the rules and tests nothing.

    Both racks of a hand are of the same shoot, or both of no shoot; no photograph shows the racks
    of both sides, as people would be asked about that. Raises ValueError for fewer
    than two usable tables or no rack.
    """
    tables = [picture for picture in pictures if usable_table(picture)]
    racks: dict[str | None, list[LabelledPicture]] = {}
    for picture in filter(usable_rack, pictures):
        racks.setdefault(picture.shoot, []).append(picture)
    if len(tables) < 2 or not racks:
        raise ValueError(
            f"expected 2 tables and a rack to draw from, got {len(tables)} and {len(racks)}"
        )
    rng = np.random.default_rng(seed)
    hands: list[Hand] = []
    turns: list[LabelledPicture] = []
    while len(hands) < number:
        if len(turns) < 2:
            turns = [*turns, *(tables[i] for i in rng.permutation(len(tables)))]
        one, *others = turns
        other = next((picture for picture in others if _may_meet(one, picture)), None)
        if other is None:  # no table is left in this round with which one of the two has a canasta
            turns = others
            continue
        turns = [picture for picture in others if picture is not other]
        hands.append(_draw(rng, (one, other), racks[list(racks)[rng.integers(len(racks))]]))
    return hands


def draw_both_kinds(pictures: Sequence[LabelledPicture], number: int, seed: int) -> list[Hand]:
    """Make `number` hands at random from photographs of tables and racks. The first half of the
    hands is made only of tables whose melds are all legal, the second half of any tables.
    """
    legal = [picture for picture in pictures if is_legal(picture)]
    hands = draw_hands(legal, number // 2, seed)
    return hands + draw_hands(pictures, number - len(hands), seed)


def _may_meet(one: LabelledPicture, other: LabelledPicture) -> bool:
    return one is not other and (has_canasta((one,)) or has_canasta((other,)))


def _draw(
    rng: np.random.Generator,
    tables: tuple[LabelledPicture, LabelledPicture],
    racks: list[LabelledPicture],
) -> Hand:
    melds: dict[SideName, tuple[LabelledPicture, ...]] = dict(
        zip(SIDES, ((table,) for table in tables), strict=True)
    )
    at: dict[SideName, int | None] = {
        name: None if rng.random() < EMPTY_RACK else int(rng.integers(len(racks))) for name in SIDES
    }
    if at["A"] is not None and at["A"] == at["B"]:
        at["B"] = (at["A"] + 1) % len(racks) if len(racks) > 1 else None
    left = {name: None if index is None else racks[index] for name, index in at.items()}
    muerto = tuple(name for name in SIDES if rng.random() < 0.7)
    may_close = [name for name in muerto if left[name] is None and has_canasta(melds[name])]
    return Hand(melds, left, muerto, may_close[0] if may_close else None)


def has_canasta(photos: tuple[LabelledPicture, ...]) -> bool:
    """Tell whether one of the melds that the photographs show is a canasta."""
    return any(judge_meld(row, RULES).canasta for picture in photos for row in meld_rows(picture))


def arguments_of(hand: Hand) -> list[str]:
    """Make the command-line arguments of `burako score` that describe a hand."""
    told = ["--rules", "burako", "--players", "2", "--json"]
    for name in SIDES:
        told += [f"--melds-{name.lower()}", *(str(picture.path) for picture in hand.melds[name])]
        rack = hand.racks[name]
        told += [f"--rack-{name.lower()}", str(rack.path)] if rack else []
    told += ["--muerto", ",".join(hand.muerto)] if hand.muerto else []
    return told + (["--closed-by", hand.closed_by] if hand.closed_by else [])


def burako_score(
    hand: Hand,
    models: Path | None = None,
    folds: Path | None = None,
    further: Sequence[str] = (),
) -> dict[str, Any]:
    """Run `burako score` on a hand, with `further` arguments, and return its JSON. It uses the
    networks in `folds/SHOOT` where `folds` is given and the racks are of a shoot, and otherwise
    those in `models`, by default the installed ones. Raises CalledProcessError where `burako score`
    gives no answer.
    """
    models = folds / hand.shoot if folds and hand.shoot else models
    named = ["--models", str(models)] if models else []
    done = run_burako("score", *arguments_of(hand), *named, *further)
    if done.returncode not in (0, DOUBTFUL_STATUS):
        done.check_returncode()
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def run_burako(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program `burako` in a process of its own, which takes its code from where this
    process does, and return what it printed and its exit status.
    """
    start = "import sys; from scorer_app.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", start, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def judge_hand(number: int, hand: Hand, answer: dict[str, Any]) -> list[SideResult]:
    """Compare `answer`, the JSON of `burako score` for a hand, with the true score. Returns a
    result for each of the two sides; `number` tells this hand's results from those of other hands.

    An answer without totals counts as neither exact nor inside its interval.
    """
    doubtful, photos = len(answer.get("doubtful", ())), " ".join(hand.photos())
    results = []
    for name, true in hand.truth().items():
        low, high = answer.get("interval", {}).get(name, (None, None))
        read = answer.get(name, {}).get("total")
        melds = " ".join(picture.name for picture in hand.melds[name])
        told = (true, read, low, high, doubtful, melds, photos)
        results.append(SideResult(number, name, hand.legal, *told))
    return results


def measures(results: Sequence[SideResult]) -> list[Measure]:
    """Compute every figure of the summary from the results of all sides.

    A hand is exact when both its sides are, and open when the interval of either side holds more
    than one score. A hand that is neither exact nor open is sure and wrong. Whether the true score
    lies inside the interval is counted for each side.
    """
    wrong = [result for result in results if not result.exact]
    sure = [result for result in results if result.doubtful == 0]
    hands, wrong_hands = ({result.hand for result in some} for some in (results, wrong))
    tables, wrong_tables = ({result.melds for result in some} for some in (results, wrong))
    widths = [result.width for result in results]
    open_hands = {result.hand for result in results if result.width}
    return [
        share("hands_exact", len(hands) - len(wrong_hands), len(hands)),
        share("hands_open", len(open_hands), len(hands)),
        share("hands_sure_and_wrong", len(wrong_hands - open_hands), len(hands)),
        share("sides_exact", len(results) - len(wrong), len(results)),
        share("true_inside_interval", sum(result.inside for result in results), len(results)),
        share("exact_where_no_doubt", sum(result.exact for result in sure), len(sure)),
        share("tables_always_exact", len(tables - wrong_tables), len(tables)),
        quantile("interval_width_p50", widths, 0.5),
        quantile("interval_width_p90", widths, 0.9),
    ]


def main(arguments: list[str] | None = None, score: Score | None = None) -> int:
    asked = _parser().parse_args(arguments)
    score = score or partial(burako_score, models=asked.models, folds=asked.folds)
    try:
        pictures = _pictures(asked.photos, asked.folds)
        hands = draw_both_kinds(pictures, asked.hands, asked.seed)
        judged = (judge_hand(number, hand, score(hand)) for number, hand in enumerate(hands))
        results = list(chain.from_iterable(judged))
    except PhotosMissing as missing:
        print(f"left out: {missing}", file=sys.stderr)
        return 0
    except subprocess.CalledProcessError as failed:
        problem = f"burako score ended with {failed.returncode}: {failed.stderr.strip()}"
        print(problem, file=sys.stderr)
        return 1
    titles = {"hands of legal melds:": True, "hands with illegal melds among them:": False}
    for title, are_legal in titles.items():
        print(title)
        tell(measures([result for result in results if result.legal is are_legal]))
    write_rows(asked, "promise.csv", COLUMNS, [result.row() for result in results])
    return 0


def _pictures(photos: Path | None, folds: Path | None) -> list[LabelledPicture]:
    """Load the photographs of tables and racks of which hands are made. `photos` is their folder,
    None for the usual one.

    With `folds` the only racks are those of `rummikub_ivory` whose shoot has a folder in `folds`.
    """
    pictures = [*load_burako_renders(photos), *load_other_sets(photos)]
    if folds is None:
        return pictures
    ivory = load_rummikub_ivory(photos)
    left_out = [shot for shot in ivory if shot.shoot and (folds / shot.shoot).is_dir()]
    tables = [picture for picture in pictures if not picture.rack]
    return tables + [picture for picture in left_out if picture.rack]


def tell(told: Sequence[Measure]) -> None:
    goals = {
        "hands_exact": ">= 0.8",
        "hands_open": "<= 0.17",
        "hands_sure_and_wrong": "0",
        "true_inside_interval": ">= 0.99",
    }
    lines = [("measure", "n", "value", "95 %", "goal")]
    for one in told:
        if one.value is None:
            continue
        if one.low is None or one.high is None:
            lines.append((one.name, str(one.of), f"{one.value:.0f}", "", ""))
            continue
        counted, interval = f"{one.count}/{one.of}", f"{one.low:.2%} - {one.high:.2%}"
        goal = goals.get(one.name, "")
        lines.append((one.name, counted, f"{one.value:.2%}", interval, goal))
    print(align(lines))


def _parser() -> argparse.ArgumentParser:
    parser = bench_parser("datasets.benchmark.promise", __doc__)
    parser.add_argument("--hands", type=positive, default=60, help="hands drawn (default 60)")
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--folds", type=Path, help=f"{FOLDS}: racks are drawn from it")
    parser.add_argument("--photos", type=Path, help="folder of the labelled photographs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
