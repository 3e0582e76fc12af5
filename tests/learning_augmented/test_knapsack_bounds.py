"""The closed forms at points where the answer is known otherwise."""

import math

import pytest

from learning_augmented.knapsack import (
    mix_consistency,
    mix_robustness,
    no_prediction_lower_bound,
    point_lower_bound,
    pp_advanced_ratio,
    trust_for_robustness,
    zcl_ratio,
)


def test_the_ratio_of_zcl_is_one_without_uncertainty_and_survives_extreme_ranges():
    assert zcl_ratio(7, 7) == 1.0
    assert zcl_ratio(1, math.e) == pytest.approx(2.0, rel=1e-15)
    assert zcl_ratio(1e-300, 1e300) == pytest.approx(1 + 600 * math.log(10), rel=1e-15)


def test_the_point_ratio_stops_at_two():
    assert [pp_advanced_ratio(weight) for weight in (0.0, 0.3, 1.0, 17.0)] == [1.0, 1.3, 2.0, 2.0]


@pytest.mark.parametrize("trust", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("trusted_ratio", [1.0, 1.4, 2.0])
def test_the_sharp_consistency_lies_between_the_parts_and_below_the_published_one(trust, trusted_ratio):
    sharp = mix_consistency(trust, trusted_ratio, 1, 1000)
    assert trusted_ratio < sharp < min(trusted_ratio / trust, zcl_ratio(1, 1000))


def test_a_mix_with_no_trust_is_zcl_and_with_full_trust_is_the_trusted_policy():
    assert mix_consistency(0, 1.5, 1, 1000) == pytest.approx(zcl_ratio(1, 1000), rel=1e-15)
    assert mix_consistency(1, 1.5, 1, 1000) == pytest.approx(1.5, rel=1e-15)
    assert mix_robustness(0, 1, 1000) == zcl_ratio(1, 1000)
    assert mix_robustness(1, 1, 1000) == math.inf


@pytest.mark.parametrize("trust", [0.0, 0.25, 0.9])
def test_trust_for_robustness_inverts_mix_robustness(trust):
    assert trust_for_robustness(mix_robustness(trust, 1, 50), 1, 50) == pytest.approx(trust, abs=1e-15)


def test_more_robustness_than_any_policy_has_is_refused():
    with pytest.raises(ValueError, match=r"robustness = 2.0: must be at least 1 \+ ln"):
        trust_for_robustness(2.0, 1, 1000)


@pytest.mark.parametrize("spread", [1.0, 4.0, 1000.0, 1e300])
def test_the_lower_bound_without_prediction_rises_to_the_ratio_of_zcl(spread):
    bounds = [no_prediction_lower_bound(spread, steps) for steps in (1, 10, 100, 10_000_000)]
    assert bounds == sorted(bounds)
    assert bounds[0] == pytest.approx(2 - 1 / spread, rel=1e-15)
    assert bounds[-1] == pytest.approx(no_prediction_lower_bound(spread), rel=1e-4)
    assert no_prediction_lower_bound(spread) == pytest.approx(zcl_ratio(1, spread), rel=1e-15)


def test_the_point_lower_bound_approaches_the_point_ratio():
    assert point_lower_bound(0.6, 1e-9, gap=1e-9) == pytest.approx(pp_advanced_ratio(0.6), rel=1e-8)
    assert point_lower_bound(0.6, 1.0, gap=0.1) == 1.0
    assert point_lower_bound(0.6, 0.5, gap=0.6) == 1.0


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: zcl_ratio(2, 1), "lower must not exceed upper"),
        (lambda: pp_advanced_ratio(-0.1), "critical_weight = -0.1: must be at least 0"),
        (lambda: mix_consistency(1.1, 2, 1, 2), r"trust = 1.1: must lie in \[0, 1\]"),
        (lambda: mix_consistency(0.5, 0.9, 1, 2), "trusted_ratio = 0.9: must be at least 1"),
        (lambda: mix_robustness(math.nan, 1, 2), "trust = nan: must be finite"),
        (lambda: no_prediction_lower_bound(0.5), "upper_over_lower = 0.5: must be at least 1"),
        (lambda: no_prediction_lower_bound(2, steps=0), "steps = 0: must be at least 1"),
        (lambda: point_lower_bound(1.5, 0.5, 0.1), r"critical_weight = 1.5: must lie in \(0, 1\]"),
        (lambda: point_lower_bound(0.5, 0.0, 0.1), r"prediction_over_upper = 0.0: must lie in \(0, 1\]"),
        (lambda: point_lower_bound(0.5, 0.5, 0.6), r"gap = 0.6: must lie in \[0, 0.5\]"),
    ],
)
def test_arguments_out_of_range_are_refused_by_name(call, told):
    with pytest.raises(ValueError, match=told):
        call()
