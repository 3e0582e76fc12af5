"""Instances as plain data, for replay files: written by us, read as data only.

A replay file names no code. Tuples, complex containers and arrays carry a tag; a dataclass carries its bare name and is
rebuilt only if the reader already holds a type of that name (`types`), through its own constructor, which checks its
input again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_checks.records.evidence import plain_float

__all__ = ["decode", "encode"]

_TAG = "~"


def encode(value: Any) -> Any:
    """Return `value` as plain data for JSON.

    Parameters
    ----------
    value : object
        None, bool, int, float, str, Fraction, list, tuple, set of sortables, mapping with plain keys, numpy array or
        scalar, or a dataclass of these.

    Returns
    -------
    object
        Plain data that `decode` turns back into an equal value.

    Raises
    ------
    TypeError
        If a part of `value` is none of these.

    Examples
    --------
    >>> encode((1, 2.5))
    {'~': 'tuple', 'items': [1, 2.5]}
    >>> decode(encode((1, 2.5)))
    (1, 2.5)
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        number = plain_float(float(value))
        return {_TAG: "float", "value": number} if isinstance(number, str) else number
    if isinstance(value, Fraction):
        return {_TAG: "fraction", "value": f"{value.numerator}/{value.denominator}"}
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biuf":
            raise TypeError(f"array of dtype {value.dtype}: only numbers and booleans can be encoded")
        items = [encode(item) for item in value.ravel().tolist()]
        return {_TAG: "array", "dtype": value.dtype.str, "shape": list(value.shape), "items": items}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {_TAG: "tuple", "items": [encode(item) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {_TAG: "set", "items": [encode(item) for item in sorted(value)]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        named = {entry.name: encode(getattr(value, entry.name)) for entry in dataclasses.fields(value) if entry.init}
        return {_TAG: "dataclass", "type": type(value).__name__, "fields": named}
    if isinstance(value, Mapping):
        return {_TAG: "dict", "items": [[encode(key), encode(item)] for key, item in value.items()]}
    raise TypeError(f"{type(value).__name__}: cannot be encoded as plain data")


def decode(plain: Any, types: Iterable[type] = ()) -> Any:
    """Rebuild a value from `encode`.

    Parameters
    ----------
    plain : object
        What `encode` returned, perhaps through JSON.
    types : iterable of type
        The dataclasses that may be rebuilt; nothing else is ever constructed.

    Returns
    -------
    object
        An equal value.

    Raises
    ------
    ValueError
        If a tag is unknown, or a dataclass is not among `types`.

    Examples
    --------
    >>> decode({"~": "dataclass", "type": "Path", "fields": {}})
    Traceback (most recent call last):
    ...
    ValueError: type = 'Path': the reader of this file knows no such type (it knows none)
    """
    known = {kind.__name__: kind for kind in types}
    return _decode(plain, known)


def _decode(plain: Any, known: Mapping[str, type]) -> Any:
    if isinstance(plain, list):
        return [_decode(item, known) for item in plain]
    if not isinstance(plain, dict):
        return plain
    tag = plain.get(_TAG)
    if tag == "float":
        return float(plain["value"])
    if tag == "fraction":
        return Fraction(plain["value"])
    if tag == "array":
        dtype = np.dtype(plain["dtype"])
        if dtype.kind not in "biuf":
            raise ValueError(f"dtype = {plain['dtype']!r}: only numbers and booleans can be decoded")
        items = [_decode(item, known) for item in plain["items"]]
        return np.array(items, dtype=dtype).reshape(plain["shape"])
    if tag == "tuple":
        return tuple(_decode(item, known) for item in plain["items"])
    if tag == "set":
        return frozenset(_decode(item, known) for item in plain["items"])
    if tag == "dict":
        return {_decode(key, known): _decode(item, known) for key, item in plain["items"]}
    if tag == "dataclass":
        name = plain["type"]
        if name not in known:
            told = ", ".join(sorted(known)) or "none"
            raise ValueError(f"type = {name!r}: the reader of this file knows no such type (it knows {told})")
        return known[name](**{field: _decode(item, known) for field, item in plain["fields"].items()})
    raise ValueError(f"tag = {tag!r}: not one of this format")
