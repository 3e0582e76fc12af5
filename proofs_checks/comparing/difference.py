"""Where two results first differ, to the last bit."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["Difference", "first_difference"]


@dataclasses.dataclass(frozen=True, slots=True)
class Difference:
    """A place where two results differ.

    Parameters
    ----------
    place : str
        As one would write it in Python, from "result" on.
    first, second : object
        What stands there.
    """

    place: str
    first: Any
    second: Any


def first_difference(first: Any, second: Any, place: str = "result") -> Difference | None:
    """Return the first place where two results differ.

    Parameters
    ----------
    first, second : object
        Numbers, texts, arrays, and sequences, mappings and dataclasses of these; anything else is compared by ``==``.
    place : str
        What the whole is called.

    Returns
    -------
    Difference or None
        None if they are the same: equal types, equal bits, NaN equal to NaN.

    Examples
    --------
    >>> first_difference({"a": [1, 2.0]}, {"a": [1, 2.5]})
    Difference(place="result['a'][1]", first=2.0, second=2.5)
    >>> first_difference(0.0, -0.0)
    Difference(place='result', first=0.0, second=-0.0)
    """
    if type(first) is not type(second):
        return Difference(place, first, second)
    if isinstance(first, np.ndarray):
        return _in_arrays(first, second, place)
    if isinstance(first, (float, np.floating)):
        same = np.asarray(first).tobytes() == np.asarray(second).tobytes() or (first != first and second != second)
        return None if same else Difference(place, first, second)
    parts = list(_parts(first, second, place))
    if parts or isinstance(first, (Mapping, list, tuple)):
        if isinstance(first, (Mapping, list, tuple)) and _shape(first) != _shape(second):
            return Difference(f"the shape of {place}", _shape(first), _shape(second))
        return next((found for part in parts if (found := first_difference(*part))), None)
    return None if first == second else Difference(place, first, second)


def _parts(first: Any, second: Any, place: str) -> Iterator[tuple[Any, Any, str]]:
    if isinstance(first, Mapping):
        yield from ((first[key], second[key], f"{place}[{key!r}]") for key in first if key in second)
    elif isinstance(first, Sequence) and not isinstance(first, (str, bytes)):
        for index, (one, other) in enumerate(zip(first, second, strict=False)):
            yield one, other, f"{place}[{index}]"
    elif dataclasses.is_dataclass(first):
        for entry in dataclasses.fields(first):
            if entry.compare:
                yield getattr(first, entry.name), getattr(second, entry.name), f"{place}.{entry.name}"


def _shape(container: Any) -> Any:
    return list(container) if isinstance(container, Mapping) else len(container)


def _in_arrays(first: Any, second: Any, place: str) -> Difference | None:
    if (first.shape, first.dtype) != (second.shape, second.dtype):
        return Difference(f"the shape of {place}", (first.shape, first.dtype.str), (second.shape, second.dtype.str))
    for index in np.ndindex(first.shape):
        if found := first_difference(first[index], second[index], f"{place}[{', '.join(map(str, index))}]"):
            return found
    return None
