"""Checks at the door: every message names the argument, its value and the rule that it broke.

Public functions call these once; what lies behind them trusts its input.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "require_at_least",
    "require_between",
    "require_finite",
    "require_integer",
    "require_nonnegative",
    "require_one_of",
    "require_ordered",
    "require_positive",
    "require_same_length",
    "require_vector",
]


def require_finite(name: str, value: Any) -> float:
    """Return `value` as a float, or say why it is not a finite real number.

    Parameters
    ----------
    name : str
        The argument's name, as the caller knows it.
    value : float
        What was passed.

    Returns
    -------
    float
        The same number.

    Raises
    ------
    TypeError
        If `value` is not a real number (booleans and strings are not).
    ValueError
        If it is NaN or infinite.

    Examples
    --------
    >>> require_finite("upper", 3)
    3.0
    >>> require_finite("upper", float("nan"))
    Traceback (most recent call last):
    ...
    ValueError: upper = nan: must be finite
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf":
            value = value.item()
        else:
            raise TypeError(f"{name} = {value!r}: must be a real number, got {type(value).__name__}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name}: must be finite, got a number beyond the range of floats") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} = {number}: must be finite")
    return number


def require_positive(name: str, value: Any) -> float:
    """Return `value` as a float if it is finite and above zero.

    Parameters
    ----------
    name : str
        The argument's name.
    value : float
        What was passed.

    Returns
    -------
    float
        The same number.

    Examples
    --------
    >>> require_positive("capacity", 0)
    Traceback (most recent call last):
    ...
    ValueError: capacity = 0.0: must be positive
    """
    number = require_finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} = {number}: must be positive")
    return number


def require_nonnegative(name: str, value: Any) -> float:
    """Return `value` as a float if it is finite and at least zero.

    Parameters
    ----------
    name : str
        The argument's name.
    value : float
        What was passed.

    Returns
    -------
    float
        The same number.

    Examples
    --------
    >>> require_nonnegative("weight", -1)
    Traceback (most recent call last):
    ...
    ValueError: weight = -1.0: must be at least 0
    """
    return require_at_least(name, value, 0)


def require_at_least(name: str, value: Any, minimum: float) -> float:
    """Return `value` as a float if it is finite and at least `minimum`.

    Parameters
    ----------
    name : str
        The argument's name.
    value : float
        What was passed.
    minimum : float
        The smallest legal value.

    Returns
    -------
    float
        The same number.

    Examples
    --------
    >>> require_at_least("ratio", 0.5, 1)
    Traceback (most recent call last):
    ...
    ValueError: ratio = 0.5: must be at least 1
    """
    number = require_finite(name, value)
    if number < minimum:
        raise ValueError(f"{name} = {number}: must be at least {_exactly(minimum)}")
    return number


def require_between(
    name: str, value: Any, low: float, high: float, *, open_low: bool = False, open_high: bool = False
) -> float:
    """Return `value` as a float if it lies between `low` and `high`.

    Parameters
    ----------
    name : str
        The argument's name.
    value : float
        What was passed.
    low, high : float
        The ends of the legal interval.
    open_low, open_high : bool
        Whether that end itself is illegal.

    Returns
    -------
    float
        The same number.

    Examples
    --------
    >>> require_between("trust", 1.5, 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: trust = 1.5: must lie in [0, 1]
    """
    number = require_finite(name, value)
    below = number <= low if open_low else number < low
    above = number >= high if open_high else number > high
    if below or above:
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        raise ValueError(f"{name} = {number}: must lie in {left}{_exactly(low)}, {_exactly(high)}{right}")
    return number


def require_integer(name: str, value: Any, minimum: int | None = None) -> int:
    """Return `value` as an int if it is one, and at least `minimum`.

    Parameters
    ----------
    name : str
        The argument's name.
    value : int
        What was passed; 3.0 is refused, since a float that happens to be whole is usually a mistake.
    minimum : int, optional
        The smallest legal value.

    Returns
    -------
    int
        The same number.

    Raises
    ------
    TypeError
        If `value` is not an integer.
    ValueError
        If it is below `minimum`.

    Examples
    --------
    >>> require_integer("steps", 0, minimum=1)
    Traceback (most recent call last):
    ...
    ValueError: steps = 0: must be at least 1
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"{name} = {value!r}: must be an integer, got {type(value).__name__}")
    number = int(value)
    if minimum is not None and number < minimum:
        raise ValueError(f"{name} = {number}: must be at least {minimum}")
    return number


def require_one_of(name: str, value: Any, choices: Collection[Any]) -> Any:
    """Return `value` if it is one of `choices`.

    Parameters
    ----------
    name : str
        The argument's name.
    value : object
        What was passed.
    choices : collection
        The legal values.

    Returns
    -------
    object
        The same value.

    Examples
    --------
    >>> require_one_of("sense", "max", ["maximise", "minimise"])
    Traceback (most recent call last):
    ...
    ValueError: sense = 'max': must be one of 'maximise', 'minimise'
    """
    if value not in choices:
        raise ValueError(f"{name} = {value!r}: must be one of {', '.join(map(repr, choices))}")
    return value


def require_ordered(low_name: str, low: float, high_name: str, high: float) -> None:
    """Raise unless `low` is at most `high`.

    Parameters
    ----------
    low_name : str
        Name of the lower argument.
    low : float
        What was passed for it.
    high_name : str
        Name of the upper argument.
    high : float
        What was passed for it.

    Examples
    --------
    >>> require_ordered("lower", 2.0, "upper", 1.0)
    Traceback (most recent call last):
    ...
    ValueError: lower = 2.0, upper = 1.0: lower must not exceed upper
    """
    if low > high:
        raise ValueError(f"{low_name} = {low}, {high_name} = {high}: {low_name} must not exceed {high_name}")


def require_vector(
    name: str, values: ArrayLike, *, minimum: float | None = None, positive: bool = False
) -> NDArray[np.float64]:
    """Return `values` as a read-only, C-contiguous float64 vector; one layout means one compiled kernel.

    Parameters
    ----------
    name : str
        The argument's name.
    values : array_like, shape (n,)
        What was passed; never written to.
    minimum : float, optional
        The smallest legal entry.
    positive : bool
        Whether every entry must be above zero.

    Returns
    -------
    ndarray of float64, shape (n,)
        A read-only view (a copy only where the layout or dtype asks for one).

    Raises
    ------
    TypeError
        If the entries are not real numbers.
    ValueError
        If the shape is not (n,), or an entry is NaN, infinite or out of range; the first one is named.

    Examples
    --------
    >>> require_vector("weights", [1, 0, 2], positive=True)
    Traceback (most recent call last):
    ...
    ValueError: weights[1] = 0.0: must be positive
    """
    try:
        raw = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name}: must have shape (n,), {error}") from error
    if raw.size == 0 and raw.dtype.kind == "f":
        pass
    elif raw.dtype.kind not in "iuf":
        raise TypeError(f"{name}: must hold real numbers, got dtype {raw.dtype}")
    if raw.ndim != 1:
        raise ValueError(f"{name}: must have shape (n,), got {raw.shape}")
    vector = np.ascontiguousarray(raw, dtype=np.float64)
    _refuse_first(name, vector, ~np.isfinite(vector), "must be finite")
    if positive:
        _refuse_first(name, vector, vector <= 0, "must be positive")
    if minimum is not None:
        _refuse_first(name, vector, vector < minimum, f"must be at least {_exactly(minimum)}")
    view = vector.view()
    view.flags.writeable = False
    return view


def require_same_length(**vectors: NDArray[Any]) -> int:
    """Return the common length of the named vectors.

    Parameters
    ----------
    **vectors : ndarray
        The vectors by their names.

    Returns
    -------
    int
        Their length.

    Examples
    --------
    >>> import numpy as np
    >>> require_same_length(unit_values=np.ones(2), weights=np.ones(3))
    Traceback (most recent call last):
    ...
    ValueError: unit_values has length 2, weights has length 3: lengths must agree
    """
    if not vectors:
        raise ValueError("require_same_length: needs at least one vector")
    lengths = {name: len(vector) for name, vector in vectors.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has length {length}" for name, length in lengths.items())
        raise ValueError(f"{told}: lengths must agree")
    return next(iter(lengths.values()))


def _exactly(number: float) -> str:
    """The shortest text that is exactly this number, whole numbers without their ``.0``."""
    return repr(float(number)).removesuffix(".0")


def _refuse_first(name: str, vector: NDArray[np.float64], broken: NDArray[np.bool_], rule: str) -> None:
    if broken.any():
        index = int(np.argmax(broken))
        raise ValueError(f"{name}[{index}] = {float(vector[index])}: {rule}")
