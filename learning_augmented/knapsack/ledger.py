r"""What a policy still guarantees in the middle of a stream, and the unit value that it asks next.

A ledger stands beside one policy and is told of every item that the policy has decided on. Two numbers can be asked of
it at any time: the *threshold*, the unit value that the next bit of weight must pass, and the *guarantee*, a
competitive ratio that holds when the stream ends, now or after any further items.

`Mix` combines those of its parts: with $\mathrm{OPT} \le \hat g\,\hat V$ and $\mathrm{OPT} \le \tilde g\,\tilde V$ for
the values of the trusted and of the robust part, $\mathrm{ALG} = \lambda\hat V + (1-\lambda)\tilde V$ gives

$$\mathrm{OPT} \le \frac{1}{\lambda/\hat g + (1-\lambda)/\tilde g}\,\mathrm{ALG} .$$

`Fr2Int` in mode "ceil" is never worth less than $(1 - k\varepsilon)/(1 + \delta)$ times its fractional policy, at any
time, and guarantees that policy's ratio divided by this.

A class of policies that has no ledger here may say both itself, by the methods of `ExplainedPolicy`. Classes are looked
up exactly: what a theorem says about a class, it does not say about a subclass that decides otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast, runtime_checkable

from algos.knapsack import tied_with
from learning_augmented.knapsack.bounds import interval_ratio
from learning_augmented.knapsack.frequency_prediction import Sentinel
from learning_augmented.knapsack.interval_prediction import IPA
from learning_augmented.knapsack.mix import Mix
from learning_augmented.knapsack.point_prediction import PPAdvanced, PPBasic, PPNaive
from learning_augmented.knapsack.policy import OnlinePolicy, PlainState, require_entries
from learning_augmented.knapsack.rounding import Fr2Int
from learning_augmented.knapsack.zcl import ZCL
from learning_augmented.knapsack.zcl_integral import ZCLIntegral
from learning_augmented.knapsack.zcl_ledger import ZCLLedger, asked_unit_value

__all__ = ["ExplainedPolicy", "Guarantee", "Ledger", "ledger_for"]

_FULL: Final = 1 - 1e-12  # the share of the capacity from which on the offline optimum counts a knapsack as full


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Competitive ratios, at least 1; infinity where nothing is guaranteed.

    Parameters
    ----------
    always : float
        Whatever the prediction is worth.
    if_right : float
        When the prediction is right; that of `always` where there is no prediction, or it is known to be wrong.
    """

    always: float
    if_right: float


class Ledger(Protocol):
    """Follows one policy through its stream."""

    def record(self, policy: Any, unit_value: float, weight: float) -> None:
        """Take note of an item, after the policy has decided on it.

        Parameters
        ----------
        policy : OnlinePolicy
            The policy, in its state after the decision.
        unit_value, weight : float
            The item.
        """

    def threshold(self, policy: Any) -> float:
        """Return the unit value that the next bit of weight must pass.

        Parameters
        ----------
        policy : OnlinePolicy
            The policy.

        Returns
        -------
        float
            Infinity when nothing more is accepted; NaN when it is not known.
        """

    def guarantee(self, policy: Any) -> Guarantee:
        """Return what holds when the stream ends, now or later, within the policy's range.

        Parameters
        ----------
        policy : OnlinePolicy
            The policy.

        Returns
        -------
        Guarantee
            Ratios of the optimum to the policy's value.
        """

    @property
    def state(self) -> PlainState:
        """What was noted, as plain data."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a saved state.

        Parameters
        ----------
        state : mapping
            A `state`, perhaps after a trip through JSON.
        """


@runtime_checkable
class ExplainedPolicy(Protocol):
    """What a class of policies may offer beside `OnlinePolicy` to be explained live."""

    def threshold_now(self) -> float:
        """Return the unit value that the next bit of weight must pass.

        Returns
        -------
        float
            Infinity when nothing more is accepted.
        """

    def guarantee_now(self) -> Guarantee:
        """Return what holds when the stream ends, now or later.

        Returns
        -------
        Guarantee
            Ratios of the optimum to the policy's value.
        """


class _Stateless:
    """A ledger that reads everything off its policy."""

    def record(self, policy: Any, unit_value: float, weight: float) -> None:
        """Nothing to note."""

    @property
    def state(self) -> PlainState:
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        require_entries(state, {}, ())


class _Explained(_Stateless):
    """What the policy says itself, if it does."""

    def threshold(self, policy: OnlinePolicy) -> float:
        return policy.threshold_now() if isinstance(policy, ExplainedPolicy) else math.nan

    def guarantee(self, policy: OnlinePolicy) -> Guarantee:
        if isinstance(policy, ExplainedPolicy):
            return policy.guarantee_now()
        return Guarantee(math.inf, math.inf)


class _PointLedger(_Stateless):
    """PPNaive, PPBasic, PPAdvanced; the last two are 2-competitive when right, whatever the critical weight will be."""

    def threshold(self, policy: PPNaive | PPBasic | PPAdvanced) -> float:
        return math.inf if _is_full(policy.state) else policy.prediction

    def guarantee(self, policy: PPNaive | PPBasic | PPAdvanced) -> Guarantee:
        # Dearer items that fill the knapsack by themselves refute the prediction: the critical value is above it.
        refuted = isinstance(policy, PPAdvanced) and _is_full(policy.state)
        return Guarantee(math.inf, math.inf if refuted or isinstance(policy, PPNaive) else 2.0)


def _is_full(state: Mapping[str, Any]) -> bool:
    """Whether nothing more is accepted: the knapsack is filled, or PPAdvanced saw a capacity of dearer items."""
    amount: float = state["filled"] if "filled" in state else state["weight_above"]
    return amount >= _FULL * cast(float, state["capacity"])


class _IntervalLedger:
    """IPA: the threshold of its own policy inside the interval; 2 + ln(high / low) when that contains the truth."""

    def __init__(self, policy: IPA) -> None:
        self._sub = ledger_for(policy.sub)

    def record(self, policy: IPA, unit_value: float, weight: float) -> None:
        if tied_with(policy.low)[0] <= unit_value <= tied_with(policy.high)[1]:  # the others are not offered to it
            self._sub.record(policy.sub, unit_value, weight)

    def threshold(self, policy: IPA) -> float:
        if _is_full(policy.state):
            return math.inf
        inside = self._sub.threshold(policy.sub)
        return inside if math.isnan(inside) else min(max(inside, policy.low), policy.high)

    def guarantee(self, policy: IPA) -> Guarantee:
        return Guarantee(math.inf, interval_ratio(policy.low, policy.high))

    @property
    def state(self) -> PlainState:
        return {"sub": self._sub.state}

    def restore(self, state: Mapping[str, Any]) -> None:
        require_entries(state, {}, ("sub",))
        self._sub.restore(state["sub"])


class _SentinelLedger(_Stateless):
    """Its room at a price does not follow from one threshold."""

    def threshold(self, policy: Sentinel) -> float:
        return math.nan

    def guarantee(self, policy: Sentinel) -> Guarantee:
        return Guarantee(math.inf, policy.ratio)


class _RoundedLedger:
    """Fr2Int: what its fractional policy guarantees, and what rounding loses."""

    def __init__(self, policy: Fr2Int) -> None:
        self._fractional = ledger_for(policy.policy)

    def record(self, policy: Fr2Int, unit_value: float, weight: float) -> None:
        self._fractional.record(policy.policy, unit_value, weight)

    def threshold(self, policy: Fr2Int) -> float:
        """Whole items follow the gap of their price class, not one threshold."""
        return math.nan

    def guarantee(self, policy: Fr2Int) -> Guarantee:
        if policy.mode == "floor" or policy.max_weight is None:
            return Guarantee(math.inf, math.inf)
        edges = policy.edges.tolist()
        factor = max(above / below for below, above in zip(edges, [*edges[1:], policy.upper], strict=True))
        loss = factor / (1.0 - len(edges) * policy.max_weight)
        fractional = self._fractional.guarantee(policy.policy)
        return Guarantee(fractional.always * loss, fractional.if_right * loss)

    @property
    def state(self) -> PlainState:
        return {"fractional": self._fractional.state}

    def restore(self, state: Mapping[str, Any]) -> None:
        require_entries(state, {}, ("fractional",))
        self._fractional.restore(state["fractional"])


class _MixLedger:
    """Both parts' ledgers."""

    def __init__(self, policy: Mix) -> None:
        self._trusted = ledger_for(policy.trusted)
        self._robust = ledger_for(policy.robust)

    def record(self, policy: Mix, unit_value: float, weight: float) -> None:
        self._trusted.record(policy.trusted, unit_value, weight)
        self._robust.record(policy.robust, unit_value, weight)

    def threshold(self, policy: Mix) -> float:
        """The lower of the two, of those that have a share."""
        parts = [self._trusted.threshold(policy.trusted)] if policy.trust > 0 else []
        parts += [self._robust.threshold(policy.robust)] if policy.trust < 1 else []
        return math.nan if any(map(math.isnan, parts)) else min(parts)

    def guarantee(self, policy: Mix) -> Guarantee:
        trusted, robust = self._trusted.guarantee(policy.trusted), self._robust.guarantee(policy.robust)
        return Guarantee(
            always=_combined(policy.trust, trusted.always, robust.always),
            if_right=_combined(policy.trust, trusted.if_right, robust.if_right),
        )

    @property
    def state(self) -> PlainState:
        return {"trusted": self._trusted.state, "robust": self._robust.state}

    def restore(self, state: Mapping[str, Any]) -> None:
        require_entries(state, {}, ("trusted", "robust"))
        self._trusted.restore(state["trusted"])
        self._robust.restore(state["robust"])


def _combined(trust: float, trusted: float, robust: float) -> float:
    share = trust / trusted + (1.0 - trust) / robust
    return 1.0 / share if share > 0 else math.inf


class _ZCLGuarantee(ZCLLedger):
    """ZCL makes no prediction: one ratio for both."""

    def guarantee(self, policy: ZCL) -> Guarantee:
        ratio = self.ratio(policy)
        return Guarantee(ratio, ratio)


class _WholeItemsLedger(_Stateless):
    """ZCLIntegral: it does not know how heavy an item may be, and guarantees nothing for items of any weight."""

    def threshold(self, policy: ZCLIntegral) -> float:
        filled, capacity = policy.state["filled"], policy.state["capacity"]
        return math.inf if filled >= _FULL * capacity else asked_unit_value(policy, filled)

    def guarantee(self, policy: ZCLIntegral) -> Guarantee:
        return Guarantee(math.inf, math.inf)


_LEDGERS: Final[Mapping[type, Callable[[Any], Ledger]]] = {
    ZCL: lambda _: _ZCLGuarantee(),
    ZCLIntegral: lambda _: _WholeItemsLedger(),
    PPNaive: lambda _: _PointLedger(),
    PPBasic: lambda _: _PointLedger(),
    PPAdvanced: lambda _: _PointLedger(),
    IPA: _IntervalLedger,
    Sentinel: lambda _: _SentinelLedger(),
    Fr2Int: _RoundedLedger,
    Mix: _MixLedger,
}


def ledger_for(policy: OnlinePolicy) -> Ledger:
    """Return an empty ledger for a policy at the start of its stream.

    Parameters
    ----------
    policy : OnlinePolicy
        Any policy. One of a class without a ledger that is no `ExplainedPolicy` either has an unknown threshold and
        guarantees nothing.

    Returns
    -------
    Ledger
        To be told of every item.

    Examples
    --------
    >>> policy = Mix(PPAdvanced(5.0), ZCL(1, 10), trust=0.5)
    >>> now = ledger_for(policy).guarantee(policy)
    >>> round(now.always, 4), round(now.if_right, 4)  # (1 + ln 10) / 0.5, and 1 / (0.5/2 + 0.5/(1 + ln 10))
    (6.6052, 2.4913)
    """
    make = _LEDGERS.get(type(policy))
    return _Explained() if make is None else make(policy)
