"""What a policy is: one item in, the accepted weight out; and the same algorithm over arrays.

Every policy of this room comes in two forms, held equal by property tests:

- step-wise: `reset`, then `offer` item by item; `state` is plain data, `restore` takes it back in the middle of a
  stream;
- over arrays: `run` for one instance, `run_batch` for many rows in parallel. Neither touches the step-wise state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.validation import require_between, require_positive
from learning_augmented.knapsack import _kernels
from learning_augmented.knapsack.instance import OnlineKnapsackInstance

__all__ = ["BatchPolicy", "OnlinePolicy", "OnlineRun", "PlainState", "run_batch"]

PlainState: TypeAlias = dict[str, Any]
"""A policy's name, parameters and amounts: strings, numbers, lists of numbers and nested dicts, fit for JSON."""

_SMALLEST, _LARGEST = math.ulp(0.0), float(np.finfo(np.float64).max)  # of what is positive and finite


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OnlineRun:
    """What a policy accepted of one instance.

    Parameters
    ----------
    accepted : ndarray of float64, shape (n,)
        Accepted weight of each item, read-only.
    value : float
        Total value of the accepted weight.
    used : float
        Capacity used at the end, in units of weight.
    """

    accepted: NDArray[np.float64]
    value: float
    used: float

    def __post_init__(self) -> None:
        self.accepted.flags.writeable = False

    def __repr__(self) -> str:
        """Value, used capacity and how many items were accepted in part or whole."""
        items = f"{np.count_nonzero(self.accepted)} of {len(self.accepted)} items"
        return f"OnlineRun(value={self.value:g}, used={self.used:g}, {items})"


@runtime_checkable
class OnlinePolicy(Protocol):
    """An online knapsack policy. A new one is ready for a knapsack of capacity 1."""

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item; a refused item (ValueError) leaves the policy as it was.

        Parameters
        ----------
        unit_value : float
            Value per weight.
        weight : float
            Weight on offer.

        Returns
        -------
        float
            Accepted weight, between 0 and `weight`.
        """

    @property
    def state(self) -> PlainState:
        """Name, parameters and amounts, as plain data."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of the same policy.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.
        """

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


class BatchPolicy(OnlinePolicy, Protocol):
    """A policy that also has a compiled loop over many rows."""

    @classmethod
    def run_rows(
        cls,
        policies: Sequence[Self],
        unit_values: NDArray[np.float64],
        weights: NDArray[np.float64],
        capacity: float,
    ) -> NDArray[np.float64]:
        """Return the value that each policy gets on its row; called by `run_batch`, which has checked the arrays.

        Parameters
        ----------
        policies : sequence of policies, length b
            One a row, all of this class.
        unit_values, weights : ndarray of float64, shape (b, n)
            Positive, C-contiguous, read-only; b is at least 1.
        capacity : float
            Weight that each knapsack holds.

        Returns
        -------
        ndarray of float64, shape (b,)
            Values.
        """


def run_batch(
    policies: BatchPolicy | Sequence[BatchPolicy],
    unit_values: ArrayLike,
    weights: ArrayLike,
    capacity: float = 1.0,
) -> NDArray[np.float64]:
    """Run policies over the rows of a batch, rows in parallel.

    Parameters
    ----------
    policies : policy, or sequence of b policies of one class
        One policy for all rows, or one for each.
    unit_values : array_like, shape (b, n)
        Value per weight; row r is one stream of n items.
    weights : array_like, shape (b, n)
        Weights.
    capacity : float
        Weight that each knapsack holds.

    Returns
    -------
    ndarray of float64, shape (b,)
        The value that the policy gets on each row. Threads share no arithmetic: the result does not depend on their
        number.

    Raises
    ------
    ValueError
        If shapes disagree, an entry is not positive and finite, a unit value leaves its policy's range, or the number
        of policies is not that of the rows.
    TypeError
        If the policies are of several classes, or of one without a loop over rows.

    Examples
    --------
    >>> from learning_augmented.knapsack import PPBasic
    >>> run_batch(PPBasic(2.0), [[4.0, 2.0], [1.0, 3.0]], [[1.0, 1.0], [1.0, 0.5]])
    array([3.  , 0.75])
    """
    values = _require_matrix("unit_values", unit_values)
    sizes = _require_matrix("weights", weights)
    if values.shape != sizes.shape:
        raise ValueError(f"unit_values has shape {values.shape}, weights has shape {sizes.shape}: must agree")
    each_row = list(policies) if isinstance(policies, Sequence) else [policies] * len(values)
    if len(each_row) != len(values):
        raise ValueError(f"policies: {len(each_row)} for {len(values)} rows: must be one, or one a row")
    return values_by_row(each_row, values, sizes, require_positive("capacity", capacity))


def values_by_row(
    policies: Sequence[OnlinePolicy],
    unit_values: NDArray[np.float64],
    weights: NDArray[np.float64],
    capacity: float,
) -> NDArray[np.float64]:
    """Hand checked rows to the policies' class; a composite policy calls this for each of its parts.

    Parameters
    ----------
    policies : sequence of policies, length b
        One a row.
    unit_values, weights : ndarray of float64, shape (b, n)
        As `run_batch` checked them.
    capacity : float
        Weight that each knapsack holds.

    Returns
    -------
    ndarray of float64, shape (b,)
        Values.

    Raises
    ------
    TypeError
        If the policies are of several classes, or of one without a loop over rows.
    """
    kinds = {type(policy) for policy in policies}
    if not kinds:
        return np.zeros(0)
    if len(kinds) > 1:
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"policies: must be of one class, got {names}")
    kind: Any = kinds.pop()
    if not hasattr(kind, "run_rows"):
        raise TypeError(f"policies: {kind.__name__} has no loop over rows (run_rows)")
    totals: NDArray[np.float64] = kind.run_rows(policies, unit_values, weights, capacity)
    return totals


def values_one_by_one(
    policies: Sequence[OnlinePolicy],
    unit_values: NDArray[np.float64],
    weights: NDArray[np.float64],
    capacity: float,
) -> NDArray[np.float64]:
    """Run each policy over its row, one after another; for composites whose parts have no loop over rows.

    Parameters
    ----------
    policies : sequence of policies, length b
        One a row.
    unit_values, weights : ndarray of float64, shape (b, n)
        As `run_batch` checked them.
    capacity : float
        Weight that each knapsack holds.

    Returns
    -------
    ndarray of float64, shape (b,)
        Values.

    Raises
    ------
    ValueError
        If a policy refuses an item; it names the row.
    """
    totals = np.zeros(len(policies))
    if unit_values.shape[1] == 0:
        return totals
    for row, (policy, values, sizes) in enumerate(zip(policies, unit_values, weights, strict=True)):
        instance = OnlineKnapsackInstance(values, sizes, float(values.min()), float(values.max()), capacity)
        try:
            totals[row] = policy.run(instance).value
        except ValueError as error:
            raise ValueError(f"row {row}: {error}") from None
    return totals


def refuse_item(unit_value: float, weight: float, rule: str) -> NoReturn:
    """Raise the error for an item that a policy's `offer` does not take.

    Parameters
    ----------
    unit_value, weight : float
        What was offered.
    rule : str
        What holds for unit values.

    Raises
    ------
    ValueError
        Always; it names the weight if that is at fault, else the unit value.
    """
    if not 0.0 < weight < math.inf:
        raise ValueError(f"weight = {weight}: must be positive and finite")
    raise ValueError(f"unit_value = {unit_value}: {rule}")


def amounts_of(
    state: Mapping[str, Any], policy: str, parameters: Mapping[str, float], amounts: Sequence[str]
) -> list[float]:
    """Check a saved state against the policy that takes it back.

    Parameters
    ----------
    state : mapping
        The saved state.
    policy : str
        Class name of the policy.
    parameters : mapping of str to float
        The policy's parameters; the state must hold the same.
    amounts : sequence of str
        Names of the amounts of weight in it.

    Returns
    -------
    list of float
        The capacity, then the amounts.

    Raises
    ------
    ValueError
        If the state is another policy's, lacks an entry or has one too many, or an amount exceeds the capacity.
    """
    require_entries(state, {"policy": policy, **parameters}, ("capacity", *amounts))
    capacity = require_positive("state['capacity']", state["capacity"])
    return [capacity, *(require_between(f"state[{name!r}]", state[name], 0.0, capacity) for name in amounts)]


def require_entries(state: Mapping[str, Any], fixed: Mapping[str, Any], free: Sequence[str]) -> None:
    """Raise unless a saved state has exactly the entries `fixed`, with those values, and `free`.

    Parameters
    ----------
    state : mapping
        The saved state.
    fixed : mapping
        Names and values of the policy itself.
    free : sequence of str
        Names of what changes from item to item.

    Raises
    ------
    TypeError
        If the state is not a mapping.
    ValueError
        Naming the entry that is missing, unknown or different.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"state = {state!r}: must be a mapping, got {type(state).__name__}")
    odd = sorted(state.keys() ^ {*fixed, *free})
    if odd:
        raise ValueError(f"state[{odd[0]!r}]: {'unknown entry' if odd[0] in state else 'missing'}")
    for name, value in fixed.items():
        if state[name] != value:
            raise ValueError(f"state[{name!r}] = {state[name]!r}: must be that of this policy, {value!r}")


def shown(number: float) -> str:
    """Return a number as people write it, with all its digits.

    Parameters
    ----------
    number : float
        Any float.

    Returns
    -------
    str
        The shortest text that reads back as the same number, without a trailing ".0".

    Examples
    --------
    >>> shown(1000.0), shown(0.1)
    ('1000', '0.1')
    """
    return repr(float(number)).removesuffix(".0")


def _require_matrix(name: str, values: ArrayLike) -> NDArray[np.float64]:
    raw = np.asarray(values)
    if raw.dtype.kind not in "iuf":
        raise TypeError(f"{name}: must hold real numbers, got dtype {raw.dtype}")
    if raw.ndim != 2:
        raise ValueError(f"{name}: must have shape (rows, items), got {raw.shape}")
    matrix = np.ascontiguousarray(raw, dtype=np.float64)
    view = matrix.view()
    view.flags.writeable = False
    within = np.empty(len(view), dtype=np.bool_)
    _kernels.rows_within(view, np.full(len(view), _SMALLEST), np.full(len(view), _LARGEST), within)
    if not within.all():
        row = int(np.argmin(within))
        item = int(np.argmin((view[row] > 0.0) & (view[row] < math.inf)))
        raise ValueError(f"{name}[{row}, {item}] = {float(view[row, item])}: must be positive and finite")
    return view
