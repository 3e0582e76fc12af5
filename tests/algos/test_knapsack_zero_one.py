"""The 0/1 optimum against all subsets, against an integer program, and branch and bound against dynamic programming."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from algos.knapsack import _kernels, fractional_knapsack, knapsack_01

VALUES = st.one_of(st.sampled_from([0.0, 0.1, 1.0, 7.0]), st.floats(1e-3, 1e3))
WEIGHTS = st.one_of(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 40.0]), st.floats(1e-3, 20))
ITEMS = st.lists(st.tuples(VALUES, WEIGHTS), max_size=9)
WHOLE_ITEMS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 25)), max_size=12)


def columns(items):
    return [value for value, _ in items], [weight for _, weight in items]


def best_of_all_subsets(items, capacity):
    """The most value of any subset whose exactly rounded weight fits."""
    subsets = itertools.chain.from_iterable(itertools.combinations(items, size) for size in range(len(items) + 1))
    return max(math.fsum(v for v, _ in chosen) for chosen in subsets if math.fsum(w for _, w in chosen) <= capacity)


def assert_sound(result, values, weights, capacity):
    chosen = result.selection
    assert math.fsum(np.array(weights, dtype=float)[chosen]) <= capacity
    assert result.value == math.fsum(np.array(values, dtype=float)[chosen])
    assert result.upper_bound >= result.value
    assert not result.optimal or result.upper_bound == result.value


@given(items=ITEMS, capacity=st.one_of(st.sampled_from([0.3, 0.6, 1.0, 2.4]), st.floats(0.01, 60)))
@example(items=[(1.0, 0.1)] * 9 + [(1.0, 0.1)], capacity=1.0)
def test_branch_and_bound_finds_the_best_of_all_subsets_of_floats(items, capacity):
    result = knapsack_01(*columns(items), capacity)
    assert_sound(result, *columns(items), capacity)
    assert result.optimal
    assert result.value == pytest.approx(best_of_all_subsets(items, capacity), rel=1e-12)


@given(items=WHOLE_ITEMS, capacity=st.integers(1, 150), unit=st.sampled_from([1, 6]))
def test_both_methods_find_the_best_of_all_subsets_of_whole_items(items, capacity, unit):
    items = [(value, weight * unit) for value, weight in items]
    optimum = best_of_all_subsets(items, capacity)
    for method in ("auto", "branch_and_bound", "dynamic_programming"):
        result = knapsack_01(*columns(items), capacity, method=method)
        assert_sound(result, *columns(items), capacity)
        assert (result.value, result.optimal) == (optimum, True)


@given(seed=st.integers(0, 50), fill=st.floats(0.05, 1.2))
def test_both_methods_agree_on_a_hundred_items_and_stay_below_the_fractional_optimum(seed, fill):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 60, 100)
    values = weights + rng.integers(0, 20, 100)
    capacity = max(1.0, fill * weights.sum())
    searched = knapsack_01(values, weights, capacity, method="branch_and_bound")
    tabled = knapsack_01(values, weights, capacity, method="dynamic_programming")
    assert searched.value == tabled.value
    assert searched.optimal
    assert searched.value <= fractional_knapsack(values / weights, weights, capacity).value * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_integer_program_finds_no_more(seed):
    rng = np.random.default_rng(seed)
    values, weights = rng.random(60), rng.random(60) + 1e-3
    capacity = 0.4 * weights.sum()
    program = milp(
        -values,
        constraints=LinearConstraint(weights[np.newaxis], ub=capacity),
        integrality=np.ones(60),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    chosen = program.x.round() == 1
    assert math.fsum(weights[chosen]) <= capacity
    result = knapsack_01(values, weights, capacity)
    assert result.optimal
    assert result.value == pytest.approx(math.fsum(values[chosen]), rel=1e-12)


def test_a_selection_that_exceeds_the_capacity_by_a_whisker_is_not_taken():
    # Integer programs with a feasibility tolerance of 1e-6 return 5 here.
    assert knapsack_01([3, 2], [0.5, 0.5000005], 1).value == 3.0


def test_the_best_whole_items_skip_the_critical_item_of_the_fractional_optimum():
    result = knapsack_01([6.0, 5.4, 0.4], [0.6, 0.6, 0.4], 1.0)
    assert result.selection.tolist() == [True, False, True]


def test_what_fits_is_decided_on_exact_sums():
    assert sum([0.1] * 10) < 1 < Fraction(0.1) * 10
    assert knapsack_01([1] * 11, [0.1] * 11, 1).value == 10.0
    odd = math.nextafter(1.0, 2.0)
    assert knapsack_01([1, 1], [0.5, odd - 0.5], 1.0).value == 1.0
    assert knapsack_01([1, 1], [odd, 2.0**-53], odd).value == 1.0  # halfway to the next float, which is even


@given(
    exponents=st.lists(st.integers(-70, 0), min_size=1, max_size=10), capacity=st.sampled_from([1.0, 1.5, 1 + 2**-52])
)
def test_weights_below_the_digits_of_the_capacity_never_break_it_nor_lose_what_truly_fits(exponents, capacity):
    weights = [2.0**k for k in exponents]
    result = knapsack_01([1.0] * len(weights), weights, capacity)
    assert_sound(result, [1.0] * len(weights), weights, capacity)
    count, total = 0, Fraction(0)
    for weight in sorted(map(Fraction, weights)):
        total += weight
        count += total <= Fraction(capacity)
    assert result.value >= count


def correlated():
    """Every item is worth its weight and 100 more: at best the most items that fit, and not a unit of room left."""
    weights = np.random.default_rng(0).integers(1, 1001, 200)
    capacity = int(weights.sum()) // 2
    most = int(np.searchsorted(np.cumsum(np.sort(weights)), capacity, side="right"))
    return weights + 100, weights, capacity, capacity + 100 * most


def test_strongly_correlated_items_exhaust_the_search_and_are_solved_by_dynamic_programming():
    *items, optimum = correlated()
    calls = []
    result = knapsack_01(*items, node_limit=200_000, progress=lambda *call: calls.append(call))
    assert (result.method, result.optimal, result.value) == ("dynamic_programming", True, optimum)
    assert calls == [(0, 200_000), (200_000, 200_000), (0, 200), (200, 200)]


@given(limit=st.integers(1, 30_000))
def test_a_search_that_was_stopped_says_so_and_bounds_the_optimum(limit):
    *items, optimum = correlated()
    stopped = knapsack_01(*items, method="branch_and_bound", node_limit=limit)
    assert_sound(stopped, *items)
    assert not stopped.optimal
    assert 0 < stopped.value <= optimum <= stopped.upper_bound < optimum + 100


def test_auto_keeps_what_the_search_found_where_no_table_is_possible():
    weights = np.random.default_rng(2).integers(1, 1001, 200) + 0.5
    result = knapsack_01(weights + 100, weights, weights.sum() / 2, node_limit=10_000)
    assert (result.method, result.optimal) == ("branch_and_bound", False)
    assert result.upper_bound <= 1.01 * result.value


def test_a_search_goes_on_over_many_calls_of_progress():
    *items, _ = correlated()
    calls = []
    options = {"method": "branch_and_bound", "node_limit": 2_500_000}
    told = knapsack_01(*items, progress=lambda *call: calls.append(call), **options)
    assert [total for _, total in calls] == [2_500_000] * 4
    assert sorted(done for done, _ in calls) == [done for done, _ in calls]
    assert_sound(told, *items)


@pytest.mark.parametrize("method", ["auto", "branch_and_bound", "dynamic_programming"])
def test_nothing_to_choose_from_is_worth_nothing(method):
    for values, weights in (([], []), ([5], [3])):
        result = knapsack_01(values, weights, 2, method=method)
        assert (result.value, result.upper_bound, result.optimal) == (0.0, 0.0, True)
        assert not result.selection.any()
        assert len(result.selection) == len(values)


@pytest.mark.parametrize("method", ["branch_and_bound", "dynamic_programming"])
def test_a_knapsack_with_room_for_everything_takes_everything(method):
    assert knapsack_01([1, 2, 3], [4, 5, 6], 1e12, method=method).selection.all()


def test_a_selection_is_read_only_and_has_a_repr_for_people():
    result = knapsack_01([2.0, 3.0], [1.0, 2.0], 2.5)
    assert repr(result) == "Knapsack01(value=3, 1 of 2 items, optimal, by branch_and_bound)"
    with pytest.raises(ValueError, match="read-only"):
        result.selection[0] = True
    weights = np.arange(60.0) + 100
    stopped = knapsack_01(weights + 1, weights, 3000, method="branch_and_bound", node_limit=50)
    assert repr(stopped).endswith(f"upper_bound={stopped.upper_bound:g}, by branch_and_bound)")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (([1, 2], [1], 1), "values has length 2, weights has length 1"),
        (([-1], [1], 1), r"values\[0\] = -1.0: must be at least 0"),
        (([math.nan], [1], 1), r"values\[0\] = nan: must be finite"),
        (([1], [0], 1), r"weights\[0\] = 0.0: must be positive"),
        (([1], [1], 0), "capacity = 0.0: must be positive"),
        (([1e308] * 2, [1, 1], 1), "values: the sum over the items that fit must be finite"),
        (([1, 1], [1e308] * 2, 1e308), "weights: the sum over the items that fit must be finite"),
        (([1, 1e300], [1, 1e-300], 1), r"values\[1\] / weights\[1\]: must be finite"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, told):
    with pytest.raises(ValueError, match=told):
        knapsack_01(*arguments)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"method": "greedy"}, "method = 'greedy': must be one of 'auto'"),
        ({"node_limit": 0}, "node_limit = 0: must be at least 1"),
        ({"method": "dynamic_programming"}, r"weights\[1\] = 2.5: must be whole for dynamic programming"),
    ],
)
def test_bad_options_are_refused_by_name(options, told):
    with pytest.raises(ValueError, match=told):
        knapsack_01([1, 1], [1, 2.5], 3, **options)


def test_a_table_that_no_machine_would_fill_is_refused():
    huge = [1e13 + k for k in range(4)]
    with pytest.raises(ValueError, match="too large for a table of 4 items"):
        knapsack_01([1] * 4, huge, 3e13, method="dynamic_programming")


def test_each_kernel_of_the_room_is_compiled_once_for_the_one_layout_in_use():
    kernels = [getattr(_kernels, name) for name in _kernels.__all__ if name != "warm"]
    if not all(hasattr(kernel, "signatures") for kernel in kernels):
        pytest.skip("NUMBA_DISABLE_JIT is set: nothing is compiled")
    _kernels.warm()
    *items, _ = correlated()
    knapsack_01(*items, node_limit=100)
    knapsack_01(*items, method="branch_and_bound", node_limit=100)
    fractional_knapsack(*items)
    assert [len(kernel.signatures) for kernel in kernels] == [1] * len(kernels)
