"""The claims about online knapsack against the product: their bounds, their unbroken policies, their adversaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    IPA,
    ZCL,
    Fr2Int,
    Mix,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    ZCLIntegral,
    interval_lower_bound,
    interval_ratio,
    mix_consistency,
    mix_robustness,
    no_prediction_lower_bound,
    point_lower_bound,
    pp_advanced_ratio,
    pp_basic_ratio,
    zcl_integral_ratio,
    zcl_ratio,
)
from proofs_checks.cases.knapsack import MixCase, PointGame, PointSetting, PredictedInstance, RisingGame, StagePolicy
from proofs_checks.checkers.knapsack import Policy, critical_by_sorting, play
from proofs_checks.claim import EveryInstance
from proofs_checks.claims.knapsack import (
    CLAIMS,
    assumptions,
    interval_mutants,
    intervals,
    lower_bounds,
    mutants,
    whole_mutants,
)
from proofs_checks.claims.knapsack.interval_cases import IntervalCase, IntervalGame, IntervalSetting
from proofs_checks.claims.knapsack.whole_cases import RoundingCase, fractional_policy
from proofs_checks.strategies.knapsack import mix_cases, predicted_instances
from proofs_checks.strategies.knapsack_intervals import interval_cases
from proofs_checks.strategies.knapsack_whole import rounding_cases, small_item_instances

_BY_ID = {claim.id: claim for claim in CLAIMS}
_TRIALS = {name: claim.trial for name, claim in _BY_ID.items() if isinstance(claim.trial, EveryInstance)}


# The claims state their bounds anew; here the two statements meet.


def _bound(name: str, case: object) -> float:
    return _TRIALS[name].compare(_BY_ID[name].subject, case).bound


@given(predicted_instances(right=True))
def test_the_products_ratios_are_the_bounds_of_the_claims(case: PredictedInstance) -> None:
    instance = case.instance
    weight = critical_by_sorting(instance).weight / instance.capacity
    assert _bound("knapsack.zcl.ratio", instance) == pytest.approx(zcl_ratio(instance.lower, instance.upper))
    assert _bound("knapsack.pp_basic.ratio", case) == pp_basic_ratio()
    assert _bound("knapsack.pp_advanced.ratio", case) == pytest.approx(pp_advanced_ratio(weight))


@given(mix_cases(right=True))
def test_the_products_mix_bounds_are_those_of_the_claims(case: MixCase) -> None:
    instance = case.instance
    weight = critical_by_sorting(instance).weight / instance.capacity
    trusted = pp_basic_ratio() if case.trusted == "basic" else pp_advanced_ratio(weight)
    assert _bound("knapsack.mix.consistency", case) == pytest.approx(
        mix_consistency(case.trust, trusted, instance.lower, instance.upper)
    )
    assert _bound("knapsack.mix.robustness", case) == pytest.approx(
        mix_robustness(case.trust, instance.lower, instance.upper)
    )


@given(interval_cases(right=True), small_item_instances())
def test_the_products_bounds_for_intervals_and_whole_items_are_those_of_the_claims(
    case: IntervalCase, small: OnlineKnapsackInstance
) -> None:
    assert _bound("knapsack.ipa.ratio", case) == pytest.approx(interval_ratio(case.low, case.high))
    known = zcl_integral_ratio(small.lower, small.upper, float(small.weights.max()))
    assert _bound("knapsack.zcl_integral.ratio", small) == pytest.approx(known)


# What the theorems need.


@pytest.mark.parametrize("assumption", assumptions.ASSUMPTIONS, ids=lambda assumption: assumption.breaks)
def test_the_bound_breaks_on_the_witness_that_an_assumption_names(assumption: assumptions.Assumption) -> None:
    trial = _TRIALS[assumption.breaks]
    assert not assumption.holds(assumption.witness)
    sides = trial.compare(_BY_ID[assumption.breaks].subject, assumption.witness)
    assert sides.violated(trial.rtol, trial.atol)


@pytest.mark.parametrize(
    ("name", "assumption"),
    [
        ("knapsack.ipa.ratio", assumptions.RIGHT_INTERVAL),
        ("knapsack.mix.interval_consistency", assumptions.RIGHT_INTERVAL),
        ("knapsack.zcl_integral.ratio", assumptions.SMALL_ITEMS),
        ("knapsack.zcl_integral.plain_ratio", assumptions.SMALL_ITEMS),
        ("knapsack.pp_basic.ratio", assumptions.FRACTIONAL_CRITICAL_VALUE),
        ("knapsack.pp_advanced.ratio", assumptions.FRACTIONAL_CRITICAL_VALUE),
        ("knapsack.pp_naive.ratio", assumptions.FRACTIONAL_CRITICAL_VALUE),
    ],
)
def test_every_instance_of_a_claim_satisfies_its_assumption(name: str, assumption: assumptions.Assumption) -> None:
    assert assumption.sentence in _BY_ID[name].assumptions
    rng = np.random.default_rng(0)
    drawn = [_TRIALS[name].draw(rng) for _ in range(50)]
    assert all(assumption.holds(case) for case in [*_TRIALS[name].known("smoke"), *drawn])


# The mutants differ from the product in the one step that they name, since the unbroken forms are equal.


def _plays_alike(ours: Policy, theirs: Policy, case: PredictedInstance) -> None:
    expected, found = play(theirs, case.instance), play(ours, case.instance)
    assert found.accepted == pytest.approx(expected.accepted, rel=1e-9, abs=1e-12)


@given(predicted_instances())
def test_the_unbroken_stepwise_policies_are_those_of_the_product(case: PredictedInstance) -> None:
    ends = case.instance.lower, case.instance.upper
    _plays_alike(mutants.StepwiseZCL(*ends), ZCL(*ends), case)
    _plays_alike(mutants.StepwisePPBasic(case.prediction), PPBasic(case.prediction), case)
    _plays_alike(mutants.StepwisePPAdvanced(case.prediction), PPAdvanced(case.prediction), case)


@given(interval_cases())
def test_the_unbroken_stepwise_interval_policy_is_that_of_the_product(case: IntervalCase) -> None:
    predicted = PredictedInstance(case.instance, case.low)
    _plays_alike(interval_mutants.StepwiseIPA(case.low, case.high), IPA(case.low, case.high), predicted)


@given(small_item_instances(), rounding_cases(), st.sampled_from(["floor", "ceil"]))
def test_the_unbroken_stepwise_policies_for_whole_items_are_those_of_the_product(
    small: OnlineKnapsackInstance, case: RoundingCase, mode: str
) -> None:
    theirs: Policy = ZCLIntegral(small.lower, small.upper)
    _plays_alike(whole_mutants.StepwiseZCLIntegral(small.lower, small.upper), theirs, PredictedInstance(small, 1.0))
    instance, largest = case.instance, float(case.instance.weights.max())
    if len(case.edges) * largest >= 1:
        return
    ends = instance.lower, instance.upper
    ours = whole_mutants.StepwiseFr2Int(fractional_policy(case), *ends, mode=mode, max_weight=largest, edges=case.edges)
    theirs = Fr2Int(fractional_policy(case), *ends, mode=mode, max_weight=largest, edges=case.edges)
    _plays_alike(ours, theirs, PredictedInstance(instance, 1.0))


# The policies that the lower bounds are tight for.


@given(st.floats(1, 100), st.floats(1, 1000), st.integers(1, 12), st.floats(0.01, 0.99))
def test_the_even_policy_through_an_interval_attains_the_lower_bound(
    high: float, jump: float, steps: int, gap: float
) -> None:
    setting = IntervalSetting(high, high * jump, steps, gap)
    best = intervals.even_interval_policy(setting)
    least = interval_lower_bound(high, 1 / jump, steps, gap)
    reached = _bound("knapsack.lower_bound.interval", IntervalGame(setting, best))
    assert reached == pytest.approx(least, rel=1e-6)


def test_the_published_interval_policy_misses_its_ratio_on_the_smallest_instance() -> None:
    batch = OnlineKnapsackInstance([2.0], [1.0], lower=1.0, upper=1000.0)
    assert 2.0 / play(IPA(2.0, 8.0), batch).value == pytest.approx(2 + np.log(4), rel=1e-12)
    published = interval_mutants.RangeOfAllPrices(2.0, 8.0, 1.0, 1000.0)
    assert 2.0 / play(published, batch).value == pytest.approx(6.628, abs=5e-4)


@given(st.floats(1.001, 1e6), st.integers(1, 20))
def test_the_even_policy_has_the_same_ratio_at_every_stop(upper: float, steps: int) -> None:
    game = RisingGame(upper, lower_bounds.even_policy(upper, steps))
    assert _bound("knapsack.lower_bound.no_prediction", game) == pytest.approx(no_prediction_lower_bound(upper, steps))


@given(st.floats(0.05, 1), st.floats(0.001, 1), st.floats(0.01, 0.9))
def test_the_even_policy_after_critical_items_attains_the_lower_bound(weight: float, share: float, part: float) -> None:
    setting = PointSetting(weight, share, part * weight)
    game = PointGame(setting, lower_bounds.even_point_policy(setting))
    least = point_lower_bound(weight, share, part * weight)
    assert _bound("knapsack.lower_bound.point", game) == pytest.approx(least)


@given(predicted_instances())
def test_any_policy_on_fixed_stages_is_a_stage_policy(case: PredictedInstance) -> None:
    instance = case.instance
    if instance.capacity != 1:
        return
    mixed = Mix(PPAdvanced(case.prediction), ZCL(instance.lower, instance.upper), 0.5)
    copied: StagePolicy = lower_bounds.stage_policy_of(mixed, instance)
    assert play(copied, instance).accepted == pytest.approx(play(mixed, instance).accepted, rel=1e-9, abs=1e-9)
