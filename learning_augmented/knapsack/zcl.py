r"""ZCL: the best possible policy without a prediction (Zhou, Chakrabarty and Lukose 2008).

With $\alpha = 1 + \ln(U/L)$ the policy asks, for the next bit of weight when a fraction $z$ of the capacity is filled,
the unit value

$$\Phi(z) = L \;\text{ for } z < 1/\alpha, \qquad \Phi(z) = L\,e^{\alpha z - 1} \;\text{ for } 1/\alpha \le z \le 1,$$

so that an item of unit value $v$ may fill the knapsack up to $\Phi^{-1}(v) = (1 + \ln(v/L))/\alpha$:

$$x_i = \max\bigl(0, \min(w_i, C\,\Phi^{-1}(v_i) - z_i)\bigr), \qquad z_{i+1} = z_i + x_i .$$

Theorem: $\mathrm{OPT} \le \alpha\,\mathrm{ALG}$ for every order, all weights and all unit values in $[L, U]$. Proof
sketch: with $P = \Phi(z)$ at the final fill $z$, whatever was turned away is worth at most $P$ per weight, hence
$\mathrm{OPT} \le C P + \sum_i (v_i - P)^+ x_i$, and $\int_0^z \Phi = \Phi(z)/\alpha$ on $z \ge 1/\alpha$.

Only logarithms occur, never $U/L$ itself: ranges such as $[1, 10^{300}]$ are safe.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algos.knapsack import tied_with
from algos.validation import require_ordered, require_positive
from learning_augmented.knapsack import _kernels
from learning_augmented.knapsack.block_run import BLOCK, BlockRun, run_in_blocks
from learning_augmented.knapsack.instance import OnlineKnapsackInstance, require_in_range
from learning_augmented.knapsack.policy import OnlineRun, PlainState, amounts_of, refuse_item, shown

__all__ = ["ZCL"]


class ZCL:
    """Threshold policy without a prediction; ``1 + ln(upper / lower)``-competitive, and no policy does better.

    Parameters
    ----------
    lower, upper : float
        Range of unit values, ``0 < lower <= upper``. An item outside is refused with a ValueError.

    Raises
    ------
    ValueError
        If a bound is not positive and finite, or lower exceeds upper.

    Notes
    -----
    Zhou, Chakrabarty and Lukose (2008), "Budget constrained bidding in keyword auctions and online knapsack
    problems", WINE; here for fractional decisions and items of any weight.

    Examples
    --------
    >>> policy = ZCL(lower=1, upper=10)
    >>> round(policy.offer(1.0, 1.0), 6)  # at the lowest price: 1 / (1 + ln 10) of the knapsack
    0.302793
    >>> policy.offer(1.0, 1.0)
    0.0
    >>> policy
    ZCL(lower=1, upper=10)
    """

    def __init__(self, lower: float, upper: float) -> None:
        self.lower = require_positive("lower", lower)
        self.upper = require_positive("upper", upper)
        require_ordered("lower", self.lower, "upper", self.upper)
        self._lowest = tied_with(self.lower)[0]
        self._highest = tied_with(self.upper)[1]
        self._log_lower = math.log(self.lower)
        self._ratio = 1.0 + (math.log(self.upper) - self._log_lower)
        self.reset()

    def __repr__(self) -> str:
        """The range of unit values."""
        return f"{type(self).__name__}(lower={shown(self.lower)}, upper={shown(self.upper)})"

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self._capacity = require_positive("capacity", capacity)
        self._scale = self._capacity / self._ratio
        self._filled = 0.0

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item.

        Parameters
        ----------
        unit_value : float
            Value per weight, within [lower, upper].
        weight : float
            Weight on offer.

        Returns
        -------
        float
            Accepted weight.

        Raises
        ------
        ValueError
            If the unit value leaves the range, or the weight is not positive and finite.

        Examples
        --------
        >>> ZCL(lower=1, upper=10).offer(12.0, 1.0)
        Traceback (most recent call last):
        ...
        ValueError: unit_value = 12.0: must lie in [1, 10]
        """
        if not (self._lowest <= unit_value <= self._highest and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, f"must lie in [{shown(self.lower)}, {shown(self.upper)}]")
        weight = float(weight)  # a float32 weight would turn the state into float32
        threshold = min((1.0 + (math.log(unit_value) - self._log_lower)) * self._scale, self._capacity)
        room = threshold - self._filled
        if room <= 0.0:
            return 0.0
        self._filled = min(self._filled + weight, threshold)
        return min(weight, room)

    @property
    def state(self) -> PlainState:
        """Name, parameters, capacity and the filled weight."""
        return {
            "policy": type(self).__name__,
            "lower": self.lower,
            "upper": self.upper,
            "capacity": self._capacity,
            "filled": self._filled,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of a policy with the same range.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If it is the state of another policy, or is damaged.
        """
        parameters = {"lower": self.lower, "upper": self.upper}
        capacity, filled = amounts_of(state, type(self).__name__, parameters, ["filled"])
        self.reset(capacity)
        self._filled = filled

    def run(self, instance: OnlineKnapsackInstance) -> OnlineRun:
        """Run over a whole instance, from an empty knapsack; the step-wise state is left alone.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items; their unit values must lie within the policy's range.

        Returns
        -------
        OnlineRun
            Accepted weights, value, used capacity.

        Raises
        ------
        ValueError
            If a unit value leaves the policy's range.
        """
        return run_in_blocks(self.begin_run(instance), instance)

    def begin_run(self, instance: OnlineKnapsackInstance) -> BlockRun:
        """Begin a run over an instance that is handed over in blocks, from an empty knapsack.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items; their unit values must lie within the policy's range.

        Returns
        -------
        BlockRun
            The run, independent of the step-wise state.

        Raises
        ------
        ValueError
            If a unit value leaves the policy's range.
        """
        if instance.lower < self.lower or instance.upper > self.upper:
            require_in_range(instance.unit_values, self.lower, self.upper)
        return _ZCLRun(self._log_lower, self._ratio, instance)

    @classmethod
    def run_rows(
        cls,
        policies: Sequence[Self],
        unit_values: NDArray[np.float64],
        weights: NDArray[np.float64],
        capacity: float,
    ) -> NDArray[np.float64]:
        """Return the value of each policy on its row (see `run_batch`).

        Parameters
        ----------
        policies : sequence of ZCL, length b
            One a row.
        unit_values, weights : ndarray of float64, shape (b, n)
            The rows, checked.
        capacity : float
            Weight that each knapsack holds.

        Returns
        -------
        ndarray of float64, shape (b,)
            Values.

        Raises
        ------
        ValueError
            If a unit value leaves the range of its policy.
        """
        lowest = np.array([policy._lowest for policy in policies])
        highest = np.array([policy._highest for policy in policies])
        within = np.empty(len(policies), dtype=np.bool_)
        _kernels.rows_within(unit_values, lowest, highest, within)
        if not within.all():
            row = int(np.argmin(within))
            try:
                require_in_range(unit_values[row], policies[row].lower, policies[row].upper)
            except ValueError as error:
                raise ValueError(f"row {row}: {error}") from None
        log_lowers = np.array([policy._log_lower for policy in policies])
        scales = capacity / np.array([policy._ratio for policy in policies])
        totals = np.empty(len(policies))
        _kernels.zcl_rows(unit_values, weights, log_lowers, scales, capacity, totals)
        return totals


class _ZCLRun:
    """ZCL over an instance, block by block."""

    def __init__(self, log_lower: float, ratio: float, instance: OnlineKnapsackInstance) -> None:
        self._log_lower = log_lower
        self._capacity = instance.capacity
        self._scale = instance.capacity / ratio
        self._logs = np.empty(min(BLOCK, len(instance)))
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
        logs = np.log(unit_values, out=self._logs[: len(unit_values)])
        _kernels.zcl(logs, unit_values, weights, self._log_lower, self._scale, self._capacity, self._state, accepted)
