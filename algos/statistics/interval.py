"""A confidence interval, and the check of its confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algos.validation import require_between, require_finite, require_ordered

__all__ = ["Interval", "error_probability"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided confidence interval; both ends belong to it.

    Parameters
    ----------
    low, high : float
        The ends, in units of what was estimated.
    confidence : float
        Probability, over the samples, that the interval holds the true value; at least that for the exact methods.

    Raises
    ------
    ValueError
        If an end is not finite, `low` exceeds `high`, or `confidence` lies outside (0, 1).

    Examples
    --------
    >>> interval = Interval(0.1, 0.4, confidence=0.95)
    >>> 0.3 in interval, 0.5 in interval
    (True, False)
    """

    low: float
    high: float
    confidence: float

    def __post_init__(self) -> None:
        require_finite("low", self.low)
        require_finite("high", self.high)
        require_ordered("low", self.low, "high", self.high)
        error_probability(self.confidence)

    def __contains__(self, value: float) -> bool:
        """Whether `value` lies between the ends, ends included."""
        return self.low <= value <= self.high


def error_probability(confidence: Any) -> float:
    """Return what a confidence leaves to error, or refuse the confidence.

    Parameters
    ----------
    confidence : float
        In the open interval (0, 1).

    Returns
    -------
    float
        ``1 - confidence``, which has no rounding error of its own from one half up.

    Examples
    --------
    >>> error_probability(0.75)
    0.25
    >>> error_probability(95)
    Traceback (most recent call last):
    ...
    ValueError: confidence = 95.0: must lie in (0, 1)
    """
    return 1.0 - require_between("confidence", confidence, 0, 1, open_low=True, open_high=True)
