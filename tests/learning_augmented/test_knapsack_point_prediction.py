"""PPBasic and PPAdvanced against their definitions in exact fractions, and their theorems with a right prediction."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from learning_augmented.knapsack import (
    OnlineKnapsackInstance,
    PointAdversary,
    PPAdvanced,
    PPBasic,
    pp_advanced_ratio,
    pp_basic_ratio,
)

# Few distinct unit values: every instance has items above, at and below a prediction. Weights may exceed the capacity.
UNIT_VALUES = st.sampled_from([1.0, 2.0, 3.0, 5.0, 100.0])
ITEMS = st.lists(st.tuples(UNIT_VALUES, st.floats(1e-3, 1.5)), min_size=1, max_size=14)


def instance_of(items, capacity=1.0):
    values, weights = zip(*items, strict=True)
    return OnlineKnapsackInstance(values, weights, 1.0, 100.0, capacity)


def half_by_definition(items, prediction):
    """PPBasic with capacity 1, in fractions."""
    filled, seen, accepted = Fraction(0), Fraction(0), []
    for value, weight in items:
        share = Fraction(0)
        if value > prediction:
            share = Fraction(weight) / 2
        elif value == prediction:
            counted = min(Fraction(weight), 1 - seen)
            seen += counted
            share = counted / 2
        accepted.append(min(share, 1 - filled))
        filled += accepted[-1]
    return accepted


def reserve_by_definition(items, prediction):
    """PPAdvanced with capacity 1, in fractions: the fill is added up, the clamp is taken at the end of each step."""
    filled, seen, accepted = Fraction(0), Fraction(0), []
    for value, weight in items:
        share = Fraction(0)
        if value > prediction:
            share = Fraction(weight) / (1 + seen)
        elif value == prediction:
            counted = min(Fraction(weight), 1 - seen)
            seen += counted
            share = (1 - filled) * counted / (1 + seen)
        accepted.append(min(share, 1 - filled))
        filled += accepted[-1]
    return accepted


def right_prediction(items, capacity=1.0):
    """Return critical value, its weight capped by the capacity, weight and value above, optimum."""
    room, optimum, critical = capacity, 0.0, 0.0
    for value, weight in sorted(items, reverse=True):
        if room <= 1e-12 * capacity:
            break
        critical = value
        optimum += value * min(weight, room)
        room -= min(weight, room)
    at = math.fsum(weight for value, weight in items if value == critical)
    above = [(value, weight) for value, weight in items if value > critical]
    return (
        critical,
        min(at, capacity),
        math.fsum(weight for _, weight in above),
        math.fsum(value * weight for value, weight in above),
        optimum,
    )


@pytest.mark.parametrize(("policy", "definition"), [(PPBasic, half_by_definition), (PPAdvanced, reserve_by_definition)])
@given(items=ITEMS, prediction=st.sampled_from([0.5, 1.0, 2.0, 2.5, 3.0, 5.0, 100.0, 1e6]))
def test_decisions_are_those_of_the_definition_for_right_and_wrong_predictions(policy, definition, items, prediction):
    expected = [float(weight) for weight in definition(items, prediction)]
    assert policy(prediction).run(instance_of(items)).accepted.tolist() == pytest.approx(expected, abs=1e-14)


@given(items=ITEMS, prediction=UNIT_VALUES)
def test_the_reserve_has_a_closed_form_in_cumulative_weights_also_when_the_prediction_is_wrong(items, prediction):
    values, weights = (np.array(column) for column in zip(*items, strict=True))
    above = np.concatenate(([0.0], np.cumsum(np.where(values > prediction, weights, 0.0))))
    seen = np.minimum(1.0, np.concatenate(([0.0], np.cumsum(np.where(values == prediction, weights, 0.0)))))
    filled = np.minimum(1.0, 1.0 - (1.0 - above) / (1.0 + seen))
    expected = np.where(values > prediction, weights / (1.0 + seen[:-1]), 0.0)
    at_prediction = (1.0 - filled[:-1]) * (seen[1:] - seen[:-1]) / (1.0 + seen[1:])
    expected = np.minimum(np.where(values == prediction, at_prediction, expected), 1.0 - filled[:-1])
    run = PPAdvanced(prediction).run(instance_of(items))
    assert run.accepted == pytest.approx(expected, abs=1e-14)
    assert run.used == pytest.approx(filled[-1], abs=1e-14)


@given(items=ITEMS, capacity=st.sampled_from([0.25, 1.0, 6.0]))
def test_with_a_right_prediction_basic_collects_exactly_half_of_what_it_counts(items, capacity):
    critical, at, _, value_above, optimum = right_prediction(items, capacity)
    run = PPBasic(critical).run(instance_of(items, capacity))
    assert run.value == pytest.approx((value_above + critical * at) / 2, rel=1e-12)
    assert optimum <= pp_basic_ratio() * run.value * (1 + 1e-12)


@given(items=ITEMS, capacity=st.sampled_from([0.25, 1.0, 6.0]))
def test_with_a_right_prediction_advanced_keeps_its_ratio_its_band_and_its_fill(items, capacity):
    critical, at, weight_above, value_above, optimum = right_prediction(items, capacity)
    run = PPAdvanced(critical).run(instance_of(items, capacity))
    share = at / capacity
    assert optimum <= (1 + share) * run.value * (1 + 1e-12)
    least = (value_above + critical * at) / (1 + share)
    most = value_above + critical * at * (1 - weight_above / capacity) / (1 + share)
    assert least * (1 - 1e-12) <= run.value <= most * (1 + 1e-12)
    assert run.used == pytest.approx((at + weight_above) / (1 + share), rel=1e-12)
    assert math.fsum(run.accepted) == pytest.approx(run.used, rel=1e-12)


@given(items=ITEMS, order=st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_neither_the_value_of_basic_nor_the_fill_of_advanced(items, order):
    critical = right_prediction(items)[0]
    shuffled = list(items)
    order.shuffle(shuffled)
    first, second = instance_of(items), instance_of(shuffled)
    assert PPBasic(critical).run(first).value == pytest.approx(PPBasic(critical).run(second).value, rel=1e-12)
    assert PPAdvanced(critical).run(first).used == pytest.approx(PPAdvanced(critical).run(second).used, rel=1e-12)


@given(items=ITEMS)
def test_critical_items_first_attain_the_lower_end_of_the_band_and_last_the_upper_end(items):
    critical, at, weight_above, value_above, _ = right_prediction(items)
    rising = PPAdvanced(critical).run(instance_of(sorted(items)))
    falling = PPAdvanced(critical).run(instance_of(sorted(items, reverse=True)))
    assert rising.value == pytest.approx((value_above + critical * at) / (1 + at), rel=1e-12)
    assert falling.value == pytest.approx(value_above + critical * at * (1 - weight_above) / (1 + at), rel=1e-12)


def test_more_critical_weight_than_the_capacity_counts_as_one_capacity():
    items = [(2.0, 1.0)] * 3
    assert PPBasic(2.0).run(instance_of(items)).accepted.tolist() == [0.5, 0.0, 0.0]
    assert PPAdvanced(2.0).run(instance_of(items)).accepted.tolist() == [0.5, 0.0, 0.0]
    assert PPAdvanced(2.0).run(instance_of([(2.0, 3.0), (5.0, 0.5)])).accepted.tolist() == [0.5, 0.25]


@pytest.mark.parametrize("critical_weight", [0.1, 0.5, 1.0])
def test_advanced_comes_within_one_percent_of_its_ratio_on_the_point_adversary(critical_weight):
    adversary = PointAdversary(prediction=1, upper=1e6, critical_weight=critical_weight, gap=1e-4)
    ratios = [
        right_prediction(adversary.stages()[:stop])[-1] / PPAdvanced(1).run(adversary.instance(stop)).value
        for stop in adversary.stops()
    ]
    assert 0.99 * pp_advanced_ratio(critical_weight) <= max(ratios) <= pp_advanced_ratio(critical_weight) * (1 + 1e-12)


@given(items=ITEMS)
def test_basic_gets_exactly_one_half_when_everything_fits(items):
    total = math.fsum(weight for _, weight in items)
    critical, _, _, _, optimum = right_prediction(items, capacity=2 * total)
    run = PPBasic(critical).run(instance_of(items, capacity=2 * total))
    assert optimum == pytest.approx(2 * run.value, rel=1e-12)


@given(items=ITEMS, prediction=UNIT_VALUES)
def test_a_prediction_that_is_too_low_fills_the_knapsack_with_items_above_it(items, prediction):
    assume(math.fsum(weight for value, weight in items if value > prediction) >= 1 + 1e-9)
    run = PPAdvanced(prediction).run(instance_of(items))
    assert run.used == 1.0
    assert right_prediction(items)[-1] <= 100.0 / prediction * run.value * (1 + 1e-12)


@pytest.mark.parametrize("policy", [PPBasic, PPAdvanced])
@given(items=ITEMS, prediction=UNIT_VALUES)
def test_below_the_prediction_exactly_nothing_is_accepted_and_nothing_changes(policy, items, prediction):
    online = policy(prediction)
    for value, weight in items:
        before = online.state
        accepted = online.offer(value, weight)
        if value < prediction:
            assert accepted == 0.0
            assert online.state == before


@pytest.mark.parametrize("policy", [PPBasic, PPAdvanced])
def test_a_unit_value_that_misses_the_prediction_by_a_rounding_error_counts_as_equal(policy):
    assert 0.3 / 0.1 != 3.0
    for prediction, unit_value, counted in (
        (3.0, 0.3 / 0.1, 0.5),
        (0.3 / 0.1, 3.0, 0.5),
        (3.0, 3.0 * (1 + 1e-11), 0.0),
        (3.0, 3.0 * (1 - 1e-11), 0.0),
    ):
        online = policy(prediction)
        accepted = online.offer(unit_value, 0.5)
        assert online.state["critical_weight"] == counted
        assert (accepted == 0.0) == (unit_value < 3.0 * (1 - 1e-12))


@pytest.mark.parametrize("policy", [PPBasic, PPAdvanced])
@pytest.mark.parametrize(
    ("unit_value", "weight", "told"),
    [
        (math.nan, 1.0, "unit_value = nan: must be positive and finite"),
        (0.0, 1.0, "unit_value = 0.0: must be positive and finite"),
        (math.inf, 1.0, "unit_value = inf: must be positive and finite"),
        (2.0, 0.0, "weight = 0.0: must be positive and finite"),
        (2.0, math.nan, "weight = nan: must be positive and finite"),
        (2.0, math.inf, "weight = inf: must be positive and finite"),
    ],
)
def test_a_bad_item_is_refused_and_changes_nothing(policy, unit_value, weight, told):
    online = policy(2.0)
    online.offer(3.0, 0.25)
    before = online.state
    with pytest.raises(ValueError, match=told):
        online.offer(unit_value, weight)
    assert online.state == before


@pytest.mark.parametrize("policy", [PPBasic, PPAdvanced])
@pytest.mark.parametrize("prediction", [0.0, -1.0, math.nan, math.inf])
def test_a_prediction_must_be_positive_and_finite(policy, prediction):
    with pytest.raises(ValueError, match=r"prediction = .*: must be (positive|finite)"):
        policy(prediction)


def test_the_repr_reads_like_the_call():
    assert repr(PPBasic(2.5)) == "PPBasic(prediction=2.5)"
    assert repr(PPAdvanced(3)) == "PPAdvanced(prediction=3)"
