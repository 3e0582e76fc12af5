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
from learning_augmented.knapsack.price_classes import class_edges

__all__ = [
    "fr2int_floor_value",
    "fr2int_guarantee",
    "interval_lower_bound",
    "interval_ratio",
    "mix_consistency",
    "mix_robustness",
    "no_prediction_lower_bound",
    "point_lower_bound",
    "pp_advanced_ratio",
    "pp_basic_ratio",
    "trust_for_robustness",
    "zcl_integral_ratio",
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


def zcl_integral_ratio(lower: float, upper: float, max_weight: float) -> float:
    r"""Return the ratio of ZCLIntegral against the fractional optimum, $\alpha\,e^{2\alpha\varepsilon}$.

    With $\alpha = 1 + \ln(U/L)$ and items of at most the fraction $\varepsilon \le 1 - 1/\alpha$ of the capacity. For
    infinitesimal items it is the $\alpha$ of Zhou, Chakrabarty and Lukose (2008); the form for a definite size is this
    library's statement.

    Parameters
    ----------
    lower, upper : float
        Range of unit values.
    max_weight : float
        Largest weight of an item, in capacities.

    Returns
    -------
    float
        The ratio.

    Raises
    ------
    ValueError
        If items may be heavier than $1 - 1/\alpha$ capacities: nothing is known then.

    Examples
    --------
    >>> round(zcl_integral_ratio(1, 10, max_weight=0.01), 6)
    3.528092
    """
    ratio = zcl_ratio(lower, upper)
    weight = require_between("max_weight", max_weight, 0, 1 - 1 / ratio)
    return ratio * math.exp(2.0 * ratio * weight)


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


def interval_ratio(low: float, high: float) -> float:
    r"""Return the ratio of IPA when the interval holds the critical value, $2 + \ln(u/\ell)$.

    Parameters
    ----------
    low, high : float
        The predicted interval.

    Returns
    -------
    float
        At least 2 (Daneshvaramoli et al. 2025).

    Examples
    --------
    >>> round(interval_ratio(2, 8), 6)
    3.386294
    """
    least, most = require_positive("low", low), require_positive("high", high)
    require_ordered("low", least, "high", most)
    return 2.0 + (math.log(most) - math.log(least))


def fr2int_guarantee(
    policy_ratio: float, lower: float, upper: float, max_weight: float, growth: float | None = None
) -> float:
    r"""Return the ratio of Fr2Int in mode "ceil", $c\,(1+\delta)/(1-k\varepsilon)$.

    This library's statement, for whole items of at most the fraction $\varepsilon$ of the capacity, $k$ price classes
    that grow by the factor $1 + \delta$, and a fractional policy with ratio $c$ (see
    `learning_augmented.knapsack.rounding`).

    Parameters
    ----------
    policy_ratio : float
        Ratio of the fractional policy, at least 1.
    lower, upper : float
        Range of unit values.
    max_weight : float
        Largest weight of an item, in capacities.
    growth : float, optional
        As in Fr2Int; by default the one that loses least.

    Returns
    -------
    float
        The ratio against the fractional optimum.

    Raises
    ------
    ValueError
        If one item of each price class would fill the knapsack.

    Examples
    --------
    >>> round(fr2int_guarantee(2.0, 1, 100, max_weight=1e-4), 6)
    2.08819
    """
    ratio = require_at_least("policy_ratio", policy_ratio, 1)
    weight = require_between("max_weight", max_weight, 0, 1, open_low=True, open_high=True)
    factor, edges = _price_classes(lower, upper, weight, growth)
    reserved = len(edges) * weight
    if reserved >= 1:
        raise ValueError(f"max_weight = {weight}: one item of each of {len(edges)} price classes would fill it")
    return ratio * factor / (1.0 - reserved)


def fr2int_floor_value(
    policy_value: float, lower: float, upper: float, max_weight: float, growth: float | None = None
) -> float:
    r"""Return the least value of Fr2Int in mode "floor", $F/(1+\delta) - \varepsilon \sum_j e_j$.

    This library's statement: $F$ is the value of the fractional policy, $e_j$ runs over the lower edges of the price
    classes, and no item is heavier than the fraction $\varepsilon$ of the capacity, which is 1.

    Parameters
    ----------
    policy_value : float
        Value of the fractional policy on the same items.
    lower, upper : float
        Range of unit values.
    max_weight : float
        Largest weight of an item, in capacities.
    growth : float, optional
        As in Fr2Int; by default the one that loses least in mode "ceil".

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    >>> round(fr2int_floor_value(3.0, 1, 4, max_weight=0.01, growth=1.0), 6)
    1.47
    """
    value = require_nonnegative("policy_value", policy_value)
    weight = require_between("max_weight", max_weight, 0, 1, open_low=True, open_high=True)
    factor, edges = _price_classes(lower, upper, weight, growth)
    return max(0.0, value / factor - weight * math.fsum(edges))


def _price_classes(lower: float, upper: float, max_weight: float, growth: float | None) -> tuple[float, list[float]]:
    """By how much prices within a class differ at most, and the lower edges of the classes."""
    low, high = require_positive("lower", lower), require_positive("upper", upper)
    require_ordered("lower", low, "upper", high)
    edges = class_edges(low, high, growth, max_weight).tolist()
    return max(above / below for below, above in zip(edges, [*edges[1:], high], strict=True)), edges


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


def interval_lower_bound(
    high_over_low: float, high_over_upper: float, steps: int | None = None, gap: float = 0.0
) -> float:
    r"""Return what no policy with a right interval can beat, $1 + K(1 - 1/r) + (1-d)(1 - u/U)$ with $r^K = u/\ell$.

    On `IntervalAdversary` with $K$ steps and gap $d$ every policy has a stop at which its ratio is at least this; for
    many steps and a small gap it tends to $2 + \ln(u/\ell) - u/U$, hence to the ratio of IPA where prices far above the
    interval are possible (Theorem 3.6 of Daneshvaramoli et al. 2025; the finite form is this library's statement).
    Proof: as for `no_prediction_lower_bound`, the weight accepted up to the price $u$, with value $V$, is at least
    $V/u + (K(1-1/r))/\rho$ for the ratio $\rho$; at the last stop $V + U x \ge (U(1-d) + u d)/\rho$, and $x$ fits.

    Parameters
    ----------
    high_over_low : float
        Upper end of the interval divided by its lower end, at least 1.
    high_over_upper : float
        Upper end of the interval divided by that of the range of unit values, in (0, 1].
    steps : int, optional
        K; by default the limit of infinitely many.
    gap : float
        Room that the dear batch leaves, in [0, 1); 0 gives the supremum, which no instance attains.

    Returns
    -------
    float
        The lower bound.

    Examples
    --------
    >>> round(interval_lower_bound(4.0, 0.01), 6), interval_lower_bound(1.0, 0.5, steps=3, gap=0.5)
    (3.376294, 1.25)
    """
    share = require_between("high_over_upper", high_over_upper, 0, 1, open_low=True)
    room = require_between("gap", gap, 0, 1, open_high=True)
    spread = require_at_least("high_over_low", high_over_low, 1)
    return no_prediction_lower_bound(spread, steps) + (1.0 - room) * (1.0 - share)
