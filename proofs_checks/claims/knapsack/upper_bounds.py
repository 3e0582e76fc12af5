r"""What the policies guarantee: OPT / ALG stays below a bound on every instance.

Every bound is written here a second time, in one line, and every optimum comes from the checkers: nothing is taken from
the package that stands trial but the policies themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from numpy.random import Generator

from learning_augmented.knapsack import (
    ZCL,
    Mix,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    XIncreasing,
)
from proofs_checks.checkers.knapsack import (
    competitive_ratio,
    critical_by_sorting,
    optimum_by_sorting,
    play,
)
from proofs_checks.claim import Claim, Effort, EveryInstance, Sides
from proofs_checks.claims.knapsack import mutants
from proofs_checks.claims.knapsack.cases import (
    MixCase,
    PredictedInstance,
    hand_made_instances,
    known_arrivals,
    known_predicted,
    random_instance,
    random_predicted,
)
from proofs_checks.plots import knapsack as plots

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["CLAIMS", "MIX_RANGE", "alpha", "mix_ratio_sides", "one_item_at"]

_TRUSTS = (0.1, 0.5, 0.9)


def alpha(instance: OnlineKnapsackInstance) -> float:
    """Return 1 + ln(U/L).

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        For its range.

    Returns
    -------
    float
        At least 1.
    """
    return 1 + math.log(instance.upper / instance.lower)


def _instances() -> SearchStrategy[OnlineKnapsackInstance]:
    from proofs_checks.strategies.knapsack import online_knapsack_instances

    return online_knapsack_instances()


def _rightly_predicted() -> SearchStrategy[PredictedInstance]:
    from proofs_checks.strategies.knapsack import predicted_instances

    return predicted_instances(right=True)


def _mix_cases(right: bool) -> Callable[[], SearchStrategy[MixCase]]:
    def strategy() -> SearchStrategy[MixCase]:
        from proofs_checks.strategies.knapsack import mix_cases

        return mix_cases(right=right)

    return strategy
