r"""Classes of prices: how `Fr2Int` groups unit values, and how many groups are best.

A price class is $[e_j, e_{j+1})$ between consecutive edges $L = e_0 < e_1 < \dots$; the last one ends at $U$ and
contains it. With growth $\delta$ the edges are $L (1 + \delta)^j$. Rounding to whole items loses, for items of at most
the fraction $\varepsilon$ of the capacity, a factor $1 + \delta$ because prices within a class differ, and a factor
$1 - k\varepsilon$ because each of the $k$ classes may hold one item too many. With $1 + \delta = (U/L)^{1/k}$ the
logarithm of both together is

$$\frac{\ln(U/L)}{k} - \ln(1 - k \varepsilon),$$

which is convex in $k$ and least next to the positive root of
$\varepsilon k^2 + \varepsilon \ln(U/L)\, k = \ln(U/L)$. The best growth is then about
$\sqrt{\varepsilon \ln(U/L)}$ and the loss about $2 \sqrt{\varepsilon \ln(U/L)}$, which vanishes with the items' size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.knapsack import tied_with
from algos.validation import require_positive, require_vector

__all__ = ["best_class_count", "checked_edges", "class_count", "class_edges", "classes_of"]

_ROUNDING = 1e-9  # a range of exactly k growths has k classes, whatever the logarithms round to


def best_class_count(lower: float, upper: float, max_weight: float) -> int:
    """Return the number of price classes with which rounding to whole items loses least.

    Parameters
    ----------
    lower, upper : float
        Range of unit values.
    max_weight : float
        Largest weight of an item, in capacities, below 1.

    Returns
    -------
    int
        At least 1; times `max_weight` it is below 1.

    Examples
    --------
    >>> best_class_count(1, 100, max_weight=0.001), best_class_count(5, 5, max_weight=0.3)
    (66, 1)
    """
    spread = math.log(upper) - math.log(lower)
    root = (math.sqrt((max_weight * spread) ** 2 + 4 * max_weight * spread) - max_weight * spread) / (2 * max_weight)
    near = {max(1, math.floor(root)), max(1, math.ceil(root))}
    legal = [count for count in near if count * max_weight < 1] or [1]
    return min(legal, key=lambda count: spread / count - math.log1p(-count * max_weight))


def class_count(lower: float, upper: float, growth: float) -> int:
    """Return the number of price classes that grow by the factor 1 + `growth`.

    Parameters
    ----------
    lower, upper : float
        Range of unit values.
    growth : float
        Positive.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> class_count(1, 8, growth=1), class_count(1, 8.1, growth=1), class_count(5, 5, growth=1)
    (3, 4, 1)
    """
    classes = (math.log(upper) - math.log(lower)) / math.log1p(growth)
    return max(1, math.ceil(classes - _ROUNDING))


def class_edges(lower: float, upper: float, growth: float | None, max_weight: float) -> NDArray[np.float64]:
    """Return the lower edges of price classes with a given, or the best, growth.

    Parameters
    ----------
    lower, upper : float
        Range of unit values.
    growth : float or None
        Positive; None for the classes that lose least.
    max_weight : float
        Largest weight of an item, in capacities, for which to choose the best.

    Returns
    -------
    ndarray of float64, shape (k,)
        Rising, the first one `lower`.

    Examples
    --------
    >>> class_edges(1, 8, growth=1, max_weight=0.1)
    array([1., 2., 4.])
    """
    if growth is None:
        count = best_class_count(lower, upper, max_weight)
        step = (math.log(upper) - math.log(lower)) / count
    else:
        count, step = class_count(lower, upper, require_positive("growth", growth)), math.log1p(growth)
    edges: NDArray[np.float64] = np.exp(math.log(lower) + step * np.arange(count))
    edges[0] = lower
    return edges


def checked_edges(edges: ArrayLike, lower: float, upper: float) -> NDArray[np.float64]:
    """Return a user's lower edges of price classes as an array, or say what is wrong with them.

    Parameters
    ----------
    edges : array_like, shape (k,)
        What was passed.
    lower, upper : float
        Range of unit values.

    Returns
    -------
    ndarray of float64, shape (k,)
        The edges.

    Raises
    ------
    ValueError
        If there is none, they do not rise, the first is not `lower`, or the last exceeds `upper`.
    """
    vector = require_vector("edges", np.array(edges), positive=True)  # a copy: the policy keeps it
    if not len(vector):
        raise ValueError("edges: must hold at least one price, lower")
    if not (np.diff(vector) > 0).all():
        raise ValueError(f"edges = {vector.tolist()}: must rise")
    if vector[0] != lower or vector[-1] > upper:
        raise ValueError(f"edges = {vector.tolist()}: must begin with lower = {lower} and end by upper = {upper}")
    return vector


def classes_of(unit_values: NDArray[np.float64], edges: NDArray[np.float64] | Sequence[float]) -> NDArray[np.int64]:
    """Return the price class of each unit value.

    Parameters
    ----------
    unit_values : ndarray of float64, shape (n,)
        Unit values.
    edges : ndarray of float64, shape (k,)
        Lower edges of the classes.

    Returns
    -------
    ndarray of int64, shape (n,)
        From -1, below all edges, to k - 1; what is tied with an edge lies above it.

    Examples
    --------
    >>> classes_of(np.array([1.0, 1.9, 0.2 / 0.1, 5.0]), [1.0, 2.0, 4.0])
    array([0, 0, 1, 2])
    """
    reached = np.asarray(edges) * tied_with(1.0)[0]
    return np.searchsorted(reached, unit_values, side="right") - 1
