"""The adversaries are what they say: exact ends, legal instances, right predictions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import ParetoAdversary, PointAdversary, PPAdvanced, XIncreasing, critical_value


@given(lower=st.floats(1e-300, 1e3), factor=st.floats(1, 1e290), steps=st.integers(1, 60))
def test_rising_prices_have_exact_ends_and_equal_ratios(lower, factor, steps):
    upper = lower * factor
    prices = [price for price, _ in XIncreasing(lower, upper, steps).stages()]
    assert (prices[0], prices[-1], len(prices)) == (lower, upper, steps + 1)
    assert prices == sorted(prices)
    logs = np.log(prices)
    assert np.diff(logs) == pytest.approx((logs[-1] - logs[0]) / steps, abs=1e-12)


def test_the_price_that_meets_the_prediction_is_not_off_by_a_rounding_error():
    assert 2.0 * (4.0 ** (1 / 30)) ** 30 > 8.0
    assert ParetoAdversary(prediction=8, lower=2, upper=100, steps=30, gap=0.1).stages()[30] == (8.0, 1.0)


@given(
    prediction=st.floats(0.1, 100),
    above=st.floats(1, 1e5),
    weight=st.floats(0.01, 1),
    gap_share=st.floats(0.001, 0.999),
)
def test_at_both_stops_of_the_point_adversary_the_prediction_is_right(prediction, above, weight, gap_share):
    adversary = PointAdversary(prediction, prediction * above, weight, weight * gap_share)
    first, second = adversary.instances()
    assert critical_value(first).value == prediction
    assert critical_value(first).weight == weight
    # With the upper end as prediction, both batches are one.
    expected = prediction if above > 1 + 1e-9 else pytest.approx(prediction, rel=1e-9)
    assert critical_value(second).value == expected
    assert first == second.prefix(1)


@given(prediction=st.floats(1, 1e4), above=st.floats(1.001, 1e4), steps=st.integers(1, 12), gap=st.floats(1e-3, 0.999))
def test_the_prediction_of_the_pareto_adversary_is_right_at_the_last_two_stops(prediction, above, steps, gap):
    adversary = ParetoAdversary(prediction, 1.0, prediction * above, steps, gap)
    instances = adversary.instances()
    assert len(instances) == len(adversary.stops()) == steps + 2
    assert [critical_value(instance).value for instance in instances[-2:]] == [prediction] * 2
    assert [len(instance) for instance in instances] == adversary.stops()
    last = PPAdvanced(prediction).run(instances[-1])
    assert critical_value(instances[-1]).optimum <= 2 * last.value


def test_instances_share_the_known_range_and_capacity_one():
    for adversary in (
        XIncreasing(2, 50, 3),
        PointAdversary(7, 50, 0.5, 0.1, lower=2),
        ParetoAdversary(7, 2, 50, 3, 0.1),
    ):
        for instance in adversary.instances():
            assert (instance.lower, instance.upper, instance.capacity) == (2.0, 50.0, 1.0)
            assert instance == adversary.instance(len(instance))


def test_the_range_of_the_point_adversary_begins_at_the_prediction_unless_told_otherwise():
    assert PointAdversary(7, 50, 0.5, 0.1).lower == 7.0
    assert repr(PointAdversary(7, 50, 0.5, 0.1)) == (
        "PointAdversary(prediction=7.0, upper=50.0, critical_weight=0.5, gap=0.1, lower=7.0)"
    )


@pytest.mark.parametrize("stop", [0, 5, -1])
def test_a_stop_that_does_not_exist_is_refused(stop):
    with pytest.raises(ValueError, match=f"stop = {stop}: must be between 1 and 4"):
        XIncreasing(1, 8, 3).instance(stop)


@pytest.mark.parametrize(
    ("build", "told"),
    [
        (lambda: XIncreasing(2, 1, 3), "lower must not exceed upper"),
        (lambda: XIncreasing(1, 2, 0), "steps = 0: must be at least 1"),
        (lambda: XIncreasing(0, 2, 1), "lower = 0.0: must be positive"),
        (lambda: PointAdversary(5, 4, 0.5, 0.1), "prediction must not exceed upper"),
        (lambda: PointAdversary(5, 9, 1.5, 0.1), r"critical_weight = 1.5: must lie in \(0, 1\]"),
        (lambda: PointAdversary(5, 9, 0.5, 0.6), "gap must not exceed critical_weight"),
        (lambda: PointAdversary(5, 9, 1.0, 1.0), r"gap = 1.0: must lie in \(0, 1\)"),
        (lambda: PointAdversary(5, 9, 0.5, 0.0), r"gap = 0.0: must lie in \(0, 1\)"),
        (lambda: PointAdversary(5, 9, 0.5, 0.1, lower=6), "lower must not exceed prediction"),
        (lambda: ParetoAdversary(1, 2, 9, 3, 0.1), "lower must not exceed prediction"),
        (lambda: ParetoAdversary(10, 2, 9, 3, 0.1), "prediction must not exceed upper"),
        (lambda: ParetoAdversary(5, 2, 9, 3, math.nan), "gap = nan: must be finite"),
    ],
)
def test_parameters_out_of_range_are_refused_by_name(build, told):
    with pytest.raises(ValueError, match=told):
        build()
