r"""Confidence intervals of a mean: two that always hold on a bounded support, and Student's.

With n independent values on [a, b], sample mean m, sample variance v (divisor n - 1) and error probability
:math:`\alpha`, the true mean lies within the following distance of m with probability at least :math:`1-\alpha`:

- Hoeffding, *Probability inequalities for sums of bounded random variables* (JASA 58, 1963), Theorem 2 on either side:
  :math:`(b-a)\sqrt{\ln(2/\alpha)/(2n)}`;
- Maurer & Pontil, *Empirical Bernstein bounds and sample variance penalization* (COLT 2009), Theorem 4 on either side:
  :math:`\sqrt{2 v \ln(4/\alpha)/n} + 7(b-a)\ln(4/\alpha)/(3(n-1))`.

Which one? Empirical Bernstein wins once n is large and the standard deviation is well below (b - a) / 2; Hoeffding wins
on few or widely spread values. Choose before looking at the values. Student's interval needs no support, but is exact
for normal values only: use it where n is large and no value dominates.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from algos.statistics.interval import Interval, error_probability
from algos.validation import require_finite, require_ordered, require_vector

__all__ = ["empirical_bernstein_interval", "hoeffding_interval", "mean_interval"]


def hoeffding_interval(values: ArrayLike, low: float, high: float, confidence: float) -> Interval:
    """Return an interval of a mean that holds for every distribution on [low, high].

    Parameters
    ----------
    values : array_like, shape (n,)
        Independent values with a common mean, each in [low, high]; n at least 1.
    low, high : float
        Ends of the support, known beforehand and not taken from the values.
    confidence : float
        In (0, 1).

    Returns
    -------
    Interval
        Hoeffding (1963), Theorem 2, cut to [low, high], where the mean lies for sure.

    Raises
    ------
    ValueError
        If there are no values, one lies outside [low, high] or is not finite, or `confidence` is out of range.

    Examples
    --------
    >>> interval = hoeffding_interval([0, 1] * 200, low=0, high=1, confidence=0.95)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.432, 0.568)
    """
    vector, width = _supported(values, low, high, least=1)
    alpha = error_probability(confidence)
    radius = width * math.sqrt(math.log(2 / alpha) / (2 * len(vector)))
    return _around_mean(vector, radius, low, high, confidence)


def empirical_bernstein_interval(values: ArrayLike, low: float, high: float, confidence: float) -> Interval:
    """Return an interval of a mean that holds on [low, high] and profits from a small sample variance.

    Parameters
    ----------
    values : array_like, shape (n,)
        Independent values of one distribution, each in [low, high]; n at least 2.
    low, high : float
        Ends of the support, known beforehand and not taken from the values.
    confidence : float
        In (0, 1).

    Returns
    -------
    Interval
        Maurer & Pontil (2009), Theorem 4 at half the error probability on either side, cut to [low, high], where the
        mean lies for sure.

    Raises
    ------
    ValueError
        If there are fewer than two values, one lies outside [low, high] or is not finite, or `confidence` is out of
        range.

    Examples
    --------
    >>> interval = empirical_bernstein_interval([0.5] * 400, low=0, high=1, confidence=0.95)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.474, 0.526)
    """
    vector, width = _supported(values, low, high, least=2)
    n = len(vector)
    log_term = math.log(4 / error_probability(confidence))
    variance = float(np.var(vector, ddof=1))
    radius = math.sqrt(2 * variance * log_term / n) + 7 * width * log_term / (3 * (n - 1))
    return _around_mean(vector, radius, low, high, confidence)


def mean_interval(values: ArrayLike, confidence: float) -> Interval:
    """Return Student's interval of a mean.

    Parameters
    ----------
    values : array_like, shape (n,)
        Independent values of one distribution; n at least 2.
    confidence : float
        In (0, 1).

    Returns
    -------
    Interval
        Exact for normal values, approximate for others, and of width zero when all values are equal: on a bounded
        support prefer `empirical_bernstein_interval`.

    Raises
    ------
    ValueError
        If there are fewer than two values, one is not finite, or `confidence` is out of range.

    Examples
    --------
    >>> interval = mean_interval([1.0, 2.0, 3.0], confidence=0.95)
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.484, 4.484)
    """
    vector = _sample(values, least=2)
    n = len(vector)
    quantile = -float(special.stdtrit(n - 1, error_probability(confidence) / 2))
    radius = quantile * float(np.std(vector, ddof=1)) / math.sqrt(n)
    mean = float(np.mean(vector))
    return Interval(mean - radius, mean + radius, float(confidence))


def _sample(values: ArrayLike, least: int) -> NDArray[np.float64]:
    vector = require_vector("values", values)
    if len(vector) < least:
        raise ValueError(f"values: must hold at least {least}, got {len(vector)}")
    return vector


def _supported(values: ArrayLike, low: float, high: float, least: int) -> tuple[NDArray[np.float64], float]:
    """The checked values, and the width of their support."""
    require_finite("low", low)
    require_finite("high", high)
    require_ordered("low", low, "high", high)
    vector = _sample(values, least)
    outside = (vector < low) | (vector > high)
    if outside.any():
        index = int(np.argmax(outside))
        raise ValueError(f"values[{index}] = {float(vector[index])}: must lie in [low, high] = [{low}, {high}]")
    return vector, float(high) - float(low)


def _around_mean(vector: NDArray[np.float64], radius: float, low: float, high: float, confidence: float) -> Interval:
    mean = min(max(float(np.mean(vector)), low), high)  # rounding may carry it a hair outside
    return Interval(float(max(low, mean - radius)), float(min(high, mean + radius)), float(confidence))
