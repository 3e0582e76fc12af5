r"""Predictions of the critical value: the right one, and one learned from the past.

The critical value $\hat v$ of an instance is the least unit value that an optimal *fractional* selection accepts any
weight of. The optimum over whole items may well reach for cheaper ones: with (unit value, weight) = (10, 0.6),
(9, 0.6), (1, 0.4) and capacity 1, the fractional optimum takes 0.6 and 0.4 of the first two, the critical value is 9,
and the best whole items are the first and the third.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from algos.knapsack import fractional_knapsack
from algos.validation import require_finite, require_integer, require_positive
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.policy import PlainState, require_entries

__all__ = ["CriticalValue", "RollingCriticalValuePredictor", "critical_value"]


@dataclass(frozen=True, slots=True)
class CriticalValue:
    """The right prediction for an instance, and what surrounds it.

    Parameters
    ----------
    value : float
        The critical value; infinity (the minimum of nothing) for an instance without items.
    weight : float
        Weight offered at the critical value, all of it: not capped by the capacity.
    weight_above, value_above : float
        Weight and value of all dearer items.
    optimum : float
        The fractional optimum, ``value_above + value * min(weight, capacity - weight_above)``.
    """

    value: float
    weight: float
    weight_above: float
    value_above: float
    optimum: float


def critical_value(instance: OnlineKnapsackInstance) -> CriticalValue:
    """Return the critical value of an instance; unit values within a relative 1e-12 of it count as equal.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.

    Returns
    -------
    CriticalValue
        It is what a point prediction should be.

    Examples
    --------
    >>> critical_value(OnlineKnapsackInstance([10, 9, 1], [0.6, 0.6, 0.4], lower=1, upper=10))
    CriticalValue(value=9.0, weight=0.6, weight_above=0.6, value_above=6.0, optimum=9.6)
    """
    best = fractional_knapsack(instance.unit_values, instance.weights, instance.capacity)
    return CriticalValue(
        value=best.critical_value,
        weight=best.critical_weight,
        weight_above=best.weight_above,
        value_above=best.value_above,
        optimum=best.value,
    )


class RollingCriticalValuePredictor:
    """Predict a stream's critical value from its first unit value and from how earlier streams went.

    The prediction is the first unit value plus the mean of (critical value - first unit value) over the past streams.
    It is meant for prices whose level drifts, and carries no guarantee: hand it to `Mix`.

    Examples
    --------
    >>> predictor = RollingCriticalValuePredictor()
    >>> predictor.observe(first_price=100.0, critical_value=104.0)
    >>> predictor.observe(first_price=110.0, critical_value=116.0)
    >>> predictor.predict(first_price=120.0)
    125.0
    >>> predictor
    RollingCriticalValuePredictor(2 observed streams)
    """

    def __init__(self) -> None:
        self._observed = 0
        self._total_rise = 0.0

    def __repr__(self) -> str:
        """How many streams were observed."""
        plural = "" if self._observed == 1 else "s"
        return f"{type(self).__name__}({self._observed} observed stream{plural})"

    def observe(self, first_price: float, critical_value: float) -> None:
        """Learn from a stream that has ended.

        Parameters
        ----------
        first_price : float
            Its first unit value.
        critical_value : float
            Its critical value, known in hindsight.

        Raises
        ------
        ValueError
            If one of the two is not positive and finite; nothing is learned then.
        """
        first = require_positive("first_price", first_price)
        rise = require_positive("critical_value", critical_value) - first
        self._observed += 1
        self._total_rise += rise

    def predict(self, first_price: float) -> float:
        """Predict the critical value of the stream that begins.

        Parameters
        ----------
        first_price : float
            Its first unit value.

        Returns
        -------
        float
            The prediction, positive.

        Raises
        ------
        ValueError
            If nothing was observed yet, the price is not positive and finite, or the mean fall of the past streams
            exceeds it, so that the prediction would not be positive.
        """
        first = require_positive("first_price", first_price)
        if self._observed == 0:
            raise ValueError("nothing to predict from: observe at least one stream first")
        prediction = first + self._total_rise / self._observed
        if prediction <= 0:
            raise ValueError(f"first_price = {first}: past streams fell by {first - prediction} on average, below zero")
        return prediction

    @property
    def state(self) -> PlainState:
        """What was learned, as plain data."""
        return {"observed": self._observed, "total_rise": self._total_rise}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If an entry is missing, unknown or out of range.
        """
        require_entries(state, {}, ("observed", "total_rise"))
        observed = require_integer("state['observed']", state["observed"], minimum=0)
        self._total_rise = require_finite("state['total_rise']", state["total_rise"])
        self._observed = observed
