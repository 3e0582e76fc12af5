"""Verdicts on tables: an interval at the laboratory's level, held against a bound.

Each function here returns the `decide` of a `Repeated` or `EachCase` trial. A verdict falls only when the whole
interval lies on one side of the bound; otherwise it is inconclusive: "no significant violation" is never "holds".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from algos.statistics import (
    Interval,
    binomial_interval,
    empirical_bernstein_interval,
    mean_interval,
)
from algos.validation import require_finite, require_one_of, require_same_length
from proofs_checks.claim import LEVEL, Decision, Table, Verdict

__all__ = ["fraction_decision", "mean_decision", "mean_difference_decision"]

Direction = Literal["at most", "at least"]


def mean_decision(
    column: str,
    direction: Direction,
    bound: float,
    *,
    support: tuple[float, float] | None = None,
    level: float = LEVEL,
) -> Callable[[Table], Decision]:
    """Decide whether the mean of a column is at most, or at least, a bound.

    Parameters
    ----------
    column : str
        Name of the column.
    direction : {"at most", "at least"}
        What the claim says.
    bound : float
        What the mean is held against.
    support : tuple of float, optional
        Ends between which every value is sure to lie: the interval is then the empirical Bernstein one, valid at any
        sample size. Without it the interval is Student's, which is approximate, and equal values decide nothing.
    level : float
        Error probability.

    Returns
    -------
    callable
        ``decide(table) -> Decision``.

    Examples
    --------
    >>> decide = mean_decision("loss", "at most", 0.5, support=(0, 1))
    >>> decide({"loss": np.full(2000, 0.1)}).verdict
    'holds'
    """

    _require_statement(direction, bound)

    def decide(table: Table) -> Decision:
        values = np.asarray(table[column], dtype=np.float64)
        interval = _mean_interval(values, support, level)
        return _decision(f"mean {column}", float(np.mean(values)), interval, level, direction, bound)

    return decide


def fraction_decision(
    column: str, direction: Direction, bound: float, *, level: float = LEVEL
) -> Callable[[Table], Decision]:
    """Decide whether the probability that a 0/1 column is 1 is at most, or at least, a bound.

    Parameters
    ----------
    column : str
        Name of the column.
    direction : {"at most", "at least"}
        What the claim says.
    bound : float
        What the probability is held against.
    level : float
        Error probability of the exact (Clopper-Pearson) interval.

    Returns
    -------
    callable
        ``decide(table) -> Decision``.

    Raises
    ------
    ValueError
        By `decide`, if the column holds anything but 0 and 1.

    Examples
    --------
    >>> decide = fraction_decision("failed", "at most", 0.05)
    >>> decide({"failed": np.zeros(100)}).verdict
    'inconclusive'
    >>> decide({"failed": np.zeros(1000)}).verdict
    'holds'
    """

    _require_statement(direction, bound)

    def decide(table: Table) -> Decision:
        values = np.asarray(table[column], dtype=np.float64)
        if not np.isin(values, (0.0, 1.0)).all():
            raise ValueError(f"column {column!r}: must hold 0 and 1 only")
        successes = int(values.sum())
        interval = _ends(binomial_interval(successes, len(values), confidence=1 - level))
        return _decision(f"share of {column}", successes / len(values), interval, level, direction, bound)

    return decide


def mean_difference_decision(
    column: str,
    other: str,
    direction: Direction,
    bound: float = 0.0,
    *,
    support: tuple[float, float] | None = None,
    level: float = LEVEL,
) -> Callable[[Table], Decision]:
    """Decide whether the mean of `column` minus `other`, row by row, is at most, or at least, a bound.

    Parameters
    ----------
    column, other : str
        Names of two columns measured on the same rows.
    direction : {"at most", "at least"}
        What the claim says.
    bound : float
        What the mean difference is held against.
    support : tuple of float, optional
        Ends between which every difference is sure to lie; see `mean_decision`.
    level : float
        Error probability.

    Returns
    -------
    callable
        ``decide(table) -> Decision``.
    """

    _require_statement(direction, bound)

    def decide(table: Table) -> Decision:
        require_same_length(**{column: table[column], other: table[other]})
        values = np.asarray(table[column], dtype=np.float64) - np.asarray(table[other], dtype=np.float64)
        name = f"mean difference {column} − {other}"
        return _decision(name, float(np.mean(values)), _mean_interval(values, support, level), level, direction, bound)

    return decide


def _require_statement(direction: str, bound: float) -> None:
    require_one_of("direction", direction, ("at most", "at least"))
    require_finite("bound", bound)


def _mean_interval(
    values: NDArray[np.float64], support: tuple[float, float] | None, level: float
) -> tuple[float, float]:
    if support is not None:
        return _ends(empirical_bernstein_interval(values, *support, confidence=1 - level))
    if np.ptp(values) == 0:  # Student's interval would have width zero, however few the values
        return -math.inf, math.inf
    return _ends(mean_interval(values, confidence=1 - level))


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _decision(
    name: str, estimate: float, interval: tuple[float, float], level: float, direction: Direction, bound: float
) -> Decision:
    low, high = interval
    verdict: Verdict = "inconclusive"
    if direction == "at most":
        verdict = "holds" if high <= bound else "violated" if low > bound else verdict
    else:
        verdict = "holds" if low >= bound else "violated" if high < bound else verdict
    sentence = (
        f"The {name} is {estimate:.4g}, with interval [{low:.4g}, {high:.4g}] at level {level:.0e}; "
        f"the claim says {direction} {bound:.4g}."
    )
    return Decision(verdict, estimate, bound, interval, sentence, 1 - level)
