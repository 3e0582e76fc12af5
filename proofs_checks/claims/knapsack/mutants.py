"""Broken variants of the policies; each must be convicted.

Every class breaks one step and says which in its name and docstring. The unbroken policies `StepwiseZCL`,
`StepwisePPBasic` and `StepwisePPAdvanced` are written down a second time here, from the papers' algorithm boxes, so
that a variant overrides a single method; the tests hold them equal to the product's policies.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod

from proofs_checks.checkers.knapsack import SAME_PRICE, Policy


class _Stepwise(ABC):
    """One knapsack, in units of its capacity; a policy says how much it takes."""

    def __init__(self) -> None:
        self.reset()

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack."""
        self.capacity = capacity
        self.filled = 0.0
        self.critical = 0.0  # weight seen at the prediction, capped at the capacity

    def offer(self, unit_value: float, weight: float) -> float:
        """Return the accepted weight."""
        amount = self.take(unit_value, weight / self.capacity)
        self.filled += amount
        return amount * self.capacity

    @property
    def room(self) -> float:
        """What still fits; rounding may fill a hair more than everything."""
        return max(0.0, 1 - self.filled)

    @abstractmethod
    def take(self, unit_value: float, weight: float) -> float:
        """Return the accepted fraction of the capacity."""


class StepwiseZCL(_Stepwise):
    """ZCL as written in the paper: fill up to the level at which the threshold reaches the price."""

    def __init__(self, lower: float, upper: float) -> None:
        self.lower = lower
        self.ratio = 1 + math.log(upper / lower)
        super().__init__()

    def level(self, unit_value: float) -> float:
        """Return the fill at which the threshold reaches `unit_value`."""
        return (1 + math.log(unit_value / self.lower)) / self.ratio

    def take(self, unit_value: float, weight: float) -> float:
        """Fill up to the level."""
        return max(0.0, min(weight, self.level(unit_value) - self.filled, self.room))


class PlateauForgotten(StepwiseZCL):
    """The threshold rises from the first item on: nothing is sold at the lowest price."""

    def level(self, unit_value: float) -> float:
        """Omit the one that the plateau contributes."""
        return math.log(unit_value / self.lower) / self.ratio


class LogarithmAlone(StepwiseZCL):
    """ln(U/L) in place of 1 + ln(U/L): the knapsack is full before the price reaches the top."""

    def __init__(self, lower: float, upper: float) -> None:
        super().__init__(lower, upper)
        self.ratio = max(self.ratio - 1, 0.1)


class FilledForgotten(StepwiseZCL):
    """Capacity not respected: the level is granted to every item anew."""

    def take(self, unit_value: float, weight: float) -> float:
        """Compare the item, not the fill, with the level."""
        return min(weight, self.level(unit_value))


class GreedyZCL(StepwiseZCL):
    """Take whatever fits, at any price."""

    def take(self, unit_value: float, weight: float) -> float:
        """Take what fits."""
        return min(weight, self.room)


class _StepwisePoint(_Stepwise):
    """A point prediction: dear, critical and cheap items are treated by three methods."""

    def __init__(self, prediction: float) -> None:
        self.prediction = prediction
        super().__init__()

    def take(self, unit_value: float, weight: float) -> float:
        """Dispatch on the price."""
        if math.isclose(unit_value, self.prediction, rel_tol=SAME_PRICE):
            amount = self.at(weight)
        elif unit_value > self.prediction:
            amount = self.above(weight)
        else:
            amount = self.below(weight)
        return min(amount, self.room)

    def counted(self, weight: float) -> float:
        """Return how much of a critical item counts, with the total capped at the capacity."""
        return min(weight, 1 - self.critical)

    @abstractmethod
    def above(self, weight: float) -> float:
        """Return the accepted fraction of a dear item."""

    @abstractmethod
    def at(self, weight: float) -> float:
        """Return the accepted fraction of a critical item."""

    def below(self, weight: float) -> float:
        """Return the accepted fraction of a cheap item."""
        return 0.0


class StepwisePPBasic(_StepwisePoint):
    """PP-b as written in the paper: half of everything that counts."""

    def above(self, weight: float) -> float:
        """Half."""
        return weight / 2

    def at(self, weight: float) -> float:
        """Half of what counts."""
        counted = self.counted(weight)
        self.critical += counted
        return counted / 2


class BasicUncapped(StepwisePPBasic):
    """Capping of the critical weight forgotten: shows once more critical weight arrives than the capacity."""

    def counted(self, weight: float) -> float:
        """Count everything."""
        return weight


class BasicGreedyBelow(StepwisePPBasic):
    """Sells below the prediction because there is room."""

    def below(self, weight: float) -> float:
        """Take it all."""
        return weight


class BasicDearWhole(StepwisePPBasic):
    """Takes dear items whole: half a knapsack is no longer kept for the critical ones."""

    def above(self, weight: float) -> float:
        """Take it all."""
        return weight


class BasicCriticalRefused(StepwisePPBasic):
    """Strictly above the prediction only, the naive reading: collects nothing where all items are critical."""

    def at(self, weight: float) -> float:
        """Take nothing."""
        return 0.0


class StepwisePPAdvanced(_StepwisePoint):
    """PP-a as written in the paper: the critical weight is updated first, then used."""

    def above(self, weight: float) -> float:
        """Reserve for the critical weight seen."""
        return weight / (1 + self.critical)

    def at(self, weight: float) -> float:
        """Fill part of the room that is left."""
        counted = self.counted(weight)
        self.critical += counted
        return (1 - self.filled) * counted / (1 + self.critical)


class UpdatedAfterUse(StepwisePPAdvanced):
    """The critical weight is updated after it was used."""

    def at(self, weight: float) -> float:
        """Use the old critical weight."""
        counted = self.counted(weight)
        amount = (1 - self.filled) * counted / (1 + self.critical)
        self.critical += counted
        return amount


class AdvancedUncapped(StepwisePPAdvanced):
    """Capping of the critical weight forgotten: shows once more critical weight arrives than the capacity."""

    def counted(self, weight: float) -> float:
        """Count everything."""
        return weight


class AdvancedGreedyBelow(StepwisePPAdvanced):
    """Sells below the prediction because there is room."""

    def below(self, weight: float) -> float:
        """Take it all."""
        return weight


class NothingReserved(StepwisePPAdvanced):
    """The critical weight is never counted: greedy from the prediction upwards."""

    def at(self, weight: float) -> float:
        """Take it all."""
        return weight


class HalvesAlways(StepwisePPAdvanced):
    """Reserves half of the room always, as PP-b does: worse than PP-a where the critical weight is small."""

    def above(self, weight: float) -> float:
        """Half."""
        return weight / 2


class _MixVariant:
    """Two policies with a virtual knapsack each; a variant combines their decisions wrongly."""

    def __init__(self, trusted: Policy, robust: Policy, trust: float) -> None:
        self.trusted, self.robust, self.trust = trusted, robust, trust

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with empty knapsacks."""
        self.trusted.reset(capacity)
        self.robust.reset(capacity)


class TrustSwapped(_MixVariant):
    """The trust goes to the robust policy."""

    def offer(self, unit_value: float, weight: float) -> float:
        """Combine the wrong way round."""
        trusted, robust = self.trusted.offer(unit_value, weight), self.robust.offer(unit_value, weight)
        return self.trust * robust + (1 - self.trust) * trusted


class TrustedAlone(_MixVariant):
    """Follows the trusted policy with its share and leaves the other share of the knapsack empty."""

    def offer(self, unit_value: float, weight: float) -> float:
        """Forget the robust part."""
        return self.trust * self.trusted.offer(unit_value, weight)


class CoinFlip(_MixVariant):
    """One policy is picked at random on the first item, and followed: right in expectation, not on every instance."""

    def reset(self, capacity: float = 1.0) -> None:
        """Start over; the coin is flipped on the first item."""
        super().reset(capacity)
        self.picked: Policy | None = None

    def offer(self, unit_value: float, weight: float) -> float:
        """Follow the policy that was picked."""
        if self.picked is None:
            heads = random.Random(f"{unit_value} {weight}").random() < self.trust
            self.picked = self.trusted if heads else self.robust
        return self.picked.offer(unit_value, weight)


class OneKnapsack(_MixVariant):
    """One knapsack for both: the robust policy is offered only what the trusted one left of the item."""

    def offer(self, unit_value: float, weight: float) -> float:
        """Let the two share the item."""
        trusted = self.trusted.offer(unit_value, weight)
        left = weight - trusted
        robust = self.robust.offer(unit_value, left) if left > 0 else 0.0
        return self.trust * trusted + (1 - self.trust) * robust
