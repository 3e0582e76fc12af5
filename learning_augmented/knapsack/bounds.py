r"""Closed forms: what the policies guarantee, and what no policy can.

A competitive ratio is $\mathrm{OPT}/\mathrm{ALG} \ge 1$, the optimum being fractional. Weights are in units of the
capacity. Upper bounds hold on every instance; lower bounds name the family of instances (see
`learning_augmented.knapsack.adversaries`) on which every policy does that badly.
"""

from __future__ import annotations

import math

from algos.validation import (
    require_at_least,
    require_between,
    require_integer,
    require_nonnegative,
    require_ordered,
    require_positive,
)

__all__ = [
    "mix_consistency",
    "mix_robustness",
    "no_prediction_lower_bound",
    "point_lower_bound",
    "pp_advanced_ratio",
    "pp_basic_ratio",
    "trust_for_robustness",
    "zcl_ratio",
]


def zcl_ratio(lower: float, upper: float) -> float:
    r"""Return the competitive ratio of ZCL, $1 + \ln(U/L)$ (Zhou, Chakrabarty and Lukose 2008).

    Parameters
    ----------
    lower, upper : float
        Range of unit values.

    Returns
    -------
    float
        The ratio; computed from logarithms, so that upper / lower may exceed the largest float.

    Examples
    --------
    >>> round(zcl_ratio(1, 1000), 6)
    7.907755
    """
    low, high = require_positive("lower", lower), require_positive("upper", upper)
    require_ordered("lower", low, "upper", high)
    return 1.0 + (math.log(high) - math.log(low))


def pp_basic_ratio() -> float:
    """Return the competitive ratio of PPBasic with a right prediction (Daneshvaramoli et al. 2025).

    Returns
    -------
    float
        2, whatever the instance.

    Examples
    --------
    >>> pp_basic_ratio()
    2.0
    """
    return 2.0


def pp_advanced_ratio(critical_weight: float) -> float:
    r"""Return the ratio of PPAdvanced with a right prediction, $1 + \min(1, \omega)$ (Daneshvaramoli et al. 2025).

    Parameters
    ----------
    critical_weight : float
        Weight offered at the critical value, in units of the capacity, not capped.

    Returns
    -------
    float
        Between 1 and 2.

    Examples
    --------
    >>> pp_advanced_ratio(0.25), pp_advanced_ratio(3.0)
    (1.25, 2.0)
    """
    return 1.0 + min(1.0, require_nonnegative("critical_weight", critical_weight))


def mix_consistency(trust: float, trusted_ratio: float, lower: float, upper: float) -> float:
    r"""Return the ratio of Mix with ZCL when the prediction is right, $1 / (\lambda/c + (1-\lambda)/\alpha)$.

    This library's statement: adding up the values of the two parts gives more than the $c/\lambda$ of the source
    (Daneshvaramoli et al. 2025).

    Parameters
    ----------
    trust : float
        Weight of the trusted policy, in [0, 1].
    trusted_ratio : float
        Ratio of the trusted policy with a right prediction, at least 1.
    lower, upper : float
        Range of unit values of the ZCL part.

    Returns
    -------
    float
        Between the two parts' ratios.

    Examples
    --------
    >>> round(mix_consistency(0.5, 2.0, 1, 1000), 6)
    3.192552
    """
    share = require_between("trust", trust, 0, 1)
    consistent = require_at_least("trusted_ratio", trusted_ratio, 1)
    return 1.0 / (share / consistent + (1.0 - share) / zcl_ratio(lower, upper))


def mix_robustness(trust: float, lower: float, upper: float) -> float:
    r"""Return the ratio of Mix with ZCL for any prediction, $\alpha / (1-\lambda)$ (Daneshvaramoli et al. 2025).

    Parameters
    ----------
    trust : float
        Weight of the trusted policy, in [0, 1].
    lower, upper : float
        Range of unit values of the ZCL part.

    Returns
    -------
    float
        Infinity at trust 1.

    Examples
    --------
    >>> round(mix_robustness(0.5, 1, 1000), 6)
    15.815511
    """
    share = require_between("trust", trust, 0, 1)
    ratio = zcl_ratio(lower, upper)
    return ratio / (1.0 - share) if share < 1 else math.inf


def trust_for_robustness(robustness: float, lower: float, upper: float) -> float:
    r"""Return the largest trust at which Mix with ZCL stays `robustness`-competitive, $1 - \alpha/\gamma$.

    Parameters
    ----------
    robustness : float
        Wanted ratio for any prediction.
    lower, upper : float
        Range of unit values of the ZCL part.

    Returns
    -------
    float
        In [0, 1).

    Raises
    ------
    ValueError
        If no policy is that robust: the wanted ratio is below ``zcl_ratio(lower, upper)``.

    Examples
    --------
    >>> trust_for_robustness(2 * zcl_ratio(1, 1000), 1, 1000)
    0.5
    """
    ratio = zcl_ratio(lower, upper)
    wanted = require_positive("robustness", robustness)
    if wanted < ratio:
        raise ValueError(f"robustness = {wanted}: must be at least 1 + ln(upper/lower) = {ratio}")
    return 1.0 - ratio / wanted


def no_prediction_lower_bound(upper_over_lower: float, steps: int | None = None) -> float:
    r"""Return what no policy without a prediction can beat, $1 + K(1 - 1/r)$ with $r^K = U/L$.

    On `XIncreasing` with $K$ steps, every policy has a stop at which its ratio is at least this; as $K$ grows it
    tends to $1 + \ln(U/L)$ (the optimality of ZCL: Zhou, Chakrabarty and Lukose 2008; the finite form is this
    library's statement). Proof: with $V_k$ the value after batch $k$,
    $\sum_k x_k = V_K/v_K + \sum_{k<K} V_k (1/v_k - 1/v_{k+1})$, and $V_k \ge v_k/\gamma$ makes it at least
    $(1 + K(1-1/r))/\gamma$, while it is at most 1.

    Parameters
    ----------
    upper_over_lower : float
        U/L, at least 1.
    steps : int, optional
        K; by default the limit of infinitely many.

    Returns
    -------
    float
        The lower bound.

    Examples
    --------
    >>> round(no_prediction_lower_bound(4.0, steps=1), 6), round(no_prediction_lower_bound(4.0), 6)
    (1.75, 2.386294)
    """
    spread = math.log(require_at_least("upper_over_lower", upper_over_lower, 1))
    if steps is None:
        return 1.0 + spread
    count = require_integer("steps", steps, minimum=1)
    return 1.0 - count * math.expm1(-spread / count)


def point_lower_bound(critical_weight: float, prediction_over_upper: float, gap: float) -> float:
    r"""Return what no policy with a right point prediction can beat, $1 + (\omega - d)(1 - \hat v/U)$.

    On `PointAdversary` with critical weight $\omega$ and gap $d$, the worse of the two stops has at least this ratio,
    even for a policy that is told $\omega$; it tends to $1 + \omega$ as $d \to 0$ and $U/\hat v \to \infty$ (Theorem
    3.1 of Daneshvaramoli et al. 2025; the finite form is this library's statement). Proof: a policy with ratio $\rho$
    at the first stop holds $x \ge \omega/\rho$, so that after the second batch it is worth at most
    $\hat v x + U(1-x) \le U - (U - \hat v)\omega/\rho$, while the optimum is $U(1-d) + \hat v d$.

    Parameters
    ----------
    critical_weight : float
        Weight offered at the prediction, in (0, 1] capacities.
    prediction_over_upper : float
        Prediction divided by the upper end of the range, in (0, 1].
    gap : float
        Room that the dear batch leaves, in [0, critical_weight]; 0 gives the supremum, which no instance attains.

    Returns
    -------
    float
        The lower bound.

    Examples
    --------
    >>> point_lower_bound(1.0, 0.5, gap=0.25)
    1.375
    """
    weight = require_between("critical_weight", critical_weight, 0, 1, open_low=True)
    share = require_between("prediction_over_upper", prediction_over_upper, 0, 1, open_low=True)
    room = require_between("gap", gap, 0, weight)
    return 1.0 + (weight - room) * (1.0 - share)
