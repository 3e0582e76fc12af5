"""Holm against the closed test that it abbreviates."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algos.statistics import holm

P_VALUES = st.floats(0, 1) | st.sampled_from([0.0, 1e-9, 0.01, 0.02, 0.5, 1.0])  # the second kind makes ties


def closed_bonferroni(p_values: list[float]) -> list[float]:
    """The largest Bonferroni p-value among all intersections that a hypothesis takes part in."""
    family = range(len(p_values))
    subsets = [chosen for size in range(1, len(p_values) + 1) for chosen in itertools.combinations(family, size)]
    return [
        max(min(1.0, len(chosen) * min(p_values[j] for j in chosen)) for chosen in subsets if i in chosen)
        for i in family
    ]


@given(st.lists(P_VALUES, min_size=1, max_size=7))
def test_holm_is_the_closed_test_with_bonferroni_locally(p_values: list[float]) -> None:
    assert holm(p_values).tolist() == closed_bonferroni(p_values)


@given(st.lists(P_VALUES, min_size=1, max_size=30))
def test_the_order_of_the_family_does_not_matter(p_values: list[float]) -> None:
    shuffled = np.random.default_rng(len(p_values)).permutation(len(p_values))
    adjusted = holm(p_values)
    np.testing.assert_array_equal(holm(np.array(p_values)[shuffled]), adjusted[shuffled])


def test_equal_p_values_are_adjusted_equally() -> None:
    np.testing.assert_array_equal(holm([0.02, 0.01, 0.02, 0.01]), [0.04, 0.04, 0.04, 0.04])


def test_one_hypothesis_needs_no_adjustment() -> None:
    assert holm([0.3]).tolist() == [0.3]


def test_an_empty_family_and_impossible_p_values_are_refused() -> None:
    for p_values, message in (
        ([], "p_values: must hold at least one"),
        ([0.1, 1.1], r"p_values\[1\] = 1.1: must lie in \[0, 1\]"),
        ([-0.1], r"p_values\[0\] = -0.1: must be at least 0"),
        ([math.nan], r"p_values\[0\] = nan: must be finite"),
    ):
        with pytest.raises(ValueError, match=message):
            holm(p_values)
