"""Intervals of a mean: coverage by enumeration, constants by hand, Student's quantile in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy import stats

from algos.statistics import Interval, empirical_bernstein_interval, hoeffding_interval, mean_interval

Bounded = Callable[[ArrayLike, float, float, float], Interval]
BOUNDED = (hoeffding_interval, empirical_bernstein_interval)


@pytest.mark.parametrize("interval_of", BOUNDED)
@pytest.mark.parametrize(("samples", "confidence"), [(5, 0.5), (40, 0.9), (400, 0.8), (400, 1 - 1e-6)])
def test_the_chance_of_missing_the_mean_of_two_points_is_at_most_the_level(
    interval_of: Bounded, samples: int, confidence: float
) -> None:
    low, high = -1.0, 3.0
    intervals = [interval_of([high] * k + [low] * (samples - k), low, high, confidence) for k in range(samples + 1)]
    for p in (0.001, 0.01, 0.05, 0.2, 0.5, 0.7, 0.97, 0.999):
        mean = low + (high - low) * p
        missed = sum(
            math.comb(samples, k) * p**k * (1 - p) ** (samples - k)
            for k in range(samples + 1)
            if mean not in intervals[k]
        )
        assert missed <= 1 - confidence


def test_hoeffding_has_the_width_of_its_theorem() -> None:
    interval = hoeffding_interval([0.0, 10.0] * 50, low=0, high=10, confidence=1 - 1e-6)
    assert interval.high - 5 == pytest.approx(10 * math.sqrt(math.log(2e6) / 200), rel=1e-9)
    assert interval.low + interval.high == pytest.approx(10)


def test_empirical_bernstein_has_the_constants_of_its_theorem() -> None:
    # Half zeros, half ones of n = 1000: the sample variance is 250 / 999
    log_term = math.log(2 / 0.005)  # Theorem 4 at level 0.005 on either side
    radius = math.sqrt(2 * (250 / 999) * log_term / 1000) + 7 * log_term / (3 * 999)
    interval = empirical_bernstein_interval([0, 1] * 500, low=0, high=1, confidence=0.99)
    assert interval.low == pytest.approx(0.5 - radius, rel=1e-12)
    assert interval.high == pytest.approx(0.5 + radius, rel=1e-12)


def test_empirical_bernstein_beats_hoeffding_on_many_values_that_hardly_vary() -> None:
    values = [0.5, 0.51] * 5000
    hoeffding, bernstein = (interval_of(values, 0, 1, 1 - 1e-6) for interval_of in BOUNDED)
    assert bernstein.high - bernstein.low < (hoeffding.high - hoeffding.low) / 5


@pytest.mark.parametrize("interval_of", BOUNDED)
@given(
    values=st.lists(st.floats(0, 1), min_size=2, max_size=20),
    shift=st.floats(-100, 100),
    scale=st.floats(0.01, 100),
)
def test_the_interval_moves_and_stretches_with_the_values(
    interval_of: Bounded, values: list[float], shift: float, scale: float
) -> None:
    plain = interval_of(values, 0, 1, 0.9)
    moved = interval_of(
        np.clip(np.array(values) * scale + shift, shift, shift + scale), shift, shift + scale, 0.9
    )  # clip what rounding carries out of the support
    assert moved.low == pytest.approx(plain.low * scale + shift, abs=1e-9 * (abs(shift) + scale))
    assert moved.high == pytest.approx(plain.high * scale + shift, abs=1e-9 * (abs(shift) + scale))


@pytest.mark.parametrize("interval_of", BOUNDED)
def test_the_interval_stays_on_the_support(interval_of: Bounded) -> None:
    interval = interval_of([0.1, 0.2], 0, 1, 0.99)
    assert (interval.low, interval.high) == (0.0, 1.0)
    assert interval_of([0.1, 0.1, 0.1], 0.1, 0.1, 0.99) == Interval(0.1, 0.1, 0.99)


@pytest.mark.parametrize("level", [0.5, 0.05, 1e-6, 1e-9])
def test_students_quantile_is_the_closed_form_of_one_and_two_degrees_of_freedom(level: float) -> None:
    tail = (1 - (1 - level)) / 2  # the level that the confidence, a double, can say
    cauchy = mean_interval([-1.0, 1.0], confidence=1 - level)  # mean 0, standard error 1
    assert cauchy.high == pytest.approx(1 / math.tan(math.pi * tail), rel=1e-10)
    root = math.sqrt(1.5)
    three = mean_interval([-root, 0.0, root], confidence=1 - level)  # variance 1.5, standard error sqrt(1.5 / 3)
    quantile = (1 - 2 * tail) * math.sqrt(2 / (4 * tail * (1 - tail)))
    assert three.high == pytest.approx(quantile * math.sqrt(0.5), rel=1e-10)
    assert three.low == -three.high


@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 1e-6, 1 - 1e-9])
@pytest.mark.parametrize("samples", [2, 5, 30, 1000])
def test_student_agrees_with_scipy(samples: int, confidence: float) -> None:
    values = np.random.default_rng(1).exponential(size=samples)
    interval = mean_interval(values, confidence)
    expected = stats.t.interval(confidence, samples - 1, loc=values.mean(), scale=stats.sem(values))
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-6)


def test_samples_too_small_outside_the_support_or_not_finite_are_refused() -> None:
    for interval_of in BOUNDED:
        with pytest.raises(ValueError, match="values: must hold at least"):
            interval_of([], 0, 1, 0.9)
        with pytest.raises(ValueError, match=r"values\[2\] = 1.5: must lie in \[low, high\] = \[0, 1\]"):
            interval_of([0.5, 1.0, 1.5, 2.0], 0, 1, 0.9)
        with pytest.raises(ValueError, match=r"values\[0\] = -0.1: must lie in"):
            interval_of([-0.1, 1.0], 0, 1, 0.9)
        with pytest.raises(ValueError, match=r"values\[1\] = nan: must be finite"):
            interval_of([0.5, math.nan], 0, 1, 0.9)
        with pytest.raises(ValueError, match="low must not exceed high"):
            interval_of([0.5, 0.5], 1, 0, 0.9)
        with pytest.raises(ValueError, match=r"confidence = 1\.0"):
            interval_of([0.5, 0.5], 0, 1, 1)
    with pytest.raises(ValueError, match="values: must hold at least 2, got 1"):
        empirical_bernstein_interval([0.5], 0, 1, 0.9)
    with pytest.raises(ValueError, match="values: must hold at least 2, got 1"):
        mean_interval([0.5], 0.9)
    with pytest.raises(ValueError, match=r"values: must have shape \(n,\)"):
        mean_interval([[0.5, 1.0]], 0.9)


def test_an_interval_knows_what_lies_in_it_and_refuses_nonsense() -> None:
    interval = Interval(1.0, 2.0, 0.9)
    assert 1.0 in interval
    assert 2.0 in interval
    assert math.nan not in interval
    assert repr(interval) == "Interval(low=1.0, high=2.0, confidence=0.9)"
    for low, high, confidence in ((2.0, 1.0, 0.9), (math.nan, 1.0, 0.9), (0.0, math.inf, 0.9), (0.0, 1.0, 1.0)):
        with pytest.raises(ValueError, match=r"low|high|confidence"):
            Interval(low, high, confidence)
