r"""Live use of any policy: every decision with its reason, and unit values outside the known range handled by a rule.

Let $g$ be what the policy's ledger guarantees against the items that the policy has seen (see
`learning_augmented.knapsack.ledger`), $V$ the value collected so far, $C$ the capacity and $[L, U]$ the present range.
Two statements hold for every policy and sharpen or weaken $g$:

- *Value in hand.* The end value is at least $V$ and the optimum at most $C U$, hence
  $\mathrm{OPT} \le (C U / V)\,\mathrm{ALG}$.
- *Rejected items.* Let $E = \min\bigl(\sum v \min(w, C),\; C \max v\bigr)$ over the items that were rejected unseen.
  The optimum of all items is at most that of the seen ones plus $E$: $\mathrm{OPT} \le (g + E/V)\,\mathrm{ALG}$.

Both are elementary, and this library's statements. All of it concerns every continuation within the present range; an
item outside it is a new event, and changes what is guaranteed from then on.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from algos.knapsack import tied_with
from algos.validation import (
    require_at_least,
    require_integer,
    require_nonnegative,
    require_one_of,
    require_ordered,
    require_positive,
)
from learning_augmented.knapsack.decision import Decision, ItemId, reason_for
from learning_augmented.knapsack.ledger import Guarantee, ledger_for
from learning_augmented.knapsack.policy import OnlinePolicy, PlainState, require_entries, shown
from learning_augmented.knapsack.widening import range_of, widened

__all__ = ["LivePolicy", "OutOfRange"]

OutOfRange: TypeAlias = Literal["raise", "widen", "reject"]
"""What to do with a unit value outside the known range."""

_RULES: Final = ("raise", "widen", "reject")
_ROUNDING: Final = 1e-9


class LivePolicy:
    """A policy with reasons, running guarantees, and a rule for unit values outside the known range.

    Parameters
    ----------
    policy : OnlinePolicy
        Who decides; a copy is kept, and starts with an empty knapsack.
    out_of_range : {"raise", "widen", "reject"}
        "raise" refuses such an item with a ValueError and changes nothing. "widen" widens the range just so far that it
        contains the item, decides on it, and recomputes what is guaranteed. "reject" accepts nothing of it. The last
        two are counted in the state.
    lower, upper : float, optional
        Known range of unit values, for a policy that has none of its own; it makes more guarantees possible.
    margin : float
        With "widen", the range is extended to the unit value times (divided by) this factor, at least 1. With the
        default, an item at a new highest price is offered all the room that is left.

    Raises
    ------
    TypeError
        If `policy` is not a policy.
    ValueError
        If a range is given for a policy that has its own, the rule is "widen" and the policy's range cannot be, or a
        parameter is out of range.

    Examples
    --------
    >>> from learning_augmented.knapsack import ZCL
    >>> live = LivePolicy(ZCL(lower=1, upper=10), out_of_range="widen")
    >>> decision = live.decide(value=1.8, weight=0.9, id="first")
    >>> round(decision.amount, 6), round(decision.guarantee_now, 6)
    (0.512673, 3.022243)
    >>> decision.reason
    'Accepted 0.5127 of 0.9: its unit value 2 passes the threshold 1, and the room that is left asks for more.'
    >>> live.decide(value=3.0, weight=0.2).reason  # doctest: +ELLIPSIS
    'The range was widened to [1, 15]; accepted whole: its unit value 15 passes the threshold 2.462, and 71.3% of ...'
    """

    def __init__(
        self,
        policy: OnlinePolicy,
        out_of_range: OutOfRange = "raise",
        *,
        lower: float | None = None,
        upper: float | None = None,
        margin: float = 1.0,
    ) -> None:
        if not isinstance(policy, OnlinePolicy):
            raise TypeError(f"policy = {policy!r}: must be a policy, got {type(policy).__name__}")
        self._rule: OutOfRange = require_one_of("out_of_range", out_of_range, _RULES)
        self._margin = require_at_least("margin", margin, 1)
        self._original = copy.deepcopy(policy)
        self._original_range = _known_range(policy, lower, upper)
        if out_of_range == "widen" and self._original_range is not None:
            widened(self._original, *self._original_range)  # a policy that cannot be widened is refused here
        self.reset()

    def __repr__(self) -> str:
        """The policy with its present range, and the rule."""
        return f"{type(self).__name__}({self._policy!r}, out_of_range={self._rule!r})"

    def reset(self, capacity: float = 1.0) -> None:
        """Start over with an empty knapsack, the original range, and no events.

        Parameters
        ----------
        capacity : float
            Weight that it holds.
        """
        self._capacity = require_positive("capacity", capacity)
        self._policy = copy.deepcopy(self._original)
        self._policy.reset(self._capacity)
        self._ledger = ledger_for(self._policy)
        self._range = self._original_range
        self._used = self._value = self._rejected_value = self._highest_rejected = 0.0
        self._widened = self._rejected = 0

    @property
    def range(self) -> tuple[float, float] | None:
        """Lower and upper end of the unit values that are expected now, or None."""
        return self._range

    @property
    def value(self) -> float:
        """Value of what was accepted so far."""
        return self._value

    @property
    def capacity(self) -> float:
        """Weight that the knapsack holds."""
        return self._capacity

    def offer(self, unit_value: float, weight: float) -> float:
        """Decide on one item, without words.

        Parameters
        ----------
        unit_value : float
            Value per weight, positive.
        weight : float
            Weight on offer.

        Returns
        -------
        float
            Accepted weight.

        Raises
        ------
        ValueError
            If the item is not one, or lies outside the range and the rule is "raise"; nothing is changed then.
        """
        return self._settle(require_positive("unit_value", unit_value), require_positive("weight", weight))[0]

    def decide(self, value: float, weight: float, id: ItemId = None) -> Decision:
        """Decide on one item, and say why.

        Parameters
        ----------
        value : float
            Value of the whole item, positive: its unit value is ``value / weight``.
        weight : float
            Weight on offer.
        id : str or int, optional
            Handed through to the decision.

        Returns
        -------
        Decision
            The accepted weight with its reason and what is still guaranteed.

        Raises
        ------
        ValueError
            If the item is not one, or lies outside the range and the rule is "raise"; nothing is changed then.
        """
        whole, weight = require_positive("value", value), require_positive("weight", weight)
        unit_value = whole / weight
        if not 0.0 < unit_value < math.inf:
            raise ValueError(f"value / weight = {unit_value}: must be positive and finite")
        outside = self._outside(unit_value)
        amount, threshold = self._settle(unit_value, weight)
        reason = reason_for(amount, weight, unit_value, threshold, self.utilisation)
        if outside and self._range is not None:
            low, high = self._range
            if self._rule == "reject":
                reason = f"Rejected: its unit value {unit_value:.4g} lies outside the range [{low:.4g}, {high:.4g}]."
            else:
                reason = f"The range was widened to [{low:.4g}, {high:.4g}]; {reason[0].lower()}{reason[1:]}"
        guarantee = self.guarantee()
        return Decision(
            id=id,
            amount=amount,
            accepted=amount > 0,
            reason=reason,
            threshold=threshold,
            utilisation=self.utilisation,
            guarantee_now=guarantee.always,
            guarantee_if_right=guarantee.if_right,
        )

    @property
    def utilisation(self) -> float:
        """Share of the capacity in use, in [0, 1]."""
        return min(self._used / self._capacity, 1.0)  # a sum of amounts may exceed the capacity in its last digit

    def guarantee(self) -> Guarantee:
        """Return what holds when the stream ends, now or after any further items within the present range.

        Returns
        -------
        Guarantee
            Ratios of the optimum of all items, the rejected ones included, to the collected value.
        """
        seen = self._ledger.guarantee(self._policy)
        missed = min(self._rejected_value, self._capacity * self._highest_rejected)
        if self._value == 0:
            return seen if missed == 0 else Guarantee(math.inf, math.inf)
        in_hand = math.inf
        if self._range is not None:
            in_hand = max(1.0, self._capacity * max(self._range[1], self._highest_rejected) / self._value)
        always = min(seen.always + missed / self._value, in_hand)
        return Guarantee(always, min(seen.if_right + missed / self._value, always))

    @property
    def state(self) -> PlainState:
        """Rule, range, events and amounts, the policy's state and its ledger's, as plain data."""
        lower, upper = self._range or (None, None)
        return {
            "out_of_range": self._rule,
            "margin": self._margin,
            "capacity": self._capacity,
            "lower": lower,
            "upper": upper,
            "used": self._used,
            "value": self._value,
            "widened": self._widened,
            "rejected": self._rejected,
            "rejected_value": self._rejected_value,
            "highest_rejected": self._highest_rejected,
            "policy": self._policy.state,
            "ledger": self._ledger.state,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state of a live policy with the same policy and rule.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If it is the state of another policy, or is damaged; nothing is changed then.
        """
        amounts = ("used", "value", "rejected_value", "highest_rejected")
        counts = ("widened", "rejected")
        require_entries(
            state,
            {"out_of_range": self._rule, "margin": self._margin},
            ("capacity", "lower", "upper", "policy", "ledger", *amounts, *counts),
        )
        known = self._restored_range(state["lower"], state["upper"])
        policy = copy.deepcopy(self._original) if known is None else widened(copy.deepcopy(self._original), *known)
        ledger = ledger_for(policy)
        policy.restore(state["policy"])
        ledger.restore(state["ledger"])
        capacity = require_positive("state['capacity']", state["capacity"])
        numbers = {name: require_nonnegative(f"state[{name!r}]", state[name]) for name in amounts}
        numbers |= {name: require_integer(f"state[{name!r}]", state[name], minimum=0) for name in counts}
        self._capacity, self._range, self._policy, self._ledger = capacity, known, policy, ledger
        for name, number in numbers.items():
            setattr(self, f"_{name}", number)

    def _restored_range(self, lower: Any, upper: Any) -> tuple[float, float] | None:
        if self._original_range is None or self._rule != "widen":
            require_entries(
                {"lower": lower, "upper": upper}, dict(zip(("lower", "upper"), self._ends(), strict=True)), ()
            )
            return self._original_range
        low, high = require_positive("state['lower']", lower), require_positive("state['upper']", upper)
        require_ordered("state['lower']", low, "lower", self._original_range[0])
        require_ordered("upper", self._original_range[1], "state['upper']", high)
        return low, high

    def _ends(self) -> tuple[float | None, float | None]:
        return self._original_range or (None, None)

    def _outside(self, unit_value: float) -> bool:
        return self._range is not None and not (
            tied_with(self._range[0])[0] <= unit_value <= tied_with(self._range[1])[1]
        )

    def _settle(self, unit_value: float, weight: float) -> tuple[float, float]:
        """Decide on a checked item by the rule; return the amount, and the threshold that the item was held to."""
        if math.isinf(self._value + self._rejected_value + unit_value * weight):
            raise ValueError(f"value = {unit_value * weight}: the sum of all values exceeds the largest float")
        if not self._outside(unit_value):
            return self._take(self._policy, unit_value, weight)
        if self._rule == "widen":
            return self._widen_and_take(unit_value, weight)
        if self._rule == "raise":
            low, high = self._range or (0.0, math.inf)
            raise ValueError(f"unit_value = {unit_value}: must lie in [{shown(low)}, {shown(high)}]")
        self._rejected += 1
        self._rejected_value += unit_value * min(weight, self._capacity)
        self._highest_rejected = max(self._highest_rejected, unit_value)
        return 0.0, self._ledger.threshold(self._policy)

    def _widen_and_take(self, unit_value: float, weight: float) -> tuple[float, float]:
        assert self._range is not None
        low, high = self._range
        if unit_value < low:
            low = require_positive("unit_value / margin", unit_value / self._margin)
        else:
            high = require_positive("unit_value * margin", unit_value * self._margin)
        policy = widened(self._policy, low, high)
        settled = self._take(policy, unit_value, weight)
        self._policy, self._range = policy, (low, high)
        self._widened += 1
        return settled

    def _take(self, policy: OnlinePolicy, unit_value: float, weight: float) -> tuple[float, float]:
        threshold = self._ledger.threshold(policy)
        amount = policy.offer(unit_value, weight)
        fits = amount <= weight * (1 + _ROUNDING) and self._used + amount <= self._capacity * (1 + _ROUNDING)
        if not (amount >= 0.0 and fits):  # NaN fails the first
            raise ValueError(
                f"{policy!r} accepted {amount} of weight {weight} with {self._used} of {self._capacity} in use: "
                "a policy must return an amount between 0 and the weight that fits"
            )
        amount = min(amount, weight)  # a convex combination may exceed the weight in its last digit
        self._ledger.record(policy, unit_value, weight)
        self._used += amount
        self._value += unit_value * amount
        return amount, threshold


def _known_range(policy: OnlinePolicy, lower: float | None, upper: float | None) -> tuple[float, float] | None:
    own = range_of(policy)
    if lower is None and upper is None:
        return own
    if own is not None:
        raise ValueError(f"lower = {lower}, upper = {upper}: {policy!r} has a range of its own")
    if lower is None or upper is None:
        raise ValueError(f"lower = {lower}, upper = {upper}: give both ends of the range, or neither")
    low, high = require_positive("lower", lower), require_positive("upper", upper)
    require_ordered("lower", low, "upper", high)
    return low, high
