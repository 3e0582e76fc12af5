"""What the theorems need, as predicates, each with the smallest instance we know on which the bound breaks without it.

An assumption that nobody has seen fail to matter may be no assumption at all. So each names a claim and a witness: the
witness does not satisfy it, and the claim's bound is broken there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from learning_augmented.knapsack import OnlineKnapsackInstance
from proofs_checks.cases.knapsack import PredictedInstance
from proofs_checks.checkers.knapsack import SAME_PRICE, critical_by_sorting
from proofs_checks.claims.knapsack.interval_cases import IntervalCase, MixedInterval

__all__ = [
    "ASSUMPTIONS",
    "FRACTIONAL_CRITICAL_VALUE",
    "RIGHT_INTERVAL",
    "SMALL_ITEMS",
    "VALUES_IN_RANGE",
    "Assumption",
]


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that a theorem needs.

    Parameters
    ----------
    sentence : str
        As the claims state it.
    holds : callable
        ``holds(case) -> bool``.
    witness : object
        A case that does not satisfy it.
    breaks : str
        Id of a claim whose bound is broken by the witness.
    """

    sentence: str
    holds: Callable[[Any], bool]
    witness: Any
    breaks: str


def _right_interval(case: IntervalCase | MixedInterval) -> bool:
    critical = critical_by_sorting(case.instance).value
    return case.low * (1 - SAME_PRICE) <= critical <= case.high * (1 + SAME_PRICE)


def _right_prediction(case: PredictedInstance) -> bool:
    return math.isclose(case.prediction, critical_by_sorting(case.instance).value, rel_tol=SAME_PRICE)


def _small_items(instance: OnlineKnapsackInstance) -> bool:
    ratio = 1 + math.log(instance.upper / instance.lower)
    return float(instance.weights.max()) / instance.capacity <= 1 - 1 / ratio


def _within_known_end(case: PredictedInstance) -> bool:
    """Here the prediction is the upper end of the range that the policy knows."""
    return float(case.instance.unit_values.max()) <= case.prediction * (1 + SAME_PRICE)


RIGHT_INTERVAL = Assumption(
    sentence=r"The interval contains the critical value: $\ell \le \hat v \le u$.",
    holds=_right_interval,
    witness=IntervalCase(OnlineKnapsackInstance([2.0], [1.0], lower=1.0, upper=10.0), 3.0, 4.0),
    breaks="knapsack.ipa.ratio",
)
SMALL_ITEMS = Assumption(
    sentence=r"No item weighs more than $\varepsilon \le 1 - 1/\alpha$ capacities.",
    holds=_small_items,
    # The cheap speck is worth accepting, and then the dear item does not fit.
    witness=OnlineKnapsackInstance([1.0, 100.0], [1e-6, 1.0], lower=1.0, upper=100.0),
    breaks="knapsack.zcl_integral.large_items",
)
FRACTIONAL_CRITICAL_VALUE = Assumption(
    sentence=r"The prediction is the critical value $\hat v$ of the *fractional* optimum.",
    holds=_right_prediction,
    # The best whole items are the first and the last, so that their least unit value is 1; the fractional optimum cuts
    # the second item, and its critical value is 10.
    witness=PredictedInstance(
        OnlineKnapsackInstance([10.0, 1000.0, 1.0], [0.99, 0.6, 0.4], lower=1.0, upper=1000.0), 1.0
    ),
    breaks="knapsack.pp_advanced.ratio",
)
VALUES_IN_RANGE = Assumption(
    sentence=r"Unit values lie in $[L, U]$.",
    holds=_within_known_end,
    # Told [1, 2], ZCL is full before the price of 100 arrives.
    witness=PredictedInstance(OnlineKnapsackInstance([1.0, 2.0, 100.0], [1.0, 1.0, 1.0], lower=1.0, upper=100.0), 2.0),
    breaks="knapsack.zcl.dearer_than_known",
)

ASSUMPTIONS = (RIGHT_INTERVAL, SMALL_ITEMS, FRACTIONAL_CRITICAL_VALUE, VALUES_IN_RANGE)
