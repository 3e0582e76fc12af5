"""ZCL against the threshold function itself, its theorem, and its best adversary."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import ZCL, OnlineKnapsackInstance, XIncreasing, zcl_ratio
from proofs_checks.testing import assert_competitive

ITEMS = st.lists(st.tuples(st.floats(0, 1), st.floats(1e-3, 3)), max_size=30)
"""Where in the logarithmic range the unit value lies, and the weight."""


def instance_in_range(items, lower, upper, capacity):
    values = [min(max(lower * (upper / lower) ** position, lower), upper) for position, _ in items]
    return OnlineKnapsackInstance(values, [weight for _, weight in items], lower, upper, capacity)


def asked_price(fraction, lower, upper):
    """Return the threshold function, in the form in which it is published."""
    ratio = 1 + math.log(upper / lower)
    return lower if fraction < 1 / ratio else lower * math.exp(ratio * fraction - 1)


def largest_fill_at(price, lower, upper):
    """Return the largest filled fraction at which `price` is still accepted, by bisection on the asked price."""
    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if asked_price(middle, lower, upper) <= price else (low, middle)
    return low


def reference_run(instance):
    filled, accepted = 0.0, []
    for price, weight in zip(instance.unit_values.tolist(), instance.weights.tolist(), strict=True):
        limit = instance.capacity * largest_fill_at(price, instance.lower, instance.upper)
        accepted.append(max(0.0, min(weight, limit - filled)))
        filled += accepted[-1]
    return accepted


def optimum_by_sorting(instance):
    room, total = instance.capacity, 0.0
    for value, weight in sorted(zip(instance.unit_values, instance.weights, strict=True), reverse=True):
        total += value * min(weight, room)
        room -= min(weight, room)
    return total


@given(items=ITEMS, spread=st.sampled_from([1.0, 1.5, 20.0, 1e6]), capacity=st.sampled_from([0.3, 1.0, 5.0]))
def test_decisions_are_those_of_the_threshold_function(items, spread, capacity):
    instance = instance_in_range(items, 2.0, 2.0 * spread, capacity)
    run = ZCL(instance.lower, instance.upper).run(instance)
    assert run.accepted.tolist() == pytest.approx(reference_run(instance), abs=1e-9 * capacity)
    assert run.used == pytest.approx(math.fsum(run.accepted), rel=1e-12)


def test_no_instance_costs_more_than_one_plus_the_logarithm():
    uppers, capacities = st.sampled_from([2.0, 3.0, 40.0, 2e6]), st.sampled_from([0.3, 1.0, 5.0])
    assert_competitive(
        lambda instance: ZCL(instance.lower, instance.upper),
        lambda instance: 1 + math.log(instance.upper / instance.lower),
        instances=st.builds(instance_in_range, ITEMS.filter(bool), st.just(2.0), uppers, capacities),
    )


def test_rising_prices_bring_it_within_one_percent_of_its_bound():
    ratio = max(
        optimum_by_sorting(instance) / ZCL(1, 1000).run(instance).value
        for instance in XIncreasing(1, 1000, steps=400).instances()
    )
    assert 0.99 * zcl_ratio(1, 1000) <= ratio <= zcl_ratio(1, 1000)


@pytest.mark.parametrize(("lower", "upper"), [(1.0, 1e300), (1e-300, 1.0), (1e-150, 1e150), (1e300, 1e300)])
def test_ranges_near_the_ends_of_floating_point_are_safe(lower, upper):
    ratio = 1 + math.log(upper) - math.log(lower)
    policy = ZCL(lower, upper)
    assert policy.offer(lower, 7.0) == pytest.approx(1 / ratio, rel=1e-12)
    middle = math.sqrt(lower) * math.sqrt(upper)
    assert policy.offer(middle, 7.0) == pytest.approx((ratio - 1) / 2 / ratio, rel=1e-12)
    policy.offer(upper, 7.0)
    assert policy.state["filled"] == pytest.approx(1.0, rel=1e-12)
    instance = OnlineKnapsackInstance([lower, middle, upper], [7.0] * 3, lower, upper)
    assert ZCL(lower, upper).run(instance).used == pytest.approx(1.0, rel=1e-12)


@given(position=st.floats(0, 1), weights=st.lists(st.floats(1e-9, 1), min_size=1, max_size=20))
def test_the_same_price_again_gets_exactly_nothing_once_its_threshold_is_reached(position, weights):
    policy = ZCL(3.0, 700.0)
    price = 3.0 + position * 697.0
    policy.offer(price, 2.0)
    assert [policy.offer(price, weight) for weight in weights] == [0.0] * len(weights)


@given(items=ITEMS.filter(bool))
def test_the_fill_never_exceeds_the_threshold_of_the_highest_price_seen(items):
    instance = instance_in_range(items, 1.0, 50.0, 1.0)
    limit = (1 + math.log(instance.unit_values.max())) / (1 + math.log(50.0))
    assert ZCL(1.0, 50.0).run(instance).used <= limit * (1 + 1e-12)


def test_prices_a_rounding_error_outside_the_range_are_taken_and_do_not_overfill():
    policy = ZCL(1.0, 8.0)
    assert policy.offer(8.0 * (1 + 9e-13), 5.0) == 1.0
    assert ZCL(2.0, 8.0).offer(2.0 * (1 - 9e-13), 5.0) == pytest.approx(1 / (1 + math.log(4)), rel=1e-11)


@pytest.mark.parametrize(
    ("unit_value", "weight", "told"),
    [
        (0.5, 1.0, r"unit_value = 0.5: must lie in \[1, 10\]"),
        (10.1, 1.0, r"unit_value = 10.1: must lie in \[1, 10\]"),
        (math.nan, 1.0, "unit_value = nan"),
        (2.0, 0.0, "weight = 0.0: must be positive and finite"),
        (2.0, -1.0, "weight = -1.0: must be positive and finite"),
        (2.0, math.nan, "weight = nan: must be positive and finite"),
        (2.0, math.inf, "weight = inf: must be positive and finite"),
    ],
)
def test_a_bad_item_is_refused_and_changes_nothing(unit_value, weight, told):
    policy = ZCL(1, 10)
    policy.offer(2.0, 0.1)
    before = policy.state
    with pytest.raises(ValueError, match=told):
        policy.offer(unit_value, weight)
    assert policy.state == before


def test_a_run_refuses_unit_values_outside_the_policys_own_range():
    instance = OnlineKnapsackInstance([2.0, 50.0], [1.0, 1.0], lower=1, upper=100)
    with pytest.raises(ValueError, match=r"unit_values\[1\] = 50.0: must lie in \[1.0, 10.0\]"):
        ZCL(1, 10).run(instance)
    assert ZCL(2, 50).run(instance).value > 0


@pytest.mark.parametrize(
    ("lower", "upper", "told"),
    [
        (0, 1, "lower = 0.0: must be positive"),
        (1, math.nan, "upper = nan: must be finite"),
        (2, 1, "lower = 2.0, upper = 1.0: lower must not exceed upper"),
    ],
)
def test_a_bad_range_is_refused(lower, upper, told):
    with pytest.raises(ValueError, match=told):
        ZCL(lower, upper)


def test_the_repr_reads_like_the_call():
    assert repr(ZCL(1.0, 1000)) == "ZCL(lower=1, upper=1000)"
    assert repr(ZCL(0.1, 1e300)) == "ZCL(lower=0.1, upper=1e+300)"
