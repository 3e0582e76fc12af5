"""Broken variants of the policies, formulas and adversaries of online knapsack; each must be convicted.

Every class breaks one step and says which in its name and docstring. The unbroken step-wise policies `StepwiseZCL`,
`StepwisePPBasic` and `StepwisePPAdvanced` are written down a second time here, from the papers' algorithm boxes, so that
a variant overrides a single method; the tests hold them equal to the product's policies.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from learning_augmented.knapsack import (
    CriticalValue,
    OnlineKnapsackInstance,
    ParetoAdversary,
    PointAdversary,
    XIncreasing,
    critical_value,
)
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


class _WeakRise(XIncreasing):
    """An adversary with the right ends and the wrong stages."""

    def stages(self) -> list[tuple[float, float]]:
        """Return the stages."""
        return self.weakened(super().stages())

    def weakened(self, stages: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """Return other stages."""
        raise NotImplementedError


class FallingPrices(_WeakRise):
    """The best price comes first: a threshold policy takes it."""

    def weakened(self, stages: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """Reverse the order."""
        return stages[::-1]


class EvenSteps(_WeakRise):
    """Prices on an even grid, not a geometric one: most of the rise happens in the first steps."""

    def weakened(self, stages: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """Space the prices evenly."""
        prices = np.linspace(self.lower, self.upper, len(stages)).tolist()
        return [(price, weight) for price, (_, weight) in zip(prices, stages, strict=True)]


class ThinStages(_WeakRise):
    """Too little weight at each price: the optimum cannot fill the knapsack at the last one."""

    def weakened(self, stages: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """Offer a hundredth of the capacity at each price."""
        return [(price, weight / 100) for price, weight in stages]


class DearAlone(PointAdversary):
    """No critical items before the dear ones: nothing has to be reserved."""

    def stages(self) -> list[tuple[float, float]]:
        """Return the dear batch alone."""
        return super().stages()[1:]

    def stops(self) -> list[int]:
        """Return the only stop."""
        return [1]


class DearFirst(PointAdversary):
    """The dear items come first: what is critical is known to be cheap by then."""

    def stages(self) -> list[tuple[float, float]]:
        """Reverse the order."""
        return super().stages()[::-1]


class DearMissing(ParetoAdversary):
    """Prices stop at the prediction: nothing has to be kept for dear items."""

    def stages(self) -> list[tuple[float, float]]:
        """Repeat the last batch before the dear one."""
        rising = super().stages()[:-1]
        return [*rising, rising[-1]]


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
    return 1 + steps * (upper_over_lower ** (1 / steps) - 1)


def one_step_more(upper_over_lower: float, steps: int) -> float:
    """K + 1 for K: the first price counted as a rise."""
    return 1 + (steps + 1) * (1 - upper_over_lower ** (-1 / steps))


def two_for_one(upper_over_lower: float, steps: int) -> float:
    """2 + K(1 - 1/r)."""
    return 2 + steps * (1 - upper_over_lower ** (-1 / steps))


def gap_forgotten(critical_weight: float, prediction_over_upper: float, gap: float) -> float:
    """The limit of no gap, claimed for every gap."""
    return 1 + critical_weight * (1 - prediction_over_upper)


def price_ratio_forgotten(critical_weight: float, prediction_over_upper: float, gap: float) -> float:
    """The limit of infinitely dear items, claimed for every price."""
    return 1 + critical_weight - gap


def two_for_one_at_the_point(critical_weight: float, prediction_over_upper: float, gap: float) -> float:
    """2 for 1 in front."""
    return 2 + (critical_weight - gap) * (1 - prediction_over_upper)


def _subsets(count: int) -> Iterator[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    for code in range(2**count):
        yield (code >> np.arange(count)) % 2 == 1
