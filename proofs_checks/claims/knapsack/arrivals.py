r"""What arrives in the trials about online knapsack: hand-made, adversarial and random instances.

Random instances come in two families, because a theorem is approached from two sides:

- few prices in a chosen order. What happens at the critical value decides the ratio of a policy with a prediction, so
  these instances put a weight there that is spread over :math:`(0, 2]`, and let it arrive first, last, or mixed in;
- power laws, where prices spread over the whole range :math:`[L, U]`.

Worst cases of ZCL are staged by its adversary; they are the known instances of the claims about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import OnlineKnapsackInstance, XIncreasing, power_law
from proofs_checks.cases.knapsack import PredictedInstance
from proofs_checks.checkers.knapsack import critical_by_sorting
from proofs_checks.claim import Effort

__all__ = [
    "DRAWS",
    "hand_made_instances",
    "known_arrivals",
    "known_predicted",
    "random_instance",
    "random_predicted",
]

DRAWS: Mapping[Effort, int] = MappingProxyType({"smoke": 20, "quick": 10_000, "full": 200_000})
"""Random instances of a claim, each about 50 microseconds."""


def hand_made_instances() -> Iterator[OnlineKnapsackInstance]:
    """Yield the corners: one item, ties, a heavy item, more at the critical value than fits, the range a point.

    Yields
    ------
    OnlineKnapsackInstance
        Few items each.
    """
    yield OnlineKnapsackInstance([1.0], [0.5], lower=1.0, upper=10.0)
    yield OnlineKnapsackInstance([10.0], [3.0], lower=1.0, upper=10.0)
    yield OnlineKnapsackInstance([2.0, 2.0, 2.0], [1.0, 1.0, 1.0], lower=1.0, upper=4.0)
    yield OnlineKnapsackInstance([5.0, 5.0], [0.25, 0.25], lower=5.0, upper=5.0)
    yield OnlineKnapsackInstance([1.0, 2.0], [1.0, 0.25], lower=1.0, upper=2.0)
    yield OnlineKnapsackInstance([2.0, 8.0, 2.0], [0.5, 0.5, 1.5], lower=1.0, upper=8.0)
    yield OnlineKnapsackInstance([1.0, 3.0, 9.0], [1.0, 0.5, 0.25], lower=1.0, upper=9.0)
    yield OnlineKnapsackInstance([10.0, 9.0, 1.0], [0.6, 0.6, 0.4], lower=1.0, upper=10.0)
    yield OnlineKnapsackInstance([2.0, 1000.0], [1.0, 0.875], lower=1.0, upper=1000.0)
    yield OnlineKnapsackInstance([2.0, 2.0, 2.0, 1000.0], [1.0, 1.0, 1.0, 0.875], lower=1.0, upper=1000.0)
    yield OnlineKnapsackInstance([3.0, 6.0, 3.0], [2.0, 4.0, 1.0], lower=1.0, upper=6.0, capacity=5.0)


def known_arrivals(effort: Effort) -> Iterator[OnlineKnapsackInstance]:
    """Yield the hand-made instances and the stages of ZCL's adversary.

    Parameters
    ----------
    effort : {"smoke", "quick", "full"}
        Finer steps and wider ranges with more effort.

    Yields
    ------
    OnlineKnapsackInstance
        One for each time at which the adversary may stop.
    """
    yield from hand_made_instances()
    steps = {"smoke": (1, 2, 20), "quick": (1, 2, 5, 20, 60), "full": (1, 2, 5, 20, 60, 400)}[effort]
    for upper in (2.0, 10.0, 1000.0) if effort == "smoke" else (2.0, 10.0, 100.0, 1000.0, 1e6):
        for count in steps:
            yield from XIncreasing(1.0, upper, count).instances()


def known_predicted(effort: Effort) -> Iterator[PredictedInstance]:
    """Yield the known instances with their right predictions.

    Parameters
    ----------
    effort : {"smoke", "quick", "full"}
        See `known_arrivals`.

    Yields
    ------
    PredictedInstance
        The prediction is the critical value.
    """
    yield from _rightly_predicted(known_arrivals(effort))


def random_instance(rng: Generator) -> OnlineKnapsackInstance:
    """Draw an instance of one of the two families, half each.

    Parameters
    ----------
    rng : Generator
        Source of randomness.

    Returns
    -------
    OnlineKnapsackInstance
        With 1 to 40 items and a range of up to 10⁴.
    """
    upper = float(10 ** rng.uniform(0.1, 4))
    if rng.random() < 0.5:
        return power_law(int(rng.integers(1, 41)), upper, rng)
    return _few_prices(upper, rng)


def random_predicted(rng: Generator) -> PredictedInstance:
    """Draw an instance with its right prediction.

    Parameters
    ----------
    rng : Generator
        Source of randomness.

    Returns
    -------
    PredictedInstance
        The prediction is the critical value.
    """
    return next(_rightly_predicted([random_instance(rng)]))


def _rightly_predicted(instances: Iterable[OnlineKnapsackInstance]) -> Iterator[PredictedInstance]:
    for instance in instances:
        yield PredictedInstance(instance, critical_by_sorting(instance).value)


def _few_prices(upper: float, rng: Generator) -> OnlineKnapsackInstance:
    """Cheap, critical and dear items: the dear ones leave room, the critical ones would overfill it or just fit."""
    critical = upper ** rng.uniform(0, 0.9)
    above = critical + (upper - critical) * rng.random(rng.integers(0, 6))
    below = 1 + (critical - 1) * rng.random(rng.integers(0, 4))
    at_critical = np.full(rng.integers(1, 5), critical)
    weights_above = rng.dirichlet(np.ones(len(above))) * rng.random() if len(above) else np.empty(0)
    weights_at = rng.dirichlet(np.ones(len(at_critical))) * rng.uniform(0.02, 2)
    unit_values = np.concatenate([at_critical, above, below])
    weights = np.concatenate([weights_at, weights_above, rng.random(len(below))])
    order = (
        np.arange(len(weights)),  # critical first
        np.arange(len(weights))[::-1],  # critical last
        np.argsort(unit_values, kind="stable"),
        rng.permutation(len(weights)),
    )[rng.integers(4)]
    capacity = 1.0 if rng.random() < 0.8 else float(rng.uniform(0.2, 5))
    heavy_enough = np.maximum(weights[order], 1e-6)  # a Dirichlet share may round to zero
    return OnlineKnapsackInstance(unit_values[order], heavy_enough * capacity, 1.0, upper, capacity)
