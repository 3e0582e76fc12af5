"""The right prediction of an instance, and the rolling one."""

import itertools
import json
import math

import pytest

from learning_augmented.knapsack import (
    OnlineKnapsackInstance,
    PPAdvanced,
    RollingCriticalValuePredictor,
    critical_value,
)


def test_the_critical_value_is_fractional_because_the_whole_item_one_voids_the_guarantee():
    items = [(10.0, 0.6), (9.0, 0.6), (1.0, 0.4)]
    instance = OnlineKnapsackInstance(*zip(*items, strict=True), lower=1, upper=10)
    chosen = max(
        (
            subset
            for size in range(4)
            for subset in itertools.combinations(items, size)
            if sum(w for _, w in subset) <= 1
        ),
        key=lambda subset: sum(value * weight for value, weight in subset),
    )
    assert min(value for value, _ in chosen) == 1.0
    assert critical_value(instance).value == 9.0
    # Against the cheapest whole item there is more weight above than room, so the fill bears no relation to it.
    assert sum(weight for value, weight in items if value > 1.0) > 1.0


def test_weights_are_told_in_units_of_weight_and_uncapped():
    instance = OnlineKnapsackInstance([5.0, 2.0, 2.0], [1.0, 4.0, 3.0], lower=1, upper=10, capacity=3.0)
    told = critical_value(instance)
    assert (told.value, told.weight, told.weight_above, told.value_above, told.optimum) == (2.0, 7.0, 1.0, 5.0, 9.0)


def test_an_instance_without_items_has_infinity_as_critical_value_and_no_policy_takes_that():
    told = critical_value(OnlineKnapsackInstance([], [], lower=1, upper=10))
    assert (told.value, told.optimum) == (math.inf, 0.0)
    with pytest.raises(ValueError, match="prediction = inf: must be finite"):
        PPAdvanced(told.value)


def test_the_rolling_prediction_is_the_first_price_plus_the_mean_rise():
    predictor = RollingCriticalValuePredictor()
    for first, critical in ((10.0, 16.0), (20.0, 19.0), (30.0, 31.0)):
        predictor.observe(first, critical)
    assert predictor.predict(40.0) == 42.0
    assert repr(predictor) == "RollingCriticalValuePredictor(3 observed streams)"


def test_what_it_learned_survives_json():
    predictor = RollingCriticalValuePredictor()
    predictor.observe(10.0, 16.5)
    restored = RollingCriticalValuePredictor()
    restored.restore(json.loads(json.dumps(predictor.state)))
    restored.observe(1.0, 2.0)
    predictor.observe(1.0, 2.0)
    assert restored.predict(3.0) == predictor.predict(3.0)


def test_it_does_not_predict_from_nothing():
    with pytest.raises(ValueError, match="observe at least one stream first"):
        RollingCriticalValuePredictor().predict(10.0)


def test_it_says_when_the_past_leads_below_zero():
    predictor = RollingCriticalValuePredictor()
    predictor.observe(100.0, 40.0)
    with pytest.raises(ValueError, match=r"first_price = 50\.0: past streams fell by 60\.0 on average"):
        predictor.predict(50.0)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_prices_must_be_positive_and_finite_and_a_bad_one_teaches_nothing(bad):
    predictor = RollingCriticalValuePredictor()
    predictor.observe(10.0, 12.0)
    before = predictor.state
    for call in (
        lambda: predictor.observe(bad, 1.0),
        lambda: predictor.observe(1.0, bad),
        lambda: predictor.predict(bad),
    ):
        with pytest.raises(ValueError, match="must be"):
            call()
    assert predictor.state == before


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ({"observed": 1}, r"state\['total_rise'\]: missing"),
        ({"observed": -1, "total_rise": 0.0}, r"state\['observed'\] = -1: must be at least 0"),
        ({"observed": 1, "total_rise": math.nan}, r"state\['total_rise'\] = nan: must be finite"),
        ({"observed": 1, "total_rise": 0.0, "x": 1}, r"state\['x'\]: unknown entry"),
    ],
)
def test_a_damaged_state_is_refused(state, told):
    with pytest.raises(ValueError, match=told):
        RollingCriticalValuePredictor().restore(state)
