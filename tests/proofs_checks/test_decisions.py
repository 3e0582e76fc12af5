from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from proofs_checks.claim import LEVEL
from proofs_checks.decisions import fraction_decision, mean_decision, mean_difference_decision


@given(st.integers(1, 400), st.data())
def test_a_share_is_decided_exactly_when_the_binomial_tails_say_so(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    bound = data.draw(st.integers(1, 99)) / 100
    column = np.repeat([1.0, 0.0], [successes, trials - successes])
    verdict = fraction_decision("hit", "at most", bound)({"hit": column}).verdict
    as_many = stats.binom.sf(successes - 1, trials, bound)  # how likely so many are if the share is the bound
    as_few = stats.binom.cdf(successes, trials, bound)
    expected = "violated" if as_many < LEVEL / 2 else "holds" if as_few <= LEVEL / 2 else "inconclusive"
    assert verdict == expected


@pytest.mark.parametrize("direction", ["at most", "at least"])
def test_turning_the_statement_round_turns_the_verdict_round(direction: str) -> None:
    low = {"x": np.tile([0.1, 0.2], 1000)}
    high = {"x": np.tile([0.8, 0.9], 1000)}
    decide = mean_decision("x", direction, 0.5, support=(0, 1))  # type: ignore[arg-type]
    expected = ("holds", "violated") if direction == "at most" else ("violated", "holds")
    assert (decide(low).verdict, decide(high).verdict) == expected


def test_an_interval_that_straddles_the_bound_decides_nothing() -> None:
    decision = mean_decision("x", "at most", 0.5, support=(0, 1))({"x": np.tile([0.0, 0.9], 20)})
    assert decision.verdict == "inconclusive"
    assert decision.interval[0] <= 0.45 <= decision.interval[1]


def test_equal_values_of_unknown_support_decide_nothing() -> None:
    assert mean_decision("x", "at most", 0.5)({"x": np.zeros(3)}).verdict == "inconclusive"


@pytest.mark.parametrize("direction", ["atmost", "<=", "AT MOST", None])
def test_a_misspelt_direction_is_refused_and_never_turned_round(direction: object) -> None:
    for decide in (mean_decision, fraction_decision):
        with pytest.raises(ValueError, match=r"direction = .*: must be one of 'at most', 'at least'"):
            decide("x", direction, 0.5)  # type: ignore[arg-type]


def test_a_bound_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="bound = nan: must be finite"):
        mean_decision("x", "at most", float("nan"))


def test_columns_of_different_length_are_not_broadcast() -> None:
    with pytest.raises(ValueError, match="a has length 3, b has length 1"):
        mean_difference_decision("a", "b", "at most")({"a": np.zeros(3), "b": np.zeros(1)})


def test_differences_are_taken_row_by_row() -> None:
    rng = np.random.default_rng(0)
    hard = rng.normal(size=500)  # what the rows share would drown the difference in an unpaired comparison
    table = {"ours": hard + 0.1 + 0.01 * rng.normal(size=500), "theirs": hard}
    assert mean_difference_decision("ours", "theirs", "at least")(table).verdict == "holds"
    assert mean_difference_decision("theirs", "ours", "at least")(table).verdict == "violated"
    assert mean_difference_decision("ours", "theirs", "at least", bound=0.2)(table).verdict == "violated"


def test_a_share_of_something_else_than_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match="column 'hit': must hold 0 and 1 only"):
        fraction_decision("hit", "at most", 0.5)({"hit": np.array([0.0, 0.5])})


def test_verdicts_at_the_boundary_err_no_more_often_than_they_say() -> None:
    decide = fraction_decision("hit", "at most", 0.3, level=0.05)
    law = stats.binom.pmf(np.arange(51), 50, 0.3)  # the share is exactly the bound: "violated" would be an error
    wrong = [decide({"hit": np.repeat([1.0, 0.0], [hits, 50 - hits])}).verdict == "violated" for hits in range(51)]
    assert law[wrong].sum() <= 0.025
