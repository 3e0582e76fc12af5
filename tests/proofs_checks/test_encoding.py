from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.records.encoding import decode, encode


@dataclass(frozen=True)
class Stop:
    day: int
    prices: tuple[float, ...]

    def __post_init__(self) -> None:
        if self.day < 0:
            raise ValueError(f"day = {self.day}: must be at least 0")


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.fractions()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner)
        | st.frozensets(st.integers())
    ),
    max_leaves=20,
)


@given(values)
def test_plain_values_survive_a_trip_through_json(value: Any) -> None:
    assert decode(json.loads(json.dumps(encode(value), allow_nan=False))) == value


@given(st.lists(st.floats(), max_size=6), st.sampled_from(["f8", "f4"]))
def test_arrays_survive_bit_for_bit(numbers: list[float], dtype: str) -> None:
    with np.errstate(over="ignore"):
        array = np.array(numbers, dtype=dtype).reshape(-1, 1)
    back = decode(json.loads(json.dumps(encode(array))))
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    np.testing.assert_array_equal(back, array)


def test_a_dataclass_is_rebuilt_only_from_a_type_that_the_reader_holds() -> None:
    plain = encode(Stop(3, (1.5, 2.5)))
    assert decode(plain, types=(Stop,)) == Stop(3, (1.5, 2.5))
    with pytest.raises(ValueError, match="knows no such type"):
        decode(plain)


def test_rebuilding_checks_the_input_again() -> None:
    plain = encode(Stop(3, ()))
    plain["fields"]["day"] = -1
    with pytest.raises(ValueError, match="day = -1"):
        decode(plain, types=(Stop,))


def test_what_is_not_data_is_refused() -> None:
    with pytest.raises(TypeError, match="function: cannot be encoded"):
        encode(test_what_is_not_data_is_refused)
    with pytest.raises(TypeError, match="only numbers and booleans"):
        encode(np.array([object()]))
    with pytest.raises(ValueError, match="tag = 'python'"):
        decode({"~": "python", "code": "1"})


def test_fractions_stay_exact() -> None:
    assert decode(encode(Fraction(1, 3))) == Fraction(1, 3)
