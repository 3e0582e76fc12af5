r"""Policies that trust a prediction of the critical value: PPNaive, PPBasic and PPAdvanced.

The prediction is one number $\hat v$. It is right when it is the critical value of the instance: the least unit value
that an optimal fractional selection accepts any weight of. With capacity $C = 1$, let $\omega$ be the weight offered at
$\hat v$, $\hat\omega = \min(1, \omega)$, and $W$, $H$ the weight and value of the items dearer than $\hat v$; then
$W < 1$ and $\mathrm{OPT} = H + \hat v \min(\omega, 1 - W)$. What an online policy does not know is $\omega$, hence how
much room the dearer items will leave for the items at $\hat v$.

*PPNaive* is what one would write down first: take whatever is strictly dearer than $\hat v$ while there is room. Where
all items are critical it collects nothing, although the prediction is right.

*PPBasic* splits the knapsack in halves: half of every dearer item, and half of the items at $\hat v$ until a whole
capacity of them was seen. It collects exactly $(H + \hat v\hat\omega)/2 \ge \mathrm{OPT}/2$.

*PPAdvanced* reserves no more than it must. With $c$ the weight at $\hat v$ seen so far, capped at 1, and $s$ the filled
weight: of a dearer item it accepts $w/(1+c)$; of an item at $\hat v$, with $t = \min(w, 1-c)$ and then
$c \leftarrow c + t$, it accepts $(1-s)\,t/(1+c)$; and everything stops at $s = 1$. Both steps keep

$$(1 - s)(1 + c) = 1 - W_{\text{seen}},$$

so the room left is known without adding up what was accepted, also for a wrong prediction:
$s = \min(1,\; 1 - (1 - W_{\text{seen}})/(1 + c))$. The code keeps $(W_{\text{seen}}, c)$ as its state, free of
accumulated rounding. With a right prediction the final fill is $(\hat\omega + W)/(1 + \hat\omega)$ in every order, and

$$\mathrm{OPT} \le (1 + \hat\omega)\,\mathrm{ALG} .$$

None of them accepts anything cheaper than $\hat v$, even when there is room: what a wrong prediction costs is the
business of `Mix`. Source: Daneshvaramoli, Karisani, Lechowicz, Sun, Musco and Hajiesmaili (2025), "Near-optimal
consistency-robustness trade-offs for learning-augmented online knapsack problems", ICML. The exact value of PPBasic,
the invariant and the fill identity are this library's statements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from algos.knapsack import tied_with
from algos.validation import require_positive
from learning_augmented.knapsack import _kernels
from learning_augmented.knapsack.block_run import BlockRun, run_in_blocks
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.policy import OnlineRun, PlainState, amounts_of, refuse_item, shown

__all__ = ["PPAdvanced", "PPBasic", "PPNaive"]


class _PointPredictionRun:
    """One of the policies over an instance, block by block."""

    _kernel: ClassVar[Callable[..., None]]
    _fresh: ClassVar[tuple[float, ...]]  # the kernel's state before the first item; the value comes last

    def __init__(self, low: float, high: float, capacity: float) -> None:
        self._low, self._high, self._capacity = low, high, capacity
        self._state = np.array(self._fresh)

    @property
    def value(self) -> float:
        return float(self._state[-1])

    def advance(
        self, unit_values: NDArray[np.float64], weights: NDArray[np.float64], accepted: NDArray[np.float64]
    ) -> None:
        self._kernel(unit_values, weights, self._low, self._high, self._capacity, self._state, accepted)


class _PPNaiveRun(_PointPredictionRun):
    _kernel = staticmethod(_kernels.pp_naive)
    _fresh = (0.0, 0.0)

    @property
    def used(self) -> float:
        return float(self._state[0])


class _PPBasicRun(_PointPredictionRun):
    _kernel = staticmethod(_kernels.pp_basic)
    _fresh = (0.0, 0.0, 0.0)

    @property
    def used(self) -> float:
        return float(self._state[0])


class _PPAdvancedRun(_PointPredictionRun):
    _kernel = staticmethod(_kernels.pp_advanced)
    _fresh = (0.0, 0.0, 1.0, 0.0)

    @property
    def used(self) -> float:
        above, _, share, _ = self._state
        return float(self._capacity - (self._capacity - above) * share)


class _PointPrediction:
    """What the policies share: the prediction, the state, and the loops over arrays."""

    _amounts: ClassVar[tuple[str, ...]]  # what changes from item to item; attribute _x for the state's entry x
    _block_run: ClassVar[Callable[..., BlockRun]]
    _rows_kernel: ClassVar[Callable[..., None]]

    def __init__(self, prediction: float) -> None:
        self.prediction = require_positive("prediction", prediction)
        self._low, self._high = tied_with(self.prediction)
        self.reset()

    def __repr__(self) -> str:
        """The prediction."""
        return f"{type(self).__name__}(prediction={shown(self.prediction)})"

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self._capacity = require_positive("capacity", capacity)
        for name in self._amounts:
            setattr(self, f"_{name}", 0.0)

    @property
    def state(self) -> PlainState:
        """Name, prediction, capacity and the amounts of weight that the next decision depends on."""
        amounts = {name: getattr(self, f"_{name}") for name in self._amounts}
        name = type(self).__name__
        return {"policy": name, "prediction": self.prediction, "capacity": self._capacity, **amounts}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of a policy with the same prediction.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If it is the state of another policy, or is damaged.
        """
        parameters = {"prediction": self.prediction}
        capacity, *amounts = amounts_of(state, type(self).__name__, parameters, self._amounts)
        self._capacity = capacity
        for name, amount in zip(self._amounts, amounts, strict=True):
            setattr(self, f"_{name}", amount)

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
        return self._block_run(self._low, self._high, instance.capacity)

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
        policies : sequence of policies, length b
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
        lows = np.array([policy._low for policy in policies])
        highs = np.array([policy._high for policy in policies])
        totals = np.empty(len(policies))
        cls._rows_kernel(unit_values, weights, lows, highs, capacity, totals)
        return totals


class PPNaive(_PointPrediction):
    """Whatever is strictly dearer than the prediction; no ratio holds, even when it is right. A baseline.

    Parameters
    ----------
    prediction : float
        Predicted critical value, positive; unit values within a relative 1e-12 count as equal to it.

    Raises
    ------
    ValueError
        If the prediction is not positive and finite.

    Notes
    -----
    The naive policy PP-n of Daneshvaramoli et al. (2025). It needs no knowledge of the number of items; an
    implementation that takes the last item so as not to end with nothing would.

    Examples
    --------
    >>> policy = PPNaive(2.0)
    >>> policy.offer(5.0, 0.75), policy.offer(2.0, 0.5), policy.offer(3.0, 0.5)
    (0.75, 0.0, 0.25)
    >>> policy
    PPNaive(prediction=2)
    """

    _amounts = ("filled",)
    _block_run = _PPNaiveRun
    _rows_kernel = staticmethod(_kernels.pp_naive_rows)
    _filled: float

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
            Accepted weight; exactly 0 at and below the prediction.

        Raises
        ------
        ValueError
            If one of the two is not positive and finite.
        """
        if not (0.0 < unit_value < math.inf and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, "must be positive and finite")
        if unit_value <= self._high:
            return 0.0
        weight = float(weight)  # a float32 weight would turn the state into float32
        room = self._capacity - self._filled
        self._filled = min(self._filled + weight, self._capacity)
        return min(weight, room)


class PPBasic(_PointPrediction):
    """Half of every item dearer than the prediction, half of what is offered at it; 2-competitive when it is right.

    Parameters
    ----------
    prediction : float
        Predicted critical value, positive; unit values within a relative 1e-12 count as equal to it.

    Raises
    ------
    ValueError
        If the prediction is not positive and finite.

    Notes
    -----
    Algorithm PP-b of Daneshvaramoli et al. (2025). With a right prediction its value is exactly
    ``(value_above + prediction * min(capacity, critical_weight)) / 2``, in every order.

    Examples
    --------
    >>> policy = PPBasic(2.0)
    >>> policy.offer(5.0, 0.4), policy.offer(2.0, 0.4), policy.offer(1.0, 0.4)
    (0.2, 0.2, 0.0)
    >>> policy
    PPBasic(prediction=2)
    """

    _amounts = ("filled", "critical_weight")
    _block_run = _PPBasicRun
    _rows_kernel = staticmethod(_kernels.pp_basic_rows)
    _filled: float
    _critical_weight: float

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
            Accepted weight; exactly 0 below the prediction.

        Raises
        ------
        ValueError
            If one of the two is not positive and finite.
        """
        if not (0.0 < unit_value < math.inf and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, "must be positive and finite")
        weight = float(weight)  # a float32 weight would turn the state into float32
        capacity, filled = self._capacity, self._filled
        if unit_value > self._high:
            half = 0.5 * weight
        elif unit_value >= self._low:
            half = 0.5 * min(weight, capacity - self._critical_weight)
            self._critical_weight = min(self._critical_weight + weight, capacity)
        else:
            return 0.0
        self._filled = min(filled + half, capacity)
        return min(half, capacity - filled)


class PPAdvanced(_PointPrediction):
    """Reserve while greedy: ``1 + min(1, critical weight / capacity)``-competitive when the prediction is right.

    Parameters
    ----------
    prediction : float
        Predicted critical value, positive; unit values within a relative 1e-12 count as equal to it.

    Raises
    ------
    ValueError
        If the prediction is not positive and finite.

    Notes
    -----
    Algorithm PP-a of Daneshvaramoli et al. (2025), which no policy beats that trusts a point prediction. It needs
    neither the critical weight nor the number of items beforehand.

    Examples
    --------
    >>> policy = PPAdvanced(2.0)
    >>> policy.offer(5.0, 0.25)  # nothing was seen at the prediction yet: the whole item
    0.25
    >>> policy.offer(2.0, 1.0)  # the room is 0.75, half of it stays reserved
    0.375
    >>> policy.offer(5.0, 0.5)
    0.25
    >>> policy
    PPAdvanced(prediction=2)
    """

    _amounts = ("weight_above", "critical_weight")
    _block_run = _PPAdvancedRun
    _rows_kernel = staticmethod(_kernels.pp_advanced_rows)
    _weight_above: float
    _critical_weight: float

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
            Accepted weight; exactly 0 below the prediction.

        Raises
        ------
        ValueError
            If one of the two is not positive and finite.
        """
        if not (0.0 < unit_value < math.inf and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, "must be positive and finite")
        weight = float(weight)  # a float32 weight would turn the state into float32
        capacity, critical = self._capacity, self._critical_weight
        reserved = 1.0 + critical / capacity
        unclaimed = capacity - self._weight_above  # the room left, times `reserved`
        if unit_value > self._high:
            self._weight_above = min(self._weight_above + weight, capacity)
            return min(weight, unclaimed) / reserved
        if unit_value >= self._low:
            self._critical_weight = min(critical + weight, capacity)
            taken = min(weight, capacity - critical)
            return unclaimed / reserved * (taken / (capacity + self._critical_weight))
        return 0.0
