"""The claims about online knapsack: each holds, each mutant is convicted, each worst case can be replayed."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    PP_BASIC_RATIO,
    ZCL,
    Mix,
    PPAdvanced,
    PPBasic,
    mix_consistency,
    mix_robustness,
    no_prediction_lower_bound,
    point_lower_bound,
    point_ratio,
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
from proofs_checks.claim import Claim, EveryInstance
from proofs_checks.claims.knapsack import CLAIMS, lower_bounds, mutants
from proofs_checks.judge import judge
from proofs_checks.records.encoding import decode, encode
from proofs_checks.registry import how_to_install, missing_packages
from proofs_checks.strategies.knapsack import mix_cases, predicted_instances

_BY_ID = {claim.id: claim for claim in sorted(CLAIMS, key=lambda claim: claim.id)}
_TRIALS = {name: claim.trial for name, claim in _BY_ID.items() if isinstance(claim.trial, EveryInstance)}
_FALSE = "knapsack.zcl.logarithm_alone"


def _claim(name: str) -> Claim:
    claim = _BY_ID[name]
    if missing := missing_packages(claim):
        pytest.skip(f"{name} needs {', '.join(missing)}: {how_to_install(missing)}")
    return claim


@pytest.mark.parametrize("name", _BY_ID)
def test_the_claim_gets_its_expected_verdict_at_smoke_effort(name: str) -> None:
    evidence = judge(_claim(name), effort="smoke")
    assert evidence.as_expected, evidence


@pytest.mark.parametrize(("name", "mutant"), [(name, mutant) for name in _BY_ID for mutant in _BY_ID[name].mutants])
def test_the_mutant_is_convicted_at_smoke_effort(name: str, mutant: str) -> None:
    evidence = judge(_claim(name), effort="smoke", mutant=mutant)
    convicting = "holds" if name == _FALSE else "violated"  # the variant of a false statement is the true one
    assert evidence.verdict == convicting, evidence


@pytest.mark.parametrize("name", [name for name, trial in _TRIALS.items() if trial.strategy and name != _FALSE])
@given(data=st.data())
def test_the_claim_holds_on_whatever_its_strategy_draws(name: str, data: st.DataObject) -> None:
    trial = _TRIALS[name]
    assert trial.strategy is not None
    sides = trial.compare(_BY_ID[name].subject, data.draw(trial.strategy()))
    assert not sides.violated(trial.rtol, trial.atol), sides


@pytest.mark.parametrize("name", _TRIALS)
def test_known_and_random_instances_survive_a_replay_file(name: str) -> None:
    _claim(name)
    trial = _TRIALS[name]
    instances = [*trial.known("smoke"), trial.draw(np.random.default_rng(0))]
    assert len(instances) > 1
    for instance in instances:
        assert decode(json.loads(json.dumps(encode(instance))), trial.instance_types) == instance


@pytest.mark.parametrize("name", _BY_ID)
def test_a_statement_keeps_its_formulas_in_one_line_each(name: str) -> None:
    statement = _BY_ID[name].statement
    assert statement.count("$") % 2 == 0
    for formula in re.findall(r"\$[^$]*\$", statement):
        assert "\n" not in formula  # a line that begins with + or - would be a list in markdown


def test_the_topic_stays_within_its_budget_of_a_minute() -> None:
    assert sum(claim.cost for claim in CLAIMS) <= 60


# The claims state their bounds anew; here the two statements meet.


def _bound(name: str, case: object) -> float:
    return _TRIALS[name].compare(_BY_ID[name].subject, case).bound


@given(predicted_instances(right=True))
def test_the_products_ratios_are_the_bounds_of_the_claims(case: PredictedInstance) -> None:
    instance = case.instance
    weight = critical_by_sorting(instance).weight / instance.capacity
    assert _bound("knapsack.zcl.ratio", instance) == pytest.approx(zcl_ratio(instance.lower, instance.upper))
    assert _bound("knapsack.pp_basic.ratio", case) == PP_BASIC_RATIO
    assert _bound("knapsack.pp_advanced.ratio", case) == pytest.approx(point_ratio(weight))


@given(mix_cases(right=True))
def test_the_products_mix_bounds_are_those_of_the_claims(case: MixCase) -> None:
    instance = case.instance
    weight = critical_by_sorting(instance).weight / instance.capacity
    trusted = PP_BASIC_RATIO if case.trusted == "basic" else point_ratio(weight)
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
