r"""ZCL for items that are taken whole or not at all (Zhou, Chakrabarty and Lukose 2008).

The threshold $\Phi$ is that of `learning_augmented.knapsack.zcl`. An item of unit value $v$ and weight $w$ that meets a
knapsack filled to the fraction $z$ is accepted if it fits and its unit value is not below the threshold:

$$z + w/C \le 1 \quad\text{and}\quad v \ge \Phi(z), \;\text{ that is }\; z \le \Phi^{-1}(v) = (1 + \ln(v/L))/\alpha .$$

Let no item weigh more than the fraction $\varepsilon$ of the capacity. Then, against the fractional optimum,

$$\mathrm{OPT} \le \alpha\, e^{2 \alpha \varepsilon}\, \mathrm{ALG} \qquad \text{for } \varepsilon \le 1 - 1/\alpha .$$

The source proves the ratio $\alpha$ in the limit of infinitesimal items. The statement for items of a definite size is
this library's; without the second factor it is false (at $U/L = 10$ and $\varepsilon = 0.1$ a ratio of 3.83 exceeds
$\alpha = 3.30$), and items that fill the knapsack by themselves leave no ratio at all: after one cheap speck, the dear
item that would have filled everything does not fit. `Fr2Int` over a fractional policy loses less when $\varepsilon$ is
known.
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

__all__ = ["ZCLIntegral"]

_SLACK = 1e-12
"""Part of the capacity that rounding may take: ten items of a tenth fit, and a price on the threshold passes it."""


class ZCLIntegral:
    """Threshold policy for whole items, without a prediction.

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
    problems", WINE. What it guarantees for items of a definite size: `zcl_integral_ratio`.

    Examples
    --------
    >>> policy = ZCLIntegral(lower=1, upper=10)
    >>> [policy.offer(unit_value, 0.25) for unit_value in (1.0, 1.0, 1.0, 10.0)]
    [0.25, 0.25, 0.0, 0.25]
    >>> policy
    ZCLIntegral(lower=1, upper=10)
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
            Either the whole weight or 0.

        Raises
        ------
        ValueError
            If the unit value leaves the range, or the weight is not positive and finite.
        """
        if not (self._lowest <= unit_value <= self._highest and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, f"must lie in [{shown(self.lower)}, {shown(self.upper)}]")
        weight = float(weight)  # a float32 weight would turn the state into float32
        threshold = (1.0 + (math.log(unit_value) - self._log_lower)) * self._scale
        slack = _SLACK * self._capacity
        if self._filled > threshold + slack or self._filled + weight > self._capacity + slack:
            return 0.0
        self._filled = min(self._filled + weight, self._capacity)
        return weight

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
        return _ZCLIntegralRun(self._log_lower, self._ratio, instance)

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
        policies : sequence of ZCLIntegral, length b
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
        for row, policy in enumerate(policies):
            try:
                require_in_range(unit_values[row], policy.lower, policy.upper)
            except ValueError as error:
                raise ValueError(f"row {row}: {error}") from None
        log_lowers = np.array([policy._log_lower for policy in policies])
        scales = capacity / np.array([policy._ratio for policy in policies])
        totals = np.empty(len(policies))
        _kernels.zcl_integral_rows(unit_values, weights, log_lowers, scales, capacity, _SLACK * capacity, totals)
        return totals


class _ZCLIntegralRun:
    """ZCLIntegral over an instance, block by block."""

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
        _kernels.zcl_integral(
            logs,
            unit_values,
            weights,
            self._log_lower,
            self._scale,
            self._capacity,
            _SLACK * self._capacity,
            self._state,
            accepted,
        )
