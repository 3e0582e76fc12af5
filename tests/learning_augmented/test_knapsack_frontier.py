"""The frontier: closed form, linear program and brute force agree, and Mix is near it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from learning_augmented.knapsack import (
    IntervalAdversary,
    ParetoAdversary,
    interval_lower_bound,
    interval_ratio,
    mix_consistency,
    mix_robustness,
    no_prediction_lower_bound,
    pareto_lower_bound,
    pareto_lp,
    zcl_ratio,
)


@given(spread=st.floats(1, 1e6), slack=st.floats(1, 200))
def test_the_closed_form_is_the_maximum_over_all_predictions(spread, slack):
    robustness = slack * (1 + math.log(spread))
    shares = np.exp(np.linspace(-math.log(spread), 0, 20_001))
    forced = (2 - shares) / (1 - np.log(shares * spread) / robustness)
    bound = pareto_lower_bound(robustness, spread)
    assert bound.consistency == pytest.approx(forced.max(), rel=1e-6)
    assert bound.consistency >= forced.max() * (1 - 1e-12)
    share = bound.prediction_over_upper
    assert bound.consistency == pytest.approx((2 - share) / (1 - math.log(share * spread) / robustness), rel=1e-12)


def best_consistency(adversary, robustness):
    """The linear program again, unscaled and with another solver."""
    prices, weights = map(np.array, zip(*adversary.stages(), strict=True))
    count = len(prices)
    rows, limits = [[*([1.0] * count), 0.0]], [1.0]
    for stop in range(count - 2):
        rows.append([*(-prices[: stop + 1]), *([0.0] * (count - stop - 1)), 0.0])
        limits.append(-prices[stop] / robustness)
    optimum = prices[-1] * weights[-1] + prices[-2] * (1 - weights[-1])
    rows += [[*(-prices[:-1]), 0.0, prices[-2]], [*(-prices), optimum]]
    limits += [0.0, 0.0]
    bounds = [(0, weight) for weight in weights] + [(0, None)]
    program = linprog([*([0.0] * count), -1.0], A_ub=rows, b_ub=limits, bounds=bounds)
    assert program.status == 0
    return -1 / program.fun


@pytest.mark.parametrize(
    ("prediction", "steps", "gap"), [(10.0, 20, 0.01), (3.0, 5, 0.3), (100.0, 12, 0.1), (1.0, 4, 0.1)]
)
@pytest.mark.parametrize("slack", [1.0, 1.3, 4.0])
def test_the_program_agrees_with_another_solver_and_with_the_inequality(prediction, steps, gap, slack):
    robustness = slack * zcl_ratio(1, 100)
    program = pareto_lp(robustness, prediction, 1, 100, steps, gap)
    adversary = ParetoAdversary(prediction, 1, 100, steps, gap)
    assert program.consistency == pytest.approx(best_consistency(adversary, robustness), rel=1e-6)
    rises = steps * (1 - prediction ** (-1 / steps))
    least = (1 + (1 - gap) * (1 - prediction / 100)) / (1 - rises / robustness)
    assert program.consistency >= least * (1 - 1e-6)
    assert program.consistency <= pareto_lower_bound(robustness, 100).consistency * (1 + 1e-6)


def test_the_programs_policy_keeps_its_promises():
    program = pareto_lp(9.0, 20, 1, 400, steps=15, gap=0.05)
    prices, weights = map(np.array, zip(*ParetoAdversary(20, 1, 400, 15, 0.05).stages(), strict=True))
    assert program.accepted.sum() <= 1 + 1e-6
    assert (program.accepted <= weights + 1e-6).all()
    values = np.cumsum(prices * program.accepted)
    assert (values[:15] >= prices[:15] / 9.0 * (1 - 1e-5)).all()
    assert repr(program).startswith("ParetoProgram(consistency=2.")
    assert not program.accepted.flags.writeable


def test_many_steps_and_a_small_gap_approach_the_closed_form():
    robustness = 2 * zcl_ratio(1, 1000)
    bound = pareto_lower_bound(robustness, 1000)
    program = pareto_lp(robustness, 1000 * bound.prediction_over_upper, 1, 1000, steps=300, gap=0.001)
    assert 0.99 * bound.consistency < program.consistency <= bound.consistency


@pytest.mark.parametrize("spread", [10.0, 1e3, 1e6])
@pytest.mark.parametrize("trust", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_mix_is_within_a_factor_of_the_frontier(spread, trust):
    bound = pareto_lower_bound(mix_robustness(trust, 1, spread), spread).consistency
    assert bound <= mix_consistency(trust, 2.0, 1, spread) <= 1.23 * bound


def test_at_the_ends_nothing_is_asked_for_or_nothing_is_left():
    assert pareto_lower_bound(zcl_ratio(1, 50), 50).consistency == pytest.approx(zcl_ratio(1, 50), rel=1e-12)
    assert pareto_lower_bound(math.inf, 50) == pareto_lower_bound(1e300, 50)
    assert pareto_lower_bound(math.inf, 50).consistency == pytest.approx(2 - 1 / 50)
    assert pareto_lower_bound(7.0, 1.0).consistency == 1.0


def test_the_bound_falls_as_less_robustness_is_asked_for_even_where_exponentials_underflow():
    bounds = [pareto_lower_bound(robustness, 1000).consistency for robustness in np.geomspace(8, 1e5, 60)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] == pytest.approx(2 - 1 / 1000, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: pareto_lower_bound(2.0, 1000), r"robustness = 2.0: must be at least 1 \+ ln"),
        (lambda: pareto_lower_bound(9.0, 0.5), "upper_over_lower = 0.5: must be at least 1"),
        (lambda: pareto_lower_bound(math.nan, 5), "robustness = nan"),
        (lambda: pareto_lp(1.5, 10, 1, 100, 20, 0.01), "robustness = 1.5: must be at least 3.06"),
        (lambda: pareto_lp(9.0, 200, 1, 100, 20, 0.01), "prediction must not exceed upper"),
    ],
)
def test_what_no_policy_can_do_and_bad_arguments_are_refused(call, told):
    with pytest.raises(ValueError, match=told):
        call()


# The lower bound for intervals.


def best_ratio_of_any_policy(adversary):
    prices, weights = map(np.array, zip(*adversary.stages(), strict=True))
    optima = [*prices[:-1], prices[-1] * weights[-1] + prices[-2] * (1 - weights[-1])]
    rows = [[*([1.0] * len(prices)), 0.0]]
    for stop, optimum in enumerate(optima):
        rows.append([*(-prices[: stop + 1] / optimum), *([0.0] * (len(prices) - stop - 1)), 1.0])
    bounds = [(0, weight) for weight in weights] + [(0, None)]
    program = linprog([*([0.0] * len(prices)), -1.0], A_ub=rows, b_ub=[1.0] + [0.0] * len(optima), bounds=bounds)
    assert program.status == 0
    return -1 / program.fun


@pytest.mark.parametrize(
    ("high", "jump", "steps", "gap"), [(4.0, 50.0, 3, 0.1), (20.0, 2.0, 12, 0.3), (1.0, 9.0, 2, 0.01)]
)
def test_with_a_right_interval_the_bound_is_the_best_ratio_of_any_policy(high, jump, steps, gap):
    adversary = IntervalAdversary(1.0, high, high * jump, steps, gap)
    best = best_ratio_of_any_policy(adversary)
    assert interval_lower_bound(high, 1 / jump, steps, gap) == pytest.approx(best, rel=1e-7)


@given(
    shares=st.lists(st.floats(0, 1), min_size=14, max_size=14),
    high=st.floats(1, 1e3),
    jump=st.floats(1, 1e3),
    steps=st.integers(1, 12),
    gap=st.floats(0.001, 0.999),
)
def test_no_arbitrary_policy_beats_the_bound_with_a_right_interval(shares, high, jump, steps, gap):
    stages = IntervalAdversary(1.0, high, high * jump, steps, gap).stages()
    room, value, worst = 1.0, 0.0, 0.0
    for number, ((price, weight), share) in enumerate(zip(stages, shares, strict=False)):
        taken = share * min(weight, room)
        room -= taken
        value += price * taken
        optimum = price * weight + (stages[number - 1][0] * (1 - weight) if weight < 1 else 0.0)
        worst = max(worst, optimum / value if value else math.inf)
    assert worst >= interval_lower_bound(high, 1 / jump, steps, gap) * (1 - 1e-9)


def test_the_interval_bound_approaches_the_ratio_of_the_policy_and_begins_at_the_others():
    assert interval_lower_bound(4.0, 1e-9) == pytest.approx(interval_ratio(1, 4), rel=1e-8)
    assert interval_lower_bound(4.0, 1.0, steps=3) == no_prediction_lower_bound(4.0, 3)
    with pytest.raises(ValueError, match=r"gap = 1.0: must lie in \[0, 1\)"):
        interval_lower_bound(4.0, 0.5, gap=1.0)
    with pytest.raises(ValueError, match=r"high_over_upper = 0.0: must lie in \(0, 1\]"):
        interval_lower_bound(4.0, 0.0)


def test_the_interval_adversary_has_exact_ends_and_an_interval_that_is_right():
    adversary = IntervalAdversary(low=2, high=8, upper=50, steps=30, gap=0.1, lower=1)
    prices = [price for price, _ in adversary.stages()]
    assert (prices[0], prices[30], prices[31], len(adversary.stops())) == (2.0, 8.0, 50.0, 32)
    assert adversary.instance(3).lower == 1.0
    assert IntervalAdversary(2, 8, 50, 3, 0.1).lower == 2.0
    for build, told in (
        (lambda: IntervalAdversary(9, 8, 50, 3, 0.1), "low must not exceed high"),
        (lambda: IntervalAdversary(2, 80, 50, 3, 0.1), "high must not exceed upper"),
        (lambda: IntervalAdversary(2, 8, 50, 0, 0.1), "steps = 0: must be at least 1"),
        (lambda: IntervalAdversary(2, 8, 50, 3, 0.1, lower=3), "lower must not exceed low"),
        (lambda: IntervalAdversary(2, 8, 50, 3, 1.0), r"gap = 1.0: must lie in \(0, 1\)"),
    ):
        with pytest.raises(ValueError, match=told):
            build()
