r"""What the claims about whole items are tried on: small items, and how a fractional policy is to be rounded.

An adversary's batch, cut into items of one weight, drives the integral policies as far as it drives the fractional
ones; random instances hold rising or shuffled prices and weights just below the largest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import (
    IPA,
    ZCL,
    Mix,
    OnlineKnapsackInstance,
    OnlinePolicy,
    PPAdvanced,
    PPBasic,
    XIncreasing,
)
from proofs_checks.checkers.knapsack import SAME_PRICE, critical_by_sorting
from proofs_checks.claim import Effort

__all__ = [
    "Rounded",
    "RoundingCase",
    "cut_into_items",
    "fractional_policy",
    "known_roundings",
    "known_small_items",
    "largest_weight",
    "random_rounding",
    "random_small_items",
]

Rounded: TypeAlias = Literal["zcl", "basic", "advanced", "interval", "mix"]
_ROUNDED: tuple[Rounded, ...] = ("zcl", "basic", "advanced", "interval", "mix")


@dataclass(frozen=True, slots=True)
class RoundingCase:
    """An instance, the fractional policy that is rounded on it, and the price classes.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    edges : tuple of float
        Lower edges of the price classes; the first is the lower end of the range.
    rounded : {"zcl", "basic", "advanced", "interval", "mix"}
        The fractional policy.
    prediction : float
        What it is told, right or wrong.
    """

    instance: OnlineKnapsackInstance
    edges: tuple[float, ...]
    rounded: Rounded
    prediction: float

    @property
    def growth(self) -> float:
        """By which part an item's price exceeds the lower edge of its class at most."""
        prices = np.array(self.instance.unit_values)
        reached = np.searchsorted(self.edges, prices * (1 + SAME_PRICE), side="right") - 1
        return float(np.max(prices / np.array(self.edges)[reached])) - 1


def largest_weight(instance: OnlineKnapsackInstance) -> float:
    """Return the largest weight of an item.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        With at least one item.

    Returns
    -------
    float
        In capacities.
    """
    return float(instance.weights.max()) / instance.capacity


def fractional_policy(case: RoundingCase) -> OnlinePolicy:
    """Return the fractional policy that is to be rounded.

    Parameters
    ----------
    case : RoundingCase
        Says which.

    Returns
    -------
    OnlinePolicy
        A new one.
    """
    zcl = ZCL(case.instance.lower, case.instance.upper)
    policies: dict[Rounded, OnlinePolicy] = {
        "zcl": zcl,
        "basic": PPBasic(case.prediction),
        "advanced": PPAdvanced(case.prediction),
        "interval": IPA(case.prediction, 2 * case.prediction),
        "mix": Mix(PPAdvanced(case.prediction), zcl, 0.5),
    }
    return policies[case.rounded]


def cut_into_items(instance: OnlineKnapsackInstance, weight: float) -> OnlineKnapsackInstance:
    """Return the instance with each item cut into consecutive ones of at most a given weight.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The batches.
    weight : float
        Largest weight of an item.

    Returns
    -------
    OnlineKnapsackInstance
        Same range, same capacity.
    """
    counts = np.maximum(1, np.ceil(instance.weights / weight - 1e-9)).astype(int)
    prices, weights = np.repeat(instance.unit_values, counts), np.repeat(instance.weights / counts, counts)
    return OnlineKnapsackInstance(prices, weights, instance.lower, instance.upper, instance.capacity)


def known_small_items(effort: Effort) -> Iterator[OnlineKnapsackInstance]:
    """Yield the stages of ZCL's adversary, cut into small items.

    Parameters
    ----------
    effort : {"smoke", "quick", "full"}
        More weights and ranges with more effort.

    Yields
    ------
    OnlineKnapsackInstance
        One for each third stop.
    """
    yield OnlineKnapsackInstance([1.0] * 30, [0.25] * 30, lower=1.0, upper=10.0)
    yield OnlineKnapsackInstance([1.0] * 4, [0.1] * 4, lower=1.0, upper=10.0)
    weights = (0.1, 0.03) if effort == "smoke" else (0.3, 0.1, 0.03, 0.01)
    for upper in (10.0, 1000.0):
        for weight in weights:
            for instance in XIncreasing(1.0, upper, 12).instances()[::3]:
                yield cut_into_items(instance, weight)


def random_small_items(rng: Generator) -> OnlineKnapsackInstance:
    """Draw an instance of items so small that integral ZCL has a ratio.

    Parameters
    ----------
    rng : Generator
        Source of randomness.

    Returns
    -------
    OnlineKnapsackInstance
        With 1 to 150 items.
    """
    upper = float(10 ** rng.uniform(0.1, 4))
    largest = (1 - 1 / (1 + math.log(upper))) * float(10 ** rng.uniform(-2, 0))
    count = min(150, int(rng.integers(1, 2 + int(4 / largest))))
    prices = upper ** rng.random(count) if rng.random() < 0.8 else upper ** rng.choice(rng.random(3), count)
    order = rng.integers(3)
    if order < 2:
        prices = np.sort(prices)
        prices = prices if order == 0 else np.maximum.accumulate(rng.permutation(prices))
    weights = largest * (1 - rng.random(count) * rng.choice([0.0, 0.1, 0.9]))
    capacity = 1.0 if rng.random() < 0.8 else float(rng.uniform(0.2, 5))
    return OnlineKnapsackInstance(prices.clip(1.0, upper), weights * capacity, 1.0, upper, capacity)


def known_roundings(effort: Effort) -> Iterator[RoundingCase]:
    """Yield the known small items under every policy, with coarse classes and with one class a price.

    Parameters
    ----------
    effort : {"smoke", "quick", "full"}
        See `known_small_items`.

    Yields
    ------
    RoundingCase
        The prediction is right.
    """
    for number, instance in enumerate(known_small_items(effort)):
        rounded = _ROUNDED[number % len(_ROUNDED)]
        prediction = critical_by_sorting(instance).value
        prices = sorted({instance.lower, *instance.unit_values.tolist()})
        yield RoundingCase(instance, tuple(prices), rounded, prediction)
        yield RoundingCase(instance, (instance.lower, instance.upper / 2), rounded, prediction)


def random_rounding(rng: Generator) -> RoundingCase:
    """Draw small items, a fractional policy and price classes.

    Parameters
    ----------
    rng : Generator
        Source of randomness.

    Returns
    -------
    RoundingCase
        With 1 to 8 classes, so that one item of each fits; every second prediction is right.
    """
    instance = random_small_items(rng)
    most = min(8, max(1, math.ceil(1 / largest_weight(instance)) - 1))
    count = int(rng.integers(1, most + 1))
    edges = instance.lower * (instance.upper / instance.lower) ** (np.arange(count) / count)
    prediction = critical_by_sorting(instance).value * (1.0 if rng.random() < 0.5 else float(rng.lognormal(0, 1)))
    return RoundingCase(instance, tuple(edges.tolist()), _ROUNDED[int(rng.integers(len(_ROUNDED)))], prediction)
