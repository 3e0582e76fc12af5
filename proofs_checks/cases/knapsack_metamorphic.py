"""Cases of the claims about changed inputs in online knapsack, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from learning_augmented.knapsack import OnlineKnapsackInstance

__all__ = ["Changed", "Named"]

Named: TypeAlias = Literal["zcl", "basic", "advanced", "interval", "mix"]
"""The policy that runs on both inputs."""


@dataclass(frozen=True, slots=True)
class Changed:
    """An instance, a policy, and how the input is changed.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    policy : {"zcl", "basic", "advanced", "interval", "mix"}
        Which policy runs.
    prediction : float
        What it is told.
    factor : float
        The change: another unit, another number of parts, a share of the stream.
    """

    instance: OnlineKnapsackInstance
    policy: Named
    prediction: float
    factor: float
