"""Broken variants of the policies for whole items; each must be convicted."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from typing import Any

from proofs_checks.checkers.knapsack import Policy
from proofs_checks.claims.knapsack.mutants import StepwiseZCL

_ROUNDING = 1e-12


class StepwiseZCLIntegral(StepwiseZCL):
    """ZCL for whole items: take what fits and is not below the threshold."""

    def take(self, unit_value: float, weight: float) -> float:
        """Take all or nothing."""
        return weight if self.level(unit_value) >= self.filled - _ROUNDING and self.fits(weight) else 0.0

    def fits(self, weight: float) -> bool:
        """Return whether there is room for all of it."""
        return weight <= 1 - self.filled + _ROUNDING

    def offer(self, unit_value: float, weight: float) -> float:
        """Return exactly the weight or exactly 0."""
        amount = self.take(unit_value, weight / self.capacity)
        self.filled += amount
        return weight if amount == weight / self.capacity else amount * self.capacity


class WholePlateauForgotten(StepwiseZCLIntegral):
    """The threshold rises from the first item on."""

    def level(self, unit_value: float) -> float:
        """Omit the one that the plateau contributes."""
        return math.log(unit_value / self.lower) / self.ratio


class WholeGreedy(StepwiseZCLIntegral):
    """Takes whatever fits, at any price."""

    def take(self, unit_value: float, weight: float) -> float:
        """Take what fits."""
        return weight if self.fits(weight) else 0.0


class LastItemCut(StepwiseZCLIntegral):
    """Cuts the item that does not fit, as the published code does."""

    def take(self, unit_value: float, weight: float) -> float:
        """Take what there is room for."""
        return min(weight, self.room) if self.level(unit_value) >= self.filled - _ROUNDING else 0.0


class FilledHalved(StepwiseZCLIntegral):
    """Reads the threshold at half of the fill: too cheap until the knapsack is full."""

    def level(self, unit_value: float) -> float:
        """Twice as far up."""
        return 2 * super().level(unit_value)


class ClippingZCL(StepwiseZCL):
    """ZCL that reads a price beyond its range as the end of the range."""

    def __init__(self, lower: float, upper: float) -> None:
        self.upper = upper
        super().__init__(lower, upper)

    def level(self, unit_value: float) -> float:
        """Clip the price."""
        return super().level(min(unit_value, self.upper))


class StepwiseFr2Int:
    """The rounding as it is defined: cumulated weights of both sides, class by class."""

    def __init__(
        self,
        policy: Policy,
        lower: float,
        upper: float,
        *,
        mode: str = "floor",
        max_weight: float | None = None,
        edges: Sequence[float] = (),
        **others: Any,
    ) -> None:
        self.policy, self.mode, self.edges = policy, mode, list(edges)
        self.max_weight = max_weight or 0.0
        self.reset()

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with empty knapsacks."""
        self.policy.reset(capacity)
        self.capacity = capacity
        self.fractional = [0.0] * len(self.edges)
        self.whole = [0.0] * len(self.edges)
        self.fractional_value = self.whole_value = 0.0

    @property
    def share(self) -> float:
        """The part of the fractional amounts that is followed."""
        return 1 - len(self.edges) * self.max_weight if self.mode == "ceil" else 1.0

    def number(self, unit_value: float) -> int:
        """Return the number of the price class."""
        return bisect.bisect_right(self.edges, unit_value * (1 + _ROUNDING)) - 1

    def offer(self, unit_value: float, weight: float) -> float:
        """Follow the fractional policy."""
        amount, number = self.policy.offer(unit_value, weight), self.number(unit_value)
        self.fractional[number] += self.share * amount
        self.fractional_value += unit_value * amount
        taken = self.decide(number, unit_value, weight)
        self.whole[number] += taken
        self.whole_value += unit_value * taken
        return taken

    def decide(self, number: int, unit_value: float, weight: float) -> float:
        """Apply the rule of the mode."""
        gap = self.fractional[number] - self.whole[number]
        return weight if (gap > 1e-10 * weight if self.mode == "ceil" else gap >= weight * (1 - 1e-10)) else 0.0

    @property
    def room(self) -> float:
        """What still fits."""
        return max(0.0, self.capacity - sum(self.whole))


class PublishedRounding(StepwiseFr2Int):
    """Compares the values of a class, not its weights, and cuts what no longer fits, as published code does."""

    def reset(self, capacity: float = 1.0) -> None:
        """Start over."""
        super().reset(capacity)
        self.values = [[0.0, 0.0] for _ in self.edges]

    def offer(self, unit_value: float, weight: float) -> float:
        """Take the item while 99 percent of the fractional value exceed the integral one."""
        amount, number = self.policy.offer(unit_value, weight), self.number(unit_value)
        values = self.values[number]
        values[0] += unit_value * amount
        taken = min(weight, self.room) if 0.99 * values[0] > values[1] else 0.0
        values[1] += unit_value * taken
        self.whole[number] += taken
        return taken


class LastRoundedItemCut(StepwiseFr2Int):
    """Takes the part of an item that makes up for the gap."""

    def decide(self, number: int, unit_value: float, weight: float) -> float:
        """Close the gap."""
        return min(weight, max(0.0, self.fractional[number] - self.whole[number]))


class OneClassForAll(StepwiseFr2Int):
    """Keeps one balance for all prices: cheap items are taken for dear ones."""

    def number(self, unit_value: float) -> int:
        """Forget the price."""
        return 0


class AheadOfItself(StepwiseFr2Int):
    """Rounds to the nearest instead of down: whole items may outweigh the fractional ones."""

    def decide(self, number: int, unit_value: float, weight: float) -> float:
        """Take at half of the item."""
        return weight if self.fractional[number] - self.whole[number] >= weight / 2 else 0.0


class TwoItemsBehind(StepwiseFr2Int):
    """Waits for a gap of two items."""

    def decide(self, number: int, unit_value: float, weight: float) -> float:
        """Take at twice the item."""
        return weight if self.fractional[number] - self.whole[number] >= 2 * weight else 0.0


class HalfFollowed(StepwiseFr2Int):
    """Follows half of what the fractional policy accepts."""

    @property
    def share(self) -> float:
        """Half."""
        return 0.5


class ReserveForgotten(StepwiseFr2Int):
    """Rounds up without keeping room for the items that come early."""

    @property
    def share(self) -> float:
        """Follow the whole amounts."""
        return 1.0


class BehindInsteadOfAhead(StepwiseFr2Int):
    """Keeps the reserve, and rounds down all the same."""

    def decide(self, number: int, unit_value: float, weight: float) -> float:
        """Take at a whole item."""
        return weight if self.fractional[number] - self.whole[number] >= weight * (1 - 1e-10) else 0.0
