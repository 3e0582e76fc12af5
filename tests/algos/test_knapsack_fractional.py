"""The fractional optimum against a linear program, the greedy rule in exact fractions, and the rule by sorting."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from algos.knapsack import _kernels, fractional_knapsack, tied_with
from algos.validation import require_vector

# Quarters and eighths: exact in binary, many ties, many sums that hit the capacity exactly.
EXACT_ITEMS = st.lists(
    st.tuples(st.integers(1, 12).map(lambda k: k / 4), st.integers(1, 24).map(lambda k: k / 8)), max_size=12
)
CAPACITIES = st.sampled_from([0.5, 1.0, 3.0])


def greedy_in_fractions(items, capacity):
    """Return optimum, critical value, critical weight, weight above and value above; no rounding anywhere."""
    room, optimum, critical = Fraction(capacity), Fraction(0), None
    for value, weight in sorted(((Fraction(v), Fraction(w)) for v, w in items), reverse=True):
        taken = min(weight, room)
        if taken > 0:
            critical = value
        room -= taken
        optimum += value * taken
    tied = sum((Fraction(w) for v, w in items if v == critical), Fraction(0))
    above = [(Fraction(v), Fraction(w)) for v, w in items if v > critical]
    return optimum, critical, tied, sum(w for _, w in above), sum(v * w for v, w in above)


def greedy_by_sorting(values, weights, capacity):
    """Return accepted weights, critical value, critical weight, weight above and value above: readable, not linear."""
    dearest_first = np.argsort(-values, kind="stable")
    room_before = capacity - np.concatenate(([0.0], np.cumsum(weights[dearest_first])[:-1]))
    room_before[room_before < 1e-12 * capacity] = 0.0
    accepted = np.empty_like(values)
    accepted[dearest_first] = np.minimum(weights[dearest_first], room_before)
    critical = values[accepted > 0].min(initial=math.inf)
    low, high = tied_with(critical)
    above, tied = values > high, (values >= low) & (values <= high)
    return accepted, critical, weights[tied].sum(), weights[above].sum(), (values * weights)[above].sum()


def assert_equal_to_sorting(values, weights, capacity):
    best = fractional_knapsack(values, weights, capacity)
    accepted, critical, *rest = greedy_by_sorting(values, weights, capacity)
    assert best.critical_value == critical
    assert best.accepted == pytest.approx(accepted, rel=1e-9, abs=1e-11 * capacity)
    assert [best.critical_weight, best.weight_above, best.value_above] == pytest.approx(rest, rel=1e-12)
    assert best.value == pytest.approx(np.sum(values * accepted), rel=1e-11)


@given(
    seed=st.integers(0, 10**6),
    count=st.sampled_from([0, 1, 2, 9, 40, 300, 9000]),
    spread=st.sampled_from([0.0, 1.0, 300.0]),
    distinct=st.sampled_from([1, 3, 50, 10**9]),
    fill=st.one_of(st.sampled_from([1e-9, 0.5, 2.0]), st.floats(0.001, 1.1)),
    scale=st.sampled_from([1e-150, 1.0, 1e150]),
)
def test_selection_does_what_sorting_does(seed, count, spread, distinct, fill, scale):
    rng = np.random.default_rng(seed)
    levels = np.exp(spread * rng.uniform(-1, 1, min(distinct, count)))  # up to 260 orders of magnitude apart
    values = rng.choice(levels, count) if count else np.empty(0)
    weights = rng.exponential(size=count) * scale
    assert_equal_to_sorting(values, weights, fill * weights.sum() if count else 1.0)


@given(items=EXACT_ITEMS.filter(bool), capacity=CAPACITIES)
def test_all_five_quantities_equal_the_greedy_rule_in_exact_fractions(items, capacity):
    best = fractional_knapsack(*zip(*items, strict=True), capacity)
    told = (best.value, best.critical_value, best.critical_weight, best.weight_above, best.value_above)
    assert told == pytest.approx([float(x) for x in greedy_in_fractions(items, capacity)], rel=1e-14)


@given(
    items=st.lists(st.tuples(st.floats(0.01, 100), st.floats(0.001, 5)), min_size=1, max_size=8),
    capacity=st.floats(0.1, 10),
)
def test_the_value_is_that_of_the_linear_program(items, capacity):
    values, weights = (np.array(column) for column in zip(*items, strict=True))
    program = linprog(-values, A_ub=[np.ones(len(items))], b_ub=[capacity], bounds=[(0, w) for w in weights])
    best = fractional_knapsack(values, weights, capacity)
    assert best.value == pytest.approx(-program.fun, rel=1e-7)
    assert (best.accepted >= 0).all()
    assert (best.accepted <= weights).all()
    assert math.fsum(best.accepted) <= capacity * (1 + 1e-12)


@given(items=EXACT_ITEMS.filter(bool), capacity=CAPACITIES)
def test_the_optimum_is_what_lies_above_plus_what_fits_at_the_critical_value(items, capacity):
    best = fractional_knapsack(*zip(*items, strict=True), capacity)
    assert best.weight_above < capacity
    fits = min(best.critical_weight, capacity - best.weight_above)
    assert best.value == pytest.approx(best.value_above + best.critical_value * fits, rel=1e-14)


def ninther_killer(count):
    """Unit values such that every ninther is among the dearest of those left: only some eight go at a time.

    Plays the selection of the cheapest item. A place gets the next lower value when a ninther first looks at it, so
    that whatever was never looked at is cheaper.
    """
    values, left, lowest = np.zeros(count), list(range(count)), float(count + 1)
    while any(values[place] == 0 for place in left):
        places = [left[i * (len(left) - 1) // 8] for i in range(9)]
        for place in places:
            if values[place] == 0:
                lowest -= 1
                values[place] = lowest
        pivot = np.median(np.median(values[places].reshape(3, 3), axis=1))
        left = [place for place in left if values[place] < pivot]
    return values


def sample_deceiver(count):
    """Unit values that are lowest wherever the sample looks."""
    values = np.random.default_rng(0).uniform(1, 2, count)
    values[:: count // int(count ** (2 / 3))] = 0.5
    return values


RISING = np.arange(1.0, 50_001)
HARD = {
    "sorted": RISING,
    "reversed": RISING[::-1],
    "all equal": np.ones(50_000),
    "two values": 1.0 + (RISING % 2),
    "organ pipe": np.minimum(RISING, RISING[::-1]),
    "killer of ninthers": ninther_killer(4000),
    "deceiver of the sample": sample_deceiver(50_000),
    "every magnitude": np.geomspace(1e-300, 1e300, 4000),
}


@pytest.mark.parametrize("values", list(HARD.values()), ids=list(HARD))
@pytest.mark.parametrize("fill", [0.0001, 0.3, 0.5, 0.9999, 2.0])
def test_the_work_is_linear_on_hard_input(values, fill):
    weights = np.ones(len(values))
    capacity = fill * len(values)
    columns = (require_vector(name, column) for name, column in (("values", values), ("weights", weights)))
    *_, compared = _kernels.critical_item(*columns, capacity, 1e-12 * capacity)
    assert compared <= 20 * len(values)
    assert_equal_to_sorting(values, weights, capacity)


def test_ninthers_alone_would_be_quadratic_on_their_killer():
    # Some 500 rounds over 2000 items on average: 250 times the input.
    values, rounds = ninther_killer(4000), 0
    left = values
    while len(left) > 9:
        nine = left[[i * (len(left) - 1) // 8 for i in range(9)]]
        left, rounds = left[left < np.median(np.median(nine.reshape(3, 3), axis=1))], rounds + 1
    assert rounds > 400


def test_among_ties_the_first_item_is_taken_first():
    assert fractional_knapsack([2, 5, 2], [0.5, 0.25, 0.5]).accepted.tolist() == [0.5, 0.25, 0.25]


def test_a_knapsack_with_room_to_spare_takes_everything_and_its_critical_value_is_the_least():
    best = fractional_knapsack([3, 2, 7], [0.1, 0.2, 0.3], capacity=10)
    assert best.accepted.tolist() == [0.1, 0.2, 0.3]
    assert (best.critical_value, best.critical_weight) == (2.0, 0.2)


def test_an_item_heavier_than_the_capacity_is_cut():
    best = fractional_knapsack([2, 3, 1], [1e9, 0.5, 7.0])
    assert best.accepted.tolist() == [0.5, 0.5, 0.0]
    assert best.critical_weight == 1e9


def test_no_items_are_worth_nothing_and_have_the_minimum_of_nothing_as_critical_value():
    best = fractional_knapsack([], [])
    assert (best.value, best.critical_value) == (0.0, math.inf)
    assert (best.critical_weight, best.weight_above, best.value_above) == (0.0, 0.0, 0.0)
    assert best.accepted.shape == (0,)


def test_ten_tenths_fill_the_knapsack_although_their_rounded_sum_does_not():
    assert sum([0.1] * 10) < 1
    best = fractional_knapsack([10.0] * 10 + [1.0], [0.1] * 10 + [0.5])
    assert best.critical_value == 10.0
    assert best.accepted[-1] == 0.0


def test_unit_values_that_differ_by_a_rounding_error_are_one_critical_value():
    assert 0.3 / 0.1 < 3.0
    best = fractional_knapsack([0.3 / 0.1, 3.0, 9.0], [0.25, 0.25, 0.25])
    assert (best.critical_weight, best.weight_above) == (0.5, 0.25)


def test_the_fractional_critical_value_is_not_the_cheapest_item_of_the_best_whole_selection():
    assert fractional_knapsack([10, 9, 1], [0.6, 0.6, 0.4]).critical_value == 9.0


def test_the_selection_is_read_only_and_the_input_untouched():
    values = np.array([1.0, 2.0])
    best = fractional_knapsack(values, [0.7, 0.7])
    assert not best.accepted.flags.writeable
    assert values.tolist() == [1.0, 2.0]
    assert values.flags.writeable


@pytest.mark.parametrize(
    ("values", "weights", "capacity", "told"),
    [
        ([1, 2], [1], 1, "unit_values has length 2, weights has length 1"),
        ([math.nan], [1], 1, r"unit_values\[0\] = nan: must be finite"),
        ([1, 0], [1, 1], 1, r"unit_values\[1\] = 0.0: must be positive"),
        ([1, 1], [1, -1], 1, r"weights\[1\] = -1.0: must be positive"),
        ([1], [math.inf], 1, r"weights\[0\] = inf: must be finite"),
        ([1], [1], 0, "capacity = 0.0: must be positive"),
        ([[1]], [1], 1, r"unit_values: must have shape \(n,\)"),
    ],
)
def test_bad_input_is_refused_by_name(values, weights, capacity, told):
    with pytest.raises(ValueError, match=told):
        fractional_knapsack(values, weights, capacity)
