"""Properties that hold for any row of tiles."""

from hypothesis import assume, given
from hypothesis import strategies as st

from engine import FACES, RULESETS, Kind, Meld, RuleSet, Side, Tile, judge_meld, score_hand, tiles
from engine.canastas import canasta_points

RULES = st.sampled_from(list(RULESETS.values()))


@st.composite
def rows(draw: st.DrawFn) -> tuple[Tile, ...]:
    """Draw any tiles, or a run or pierna with up to two wilds in it."""
    if draw(st.booleans()):
        return tuple(draw(st.lists(st.sampled_from(FACES), max_size=10)))
    size, low, colour = (
        draw(st.integers(3, 12)),
        draw(st.integers(1, 13)),
        draw(st.sampled_from("RBKY")),
    )
    run = [Tile((low + step - 1) % 13 + 1, colour) for step in range(size)]
    pierna = [Tile(low, each) for each in "RBKYRBKY"[:size]]
    row = run if draw(st.booleans()) else pierna
    for _ in range(draw(st.integers(0, 2))):
        row[draw(st.integers(0, len(row) - 1))] = draw(
            st.sampled_from([face for face in FACES if face.can_be_wild])
        )
    return tuple(row)


@st.composite
def legal_rows(draw: st.DrawFn) -> tuple[Tile, ...]:
    """Draw a row that is legal under every ruleset: a run or a pierna with at most one wild."""
    size, colour = draw(st.integers(3, 12)), draw(st.sampled_from("RBKY"))
    low = draw(st.integers(1, 14 - size))
    run = [Tile(low + step, colour) for step in range(size)]
    number = draw(st.integers(3, 13))
    pierna = [Tile(number, each) for each in "RBKYRBKY"[:size]]
    row = run if draw(st.booleans()) else pierna
    if draw(st.booleans()):
        row[draw(st.integers(0, len(row) - 1))] = draw(st.sampled_from(tiles("J 2R 2B 2K 2Y")))
    return tuple(row)


def facts(meld: Meld) -> tuple:
    return meld.reason, meld.kind, meld.canasta_class, meld.wilds, meld.points, meld.notices


def value(meld: Meld, rules: RuleSet) -> int:
    return meld.points + (canasta_points(meld.arrangement, rules) if meld.arrangement else 0)


@given(rows(), RULES)
def test_direction_never_matters(row: tuple[Tile, ...], rules: RuleSet) -> None:
    assert facts(judge_meld(row, rules)) == facts(judge_meld(row[::-1], rules))


@given(rows(), RULES, st.randoms(use_true_random=False))
def test_order_matters_only_in_runs(row: tuple[Tile, ...], rules: RuleSet, rng: object) -> None:
    shuffled = list(row)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    meld = judge_meld(row, rules)
    if meld.kind is Kind.PIERNA:
        assert facts(judge_meld(shuffled, rules)) == facts(meld)
    assert (
        facts(judge_meld(shuffled, rules, ordered=False))[1:]
        == facts(judge_meld(row, rules, ordered=False))[1:]
    )


@given(rows(), RULES)
def test_a_bag_is_never_worse_than_a_row(row: tuple[Tile, ...], rules: RuleSet) -> None:
    in_order, bag = judge_meld(row, rules), judge_meld(row, rules, ordered=False)
    assert bag.valid or not in_order.valid
    if in_order.valid:
        assert bag.wilds <= in_order.wilds
        assert (in_order.better is not None) == (bag.wilds < in_order.wilds)


@given(rows(), RULES)
def test_what_is_arranged_is_legal_in_its_order(row: tuple[Tile, ...], rules: RuleSet) -> None:
    bag = judge_meld(row, rules, ordered=False)
    if bag.arrangement:
        assert sorted(map(str, bag.arrangement.tiles)) == sorted(map(str, row))
        assert judge_meld(bag.arrangement.tiles, rules).wilds == bag.wilds


@given(rows(), RULES)
def test_points_never_depend_on_what_a_wild_stands_for(
    row: tuple[Tile, ...], rules: RuleSet
) -> None:
    printed = {
        None: rules.tile_values[0],
        **{number: rules.tile_values[number] for number in range(1, 14)},
    }
    for ordered in (True, False):
        assert judge_meld(row, rules, ordered=ordered).points == sum(
            printed[tile.number] for tile in row
        )


@given(legal_rows(), RULES, st.sampled_from(FACES))
def test_a_further_natural_never_costs(row: tuple[Tile, ...], rules: RuleSet, tile: Tile) -> None:
    before = judge_meld(row, rules)
    assume(before.valid)
    for longer in ((*row, tile), (tile, *row)):
        after = judge_meld(longer, rules)
        if (
            after.valid
            and after.wilds == before.wilds
            and after.canasta_class == before.canasta_class
        ):
            assert value(after, rules) >= value(before, rules)


@given(
    st.lists(rows(), max_size=5),
    rows(),
    RULES,
    st.booleans(),
    st.booleans(),
    st.sampled_from(["A", None]),
)
def test_a_score_is_the_sum_of_its_lines(
    melds: list[tuple[Tile, ...]],
    hand: tuple[Tile, ...],
    rules: RuleSet,
    mine: bool,
    theirs: bool,
    closed_by: str | None,
) -> None:
    sides = {"A": Side(tuple(melds), ((), hand), mine), "B": Side((), (hand, hand), theirs)}
    score = score_hand(sides, closed_by, rules, accept_illegal=True)  # type: ignore[arg-type]
    for side in score.sides.values():
        assert side.total == sum(line.points for line in side.lines) == side.base + side.puntos
        assert all(line.points == 0 or line.tiles or line.index is None for line in side.lines)
    assert (score.valid_close is None) == (closed_by is None)
    assert bool(score.reason) == (score.valid_close is False)
