r"""What ZCL still guarantees in the middle of a stream, also after its range was widened.

Let $\Phi$ be the threshold function of the present range $[L, U]$, $\alpha = 1 + \ln(U/L)$, $C = 1$. The range may have
been widened on the way; the fill stays, the threshold function changes. A ledger keeps five numbers:

- $z$, the fill, and $V$, the value of what was accepted;
- $I = \int_0^z \Phi_y(y)\,dy$, where $\Phi_y$ is the threshold function that was in force when the fill passed $y$;
- $T$, the highest of the thresholds $\Phi_y(y)$, and $R$, the highest unit value turned away, in part or whole.

**Theorem** (this library's statement). Whatever arrives further within $[L, U]$, at the end
$\mathrm{OPT} \le g\,\mathrm{ALG}$ with $g = \max(1, g_{\text{now}}, g_{\text{first}}, g_{\text{full}})$. With
$M = \max(R, T)$, $z_1 = \max(z, 1/\alpha)$ and $J(y) = \int_z^y \Phi$,

$$g_{\text{now}} = 1 + \frac{M - I}{V} \;(\text{1 if } R = 0), \qquad
f(y) = 1 + \frac{\max(M, \Phi(y)) - I - J(y)}{V + J(y)}, \qquad
g_{\text{first}} = f(z_1), \quad g_{\text{full}} = f(1).$$

Proof. Let the stream end with fill $y \ge z$. An item that is turned away after now leaves a fill of at least $z_1$,
and its unit value is at most the threshold there; so with $P = \max(M, \Phi(y))$, or $P = M$ when nothing is turned
away after now, every unit value that was ever turned away is at most $P$. Exchanging against the optimum,
$\mathrm{OPT} \le P + \sum_i (v_i - P)^+ x_i = P + \mathrm{ALG} - A$ with $A = \sum_i \min(v_i, P)\,x_i$. Weight that
was accepted at fill $y'$ had a unit value of at least the threshold there. When something was turned away after now,
that threshold is at most $P$, hence $A \ge I + J(y)$, and likewise $\mathrm{ALG} \ge V + J(y)$; as $A \le P$,
$\mathrm{OPT}/\mathrm{ALG} \le 1 + (P - I - J(y))/(V + J(y))$. Here $y \ge z_1$; as long as $\Phi(y) \le M$, $f$ falls,
and from there on, since $J' = \Phi = \Phi'/\alpha$, it is a quotient of two linear functions of $\Phi(y)$, hence
monotone: the maximum is at an end. When nothing is turned away after now, $P = M$, and $A \ge I$ alone gives
$\mathrm{OPT} - \mathrm{ALG} \le M - I$, while $\mathrm{ALG} \ge V$; and if nothing was turned away before either,
$\mathrm{OPT} = \mathrm{ALG}$. $\square$

Without widening $g \le \alpha$: it starts there and falls when items are dearer than what was asked. Widening makes it
jump by what the fill no longer fits the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from algos.validation import require_nonnegative
from learning_augmented.knapsack.policy import PlainState, require_entries
from learning_augmented.knapsack.zcl import ZCL
from learning_augmented.knapsack.zcl_integral import ZCLIntegral

__all__ = ["ZCLLedger", "asked_unit_value"]

_NUMBERS: Final = ("filled", "value", "asked_value", "highest_asked", "highest_refused")


def asked_unit_value(policy: ZCL | ZCLIntegral, filled: float) -> float:
    r"""Return the threshold $\Phi$ of a ZCL policy at a filled weight.

    Parameters
    ----------
    policy : ZCL or ZCLIntegral
        Its range and capacity.
    filled : float
        Filled weight, between 0 and the capacity.

    Returns
    -------
    float
        Between lower and upper.

    Examples
    --------
    >>> policy = ZCL(lower=1, upper=10)
    >>> asked_unit_value(policy, 0.1), round(asked_unit_value(policy, 1.0), 9)
    (1.0, 10.0)
    """
    log_lower = math.log(policy.lower)
    ratio = 1.0 + (math.log(policy.upper) - log_lower)
    exponent = max(0.0, ratio * (filled / policy.state["capacity"]) - 1.0)
    return min(math.exp(log_lower + exponent), policy.upper) if exponent > 0 else policy.lower


class ZCLLedger:
    """Follows a ZCL policy through its stream; widening the policy's range needs no entry of its own.

    Examples
    --------
    >>> policy, ledger = ZCL(lower=1, upper=10), ZCLLedger()
    >>> round(ledger.ratio(policy), 6)
    3.302585
    >>> amount = policy.offer(9.0, 0.2)  # nine times what was asked
    >>> ledger.record(policy, 9.0, 0.2)
    >>> round(ledger.ratio(policy), 6)
    2.50652
    """

    def __init__(self) -> None:
        self._filled = self._value = self._asked_value = self._highest_asked = self._highest_refused = 0.0

    def record(self, policy: ZCL, unit_value: float, weight: float) -> None:
        """Take note of an item, after the policy has decided on it.

        Parameters
        ----------
        policy : ZCL
            The policy, in its state after the decision.
        unit_value, weight : float
            The item.
        """
        filled: float = policy.state["filled"]
        taken = filled - self._filled
        if filled < self._filled + weight:  # exact: of an item that is taken whole, the policy computed this very sum
            self._highest_refused = max(self._highest_refused, unit_value)
        if taken > 0:
            self._asked_value += _asked_between(policy, self._filled, filled)
            self._highest_asked = max(self._highest_asked, asked_unit_value(policy, filled))
            self._value += unit_value * taken
            self._filled = filled

    def threshold(self, policy: ZCL) -> float:
        """Return the unit value that the next bit of weight must pass.

        Parameters
        ----------
        policy : ZCL
            The policy.

        Returns
        -------
        float
            Infinity when the knapsack is full.
        """
        return asked_unit_value(policy, self._filled) if self._filled < policy.state["capacity"] else math.inf

    def ratio(self, policy: ZCL) -> float:
        """Return the competitive ratio that the theorem above guarantees from here.

        Parameters
        ----------
        policy : ZCL
            The policy, with its present range.

        Returns
        -------
        float
            At least 1.
        """
        capacity: float = policy.state["capacity"]
        ratio = 1.0 + (math.log(policy.upper) - math.log(policy.lower))
        turned_away = max(self._highest_refused, self._highest_asked)
        worst = 1.0
        if self._highest_refused > 0:
            excess = capacity * turned_away - self._asked_value
            worst = max(worst, 1.0 + excess / self._value if self._value > 0 else math.inf)
        for end in (max(self._filled, capacity / ratio), capacity):
            asked = _asked_between(policy, self._filled, end)
            price = max(turned_away, asked_unit_value(policy, end))
            worst = max(worst, 1.0 + (capacity * price - self._asked_value - asked) / (self._value + asked))
        return worst

    @property
    def state(self) -> PlainState:
        """The five numbers."""
        return {name: getattr(self, f"_{name}") for name in _NUMBERS}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.

        Raises
        ------
        ValueError
            If an entry is missing, unknown or negative.
        """
        require_entries(state, {}, _NUMBERS)
        numbers = [require_nonnegative(f"state[{name!r}]", state[name]) for name in _NUMBERS]
        self._filled, self._value, self._asked_value, self._highest_asked, self._highest_refused = numbers


def _asked_between(policy: ZCL, start: float, end: float) -> float:
    """Integral of the threshold over filled weights from `start` to `end`."""
    capacity: float = policy.state["capacity"]
    scale = capacity / (1.0 + (math.log(policy.upper) - math.log(policy.lower)))
    flat = policy.lower * max(0.0, min(end, scale) - min(start, scale))
    rising = asked_unit_value(policy, max(end, scale)) - asked_unit_value(policy, max(start, scale))
    return flat + scale * rising
