from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofs_checks.report.wording import confidence, headline, literal, moment, number, seconds

PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-", "\u202f")


def read_back(told: str) -> float:
    """The number that a reader understands."""
    mantissa, _, exponent = told.translate(PLAIN).partition(" × 10")
    return float(mantissa) * 10.0 ** int(exponent or 0)


@given(st.floats(-1e307, 1e307, allow_subnormal=False))
@example(9999.99)
@example(999999.9)
@example(9999999.9)
@example(0.00099999)
@example(-0.0)
@example(-1234.5)
def test_a_number_is_told_to_four_significant_digits_whatever_it_is(value: float) -> None:
    told = number(value)
    assert "-" not in told
    assert "e" not in told
    assert read_back(told) == pytest.approx(value, rel=5.1e-4)


def test_what_is_no_finite_number_has_its_own_sign() -> None:
    assert [number(value) for value in (math.inf, -math.inf, math.nan, None)] == ["∞", "−∞", "—", "—"]


def test_thousands_are_parted_by_spaces_that_do_not_break() -> None:
    assert number(1234567.0) == "1\u202f234\u202f567"
    assert number(999.99) == "1\u202f000"
    assert number(9999999.9) == "1 × 10⁷"
    assert number(1.0) == "1"
    assert seconds(3600.0) == "3\u202f600"


def test_a_confidence_near_one_is_told_by_what_it_lacks() -> None:
    assert confidence(1 - 1e-6) == "1 − 10⁻⁶"
    assert confidence(0.99) == "0.99"
    assert confidence(1.0) == "1"


def test_the_headline_names_bad_news_only_where_there_is_some() -> None:
    assert headline({"holds": 5, "refuted": 1}) == "No claim contradicts what is expected of it."
    assert headline({"contradicts": 2}) == "2 claims contradict what is expected of them."
    assert headline({"pending": 1}).startswith("So far, no claim")
    assert headline({}, surviving=2) == "No claim contradicts what is expected of it, 2 broken variants survived."


def test_a_moment_is_told_to_the_minute_and_anything_else_as_it_is() -> None:
    assert moment("2026-12-01T01:46:38+00:00") == "2026-12-01 01:46 UTC"
    assert moment("2026-12-01T01:46:38") == "2026-12-01 01:46"
    assert moment("a while ago") == "a while ago"


plain_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(plain_data)
@example({"a": ["]", "\n  ", '"', "\\"], "b": [[1, 2], {"c": []}]})
def test_a_literal_instance_reads_back_as_the_same_data(plain: Any) -> None:
    assert json.loads(literal(plain)) == plain


def test_a_list_of_numbers_stays_on_its_line() -> None:
    told = literal({"weights": list(range(50)), "nested": [[1, 2], [3]]})
    assert re.search(r'"weights": \[0, 1, .*, 49\]', told)
    assert "[1, 2]" in told
