"""ZCL for whole items: all or nothing, never over capacity, and a ratio that depends on the items' size."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    ZCL,
    OnlineKnapsackInstance,
    XIncreasing,
    ZCLIntegral,
    run_batch,
    zcl_integral_ratio,
    zcl_ratio,
)

LOWER, UPPER = 1.0, 50.0
ITEMS = st.lists(st.tuples(st.floats(LOWER, UPPER), st.floats(1e-3, 0.7)), min_size=1, max_size=40)


def optimum_by_sorting(items):
    room, total = 1.0, 0.0
    for value, weight in sorted(items, reverse=True):
        total += value * min(weight, room)
        room -= min(weight, room)
    return total


def offer_all(items):
    policy = ZCLIntegral(LOWER, UPPER)
    return [policy.offer(value, weight) for value, weight in items]


@given(items=ITEMS)
def test_an_item_is_accepted_whole_or_not_at_all_and_what_is_accepted_fits(items):
    accepted = offer_all(items)
    assert all(taken in (0.0, weight) for taken, (_, weight) in zip(accepted, items, strict=True))
    assert math.fsum(accepted) <= 1 + 1e-11


@given(items=ITEMS)
def test_an_item_is_accepted_exactly_if_it_fits_and_reaches_the_threshold(items):
    ratio, filled = 1 + math.log(UPPER / LOWER), 0.0
    for (value, weight), taken in zip(items, offer_all(items), strict=True):
        threshold = LOWER * math.exp(max(0.0, ratio * filled - 1))
        assume(abs(value / threshold - 1) > 1e-9)
        assume(abs(filled + weight - 1) > 1e-9)
        assert taken == (weight if value > threshold and filled + weight < 1 else 0.0)
        filled += taken


@given(items=ITEMS)
def test_the_optimum_is_within_the_ratio_for_the_size_of_the_items(items):
    largest = max(weight for _, weight in items)
    value = math.fsum(price * taken for (price, _), taken in zip(items, offer_all(items), strict=True))
    assert optimum_by_sorting(items) <= zcl_integral_ratio(LOWER, UPPER, largest) * value * (1 + 1e-9)


def test_the_ratio_of_the_fractional_policy_is_exceeded_by_items_of_a_tenth():
    prices, weights = zip(*XIncreasing(1.0, 10.0, 40).stages(), strict=True)
    instance = OnlineKnapsackInstance(np.repeat(prices, 10), np.repeat(weights, 10) / 10, 1.0, 10.0)
    ratios = [
        optimum_by_sorting(zip(part.unit_values, part.weights, strict=True)) / ZCLIntegral(1, 10).run(part).value
        for part in (instance.prefix(count) for count in range(10, len(instance) + 1, 10))
    ]
    assert zcl_ratio(1, 10) * 1.1 < max(ratios) <= zcl_integral_ratio(1, 10, 0.1)


def test_small_items_lose_nothing_against_the_fractional_policy_in_the_limit():
    rng = np.random.default_rng(0)
    values = rng.uniform(LOWER, UPPER, 20_000)
    instance = OnlineKnapsackInstance(values, np.full(20_000, 2e-4), LOWER, UPPER)
    whole, cut = ZCLIntegral(LOWER, UPPER).run(instance), ZCL(LOWER, UPPER).run(instance)
    assert whole.value == pytest.approx(cut.value, rel=1e-3)


def test_ten_items_of_a_tenth_fit_whatever_their_sum_rounds_to():
    policy = ZCLIntegral(5, 5)
    assert [policy.offer(5, 0.1) for _ in range(11)] == [0.1] * 10 + [0.0]
    policy.reset()
    assert [policy.offer(5, weight) for weight in (0.7, 0.2, 0.1)] == [0.7, 0.2, 0.1]


def test_after_a_cheap_speck_a_dear_item_of_the_knapsacks_size_does_not_fit():
    assert ZCLIntegral(1, 100).run(OnlineKnapsackInstance([1.0, 100.0], [1e-6, 1.0], 1, 100)).value == 1e-6


def test_bad_items_bad_ranges_and_rows_out_of_range_are_refused_by_name():
    with pytest.raises(ValueError, match="lower must not exceed upper"):
        ZCLIntegral(2, 1)
    with pytest.raises(ValueError, match=r"unit_value = 12.0: must lie in \[1, 10\]"):
        ZCLIntegral(1, 10).offer(12.0, 0.5)
    with pytest.raises(ValueError, match="weight = nan"):
        ZCLIntegral(1, 10).offer(2.0, math.nan)
    with pytest.raises(ValueError, match=r"unit_values\[0\] = 12.0"):
        ZCLIntegral(1, 10).run(OnlineKnapsackInstance([12.0], [0.5], 1, 20))
    with pytest.raises(ValueError, match=r"row 1: unit_values\[0\] = 5.0"):
        run_batch([ZCLIntegral(1, 9), ZCLIntegral(1, 2)], [[5.0], [5.0]], [[0.5], [0.5]])
    with pytest.raises(ValueError, match=r"max_weight = 0.9: must lie in"):
        zcl_integral_ratio(1, 10, 0.9)
