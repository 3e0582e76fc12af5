r"""What a change of the input must do to the decisions, whatever the policy: no optimum and no bound is needed here.

A policy that peeks at the end of the stream, forgets the currency it was told, or counts items where it should weigh
them can respect every ratio and still be wrong. Each claim runs the array form of a policy on two inputs and compares
the accepted weights; arrays, because only a policy that sees the whole array could peek at its end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from learning_augmented.knapsack import IPA, ZCL, Mix, OnlineKnapsackInstance, OnlinePolicy, PPAdvanced, PPBasic
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import metamorphic_mutants
from proofs_checks.claims.knapsack.arrivals import known_predicted, random_predicted
from proofs_checks.plots import knapsack as plots

__all__ = ["CLAIMS", "Changed", "fractional_policy_named"]

Named: TypeAlias = Literal["zcl", "basic", "advanced", "interval", "mix"]
_NAMES: tuple[Named, ...] = ("zcl", "basic", "advanced", "interval", "mix")
_TRUSTING: tuple[Named, ...] = ("basic", "advanced", "interval")
_DRAWS: Mapping[Effort, int] = {"smoke": 20, "quick": 2_000, "full": 50_000}
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Changed:
    """An instance, a policy, and how the input is changed.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    policy : {"zcl", "basic", "advanced", "interval", "mix"}
        Which policy runs.
    prediction : float
        What it is told.
    factor : float
        The change: another unit, another number of parts, a share of the stream.
    """

    instance: OnlineKnapsackInstance
    policy: Named
    prediction: float
    factor: float


def fractional_policy_named(name: Named, lower: float, upper: float, prediction: float) -> OnlinePolicy:
    """Return a policy of the package by its name.

    Parameters
    ----------
    name : {"zcl", "basic", "advanced", "interval", "mix"}
        Which.
    lower, upper : float
        Known range of unit values.
    prediction : float
        What the policies that trust are told.

    Returns
    -------
    OnlinePolicy
        A new one.
    """
    policies: dict[Named, Callable[[], OnlinePolicy]] = {
        "zcl": lambda: ZCL(lower, upper),
        "basic": lambda: PPBasic(prediction),
        "advanced": lambda: PPAdvanced(prediction),
        "interval": lambda: IPA(prediction, 2 * prediction),
        "mix": lambda: Mix(PPAdvanced(prediction), ZCL(lower, upper), 0.5),
    }
    return policies[name]()


def _accepted(make: Callable[..., OnlinePolicy], case: Changed, instance: OnlineKnapsackInstance) -> NDArray[Any]:
    """What the policy of the case, told what it was told, accepts of an instance."""
    policy = make(case.policy, case.instance.lower, case.instance.upper, case.prediction)
    return policy.run(instance).accepted


def _apart(one: NDArray[Any], other: NDArray[Any], case: Changed) -> Sides:
    scale = case.instance.capacity
    distance = float(np.max(np.abs(one - other), initial=0.0)) / scale if len(one) == len(other) else math.inf
    return Sides(distance, 0.0, {"items": float(len(case.instance))})


def _online(make: Callable[..., OnlinePolicy], case: Changed) -> Sides:
    count = int(case.factor * len(case.instance))
    whole = _accepted(make, case, case.instance)
    return _apart(_accepted(make, case, case.instance.prefix(count)), whole[:count], case)


def _changed(
    instance: OnlineKnapsackInstance, prices: NDArray[Any], weights: NDArray[Any], scale: float = 1.0, unit: float = 1.0
) -> OnlineKnapsackInstance:
    """The instance with other items, in another currency and another unit of weight."""
    return OnlineKnapsackInstance(
        scale * prices, unit * weights, scale * instance.lower, scale * instance.upper, unit * instance.capacity
    )


def _splitting(make: Callable[..., OnlinePolicy], case: Changed) -> Sides:
    instance, parts = case.instance, 2 + int(4 * case.factor)
    prices, weights = np.repeat(instance.unit_values, parts), np.repeat(instance.weights / parts, parts)
    cut = _accepted(make, case, _changed(instance, prices, weights))
    return _apart(cut.reshape(-1, parts).sum(axis=1), _accepted(make, case, instance), case)


def _another_currency(make: Callable[..., OnlinePolicy], case: Changed) -> Sides:
    instance, scale = case.instance, 10 ** (6 * case.factor - 3)
    scaled = _changed(instance, instance.unit_values, instance.weights, scale=scale)
    told = make(case.policy, scaled.lower, scaled.upper, scale * case.prediction)
    return _apart(told.run(scaled).accepted, _accepted(make, case, instance), case)


def _another_unit(make: Callable[..., OnlinePolicy], case: Changed) -> Sides:
    instance, unit = case.instance, 10 ** (6 * case.factor - 3)
    scaled = _changed(instance, instance.unit_values, instance.weights, unit=unit)
    return _apart(_accepted(make, case, scaled) / unit, _accepted(make, case, instance), case)


def _cheap_items(make: Callable[..., OnlinePolicy], case: Changed) -> Sides:
    """Put an item cheaper than the prediction before each item."""
    instance = case.instance
    cheap = case.prediction * (1 - 1e-6) * (0.5 + 0.5 * case.factor)
    prices = np.ravel([np.full(len(instance), cheap), instance.unit_values], order="F")
    weights = np.ravel([np.full(len(instance), 0.3 * instance.capacity), instance.weights], order="F")
    wider = OnlineKnapsackInstance(
        prices, weights, min(instance.lower, cheap), max(instance.upper, cheap), instance.capacity
    )
    more = _accepted(make, case, wider)
    return _apart(more, np.ravel([np.zeros(len(instance)), _accepted(make, case, instance)], order="F"), case)


def _permuted(make: Callable[..., OnlinePolicy], case: Changed) -> Sides:
    """Compare the value of PPBasic, and the fill of PPAdvanced, in another order."""
    instance = case.instance
    order = np.random.default_rng(int(1e9 * case.factor)).permutation(len(instance))
    weights = instance.unit_values if case.policy == "basic" else np.ones(len(instance))
    total = float(weights @ _accepted(make, case, instance))
    shuffled = _changed(instance, instance.unit_values[order], instance.weights[order])
    other = float(weights[order] @ _accepted(make, case, shuffled))
    scale = instance.capacity if case.policy == "advanced" else max(total, other)
    return Sides(abs(total - other) / scale, 0.0, {"items": float(len(instance))})


def _trial(compare: Callable[[Any, Changed], Sides], names: tuple[Named, ...], *, right: bool = False) -> EveryInstance:
    def known(effort: Effort) -> Iterator[Changed]:
        for number, case in enumerate(known_predicted("smoke")):
            yield Changed(case.instance, names[number % len(names)], case.prediction, (number % 7 + 1) / 8)

    def draw(rng: Generator) -> Changed:
        case = random_predicted(rng)
        error = 1.0 if right or rng.random() < 0.5 else float(rng.lognormal(0, 1))
        return Changed(case.instance, names[int(rng.integers(len(names)))], error * case.prediction, rng.random())

    return EveryInstance(
        draw,
        compare,
        known=known,
        draws=_DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack_whole:changed_instances", policies=names, right=right),
        atol=_ROUNDING,
        instance_types=(Changed, OnlineKnapsackInstance),
    )


_DISTANCE = "Measured is the largest distance, in capacities."


def _claim(
    name: str,
    statement: str,
    compare: Callable[[Any, Changed], Sides],
    variants: dict[str, Callable[..., Any]],
    names: tuple[Named, ...] = _NAMES,
    *,
    right: bool = False,
) -> Claim:
    return Claim(
        id=f"knapsack.metamorphic.{name}",
        kind="law",
        paper="daneshvaramoli2025",
        source="derived from the definitions of the policies",
        statement=statement,
        subject=fractional_policy_named,
        trial=_trial(compare, names, right=right),
        mutants=variants,
        cost=0.5,
        plot=plots.residuals,
    )


CLAIMS = (
    _claim(
        "online",
        rf"""A decision depends on nothing that comes later: the first $k$ decisions on a stream are the decisions on
its first $k$ items, for ZCL, PPBasic, PPAdvanced, IPA and Mix. {_DISTANCE}""",
        _online,
        {
            "the critical value is taken from the whole stream": metamorphic_mutants.clairvoyant,
            "the last item is taken": metamorphic_mutants.last_item_taken,
        },
    ),
    _claim(
        "splitting",
        rf"""An item that is cut into equal consecutive parts gets the same weight in total, for ZCL, PPBasic,
PPAdvanced, IPA and Mix. {_DISTANCE}""",
        _splitting,
        {
            "items counted instead of weighed": metamorphic_mutants.one_item_of_each_price,
            "critical weight updated after use": metamorphic_mutants.updated_after_use,
        },
    ),
    _claim(
        "another_currency",
        rf"""Prices, range and prediction in another currency change no decision, for ZCL, PPBasic, PPAdvanced, IPA and
Mix. {_DISTANCE}""",
        _another_currency,
        {
            "the lowest price is taken to be 1": metamorphic_mutants.lowest_price_is_one,
            "prices are compared with an absolute tolerance": metamorphic_mutants.absolute_tolerance,
        },
    ),
    _claim(
        "another_unit",
        rf"""Weights and capacity in another unit scale what is accepted, for ZCL, PPBasic, PPAdvanced, IPA and Mix.
{_DISTANCE}""",
        _another_unit,
        {"the capacity is taken to be 1": metamorphic_mutants.capacity_is_one},
    ),
    _claim(
        "cheap_items",
        rf"""Items cheaper than the prediction (than the interval) get exactly nothing and change nothing, wherever they
arrive, for PPBasic, PPAdvanced and IPA. {_DISTANCE}""",
        _cheap_items,
        {"greedy below the prediction": metamorphic_mutants.greedy_below},
        _TRUSTING,
    ),
    _claim(
        "permutation",
        r"""The order of arrival changes neither the value of PPBasic nor the fill of PPAdvanced under a right
prediction. Measured is the relative difference, and the difference in capacities.""",
        _permuted,
        {
            "critical weight updated after use": metamorphic_mutants.updated_after_use,
            "dear items taken whole": metamorphic_mutants.dear_whole,
        },
        ("basic", "advanced"),
        right=True,
    ),
)
