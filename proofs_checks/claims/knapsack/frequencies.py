r"""Claims about Sentinel, which trusts ranges for the weight that is offered at each price.

The worst instances of such a prediction are its corners: at every price either the least or the most weight comes. They
are tried in rising, falling and shuffled order.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import OnlineKnapsackInstance, Sentinel
from proofs_checks.checkers.knapsack import Policy, competitive_ratio, optimum_by_sorting, play
from proofs_checks.claim import Claim, Effort, EveryInstance, Sides
from proofs_checks.claims.knapsack.frequency_mutants import BudgetsNotPassedOn, MidpointTrusted, OptimumOfTheLeast
from proofs_checks.claims.knapsack.whole_cases import cut_into_items
from proofs_checks.plots import knapsack as plots
from proofs_checks.plots import knapsack_whole as whole_plots

__all__ = ["CLAIMS", "FrequencyCase"]

_DRAWS: Mapping[Effort, int] = {"smoke": 20, "quick": 2_000, "full": 50_000}


@dataclass(frozen=True, slots=True)
class FrequencyCase:
    """Prices with the least and the most weight predicted for each, and what arrives.

    Parameters
    ----------
    prices, low, high : tuple of float
        The prediction, by rising price; weights in capacities.
    instance : OnlineKnapsackInstance
        Items at these prices.
    """

    prices: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    instance: OnlineKnapsackInstance

    @property
    def predictions(self) -> tuple[dict[float, float], dict[float, float]]:
        """Least and most weight by price."""
        return dict(zip(self.prices, self.low, strict=True)), dict(zip(self.prices, self.high, strict=True))


def _sides(sentinel: Callable[..., Policy], case: FrequencyCase) -> Sides:
    reached = competitive_ratio(optimum_by_sorting(case.instance), play(sentinel(*case.predictions), case.instance))
    return Sides(reached, Sentinel(*case.predictions).ratio, {"upper_over_lower": case.prices[-1] / case.prices[0]})


def _arriving(weights: list[float], order: list[int], case: tuple[tuple[float, ...], ...]) -> FrequencyCase | None:
    prices, low, high = case
    items = [(prices[number], weights[number]) for number in order if weights[number] > 0]
    if not items:
        return None
    unit_values, sizes = zip(*items, strict=True)
    instance = OnlineKnapsackInstance(unit_values, sizes, prices[0], prices[-1])
    return FrequencyCase(prices, low, high, instance)


def _known(effort: Effort) -> Iterator[FrequencyCase]:
    """All corners of a few predictions, in rising and falling order."""
    predictions = (
        ((1.0, 2.0, 4.0), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        ((1.0, 4.0), (0.5, 0.25), (2.0, 0.5)),
        ((1.0, 3.0, 9.0), (0.3, 0.3, 0.3), (0.3, 0.3, 0.3)),
        ((1.0, 10.0, 100.0), (0.2, 0.1, 0.05), (1.0, 0.6, 0.4)),
    )
    for prices, low, high in predictions:
        for corner in itertools.product((0, 1), repeat=len(prices)):
            weights = [(low, high)[end][number] for number, end in enumerate(corner)]
            for order in (range(len(prices)), range(len(prices))[::-1]):
                if case := _arriving(weights, list(order), (prices, low, high)):
                    yield case


def _draw(rng: Generator) -> FrequencyCase:
    count = int(rng.integers(1, 6))
    prices = np.cumprod(1 + rng.exponential(1, count)) + 1
    scale = rng.choice([0.1, 0.3, 1.0, 2.0])
    low = rng.random(count) * scale * (rng.random(count) < 0.7)
    high = low + rng.random(count) * scale * (rng.random(count) < 0.8) + 1e-6
    first = int(rng.integers(0, count + 1))
    weights = (
        np.where(np.arange(count) < first, high, low),
        np.where(rng.random(count) < 0.5, high, low),
        low + (high - low) * rng.random(count),
    )[rng.integers(3)]
    if not weights.any():
        weights = high
    order = (np.arange(count), np.arange(count)[::-1], rng.permutation(count))[rng.integers(3)]
    prediction = (tuple(prices.tolist()), tuple(low.tolist()), tuple(high.tolist()))
    case = _arriving(weights.tolist(), order.tolist(), prediction)
    assert case is not None
    if rng.random() < 0.5:
        return case
    pieces = cut_into_items(case.instance, 0.1)
    shuffled = rng.permutation(len(pieces))
    mixed = OnlineKnapsackInstance(pieces.unit_values[shuffled], pieces.weights[shuffled], prices[0], prices[-1])
    return FrequencyCase(*prediction, mixed)


RATIO = Claim(
    id="knapsack.sentinel.ratio",
    kind="always",
    paper="im2021",
    source="the guarantee of SENTINEL; this form, for items that may be cut, is derived",
    statement=r"""$a\,\mathrm{OPT} \le \mathrm{ALG}$ for Sentinel in every order of arrival, where $a$ is the fraction
that it promises, if the weight offered at each price lies in the predicted range.""",
    assumptions=("The weight offered at each price lies in the predicted range.",),
    subject=Sentinel,
    trial=EveryInstance(
        _draw,
        _sides,
        known=_known,
        draws=_DRAWS,
        instance_types=(FrequencyCase, OnlineKnapsackInstance),
    ),
    mutants={
        "items pass no budget on": BudgetsNotPassedOn,
        "the middle of the ranges trusted": MidpointTrusted,
        "dear items kept room for by their least weight alone": OptimumOfTheLeast,
    },
    cost=3.0,
    plot=whole_plots.share_against_range,
)


def _knows_prices_only(sentinel: Callable[..., Sentinel], case: FrequencyCase) -> Sides:
    low, high = dict.fromkeys(case.prices, 0.0), dict.fromkeys(case.prices, 1.0)
    best = 1 + math.fsum(1 - below / above for below, above in itertools.pairwise(case.prices))
    return Sides(abs(sentinel(low, high).ratio / best - 1), 0.0, {"items": float(len(case.prices))})


PRICES_ONLY = Claim(
    id="knapsack.sentinel.prices_only",
    kind="law",
    paper="im2021",
    source="derived",
    statement=r"""Where nothing is predicted but the prices $v_1 < \dots < v_m$, each of which may fill the knapsack,
Sentinel promises the best ratio of any policy, $1 + \sum_i (1 - v_{i-1}/v_i)$. Measured is the relative distance.""",
    subject=Sentinel,
    trial=EveryInstance(
        _draw,
        _knows_prices_only,
        known=_known,
        draws={"smoke": 10, "quick": 300, "full": 5_000},
        atol=1e-9,
        instance_types=(FrequencyCase, OnlineKnapsackInstance),
    ),
    mutants={"the middle of the ranges trusted": MidpointTrusted},
    cost=0.4,
    plot=plots.residuals,
)

CLAIMS = (RATIO, PRICES_ONLY)
