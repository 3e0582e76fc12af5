"""Broken variants of Sentinel; each must be convicted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from learning_augmented.knapsack import Sentinel


class BudgetsNotPassedOn(Sentinel):
    """An item may use the room at its own price only, as published code has it for dear items."""

    def offer(self, unit_value: float, weight: float) -> float:
        """Use one budget."""
        price = int(np.argmin(np.abs(self.prices - unit_value)))
        amount: float = min(weight, self._rooms[price])
        self._rooms[price] -= amount
        return amount


class MidpointTrusted(Sentinel):
    """Trusts the middle of each range as if it were exact."""

    def __init__(self, frequency_low: Mapping[float, float], frequency_high: Mapping[float, float]) -> None:
        middle = {price: (frequency_low[price] + most) / 2 for price, most in frequency_high.items()}
        super().__init__(middle, middle)


class OptimumOfTheLeast(Sentinel):
    """Sets room aside for the least weights alone."""

    def __init__(self, frequency_low: Mapping[float, float], frequency_high: Mapping[float, float]) -> None:
        super().__init__(frequency_low, {price: frequency_low[price] for price in frequency_high})
