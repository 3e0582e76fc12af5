"""What the claims about online knapsack are tried on, apart from the plain instances: data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from learning_augmented.knapsack import OnlineKnapsackInstance

__all__ = [
    "MixCase",
    "PointGame",
    "PointSetting",
    "PredictedInstance",
    "Rise",
    "RisingGame",
    "StagePolicy",
    "TradeOffGame",
    "Trusted",
]

Trusted: TypeAlias = Literal["basic", "advanced"]


@dataclass(frozen=True, slots=True)
class PredictedInstance:
    """An instance and somebody's prediction of its critical value.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    prediction : float
        Any positive number, right or wrong.
    """

    instance: OnlineKnapsackInstance
    prediction: float


@dataclass(frozen=True, slots=True)
class MixCase:
    """A predicted instance for Mix.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    prediction : float
        Any positive number, right or wrong.
    trust : float
        Weight of the trusted policy, in [0, 1].
    trusted : {"basic", "advanced"}
        Which point-prediction policy Mix trusts.
    """

    instance: OnlineKnapsackInstance
    prediction: float
    trust: float
    trusted: Trusted = "advanced"


@dataclass(frozen=True, slots=True)
class Rise:
    """Geometrically rising prices from 1, and the trust of the Mix that meets them under a prediction above all prices.

    Parameters
    ----------
    upper : float
        The last price, at least 1.
    steps : int
        Number of rises.
    trust : float
        Weight of the policy that trusts the prediction; 0 is ZCL alone.
    """

    upper: float
    steps: int
    trust: float = 0.0


@dataclass(frozen=True, slots=True)
class PointSetting:
    """A setting of the adversary of a right point prediction.

    Parameters
    ----------
    critical_weight : float
        Weight at the predicted value, in (0, 1].
    prediction_over_upper : float
        Predicted value, where the dear items have unit value 1; in (0, 1].
    gap : float
        Room that the dear items leave, in (0, critical_weight] and below 1.
    """

    critical_weight: float
    prediction_over_upper: float
    gap: float


@dataclass(slots=True)
class StagePolicy:
    """An online policy on a fixed sequence of stages, as plain data.

    Of stage k it accepts ``fractions[k]`` of all that it could (the smaller of the offer and the room left). Against an
    adversary whose items do not depend on the policy, every online policy is one of these.

    Parameters
    ----------
    fractions : tuple of float
        One in [0, 1] a stage; later stages get nothing.

    Examples
    --------
    >>> policy = StagePolicy((0.5, 1.0))
    >>> [policy.offer(unit_value, 1.0) for unit_value in (1.0, 2.0, 4.0)]
    [0.5, 0.5, 0.0]
    """

    fractions: tuple[float, ...]
    _room: float = field(default=1.0, init=False, repr=False, compare=False)
    _stage: int = field(default=0, init=False, repr=False, compare=False)

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self._room = capacity
        self._stage = 0

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on the item of the next stage.

        Parameters
        ----------
        unit_value, weight : float
            The item; the policy knew the sequence beforehand and looks at the weight only.

        Returns
        -------
        float
            Accepted weight.
        """
        fraction = self.fractions[self._stage] if self._stage < len(self.fractions) else 0.0
        amount = fraction * min(weight, self._room)
        self._room -= amount
        self._stage += 1
        return amount


@dataclass(frozen=True, slots=True)
class RisingGame:
    """A policy against prices that rise geometrically from 1 and may stop at any time.

    Parameters
    ----------
    upper : float
        The last price, at least 1.
    policy : StagePolicy
        One fraction a price, so ``len(policy.fractions) - 1`` steps.
    """

    upper: float
    policy: StagePolicy


@dataclass(frozen=True, slots=True)
class PointGame:
    """A policy against the adversary of a right point prediction.

    Parameters
    ----------
    setting : PointSetting
        The adversary's.
    policy : StagePolicy
        Two fractions.
    """

    setting: PointSetting
    policy: StagePolicy


@dataclass(frozen=True, slots=True)
class TradeOffGame:
    """A policy against prices that rise from 1 to a prediction and may then jump to dear items.

    Parameters
    ----------
    prediction, upper : float
        Predicted value and price of the dear items, ``1 <= prediction <= upper``.
    gap : float
        Room that the dear items leave, in (0, 1).
    policy : StagePolicy
        ``steps + 2`` fractions for ``steps`` rises.
    """

    prediction: float
    upper: float
    gap: float
    policy: StagePolicy
