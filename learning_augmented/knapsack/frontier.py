r"""The consistency-robustness frontier: what a policy that survives wrong predictions can make of a right one.

A policy is $\gamma$-robust if its ratio is at most $\gamma$ whatever the prediction, and $\eta$-consistent if it is at
most $\eta$ when the prediction is right. `ParetoAdversary` makes every policy pay: with $t = \hat v/U$, $K$ steps of
the factor $r = (\hat v/L)^{1/K}$ and the gap $d$,

$$\frac{1 + (1-d)(1 - t)}{\eta} + \frac{K(1 - 1/r)}{\gamma} \le 1 .$$

With infinitely many steps and no gap, the worst prediction gives the closed form

$$\eta \ge \max_{t \in [L/U, 1]} \frac{2 - t}{1 - \ln(tU/L)/\gamma},$$

whose maximiser solves $2/t + \ln t = \kappa := \gamma - \ln(U/L) + 1$, that is $1/t = -W_{-1}(-2 e^{-\kappa})/2$ with
the lower branch of Lambert's function, cut off at the ends of $[L/U, 1]$. `Mix` stays within a factor of 1.23 of it for
$U/L$ from 10 to $10^6$ and trust from 0.1 to 0.9.

The trade-off is Theorem 4.2 of Daneshvaramoli, Karisani, Lechowicz, Sun, Musco and Hajiesmaili (2025), "Near-optimal
consistency-robustness trade-offs for learning-augmented online knapsack problems", ICML; the inequality and the closed
form are this library's statements. The linear program follows an idea of Balseiro, Kroer and Kumar (2023), "Single-leg
revenue management with advice", EC, where fares are discrete.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import lambertw

from algos.validation import require_at_least, require_positive
from learning_augmented.knapsack.adversaries import ParetoAdversary

__all__ = ["ParetoBound", "ParetoProgram", "pareto_lower_bound", "pareto_lp"]


@dataclass(frozen=True, slots=True)
class ParetoBound:
    """What no policy of a given robustness can beat when the prediction is right.

    Parameters
    ----------
    consistency : float
        The least ratio.
    prediction_over_upper : float
        The worst prediction, divided by the upper end of the range.
    """

    consistency: float
    prediction_over_upper: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ParetoProgram:
    """The best policy of a given robustness against one adversary.

    Parameters
    ----------
    consistency : float
        Its ratio when the prediction is right.
    accepted : ndarray of float64, shape (steps + 2,)
        What it accepts of each batch, read-only.
    """

    consistency: float
    accepted: NDArray[np.float64]

    def __repr__(self) -> str:
        """The ratio and the number of batches."""
        return f"ParetoProgram(consistency={self.consistency:.6g}, {len(self.accepted)} batches)"


def pareto_lower_bound(robustness: float, upper_over_lower: float) -> ParetoBound:
    """Return the consistency that no policy of a given robustness can beat.

    Parameters
    ----------
    robustness : float
        Ratio for any prediction, at least ``1 + ln(upper_over_lower)``; infinity where only consistency counts.
    upper_over_lower : float
        U/L, at least 1.

    Returns
    -------
    ParetoBound
        The bound and the prediction at which it is felt.

    Raises
    ------
    ValueError
        If no policy is that robust.

    Examples
    --------
    >>> bound = pareto_lower_bound(15.8155, 1000)  # Mix with trust 1/2
    >>> round(bound.consistency, 4), round(bound.prediction_over_upper, 4)
    (2.71, 0.1714)
    """
    spread = math.log(require_at_least("upper_over_lower", upper_over_lower, 1))
    if robustness == math.inf:
        return ParetoBound(2.0 - math.exp(-spread), math.exp(-spread))
    wanted = require_positive("robustness", robustness)
    if wanted < (1.0 + spread) * (1.0 - 1e-12):
        raise ValueError(f"robustness = {wanted}: must be at least 1 + ln(upper_over_lower) = {1.0 + spread}")
    kappa = max(2.0, wanted - spread + 1.0)  # at 2, no more robustness than ZCL's
    reciprocal = -float(lambertw(-2.0 * math.exp(-kappa), k=-1).real) / 2.0
    share = min(1.0, max(math.exp(-spread), 1.0 / reciprocal))
    return ParetoBound((2.0 - share) / (1.0 - (math.log(share) + spread) / wanted), share)


def pareto_lp(
    robustness: float, prediction: float, lower: float, upper: float, steps: int, gap: float
) -> ParetoProgram:
    r"""Solve for the best consistency of any policy with a given robustness against `ParetoAdversary`.

    The variables are the accepted weights $x_j$ of the batches and $1/\eta$; at each stop before the prediction the
    policy must hold a part $1/\gamma$ of the optimum, at the last two a part $1/\eta$, and $1/\eta$ is maximised.

    Parameters
    ----------
    robustness : float
        Ratio promised at the stops before the prediction.
    prediction : float
        Price at which the prediction turns right.
    lower, upper : float
        First and last price.
    steps : int
        Number of rises from lower to the prediction.
    gap : float
        Room that the last batch leaves, in (0, 1).

    Returns
    -------
    ParetoProgram
        Consistency and the policy that attains it.

    Raises
    ------
    ValueError
        If no policy keeps the promise, or a parameter is out of range.

    Examples
    --------
    >>> program = pareto_lp(10.0, prediction=10, lower=1, upper=100, steps=20, gap=0.01)
    >>> program
    ParetoProgram(consistency=2.41661, 22 batches)
    """
    import cvxpy as cp  # takes a second to import

    wanted = require_positive("robustness", robustness)
    adversary = ParetoAdversary(prediction, lower, upper, steps, gap)
    prices, weights = (np.array(column) for column in zip(*adversary.stages(), strict=True))
    least = 1.0 + float(np.sum(1.0 - prices[: steps - 1] / prices[1:steps]))  # as without a prediction
    if wanted < least:
        raise ValueError(f"robustness = {wanted}: must be at least {least}, no policy is more robust here")
    optima = np.append(prices[:-1], prices[-1] * weights[-1] + prices[-2] * (1.0 - weights[-1]))
    # One row a stop, divided by its optimum: the program stays well scaled however far the prices spread.
    held = np.tril(np.ones((len(prices), len(prices)))) * prices / optima[:, np.newaxis]
    amounts, reciprocal = cp.Variable(len(prices), nonneg=True), cp.Variable(nonneg=True)
    program = cp.Problem(
        cp.Maximize(reciprocal),
        [
            held[:-2] @ amounts >= 1.0 / wanted,
            held[-2:] @ amounts >= reciprocal,
            amounts <= weights,
            cp.sum(amounts) <= 1.0,
        ],
    )
    program.solve(solver=cp.CLARABEL)
    accepted = np.asarray(amounts.value, dtype=np.float64)
    accepted.flags.writeable = False
    return ParetoProgram(1.0 / float(reciprocal.value), accepted)
