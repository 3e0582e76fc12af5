"""One algorithm, three ways to run it: item by item, over an instance, over the rows of a batch."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    IPA,
    ZCL,
    Fr2Int,
    Mix,
    OnlineKnapsackInstance,
    OnlinePolicy,
    PPAdvanced,
    PPBasic,
    PPNaive,
    Sentinel,
    ZCLIntegral,
    _kernels,
    power_law,
    run_batch,
)
from proofs_checks.testing import assert_online

LOWER, UPPER = 0.5, 400.0
POLICIES = {
    "zcl": lambda prediction: ZCL(LOWER, UPPER),
    "naive": PPNaive,
    "basic": PPBasic,
    "advanced": PPAdvanced,
    "mix": lambda prediction: Mix(PPAdvanced(prediction), ZCL(LOWER, UPPER), trust=0.7),
    "nested mix": lambda prediction: Mix(
        PPBasic(2 * prediction), Mix(PPAdvanced(prediction), ZCL(LOWER, UPPER), trust=0.4), trust=0.3
    ),
    "interval": lambda prediction: IPA(prediction, 3 * prediction),
    "interval over another policy": lambda prediction: IPA(prediction, 3 * prediction, sub=PPBasic(2 * prediction)),
    "mix over an interval": lambda prediction: Mix(IPA(prediction, 3 * prediction), ZCL(LOWER, UPPER), trust=0.7),
    "sentinel": lambda prediction: Sentinel({prediction: 0.5}, {prediction: 1.0, 2 * prediction: 0.75}),
}
WHOLE_ITEM_POLICIES = {
    "zcl integral": lambda prediction: ZCLIntegral(LOWER, UPPER),
    "floor": lambda prediction: Fr2Int(PPAdvanced(prediction), LOWER, UPPER, growth=0.5),
    "floor over a mix": lambda prediction: Fr2Int(
        Mix(IPA(prediction, 2 * prediction), ZCL(LOWER, UPPER), trust=0.5), LOWER, UPPER
    ),
}
ALL_POLICIES = POLICIES | WHOLE_ITEM_POLICIES
each_policy = pytest.mark.parametrize("make", list(ALL_POLICIES.values()), ids=list(ALL_POLICIES))
each_fractional_policy = pytest.mark.parametrize("make", list(POLICIES.values()), ids=list(POLICIES))

PRICES = st.one_of(st.sampled_from([0.5, 1.0, 2.0, 8.0, 400.0]), st.floats(LOWER, UPPER))
WEIGHTS = st.one_of(st.sampled_from([1e-6, 0.25, 1.0]), st.floats(1e-9, 9.0))
ITEMS = st.lists(st.tuples(PRICES, WEIGHTS), max_size=25)
PREDICTIONS = st.one_of(st.sampled_from([0.01, 1.0, 2.0, 8.0, 1e9]), st.floats(LOWER, UPPER))
CAPACITIES = st.sampled_from([0.1, 1.0, 7.0])


def instance_of(items, capacity=1.0, scale=1.0):
    values = [value * scale for value, _ in items]
    return OnlineKnapsackInstance(values, [weight for _, weight in items], LOWER * scale, UPPER * scale, capacity)


def offer_all(policy, items, capacity):
    policy.reset(capacity)
    return [policy.offer(value, weight) for value, weight in items]


@each_policy
@given(items=ITEMS, prediction=PREDICTIONS, capacity=CAPACITIES)
def test_item_by_item_over_an_instance_and_over_rows_agree(make, items, prediction, capacity):
    instance = instance_of(items, capacity)
    run = make(prediction).run(instance)
    stepwise = offer_all(make(prediction), items, capacity)
    assert run.accepted.tolist() == pytest.approx(stepwise, rel=1e-12, abs=1e-12 * capacity)
    value = math.fsum(price * taken for (price, _), taken in zip(items, stepwise, strict=True))
    assert run.value == pytest.approx(value, rel=1e-12, abs=1e-12)
    assert run.used == pytest.approx(math.fsum(stepwise), rel=1e-12, abs=1e-12)
    rows = run_batch(make(prediction), [instance.unit_values] * 2, [instance.weights] * 2, capacity)
    assert rows.tolist() == pytest.approx([run.value] * 2, rel=1e-12, abs=1e-12)
    assert math.fsum(stepwise) <= capacity * (1 + 1e-12)
    assert all(0 <= taken <= weight * (1 + 1e-15) for taken, (_, weight) in zip(stepwise, items, strict=True))


@each_policy
def test_the_three_ways_agree_on_streams_longer_than_a_block(make):
    rng = np.random.default_rng(5)
    values, weights = rng.uniform(LOWER, UPPER, 20_000), rng.uniform(0, 2e-4, 20_000) + 1e-9
    instance = OnlineKnapsackInstance(values, weights, LOWER, UPPER)
    run = make(150.0).run(instance)
    stepwise = offer_all(make(150.0), zip(values, weights, strict=True), 1.0)
    assert run.accepted == pytest.approx(stepwise, rel=1e-9, abs=1e-13)
    assert run.value == pytest.approx(run_batch(make(150.0), [values], [weights])[0], rel=1e-12)


@each_policy
@given(
    seed=st.integers(0, 10**6),
    fill=st.sampled_from([0.01, 1.0, 30.0]),
    distinct=st.sampled_from([3, 400, 10**6]),
    count=st.integers(0, 1000),
)
def test_blocks_change_no_decision_and_a_block_cut_short_decides_the_same(make, seed, fill, distinct, count):
    rng = np.random.default_rng(seed)
    values = rng.choice(rng.uniform(LOWER, UPPER, distinct), 1000)
    weights = rng.exponential(fill / 1000, 1000)
    instance = OnlineKnapsackInstance(values, weights, LOWER, UPPER)
    prediction = float(rng.choice(values))
    accepted = make(prediction).run(instance).accepted
    stepwise = offer_all(make(prediction), zip(values, weights, strict=True), 1.0)
    assert accepted == pytest.approx(stepwise, rel=1e-12, abs=1e-15)
    assert make(prediction).run(instance.prefix(count)).accepted.tolist() == accepted[:count].tolist()


def test_a_mix_runs_over_long_streams_with_a_policy_that_knows_no_blocks():
    class Whole(ZCL):
        """Replaces `run` alone, which is then what counts."""

        def run(self, instance):
            runs.append(instance)
            return ZCL(self.lower, self.upper).run(instance)

    runs = []
    rng = np.random.default_rng(5)
    values, weights = rng.uniform(LOWER, UPPER, 40_000), rng.uniform(0, 2e-4, 40_000) + 1e-9
    instance = OnlineKnapsackInstance(values, weights, LOWER, UPPER)
    ours = Mix(PPAdvanced(150.0), ZCL(LOWER, UPPER), trust=0.7).run(instance)
    mixed = Mix(PPAdvanced(150.0), Whole(LOWER, UPPER), trust=0.7).run(instance)
    assert runs == [instance]
    assert (mixed.value, mixed.used) == (ours.value, ours.used)
    assert mixed.accepted.tolist() == ours.accepted.tolist()


@each_policy
@given(items=ITEMS, prediction=PREDICTIONS, capacity=CAPACITIES, cut=st.integers(0, 25))
def test_a_state_that_went_through_json_continues_with_the_same_decisions(make, items, prediction, capacity, cut):
    policy = make(prediction)
    first = offer_all(policy, items[:cut], capacity)
    saved = json.loads(json.dumps(policy.state))
    resumed = make(prediction)
    resumed.restore(saved)
    assert resumed.state == saved
    rest = [resumed.offer(value, weight) for value, weight in items[cut:]]
    assert first + rest == offer_all(make(prediction), items, capacity)


@each_policy
@settings(max_examples=25)  # each tries all prefixes
@given(items=ITEMS, prediction=PREDICTIONS)
def test_a_decision_depends_on_nothing_that_comes_later(make, items, prediction):
    assert_online(make(prediction), instance_of(items), rtol=0.0)


@each_policy
@given(items=ITEMS, prediction=PREDICTIONS, scale=st.sampled_from([0.125, 3.0, 1e5]))
def test_another_unit_of_weight_scales_what_is_accepted(make, items, prediction, scale):
    heavier = [(value, weight * scale) for value, weight in items]
    run = make(prediction).run(instance_of(heavier, capacity=scale))
    assert run.accepted / scale == pytest.approx(make(prediction).run(instance_of(items)).accepted, abs=1e-13)


@given(items=ITEMS, prediction=PREDICTIONS, scale=st.sampled_from([0.125, 3.0, 1e5]))
def test_another_currency_changes_nothing(items, prediction, scale):
    for policy, scaled in (
        (ZCL(LOWER, UPPER), ZCL(LOWER * scale, UPPER * scale)),
        (PPBasic(prediction), PPBasic(prediction * scale)),
        (PPAdvanced(prediction), PPAdvanced(prediction * scale)),
        (PPNaive(prediction), PPNaive(prediction * scale)),
        (IPA(prediction, 3 * prediction), IPA(prediction * scale, 3 * prediction * scale)),
    ):
        expected = policy.run(instance_of(items)).accepted
        assert scaled.run(instance_of(items, scale=scale)).accepted == pytest.approx(expected, abs=1e-13)


@each_fractional_policy
@given(items=ITEMS, prediction=PREDICTIONS, parts=st.integers(2, 5))
def test_an_item_cut_into_consecutive_parts_gets_the_same_in_total(make, items, prediction, parts):
    pieces = [(value, weight / parts) for value, weight in items for _ in range(parts)]
    whole = make(prediction).run(instance_of(items)).accepted
    cut = make(prediction).run(instance_of(pieces)).accepted.reshape(len(items), parts)
    assert cut.sum(axis=1) == pytest.approx(whole, abs=1e-13)


@each_policy
def test_a_run_leaves_the_step_wise_state_alone_and_a_reset_empties_it(make):
    policy = make(8.0)
    fresh = policy.state
    policy.offer(100.0, 0.25)
    before = policy.state
    policy.run(power_law(20, UPPER, rng=0, lower=LOWER))
    assert policy.state == before != fresh
    policy.reset()
    assert policy.state == fresh


@each_policy
def test_every_policy_keeps_the_protocol_and_takes_numpy_scalars(make):
    policy = make(8.0)
    assert isinstance(policy, OnlinePolicy)
    accepted = [policy.offer(np.float32(9.5), np.float32(0.3)) for _ in range(4)]
    again = make(8.0)
    assert accepted == [again.offer(9.5, float(np.float32(0.3))) for _ in range(4)]
    assert json.dumps(policy.state) == json.dumps(again.state)


@each_policy
def test_an_instance_without_items_is_worth_nothing(make):
    run = make(8.0).run(instance_of([]))
    assert (run.value, run.used, run.accepted.shape) == (0.0, 0.0, (0,))
    assert run_batch(make(8.0), np.ones((3, 0)), np.ones((3, 0))).tolist() == [0.0] * 3


def test_each_kernel_is_compiled_once_for_the_one_layout_in_use():
    kernels = [getattr(_kernels, name) for name in _kernels.__all__ if name != "warm"]
    if not all(hasattr(kernel, "signatures") for kernel in kernels):
        pytest.skip("NUMBA_DISABLE_JIT is set: nothing is compiled")
    _kernels.warm()
    instance = power_law(20, UPPER, rng=0, lower=LOWER)
    for make in ALL_POLICIES.values():
        make(8.0).run(instance)
        run_batch(make(8.0), [instance.unit_values], [instance.weights], capacity=2)
    assert [len(kernel.signatures) for kernel in kernels] == [1] * len(kernels)


def test_a_run_is_read_only_and_has_a_repr_for_people():
    run = PPBasic(2.0).run(instance_of([(4.0, 1.0), (1.0, 1.0)]))
    assert repr(run) == "OnlineRun(value=2, used=0.5, 1 of 2 items)"
    with pytest.raises(ValueError, match="read-only"):
        run.accepted[0] = 1.0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"policy": "PPBasic"}, r"state\['policy'\] = 'PPBasic': must be that of this policy, 'ZCL'"),
        ({"upper": 9.0}, r"state\['upper'\] = 9.0: must be that of this policy, 10.0"),
        ({"capacity": 0.0}, r"state\['capacity'\] = 0.0: must be positive"),
        ({"filled": 1.5}, r"state\['filled'\] = 1.5: must lie in \[0, 1\]"),
        ({"filled": float("nan")}, r"state\['filled'\] = nan: must be finite"),
        ({"spilled": 0.5}, r"state\['spilled'\]: unknown entry"),
    ],
)
def test_a_foreign_or_damaged_state_is_refused_and_changes_nothing(change, told):
    policy = ZCL(1, 10)
    policy.offer(5.0, 0.3)
    before = policy.state
    with pytest.raises(ValueError, match=told):
        policy.restore(before | change)
    del (missing := dict(before))["filled"]
    with pytest.raises(ValueError, match=r"state\['filled'\]: missing"):
        policy.restore(missing)
    with pytest.raises(TypeError, match=r"state = \[0.5\]: must be a mapping, got list"):
        policy.restore([0.5])
    assert policy.state == before


def test_a_mix_takes_back_either_both_states_or_none():
    policy = Mix(PPBasic(5.0), ZCL(1, 10), trust=0.5)
    policy.offer(7.0, 0.3)
    before = policy.state
    damaged = json.loads(json.dumps(before))
    damaged["trusted"]["filled"] = 0.9
    damaged["robust"]["filled"] = 1.5
    with pytest.raises(ValueError, match="filled"):
        policy.restore(damaged)
    assert policy.state == before
    with pytest.raises(ValueError, match="trust"):
        Mix(PPBasic(5.0), ZCL(1, 10), trust=0.6).restore(before)


def test_each_row_of_a_batch_may_have_its_own_policy_of_one_class():
    instances = [power_law(40, UPPER, rng=seed, lower=LOWER) for seed in range(5)]
    values = np.array([instance.unit_values for instance in instances])
    weights = np.array([instance.weights for instance in instances])
    for policies in (
        [ZCL(LOWER, UPPER * (row + 1)) for row in range(5)],
        [PPBasic(row + 1.0) for row in range(5)],
        [PPAdvanced(row + 1.0) for row in range(5)],
        [Mix(PPAdvanced(row + 1.0), ZCL(LOWER, UPPER), row / 4) for row in range(5)],
    ):
        alone = [policy.run(instance).value for policy, instance in zip(policies, instances, strict=True)]
        assert run_batch(policies, values, weights) == pytest.approx(alone, rel=1e-12)


def test_a_batch_without_rows_has_no_values():
    assert run_batch(PPBasic(1.0), np.ones((0, 3)), np.ones((0, 3))).shape == (0,)


@pytest.mark.parametrize(
    ("policies", "values", "weights", "told"),
    [
        (PPBasic(1), [[1.0, 2.0]], [[1.0]], r"unit_values has shape \(1, 2\), weights has shape \(1, 1\)"),
        (PPBasic(1), [1.0], [1.0], r"unit_values: must have shape \(rows, items\), got \(1,\)"),
        (PPBasic(1), [[1.0], [math.nan]], [[1.0], [1.0]], r"unit_values\[1, 0\] = nan: must be positive and finite"),
        (PPBasic(1), [[1.0, 1.0]], [[1.0, 0.0]], r"weights\[0, 1\] = 0.0: must be positive and finite"),
        ([PPBasic(1)], [[1.0], [1.0]], [[1.0], [1.0]], "policies: 1 for 2 rows"),
        (
            [ZCL(1, 9), ZCL(1, 2)],
            [[5.0], [5.0]],
            [[1.0], [1.0]],
            r"row 1: unit_values\[0\] = 5.0: must lie in \[1.0, 2.0\]",
        ),
    ],
)
def test_a_bad_batch_is_refused_by_name(policies, values, weights, told):
    with pytest.raises(ValueError, match=told):
        run_batch(policies, values, weights)


def test_a_batch_of_several_classes_or_of_one_without_rows_is_refused():
    class Greedy:
        """Takes what fits; no loop over rows."""

    with pytest.raises(TypeError, match="policies: must be of one class, got PPAdvanced, PPBasic"):
        run_batch([PPBasic(1), PPAdvanced(1)], [[1.0], [1.0]], [[1.0], [1.0]])
    with pytest.raises(TypeError, match="Greedy has no loop over rows"):
        run_batch(Greedy(), [[1.0]], [[1.0]])
    with pytest.raises(TypeError, match="unit_values: must hold real numbers"):
        run_batch(PPBasic(1), [["a"]], [[1.0]])
