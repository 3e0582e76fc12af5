"""Adversaries that are too weak for the bound they should reach; each must be convicted."""

from __future__ import annotations

import numpy as np

from learning_augmented.knapsack import ParetoAdversary, PointAdversary, XIncreasing


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
