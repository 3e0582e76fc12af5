"""Fr2Int: invariants after every item, no cut, no overflow, little loss."""

import bisect
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    ZCL,
    Fr2Int,
    Mix,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    fr2int_floor_value,
    fr2int_guarantee,
    run_batch,
    zcl_ratio,
)
from learning_augmented.knapsack.price_classes import best_class_count, class_edges, classes_of

LOWER, UPPER = 1.0, 30.0
LARGEST = 0.06
EDGES = [1.0, 2.0, 5.0, 12.0]
ITEMS = st.lists(st.tuples(st.floats(LOWER, UPPER), st.floats(1e-4, LARGEST)), min_size=1, max_size=60)
POLICIES = st.sampled_from(
    [
        lambda: ZCL(LOWER, UPPER),
        lambda: PPBasic(5.0),
        lambda: PPAdvanced(12.0),
        lambda: Mix(PPAdvanced(3.0), ZCL(LOWER, UPPER), 0.5),
    ]
)


def class_of(value):
    return bisect.bisect_right(EDGES, value * (1 + 1e-12)) - 1


def instance_of(items):
    return OnlineKnapsackInstance(*zip(*items, strict=True), LOWER, UPPER)


@given(items=ITEMS, make=POLICIES)
def test_behind_the_fractional_policy_the_gap_stays_within_one_item_of_the_class(items, make):
    fractional, policy = make(), Fr2Int(make(), LOWER, UPPER, edges=EDGES)
    gaps, heaviest, filled = [0.0] * 4, [0.0] * 4, 0.0
    for value, weight in items:
        number = class_of(value)
        heaviest[number] = max(heaviest[number], weight)
        taken = policy.offer(value, weight)
        gaps[number] += fractional.offer(value, weight) - taken
        filled += taken
        assert taken in (0.0, weight)
        assert -1e-11 <= gaps[number] < heaviest[number]
        assert filled <= 1 + 1e-9


@given(items=ITEMS, make=POLICIES)
def test_ahead_of_the_fractional_policy_the_lead_stays_within_the_largest_item(items, make):
    fractional, policy = make(), Fr2Int(make(), LOWER, UPPER, mode="ceil", edges=EDGES, max_weight=LARGEST)
    leads, filled = [0.0] * 4, 0.0
    for value, weight in items:
        number = class_of(value)
        taken = policy.offer(value, weight)
        leads[number] += taken - (1 - 4 * LARGEST) * fractional.offer(value, weight)
        filled += taken
        assert taken in (0.0, weight)
        assert -1e-11 <= leads[number] <= LARGEST + 1e-11
        assert filled <= 1 + 1e-12


@given(items=ITEMS, make=POLICIES, growth=st.one_of(st.none(), st.floats(0.3, 3)))
def test_the_value_is_at_least_what_is_promised_in_both_modes(items, make, growth):
    instance = instance_of(items)
    fractional = make().run(instance).value
    floor = Fr2Int(make(), LOWER, UPPER, growth=growth, max_weight=LARGEST).run(instance).value
    assert floor >= fr2int_floor_value(fractional, LOWER, UPPER, LARGEST, growth) - 1e-7
    ceil = Fr2Int(make(), LOWER, UPPER, mode="ceil", growth=growth, max_weight=LARGEST).run(instance).value
    assert fractional <= fr2int_guarantee(1.0, LOWER, UPPER, LARGEST, growth) * ceil * (1 + 1e-9)


def test_small_items_lose_about_twice_the_root_of_their_size_times_the_logarithm():
    for weight in (1e-3, 1e-4, 1e-6):
        loss = math.log(fr2int_guarantee(1.0, 1, 100, weight))
        assert loss == pytest.approx(2 * math.sqrt(weight * math.log(100)), rel=0.1)


@given(spread=st.floats(1, 1e6), weight=st.floats(1e-4, 0.99))
def test_the_default_number_of_classes_is_the_best(spread, weight):
    def loss(count):
        return math.log(spread) / count - math.log1p(-count * weight)

    legal = range(1, math.ceil(1 / weight))
    best = min((loss(count) for count in legal if count * weight < 1), default=loss(1))
    assert loss(best_class_count(1.0, spread, weight)) == pytest.approx(best, rel=1e-9, abs=1e-12)


@given(upper=st.floats(1, 1e4), growth=st.floats(0.01, 4), position=st.floats(0, 1))
def test_prices_within_a_class_differ_by_the_growth_at_most(upper, growth, position):
    edges = class_edges(1.0, upper, growth, 0.1)
    price = upper**position
    lower_edge = edges[classes_of(np.array([price]), edges)[0]]
    assert lower_edge <= price * (1 + 1e-11)
    assert price <= lower_edge * (1 + growth) * (1 + 1e-8)
    assert len(edges) <= math.log(upper) / math.log1p(growth) + 1


def test_a_price_that_is_an_edge_up_to_rounding_lies_above_it():
    edges = class_edges(1.0, 8.0, 1.0, 0.1)
    assert edges == pytest.approx([1, 2, 4])
    assert classes_of(np.array([2 * (1 - 1e-13), 2 * (1 - 1e-11), 0.3 / 0.1, 8.0 * (1 + 1e-13)]), edges).tolist() == [
        1,
        0,
        1,
        2,
    ]


def test_equal_prices_do_not_drift_an_item_short():
    policy = Fr2Int(PPBasic(1.0), 1, 2)
    taken = [policy.offer(2.0, 1e-4) for _ in range(20_000)]
    assert math.fsum(taken) == pytest.approx(1.0, rel=1e-12)


def test_the_last_item_is_not_cut_to_fill_the_knapsack():
    policy = Fr2Int(ZCL(1, 1), 1, 1)
    assert [policy.offer(1.0, 0.3) for _ in range(5)] == [0.3, 0.3, 0.3, 0.0, 0.0]


def test_items_of_any_weight_are_legal_behind_and_a_heavy_one_is_refused_ahead():
    assert Fr2Int(ZCL(1, 9), 1, 9).offer(5.0, 17.0) == 0.0
    policy = Fr2Int(ZCL(1, 9), 1, 9, mode="ceil", max_weight=0.1)
    policy.reset(capacity=10.0)
    assert policy.offer(9.0, 1.0) == 1.0
    before = policy.state
    with pytest.raises(ValueError, match=r"weight = 1.1: must be at most 1.0"):
        policy.offer(9.0, 1.1)
    assert policy.state == before
    with pytest.raises(ValueError, match=r"weights\[1\] = 0.2: must be at most 0.1"):
        policy.run(OnlineKnapsackInstance([2.0, 2.0], [0.1, 0.2], 1, 9))


def test_a_competitive_policy_stays_competitive():
    rng = np.random.default_rng(1)
    values, weights = rng.uniform(1, 10, 30_000) ** 2, np.full(30_000, 1e-4)
    instance = OnlineKnapsackInstance(values, weights, 1, 100)
    value = Fr2Int(ZCL(1, 100), 1, 100, mode="ceil", max_weight=1e-4).run(instance).value
    optimum = float(np.sort(values)[-10_000:].sum() * 1e-4)
    assert optimum <= fr2int_guarantee(zcl_ratio(1, 100), 1, 100, 1e-4) * value


def test_a_state_goes_back_with_its_gaps_and_its_fractional_policy():
    policy = Fr2Int(Mix(PPBasic(5.0), ZCL(LOWER, UPPER), 0.5), LOWER, UPPER, edges=EDGES)
    items = [(3.0, 0.4), (9.0, 0.2), (30.0, 0.3), (3.0, 0.1), (5.0, 0.2), (1.0, 0.3)] * 2
    for value, weight in items[:5]:
        policy.offer(value, weight)
    saved = json.loads(json.dumps(policy.state))
    rest = [policy.offer(value, weight) for value, weight in items[5:]]
    again = Fr2Int(Mix(PPBasic(5.0), ZCL(LOWER, UPPER), 0.5), LOWER, UPPER, edges=EDGES)
    again.restore(saved)
    assert [again.offer(value, weight) for value, weight in items[5:]] == rest
    before = again.state
    for change, told in (
        ({"gaps": [0.0]}, r"state\['gaps'\]: must hold 4 numbers, holds 1"),
        ({"gaps": [0.0, math.nan, 0.0, 0.0]}, r"state\['gaps'\]\[1\] = nan: must be finite"),
        ({"mode": "ceil"}, r"state\['mode'\] = 'ceil': must be that of this policy, 'floor'"),
        ({"fractional": ZCL(1, 2).state}, "state"),
    ):
        with pytest.raises(ValueError, match=told):
            again.restore(saved | change)
        assert again.state == before


def test_rows_run_as_instances_do_and_a_bad_row_is_named():
    rng = np.random.default_rng(2)
    values, weights = rng.uniform(LOWER, UPPER, (3, 50)), rng.uniform(0.001, 0.05, (3, 50))
    policies = [Fr2Int(PPAdvanced(row + 5.0), LOWER, UPPER) for row in range(3)]
    alone = [
        policy.run(OnlineKnapsackInstance(*row, LOWER, UPPER)).value
        for policy, *row in zip(policies, values, weights, strict=True)
    ]
    assert run_batch(policies, values, weights) == pytest.approx(alone, rel=1e-12)
    with pytest.raises(ValueError, match=r"row 1: unit_values\[0\] = 40.0: must lie in \[1.0, 30.0\]"):
        run_batch(policies[0], [[2.0], [40.0]], [[0.1], [0.1]])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mode": "round"}, "mode"),
        ({"mode": "ceil"}, "max_weight: mode 'ceil' needs the largest weight"),
        ({"mode": "ceil", "max_weight": 0.3, "edges": EDGES}, "max_weight = 0.3: 4 price classes .* would fill"),
        ({"max_weight": 1.0}, r"max_weight = 1.0: must lie in \(0, 1\)"),
        ({"growth": 0.0}, "growth = 0.0: must be positive"),
        ({"growth": 0.5, "edges": EDGES}, "growth = 0.5: must not be given together with edges"),
        ({"edges": [1.0, 1.0]}, r"edges = \[1.0, 1.0\]: must rise"),
        ({"edges": [2.0, 3.0]}, r"must begin with lower = 1.0"),
        ({"edges": []}, "edges: must hold at least one price"),
    ],
)
def test_bad_parameters_are_refused_by_name(options, told):
    with pytest.raises(ValueError, match=told):
        Fr2Int(ZCL(LOWER, UPPER), LOWER, UPPER, **options)


def test_what_is_no_policy_is_refused_and_bounds_check_their_arguments():
    with pytest.raises(TypeError, match="policy = 3: must be a policy, got int"):
        Fr2Int(3, 1, 2)
    with pytest.raises(ValueError, match=r"max_weight = 0.5: one item of each of 2 price classes would fill it"):
        fr2int_guarantee(1.0, 1, 4, 0.5, growth=1.0)
    with pytest.raises(ValueError, match=r"policy_value = -1.0: must be at least 0"):
        fr2int_floor_value(-1.0, 1, 4, 0.1)
