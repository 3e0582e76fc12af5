r"""What is guaranteed for a policy on an instance, and who proved it.

The guarantee of a policy that trusts a prediction depends on whether it is right: a right one makes it consistent, a
wrong one leaves nothing. For Mix with trust :math:`\lambda` of policies with guarantees :math:`c` and :math:`\alpha`
both cases are one formula, :math:`1 / (\lambda/c + (1-\lambda)/\alpha)`: a wrong prediction is :math:`c = \infty`, and
what remains is the robustness :math:`\alpha/(1-\lambda)`.

Only the policies of `learning_augmented.knapsack` themselves are known here, not classes that are derived from them: a
subclass may decide otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from algos.knapsack import tied_with
from learning_augmented.knapsack import (
    IPA,
    ZCL,
    CriticalValue,
    Fr2Int,
    Mix,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    PPNaive,
    ZCLIntegral,
    interval_ratio,
    pp_advanced_ratio,
    pp_basic_ratio,
    zcl_integral_ratio,
    zcl_ratio,
)

__all__ = ["guaranteed_ratio", "papers_behind"]


def guaranteed_ratio(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    """Return the ratio OPT / ALG that theory grants a policy on an instance.

    Parameters
    ----------
    policy : object
        Any policy.
    instance : OnlineKnapsackInstance
        The items.
    critical : CriticalValue
        What the right prediction is.

    Returns
    -------
    float
        At least 1; infinity if nothing is guaranteed (a trusted prediction is wrong), NaN if nothing is known about
        such a policy.

    Examples
    --------
    >>> from learning_augmented.knapsack import critical_value
    >>> instance = OnlineKnapsackInstance([2.0, 2.0], [0.25, 0.25], lower=1, upper=4)
    >>> right = critical_value(instance)
    >>> [guaranteed_ratio(policy, instance, right) for policy in (PPAdvanced(2.0), PPAdvanced(3.0), object())]
    [1.5, inf, nan]
    """
    ratio = _RATIOS.get(type(policy))
    return math.nan if ratio is None else ratio(policy, instance, critical)


def papers_behind(policy: Any) -> Iterator[str]:
    """Yield the keys of the papers that a policy is from, its parts included.

    Parameters
    ----------
    policy : object
        Any policy.

    Yields
    ------
    str
        A key of `proofs_checks.papers.PAPERS`; none for a policy that is not ours.

    Examples
    --------
    >>> sorted(set(papers_behind(Mix(PPBasic(2.0), ZCL(1, 4), trust=0.5))))
    ['daneshvaramoli2025', 'zhou2008']
    """
    if key := _PAPERS.get(type(policy)):
        yield key
    for part in vars(policy).values() if hasattr(policy, "__dict__") else ():
        yield from papers_behind(part) if hasattr(part, "offer") else ()


def _zcl(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    return zcl_ratio(policy.lower, policy.upper)


def _pp_basic(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    return pp_basic_ratio() if _right(policy.prediction, critical) else math.inf


def _pp_advanced(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    return pp_advanced_ratio(critical.weight / instance.capacity) if _right(policy.prediction, critical) else math.inf


def _zcl_integral(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    largest = float(instance.weights.max(initial=0.0)) / instance.capacity
    if largest > 1 - 1 / zcl_ratio(policy.lower, policy.upper):
        return math.inf  # items that large may leave nothing
    return zcl_integral_ratio(policy.lower, policy.upper, largest)


def _pp_naive(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    return math.inf


def _ipa(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    if type(policy.sub) is not ZCL or (policy.sub.lower, policy.sub.upper) != (policy.low, policy.high):
        return math.nan
    right = tied_with(policy.low)[0] <= critical.value <= tied_with(policy.high)[1]
    return interval_ratio(policy.low, policy.high) if right else math.inf


def _mix(policy: Any, instance: OnlineKnapsackInstance, critical: CriticalValue) -> float:
    trusted = guaranteed_ratio(policy.trusted, instance, critical)
    robust = guaranteed_ratio(policy.robust, instance, critical)
    share = policy.trust / trusted + (1.0 - policy.trust) / robust
    return math.inf if share == 0 else 1.0 / share


def _right(prediction: float, critical: CriticalValue) -> bool:
    low, high = tied_with(critical.value)
    return low <= prediction <= high


_RATIOS: Mapping[type, Callable[[Any, OnlineKnapsackInstance, CriticalValue], float]] = MappingProxyType(
    {
        ZCL: _zcl,
        ZCLIntegral: _zcl_integral,
        PPNaive: _pp_naive,
        PPBasic: _pp_basic,
        PPAdvanced: _pp_advanced,
        IPA: _ipa,
        Mix: _mix,
    }
)
_PAPERS: Mapping[type, str] = MappingProxyType(
    {
        ZCL: "zhou2008",
        ZCLIntegral: "zhou2008",
        **dict.fromkeys((PPNaive, PPBasic, PPAdvanced, IPA, Mix, Fr2Int), "daneshvaramoli2025"),
    }
)
