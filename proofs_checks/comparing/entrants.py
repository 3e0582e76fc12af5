"""Anybody's policy, made ready for one instance."""

from __future__ import annotations

import copy
from typing import Any

from learning_augmented.knapsack import OnlineKnapsackInstance

__all__ = ["Counted", "InfeasibleDecision", "is_policy", "policy_for"]


class InfeasibleDecision(ValueError):
    """A policy accepted what it must not: less than nothing, more than was offered or than fits, or NaN."""


def is_policy(thing: Any) -> bool:
    """Whether something is a policy itself, not a class or function that makes one.

    Parameters
    ----------
    thing : object
        Anything.

    Returns
    -------
    bool
        True for objects with `offer`.

    Examples
    --------
    >>> from learning_augmented.knapsack import ZCL
    >>> is_policy(ZCL(1, 10)), is_policy(ZCL)
    (True, False)
    """
    return hasattr(thing, "offer") and not isinstance(thing, type)


def policy_for(maker: Any, instance: OnlineKnapsackInstance, *advice: Any) -> Any:
    """Return a fresh policy for one instance.

    Parameters
    ----------
    maker : policy or callable
        A policy, of which a copy is returned, so that no instance sees what another one left behind; or
        ``maker(instance, *advice)``.
    instance : OnlineKnapsackInstance
        What it will play.
    *advice
        What else the factory is told.

    Returns
    -------
    object
        What the factory returned, or the copy.

    Raises
    ------
    ValueError
        If the policy has no `reset`, and so cannot be told a capacity other than 1. (A factory can look it up.)
    """
    if not is_policy(maker):
        return maker(instance, *advice)
    if not hasattr(maker, "reset") and instance.capacity != 1:
        raise ValueError(f"the policy has no `reset`, so it cannot be told the capacity {instance.capacity:g}")
    return copy.deepcopy(maker)


class Counted:
    """A policy as `proofs_checks.checkers.knapsack.play` wants it; it counts the offers, for messages.

    Parameters
    ----------
    policy : object
        With `offer`; `reset` may be missing where the policy is fresh.

    Attributes
    ----------
    item : int
        Number of the item at hand, from 0; -1 before the first.
    """

    def __init__(self, policy: Any) -> None:
        self._policy = policy
        self.item = -1

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self.item = -1
        if hasattr(self._policy, "reset"):
            self._policy.reset(capacity)

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item.

        Parameters
        ----------
        unit_value, weight : float
            The item.

        Returns
        -------
        float
            Accepted weight.

        Raises
        ------
        InfeasibleDecision
            If the policy returns no number.
        """
        self.item += 1
        amount = self._policy.offer(unit_value, weight)
        try:
            return float(amount)
        except (TypeError, ValueError):
            raise InfeasibleDecision(f"the accepted weight {amount!r} is not a number") from None
