"""Mix is a convex combination of two policies that never share a knapsack."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algos.knapsack import fractional_knapsack
from learning_augmented.knapsack import (
    ZCL,
    Mix,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    mix_consistency,
    mix_robustness,
    power_law,
    pp_advanced_ratio,
)
from proofs_checks.testing import assert_competitive

LOWER, UPPER = 1.0, 60.0
ITEMS = st.lists(st.tuples(st.sampled_from([1.0, 4.0, 9.0, 20.0, 60.0]), st.floats(1e-3, 1.5)), min_size=1, max_size=12)
TRUST = st.floats(0, 1)


def instance_of(items, capacity=1.0):
    return OnlineKnapsackInstance(*zip(*items, strict=True), LOWER, UPPER, capacity)


def optimum_by_sorting(items):
    room, total = 1.0, 0.0
    for value, weight in sorted(items, reverse=True):
        total += value * min(weight, room)
        room -= min(weight, room)
    return total


@given(items=ITEMS, trust=TRUST, prediction=st.sampled_from([0.1, 4.0, 15.0, 1e4]))
def test_what_is_accepted_is_linear_in_trust_and_fits(items, trust, prediction):
    instance = instance_of(items)
    trusted, robust = PPAdvanced(prediction).run(instance), ZCL(LOWER, UPPER).run(instance)
    mixed = Mix(PPAdvanced(prediction), ZCL(LOWER, UPPER), trust).run(instance)
    for got, one, other in (
        (mixed.accepted, trusted.accepted, robust.accepted),
        (mixed.value, trusted.value, robust.value),
        (mixed.used, trusted.used, robust.used),
    ):
        assert got == pytest.approx(trust * one + (1 - trust) * other, rel=1e-12, abs=1e-15)
    assert math.fsum(mixed.accepted) <= 1 + 1e-12
    assert (mixed.accepted <= instance.weights * (1 + 1e-15)).all()


@pytest.mark.parametrize("trust", [0.0, 0.3, 0.9, 0.99])
def test_no_prediction_makes_it_worse_than_its_robustness(trust):
    assert_competitive(
        lambda instance, prediction: Mix(PPBasic(prediction), ZCL(LOWER, UPPER), trust),
        mix_robustness(trust, LOWER, UPPER),
        predictions="any",
        instances=ITEMS.map(instance_of),
        examples=100,
    )


@given(items=ITEMS, trust=TRUST)
def test_a_right_prediction_gives_the_sharp_consistency(items, trust):
    best = fractional_knapsack(*zip(*items, strict=True))
    mixed = Mix(PPAdvanced(best.critical_value), ZCL(LOWER, UPPER), trust).run(instance_of(items))
    ratio = mix_consistency(trust, pp_advanced_ratio(best.critical_weight), LOWER, UPPER)
    assert optimum_by_sorting(items) <= ratio * mixed.value * (1 + 1e-9)


def test_a_prediction_above_every_price_ruins_the_trusted_policy_and_not_the_mix():
    items = [(20.0, 0.8), (9.0, 0.9)]
    assert PPAdvanced(61.0).run(instance_of(items)).value == 0.0
    assert Mix(PPAdvanced(61.0), ZCL(LOWER, UPPER), 0.5).run(instance_of(items)).value > 0.0


def test_each_policy_fills_a_knapsack_of_its_own():
    # The second item fills the trusted policy's knapsack; the other one still has half of its own for the third.
    mix = Mix(PPAdvanced(5.0), PPAdvanced(50.0), trust=0.5)
    assert [mix.offer(60.0, 0.5), mix.offer(20.0, 0.5), mix.offer(60.0, 1.0)] == [0.5, 0.25, 0.25]


@pytest.mark.parametrize("trust", [0.0, 1.0])
def test_no_trust_and_full_trust_are_the_two_policies_themselves(trust):
    instance = power_law(50, UPPER, rng=3)
    alone = PPBasic(7.0) if trust else ZCL(LOWER, UPPER)
    mixed = Mix(PPBasic(7.0), ZCL(LOWER, UPPER), trust).run(instance)
    assert mixed.accepted.tolist() == alone.run(instance).accepted.tolist()


def test_mixes_nest():
    instance = power_law(50, UPPER, rng=4)
    inner = Mix(PPAdvanced(7.0), ZCL(LOWER, UPPER), trust=0.5)
    outer = Mix(PPBasic(20.0), inner, trust=0.25)
    parts = [policy.run(instance).accepted for policy in (PPBasic(20.0), PPAdvanced(7.0), ZCL(LOWER, UPPER))]
    expected = 0.25 * parts[0] + 0.375 * parts[1] + 0.375 * parts[2]
    assert outer.run(instance).accepted == pytest.approx(expected, abs=1e-15)
    stepwise = [outer.offer(*item) for item in zip(instance.unit_values, instance.weights, strict=True)]
    assert stepwise == pytest.approx(expected, abs=1e-14)


def test_the_same_object_may_be_both_parts_and_is_left_alone():
    original = ZCL(LOWER, UPPER)
    original.offer(60.0, 0.2)
    mix = Mix(original, original, trust=0.5)
    assert mix.offer(60.0, 0.7) == pytest.approx(0.7, rel=1e-15)
    assert mix.offer(60.0, 0.7) == pytest.approx(0.3, rel=1e-15)
    assert original.state["filled"] == 0.2


@pytest.mark.parametrize("swap", [False, True])
def test_an_item_that_one_part_refuses_changes_neither(swap):
    parts = [PPAdvanced(5.0), ZCL(LOWER, UPPER)]
    mix = Mix(*(parts[::-1] if swap else parts), trust=0.5)
    mix.offer(20.0, 0.25)
    before = mix.state
    with pytest.raises(ValueError, match=r"unit_value = 61.0: must lie in \[1, 60\]"):
        mix.offer(61.0, 0.25)
    assert mix.state == before


def test_a_run_over_items_that_one_part_refuses_is_refused():
    instance = OnlineKnapsackInstance([90.0], [1.0], 1, 100)
    with pytest.raises(ValueError, match=r"unit_values\[0\] = 90.0"):
        Mix(PPBasic(5.0), ZCL(LOWER, UPPER), 0.5).run(instance)


@pytest.mark.parametrize("trust", [-0.1, 1.1, math.nan])
def test_trust_must_lie_between_zero_and_one(trust):
    with pytest.raises(ValueError, match="trust = "):
        Mix(PPBasic(5.0), ZCL(LOWER, UPPER), trust)


def test_only_policies_can_be_mixed():
    with pytest.raises(TypeError, match=r"robust = 3\.0: must be a policy, got float"):
        Mix(PPBasic(5.0), 3.0, 0.5)


def test_the_repr_reads_like_the_call():
    mix = Mix(PPAdvanced(5), ZCL(1, 60), trust=0.9)
    assert repr(mix) == "Mix(PPAdvanced(prediction=5), ZCL(lower=1, upper=60), trust=0.9)"
