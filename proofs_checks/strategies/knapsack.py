"""Hypothesis strategies for online knapsack: instances, predictions, and arbitrary online policies.

They are public: use them to test policies of your own. Simple instances come first (few items, whole prices), so that a
counterexample shrinks to a handful of items that a person can check by hand.

Examples
--------
The smallest instance on which a greedy policy collects less than half of the optimum:

>>> from hypothesis import find
>>> from proofs_checks.checkers.knapsack import optimum_by_sorting, play
>>> class Greedy:
...     def reset(self, capacity=1.0):
...         self.room = capacity
...     def offer(self, unit_value, weight):
...         amount = min(weight, self.room)
...         self.room -= amount
...         return amount
>>> def too_greedy(instance):
...     return optimum_by_sorting(instance) > 2 * play(Greedy(), instance).value
>>> worst = find(online_knapsack_instances(), too_greedy)
>>> worst.unit_values, worst.weights
(array([1., 3.]), array([1., 1.]))

In a test suite the same reads ``@given(online_knapsack_instances())``.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from learning_augmented.knapsack import OnlineKnapsackInstance, XIncreasing
from proofs_checks.cases.knapsack import (
    MixCase,
    PointGame,
    PointSetting,
    PredictedInstance,
    RisingGame,
    StagePolicy,
    TradeOffGame,
)
from proofs_checks.checkers.knapsack import critical_by_sorting

__all__ = [
    "mix_cases",
    "online_knapsack_instances",
    "point_games",
    "predicted_instances",
    "rising_games",
    "stage_policies",
    "trade_off_games",
]

_DIGITS = 6
"""Decimals of drawn numbers: distinct prices are then distinct to every policy, ties are exact."""


def online_knapsack_instances(
    *, max_items: int = 8, capacities: SearchStrategy[float] | None = None
) -> SearchStrategy[OnlineKnapsackInstance]:
    """Return a strategy of instances: free lists of items, and stages of ZCL's adversary.

    Parameters
    ----------
    max_items : int
        Most items in a free list; at least 1 is always drawn.
    capacities : SearchStrategy of float, optional
        By default 1, now and then another.

    Returns
    -------
    SearchStrategy of OnlineKnapsackInstance
        Adversarial stages have capacity 1.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(online_knapsack_instances(), lambda instance: instance.weights.sum() > 1).weights
    array([1., 1.])
    """
    if capacities is None:
        capacities = st.one_of(st.just(1.0), st.sampled_from([2.0, 0.5, 3.0]))
    return st.one_of(_free_lists(max_items, capacities), _staged())


def predicted_instances(
    *, right: bool = False, instances: SearchStrategy[OnlineKnapsackInstance] | None = None
) -> SearchStrategy[PredictedInstance]:
    """Return a strategy of instances with a prediction of their critical value.

    Parameters
    ----------
    right : bool
        Whether the prediction is always the critical value. Otherwise it is the critical value, a price of the
        instance, or any number around its range, above and below included.
    instances : SearchStrategy of OnlineKnapsackInstance, optional
        By default `online_knapsack_instances`.

    Returns
    -------
    SearchStrategy of PredictedInstance
        The pairs.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(predicted_instances(right=True), lambda case: len(case.instance) == 2).prediction
    1.0
    """
    drawn = online_knapsack_instances() if instances is None else instances

    def with_prediction(instance: OnlineKnapsackInstance) -> SearchStrategy[PredictedInstance]:
        return _predictions(instance, right).map(lambda prediction: PredictedInstance(instance, prediction))

    return drawn.flatmap(with_prediction)


def mix_cases(*, right: bool = False) -> SearchStrategy[MixCase]:
    """Return a strategy of predicted instances with a trust and a policy that is trusted.

    Parameters
    ----------
    right : bool
        Whether the prediction is always the critical value.

    Returns
    -------
    SearchStrategy of MixCase
        With trust below 1, where robustness is finite.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(mix_cases(), lambda case: case.trust > 0.5).trust
    0.75
    """
    trusts = st.one_of(st.sampled_from([0.5, 0.0, 0.75, 0.25, 0.9]), _decimals(0.0, 0.99))

    def mixed(case: PredictedInstance) -> SearchStrategy[MixCase]:
        return st.builds(
            MixCase,
            st.just(case.instance),
            st.just(case.prediction),
            trusts,
            st.sampled_from(["advanced", "basic"]),
        )

    return predicted_instances(right=right).flatmap(mixed)


def stage_policies(stages: int) -> SearchStrategy[StagePolicy]:
    """Return a strategy of all online policies on a fixed sequence of stages, as plain data.

    Parameters
    ----------
    stages : int
        Number of stages.

    Returns
    -------
    SearchStrategy of StagePolicy
        Fractions in [0, 1], one a stage.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(stage_policies(2), lambda policy: sum(policy.fractions) > 1)
    StagePolicy(fractions=(0.5, 1.0))
    """
    fractions = st.one_of(st.sampled_from([0.5, 1.0, 0.25, 0.0]), _decimals(0.0, 1.0))
    return st.tuples(*[fractions] * stages).map(StagePolicy)


def rising_games(max_steps: int = 12) -> SearchStrategy[RisingGame]:
    """Return a strategy of arbitrary online policies against geometrically rising prices.

    Parameters
    ----------
    max_steps : int
        Most steps between the first and the last price.

    Returns
    -------
    SearchStrategy of RisingGame
        Ranges U/L from 1 to 1000.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(rising_games(), lambda game: game.upper > 2)
    RisingGame(upper=3.0, policy=StagePolicy(fractions=(0.5, 0.5)))
    """
    policies = st.integers(1, max_steps).flatmap(lambda steps: stage_policies(steps + 1))
    return st.builds(RisingGame, _prices(1.0, 1000.0), policies)


def point_games() -> SearchStrategy[PointGame]:
    """Return a strategy of arbitrary online policies against the adversary of a right point prediction.

    Returns
    -------
    SearchStrategy of PointGame
        Critical weights from 0.01 to 1, gaps below the critical weight.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(point_games(), lambda game: game.setting.gap < 0.2).policy
    StagePolicy(fractions=(0.5, 0.5))
    """
    weights = st.one_of(st.sampled_from([1.0, 0.5, 0.25]), _decimals(0.01, 1.0))
    prices = st.one_of(st.sampled_from([0.5, 0.125, 1.0]), _decimals(0.001, 1.0))
    parts = st.one_of(st.sampled_from([0.5, 0.125]), _decimals(0.001, 0.999))
    settings = st.builds(lambda weight, price, part: PointSetting(weight, price, part * weight), weights, prices, parts)
    return st.builds(PointGame, settings, stage_policies(2))


def trade_off_games(max_steps: int = 8) -> SearchStrategy[TradeOffGame]:
    """Return a strategy of arbitrary online policies against rising prices that may jump beyond the prediction.

    Parameters
    ----------
    max_steps : int
        Most steps between the first price and the prediction.

    Returns
    -------
    SearchStrategy of TradeOffGame
        Predictions up to 1000, dear items up to 1000 times dearer.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(trade_off_games(), lambda game: game.prediction > 1)
    TradeOffGame(prediction=2.0, upper=4.0, gap=0.5, policy=StagePolicy(fractions=(0.5, 0.5, 0.5)))
    """
    gaps = st.one_of(st.sampled_from([0.5, 0.125]), _decimals(0.001, 0.999))
    jumps = st.one_of(st.sampled_from([2.0, 1.0, 100.0]), _decimals(1.0, 1000.0))
    policies = st.integers(1, max_steps).flatmap(lambda steps: stage_policies(steps + 2))
    return st.builds(
        lambda prediction, jump, gap, policy: TradeOffGame(prediction, prediction * jump, gap, policy),
        _prices(1.0, 1000.0),
        jumps,
        gaps,
        policies,
    )


def _decimals(low: float, high: float) -> SearchStrategy[float]:
    return st.floats(low, high).map(lambda number: round(number, _DIGITS))


def _prices(low: float, high: float) -> SearchStrategy[float]:
    whole = st.integers(int(np.ceil(low)), int(high)).map(float)
    return st.one_of(whole, _decimals(low, high))


@st.composite
def _free_lists(draw: DrawFn, max_items: int, capacities: SearchStrategy[float]) -> OnlineKnapsackInstance:
    upper = draw(st.one_of(st.sampled_from([1.0, 2.0, 4.0, 10.0, 100.0]), _prices(1.0, 10_000.0)))
    prices = draw(st.lists(_prices(1.0, upper), min_size=1, max_size=4))
    weights = st.one_of(st.sampled_from([1.0, 0.5, 0.25, 2.0]), _decimals(0.001, 3.0))
    items = draw(st.lists(st.tuples(st.sampled_from([*prices, upper]), weights), min_size=1, max_size=max_items))
    unit_values, sizes = zip(*items, strict=True)
    return OnlineKnapsackInstance(unit_values, sizes, 1.0, upper, draw(capacities))


@st.composite
def _staged(draw: DrawFn) -> OnlineKnapsackInstance:
    adversary = XIncreasing(1.0, draw(_prices(2.0, 10_000.0)), draw(st.integers(1, 30)))
    return adversary.instance(draw(st.sampled_from(adversary.stops())))


def _predictions(instance: OnlineKnapsackInstance, right: bool) -> SearchStrategy[float]:
    truth = st.just(critical_by_sorting(instance).value)
    if right:
        return truth
    prices = st.sampled_from(instance.unit_values.tolist())
    anywhere = _decimals(instance.lower / 2, instance.upper * 2)
    return st.one_of(truth, prices, anywhere)
