r"""The online fractional knapsack problem: what arrives, and what is known beforehand.

Items arrive one by one. Item $i$ has unit value $v_i$ (value per weight) and weight $w_i > 0$; the policy decides at
once, and for good, which weight $0 \le x_i \le w_i$ of it to accept, so that $\sum_i x_i \le C$ and
$\sum_i v_i x_i$ is large. It knows the capacity $C$ and the range $[L, U]$ of unit values, and nothing of the future.
It is measured against the offline optimum, `algos.knapsack.fractional_knapsack`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.knapsack import tied_with
from algos.validation import (
    require_integer,
    require_ordered,
    require_positive,
    require_same_length,
    require_vector,
)

__all__ = ["OnlineKnapsackInstance"]


@dataclass(init=False, frozen=True, slots=True, eq=False, repr=False)
class OnlineKnapsackInstance:
    """Items in the order of their arrival, with the range of unit values that a policy may rely on.

    Parameters
    ----------
    unit_values : array_like, shape (n,)
        Value per weight of each item, within [lower, upper] up to a relative 1e-12. Stored as a read-only copy.
    weights : array_like, shape (n,)
        Weight of each item, positive; an item may be heavier than the capacity. Stored as a read-only copy.
    lower, upper : float
        Known range of unit values, ``0 < lower <= upper``.
    capacity : float
        Weight that the knapsack holds.

    Raises
    ------
    ValueError
        If lengths differ, a number is not positive and finite, lower exceeds upper, or a unit value leaves the range.

    Examples
    --------
    >>> instance = OnlineKnapsackInstance([2.0, 8.0], [0.5, 0.7], lower=1, upper=10)
    >>> instance
    OnlineKnapsackInstance(2 items, lower=1, upper=10, capacity=1)
    >>> len(instance.prefix(1))
    1
    >>> OnlineKnapsackInstance([12.0], [0.5], lower=1, upper=10)
    Traceback (most recent call last):
    ...
    ValueError: unit_values[0] = 12.0: must lie in [1.0, 10.0]
    """

    unit_values: NDArray[np.float64]
    weights: NDArray[np.float64]
    lower: float
    upper: float
    capacity: float = 1.0

    def __init__(
        self, unit_values: ArrayLike, weights: ArrayLike, lower: float, upper: float, capacity: float = 1.0
    ) -> None:
        low, high = require_positive("lower", lower), require_positive("upper", upper)
        require_ordered("lower", low, "upper", high)
        # Copies: an instance must not change when the caller's array does.
        values = require_vector("unit_values", np.array(unit_values), positive=True)
        sizes = require_vector("weights", np.array(weights), positive=True)
        require_same_length(unit_values=values, weights=sizes)
        require_in_range(values, low, high)
        object.__setattr__(self, "unit_values", values)
        object.__setattr__(self, "weights", sizes)
        object.__setattr__(self, "lower", low)
        object.__setattr__(self, "upper", high)
        object.__setattr__(self, "capacity", require_positive("capacity", capacity))

    @classmethod
    def from_values(
        cls, values: ArrayLike, weights: ArrayLike, lower: float, upper: float, capacity: float = 1.0
    ) -> OnlineKnapsackInstance:
        """Build an instance from the items' whole values instead of their values per weight.

        Parameters
        ----------
        values : array_like, shape (n,)
            Value of each whole item, positive.
        weights : array_like, shape (n,)
            Weight of each item, positive.
        lower, upper : float
            Known range of value / weight.
        capacity : float
            Weight that the knapsack holds.

        Returns
        -------
        OnlineKnapsackInstance
            With unit values ``values / weights``.

        Examples
        --------
        >>> OnlineKnapsackInstance.from_values([1.0, 5.6], [0.5, 0.7], lower=1, upper=10).unit_values
        array([2., 8.])
        """
        whole = require_vector("values", values, positive=True)
        sizes = require_vector("weights", weights, positive=True)
        require_same_length(values=whole, weights=sizes)
        return cls(whole / sizes, sizes, lower, upper, capacity)

    def prefix(self, count: int) -> OnlineKnapsackInstance:
        """Return the instance that ends after the first `count` items.

        Parameters
        ----------
        count : int
            Between 0 and the number of items.

        Returns
        -------
        OnlineKnapsackInstance
            Same range, same capacity.

        Raises
        ------
        ValueError
            If there are fewer items than that.
        """
        count = require_integer("count", count, minimum=0)
        if count > len(self):
            raise ValueError(f"count = {count}: must be at most the number of items, {len(self)}")
        return OnlineKnapsackInstance(
            self.unit_values[:count], self.weights[:count], self.lower, self.upper, self.capacity
        )

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.unit_values)

    def __eq__(self, other: object) -> bool:
        """Whether range, capacity and all items are equal, in the same order."""
        if not isinstance(other, OnlineKnapsackInstance):
            return NotImplemented
        return (
            (self.lower, self.upper, self.capacity) == (other.lower, other.upper, other.capacity)
            and np.array_equal(self.unit_values, other.unit_values)
            and np.array_equal(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        """Hash of the content, in line with equality."""
        items = (self.unit_values.tobytes(), self.weights.tobytes())
        return hash((self.lower, self.upper, self.capacity, items))

    def __repr__(self) -> str:
        """Number of items, range and capacity."""
        count = f"{len(self)} item" if len(self) == 1 else f"{len(self)} items"
        return (
            f"OnlineKnapsackInstance({count}, lower={self.lower:g}, upper={self.upper:g}, capacity={self.capacity:g})"
        )


def require_in_range(unit_values: NDArray[np.float64], lower: float, upper: float) -> None:
    """Raise unless all unit values lie in [lower, upper], up to ties.

    Parameters
    ----------
    unit_values : ndarray of float64, shape (n,)
        The unit values.
    lower, upper : float
        The range.

    Raises
    ------
    ValueError
        Naming the first unit value outside.
    """
    outside = (unit_values < tied_with(lower)[0]) | (unit_values > tied_with(upper)[1])
    if outside.any():
        index = int(np.argmax(outside))
        raise ValueError(f"unit_values[{index}] = {float(unit_values[index])}: must lie in [{lower}, {upper}]")
