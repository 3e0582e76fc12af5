"""Policies that betray themselves when the input is changed; each must be convicted.

They are made by the same call as the policies of the package, ``make(name, lower, upper, prediction)``, and differ from
them in what their docstring says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from learning_augmented.knapsack import OnlineKnapsackInstance, PPAdvanced, PPBasic
from proofs_checks.checkers.knapsack import Policy, critical_by_sorting, play
from proofs_checks.claims.knapsack import mutants


@dataclass
class _Played:
    """The array form of a step-wise policy."""

    policy: Policy

    def run(self, instance: OnlineKnapsackInstance) -> Any:
        """Play; a decision that is not feasible ends the stream."""
        accepted = play(self.policy, instance).accepted
        missing = len(instance) - len(accepted)
        return SimpleNamespace(accepted=np.array([*accepted, *[math.inf] * missing]))


class _Clairvoyant:
    """Trusts the critical value of the array that it is handed."""

    def run(self, instance: OnlineKnapsackInstance) -> Any:
        """Peek, then run."""
        return PPAdvanced(critical_by_sorting(instance).value if len(instance) else 1.0).run(instance)


class _LastItemTaken:
    """Knows which item is the last, and takes it so as not to end with nothing."""

    def __init__(self, prediction: float) -> None:
        self.prediction = prediction

    def run(self, instance: OnlineKnapsackInstance) -> Any:
        """Run, then take the last item if nothing was taken."""
        run = PPBasic(self.prediction).run(instance)
        accepted = run.accepted.copy()
        if len(accepted) and not accepted.any():
            accepted[-1] = min(instance.weights[-1], instance.capacity)
        return SimpleNamespace(accepted=accepted)


class _OneItemOfEachPrice(mutants.StepwisePPBasic):
    """Half of the first item at the prediction, and no second one."""

    def counted(self, weight: float) -> float:
        """Count items."""
        return weight if self.critical == 0 else 0.0


class _AbsoluteTolerance(mutants.StepwisePPBasic):
    """Prices within 0.001 of the prediction count as equal to it."""

    def take(self, unit_value: float, weight: float) -> float:
        """Round the price."""
        near = abs(unit_value - self.prediction) < 1e-3
        return super().take(self.prediction if near else unit_value, weight)


class _CapacityIsOne(mutants.StepwisePPBasic):
    """Forgets the capacity that it is reset to."""

    def reset(self, capacity: float = 1.0) -> None:
        """Reset to 1."""
        super().reset(1.0)


def clairvoyant(name: str, lower: float, upper: float, prediction: float) -> Any:
    """The critical value is taken from the whole stream."""
    return _Clairvoyant()


def last_item_taken(name: str, lower: float, upper: float, prediction: float) -> Any:
    """The last item is taken if nothing was, as in the published code of the naive policy."""
    return _LastItemTaken(prediction)


def one_item_of_each_price(name: str, lower: float, upper: float, prediction: float) -> Any:
    """Items are counted instead of weighed."""
    return _Played(_OneItemOfEachPrice(prediction))


def updated_after_use(name: str, lower: float, upper: float, prediction: float) -> Any:
    """The critical weight is updated after it was used."""
    return _Played(mutants.UpdatedAfterUse(prediction))


def lowest_price_is_one(name: str, lower: float, upper: float, prediction: float) -> Any:
    """ZCL as if the lowest price were 1."""
    return _Played(mutants.StepwiseZCL(1.0, max(1.5, upper)))


def absolute_tolerance(name: str, lower: float, upper: float, prediction: float) -> Any:
    """Prices are compared with an absolute tolerance."""
    return _Played(_AbsoluteTolerance(prediction))


def capacity_is_one(name: str, lower: float, upper: float, prediction: float) -> Any:
    """The capacity is taken to be 1."""
    return _Played(_CapacityIsOne(prediction))


def greedy_below(name: str, lower: float, upper: float, prediction: float) -> Any:
    """Sells below the prediction because there is room."""
    return _Played(mutants.BasicGreedyBelow(prediction))


def dear_whole(name: str, lower: float, upper: float, prediction: float) -> Any:
    """Takes dear items whole."""
    return _Played(mutants.BasicDearWhole(prediction))
