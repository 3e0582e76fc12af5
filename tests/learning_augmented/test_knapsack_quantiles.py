"""Quantile forecasts against hand-computed intervals, brute force over pairs, and simulated coverage."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import IntervalForecast, quantile_interval

FORECASTS = {0.05: 80.0, 0.25: 95.0, 0.5: 100.0, 0.75: 104.0, 0.95: 130.0}


def test_the_default_is_the_outermost_pair():
    interval = quantile_interval(FORECASTS)
    assert (interval.low, interval.high, interval.coverage) == (80.0, 130.0, 0.9)
    assert interval.width == pytest.approx(math.log(130 / 80))
    assert interval.statement == (
        "If the forecasts are calibrated at both levels, the critical value lies in [80, 130] with probability at "
        "least 0.9."
    )


def test_the_narrowest_pair_that_covers_enough_is_taken():
    assert quantile_interval(FORECASTS, coverage=0.5) == IntervalForecast(95.0, 104.0, 0.5)
    assert quantile_interval(FORECASTS, coverage=0.9) == IntervalForecast(80.0, 130.0, 0.9)  # 0.95 - 0.05 < 0.9
    assert quantile_interval({0.1: 5.0, 0.4: 5.0, 0.9: 5.0}, coverage=0.2).coverage == 0.8  # of equals, the surest


@given(
    values=st.lists(st.floats(0.01, 1e6), min_size=2, max_size=7, unique=True),
    wanted=st.floats(0.01, 0.99),
    data=st.data(),
)
def test_no_other_pair_that_covers_enough_is_narrower(values, wanted, data):
    levels = data.draw(
        st.lists(st.integers(1, 99), min_size=len(values), max_size=len(values), unique=True).map(sorted)
    )
    forecasts = {level / 100: value for level, value in zip(levels, sorted(values), strict=True)}
    widths = [
        high / low
        for (a, low), (b, high) in itertools.combinations(sorted(forecasts.items()), 2)
        if b - a >= wanted - 1e-12
    ]
    if not widths:
        with pytest.raises(ValueError, match=r"coverage = .*: must be at most"):
            quantile_interval(forecasts, wanted)
        return
    interval = quantile_interval(forecasts, wanted)
    assert interval.high / interval.low == min(widths)
    assert interval.coverage >= wanted - 1e-9


def test_calibrated_forecasts_cover_as_often_as_stated():
    rng = np.random.default_rng(7)
    level = rng.normal(5.0, 0.5, size=20_000)  # what the forecaster knows; the truth adds noise of its own
    truth = np.exp(level + 0.2 * rng.standard_normal(level.size))
    quantiles = {0.1: -1.2815515655446004, 0.9: 1.2815515655446004}  # of the standard normal law
    inside = 0
    for known, value in zip(level[:4000], truth[:4000], strict=True):
        interval = quantile_interval({tau: math.exp(known + 0.2 * z) for tau, z in quantiles.items()})
        inside += interval.low <= value <= interval.high
    assert inside / 4000 == pytest.approx(0.8, abs=0.035)  # five standard deviations


@pytest.mark.parametrize(
    ("forecasts", "coverage", "told"),
    [
        ({0.5: 1.0}, None, "needs at least 2 levels, got 1"),
        ({0.1: 2.0, 0.9: 1.0}, None, r"cross, 2 at level 0\.1 exceeds 1 at level 0\.9"),
        ({0.0: 1.0, 0.9: 2.0}, None, r"level = 0\.0: must lie in \(0, 1\)"),
        ({0.1: 0.0, 0.9: 2.0}, None, r"forecast_quantiles\[0\.1\] = 0\.0: must be positive"),
        ({0.1: math.nan, 0.9: 2.0}, None, r"forecast_quantiles\[0\.1\] = nan"),
        ({0.1: 1.0, 0.9: 2.0}, 0.9, r"coverage = 0\.9: must be at most 0\.8"),
        ({0.1: 1.0, 0.9: 2.0}, 1.0, "coverage"),
    ],
)
def test_forecasts_that_are_none_are_named(forecasts, coverage, told):
    with pytest.raises(ValueError, match=told):
        quantile_interval(forecasts, coverage)


def test_a_list_is_no_forecast():
    with pytest.raises(TypeError, match="must map levels to values"):
        quantile_interval([1.0, 2.0])
