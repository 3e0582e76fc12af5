"""What no policy can beat: linear programs over all policies, arbitrary policies, and our own."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from learning_augmented.knapsack import (
    ZCL,
    Mix,
    ParetoAdversary,
    PointAdversary,
    PPAdvanced,
    PPBasic,
    XIncreasing,
    no_prediction_lower_bound,
    point_lower_bound,
)

SHARES = st.lists(st.floats(0, 1), min_size=12, max_size=12)
"""An arbitrary policy: of each batch it takes this share of what fits."""


def optimum_by_sorting(stages):
    room, total = 1.0, 0.0
    for value, weight in sorted(stages, reverse=True):
        total += value * min(weight, room)
        room -= min(weight, room)
    return total


def values_after_each_batch(stages, shares):
    room, total, values = 1.0, 0.0, []
    for (value, weight), share in zip(stages, shares, strict=False):
        taken = share * min(weight, room)
        room -= taken
        total += value * taken
        values.append(total)
    return values


def ratios_at_stops(adversary, values):
    optima = [optimum_by_sorting(adversary.stages()[:stop]) for stop in adversary.stops()]
    got = [values[stop - 1] for stop in adversary.stops()]
    return [optimum / value if value else math.inf for optimum, value in zip(optima, got, strict=True)]


def ratios_of(policy, adversary):
    accepted = policy.run(adversary.instances()[-1])
    values = np.cumsum(accepted.accepted * [value for value, _ in adversary.stages()])
    return ratios_at_stops(adversary, values.tolist())


def best_ratio_of_any_policy(adversary, wanted=()):
    """Solve for the policy whose worst ratio is best, with ratios `wanted` promised at the first stops.

    Variables are the accepted weights and t = 1 / ratio; each row is divided by its optimum.
    """
    stages = adversary.stages()
    rows, limits = [[1.0] * len(stages) + [0.0]], [1.0]
    for index, stop in enumerate(adversary.stops()):
        optimum = optimum_by_sorting(stages[:stop])
        held = [-value / optimum if batch < stop else 0.0 for batch, (value, _) in enumerate(stages)]
        promised = index < len(wanted)
        rows.append([*held, 0.0 if promised else 1.0])
        limits.append(-1.0 / wanted[index] if promised else 0.0)
    bounds = [(0, weight) for _, weight in stages] + [(0, None)]
    program = linprog([0.0] * len(stages) + [-1.0], A_ub=rows, b_ub=limits, bounds=bounds)
    assert program.status == 0
    return 1.0 / -program.fun


@pytest.mark.parametrize(("spread", "steps"), [(1.0, 1), (4.0, 1), (4.0, 3), (1000.0, 40)])
def test_without_a_prediction_the_bound_is_the_best_ratio_of_any_policy(spread, steps):
    best = best_ratio_of_any_policy(XIncreasing(2.0, 2.0 * spread, steps))
    assert no_prediction_lower_bound(spread, steps) == pytest.approx(best, rel=1e-7)


@pytest.mark.parametrize(
    ("weight", "share", "gap"), [(1.0, 0.5, 0.25), (0.4, 0.1, 0.4), (0.7, 1e-3, 0.01), (0.5, 1.0, 0.1)]
)
def test_with_a_right_prediction_the_bound_is_the_best_ratio_of_any_policy(weight, share, gap):
    adversary = PointAdversary(3.0, 3.0 / share, weight, gap)
    assert point_lower_bound(weight, share, gap) == pytest.approx(best_ratio_of_any_policy(adversary), rel=1e-7)


@pytest.mark.parametrize(("position", "steps", "gap"), [(0.4, 3, 0.1), (0.7, 12, 0.3), (1.0, 5, 0.01)])
@pytest.mark.parametrize("slack", [1.2, 3.0])
def test_between_consistency_and_robustness_the_inequality_is_the_best_of_any_policy(position, steps, gap, slack):
    upper = 200.0
    prediction = upper**position
    rise = 1 - prediction ** (-1 / steps)
    robustness = slack * (1 + steps * rise + (1 - gap) * (1 - prediction / upper))
    adversary = ParetoAdversary(prediction, 1.0, upper, steps, gap)
    consistency = (1 + (1 - gap) * (1 - prediction / upper)) / (1 - steps * rise / robustness)
    assert best_ratio_of_any_policy(adversary, [robustness] * steps) == pytest.approx(consistency, rel=1e-7)


@given(shares=SHARES, spread=st.floats(1, 1e4), steps=st.integers(1, 11))
def test_no_arbitrary_policy_beats_the_bound_without_a_prediction(shares, spread, steps):
    adversary = XIncreasing(1.0, spread, steps)
    ratios = ratios_at_stops(adversary, values_after_each_batch(adversary.stages(), shares))
    assert max(ratios) >= no_prediction_lower_bound(spread, steps) * (1 - 1e-9)


@given(shares=SHARES, weight=st.floats(0.01, 1), gap_share=st.floats(0.001, 0.999), upper=st.floats(1, 1e6))
def test_no_arbitrary_policy_beats_the_bound_with_a_right_prediction(shares, weight, gap_share, upper):
    adversary = PointAdversary(1.0, upper, weight, weight * gap_share)
    ratios = ratios_at_stops(adversary, values_after_each_batch(adversary.stages(), shares))
    assert max(ratios) >= point_lower_bound(weight, 1 / upper, weight * gap_share) * (1 - 1e-9)


def left_side_of_the_trade_off(adversary, ratios):
    rise = 1 - (adversary.prediction / adversary.lower) ** (-1 / adversary.steps)
    dear = 1 + (1 - adversary.gap) * (1 - adversary.prediction / adversary.upper)
    return dear / max(ratios[-2:]) + adversary.steps * rise / max(ratios[:-2])


@given(
    shares=SHARES,
    prediction=st.floats(1, 1e3),
    above=st.floats(1, 1e3),
    steps=st.integers(1, 10),
    gap=st.floats(0.001, 0.999),
)
def test_no_arbitrary_policy_escapes_the_trade_off(shares, prediction, above, steps, gap):
    adversary = ParetoAdversary(prediction, 1.0, prediction * above, steps, gap)
    ratios = ratios_at_stops(adversary, values_after_each_batch(adversary.stages(), shares))
    assert left_side_of_the_trade_off(adversary, ratios) <= 1 + 1e-9


def test_our_own_policies_are_bound_by_all_three():
    rising = XIncreasing(1.0, 500.0, steps=30)
    assert max(ratios_of(ZCL(1, 500), rising)) >= no_prediction_lower_bound(500, 30)
    for weight, policy in itertools.product(
        (0.3, 1.0), (PPBasic(5), PPAdvanced(5), Mix(PPAdvanced(5), ZCL(5, 500), 0.9))
    ):
        point = PointAdversary(5.0, 500.0, weight, gap=0.01)
        assert max(ratios_of(policy, point)) >= point_lower_bound(weight, 0.01, 0.01)
    for trust in (0.0, 0.5, 0.9):
        mix = Mix(PPAdvanced(40), ZCL(1, 500), trust)
        trade_off = ParetoAdversary(40.0, 1.0, 500.0, steps=30, gap=0.01)
        assert 0.5 < left_side_of_the_trade_off(trade_off, ratios_of(mix, trade_off)) <= 1
