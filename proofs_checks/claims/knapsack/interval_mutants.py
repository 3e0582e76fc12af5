"""Broken variants of the policy that trusts an interval, and weak adversaries against it; each must be convicted."""

from __future__ import annotations

import math

from learning_augmented.knapsack import IntervalAdversary
from proofs_checks.checkers.knapsack import SAME_PRICE
from proofs_checks.claims.knapsack.mutants import StepwiseZCL, _Stepwise

ALL_PRICES = (1.0, 1e4)
"""The range that every random instance of the trials lies in."""


class StepwiseIPA(_Stepwise):
    """IPA as written in the paper, with a ZCL of the interval's own."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low * (1 - SAME_PRICE), high * (1 + SAME_PRICE)
        self.ratio = 1 + math.log(high / low)
        self.private = StepwiseZCL(low, high)
        super().__init__()

    def reset(self, capacity: float = 1.0) -> None:
        """Empty both knapsacks."""
        super().reset(capacity)
        self.private.reset()

    def take(self, unit_value: float, weight: float) -> float:
        """Dispatch on the price."""
        amount = 0.0
        if unit_value > self.high:
            amount = self.above(weight)
        elif unit_value >= self.low:
            amount = self.inside(unit_value, weight)
        return min(amount, self.room)

    def above(self, weight: float) -> float:
        """Take the share of a dear item."""
        return weight / (self.ratio + 1)

    def inside(self, unit_value: float, weight: float) -> float:
        """Take the share of what the private ZCL takes."""
        return self.private.offer(unit_value, weight) * self.ratio / (self.ratio + 1)


class RangeOfAllPrices(StepwiseIPA):
    """The private ZCL gets the range of all prices instead of the interval, as in the published code."""

    def __init__(self, low: float, high: float, lower: float = ALL_PRICES[0], upper: float = ALL_PRICES[1]) -> None:
        super().__init__(low, high)
        self.private = StepwiseZCL(lower, upper)


class DearWhole(StepwiseIPA):
    """Takes dear items whole: their room is no longer shared with the interval."""

    def above(self, weight: float) -> float:
        """Take it all."""
        return weight


class EndsExcluded(StepwiseIPA):
    """Takes the interval to be open: a critical value at one of its ends is lost."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low, high)
        self.low, self.high = low * (1 + SAME_PRICE), high * (1 - SAME_PRICE)


class HalfEach(StepwiseIPA):
    """Gives half to either part, whatever the interval's width."""

    def above(self, weight: float) -> float:
        """Half."""
        return weight / 2

    def inside(self, unit_value: float, weight: float) -> float:
        """Half."""
        return self.private.offer(unit_value, weight) / 2


class GreedyInside(StepwiseIPA):
    """Takes its share of every item inside at any price, without thresholds."""

    def inside(self, unit_value: float, weight: float) -> float:
        """Fill the private knapsack with whatever comes."""
        amount = min(weight, 1 - self.private.filled)
        self.private.filled += amount
        return amount * self.ratio / (self.ratio + 1)


class IntervalFalling(IntervalAdversary):
    """The best price inside the interval comes first."""

    def stages(self) -> list[tuple[float, float]]:
        """Reverse the order of the batches inside."""
        *rising, dear = super().stages()
        return [*rising[::-1], dear]


class IntervalThin(IntervalAdversary):
    """Too little weight at each price: the optimum cannot fill the knapsack at the last one."""

    def stages(self) -> list[tuple[float, float]]:
        """Offer a hundredth of the capacity at each price inside."""
        *rising, dear = super().stages()
        return [*((price, weight / 100) for price, weight in rising), dear]


def limit_claimed_for_few_steps(high_over_low: float, high_over_upper: float, steps: int, gap: float) -> float:
    """The limit of many steps, claimed for few."""
    return 1 + math.log(high_over_low) + (1 - gap) * (1 - high_over_upper)


def gap_forgotten(high_over_low: float, high_over_upper: float, steps: int, gap: float) -> float:
    """The limit of no gap, claimed for every gap."""
    return 1 + steps * (1 - math.exp(-math.log(high_over_low) / steps)) + 1 - high_over_upper


def price_ratio_forgotten(high_over_low: float, high_over_upper: float, steps: int, gap: float) -> float:
    """The limit of infinitely dear items, claimed for every price."""
    return 1 + steps * (1 - math.exp(-math.log(high_over_low) / steps)) + 1 - gap
