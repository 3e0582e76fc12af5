"""Cases of the claims about whole items in online knapsack, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.checkers.knapsack import SAME_PRICE

__all__ = ["Rounded", "RoundingCase", "largest_weight"]

Rounded: TypeAlias = Literal["zcl", "basic", "advanced", "interval", "mix"]
"""The fractional policy that is rounded."""


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
