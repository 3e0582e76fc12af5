"""Hypothesis strategies for predicted intervals in online knapsack, and for arbitrary policies against their adversary.

Like those of `proofs_checks.strategies.knapsack` they are public, and simple cases come first.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.claims.knapsack.interval_cases import (
    IntervalCase,
    IntervalGame,
    IntervalSetting,
    MixedInterval,
    spread_around,
)
from proofs_checks.strategies.knapsack import online_knapsack_instances, stage_policies

__all__ = ["interval_cases", "interval_games", "mixed_intervals"]


def interval_cases(*, right: bool = False) -> SearchStrategy[IntervalCase]:
    """Return a strategy of instances with an interval for their critical value.

    Parameters
    ----------
    right : bool
        Whether the interval always contains the critical value.

    Returns
    -------
    SearchStrategy of IntervalCase
        Points come first.

    Examples
    --------
    >>> from hypothesis import find
    >>> case = find(interval_cases(right=True), lambda case: case.high > case.low)
    >>> case.low, len(case.instance)
    (1.0, 1)
    """
    widths = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.0, 3.0))
    shifts = st.just(0.0) if right else st.one_of(st.just(0.0), st.floats(-3.0, 3.0))

    def around(instance: OnlineKnapsackInstance, ends: tuple[float, float], shift: float) -> IntervalCase:
        below, above = ends
        return spread_around(instance, below - shift, above + shift)

    return st.builds(around, online_knapsack_instances(), st.tuples(widths, widths), shifts)


def mixed_intervals(*, right: bool = False) -> SearchStrategy[MixedInterval]:
    """Return a strategy of instances with an interval and a trust in it.

    Parameters
    ----------
    right : bool
        Whether the interval always contains the critical value.

    Returns
    -------
    SearchStrategy of MixedInterval
        With trust below 1, where robustness is finite.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(mixed_intervals(), lambda case: case.trust > 0.5).trust
    0.75
    """
    trusts = st.one_of(st.sampled_from([0.5, 0.0, 0.75]), st.floats(0.0, 0.99))

    def mixed(case: IntervalCase, trust: float) -> MixedInterval:
        return MixedInterval(case.instance, case.low, case.high, trust)

    return st.builds(mixed, interval_cases(right=right), trusts)


def interval_games(max_steps: int = 8) -> SearchStrategy[IntervalGame]:
    """Return a strategy of arbitrary online policies against the adversary of a right interval.

    Parameters
    ----------
    max_steps : int
        Most steps through the interval.

    Returns
    -------
    SearchStrategy of IntervalGame
        Intervals of ratio up to 100, dear items up to 1000 times dearer.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(interval_games(), lambda game: game.setting.steps == 2).setting
    IntervalSetting(high=2.0, upper=4.0, steps=2, gap=0.5)
    """
    highs = st.one_of(st.sampled_from([2.0, 1.0, 10.0]), st.floats(1.0, 100.0))
    jumps = st.one_of(st.sampled_from([2.0, 1.0, 100.0]), st.floats(1.0, 1000.0))
    gaps = st.one_of(st.sampled_from([0.5, 0.125]), st.floats(0.001, 0.999))

    def games(steps: int) -> SearchStrategy[IntervalGame]:
        settings = st.builds(lambda high, jump, gap: IntervalSetting(high, high * jump, steps, gap), highs, jumps, gaps)
        return st.builds(IntervalGame, settings, stage_policies(steps + 2))

    return st.integers(1, max_steps).flatmap(games)
