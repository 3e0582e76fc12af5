r"""Sentinel: trust ranges for how much will be offered at each price.

For each of the prices $v_1 < \dots < v_m$ the prediction is a range $[l_j, u_j]$ for the weight that will be offered at
it, in capacities. Let $M_i$ be the instance with the weights $u_j$ at the prices $v_j \le v_i$ and $l_j$ above, and
$O_i$ its fractional optimum; $M_0$ has the weights $l_j$ everywhere. The policy looks for the largest fraction $a$ of
the optimum that it can promise for all of them at once:

- the *sentinel* is the highest price $v_s$ at which what surely comes, at $v_s$ and above, is worth $a\,O_{s-1}$; room
  for the least weights $l_j$ above $v_s$, and for the part of $l_s$ that is still missing to $a\,O_{s-1}$, is set
  aside at their prices;
- at $v_s$ and every price $v_i$ above, room for $a\,(O_i - O_{i-1})/v_i$ more is set aside (less, at $v_s$, what the
  weights above are worth beyond $a\,O_{s-1}$);
- $a$ is as large as the total room allows, found by bisection.

Online, an item is accepted as long as there is room at the largest price not above its own, then at the next one
below, and so on. If the offered weights are as predicted, for every order of arrival,

$$a\,\mathrm{OPT} \le \mathrm{ALG} .$$

With exact frequencies $a = 1$; with $l_j = 0$ and $u_j \ge 1$ nothing is known but the prices, and $1/a$ is the best
ratio without a prediction, $1 + \sum_i (1 - v_{i-1}/v_i)$.

The policy is that of Im, Kumar, Montazer Qaem and Purohit (2021), "Online knapsack with frequency predictions",
NeurIPS, written down anew for items that may be cut; the inequality in this form is this library's statement.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algos.knapsack import tied_with
from algos.validation import require_between, require_nonnegative, require_positive
from learning_augmented.knapsack import _kernels
from learning_augmented.knapsack.block_run import BlockRun, run_in_blocks
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.policy import (
    OnlineRun,
    PlainState,
    refuse_item,
    require_entries,
    values_one_by_one,
)
from learning_augmented.knapsack.price_classes import classes_of

__all__ = ["Sentinel"]

_BISECTIONS = 60
_ROUNDING = 1e-12


class Sentinel:
    """Trust ranges for the weight offered at each price; a baseline that needs to know much.

    Parameters
    ----------
    frequency_low, frequency_high : mapping of float to float
        By price, the least and the most weight that will be offered at it, in capacities. A price without a least
        weight has 0. An item at a price between the known ones is treated as one at the next price below.

    Attributes
    ----------
    ratio : float
        OPT / ALG is at most this when the frequencies are as predicted; 1 when the ranges are points.

    Raises
    ------
    ValueError
        If there is no price, two prices tie, a weight is negative, or a least weight exceeds the most.

    Notes
    -----
    Im, Kumar, Montazer Qaem and Purohit (2021), "Online knapsack with frequency predictions", NeurIPS.

    Examples
    --------
    >>> policy = Sentinel({1.0: 0.5, 4.0: 0.25}, {1.0: 2.0, 4.0: 0.5})
    >>> [round(policy.offer(unit_value, 1.0), 6) for unit_value in (1.0, 4.0, 1.0)]
    [0.580645, 0.419355, 0.0]
    >>> policy
    Sentinel(2 prices from 1 to 4, ratio 1.10714)
    """

    def __init__(self, frequency_low: Mapping[float, float], frequency_high: Mapping[float, float]) -> None:
        self.prices, self.low, self.high = _checked_frequencies(frequency_low, frequency_high)
        share, budgets = _largest_promise(self.prices, self.low, self.high)
        self.ratio = 1.0 / share
        self.budgets = budgets
        for array in (self.prices, self.low, self.high, self.budgets):
            array.flags.writeable = False
        self._reached = [price * tied_with(1.0)[0] for price in self.prices.tolist()]
        self.reset()

    def __repr__(self) -> str:
        """Number of prices, their range, and the guaranteed ratio."""
        plural = "" if len(self.prices) == 1 else "s"
        span = f"from {self.prices[0]:g} to {self.prices[-1]:g}"
        return f"{type(self).__name__}({len(self.prices)} price{plural} {span}, ratio {self.ratio:.6g})"

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds; the frequencies are in capacities.
        """
        self._capacity = require_positive("capacity", capacity)
        self._rooms = (self.budgets * self._capacity).tolist()

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item.

        Parameters
        ----------
        unit_value : float
            Value per weight, positive.
        weight : float
            Weight on offer.

        Returns
        -------
        float
            Accepted weight.

        Raises
        ------
        ValueError
            If one of the two is not positive and finite.
        """
        if not (0.0 < unit_value < math.inf and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, "must be positive and finite")
        left = float(weight)  # a float32 weight would turn the state into float32
        accepted = 0.0
        for price in range(bisect.bisect_right(self._reached, unit_value) - 1, -1, -1):
            amount = min(left, self._rooms[price])
            self._rooms[price] -= amount
            accepted += amount
            left -= amount
            if left <= 0.0:
                break
        return min(accepted, float(weight))

    @property
    def state(self) -> PlainState:
        """Name, frequencies, capacity, and the room that is left at each price."""
        return {**self._parameters(), "capacity": self._capacity, "rooms": list(self._rooms)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of a policy with the same frequencies.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If it is the state of another policy, or is damaged.
        """
        require_entries(state, self._parameters(), ("capacity", "rooms"))
        capacity = require_positive("state['capacity']", state["capacity"])
        if len(state["rooms"]) != len(self.prices):
            raise ValueError(f"state['rooms']: must hold {len(self.prices)} numbers, holds {len(state['rooms'])}")
        rooms = [
            require_between(f"state['rooms'][{number}]", room, 0.0, capacity)
            for number, room in enumerate(state["rooms"])
        ]
        self._capacity, self._rooms = capacity, rooms

    def _parameters(self) -> PlainState:
        return {
            "policy": type(self).__name__,
            "prices": self.prices.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
        }

    def run(self, instance: OnlineKnapsackInstance) -> OnlineRun:
        """Run over a whole instance, from an empty knapsack; the step-wise state is left alone.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items.

        Returns
        -------
        OnlineRun
            Accepted weights, value, used capacity.
        """
        return run_in_blocks(self.begin_run(instance), instance)

    def begin_run(self, instance: OnlineKnapsackInstance) -> BlockRun:
        """Begin a run over an instance that is handed over in blocks, from an empty knapsack.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items.

        Returns
        -------
        BlockRun
            The run, independent of the step-wise state.
        """
        return _SentinelRun(self.prices, self.budgets * instance.capacity)

    @classmethod
    def run_rows(
        cls,
        policies: Sequence[Self],
        unit_values: NDArray[np.float64],
        weights: NDArray[np.float64],
        capacity: float,
    ) -> NDArray[np.float64]:
        """Return the value of each policy on its row (see `run_batch`); the rows run one after another.

        Parameters
        ----------
        policies : sequence of Sentinel, length b
            One a row.
        unit_values, weights : ndarray of float64, shape (b, n)
            The rows, checked.
        capacity : float
            Weight that each knapsack holds.

        Returns
        -------
        ndarray of float64, shape (b,)
            Values.
        """
        return values_one_by_one(policies, unit_values, weights, capacity)


class _SentinelRun:
    """Sentinel over an instance, block by block."""

    def __init__(self, prices: NDArray[np.float64], rooms: NDArray[np.float64]) -> None:
        self._prices = prices
        self._rooms = rooms
        self._state = np.zeros(2)

    @property
    def value(self) -> float:
        return float(self._state[1])

    @property
    def used(self) -> float:
        return float(self._state[0])

    def advance(
        self, unit_values: NDArray[np.float64], weights: NDArray[np.float64], accepted: NDArray[np.float64]
    ) -> None:
        classes = classes_of(unit_values, self._prices)
        _kernels.sentinel(unit_values, weights, classes, self._rooms, self._state, accepted)


def _checked_frequencies(
    low: Mapping[float, float], high: Mapping[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Prices, least and most weights as arrays, by rising price."""
    for name, given in (("frequency_low", low), ("frequency_high", high)):
        if not isinstance(given, Mapping):
            raise TypeError(f"{name} = {given!r}: must map prices to weights, got {type(given).__name__}")
    if not high:
        raise ValueError("frequency_high: must hold at least one price")
    unknown = [price for price in low if price not in high]
    if unknown:
        raise ValueError(f"frequency_low[{unknown[0]}]: frequency_high has no such price")
    prices = sorted(require_positive("price", price) for price in high)
    for below, above in itertools.pairwise(prices):
        if above <= tied_with(below)[1]:
            raise ValueError(f"frequency_high: prices {below} and {above} are tied, must be distinct")
    least = [require_nonnegative(f"frequency_low[{price}]", low.get(price, 0.0)) for price in prices]
    most = [require_nonnegative(f"frequency_high[{price}]", high[price]) for price in prices]
    for price, small, large in zip(prices, least, most, strict=True):
        if small > large:
            raise ValueError(f"frequency_low[{price}] = {small}: must not exceed frequency_high[{price}] = {large}")
    return np.array(prices), np.array(least), np.array(most)


def _largest_promise(
    prices: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """The largest fraction of the optimum that can be promised, and the room that it needs at each price."""
    optima = _staged_optima(prices, low, high)
    surely = np.append(np.cumsum((prices * low)[::-1])[::-1], 0.0)  # worth of what surely comes from each price on

    def budgets(share: float) -> NDArray[np.float64]:
        wanted = share * optima
        enough = np.flatnonzero(surely[:-1] >= wanted[:-1] * (1 - _ROUNDING))
        sentinel = int(enough[-1]) if len(enough) else 0
        room = np.zeros(len(prices))
        room[sentinel + 1 :] = low[sentinel + 1 :]
        room[sentinel + 1 :] += np.diff(wanted)[sentinel + 1 :] / prices[sentinel + 1 :]
        room[sentinel] = max(0.0, wanted[sentinel + 1] - surely[sentinel + 1]) / prices[sentinel]
        return room

    least, most = 0.0, 1.0
    if budgets(1.0).sum() <= 1.0 + _ROUNDING:
        return 1.0, budgets(1.0)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (least + most)
        if budgets(middle).sum() <= 1.0:
            least = middle
        else:
            most = middle
    return least, budgets(least)


def _staged_optima(
    prices: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Optima of the instances with the most weight at the i lowest prices and the least above, i from 0 to m."""
    optima = np.empty(len(prices) + 1)
    for count in range(len(optima)):
        weights = np.concatenate([high[:count], low[count:]])[::-1]
        filled = np.minimum(np.cumsum(weights), 1.0)
        optima[count] = float(np.diff(filled, prepend=0.0) @ prices[::-1])
    return optima
