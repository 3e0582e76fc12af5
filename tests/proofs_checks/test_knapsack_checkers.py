"""The independent re-computation of online knapsack, against linear programs and by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.cases.knapsack import StagePolicy
from proofs_checks.checkers.knapsack import (
    Played,
    competitive_ratio,
    critical_by_sorting,
    optimum_by_sorting,
    play,
)
from proofs_checks.strategies.knapsack import online_knapsack_instances

_QUARTERS = st.integers(1, 12).map(lambda count: count / 4)
_ITEMS = st.lists(st.tuples(st.integers(1, 5).map(float), _QUARTERS), min_size=1, max_size=7)


def _optimum_by_linear_program(instance: OnlineKnapsackInstance, capacity: float) -> float:
    solved: Any = linprog(
        -instance.unit_values,
        A_ub=np.ones((1, len(instance))),
        b_ub=[capacity],
        bounds=[(0, weight) for weight in instance.weights],
    )
    assert solved.status == 0
    return float(-solved.fun)


def _instance(items: list[tuple[float, float]], capacity: float) -> OnlineKnapsackInstance:
    values, weights = zip(*items, strict=True)
    return OnlineKnapsackInstance(values, weights, 1.0, 5.0, capacity)


@given(online_knapsack_instances())
def test_the_optimum_by_sorting_is_that_of_the_linear_program(instance: OnlineKnapsackInstance) -> None:
    assert optimum_by_sorting(instance) == pytest.approx(
        _optimum_by_linear_program(instance, instance.capacity), rel=1e-7
    )


@given(_ITEMS, _QUARTERS)
def test_the_critical_value_is_the_slope_of_the_optimum_in_the_capacity(
    items: list[tuple[float, float]], capacity: float
) -> None:
    # All amounts are quarters: the optimum is linear on the last eighth of the capacity.
    instance = _instance(items, capacity)
    total = float(instance.weights.sum())
    if total < capacity:
        expected = min(value for value, _ in items)
    else:
        slope = _optimum_by_linear_program(instance, capacity) - _optimum_by_linear_program(instance, capacity - 1 / 8)
        expected = 8 * slope
    assert critical_by_sorting(instance).value == pytest.approx(expected, rel=1e-6)


@given(_ITEMS, _QUARTERS)
def test_weights_at_and_above_the_critical_value_are_those_of_the_items(
    items: list[tuple[float, float]], capacity: float
) -> None:
    critical = critical_by_sorting(_instance(items, capacity))
    assert critical.weight == sum(weight for value, weight in items if value == critical.value)
    assert critical.weight_above == sum(weight for value, weight in items if value > critical.value)
    assert critical.value_above == sum(value * weight for value, weight in items if value > critical.value)
    assert critical.weight_above < capacity


def test_prices_that_differ_by_rounding_only_are_one_critical_price() -> None:
    instance = OnlineKnapsackInstance([3.0, 3.0 * (1 + 1e-15)], [0.75, 0.75], 1.0, 4.0)
    assert critical_by_sorting(instance).weight == 1.5
    assert critical_by_sorting(instance).weight_above == 0


def test_an_empty_instance_has_no_critical_value_and_optimum_zero() -> None:
    empty = OnlineKnapsackInstance([], [], 1.0, 2.0)
    assert optimum_by_sorting(empty) == 0
    with pytest.raises(ValueError, match="at least one item"):
        critical_by_sorting(empty)


class _Saying:
    """A policy that says the given amounts, whatever it is offered."""

    def __init__(self, *amounts: float) -> None:
        self.amounts = amounts

    def reset(self, capacity: float = 1.0) -> None:
        self.said = 0

    def offer(self, unit_value: float, weight: float) -> float:
        self.said += 1
        return self.amounts[self.said - 1]


@pytest.mark.parametrize(
    ("amounts", "fault"),
    [
        ((0.5, -0.25), "item 1: the accepted weight -0.25 is negative"),
        ((math.nan, 0.0), "item 0: the accepted weight is not a number"),
        ((0.0, 0.875), "item 1: 0.875 is accepted of a weight of 0.75"),
        ((0.5, 0.75), "item 1: 1.25 of a capacity of 1 is used"),
    ],
)
def test_an_infeasible_decision_is_told_and_counts_as_infinite(amounts: tuple[float, ...], fault: str) -> None:
    played = play(_Saying(*amounts), OnlineKnapsackInstance([1.0, 2.0], [0.5, 0.75], 1.0, 2.0))
    assert played.fault == fault
    assert not played.feasible
    assert competitive_ratio(1.0, played) == math.inf


def test_a_feasible_play_adds_up_and_resets_the_policy_first() -> None:
    instance = OnlineKnapsackInstance([1.0, 2.0], [0.5, 0.75], 1.0, 2.0)
    policy = StagePolicy((1.0, 1.0))
    first, second = play(policy, instance), play(policy, instance)
    assert first == second == Played(value=1.5, accepted=(0.5, 0.5))


def test_rounding_on_a_full_knapsack_is_no_fault() -> None:
    tenths = OnlineKnapsackInstance([1.0] * 10, [0.1 + 1e-12] * 10, 1.0, 1.0)
    assert play(_Saying(*[0.1 + 1e-12] * 10), tenths).feasible


def test_collecting_nothing_is_infinite_unless_there_is_nothing() -> None:
    assert competitive_ratio(2.0, Played(0.0, (0.0,))) == math.inf
    assert competitive_ratio(0.0, Played(0.0, ())) == 1.0
