"""The strategies for online knapsack: valid instances, all kinds of them, and small counterexamples."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.cases.knapsack import (
    MixCase,
    PointGame,
    PointSetting,
    PredictedInstance,
    RisingGame,
    StagePolicy,
    TradeOffGame,
)
from proofs_checks.cases.knapsack_frontier import FrontierPoint
from proofs_checks.cases.knapsack_intervals import IntervalCase, IntervalGame, IntervalSetting, MixedInterval
from proofs_checks.cases.knapsack_metamorphic import Changed
from proofs_checks.cases.knapsack_whole import RoundingCase, largest_weight
from proofs_checks.checkers.knapsack import critical_by_sorting, optimum_by_sorting, play
from proofs_checks.claims.knapsack import mutants
from proofs_checks.records.encoding import decode, encode
from proofs_checks.strategies.knapsack import (
    mix_cases,
    online_knapsack_instances,
    point_games,
    predicted_instances,
    rising_games,
    stage_policies,
    trade_off_games,
)
from proofs_checks.strategies.knapsack_intervals import interval_cases, interval_games, mixed_intervals
from proofs_checks.strategies.knapsack_whole import (
    changed_instances,
    frontier_points,
    rounding_cases,
    small_item_instances,
)

_TYPES = (
    OnlineKnapsackInstance,
    PredictedInstance,
    MixCase,
    StagePolicy,
    RisingGame,
    PointSetting,
    PointGame,
    TradeOffGame,
    IntervalCase,
    MixedInterval,
    IntervalSetting,
    IntervalGame,
    RoundingCase,
    Changed,
    FrontierPoint,
)


def _changed_instances() -> st.SearchStrategy[Changed]:
    return changed_instances(policies=["zcl", "interval"])


_STRATEGIES = (
    online_knapsack_instances,
    predicted_instances,
    mix_cases,
    rising_games,
    point_games,
    trade_off_games,
    interval_cases,
    mixed_intervals,
    interval_games,
    small_item_instances,
    rounding_cases,
    _changed_instances,
    frontier_points,
)


@pytest.mark.parametrize("strategy", _STRATEGIES, ids=lambda strategy: strategy.__name__)
@given(data=st.data())
def test_whatever_is_drawn_can_be_written_to_a_replay_file_and_read_back(
    strategy: Callable[[], Any], data: st.DataObject
) -> None:
    case = data.draw(strategy())
    assert decode(json.loads(json.dumps(encode(case))), _TYPES) == case


@given(online_knapsack_instances())
def test_instances_have_items_within_their_range(instance: OnlineKnapsackInstance) -> None:
    assert len(instance) >= 1
    assert instance.unit_values.min() >= instance.lower
    assert instance.unit_values.max() <= instance.upper


@given(predicted_instances(right=True))
def test_a_right_prediction_is_the_critical_value(case: PredictedInstance) -> None:
    assert case.prediction == critical_by_sorting(case.instance).value


@given(interval_cases(right=True))
def test_a_right_interval_contains_the_critical_value(case: IntervalCase) -> None:
    assert case.low * (1 - 1e-12) <= critical_by_sorting(case.instance).value <= case.high * (1 + 1e-12)


@given(rounding_cases())
def test_one_item_of_each_price_class_fits(case: RoundingCase) -> None:
    assert len(case.edges) * largest_weight(case.instance) < 1
    assert case.edges[0] == case.instance.lower


@pytest.mark.parametrize(
    "kind",
    [
        lambda case: case.prediction > case.instance.unit_values.max(),
        lambda case: case.prediction < case.instance.unit_values.min(),
        lambda case: case.prediction == critical_by_sorting(case.instance).value,
    ],
    ids=["above all prices", "below all prices", "right"],
)
def test_predictions_of_every_kind_occur(kind: Callable[[PredictedInstance], bool]) -> None:
    find(predicted_instances(), kind)


@pytest.mark.parametrize(
    "kind",
    [
        lambda instance: len(instance) >= 8,
        lambda instance: instance.capacity != 1,
        lambda instance: instance.lower == instance.upper,
        lambda instance: instance.weights.max() > instance.capacity,
        lambda instance: critical_by_sorting(instance).weight > instance.capacity,
        lambda instance: critical_by_sorting(instance).weight_above > 0,
        lambda instance: instance.weights.sum() < instance.capacity,
        lambda instance: len(set(instance.unit_values.tolist())) < len(instance),
    ],
    ids=[
        "many items",
        "another capacity",
        "one price only",
        "a heavy item",
        "more critical weight than fits",
        "items above the critical value",
        "everything fits",
        "ties",
    ],
)
def test_instances_of_every_kind_occur(kind: Callable[[OnlineKnapsackInstance], bool]) -> None:
    find(online_knapsack_instances(), kind)


@given(st.integers(1, 6).flatmap(stage_policies))
def test_stage_policies_are_feasible(policy: StagePolicy) -> None:
    stages = len(policy.fractions)
    instance = OnlineKnapsackInstance([1.0] * stages, [0.75] * stages, 1.0, 1.0)
    assert play(policy, instance).feasible


def test_every_amount_is_reached_by_a_stage_policy() -> None:
    instance = OnlineKnapsackInstance([1.0, 2.0, 3.0], [0.5, 1.0, 1.0], 1.0, 3.0)
    assert play(StagePolicy((0.5, 1 / 3, 1.0)), instance).accepted == pytest.approx((0.25, 0.25, 0.5))


def test_a_counterexample_shrinks_to_a_handful_of_items() -> None:
    def too_greedy(instance: OnlineKnapsackInstance) -> bool:
        greedy = mutants.GreedyZCL(instance.lower, instance.upper)
        return optimum_by_sorting(instance) > 2 * play(greedy, instance).value

    smallest = find(online_knapsack_instances(), too_greedy)
    assert len(smallest) <= 3
