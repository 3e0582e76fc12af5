r"""How predictions go wrong: named models of error, to be laid over a right prediction.

A model takes the right prediction $\hat v$ of an instance and returns a wrong one $\tilde v$:

- `MultiplicativeError`: $\tilde v = f \hat v$ with a fixed factor, or $\tilde v = e^{\sigma g} \hat v$ with a standard
  normal $g$;
- `AdditiveError`: $\tilde v = \hat v + s$, or $\tilde v = \hat v + \sigma g$;
- `AdversarialDirectionError`: $e^{\sigma} \hat v$ or $e^{-\sigma} \hat v$, whichever hurts;
- `StaleError`: the right prediction of an earlier instance.

All of them take an interval $(\ell, u)$ as well, and move both of its ends. The noise $g$ of an instance does not
depend on $\sigma$: on a grid of sizes, the same prediction moves further and further in the same direction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from numpy.random import Generator

from algos.validation import require_finite, require_integer, require_nonnegative, require_positive
from learning_augmented.knapsack.instance import OnlineKnapsackInstance
from learning_augmented.knapsack.point_prediction import PPAdvanced
from learning_augmented.knapsack.policy import OnlinePolicy

__all__ = ["AdditiveError", "AdversarialDirectionError", "MultiplicativeError", "PredictionError", "StaleError"]

Prediction: TypeAlias = float | tuple[float, float]
"""A predicted critical value, or the ends of an interval that should hold it."""


class PredictionError(Protocol):
    """A model of error: how a right prediction becomes a wrong one."""

    @property
    def size(self) -> float:
        """Where the model stands on the axis of a plot; 0 where it changes nothing."""

    def perturbed(
        self, prediction: Prediction, *, instance: OnlineKnapsackInstance, past: Sequence[Prediction], rng: Generator
    ) -> Prediction:
        """Return the wrong prediction.

        Parameters
        ----------
        prediction : float or (float, float)
            The right one.
        instance : OnlineKnapsackInstance
            What it is right for.
        past : sequence of predictions
            The right ones of the instances before, oldest first.
        rng : numpy.random.Generator
            Source of the noise.

        Returns
        -------
        float or (float, float)
            Of the kind that was given.
        """


@dataclass(frozen=True, slots=True)
class MultiplicativeError:
    """Predictions wrong by a factor, fixed or random.

    Parameters
    ----------
    factor : float
        Every prediction is multiplied by it; above 1 it is too high.
    sigma : float
        Standard deviation of the logarithm of a random factor with median 1.

    Raises
    ------
    ValueError
        If the factor is not positive, sigma is negative, or both are given.

    Examples
    --------
    >>> import numpy as np
    >>> from learning_augmented.knapsack import power_law
    >>> instance, rng = power_law(9, upper=100, rng=0), np.random.default_rng(0)
    >>> MultiplicativeError(factor=0.5).perturbed(8.0, instance=instance, past=(), rng=rng)
    4.0
    >>> MultiplicativeError(sigma=0.1)
    MultiplicativeError(sigma=0.1)
    """

    factor: float = 1.0
    sigma: float = 0.0

    def __post_init__(self) -> None:
        require_positive("factor", self.factor)
        _require_one_of_two("factor", self.factor, 1.0, self.sigma)

    def __repr__(self) -> str:
        """The factor, or sigma."""
        given = f"sigma={self.sigma:g}" if self.sigma else f"factor={self.factor:g}"
        return f"{type(self).__name__}({given})"

    @property
    def size(self) -> float:
        """Logarithm of the factor, or sigma."""
        return self.sigma or math.log(self.factor)

    def perturbed(
        self, prediction: Prediction, *, instance: OnlineKnapsackInstance, past: Sequence[Prediction], rng: Generator
    ) -> Prediction:
        """Return the prediction times the factor.

        Parameters
        ----------
        prediction, instance, past, rng
            As in `PredictionError`; an interval keeps the ratio of its ends.

        Returns
        -------
        float or (float, float)
            The wrong prediction.
        """
        factor = math.exp(self.sigma * rng.standard_normal()) if self.sigma else self.factor
        return _moved(prediction, lambda end: end * factor)


@dataclass(frozen=True, slots=True)
class AdditiveError:
    """Predictions wrong by an amount, fixed or random.

    Parameters
    ----------
    shift : float
        Added to every prediction, in units of unit value.
    sigma : float
        Standard deviation of a random amount with mean 0.

    Raises
    ------
    ValueError
        If a number is not finite, sigma is negative, or both are given. By `perturbed`: if the outcome is not positive;
        nothing is clipped.

    Examples
    --------
    >>> import numpy as np
    >>> from learning_augmented.knapsack import power_law
    >>> instance, rng = power_law(9, upper=100, rng=0), np.random.default_rng(0)
    >>> AdditiveError(shift=-3).perturbed((5.0, 8.0), instance=instance, past=(), rng=rng)
    (2.0, 5.0)
    """

    shift: float = 0.0
    sigma: float = 0.0

    def __post_init__(self) -> None:
        require_finite("shift", self.shift)
        _require_one_of_two("shift", self.shift, 0.0, self.sigma)

    def __repr__(self) -> str:
        """The shift, or sigma."""
        given = f"sigma={self.sigma:g}" if self.sigma else f"shift={self.shift:g}"
        return f"{type(self).__name__}({given})"

    @property
    def size(self) -> float:
        """The shift, or sigma."""
        return self.sigma or self.shift

    def perturbed(
        self, prediction: Prediction, *, instance: OnlineKnapsackInstance, past: Sequence[Prediction], rng: Generator
    ) -> Prediction:
        """Return the prediction plus the amount.

        Parameters
        ----------
        prediction, instance, past, rng
            As in `PredictionError`; an interval keeps its length.

        Returns
        -------
        float or (float, float)
            The wrong prediction.

        Raises
        ------
        ValueError
            If it is not positive.
        """
        amount = self.sigma * rng.standard_normal() if self.sigma else self.shift

        def plus(end: float) -> float:
            if end + amount <= 0:
                raise ValueError(
                    f"{self!r} turns the prediction {end:g} into {end + amount:g}: must stay positive; "
                    f"MultiplicativeError always does"
                )
            return end + amount

        return _moved(prediction, plus)


@dataclass(frozen=True, slots=True)
class AdversarialDirectionError:
    r"""Predictions wrong by a factor $e^{\pm\sigma}$, to the side that hurts the policy which trusts them.

    Parameters
    ----------
    sigma : float
        Logarithm of the factor.
    policy : callable
        ``policy(prediction) -> OnlinePolicy``, say ``lambda ends: IPA(*ends)`` for intervals. The side is the one on
        which this policy collects less; on a tie the prediction is too high.

    Raises
    ------
    ValueError
        If sigma is negative.

    Examples
    --------
    With 4 predicted for items of 2, PPAdvanced takes nothing:

    >>> import numpy as np
    >>> from learning_augmented.knapsack import OnlineKnapsackInstance
    >>> instance = OnlineKnapsackInstance([2.0, 2.0], [0.5, 0.5], lower=1, upper=4)
    >>> rng = np.random.default_rng(0)
    >>> round(AdversarialDirectionError(np.log(2)).perturbed(2.0, instance=instance, past=(), rng=rng), 9)
    4.0
    """

    sigma: float
    policy: Callable[[Any], OnlinePolicy] = PPAdvanced

    def __post_init__(self) -> None:
        require_nonnegative("sigma", self.sigma)

    def __repr__(self) -> str:
        """Sigma."""
        return f"{type(self).__name__}({self.sigma:g})"

    @property
    def size(self) -> float:
        """Sigma."""
        return self.sigma

    def perturbed(
        self, prediction: Prediction, *, instance: OnlineKnapsackInstance, past: Sequence[Prediction], rng: Generator
    ) -> Prediction:
        """Return the prediction times or divided by the factor.

        Parameters
        ----------
        prediction, instance, past, rng
            As in `PredictionError`.

        Returns
        -------
        float or (float, float)
            The wrong prediction.
        """
        factor = math.exp(self.sigma)
        high = _moved(prediction, lambda end: end * factor)
        low = _moved(prediction, lambda end: end / factor)
        return min((high, low), key=lambda wrong: self.policy(wrong).run(instance).value)


@dataclass(frozen=True, slots=True)
class StaleError:
    r"""Yesterday's critical value: what was right for an earlier instance.

    Parameters
    ----------
    lag : int
        How many instances earlier. The first `lag` of them have no such past; for them the prediction is the middle
        $\sqrt{LU}$ of the known range, or the whole range where an interval is predicted.

    Raises
    ------
    ValueError
        If the lag is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from learning_augmented.knapsack import power_law
    >>> instance, rng = power_law(9, upper=100, rng=0), np.random.default_rng(0)
    >>> [StaleError().perturbed(8.0, instance=instance, past=past, rng=rng) for past in ((), (3.0, 5.0))]
    [10.0, 5.0]
    """

    lag: int = 1

    def __post_init__(self) -> None:
        require_integer("lag", self.lag, minimum=1)

    @property
    def size(self) -> float:
        """The lag."""
        return float(self.lag)

    def perturbed(
        self, prediction: Prediction, *, instance: OnlineKnapsackInstance, past: Sequence[Prediction], rng: Generator
    ) -> Prediction:
        """Return what was right `lag` instances ago.

        Parameters
        ----------
        prediction, instance, past, rng
            As in `PredictionError`.

        Returns
        -------
        float or (float, float)
            The old prediction.
        """
        if len(past) >= self.lag:
            return past[-self.lag]
        if isinstance(prediction, tuple):
            return instance.lower, instance.upper
        return math.sqrt(instance.lower) * math.sqrt(instance.upper)


def _require_one_of_two(name: str, value: float, neutral: float, sigma: float) -> None:
    require_nonnegative("sigma", sigma)
    if value != neutral and sigma:
        raise ValueError(f"{name} = {value:g}, sigma = {sigma:g}: give one of them")


def _moved(prediction: Prediction, move: Callable[[float], float]) -> Prediction:
    if isinstance(prediction, tuple):
        low, high = prediction
        return move(low), move(high)
    return move(prediction)
