"""The range of unit values that a policy relies on, and the same policy in mid-stream with a wider one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from learning_augmented.knapsack.mix import Mix
from learning_augmented.knapsack.policy import OnlinePolicy
from learning_augmented.knapsack.rounding import Fr2Int
from learning_augmented.knapsack.zcl import ZCL
from learning_augmented.knapsack.zcl_integral import ZCLIntegral

__all__ = ["RangedPolicy", "range_of", "widened"]


@runtime_checkable
class RangedPolicy(Protocol):
    """What a class of policies with a range may offer beside `OnlinePolicy` to have it widened live."""

    def known_range(self) -> tuple[float, float]:
        """Return the range outside of which `offer` refuses items.

        Returns
        -------
        tuple of float
            Lower and upper end.
        """

    def widened(self, lower: float, upper: float) -> OnlinePolicy:
        """Return this policy, in its present state, with a wider range; it is left as it is.

        Parameters
        ----------
        lower, upper : float
            The new range.

        Returns
        -------
        OnlinePolicy
            A new one.
        """


def range_of(policy: OnlinePolicy) -> tuple[float, float] | None:
    """Return the range of unit values that a policy relies on.

    Parameters
    ----------
    policy : OnlinePolicy
        Any policy.

    Returns
    -------
    tuple of float, or None
        Lower and upper end; of a Mix, what both of its parts take. None if the policy takes every unit value.

    Examples
    --------
    >>> from learning_augmented.knapsack import PPBasic
    >>> range_of(Mix(PPBasic(5.0), ZCL(1, 10), trust=0.5)), range_of(PPBasic(5.0))
    ((1.0, 10.0), None)
    """
    if isinstance(policy, Mix):
        ranges = [known for part in (policy.trusted, policy.robust) if (known := range_of(part)) is not None]
        return (max(low for low, _ in ranges), min(high for _, high in ranges)) if ranges else None
    if isinstance(policy, (ZCL, ZCLIntegral, Fr2Int)):
        return policy.lower, policy.upper
    return policy.known_range() if isinstance(policy, RangedPolicy) else None


def widened(policy: OnlinePolicy, lower: float, upper: float) -> OnlinePolicy:
    """Return a policy in its present state with a wider range: what it accepted stays, what it asks next changes.

    Parameters
    ----------
    policy : OnlinePolicy
        Left as it is; one without a range is returned itself.
    lower, upper : float
        The new range.

    Returns
    -------
    OnlinePolicy
        Of the same class. A part of a Mix keeps the end of its range that is wide enough already.

    Raises
    ------
    ValueError
        If the policy is a Fr2Int, or mixes one in.

    Examples
    --------
    >>> policy = ZCL(lower=1, upper=10)
    >>> amount = policy.offer(10.0, 0.5)
    >>> widened(policy, 1, 20), widened(policy, 1, 20).state["filled"]
    (ZCL(lower=1, upper=20), 0.5)
    """
    if isinstance(policy, Mix):
        trusted, robust = widened(policy.trusted, lower, upper), widened(policy.robust, lower, upper)
        mix = type(policy)(trusted, robust, policy.trust)
        mix.restore({**policy.state, "trusted": trusted.state, "robust": robust.state})
        return mix
    if isinstance(policy, (ZCL, ZCLIntegral)):
        known: Mapping[str, Any] = {"lower": min(lower, policy.lower), "upper": max(upper, policy.upper)}
        wide: OnlinePolicy = type(policy)(**known)
        wide.restore({**policy.state, **known})
        return wide
    if isinstance(policy, Fr2Int):
        raise ValueError(f"{policy!r}: its range cannot be widened, its price classes are fixed")
    return policy.widened(lower, upper) if isinstance(policy, RangedPolicy) else policy
