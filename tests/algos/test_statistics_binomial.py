"""Clopper-Pearson and the sign test against exact integer arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algos.statistics import binomial_interval, sign_test_p_value

CONFIDENCES = (0.5, 0.95, 1 - 1e-6, 1 - 1e-9)
UNITS = 1 << 80  # probabilities on this grid, so that tails are integers over UNITS ** trials


def upper_tail(successes: int, trials: int, units: int) -> Fraction:
    """P(at least `successes`) for success probability units / UNITS, exactly."""
    total = sum(math.comb(trials, k) * units**k * (UNITS - units) ** (trials - k) for k in range(successes, trials + 1))
    return Fraction(total, UNITS**trials)


def inverted_tail(successes: int, trials: int, tail: Fraction) -> float:
    """The success probability at which P(at least `successes`) equals `tail`, by bisection."""
    low, high = 0, UNITS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if upper_tail(successes, trials, middle) < tail else (low, middle)
    return float(Fraction(low, UNITS))


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize(("successes", "trials"), [(1, 1), (1, 2), (1, 13), (6, 13), (12, 13), (13, 13), (3, 30)])
def test_the_lower_end_inverts_the_exact_binomial_tail(successes: int, trials: int, confidence: float) -> None:
    tail = (1 - Fraction(confidence)) / 2
    expected = inverted_tail(successes, trials, tail)
    assert binomial_interval(successes, trials, confidence).low == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (0, 13), (1, 13), (6, 13), (12, 13), (27, 30)])
def test_the_upper_end_inverts_the_exact_binomial_tail(successes: int, trials: int, confidence: float) -> None:
    tail = (1 - Fraction(confidence)) / 2
    expected = 1 - inverted_tail(trials - successes, trials, tail)  # count failures instead
    assert binomial_interval(successes, trials, confidence).high == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("trials", [1, 2, 1000, 10**9])
def test_without_successes_or_failures_the_ends_are_in_closed_form(trials: int, confidence: float) -> None:
    nothing = binomial_interval(0, trials, confidence)
    everything = binomial_interval(trials, trials, confidence)
    log_tail = math.log((1 - confidence) / 2) / trials
    assert nothing.low == 0.0
    assert nothing.high == pytest.approx(-math.expm1(log_tail), rel=1e-11, abs=0)
    assert everything.low == pytest.approx(math.exp(log_tail), rel=1e-11, abs=0)
    assert everything.high == 1.0


@pytest.mark.parametrize("confidence", [0.6, 0.95, 1 - 1e-6])
def test_the_coverage_is_at_least_the_confidence_for_every_success_probability(confidence: float) -> None:
    trials = 25
    intervals = [binomial_interval(k, trials, confidence) for k in range(trials + 1)]
    ends = [end for interval in intervals for end in (interval.low, interval.high)]
    beside_the_ends = [abs(end + shift) for end in ends for shift in (-1e-9, 1e-9)]  # where coverage is lowest
    for p in (*np.linspace(0, 1, 101), *(p for p in beside_the_ends if p <= 1)):
        missed = sum(
            math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1) if p not in intervals[k]
        )
        assert missed <= (1 - confidence) * (1 + 1e-6)


@given(st.data())
def test_swapping_successes_and_failures_mirrors_the_interval(data: st.DataObject) -> None:
    trials = data.draw(st.integers(1, 10**6))
    successes = data.draw(st.integers(0, trials))
    one, other = (binomial_interval(k, trials, 0.999) for k in (successes, trials - successes))
    assert one.low == pytest.approx(1 - other.high, rel=1e-9, abs=1e-15)
    assert one.low <= successes / trials <= one.high


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((3, 2, 0.9), ValueError, "successes = 3, trials = 2: successes must not exceed trials"),
        ((-1, 2, 0.9), ValueError, "successes = -1: must be at least 0"),
        ((0, 0, 0.9), ValueError, "trials = 0: must be at least 1"),
        ((1.0, 2, 0.9), TypeError, "successes = 1.0: must be an integer"),
        ((1, 2, 1.0), ValueError, r"confidence = 1.0: must lie in \(0, 1\)"),
        ((1, 2, 0.0), ValueError, r"confidence = 0.0: must lie in \(0, 1\)"),
        ((1, 2, math.nan), ValueError, "confidence = nan: must be finite"),
    ],
)
def test_impossible_counts_and_confidences_are_refused(
    arguments: tuple[int, int, float], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        binomial_interval(*arguments)


def signs(above: int, below: int, zeros: int = 0) -> list[float]:
    return [0.5] * above + [-3.0] * below + [0.0] * zeros


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 3))
def test_the_sign_test_counts_the_outcomes_of_fair_coins(above: int, below: int, zeros: int) -> None:
    tosses = above + below
    rows = [math.comb(tosses, heads) for heads in range(tosses + 1)]
    many = Fraction(sum(rows[above:]), 2**tosses)
    few = Fraction(sum(rows[: above + 1]), 2**tosses)
    differences = signs(above, below, zeros) or [0.0]
    assert sign_test_p_value(differences, "greater") == pytest.approx(float(many), rel=1e-11, abs=0)
    assert sign_test_p_value(differences, "less") == pytest.approx(float(few), rel=1e-11, abs=0)
    both = min(Fraction(1), 2 * min(many, few))
    assert sign_test_p_value(differences) == pytest.approx(float(both), rel=1e-11, abs=0)


@pytest.mark.parametrize("tosses", [1, 2, 9, 10])
def test_the_sign_test_errs_with_at_most_its_level(tosses: int) -> None:
    chances = {above: math.comb(tosses, above) / 2**tosses for above in range(tosses + 1)}
    for alternative in ("two-sided", "greater", "less"):
        p_values = {above: sign_test_p_value(signs(above, tosses - above), alternative) for above in chances}
        for level in p_values.values():
            assert sum(chances[above] for above in chances if p_values[above] <= level) <= level * (1 + 1e-12)


def test_the_sign_test_refuses_nothing_nan_and_unknown_alternatives() -> None:
    with pytest.raises(ValueError, match="differences: must hold at least one"):
        sign_test_p_value([])
    with pytest.raises(ValueError, match=r"differences\[1\] = nan: must be finite"):
        sign_test_p_value([1.0, math.nan])
    with pytest.raises(ValueError, match="alternative = 'upper': must be one of"):
        sign_test_p_value([1.0], "upper")  # type: ignore[arg-type]  # that is the point
