"""Recommendations: which policy, by hand-computed ratios; and that what they promise holds on random instances."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import IntervalForecast, quantile_interval, recommend

ALPHA = 1 + math.log(1000)
RANGE = {"lower": 1.0, "upper": 1000.0}


def sorted_greedily(prices, weights):
    """Optimum and critical value by taking the dearest first."""
    room, total, critical = 1.0, 0.0, math.inf
    for price, weight in sorted(zip(prices, weights, strict=True), reverse=True):
        if room > 1e-12:
            total, room, critical = total + price * min(weight, room), room - min(weight, room), price
    return total, critical


@pytest.mark.parametrize(
    ("known", "policy", "if_right", "always"),
    [
        ({}, "ZCL(lower=1, upper=1000)", ALPHA, ALPHA),
        ({"robustness": 20.0}, "ZCL(lower=1, upper=1000)", ALPHA, ALPHA),
        (
            {"prediction": 50.0},
            "Mix(PPAdvanced(prediction=50), ZCL(lower=1, upper=1000), trust=0.5)",
            1 / (0.25 + 0.5 / ALPHA),
            2 * ALPHA,
        ),
        (
            {"prediction": 50.0, "robustness": 4 * ALPHA},
            "Mix(PPAdvanced(prediction=50), ZCL(lower=1, upper=1000), trust=0.75)",
            1 / (0.375 + 0.25 / ALPHA),
            4 * ALPHA,
        ),
        ({"prediction": 50.0, "robustness": ALPHA}, "ZCL(lower=1, upper=1000)", ALPHA, ALPHA),
        ({"prediction": 50.0, "log_error": 0.0}, "PPAdvanced(prediction=50)", 2.0, math.inf),
        ({"interval": (50.0, 50.0)}, "PPAdvanced(prediction=50)", 2.0, math.inf),
        ({"interval": (50.0, 100.0)}, "IPA(low=50, high=100)", 2 + math.log(2), math.inf),
        (
            {"interval": IntervalForecast(50.0, 100.0, 0.9)},
            "Mix(IPA(low=50, high=100), ZCL(lower=1, upper=1000), trust=0.5)",
            1 / (0.5 / (2 + math.log(2)) + 0.5 / ALPHA),
            2 * ALPHA,
        ),
        ({"interval": (2.0, 999.0)}, "ZCL(lower=1, upper=1000)", ALPHA, ALPHA),
        ({"frequencies": {2.0: (0.5, 0.5), 4.0: (0.75, 0.75)}}, "Sentinel(2 prices from 2 to 4, ratio 1)", 1, math.inf),
    ],
    ids=str,
)
def test_what_is_known_decides_the_policy_and_its_ratios(known, policy, if_right, always):
    best = recommend(**RANGE, **known)
    assert repr(best.policy) == policy
    assert best.guarantee.if_right == pytest.approx(if_right)
    assert best.guarantee.always == pytest.approx(always)
    assert best.sentence.endswith(".")


def test_an_interval_as_wide_as_the_range_divided_by_e_is_not_worth_trusting():
    border = 1000.0 / math.e
    assert repr(recommend(**RANGE, interval=(1.0, border * 0.999)).policy).startswith("IPA")
    wide = recommend(**RANGE, interval=(1.0, 368.25))
    assert repr(wide.policy) == "ZCL(lower=1, upper=1000)"
    assert wide.sentence == (
        "The interval [1, 368.25] surely holds the critical value, but IPA would guarantee only 7.909 "
        "when that is right: ZCL guarantees 7.908 without it."
    )


def test_an_error_bound_makes_an_interval_cut_to_the_range():
    best = recommend(**RANGE, prediction=50.0, log_error=0.2)
    assert best.policy.low == pytest.approx(50 * math.exp(-0.2))
    assert best.policy.high == pytest.approx(50 * math.exp(0.2))
    assert best.guarantee.if_right == pytest.approx(2.4)
    assert recommend(**RANGE, prediction=900.0, log_error=0.2).policy.high == 1000.0
    with pytest.raises(ValueError, match="no critical value within the range is that near"):
        recommend(**RANGE, prediction=2000.0, log_error=0.1)


def test_without_a_range_there_is_no_hedge_and_without_anything_no_policy():
    nothing = recommend()
    assert nothing.policy is None
    assert nothing.guarantee.always == math.inf
    assert nothing.sentence.startswith("Nothing is known, and then no policy is competitive")
    assert repr(recommend(prediction=5.0).policy) == "PPAdvanced(prediction=5)"
    assert repr(recommend(interval=(5.0, 6.0)).policy) == "IPA(low=5, high=6)"
    assert "no hedge" in recommend(interval=(5.0, 6.0)).sentence


def test_whole_items_are_rounded_where_a_ratio_is_left():
    light = recommend(**RANGE, interval=(50.0, 100.0), max_weight=1e-4)
    assert repr(light.policy).startswith(
        "Fr2Int(IPA(low=50, high=100), lower=1, upper=1000, mode='ceil', max_weight=0.0001"
    )
    assert 2 + math.log(2) < light.guarantee.if_right < 1.1 * (2 + math.log(2))
    zcl = recommend(**RANGE, max_weight=1e-4)
    assert repr(zcl.policy) == "ZCLIntegral(lower=1, upper=1000)"
    assert zcl.guarantee.always == pytest.approx(ALPHA * math.exp(2e-4 * ALPHA))
    heavy = recommend(**RANGE, max_weight=1.0)
    assert repr(heavy.policy) == "ZCLIntegral(lower=1, upper=1000)"
    assert heavy.guarantee.always == math.inf
    assert "too heavy for any ratio" in heavy.sentence
    assert "mode='floor'" in repr(recommend(**RANGE, prediction=5.0, max_weight=0.5).policy)


@st.composite
def instances(draw):
    count = draw(st.integers(1, 12))
    exponents = draw(st.lists(st.floats(0, 3), min_size=count, max_size=count))
    weights = draw(st.lists(st.floats(1e-3, 1.5), min_size=count, max_size=count))
    return [min(10.0**exponent, 1000.0) for exponent in exponents], weights


@given(
    items=instances(), wrong=st.floats(1.0, 1000.0), robustness=st.floats(ALPHA * 1.001, 50.0), spread=st.floats(0, 3)
)
def test_what_is_promised_holds_for_right_and_for_wrong_predictions(items, wrong, robustness, spread):
    prices, weights = items
    optimum, critical = sorted_greedily(prices, weights)

    def ratio(best):
        best.policy.reset()
        value = sum(price * best.policy.offer(price, weight) for price, weight in zip(prices, weights, strict=True))
        return optimum / value if value > 0 else math.inf

    ends = (max(1.0, critical * math.exp(-spread)), min(1000.0, critical * math.exp(spread / 2)))
    for known in (
        {},
        {"prediction": critical},
        {"prediction": critical, "robustness": robustness},
        {"prediction": critical * math.exp(spread / 2), "log_error": spread},
        {"interval": ends},
        {"interval": ends, "robustness": robustness},
    ):
        best = recommend(**RANGE, **known) if critical * math.exp(-spread / 2) <= 1000 else recommend(**RANGE)
        assert ratio(best) <= best.guarantee.if_right * (1 + 1e-9)
    for known in ({"prediction": wrong}, {"interval": (wrong, 1000.0)}, {"prediction": wrong, "log_error": 0.1}):
        best = recommend(**RANGE, **known, robustness=robustness)
        assert best.guarantee.always <= robustness * (1 + 1e-9)
        assert ratio(best) <= best.guarantee.always * (1 + 1e-9)


@given(seed=st.integers(0, 10_000))
def test_whole_items_keep_the_promise(seed):
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.2e-3, 1e-3, 3000)
    prices = 10 ** rng.uniform(0, 1, 3000)
    optimum, critical = sorted_greedily(prices.tolist(), weights.tolist())
    for known in ({}, {"interval": (critical / 1.1, min(critical * 1.1, 10.0))}):
        best = recommend(lower=1, upper=10, max_weight=1e-3, **known)
        amounts = [
            best.policy.offer(price, weight) for price, weight in zip(prices.tolist(), weights.tolist(), strict=True)
        ]
        assert set(np.array(amounts) / weights) <= {0.0, 1.0}
        assert optimum <= best.guarantee.if_right * float(prices @ amounts) * (1 + 1e-9)


def test_quantile_forecasts_go_straight_into_a_recommendation():
    best = recommend(**RANGE, interval=quantile_interval({0.05: 80.0, 0.95: 130.0}))
    assert repr(best.policy) == "Mix(IPA(low=80, high=130), ZCL(lower=1, upper=1000), trust=0.5)"
    assert "holds with probability 0.9 the critical value" in best.sentence


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({"lower": 1.0}, "give both ends"),
        ({"lower": 2.0, "upper": 1.0}, "lower must not exceed upper"),
        ({**RANGE, "prediction": 2.0, "interval": (1.0, 2.0)}, "prediction and interval: give the one"),
        ({**RANGE, "log_error": 0.1}, "needs a prediction"),
        ({**RANGE, "prediction": 2.0, "log_error": -0.1}, "log_error = -0.1: must be"),
        ({**RANGE, "prediction": -2.0}, "prediction = -2.0: must be positive"),
        ({**RANGE, "interval": (3.0, 2.0)}, "low must not exceed high"),
        ({**RANGE, "robustness": 2.0}, "robustness = 2.0: must be at least"),
        ({"prediction": 2.0, "robustness": 20.0}, "robustness = 20.0: needs lower and upper"),
        ({"prediction": 2.0, "max_weight": 0.1}, "max_weight = 0.1: needs lower and upper"),
        ({**RANGE, "max_weight": 0.0}, "max_weight = 0.0"),
    ],
    ids=str,
)
def test_knowledge_that_makes_no_sense_is_named(known, told):
    with pytest.raises(ValueError, match=told.replace(".", r"\.")):
        recommend(**known)
