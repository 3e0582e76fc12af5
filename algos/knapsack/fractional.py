r"""Fractional knapsack, offline: take the dearest unit values first and cut the last item.

Items have unit values $v_i$ (value per weight) and weights $w_i$; the knapsack holds weight $C$:

$$\max \sum_i v_i x_i \quad\text{subject to}\quad \sum_i x_i \le C,\; 0 \le x_i \le w_i.$$

Greedy by unit value is optimal (Dantzig 1957). Its *critical value* $\hat v$ is the least unit value that it accepts
any weight of. With $W$ the total weight and $H$ the total value of the items dearer than $\hat v$, and $\omega$ the
weight of all items at $\hat v$,

$$W < C, \qquad \mathrm{OPT} = H + \hat v\,\min(\omega, C - W).$$

Two numerical rules make these quantities mean in floating point what they mean on paper:

- unit values within a relative 1e-12 of each other are ties (`tied_with`), since they often come from a division;
- a knapsack with less than a relative 1e-12 of its capacity left is full. Otherwise ten weights of 0.1, whose rounded
  sum falls short of 1 by one unit in the last place, would leave room for a speck of a worthless item and make that
  item's unit value the critical one.

No order is needed to find it: split the items around some unit value, see from their weights on which side the
knapsack becomes full, and go on with that side alone (Balas and Zemel 1980). `_kernels.critical_item` does so in linear
time on every input.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.knapsack import _kernels
from algos.validation import require_positive, require_same_length, require_vector

__all__ = ["FractionalKnapsack", "fractional_knapsack", "tied_with"]

_RTOL = 1e-12


def tied_with(unit_value: float) -> tuple[float, float]:
    """Return the range of unit values that count as equal to `unit_value`.

    Parameters
    ----------
    unit_value : float
        A positive unit value.

    Returns
    -------
    tuple of float
        Lowest and highest tie, a relative 1e-12 below and above.

    Examples
    --------
    >>> low, high = tied_with(3.0)
    >>> low <= 0.3 / 0.1 <= high, 0.3 / 0.1 == 3.0
    (True, False)
    """
    return unit_value * (1 - _RTOL), unit_value * (1 + _RTOL)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FractionalKnapsack:
    """An optimal fractional selection, and where it cuts.

    Parameters
    ----------
    value : float
        The optimum.
    accepted : ndarray of float64, shape (n,)
        Accepted weight of each item, read-only.
    critical_value : float
        Least unit value with accepted weight; infinity (the minimum of nothing) when there is no item.
    critical_weight : float
        Total weight offered at the critical value, not capped by the capacity.
    weight_above, value_above : float
        Total weight and total value of the items dearer than the critical value.
    """

    value: float
    accepted: NDArray[np.float64]
    critical_value: float
    critical_weight: float
    weight_above: float
    value_above: float

    def __repr__(self) -> str:
        """Value, items and the critical value."""
        items = f"{np.count_nonzero(self.accepted)} of {len(self.accepted)} items"
        return f"FractionalKnapsack(value={self.value:g}, {items}, critical_value={self.critical_value:g})"


def fractional_knapsack(unit_values: ArrayLike, weights: ArrayLike, capacity: float = 1.0) -> FractionalKnapsack:
    """Return the optimal fractional selection, by weighted selection in linear time.

    Parameters
    ----------
    unit_values : array_like, shape (n,)
        Value per weight of each item, positive. An item's value is its unit value times its weight.
    weights : array_like, shape (n,)
        Weights, positive; an item heavier than the capacity is legal.
    capacity : float
        Weight that the knapsack holds.

    Returns
    -------
    FractionalKnapsack
        The selection; among ties the item that comes first is taken first. Without items the value is 0 and the
        critical value is infinity.

    Raises
    ------
    ValueError
        If lengths differ, or an entry or the capacity is not positive and finite.

    Notes
    -----
    Dantzig (1957), "Discrete-variable extremum problems", Operations Research 5(2); Balas and Zemel (1980), "An
    algorithm for large zero-one knapsack problems", Operations Research 28(5). Linear time in the worst case.

    Examples
    --------
    >>> best = fractional_knapsack([10, 9, 1], [0.6, 0.6, 0.4])
    >>> best
    FractionalKnapsack(value=9.6, 2 of 3 items, critical_value=9)
    >>> best.accepted
    array([0.6, 0.4, 0. ])
    >>> best.critical_weight, best.weight_above, best.value_above
    (0.6, 0.6, 6.0)
    """
    values = require_vector("unit_values", unit_values, positive=True)
    sizes = require_vector("weights", weights, positive=True)
    require_same_length(unit_values=values, weights=sizes)
    room = require_positive("capacity", capacity)

    accepted = np.empty_like(values)
    if len(values) == 0:
        accepted.flags.writeable = False
        return FractionalKnapsack(0.0, accepted, math.inf, 0.0, 0.0, 0.0)
    speck = max(_RTOL * room, math.ulp(0.0))  # less room than this is none
    critical, dearer, _ = _kernels.critical_item(values, sizes, room, speck)
    low, high = tied_with(critical)
    value, weight_tied, weight_above, value_above = _kernels.take(
        values, sizes, critical, low, high, room - dearer, speck, accepted
    )
    accepted.flags.writeable = False
    return FractionalKnapsack(value, accepted, critical, weight_tied, weight_above, value_above)
