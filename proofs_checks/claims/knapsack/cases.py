r"""What the claims about online knapsack are tried on, apart from the plain instances: data, and how it is drawn.

Random instances come in two families, because a theorem is approached from two sides:

- few prices in a chosen order. What happens at the critical value decides the ratio of a policy with a prediction, so
  these instances put a weight there that is spread over :math:`(0, 2]`, and let it arrive first, last, or mixed in;
- power laws, where prices spread over the whole range :math:`[L, U]`.

Worst cases of ZCL are staged by its adversary; they are the known instances of the claims about it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import OnlineKnapsackInstance, XIncreasing, power_law
from proofs_checks.checkers.knapsack import critical_by_sorting
from proofs_checks.claim import Effort

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "DRAWS",
    "MixCase",
    "PointGame",
    "PointSetting",
    "PredictedInstance",
    "Rise",
    "RisingGame",
    "StagePolicy",
    "TradeOffGame",
    "Trusted",
    "from_strategies",
    "hand_made_instances",
    "known_arrivals",
    "known_predicted",
    "random_instance",
    "random_predicted",
]

Trusted: TypeAlias = Literal["basic", "advanced"]

DRAWS: Mapping[Effort, int] = MappingProxyType({"smoke": 20, "quick": 10_000, "full": 200_000})
"""Random instances of a claim, each about 50 microseconds."""


@dataclass(frozen=True, slots=True)
class PredictedInstance:
    """An instance and somebody's prediction of its critical value.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    prediction : float
        Any positive number, right or wrong.
    """

    instance: OnlineKnapsackInstance
    prediction: float


@dataclass(frozen=True, slots=True)
class MixCase:
    """A predicted instance for Mix.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    prediction : float
        Any positive number, right or wrong.
    trust : float
        Weight of the trusted policy, in [0, 1].
    trusted : {"basic", "advanced"}
        Which point-prediction policy Mix trusts.
    """

    instance: OnlineKnapsackInstance
    prediction: float
    trust: float
    trusted: Trusted = "advanced"


@dataclass(frozen=True, slots=True)
class Rise:
    """Geometrically rising prices from 1, and the trust of the Mix that meets them under a prediction above all prices.

    Parameters
    ----------
    upper : float
        The last price, at least 1.
    steps : int
        Number of rises.
    trust : float
        Weight of the policy that trusts the prediction; 0 is ZCL alone.
    """

    upper: float
    steps: int
    trust: float = 0.0


@dataclass(frozen=True, slots=True)
class PointSetting:
    """A setting of the adversary of a right point prediction.

    Parameters
    ----------
    critical_weight : float
        Weight at the predicted value, in (0, 1].
    prediction_over_upper : float
        Predicted value, where the dear items have unit value 1; in (0, 1].
    gap : float
        Room that the dear items leave, in (0, critical_weight] and below 1.
    """

    critical_weight: float
    prediction_over_upper: float
    gap: float


@dataclass(slots=True)
class StagePolicy:
    """An online policy on a fixed sequence of stages, as plain data.

    Of stage k it accepts ``fractions[k]`` of all that it could (the smaller of the offer and the room left). Against an
    adversary whose items do not depend on the policy, every online policy is one of these.

    Parameters
    ----------
    fractions : tuple of float
        One in [0, 1] a stage; later stages get nothing.

    Examples
    --------
    >>> policy = StagePolicy((0.5, 1.0))
    >>> [policy.offer(unit_value, 1.0) for unit_value in (1.0, 2.0, 4.0)]
    [0.5, 0.5, 0.0]
    """

    fractions: tuple[float, ...]
    _room: float = field(default=1.0, init=False, repr=False, compare=False)
    _stage: int = field(default=0, init=False, repr=False, compare=False)

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self._room = capacity
        self._stage = 0

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on the item of the next stage.

        Parameters
        ----------
        unit_value, weight : float
            The item; the policy knew the sequence beforehand and looks at the weight only.

        Returns
        -------
        float
            Accepted weight.
        """
        fraction = self.fractions[self._stage] if self._stage < len(self.fractions) else 0.0
        amount = fraction * min(weight, self._room)
        self._room -= amount
        self._stage += 1
        return amount


@dataclass(frozen=True, slots=True)
class RisingGame:
    """A policy against prices that rise geometrically from 1 and may stop at any time.

    Parameters
    ----------
    upper : float
        The last price, at least 1.
    policy : StagePolicy
        One fraction a price, so ``len(policy.fractions) - 1`` steps.
    """

    upper: float
    policy: StagePolicy


@dataclass(frozen=True, slots=True)
class PointGame:
    """A policy against the adversary of a right point prediction.

    Parameters
    ----------
    setting : PointSetting
        The adversary's.
    policy : StagePolicy
        Two fractions.
    """

    setting: PointSetting
    policy: StagePolicy


@dataclass(frozen=True, slots=True)
class TradeOffGame:
    """A policy against prices that rise from 1 to a prediction and may then jump to dear items.

    Parameters
    ----------
    prediction, upper : float
        Predicted value and price of the dear items, ``1 <= prediction <= upper``.
    gap : float
        Room that the dear items leave, in (0, 1).
    policy : StagePolicy
        ``steps + 2`` fractions for ``steps`` rises.
    """

    prediction: float
    upper: float
    gap: float
    policy: StagePolicy


def from_strategies(name: str, module: str = "knapsack", **options: Any) -> Callable[[], SearchStrategy[Any]]:
    """Return a strategy of this topic that is made when it is asked for: listing claims does not import hypothesis.

    Parameters
    ----------
    name : str
        A function of `module`.
    module : str
        Module of `proofs_checks.strategies`.
    **options : object
        Its arguments.

    Returns
    -------
    callable
        ``strategy() -> SearchStrategy``.
    """

    def strategy() -> SearchStrategy[Any]:
        strategies = importlib.import_module(f"proofs_checks.strategies.{module}")
        made: SearchStrategy[Any] = getattr(strategies, name)(**options)
        return made

    return strategy


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
