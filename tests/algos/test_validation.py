"""Input checks: what passes comes back unchanged, what does not is refused by name, value and rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algos.validation import (
    require_at_least,
    require_between,
    require_finite,
    require_integer,
    require_nonnegative,
    require_one_of,
    require_ordered,
    require_positive,
    require_same_length,
    require_vector,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCALAR_CHECKS: tuple[Callable[[str, Any], float], ...] = (
    require_finite,
    require_positive,
    require_nonnegative,
    lambda name, value: require_at_least(name, value, -10),
    lambda name, value: require_between(name, value, -10, 10),
)


@given(FINITE)
def test_every_finite_number_passes_unchanged(number: float) -> None:
    assert require_finite("x", number) == number
    assert require_finite("x", np.float64(number)) == number
    assert require_finite("x", np.array(number)) == number


@pytest.mark.parametrize("number", [3, np.int64(3), np.uint8(3), np.float32(3), Fraction(3), np.array(3)])
def test_every_kind_of_real_number_becomes_a_float(number: Any) -> None:
    checked = require_finite("x", number)
    assert type(checked) is float
    assert checked == 3.0


@pytest.mark.parametrize("check", SCALAR_CHECKS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan"), np.array(np.inf)])
def test_nan_and_infinity_are_refused_by_every_check_of_a_number(
    check: Callable[[str, Any], float], value: Any
) -> None:
    with pytest.raises(ValueError, match=rf"^width = {float(value)}: must be finite$"):
        check("width", value)


@pytest.mark.parametrize("check", SCALAR_CHECKS)
@pytest.mark.parametrize("value", [True, np.True_, "1", None, 1j, [1.0], np.ones(1), np.array(True), np.array("1")])
def test_what_is_no_real_number_is_refused_by_every_check_of_a_number(
    check: Callable[[str, Any], float], value: Any
) -> None:
    with pytest.raises(TypeError, match=r"^width = .*: must be a real number, got \w+$"):
        check("width", value)


@given(FINITE)
def test_a_sign_is_required_exactly_where_it_is_asked_for(number: float) -> None:
    assert accepts(require_positive, number) == (number > 0)
    assert accepts(require_nonnegative, number) == (number >= 0)


@given(FINITE, FINITE)
def test_a_minimum_is_itself_legal(number: float, minimum: float) -> None:
    assert accepts(lambda name, value: require_at_least(name, value, minimum), number) == (number >= minimum)


@given(FINITE, FINITE, FINITE, st.booleans(), st.booleans())
def test_an_interval_includes_exactly_its_closed_ends(
    number: float, low: float, high: float, open_low: bool, open_high: bool
) -> None:
    def check(name: str, value: Any) -> float:
        return require_between(name, value, low, high, open_low=open_low, open_high=open_high)

    for candidate in (number, low, high):
        inside = low <= candidate <= high
        excluded = (open_low and candidate == low) or (open_high and candidate == high)
        assert accepts(check, candidate) == (inside and not excluded)


def accepts(check: Callable[[str, Any], float], value: float) -> bool:
    try:
        return check("x", value) == value
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("open_low", "open_high", "shown"),
    [
        (False, False, r"\[0, 1\]"),
        (True, False, r"\(0, 1\]"),
        (False, True, r"\[0, 1\)"),
        (True, True, r"\(0, 1\)"),
    ],
)
def test_the_message_shows_which_ends_are_open(open_low: bool, open_high: bool, shown: str) -> None:
    with pytest.raises(ValueError, match=rf"^trust = 1.5: must lie in {shown}$"):
        require_between("trust", 1.5, 0, 1, open_low=open_low, open_high=open_high)


@given(st.integers(-(2**70), 2**70))
def test_integers_of_any_size_pass_unchanged(number: int) -> None:
    assert require_integer("steps", number) == number


@pytest.mark.parametrize("number", [np.int8(5), np.uint64(5), 5])
def test_every_kind_of_integer_becomes_an_int(number: Any) -> None:
    assert type(require_integer("steps", number, minimum=5)) is int


@pytest.mark.parametrize("value", [3.0, np.float64(3), True, np.True_, "3", None, Fraction(3)])
def test_what_is_no_integer_is_refused_even_if_it_is_whole(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^steps = .*: must be an integer, got \w+$"):
        require_integer("steps", value)


def test_an_integer_below_the_minimum_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^steps = 0: must be at least 1$"):
        require_integer("steps", 0, minimum=1)


def test_only_the_choices_are_chosen_from() -> None:
    assert require_one_of("sense", "max", ["max", "min"]) == "max"
    with pytest.raises(ValueError, match=r"^sense = 'both': must be one of 'max', 'min'$"):
        require_one_of("sense", "both", ["max", "min"])


@given(FINITE, FINITE)
def test_ends_in_order_or_equal_pass(low: float, high: float) -> None:
    require_ordered("lower", min(low, high), "upper", max(low, high))
    if low > high:
        with pytest.raises(ValueError, match=r"lower must not exceed upper$"):
            require_ordered("lower", low, "upper", high)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        np.array([1, 2, 3], dtype=np.int16),
        np.array([1, 2, 3], dtype=np.float32),
        np.array([1.0, 0.0, 2.0, 0.0, 3.0])[::2],
        np.array([3.0, 2.0, 1.0])[::-1],
        np.array([1.0, 2.0, 3.0], dtype=">f8"),
    ],
)
def test_a_vector_of_any_layout_comes_back_in_the_one_layout(values: Any) -> None:
    vector = require_vector("weights", values)
    assert vector.tolist() == [1.0, 2.0, 3.0]
    assert vector.dtype == np.dtype(np.float64)
    assert vector.dtype.isnative
    assert vector.flags.c_contiguous
    assert not vector.flags.writeable


def test_the_callers_array_is_neither_copied_needlessly_nor_frozen() -> None:
    mine = np.ones(3)
    assert np.shares_memory(require_vector("weights", mine), mine)
    mine[0] = 2.0


def test_an_empty_vector_is_a_vector() -> None:
    assert require_vector("weights", []).shape == (0,)
    assert require_vector("weights", np.empty(0), minimum=0, positive=True).shape == (0,)


@pytest.mark.parametrize("values", [["1"], [True], [None], [1j], np.array(["2020-01-01"], dtype="datetime64[D]")])
def test_a_vector_of_anything_but_numbers_is_refused(values: Any) -> None:
    with pytest.raises(TypeError, match=r"^weights: must hold real numbers, got dtype"):
        require_vector("weights", values)


@pytest.mark.parametrize("values", [1.0, [[1.0]], np.empty((0, 2))])
def test_anything_but_one_dimension_is_refused(values: Any) -> None:
    with pytest.raises(ValueError, match=r"^weights: must have shape \(n,\), got \("):
        require_vector("weights", values)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([1.0, math.nan, math.inf], {}, r"weights\[1\] = nan: must be finite"),
        ([1.0, -math.inf], {"minimum": -5}, r"weights\[1\] = -inf: must be finite"),
        ([1.0, 0.0, -1.0], {"positive": True}, r"weights\[1\] = 0.0: must be positive"),
        ([1.0, 0.0, -1.0], {"minimum": 0}, r"weights\[2\] = -1.0: must be at least 0"),
    ],
)
def test_the_first_entry_that_breaks_the_rule_is_named(
    values: list[float], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        require_vector("weights", values, **options)


def test_vectors_of_one_length_agree_and_others_are_named() -> None:
    assert require_same_length(values=np.ones(4), weights=np.zeros(4)) == 4
    with pytest.raises(ValueError, match=r"^values has length 2, weights has length 3: lengths must agree$"):
        require_same_length(values=np.ones(2), weights=np.ones(3))
