"""Sentinel: what it promises it keeps, and it promises as much as is possible."""

import itertools
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from learning_augmented.knapsack import OnlineKnapsackInstance, Sentinel

PRICES = st.lists(st.sampled_from([1.0, 2.0, 3.0, 5.0, 9.0, 40.0]), min_size=1, max_size=4, unique=True).map(sorted)
SHARES = st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.2]), min_size=8, max_size=8)


def optimum_by_sorting(items):
    room, total = 1.0, 0.0
    for value, weight in sorted(items, reverse=True):
        total += value * min(weight, room)
        room -= min(weight, room)
    return total


def predictions_of(prices, shares):
    low = dict(zip(prices, shares, strict=False))
    return low, {price: low[price] + extra for price, extra in zip(prices, shares[4:], strict=False)}


@given(prices=PRICES, shares=SHARES, corner=st.lists(st.booleans(), min_size=4, max_size=4), order=st.randoms())
def test_it_keeps_its_promise_at_every_corner_in_every_order(prices, shares, corner, order):
    low, high = predictions_of(prices, shares)
    items = [(price, (high if most else low)[price]) for price, most in zip(prices, corner, strict=False)]
    items = [(price, weight / 3) for price, weight in items for _ in range(3) if weight > 0]
    order.shuffle(items)
    policy = Sentinel(low, high)
    accepted = [policy.offer(value, weight) for value, weight in items]
    value = math.fsum(price * taken for (price, _), taken in zip(items, accepted, strict=True))
    assert optimum_by_sorting(items) <= policy.ratio * value * (1 + 1e-9) + 1e-12
    assert math.fsum(accepted) <= 1 + 1e-9


def best_promise(prices, low, high):
    """The largest promise of any policy on the nested instances: cheap prices first, at their most; then the least.

    The policy sees the cheap prices arrive at their most weight and may be stopped there; after each stop, the dearer
    prices bring their least weight. Variables are what it holds of each price when the rise goes on, what it takes of
    the dearer ones after each stop, and the promise.
    """
    count = len(prices)
    kept = list(range(count))
    after = {}
    for stop in range(count + 1):
        for price in range(stop, count):
            after[stop, price] = count + len(after)
    size = count + len(after) + 1
    rows, limits = [], []
    for stop in range(count + 1):
        optimum = optimum_by_sorting(
            [(prices[j], high[prices[j]] if j < stop else low[prices[j]]) for j in range(count)]
        )
        value, weight = [0.0] * size, [0.0] * size
        for price in range(count):
            variable = kept[price] if price < stop else after[stop, price]
            value[variable], weight[variable] = -prices[price], 1.0
        value[-1] = optimum
        rows += [value, weight]
        limits += [0.0, 1.0]
    bounds = [(0, high[price]) for price in prices] + [(0, low[prices[price]]) for _, price in after] + [(0, 1)]
    program = linprog([0.0] * (size - 1) + [-1.0], A_ub=rows, b_ub=limits, bounds=bounds)
    assert program.status == 0
    return -program.fun


@given(prices=PRICES, shares=SHARES)
def test_it_promises_as_much_as_the_best_of_all_policies(prices, shares):
    low, high = predictions_of(prices, shares)
    assert 1 / Sentinel(low, high).ratio == pytest.approx(best_promise(prices, low, high), rel=1e-7)


def test_exact_frequencies_lose_nothing_and_prices_alone_give_the_best_ratio_without_prediction():
    exact = {1.0: 0.4, 3.0: 0.3, 7.0: 0.5}
    assert Sentinel(exact, exact).ratio == pytest.approx(1.0, rel=1e-12)
    prices = [1.0, 2.0, 8.0, 9.0]
    best = 1 + sum(1 - below / above for below, above in itertools.pairwise(prices))
    assert Sentinel({}, dict.fromkeys(prices, 1.0)).ratio == pytest.approx(best, rel=1e-12)


def test_narrower_ranges_never_promise_less():
    ratios = [
        Sentinel({1.0: 0.5 - half, 5.0: 0.4 - half}, {1.0: 0.5 + half, 5.0: 0.4 + half}).ratio
        for half in (0.0, 0.1, 0.2, 0.3, 0.4)
    ]
    assert ratios == sorted(ratios)


def test_a_dear_item_uses_the_room_at_lower_prices_and_a_cheap_one_not_that_at_higher():
    policy = Sentinel({}, {1.0: 1.0, 4.0: 1.0})
    assert policy.budgets == pytest.approx([4 / 7, 3 / 7])
    assert policy.offer(4.0, 1.0) == pytest.approx(1.0)
    policy.reset()
    assert policy.offer(1.0, 1.0) == pytest.approx(4 / 7)
    assert policy.offer(2.0, 1.0) == 0.0  # an unknown price is read as the next one below
    assert policy.offer(0.5, 1.0) == 0.0


def test_an_instance_of_another_capacity_and_one_with_unknown_prices_run_as_they_are_offered():
    policy = Sentinel({2.0: 0.1}, {2.0: 0.5, 6.0: 0.5})
    instance = OnlineKnapsackInstance([1.0, 2.0, 7.0, 6.0], [2.0, 1.0, 0.5, 5.0], 1, 8, capacity=4.0)
    policy.reset(4.0)
    stepwise = [policy.offer(*item) for item in zip(instance.unit_values, instance.weights, strict=True)]
    assert policy.run(instance).accepted == pytest.approx(stepwise, abs=1e-12)
    assert stepwise[0] == 0.0


def test_a_state_goes_back_and_a_damaged_one_is_refused():
    policy = Sentinel({1.0: 0.5, 4.0: 0.25}, {1.0: 2.0, 4.0: 0.5})
    policy.offer(4.0, 0.3)
    saved = json.loads(json.dumps(policy.state))
    again = Sentinel({1.0: 0.5, 4.0: 0.25}, {1.0: 2.0, 4.0: 0.5})
    again.restore(saved)
    assert again.state == saved
    for change, told in (
        ({"rooms": [0.1]}, r"state\['rooms'\]: must hold 2 numbers, holds 1"),
        ({"rooms": [0.1, 2.0]}, r"state\['rooms'\]\[1\] = 2.0: must lie in \[0, 1\]"),
        ({"high": [9.0, 9.0]}, r"state\['high'\]"),
    ):
        with pytest.raises(ValueError, match=told):
            again.restore(saved | change)


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        ({}, {}, "frequency_high: must hold at least one price"),
        ({2.0: 0.1}, {1.0: 0.5}, r"frequency_low\[2.0\]: frequency_high has no such price"),
        ({1.0: 0.6}, {1.0: 0.5}, r"frequency_low\[1.0\] = 0.6: must not exceed frequency_high\[1.0\] = 0.5"),
        ({}, {1.0: -0.5}, r"frequency_high\[1.0\] = -0.5: must be at least 0"),
        ({}, {1.0: 0.5, 1.0 + 1e-13: 0.5}, "are tied, must be distinct"),
        ({}, {-1.0: 0.5}, "price = -1.0: must be positive"),
    ],
)
def test_bad_frequencies_are_refused_by_name(low, high, told):
    with pytest.raises(ValueError, match=told):
        Sentinel(low, high)


def test_frequencies_that_are_no_mapping_are_refused():
    with pytest.raises(TypeError, match="frequency_low = 3: must map prices to weights, got int"):
        Sentinel(3, {1.0: 1.0})
