"""The fractional optimum against a linear program and against the greedy rule in exact fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from algos.knapsack import fractional_knapsack

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
