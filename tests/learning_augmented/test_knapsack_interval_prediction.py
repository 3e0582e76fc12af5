"""IPA: its ratio on every right interval, its own knapsack inside, and the traps of its ends."""

import copy
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    IPA,
    ZCL,
    IntervalAdversary,
    Mix,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    critical_value,
    interval_ratio,
    mix_robustness,
    run_batch,
)

LOWER, UPPER = 1.0, 200.0
ITEMS = st.lists(st.tuples(st.floats(LOWER, UPPER), st.floats(1e-3, 1.5)), min_size=1, max_size=20)
WIDTHS = st.floats(0, 3)


def instance_of(items):
    return OnlineKnapsackInstance(*zip(*items, strict=True), LOWER, UPPER)


@given(items=ITEMS, below=WIDTHS, above=WIDTHS)
def test_a_right_interval_gives_its_ratio_on_every_instance(items, below, above):
    instance = instance_of(items)
    best = critical_value(instance)
    low, high = best.value * math.exp(-below), best.value * math.exp(above)
    assert best.optimum <= interval_ratio(low, high) * IPA(low, high).run(instance).value * (1 + 1e-9)


@given(items=ITEMS, error=st.floats(0, 1), off=st.floats(-1, 1))
def test_a_point_prediction_with_a_known_error_costs_twice_the_error(items, error, off):
    instance = instance_of(items)
    best = critical_value(instance)
    told = best.value * math.exp(off * error)
    value = IPA(told * math.exp(-error) * (1 - 1e-12), told * math.exp(error)).run(instance).value
    assert best.optimum <= (2 + 2 * error) * value * (1 + 1e-9)


@given(items=ITEMS, prediction=st.floats(0.5, 300))
def test_on_a_point_it_decides_as_the_basic_policy(items, prediction):
    instance = instance_of([*items, (min(UPPER, max(LOWER, prediction)), 0.5)])
    ours, theirs = IPA(prediction, prediction).run(instance), PPBasic(prediction).run(instance)
    assert ours.accepted == pytest.approx(theirs.accepted, abs=1e-12)


@given(items=ITEMS, low=st.floats(1, 100), factor=st.floats(1, 5))
def test_what_is_accepted_inside_is_a_share_of_a_zcl_with_the_range_of_the_interval(items, low, factor):
    high, policy = low * factor, IPA(low, low * factor)
    private, ratio = ZCL(low, high), 1 + math.log(factor)
    room = 1.0
    for value, weight in items:
        amount = 0.0
        if value > high * (1 + 1e-12):
            amount = weight / (ratio + 1)
        elif value >= low * (1 - 1e-12):
            amount = private.offer(value, weight) * ratio / (ratio + 1)
        taken = policy.offer(value, weight)
        assert taken == pytest.approx(min(amount, room), abs=1e-12)
        room -= taken


def test_the_range_of_all_prices_inside_would_lose_half_of_the_value_on_one_batch():
    batch = OnlineKnapsackInstance([2.0], [1.0], 1.0, 1000.0)
    assert 2.0 / IPA(2.0, 8.0).run(batch).value == pytest.approx(3.386, abs=5e-4)
    assert 2.0 / IPA(2.0, 8.0, sub=ZCL(1, 1000)).run(batch).value == pytest.approx(6.628, abs=5e-4)
    assert interval_ratio(2, 8) == pytest.approx(2 + math.log(4), rel=1e-15)


def test_a_price_at_the_upper_end_is_inside_although_its_computation_overshoots():
    price = 2.0 * (4.0 ** (1 / 30)) ** 30
    assert price > 8.0
    assert IPA(2, 8).offer(price, 1.0) == pytest.approx(IPA(2, 8).offer(8.0, 1.0), rel=1e-12)
    assert IPA(2, 8).offer(price, 0.1) > 0.1 / (2 + math.log(4)) * 1.5


def test_it_reaches_its_ratio_on_its_adversary_at_every_stop():
    adversary = IntervalAdversary(low=1, high=10, upper=1e5, steps=300, gap=0.001)
    ratios = [critical_value(one).optimum / IPA(1, 10).run(one).value for one in adversary.instances()]
    assert 0.97 * interval_ratio(1, 10) < min(ratios) <= max(ratios) <= interval_ratio(1, 10)


def test_below_the_interval_it_accepts_exactly_nothing_although_there_is_room():
    policy = IPA(3.0, 5.0)
    assert [policy.offer(2.9, 1.0), policy.offer(3.0 * (1 - 1e-11), 1.0)] == [0.0, 0.0]
    assert policy.state["filled"] == 0.0


@pytest.mark.parametrize("low", [2 * UPPER, 1e-3])
def test_an_interval_beside_all_prices_ruins_it_and_not_its_mix(low):
    instance = instance_of([(20.0, 0.8), (9.0, 0.9)])
    mixed = Mix(IPA(low, 2 * low), ZCL(LOWER, UPPER), 0.5).run(instance)
    assert critical_value(instance).optimum <= mix_robustness(0.5, LOWER, UPPER) * mixed.value
    if low > UPPER:
        assert IPA(low, 2 * low).run(instance).value == 0.0


def test_a_policy_of_ones_own_inside_is_copied_reset_and_runs_in_all_three_ways():
    own = PPAdvanced(4.0)
    own.offer(9.0, 0.5)
    before = copy.deepcopy(own.state)
    policy = IPA(3.0, 6.0, sub=own)
    rng = np.random.default_rng(0)
    values, weights = rng.uniform(1, 10, 40), rng.uniform(0, 0.3, 40) + 1e-9
    stepwise = [policy.offer(value, weight) for value, weight in zip(values, weights, strict=True)]
    run = policy.run(OnlineKnapsackInstance(values, weights, 1, 10))
    assert run.accepted == pytest.approx(stepwise, abs=1e-13)
    assert run_batch(policy, [values], [weights])[0] == pytest.approx(run.value, rel=1e-12)
    assert own.state == before
    assert repr(policy) == "IPA(low=3, high=6, sub=PPAdvanced(prediction=4))"


def test_a_damaged_state_is_refused_and_changes_nothing():
    policy = IPA(2, 8)
    policy.offer(5.0, 0.3)
    before = json.loads(json.dumps(policy.state))
    for change, told in (
        ({"high": 9.0}, r"state\['high'\] = 9.0: must be that of this policy, 8.0"),
        ({"filled": 2.0}, r"state\['filled'\] = 2.0: must lie in \[0, 1\]"),
        ({"sub": ZCL(1, 8).state}, r"state\['lower'\] = 1.0: must be that of this policy, 2.0"),
    ):
        with pytest.raises(ValueError, match=told):
            policy.restore(before | change)
        assert policy.state == before


@pytest.mark.parametrize(
    ("build", "told"),
    [
        (lambda: IPA(3, 2), "low must not exceed high"),
        (lambda: IPA(0, 2), "low = 0.0: must be positive"),
        (lambda: IPA(1, math.inf), "high = inf: must be finite"),
        (lambda: IPA(1, 2).offer(1.5, -1.0), "weight = -1.0: must be positive and finite"),
        (lambda: interval_ratio(2, 1), "low must not exceed high"),
    ],
)
def test_bad_parameters_are_refused_by_name(build, told):
    with pytest.raises(ValueError, match=told):
        build()


def test_what_is_no_policy_is_refused():
    with pytest.raises(TypeError, match="sub = 3: must be a policy, got int"):
        IPA(1, 2, sub=3)
