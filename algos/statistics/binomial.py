r"""Exact statements about binomial counts.

With K successes in n independent trials of success probability p, the tails are regularised incomplete beta functions,
:math:`P(K \ge k) = I_p(k, n-k+1)`. Inverting the tail tests at half the error probability each gives the interval of
Clopper & Pearson, *The use of confidence or fiducial limits illustrated in the case of the binomial* (Biometrika 26,
1934): it holds p with at least the stated probability for every n and p.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from algos.statistics.interval import Interval, error_probability
from algos.validation import require_integer, require_one_of, require_vector

__all__ = ["binomial_interval", "sign_test_p_value"]

Alternative = Literal["two-sided", "greater", "less"]


def binomial_interval(successes: int, trials: int, confidence: float) -> Interval:
    """Return the exact (Clopper-Pearson) interval of a success probability.

    Parameters
    ----------
    successes : int
        Number of successes, from 0 to `trials`.
    trials : int
        Number of independent trials, at least 1.
    confidence : float
        In (0, 1).

    Returns
    -------
    Interval
        Its coverage is at least `confidence` for every success probability.

    Raises
    ------
    TypeError
        If a count is not an integer.
    ValueError
        If a count is out of range, or `confidence` is.

    Examples
    --------
    >>> interval = binomial_interval(successes=0, trials=100, confidence=0.95)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.0362)
    """
    n = require_integer("trials", trials, minimum=1)
    k = require_integer("successes", successes, minimum=0)
    if k > n:
        raise ValueError(f"successes = {k}, trials = {n}: successes must not exceed trials")
    tail = error_probability(confidence) / 2
    low = special.betaincinv(k, n - k + 1, tail) if k > 0 else 0.0
    high = special.betainccinv(k + 1, n - k, tail) if k < n else 1.0
    return Interval(float(low), float(high), float(confidence))


def sign_test_p_value(differences: ArrayLike, alternative: Alternative = "two-sided") -> float:
    """Return the exact p-value of the sign test.

    The null hypothesis says that a difference is as often above zero as below. Zeros have no sign: given the number of
    differences that are not zero, the number above is binomial with probability one half, and the test is exact
    conditionally on that number (Dixon & Mood, *The statistical sign test*, JASA 41, 1946).

    Parameters
    ----------
    differences : array_like, shape (n,)
        Independent differences, one a pair; n at least 1.
    alternative : {"two-sided", "greater", "less"}
        What is shown when the p-value is small: that the signs are unbalanced, more often positive, or more often
        negative.

    Returns
    -------
    float
        In (0, 1]; 1 if every difference is zero.

    Raises
    ------
    ValueError
        If there are no differences, one is not finite, or the alternative is unknown.

    Examples
    --------
    >>> sign_test_p_value([0.2, 1.5, 0.1, 0.0, 0.3, 0.7], alternative="greater")
    0.03125
    """
    vector = require_vector("differences", differences)
    require_one_of("alternative", alternative, ("two-sided", "greater", "less"))
    if not len(vector):
        raise ValueError("differences: must hold at least one")
    above, below = int(np.sum(vector > 0)), int(np.sum(vector < 0))
    if alternative == "greater":
        return _fair_tail(above, above + below)
    if alternative == "less":
        return _fair_tail(below, above + below)
    return min(1.0, 2 * _fair_tail(max(above, below), above + below))


def _fair_tail(successes: int, trials: int) -> float:
    """Probability of at least `successes` heads in `trials` tosses of a fair coin."""
    return float(special.betainc(successes, trials - successes + 1, 0.5)) if successes > 0 else 1.0
