r"""Fr2Int: turn a policy that cuts items into one that takes them whole or not at all.

The fractional policy runs on the stream as it is. Unit values are grouped into price classes
(`learning_augmented.knapsack.price_classes`); for each class $j$, $A_j$ is the weight that the fractional policy has
accepted so far, in part, and $B_j$ the weight that was taken whole. After the fractional policy has accepted $x_i$ of
item $i$, of weight $w_i$ and class $j$,

- mode "floor": $A_j$ grows by $x_i$, and the item is taken if $A_j - B_j \ge w_i$. Then at every moment
  $0 \le A_j - B_j <$ the largest weight seen in the class, so that $\sum_j B_j \le \sum_j A_j \le C$: nothing has to be
  known about the weights, and the capacity need not be looked at.
- mode "ceil": no item is heavier than $\varepsilon C$, and there are $k$ classes with $k\varepsilon < 1$. $A_j$ grows
  by $(1 - k\varepsilon)\, x_i$, and the item is taken if $B_j < A_j$. Then at every moment
  $A_j \le B_j \le A_j + \varepsilon C$, so that $\sum_j B_j \le (1 - k\varepsilon) C + k\varepsilon C = C$.

Proof of both: one step adds $x_i \le w_i$ to $A_j$ and $w_i$ to $B_j$. With prices that differ by a factor of at most
$1 + \delta$ within a class, the values FRAC of the fractional policy and INT of the whole items satisfy

$$\text{floor:}\quad \mathrm{INT} \ge \frac{\mathrm{FRAC}}{1 + \delta} - \varepsilon C \sum_{j \text{ used}} e_j, \qquad
\text{ceil:}\quad \mathrm{INT} \ge \frac{1 - k\varepsilon}{1 + \delta}\,\mathrm{FRAC},$$

where $e_j$ is the lower edge of class $j$: a $c$-competitive fractional policy becomes
$c (1 + \delta)/(1 - k\varepsilon)$-competitive. With a class for each price, $\delta = 0$.

The conversion is due to Daneshvaramoli, Karisani, Lechowicz, Sun, Musco and Hajiesmaili (2025), "Near-optimal
consistency-robustness trade-offs for learning-augmented online knapsack problems", ICML, who state that the loss is
small for small items; both rules, their invariants and the inequalities, in this form, are this library's statements.
"""

from __future__ import annotations

import bisect
import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.knapsack import tied_with
from algos.validation import require_between, require_finite, require_one_of, require_ordered, require_positive
from learning_augmented.knapsack import _kernels
from learning_augmented.knapsack.block_run import BLOCK, BlockRun, begin_run, run_in_blocks
from learning_augmented.knapsack.instance import OnlineKnapsackInstance, require_in_range
from learning_augmented.knapsack.policy import (
    OnlinePolicy,
    OnlineRun,
    PlainState,
    refuse_item,
    require_entries,
    shown,
    values_one_by_one,
)
from learning_augmented.knapsack.price_classes import checked_edges, class_edges, classes_of

__all__ = ["Fr2Int", "RoundingMode"]

RoundingMode: TypeAlias = Literal["floor", "ceil"]
"""Whether whole items stay behind the fractional policy, or ahead of it."""

_MODES: Final = ("floor", "ceil")
_SLACK: Final = 1e-10
"""Part of an item that rounding may take. Gaps are small numbers, so that their errors stay far below it; what the
whole items exceed the fractional ones by is at most this part of the capacity."""
_USUAL_WEIGHT: Final = 0.01


class Fr2Int:
    """Whole items in the footsteps of a fractional policy.

    Parameters
    ----------
    policy : OnlinePolicy
        The fractional policy; a copy is kept and reset.
    lower, upper : float
        Range of unit values. An item outside is refused with a ValueError.
    mode : {"floor", "ceil"}
        Stay behind the fractional policy, which works for all weights; or ahead of it, which guarantees a ratio but
        needs to know the largest weight.
    growth : float, optional
        Prices within a class differ by a factor of at most 1 + growth. By default the classes are those that lose
        least for items of weight `max_weight`, or of one percent of the capacity where that is not known.
    max_weight : float, optional
        Largest weight of an item, in capacities, below 1; a heavier one is then refused. Mode "ceil" needs it.
    edges : array_like, shape (k,), optional
        Lower edges of the price classes, the first one `lower`, in place of `growth`; where there are few distinct
        prices, those prices.

    Raises
    ------
    TypeError
        If `policy` is not a policy.
    ValueError
        If a parameter is out of range, both `growth` and `edges` are given, mode "ceil" has no `max_weight`, or so many
        classes that one item of each would fill the knapsack.

    Notes
    -----
    After Daneshvaramoli et al. (2025), in this library's form; see the module. What is guaranteed: `fr2int_guarantee`
    for mode "ceil", `fr2int_floor_value` for mode "floor".

    Examples
    --------
    >>> from learning_augmented.knapsack import PPBasic
    >>> policy = Fr2Int(PPBasic(2.0), lower=1, upper=10)
    >>> [policy.offer(2.0, 0.25) for _ in range(5)]  # PPBasic takes half of each of the first four
    [0.0, 0.25, 0.0, 0.25, 0.0]
    >>> policy
    Fr2Int(PPBasic(prediction=2), lower=1, upper=10, mode='floor', 14 price classes)
    """

    def __init__(
        self,
        policy: OnlinePolicy,
        lower: float,
        upper: float,
        *,
        mode: RoundingMode = "floor",
        growth: float | None = None,
        max_weight: float | None = None,
        edges: ArrayLike | None = None,
    ) -> None:
        if not isinstance(policy, OnlinePolicy):
            raise TypeError(f"policy = {policy!r}: must be a policy, got {type(policy).__name__}")
        self.policy = copy.deepcopy(policy)
        self.lower, self.upper = require_positive("lower", lower), require_positive("upper", upper)
        require_ordered("lower", self.lower, "upper", self.upper)
        self.mode: RoundingMode = require_one_of("mode", mode, _MODES)
        self.max_weight = _checked_max_weight(max_weight, self.mode)
        if growth is not None and edges is not None:
            raise ValueError(f"growth = {growth}: must not be given together with edges")
        if edges is None:
            self.edges = class_edges(self.lower, self.upper, growth, self.max_weight or _USUAL_WEIGHT)
        else:
            self.edges = checked_edges(edges, self.lower, self.upper)
        self.edges.flags.writeable = False
        self._share = 1.0
        if self.mode == "ceil" and self.max_weight is not None:
            self._share = 1.0 - len(self.edges) * self.max_weight
            if self._share <= 0:
                too_many = f"{len(self.edges)} price classes of items up to {shown(self.max_weight)} capacities"
                raise ValueError(f"max_weight = {shown(self.max_weight)}: {too_many} would fill the knapsack")
        self._reached = [edge * tied_with(1.0)[0] for edge in self.edges.tolist()]
        self._lowest, self._highest = tied_with(self.lower)[0], tied_with(self.upper)[1]
        self.reset()

    def __repr__(self) -> str:
        """The fractional policy, range, mode and number of price classes."""
        known = "" if self.max_weight is None else f", max_weight={shown(self.max_weight)}"
        plural = "" if len(self.edges) == 1 else "es"
        return (
            f"{type(self).__name__}({self.policy!r}, lower={shown(self.lower)}, upper={shown(self.upper)}, "
            f"mode={self.mode!r}{known}, {len(self.edges)} price class{plural})"
        )

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with empty knapsacks.

        Parameters
        ----------
        capacity : float
            Weight that each of them holds.
        """
        self._capacity = require_positive("capacity", capacity)
        self._gaps = [0.0] * len(self.edges)
        self._filled = 0.0
        self.policy.reset(self._capacity)

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
            If the item leaves the known range of unit values or weights, or the fractional policy refuses it.
        """
        if not (self._lowest <= unit_value <= self._highest and 0.0 < weight < math.inf):
            refuse_item(unit_value, weight, f"must lie in [{shown(self.lower)}, {shown(self.upper)}]")
        weight = float(weight)  # a float32 weight would turn the state into float32
        if self.max_weight is not None and weight > tied_with(self.max_weight * self._capacity)[1]:
            raise ValueError(f"weight = {weight}: must be at most {self.max_weight * self._capacity}")
        price_class = bisect.bisect_right(self._reached, unit_value) - 1
        gap = self._gaps[price_class] + self._share * self.policy.offer(unit_value, weight)
        taken = gap > _SLACK * weight if self.mode == "ceil" else gap >= weight - _SLACK * weight
        self._gaps[price_class] = gap - weight if taken else gap
        if not taken:
            return 0.0
        self._filled = min(self._filled + weight, self._capacity)
        return weight

    @property
    def state(self) -> PlainState:
        """Name, parameters, amounts, and the state of the fractional policy.

        The gaps are, for each price class, what the fractional policy has accepted minus what was taken whole.
        """
        return {
            **self._parameters(),
            "capacity": self._capacity,
            "filled": self._filled,
            "gaps": list(self._gaps),
            "fractional": self.policy.state,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of a Fr2Int with the same parameters over the same policy.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If it is the state of another policy, or is damaged; everything is then as before.
        """
        require_entries(state, self._parameters(), ("capacity", "filled", "gaps", "fractional"))
        capacity = require_positive("state['capacity']", state["capacity"])
        filled = require_between("state['filled']", state["filled"], 0.0, capacity)
        gaps = [require_finite(f"state['gaps'][{number}]", gap) for number, gap in enumerate(state["gaps"])]
        if len(gaps) != len(self.edges):
            raise ValueError(f"state['gaps']: must hold {len(self.edges)} numbers, holds {len(gaps)}")
        self.policy.restore(state["fractional"])
        self._capacity, self._filled, self._gaps = capacity, filled, gaps

    def _parameters(self) -> PlainState:
        return {
            "policy": type(self).__name__,
            "lower": self.lower,
            "upper": self.upper,
            "mode": self.mode,
            "max_weight": self.max_weight,
            "edges": self.edges.tolist(),
        }

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
            If an item leaves the known range of unit values or weights, or the fractional policy refuses it.
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
            If an item leaves the known range of unit values or weights, or the fractional policy refuses it.
        """
        if instance.lower < self.lower or instance.upper > self.upper:
            require_in_range(instance.unit_values, self.lower, self.upper)
        if self.max_weight is not None:
            most = self.max_weight * instance.capacity
            too_heavy = instance.weights > tied_with(most)[1]
            if too_heavy.any():
                index = int(np.argmax(too_heavy))
                raise ValueError(f"weights[{index}] = {float(instance.weights[index])}: must be at most {most}")
        return _Fr2IntRun(self, instance)

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
        policies : sequence of Fr2Int, length b
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


def _checked_max_weight(max_weight: float | None, mode: RoundingMode) -> float | None:
    if max_weight is not None:
        return require_between("max_weight", max_weight, 0, 1, open_low=True, open_high=True)
    if mode == "ceil":
        raise ValueError("max_weight: mode 'ceil' needs the largest weight of an item, in capacities")
    return None


class _Fr2IntRun:
    """Fr2Int over an instance, block by block."""

    def __init__(self, policy: Fr2Int, instance: OnlineKnapsackInstance) -> None:
        self._policy = policy
        self._capacity = instance.capacity
        self._fractional = begin_run(policy.policy, instance)
        self._amounts = np.empty(min(BLOCK, len(instance)))
        self._gaps = np.zeros(len(policy.edges))
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
        amounts = self._amounts[: len(accepted)]
        self._fractional.advance(unit_values, weights, amounts)
        _kernels.round_whole(
            unit_values,
            weights,
            amounts,
            classes_of(unit_values, self._policy.edges),
            self._policy._share,
            self._policy.mode == "ceil",
            _SLACK,
            self._capacity,
            self._gaps,
            self._state,
            accepted,
        )
