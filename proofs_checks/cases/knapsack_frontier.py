"""Cases of the claims about the frontier between consistency and robustness in online knapsack, as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["FrontierPoint", "MixOnFrontier"]


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """A robustness, and an adversary of the trade-off.

    Parameters
    ----------
    upper : float
        U/L, at least 1; prices begin at 1.
    slack : float
        The robustness is this times 1 + ln(U/L); at least 1.
    place : float
        Where the prediction lies between the ends of the range, on the logarithmic scale, in [0, 1].
    steps : int
        Number of rises to the prediction.
    gap : float
        Room that the dear items leave, in (0, 1).
    """

    upper: float
    slack: float
    place: float
    steps: int
    gap: float

    @property
    def robustness(self) -> float:
        """The ratio for any prediction."""
        return self.slack * (1 + math.log(self.upper))


@dataclass(frozen=True, slots=True)
class MixOnFrontier:
    """A Mix, and the range of prices that it lives in.

    Parameters
    ----------
    upper : float
        U/L; prices begin at 1.
    trust : float
        Weight of the policy that trusts the prediction, below 1.
    steps : int
        Number of rises of the adversary.
    """

    upper: float
    trust: float
    steps: int
