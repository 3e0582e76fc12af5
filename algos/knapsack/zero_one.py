r"""0/1 knapsack, offline and exact: whole items only.

Items have values $p_i$ (of the whole item) and weights $w_i$; the knapsack holds weight $C$:

$$\max \sum_{i \in S} p_i \quad\text{subject to}\quad \sum_{i \in S} w_i \le C .$$

*Branch and bound* (Horowitz and Sahni 1974) decides on the items from the densest one down, taking before leaving. With
room $r$ and value $z$ so far, a branch can hold no more than Dantzig's bound, $z$ plus the fractional optimum of the
remaining items in $r$; it is cut off when that is no more than the best selection known. Weights and values may be any
floats. Usually that is a matter of milliseconds; on strongly correlated items (say $p_i = w_i + 100$) it is hopeless.

*Dynamic programming* (Bellman 1957) needs whole weights: $f(c) \leftarrow \max(f(c), f(c - w_i) + p_i)$, one item after
the other, in time $nC$ whatever the values. One bit for each $(i, c)$ says whether item $i$ was worth it; walking back
through them gives the selection.

What fits is decided on exact sums, as ``math.fsum(weights[selection]) <= capacity`` does: ten weights of 0.1 fill a
capacity of 1. The search carries the room as an exact sum of two floats. It starts with half a unit in the last place
more than the capacity, which is what `math.fsum` rounds away; where that may lose a digit (a weight below 1e-15 of the
capacity, or a capacity whose last bit is odd) it starts with a millionth less of the half unit, on the safe side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.knapsack import _kernels
from algos.validation import (
    require_integer,
    require_one_of,
    require_positive,
    require_same_length,
    require_vector,
)

__all__ = ["Knapsack01", "knapsack_01"]

Method: TypeAlias = Literal["auto", "branch_and_bound", "dynamic_programming"]
Progress: TypeAlias = Callable[[int, int], None]

_METHODS = ("auto", "branch_and_bound", "dynamic_programming")
_CELLS = 1_000_000_000  # the largest table that "auto" fills: a second or two, and 125 MB
_MOST_CELLS = 100 * _CELLS
_LARGEST_WHOLE = 2**53  # up to here floats hold every whole number
_DECISIONS = 1 << 20  # between two calls of `progress`
_CELLS_AT_ONCE = 1 << 26


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Knapsack01:
    """A selection of whole items, and what is known about better ones.

    Parameters
    ----------
    value : float
        Total value of the selection.
    selection : ndarray of bool, shape (n,)
        Whether each item is selected, in the caller's order; read-only.
    upper_bound : float
        No selection is worth more; equal to `value` when `optimal`.
    optimal : bool
        Whether the selection was proved to be the best, up to the rounding of sums of values (none for whole values).
    method : str
        What found it: "branch_and_bound" or "dynamic_programming".
    """

    value: float
    selection: NDArray[np.bool_]
    upper_bound: float
    optimal: bool
    method: str

    def __repr__(self) -> str:
        """Value, items, method, and how far from the optimum it may be."""
        items = f"{np.count_nonzero(self.selection)} of {len(self.selection)} items"
        proved = "optimal" if self.optimal else f"upper_bound={self.upper_bound:g}"
        return f"Knapsack01(value={self.value:g}, {items}, {proved}, by {self.method})"


def knapsack_01(
    values: ArrayLike,
    weights: ArrayLike,
    capacity: float,
    *,
    method: Method = "auto",
    node_limit: int = 20_000_000,
    progress: Progress | None = None,
) -> Knapsack01:
    """Return the most valuable selection of whole items that fits.

    Parameters
    ----------
    values : array_like, shape (n,)
        Value of each whole item, at least 0.
    weights : array_like, shape (n,)
        Weights, positive; an item heavier than the capacity is legal, and never selected.
    capacity : float
        Weight that the knapsack holds.
    method : str
        "branch_and_bound"; "dynamic_programming", for whole weights, in time n * capacity and n * capacity / 8 bytes;
        or "auto": the former, and where it reaches its limit the latter, if it is possible with n * capacity <= 1e9.
    node_limit : int
        Decisions (an item taken, left, or given back) after which branch and bound stops, give or take n: the default
        is less than a second.
    progress : callable, optional
        ``progress(done, total)``, in decisions of the branch and bound, or in items of the dynamic program; "auto" may
        begin with the former and go on to the latter.

    Returns
    -------
    Knapsack01
        The selection satisfies ``math.fsum(weights[selection]) <= capacity`` exactly. When the limit was reached it is
        the best one found, and `upper_bound` bounds the others.

    Raises
    ------
    TypeError
        If an entry is not a real number, or `node_limit` not an integer.
    ValueError
        If lengths differ, a number is out of range or a total not finite, or dynamic programming meets a fraction.

    Notes
    -----
    Horowitz and Sahni (1974), "Computing partitions with applications to the knapsack problem", Journal of the ACM
    21(2); Dantzig (1957), "Discrete-variable extremum problems", Operations Research 5(2); Bellman (1957), "Dynamic
    Programming".

    Examples
    --------
    >>> best = knapsack_01([10.0, 7.0, 7.0], [0.6, 0.5, 0.5], capacity=1.0)
    >>> best
    Knapsack01(value=14, 2 of 3 items, optimal, by branch_and_bound)
    >>> best.selection
    array([False,  True,  True])
    """
    profits = require_vector("values", values, minimum=0)
    sizes = require_vector("weights", weights, positive=True)
    require_same_length(values=profits, weights=sizes)
    room = require_positive("capacity", capacity)
    require_one_of("method", method, _METHODS)
    limit = require_integer("node_limit", node_limit, minimum=1)

    order = _densest_first(profits, sizes, room)
    if method == "dynamic_programming":
        _refuse_fractions(sizes)
    limits = {"auto": _CELLS, "branch_and_bound": 0, "dynamic_programming": _MOST_CELLS}
    items = profits[order], sizes[order]
    table = _Table.of(*items, room, most_cells=limits[method])
    if method != "dynamic_programming":
        taken, bound = _branch_and_bound(*items, room, limit, progress)
        if bound is None or table is None:
            return _answer(profits, order[taken], bound, "branch_and_bound")
    if table is None:
        raise ValueError(f"capacity = {room}: too large for a table of {len(order)} items, n * capacity > 1e11")
    return _answer(profits, order[table.best_items(progress)], None, "dynamic_programming")


def _densest_first(values: NDArray[np.float64], weights: NDArray[np.float64], room: float) -> NDArray[np.intp]:
    """Indices of the items that fit alone, by falling value per weight."""
    fitting = np.flatnonzero(weights <= room)
    with np.errstate(over="ignore"):
        densities = values[fitting] / weights[fitting]
        totals = {"values": np.sum(values[fitting]), "weights": np.sum(weights[fitting])}
    if not np.isfinite(densities).all():
        index = fitting[np.argmax(~np.isfinite(densities))]
        raise ValueError(f"values[{index}] / weights[{index}]: must be finite")
    for name, total in totals.items():
        if not math.isfinite(total):
            raise ValueError(f"{name}: the sum over the items that fit must be finite")
    return fitting[np.argsort(-densities, kind="stable")]


def _branch_and_bound(
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    room: float,
    limit: int,
    progress: Progress | None,
) -> tuple[NDArray[np.int64], float | None]:
    """Positions of the best selection found, and a bound on the others where it was not proved to be the best."""
    count = len(values)
    sums = [np.concatenate(([0.0], np.cumsum(column))) for column in (values, weights)]
    items = (values, weights, *sums)
    rounding = 4 * np.finfo(float).eps * (count + 2)  # relative, of any sum here
    whole = bool(np.all(values == np.floor(values)))
    step = max(0.0, 1.0 - rounding * sums[0][-1]) if whole else 0.0  # whole values differ by at least 1
    chosen, kept = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    place, stack = np.zeros(3, np.int64), np.zeros((count + 1, 3))
    stack[0] = room, _rounded_away(weights, room), 0.0
    best, ended, done = 0.0, False, 0
    while not ended and done < limit:
        if progress is not None:
            progress(done, limit)
        budget = min(_DECISIONS, limit - done)
        best, ended = _kernels.branch_and_bound(*items, step, budget, best, place, chosen, kept, stack)
        done += budget
    if progress is not None:
        progress(limit, limit)
    taken = kept[: place[2]]
    if ended:
        return taken, None
    bound = max(best, _kernels.open_bound(*items, place, chosen, stack)) * (1 + rounding)
    return taken, float(math.floor(bound)) if whole else bound


def _rounded_away(weights: NDArray[np.float64], capacity: float) -> float:
    """What a sum may exceed the capacity by and still be rounded to it: half a unit in the last place, ties to even."""
    half = math.ulp(capacity) / 2
    is_even = int(math.frexp(capacity)[0] * 2**53) % 2 == 0
    sums_are_exact = weights.min(initial=math.inf) >= capacity * 2.0**-50
    return half if is_even and sums_are_exact else half * (1 - 2.0**-20)


def _refuse_fractions(weights: NDArray[np.float64]) -> None:
    broken = weights != np.floor(weights)
    if broken.any():
        index = int(np.argmax(broken))
        raise ValueError(f"weights[{index}] = {float(weights[index])}: must be whole for dynamic programming")


@dataclass(frozen=True, slots=True)
class _Table:
    """The dynamic program: items of whole weight, in units of the weights' greatest common divisor."""

    values: NDArray[np.float64]
    weights: NDArray[np.int64]
    capacity: int

    @classmethod
    def of(
        cls, values: NDArray[np.float64], weights: NDArray[np.float64], room: float, most_cells: int
    ) -> _Table | None:
        """The table, or None where weights are not whole or it would have more cells than that."""
        capacity = min(math.floor(room), math.floor(math.fsum(weights)))
        if np.any(weights != np.floor(weights)) or capacity > _LARGEST_WHOLE:
            return None
        unit = int(np.gcd.reduce(weights.astype(np.int64))) or 1
        if len(values) * (capacity // unit) > most_cells:
            return None
        return cls(values, weights.astype(np.int64) // unit, capacity // unit)

    def best_items(self, progress: Progress | None) -> NDArray[np.int64]:
        """Positions of the items of the best selection."""
        count = len(self.values)
        best = np.zeros(self.capacity + 1)
        taken = np.zeros((count, self.capacity // 8 + 1), np.uint8)
        rows = _CELLS_AT_ONCE // (self.capacity + 1) + 1
        for first in range(0, count, rows):
            if progress is not None:
                progress(first, count)
            _kernels.fill_table(self.values, self.weights, first, min(first + rows, count), best, taken)
        if progress is not None:
            progress(count, count)
        return _walk_back(self.weights, self.capacity, taken)


def _walk_back(weights: NDArray[np.int64], capacity: int, taken: NDArray[np.uint8]) -> NDArray[np.int64]:
    left, items = capacity, []
    for i in range(len(weights) - 1, -1, -1):
        if taken[i, left >> 3] >> (left & 7) & 1:
            items.append(i)
            left -= int(weights[i])
    return np.array(items, dtype=np.int64)


def _answer(values: NDArray[np.float64], items: NDArray[np.intp], bound: float | None, method: str) -> Knapsack01:
    selection = np.zeros(len(values), dtype=np.bool_)
    selection[items] = True
    selection.flags.writeable = False
    value = math.fsum(values[selection])
    return Knapsack01(value, selection, value if bound is None else max(bound, value), bound is None, method)
