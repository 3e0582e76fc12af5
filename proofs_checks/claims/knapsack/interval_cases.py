r"""What the claims about predicted intervals are tried on: instances with an interval, and games against its adversary.

Interval ends are drawn at a distance from the critical value that is even on the logarithmic scale, because that is the
scale of the guarantee; the interval may stick out of the known range of prices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import IntervalAdversary, OnlineKnapsackInstance
from proofs_checks.cases.knapsack import StagePolicy
from proofs_checks.checkers.knapsack import critical_by_sorting
from proofs_checks.claim import Effort
from proofs_checks.claims.knapsack.arrivals import known_arrivals, random_instance

__all__ = [
    "IntervalCase",
    "IntervalGame",
    "IntervalSetting",
    "MixedInterval",
    "known_intervals",
    "random_interval",
    "random_wrong_interval",
    "spread_around",
]


@dataclass(frozen=True, slots=True)
class IntervalCase:
    """An instance and somebody's interval for its critical value.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    low, high : float
        The interval, right or wrong.
    """

    instance: OnlineKnapsackInstance
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MixedInterval:
    """An instance with an interval for Mix.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    low, high : float
        The interval, right or wrong.
    trust : float
        Weight of the policy that trusts it.
    """

    instance: OnlineKnapsackInstance
    low: float
    high: float
    trust: float


@dataclass(frozen=True, slots=True)
class IntervalSetting:
    """A setting of the adversary of a right interval, which begins at the price 1.

    Parameters
    ----------
    high, upper : float
        Upper end of the interval, and price of the dear items; ``1 <= high <= upper``.
    steps : int
        Number of rises through the interval.
    gap : float
        Room that the dear items leave, in (0, 1).
    """

    high: float
    upper: float
    steps: int
    gap: float

    def adversary(self, kind: type[IntervalAdversary] = IntervalAdversary) -> IntervalAdversary:
        """Return the adversary, or a weak one of the same parameters.

        Parameters
        ----------
        kind : type
            Its class.

        Returns
        -------
        IntervalAdversary
            In this setting.
        """
        return kind(1.0, self.high, self.upper, self.steps, self.gap)


@dataclass(frozen=True, slots=True)
class IntervalGame:
    """A policy against the adversary of a right interval.

    Parameters
    ----------
    setting : IntervalSetting
        The adversary's.
    policy : StagePolicy
        ``setting.steps + 2`` fractions.
    """

    setting: IntervalSetting
    policy: StagePolicy


def spread_around(instance: OnlineKnapsackInstance, below: float, above: float) -> IntervalCase:
    """Return the instance with an interval around its critical value.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    below, above : float
        Distances of the ends, as differences of logarithms; negative ones make the interval wrong.

    Returns
    -------
    IntervalCase
        The ends are exact where the distance is 0.
    """
    critical = critical_by_sorting(instance).value
    return IntervalCase(instance, critical * float(np.exp(-below)), critical * float(np.exp(above)))


def known_intervals(effort: Effort) -> Iterator[IntervalCase]:
    """Yield the known instances with points, wide and one-sided intervals, all of them right.

    Parameters
    ----------
    effort : {"smoke", "quick", "full"}
        See `known_arrivals`.

    Yields
    ------
    IntervalCase
        Three a known instance, and the stages of the interval's adversary.
    """
    # Where dear items are taken whole, the second leaves no room for the third.
    yield IntervalCase(OnlineKnapsackInstance([2.0, 3.0, 1000.0], [1.0, 0.5, 0.4], lower=1.0, upper=1000.0), 2.0, 2.0)
    for instance in known_arrivals(effort):
        yield spread_around(instance, 0.0, 0.0)
        yield spread_around(instance, 0.0, 1.0)
        yield spread_around(instance, 0.5, 0.0)
    for high, steps in ((4.0, 10), (20.0, 30)):
        for instance in IntervalSetting(high, 50 * high, steps, 0.01).adversary().instances():
            yield IntervalCase(instance, 1.0, high)


def random_interval(rng: Generator) -> IntervalCase:
    """Draw an instance with a right interval.

    Parameters
    ----------
    rng : Generator
        Source of randomness.

    Returns
    -------
    IntervalCase
        Now and then a point, now and then wider than the range of prices.
    """
    below, above = rng.exponential(10 ** rng.uniform(-2, 0.5), size=2) * (rng.random(2) < 0.8)
    return spread_around(random_instance(rng), float(below), float(above))


def random_wrong_interval(rng: Generator) -> IntervalCase:
    """Draw an instance with any interval, most of them wrong.

    Parameters
    ----------
    rng : Generator
        Source of randomness.

    Returns
    -------
    IntervalCase
        The interval lies below, around or above the critical value.
    """
    shift, width = rng.normal(0, 1.5), rng.exponential(0.5)
    return spread_around(random_instance(rng), float(-shift), float(shift + width))
