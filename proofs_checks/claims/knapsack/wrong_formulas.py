"""Formulas and critical values with one mistake each; each must be convicted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from learning_augmented.knapsack import CriticalValue, OnlineKnapsackInstance, critical_value


def critical_of_whole_items(instance: OnlineKnapsackInstance) -> CriticalValue:
    """Take the critical value from the best selection of whole items, by enumeration.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.

    Returns
    -------
    CriticalValue
        With the smallest unit value in the best selection, and the weights around it.
    """
    values, weights = instance.unit_values, instance.weights
    if len(values) > 10:  # enumeration would take too long; the small instances are enough
        return critical_value(instance)
    best, chosen = -1.0, np.zeros(len(values), dtype=bool)
    for mask in _subsets(len(values)):
        value = float((values * weights)[mask].sum())
        if weights[mask].sum() <= instance.capacity and value > best:
            best, chosen = value, mask
    if not chosen.any():
        return critical_value(instance)
    smallest = float(values[chosen].min())
    dear = values > smallest
    return CriticalValue(
        value=smallest,
        weight=float(weights[values == smallest].sum()),
        weight_above=float(weights[dear].sum()),
        value_above=float((values * weights)[dear].sum()),
        optimum=best,
    )


def critical_weight_capped(instance: OnlineKnapsackInstance) -> CriticalValue:
    """Report only the critical weight that fits: the policies' guarantees need all of it.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.

    Returns
    -------
    CriticalValue
        Right but for the weight.
    """
    right = critical_value(instance)
    return replace(right, weight=min(right.weight, instance.capacity - right.weight_above))


def critical_counted_above(instance: OnlineKnapsackInstance) -> CriticalValue:
    """Count the critical items among the dearer ones (at least, where it should be above).

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.

    Returns
    -------
    CriticalValue
        Right but for what lies above.
    """
    right = critical_value(instance)
    return replace(
        right,
        weight_above=right.weight_above + right.weight,
        value_above=right.value_above + right.weight * right.value,
    )


def limit_at_every_step(upper_over_lower: float, steps: int) -> float:
    """1 + ln(U/L), the limit of many steps, claimed for few."""
    return 1 + math.log(upper_over_lower)


def rise_from_below(upper_over_lower: float, steps: int) -> float:
    """1 + K(r - 1): each rise measured from the lower price."""
    return 1 + steps * (math.exp(math.log(upper_over_lower) / steps) - 1)


def one_step_more(upper_over_lower: float, steps: int) -> float:
    """K + 1 for K: the first price counted as a rise."""
    return 1 + (steps + 1) * (1 - math.exp(-math.log(upper_over_lower) / steps))


def two_for_one(upper_over_lower: float, steps: int) -> float:
    """2 + K(1 - 1/r)."""
    return 2 + steps * (1 - math.exp(-math.log(upper_over_lower) / steps))


def gap_forgotten(critical_weight: float, prediction_over_upper: float, gap: float) -> float:
    """The limit of no gap, claimed for every gap."""
    return 1 + critical_weight * (1 - prediction_over_upper)


def price_ratio_forgotten(critical_weight: float, prediction_over_upper: float, gap: float) -> float:
    """The limit of infinitely dear items, claimed for every price."""
    return 1 + critical_weight - gap


def two_for_one_at_the_point(critical_weight: float, prediction_over_upper: float, gap: float) -> float:
    """2 for 1 in front."""
    return 2 + (critical_weight - gap) * (1 - prediction_over_upper)


def _subsets(count: int) -> Iterator[NDArray[np.bool_]]:
    for code in range(2**count):
        yield (code >> np.arange(count)) % 2 == 1
