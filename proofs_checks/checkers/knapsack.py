r"""Independent re-computation for online knapsack.

The offline optimum of fractional knapsack sorts the items by unit value and fills the knapsack from the top:

.. math:: \mathrm{OPT} = H + \hat v\,\min(\omega, C - W),

where :math:`\hat v` is the critical value (the smallest unit value among the items that the optimum uses; the smallest
of all where everything fits), :math:`\omega` the total weight at that value, and :math:`W`, :math:`H` weight and value
above it. Nothing here imports an algorithm: an instance is anything with `unit_values`, `weights` and `capacity`, a
policy anything with `reset` and `offer`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "SAME_PRICE",
    "Critical",
    "Instance",
    "Played",
    "Policy",
    "competitive_ratio",
    "critical_by_sorting",
    "optimum_by_sorting",
    "play",
]

SAME_PRICE = 1e-12
"""Unit values within this relative distance are one price, as policies read them."""
_OVERFLOW = 1e-9
"""Weight, relative to the capacity, that rounding may put on top of a full knapsack."""


class Instance(Protocol):
    """What the checkers need of an instance."""

    @property
    def unit_values(self) -> NDArray[np.float64]:
        """Value per weight, in order of arrival, shape (n,)."""

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weights in order of arrival, shape (n,)."""

    @property
    def capacity(self) -> float:
        """Capacity of the knapsack."""


class Policy(Protocol):
    """What the checkers need of a policy."""

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item, at once and for good.

        Parameters
        ----------
        unit_value : float
            Value per weight.
        weight : float
            Weight on offer.

        Returns
        -------
        float
            Accepted weight.
        """


@dataclass(frozen=True, slots=True)
class Critical:
    """The critical value of an instance and what lies at and above it.

    Parameters
    ----------
    value : float
        Smallest unit value that the fractional optimum uses.
    weight : float
        Total weight of the items at that value, whether or not they fit.
    weight_above, value_above : float
        Total weight and total value of the items with larger unit values.
    """

    value: float
    weight: float
    weight_above: float
    value_above: float


@dataclass(frozen=True, slots=True)
class Played:
    """What a policy did on an instance, item by item.

    Parameters
    ----------
    value : float
        Collected value.
    accepted : tuple of float
        Accepted weights, as the policy returned them; it ends at the first infeasible decision.
    fault : str
        The first infeasible decision, in a sentence; empty if there was none.
    """

    value: float
    accepted: tuple[float, ...]
    fault: str = ""

    @property
    def feasible(self) -> bool:
        """Whether every decision was feasible."""
        return not self.fault


def critical_by_sorting(instance: Instance) -> Critical:
    """Return the critical value by sorting all items.

    Parameters
    ----------
    instance : Instance
        With at least one item.

    Returns
    -------
    Critical
        Prices within `SAME_PRICE` of the critical value count as critical.

    Raises
    ------
    ValueError
        If the instance is empty.

    Examples
    --------
    >>> from learning_augmented.knapsack import OnlineKnapsackInstance
    >>> critical_by_sorting(OnlineKnapsackInstance([1.0, 4.0, 2.0], [0.5, 0.5, 0.75], lower=1, upper=4))
    Critical(value=2.0, weight=0.75, weight_above=0.5, value_above=2.0)
    """
    values, weights = _items(instance)
    if not values:
        raise ValueError("instance: must hold at least one item")
    used = 0.0
    critical = min(values)
    for value, weight in sorted(zip(values, weights, strict=True), reverse=True):
        used += weight
        if used >= instance.capacity:
            critical = value
            break
    here = [math.isclose(value, critical, rel_tol=SAME_PRICE) for value in values]
    above = [value > critical and not same for value, same in zip(values, here, strict=True)]
    return Critical(
        value=critical,
        weight=math.fsum(weight for weight, same in zip(weights, here, strict=True) if same),
        weight_above=math.fsum(weight for weight, high in zip(weights, above, strict=True) if high),
        value_above=math.fsum(v * w for v, w, high in zip(values, weights, above, strict=True) if high),
    )


def optimum_by_sorting(instance: Instance) -> float:
    """Return the value of the fractional optimum by sorting all items.

    Parameters
    ----------
    instance : Instance
        May be empty.

    Returns
    -------
    float
        At least the best value of any selection of whole items.

    Examples
    --------
    >>> from learning_augmented.knapsack import OnlineKnapsackInstance
    >>> optimum_by_sorting(OnlineKnapsackInstance([1.0, 4.0, 2.0], [0.5, 0.5, 0.75], lower=1, upper=4))
    3.0
    """
    values, weights = _items(instance)
    room = instance.capacity
    taken = []
    for value, weight in sorted(zip(values, weights, strict=True), reverse=True):
        taken.append(value * min(weight, room))
        room = max(0.0, room - weight)
    return math.fsum(taken)


def play(policy: Policy, instance: Instance) -> Played:
    """Offer the items one by one and record what the policy does.

    Parameters
    ----------
    policy : Policy
        It is reset first. Nothing but the items so far ever reaches it.
    instance : Instance
        The items, in order of arrival.

    Returns
    -------
    Played
        An infeasible decision (negative, not a number, more than was offered, over capacity) ends the play and is told
        in `fault`.

    Examples
    --------
    >>> from learning_augmented.knapsack import OnlineKnapsackInstance
    >>> class Glutton:
    ...     def reset(self, capacity=1.0): ...
    ...     def offer(self, unit_value, weight): return weight
    >>> play(Glutton(), OnlineKnapsackInstance([1.0, 2.0], [0.75, 0.5], lower=1, upper=2))
    Played(value=0.75, accepted=(0.75, 0.5), fault='item 1: 1.25 of a capacity of 1 is used')
    """
    values, weights = _items(instance)
    capacity = float(instance.capacity)
    policy.reset(capacity)
    accepted: list[float] = []
    gains: list[float] = []
    used = 0.0
    for index, (value, weight) in enumerate(zip(values, weights, strict=True)):
        amount = float(policy.offer(value, weight))
        accepted.append(amount)
        used += amount
        if fault := _fault(amount, weight, used, capacity):
            return Played(math.fsum(gains), tuple(accepted), f"item {index}: {fault}")
        gains.append(value * amount)
    return Played(math.fsum(gains), tuple(accepted))


def competitive_ratio(optimum: float, played: Played) -> float:
    """Return OPT / ALG.

    Parameters
    ----------
    optimum : float
        Value of the offline optimum.
    played : Played
        What the policy did.

    Returns
    -------
    float
        Infinity after an infeasible decision, or if nothing was collected where something could be; 1 if there was
        nothing to collect.

    Examples
    --------
    >>> competitive_ratio(3.0, Played(value=2.0, accepted=(1.0,)))
    1.5
    >>> competitive_ratio(3.0, Played(value=0.0, accepted=(0.0,)))
    inf
    """
    if not played.feasible:
        return math.inf
    if optimum == 0:
        return 1.0
    return optimum / played.value if played.value > 0 else math.inf


def _items(instance: Instance) -> tuple[list[float], list[float]]:
    return instance.unit_values.tolist(), instance.weights.tolist()


def _fault(amount: float, weight: float, used: float, capacity: float) -> str:
    if math.isnan(amount):
        return "the accepted weight is not a number"
    if amount < 0:
        return f"the accepted weight {amount:g} is negative"
    if amount > weight * (1 + _OVERFLOW):
        return f"{amount:g} is accepted of a weight of {weight:g}"
    if used > capacity * (1 + _OVERFLOW):
        return f"{used:g} of a capacity of {capacity:g} is used"
    return ""
