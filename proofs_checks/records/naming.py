"""What a person is told: names of algorithms, and cases written out."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

__all__ = ["literal_of", "name_of"]

_NAME = 80


def literal_of(value: Any, limit: int = 2_000) -> str:
    """Return a case written out in full, where a dataclass's or array's own repr would only sum it up.

    Parameters
    ----------
    value : object
        The case.
    limit : int
        Characters after which it is cut.

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> literal_of((np.float64(0.5), np.arange(3)))
    '(0.5, [0, 1, 2])'
    >>> literal_of("x" * 30, limit=9)
    "'xxxxxxx…"
    """
    told = " ".join(_written_out(value).split())
    return told if len(told) <= limit else told[: limit - 1] + "…"


def _written_out(value: Any) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return repr(value.tolist())
    if isinstance(value, list):
        return f"[{', '.join(map(_written_out, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(_written_out, value))}{',' if len(value) == 1 else ''})"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        entries = [entry.name for entry in dataclasses.fields(value) if entry.init]
        named = [f"{name}={_written_out(getattr(value, name))}" for name in entries]
        return f"{type(value).__name__}({', '.join(named)})"
    return repr(value)


def name_of(thing: Any) -> str:
    """Return what a person would call a function, class or object.

    Parameters
    ----------
    thing : object
        Say an algorithm.

    Returns
    -------
    str
        Its name; for an object without one, its shortened repr, or its type's name.

    Examples
    --------
    >>> import math
    >>> name_of(math.floor)
    'floor'
    >>> name_of(functools.partial(math.isclose, rel_tol=0.1))
    'isclose(rel_tol=0.1)'
    """
    if isinstance(thing, functools.partial):
        bound = [repr(value) for value in thing.args] + [f"{key}={value!r}" for key, value in thing.keywords.items()]
        return f"{name_of(thing.func)}({', '.join(bound)})"
    name = getattr(thing, "__name__", None)
    if isinstance(name, str):
        return name
    if getattr(type(thing), "__repr__", None) is object.__repr__:
        return type(thing).__name__
    told = " ".join(repr(thing).split())
    return told if len(told) <= _NAME else told[: _NAME - 1] + "…"
