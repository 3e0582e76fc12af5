"""The claims about online knapsack against the product: their bounds, their unbroken policies, their adversaries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    ZCL,
    Mix,
    PPAdvanced,
    PPBasic,
    mix_consistency,
    mix_robustness,
    no_prediction_lower_bound,
    point_lower_bound,
    pp_advanced_ratio,
    pp_basic_ratio,
    zcl_ratio,
)
from proofs_checks.cases.knapsack import (
    MixCase,
    PointGame,
    PointSetting,
    PredictedInstance,
    RisingGame,
    StagePolicy,
)
from proofs_checks.checkers.knapsack import Policy, critical_by_sorting, play
from proofs_checks.claim import EveryInstance
from proofs_checks.claims.knapsack import CLAIMS, lower_bounds, mutants
from proofs_checks.strategies.knapsack import mix_cases, predicted_instances

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


# The policies that the lower bounds are tight for.


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
