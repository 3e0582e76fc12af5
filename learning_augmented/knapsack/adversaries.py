r"""Families of instances on which every policy does badly.

An adversary offers batches and may stop after some of them: a policy cannot know which stop it is going to be, so it
must be prepared for all. Each family knows its batches (`stages`), where it may stop (`stops`, as counts of batches),
and the instance of each stop (`instance`, `instances`). The capacity is 1.

Prices at the ends of a range are exact. Computed as $L r^K$ they would miss by a rounding error, and a price just above
a prediction is a different kind of item: the ratios would jump.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from algos.validation import require_between, require_integer, require_ordered, require_positive
from learning_augmented.knapsack.instance import OnlineKnapsackInstance

__all__ = ["IntervalAdversary", "ParetoAdversary", "PointAdversary", "Stage", "XIncreasing"]

Stage: TypeAlias = tuple[float, float]
"""Unit value and weight of one batch."""


class _Adversary(ABC):
    """Batches, and the stops after some of them."""

    lower: float
    upper: float

    @abstractmethod
    def stages(self) -> list[Stage]: ...

    @abstractmethod
    def stops(self) -> list[int]: ...

    def instance(self, stop: int) -> OnlineKnapsackInstance:
        """Return the instance in which the adversary stops after `stop` batches.

        Parameters
        ----------
        stop : int
            One of `stops`.

        Returns
        -------
        OnlineKnapsackInstance
            One item a batch, capacity 1.

        Raises
        ------
        ValueError
            If the adversary does not stop there.
        """
        stops = self.stops()
        if stop not in stops:
            raise ValueError(f"stop = {stop!r}: must be between {stops[0]} and {stops[-1]}")
        unit_values, weights = zip(*self.stages()[:stop], strict=True)
        return OnlineKnapsackInstance(unit_values, weights, self.lower, self.upper)

    def instances(self) -> list[OnlineKnapsackInstance]:
        """Return the instances of all stops, shortest first.

        Returns
        -------
        list of OnlineKnapsackInstance
            Each is a prefix of the next.
        """
        stops = self.stops()
        longest = self.instance(stops[-1])
        return [longest.prefix(stop) for stop in stops]


@dataclass(frozen=True)
class XIncreasing(_Adversary):
    r"""Prices that rise geometrically from lower to upper, with a full capacity on offer at each.

    Every policy, whatever it knows of the family, has a stop at which its ratio is at least
    ``no_prediction_lower_bound(upper / lower, steps)``.

    Parameters
    ----------
    lower, upper : float
        First and last price, exact.
    steps : int
        Number of rises; there is one batch more than that.

    Notes
    -----
    The family behind the lower bound of Zhou, Chakrabarty and Lukose (2008).

    Examples
    --------
    >>> XIncreasing(lower=1, upper=4, steps=2).stages()
    [(1.0, 1.0), (2.0, 1.0), (4.0, 1.0)]
    """

    lower: float
    upper: float
    steps: int

    def __post_init__(self) -> None:
        _store(self, lower=require_positive("lower", self.lower), upper=require_positive("upper", self.upper))
        require_ordered("lower", self.lower, "upper", self.upper)
        require_integer("steps", self.steps, minimum=1)

    def stages(self) -> list[Stage]:
        """Return the batches.

        Returns
        -------
        list of (unit value, weight)
            ``steps + 1`` of them.
        """
        return _rising(self.lower, self.upper, self.steps)

    def stops(self) -> list[int]:
        """Return the numbers of batches after which the adversary may stop.

        Returns
        -------
        list of int
            Every one.
        """
        return list(range(1, self.steps + 2))


@dataclass(frozen=True)
class PointAdversary(_Adversary):
    """Items at the predicted price, then perhaps dear ones that leave only a small gap; the prediction is always right.

    Every policy, even one that is told the critical weight, has a ratio of at least
    ``point_lower_bound(critical_weight, prediction / upper, gap)`` at one of the two stops.

    Parameters
    ----------
    prediction : float
        Price of the first batch; the critical value at both stops.
    upper : float
        Price of the second batch.
    critical_weight : float
        Weight of the first batch, in (0, 1].
    gap : float
        Room that the second batch leaves, in (0, critical_weight], below 1.
    lower : float, optional
        Lower end of the known range; the prediction by default.

    Notes
    -----
    Theorem 3.1 of Daneshvaramoli et al. (2025) in finite form.

    Examples
    --------
    >>> PointAdversary(prediction=2, upper=100, critical_weight=0.5, gap=0.25).stages()
    [(2.0, 0.5), (100.0, 0.75)]
    """

    prediction: float
    upper: float
    critical_weight: float
    gap: float
    lower: float = field(default=None)  # type: ignore[assignment]  # __post_init__ replaces it by the prediction

    def __post_init__(self) -> None:
        prediction = require_positive("prediction", self.prediction)
        lower = prediction if self.lower is None else require_positive("lower", self.lower)
        upper = require_positive("upper", self.upper)
        require_ordered("lower", lower, "prediction", prediction)
        require_ordered("prediction", prediction, "upper", upper)
        weight = require_between("critical_weight", self.critical_weight, 0, 1, open_low=True)
        gap = require_between("gap", self.gap, 0, 1, open_low=True, open_high=True)
        require_ordered("gap", gap, "critical_weight", weight)
        _store(self, prediction=prediction, upper=upper, critical_weight=weight, gap=gap, lower=lower)

    def stages(self) -> list[Stage]:
        """Return the batches.

        Returns
        -------
        list of (unit value, weight)
            Two of them.
        """
        return [(self.prediction, self.critical_weight), (self.upper, 1.0 - self.gap)]

    def stops(self) -> list[int]:
        """Return the numbers of batches after which the adversary may stop.

        Returns
        -------
        list of int
            Both.
        """
        return [1, 2]


@dataclass(frozen=True)
class IntervalAdversary(_Adversary):
    """Prices that rise through the predicted interval, then perhaps dear items; the interval is right at every stop.

    Every policy has a ratio of at least ``interval_lower_bound(high / low, high / upper, steps, gap)`` at one of the
    stops.

    Parameters
    ----------
    low, high : float
        The interval; first price, and price of batch number ``steps + 1``, exact.
    upper : float
        Price of the last batch.
    steps : int
        Number of rises from low to high.
    gap : float
        Room that the last batch leaves, in (0, 1).
    lower : float, optional
        Lower end of the known range; the lower end of the interval by default.

    Notes
    -----
    Theorem 3.6 of Daneshvaramoli et al. (2025) in finite form.

    Examples
    --------
    >>> IntervalAdversary(low=1, high=4, upper=100, steps=2, gap=0.25).stages()
    [(1.0, 1.0), (2.0, 1.0), (4.0, 1.0), (100.0, 0.75)]
    """

    low: float
    high: float
    upper: float
    steps: int
    gap: float
    lower: float = field(default=None)  # type: ignore[assignment]  # __post_init__ replaces it by low

    def __post_init__(self) -> None:
        low, high = require_positive("low", self.low), require_positive("high", self.high)
        lower = low if self.lower is None else require_positive("lower", self.lower)
        upper = require_positive("upper", self.upper)
        require_ordered("lower", lower, "low", low)
        require_ordered("low", low, "high", high)
        require_ordered("high", high, "upper", upper)
        require_integer("steps", self.steps, minimum=1)
        gap = require_between("gap", self.gap, 0, 1, open_low=True, open_high=True)
        _store(self, low=low, high=high, upper=upper, gap=gap, lower=lower)

    def stages(self) -> list[Stage]:
        """Return the batches.

        Returns
        -------
        list of (unit value, weight)
            ``steps + 2`` of them.
        """
        return [*_rising(self.low, self.high, self.steps), (self.upper, 1.0 - self.gap)]

    def stops(self) -> list[int]:
        """Return the numbers of batches after which the adversary may stop.

        Returns
        -------
        list of int
            Every one.
        """
        return list(range(1, self.steps + 3))


@dataclass(frozen=True)
class ParetoAdversary(_Adversary):
    r"""Prices that rise to the prediction, then perhaps dear items: consistency against robustness.

    Before the price reaches the prediction, the adversary may stop and make it wrong; at the last two stops it is
    right. Let $\gamma$ be a policy's worst ratio over the first `steps` stops and $\eta$ the worse of its ratios at the
    last two. With $r^K = \hat v/L$ and the gap $d$, every policy has

    $$\frac{1 + (1-d)(1 - \hat v/U)}{\eta} + \frac{K(1 - 1/r)}{\gamma} \le 1 .$$

    Parameters
    ----------
    prediction : float
        Price of batch number ``steps + 1``, exact.
    lower, upper : float
        First and last price, exact; the prediction lies between them.
    steps : int
        Number of rises from lower to the prediction.
    gap : float
        Room that the last batch leaves, in (0, 1).

    Notes
    -----
    The trade-off of Theorem 4.2 of Daneshvaramoli et al. (2025); the inequality, in this finite form, is this
    library's statement.

    Examples
    --------
    >>> ParetoAdversary(prediction=4, lower=1, upper=100, steps=2, gap=0.25).stages()
    [(1.0, 1.0), (2.0, 1.0), (4.0, 1.0), (100.0, 0.75)]
    """

    prediction: float
    lower: float
    upper: float
    steps: int
    gap: float

    def __post_init__(self) -> None:
        prediction = require_positive("prediction", self.prediction)
        lower, upper = require_positive("lower", self.lower), require_positive("upper", self.upper)
        require_ordered("lower", lower, "prediction", prediction)
        require_ordered("prediction", prediction, "upper", upper)
        require_integer("steps", self.steps, minimum=1)
        gap = require_between("gap", self.gap, 0, 1, open_low=True, open_high=True)
        _store(self, prediction=prediction, lower=lower, upper=upper, gap=gap)

    def stages(self) -> list[Stage]:
        """Return the batches.

        Returns
        -------
        list of (unit value, weight)
            ``steps + 2`` of them.
        """
        return [*_rising(self.lower, self.prediction, self.steps), (self.upper, 1.0 - self.gap)]

    def stops(self) -> list[int]:
        """Return the numbers of batches after which the adversary may stop.

        Returns
        -------
        list of int
            Every one; the prediction is right at the last two.
        """
        return list(range(1, self.steps + 3))


def _store(adversary: _Adversary, **checked: float) -> None:
    for name, value in checked.items():
        object.__setattr__(adversary, name, value)


def _rising(first: float, last: float, steps: int) -> list[Stage]:
    """Return `steps` + 1 batches of weight 1 at geometric prices with exact ends."""
    prices = np.exp(np.linspace(math.log(first), math.log(last), steps + 1)).clip(first, last).tolist()
    prices[0], prices[-1] = first, last
    return [(price, 1.0) for price in prices]
