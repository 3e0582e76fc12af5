"""Cases of the claims about predicted intervals in online knapsack, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from learning_augmented.knapsack import IntervalAdversary, OnlineKnapsackInstance
from proofs_checks.cases.knapsack import StagePolicy
from proofs_checks.checkers.knapsack import critical_by_sorting

__all__ = ["IntervalCase", "IntervalGame", "IntervalSetting", "MixedInterval", "spread_around"]


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
