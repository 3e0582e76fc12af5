"""Hypothesis strategies for whole items in online knapsack, for changed inputs, and for the frontier.

Like those of `proofs_checks.strategies.knapsack` they are public, and simple cases come first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.checkers.knapsack import critical_by_sorting
from proofs_checks.claims.knapsack.frontier import FrontierPoint
from proofs_checks.claims.knapsack.metamorphic import Changed
from proofs_checks.claims.knapsack.whole_cases import RoundingCase, largest_weight
from proofs_checks.strategies.knapsack import predicted_instances

__all__ = ["changed_instances", "frontier_points", "rounding_cases", "small_item_instances"]


def small_item_instances(max_items: int = 40) -> SearchStrategy[OnlineKnapsackInstance]:
    r"""Return a strategy of instances whose items weigh at most :math:`1 - 1/\alpha` capacities.

    Parameters
    ----------
    max_items : int
        Most items; at least 1 is always drawn.

    Returns
    -------
    SearchStrategy of OnlineKnapsackInstance
        With few distinct prices.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(small_item_instances(), lambda instance: len(instance) == 2).unit_values
    array([1., 1.])
    """
    return _small_items(max_items)


@st.composite
def _small_items(draw: DrawFn, max_items: int) -> OnlineKnapsackInstance:
    upper = draw(st.sampled_from([4.0, 2.0, 10.0, 100.0, 1000.0]))
    most = 1 - 1 / (1 + math.log(upper))
    largest = most * draw(st.sampled_from([1.0, 0.5, 0.25, 0.1, 0.03]))
    prices = draw(st.lists(st.floats(1.0, upper), max_size=3))
    items = draw(
        st.lists(
            st.tuples(st.sampled_from([1.0, *prices, upper]), st.sampled_from([1.0, 0.9, 0.5])),
            min_size=1,
            max_size=max_items,
        )
    )
    unit_values, parts = zip(*items, strict=True)
    return OnlineKnapsackInstance(unit_values, [part * largest for part in parts], 1.0, upper)


def rounding_cases() -> SearchStrategy[RoundingCase]:
    """Return a strategy of small items, fractional policies and price classes.

    Returns
    -------
    SearchStrategy of RoundingCase
        One item of each price class fits.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(rounding_cases(), lambda case: len(case.edges) == 2).rounded
    'zcl'
    """
    return _rounding_cases()


@st.composite
def _rounding_cases(draw: DrawFn) -> RoundingCase:
    instance = draw(small_item_instances())
    most = min(6, max(1, math.ceil(1 / largest_weight(instance)) - 1))
    count = draw(st.integers(1, most))
    edges = tuple(instance.upper ** (number / count) for number in range(count))
    rounded: Any = draw(st.sampled_from(["zcl", "basic", "advanced", "interval", "mix"]))
    critical = critical_by_sorting(instance).value
    return RoundingCase(instance, edges, rounded, critical * draw(st.sampled_from([1.0, 0.5, 2.0])))


def changed_instances(*, policies: Sequence[Any], right: bool = False) -> SearchStrategy[Changed]:
    """Return a strategy of predicted instances with a policy and a change.

    Parameters
    ----------
    policies : sequence of str
        Names of policies to draw from.
    right : bool
        Whether the prediction is always the critical value.

    Returns
    -------
    SearchStrategy of Changed
        The change is a number from 0 to 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(changed_instances(policies=["zcl", "mix"]), lambda case: case.factor > 0).policy
    'zcl'
    """
    factors = st.one_of(st.sampled_from([0.5, 0.25, 1.0]), st.floats(0.0, 1.0))
    return st.builds(
        lambda case, policy, factor: Changed(case.instance, policy, case.prediction, factor),
        predicted_instances(right=right),
        st.sampled_from(list(policies)),
        factors,
    )


def frontier_points() -> SearchStrategy[FrontierPoint]:
    """Return a strategy of robustnesses and adversaries of the trade-off.

    Returns
    -------
    SearchStrategy of FrontierPoint
        Ranges up to a million, up to a million steps.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(frontier_points(), lambda point: point.slack > 1).slack
    2.0
    """
    return st.builds(
        FrontierPoint,
        upper=st.one_of(st.sampled_from([10.0, 1.0, 1000.0]), st.floats(1.0, 1e6)),
        slack=st.one_of(st.sampled_from([2.0, 1.0, 10.0]), st.floats(1.0, 100.0)),
        place=st.one_of(st.sampled_from([0.5, 1.0, 0.0]), st.floats(0.0, 1.0)),
        steps=st.integers(1, 10**6),
        gap=st.one_of(st.sampled_from([0.5, 0.125]), st.floats(1e-6, 0.999)),
    )
