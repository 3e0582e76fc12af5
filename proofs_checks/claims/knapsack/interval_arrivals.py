r"""How instances with a predicted interval arrive: known ones first, then random ones.

Interval ends are drawn at a distance from the critical value that is even on the logarithmic scale, because that is the
scale of the guarantee; the interval may stick out of the known range of prices.
"""

from __future__ import annotations

from collections.abc import Iterator

from numpy.random import Generator

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.cases.knapsack_intervals import IntervalCase, IntervalSetting, spread_around
from proofs_checks.claim import Effort
from proofs_checks.claims.knapsack.arrivals import known_arrivals, random_instance

__all__ = ["known_intervals", "random_interval", "random_wrong_interval"]


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
