r"""IPA: trust an interval that contains the critical value.

The prediction is an interval $[\ell, u]$; it is right when it contains the critical value $\hat v$. With
$\alpha' = 1 + \ln(u/\ell)$,

- of an item dearer than $u$, the fraction $1/(\alpha' + 1)$ is accepted;
- the items inside the interval are offered to a policy of the interval's own, which has a virtual knapsack of the full
  capacity; of what it accepts, the fraction $\alpha'/(\alpha' + 1)$ is accepted;
- nothing cheaper than $\ell$ is accepted, even when there is room;

and everything stops when the knapsack is full, which happens only to wrong predictions. The policy of the interval is
ZCL with the range $[\ell, u]$ (not with the range of all prices: that would lose the whole gain), or any policy that is
$\alpha'$-competitive on that range. Theorem:

$$\mathrm{OPT} \le (2 + \ln(u/\ell))\,\mathrm{ALG} \qquad\text{when } \ell \le \hat v \le u .$$

Proof sketch: let $W$, $H$ be weight and value of the items dearer than $u$; then $W < 1$, and
$\mathrm{OPT} \le H + \mathrm{OPT}_{[\ell, u]}$. The first part yields $H/(\alpha' + 1)$, the second
$\alpha'/(\alpha' + 1) \cdot \mathrm{OPT}_{[\ell, u]}/\alpha'$, and the fill is at most
$W/(\alpha' + 1) + \alpha'/(\alpha' + 1) \le 1$.

With $\ell = u$ this is PPBasic. A point prediction $\hat p$ with a known error $|\ln \hat p - \ln \hat v| \le \eta$
gives the interval $[\hat p e^{-\eta}, \hat p e^{\eta}]$ and the ratio $2 + 2\eta$ (this library's statement). Where
$u/\ell \ge U/(eL)$, plain ZCL guarantees more than IPA does.

Source: Daneshvaramoli, Karisani, Lechowicz, Sun, Musco and Hajiesmaili (2025), "Near-optimal consistency-robustness
trade-offs for learning-augmented online knapsack problems", ICML.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algos.knapsack import tied_with
from algos.validation import require_between, require_ordered, require_positive
from learning_augmented.knapsack import _kernels
from learning_augmented.knapsack.block_run import BLOCK, BlockRun, begin_run, run_in_blocks
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.policy import (
    OnlinePolicy,
    OnlineRun,
    PlainState,
    refuse_item,
    require_entries,
    shown,
    values_one_by_one,
)
from learning_augmented.knapsack.zcl import ZCL

__all__ = ["IPA"]


class IPA:
    """Trust an interval for the critical value; ``2 + ln(high / low)``-competitive when it contains it.

    Parameters
    ----------
    low, high : float
        Predicted interval, ``0 < low <= high``; unit values within a relative 1e-12 of an end are inside.
    sub : OnlinePolicy, optional
        Policy for the items inside the interval, ``1 + ln(high / low)``-competitive there; ``ZCL(low, high)`` by
        default. A copy is kept and reset: it has a virtual knapsack of its own.

    Raises
    ------
    TypeError
        If `sub` is not a policy.
    ValueError
        If an end is not positive and finite, or low exceeds high.

    Notes
    -----
    Algorithm IPA of Daneshvaramoli et al. (2025).

    Examples
    --------
    >>> policy = IPA(2.0, 8.0)
    >>> round(policy.offer(9.0, 1.0), 6)  # dearer: 1 / (2 + ln 4)
    0.295308
    >>> round(policy.offer(2.0, 1.0), 6)  # its own ZCL takes 1 / (1 + ln 4), of which (1 + ln 4) / (2 + ln 4) count
    0.295308
    >>> policy.offer(1.9, 1.0)
    0.0
    >>> policy
    IPA(low=2, high=8)
    """

    def __init__(self, low: float, high: float, sub: OnlinePolicy | None = None) -> None:
        self.low, self.high = require_positive("low", low), require_positive("high", high)
        require_ordered("low", self.low, "high", self.high)
        if sub is not None and not isinstance(sub, OnlinePolicy):
            raise TypeError(f"sub = {sub!r}: must be a policy, got {type(sub).__name__}")
        self._has_own_sub = sub is not None
        self.sub: OnlinePolicy = ZCL(self.low, self.high) if sub is None else copy.deepcopy(sub)
        self._lowest, self._highest = tied_with(self.low)[0], tied_with(self.high)[1]
        self._ratio = 1.0 + (math.log(self.high) - math.log(self.low))
        self._dear_share = 1.0 / (self._ratio + 1.0)
        self._inside_share = self._ratio * self._dear_share
        self.reset()

    def __repr__(self) -> str:
        """The interval, and the policy on it if it is not ZCL."""
        sub = f", sub={self.sub!r}" if self._has_own_sub else ""
        return f"{type(self).__name__}(low={shown(self.low)}, high={shown(self.high)}{sub})"

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with empty knapsacks.

        Parameters
        ----------
        capacity : float
            Weight that each of them holds.
        """
        self._capacity = require_positive("capacity", capacity)
        self._filled = 0.0
        self.sub.reset(self._capacity)

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
            Accepted weight; exactly 0 below the interval.

        Raises
        ------
        ValueError
            If one of the two is not positive and finite, or the interval's own policy refuses the item.
        """
        if not (0.0 < unit_value < math.inf and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, "must be positive and finite")
        if unit_value > self._highest:
            amount = float(weight) * self._dear_share  # a float32 weight would turn the state into float32
        elif unit_value >= self._lowest:
            amount = self.sub.offer(unit_value, float(weight)) * self._inside_share
        else:
            return 0.0
        room = self._capacity - self._filled
        self._filled = min(self._filled + amount, self._capacity)
        return min(amount, room)

    @property
    def state(self) -> PlainState:
        """Name, interval, capacity, filled weight, and the state of the interval's own policy."""
        return {
            "policy": type(self).__name__,
            "low": self.low,
            "high": self.high,
            "capacity": self._capacity,
            "filled": self._filled,
            "sub": self.sub.state,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of an IPA with the same interval and the same policy on it.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If it is the state of another policy, or is damaged; everything is then as before.
        """
        fixed = {"policy": type(self).__name__, "low": self.low, "high": self.high}
        require_entries(state, fixed, ("capacity", "filled", "sub"))
        capacity = require_positive("state['capacity']", state["capacity"])
        filled = require_between("state['filled']", state["filled"], 0.0, capacity)
        self.sub.restore(state["sub"])
        self._capacity, self._filled = capacity, filled

    def run(self, instance: OnlineKnapsackInstance) -> OnlineRun:
        """Run over a whole instance, from empty knapsacks; the step-wise state is left alone.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items.

        Returns
        -------
        OnlineRun
            Accepted weights, value, used capacity.

        Raises
        ------
        ValueError
            If the interval's own policy refuses an item.
        """
        return run_in_blocks(self.begin_run(instance), instance)

    def begin_run(self, instance: OnlineKnapsackInstance) -> BlockRun:
        """Begin a run over an instance that is handed over in blocks, from empty knapsacks.

        Parameters
        ----------
        instance : OnlineKnapsackInstance
            The items.

        Returns
        -------
        BlockRun
            The run, independent of the step-wise state.

        Raises
        ------
        ValueError
            If the interval's own policy refuses an item.
        """
        return _IPARun(self, instance)

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
        policies : sequence of IPA, length b
            One a row; where one of them has a policy of its own on the interval, the rows run one after another.
        unit_values, weights : ndarray of float64, shape (b, n)
            The rows, checked.
        capacity : float
            Weight that each knapsack holds.

        Returns
        -------
        ndarray of float64, shape (b,)
            Values.
        """
        if any(policy._has_own_sub for policy in policies):
            return values_one_by_one(policies, unit_values, weights, capacity)
        lows = np.array([policy._lowest for policy in policies])
        highs = np.array([policy._highest for policy in policies])
        log_lows = np.log([policy.low for policy in policies])
        ratios = np.array([policy._ratio for policy in policies])
        totals = np.empty(len(policies))
        _kernels.ipa_rows(unit_values, weights, lows, highs, log_lows, ratios, capacity, totals)
        return totals


class _IPARun:
    """IPA over an instance, block by block; the interval's own policy runs over the items inside alone."""

    def __init__(self, policy: IPA, instance: OnlineKnapsackInstance) -> None:
        self._policy = policy
        self._capacity = instance.capacity
        inside = (instance.unit_values >= policy._lowest) & (instance.unit_values <= policy._highest)
        self._inside = OnlineKnapsackInstance(
            instance.unit_values[inside], instance.weights[inside], policy.low, policy.high, instance.capacity
        )
        self._sub = begin_run(policy.sub, self._inside)
        self._seen = 0  # of the items inside
        self._amounts = np.empty(min(BLOCK, len(self._inside)))
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
        policy = self._policy
        count = int(np.count_nonzero((unit_values >= policy._lowest) & (unit_values <= policy._highest)))
        block = slice(self._seen, self._seen + count)
        self._seen += count
        amounts = self._amounts[:count]
        self._sub.advance(self._inside.unit_values[block], self._inside.weights[block], amounts)
        _kernels.ipa(
            unit_values,
            weights,
            policy._lowest,
            policy._highest,
            policy._dear_share,
            policy._inside_share,
            amounts,
            self._capacity,
            self._state,
            accepted,
        )
