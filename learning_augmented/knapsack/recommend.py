r"""Which policy for what you know, and why.

| what is known | policy | ratio if that is right | ratio always |
|---|---|---|---|
| the range $[L, U]$ | ZCL | $\alpha = 1 + \ln(U/L)$ | $\alpha$ |
| a forecast of that value | Mix of PPAdvanced, ZCL | $1/(\lambda/2 + (1-\lambda)/\alpha)$ | $\alpha/(1-\lambda)$ |
| the same, surely right up to $e^{\eta}$ | IPA on $[\hat v e^{-\eta}, \hat v e^{\eta}]$ | $2 + 2\eta$ | none |
| an interval $[\ell, u]$ that surely holds it | IPA | $2 + \ln(u/\ell)$ | none |
| least and most weight at each price | Sentinel | computed from them | none |

To be robust on top, each is mixed with ZCL; the trust $\lambda = 1 - \alpha/\gamma$ is the largest that keeps the
wanted ratio $\gamma$ always. A prediction whose ratio is not below $\alpha$ is not worth its risk: ZCL guarantees as
much without it. For an interval that is the case when $2 + \ln(u/\ell) \ge 1 + \ln(U/L)$, that is
$u/\ell \ge U/(eL)$.

For items that are taken whole and weigh at most $\varepsilon$ capacities, the policy is rounded by Fr2Int in mode
"ceil", at a loss that vanishes with $\varepsilon$; or ZCLIntegral is taken, where its guarantee is the better one.
All ratios are against the fractional optimum; the theorems are those of the policies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from algos.validation import (
    require_between,
    require_nonnegative,
    require_ordered,
    require_positive,
)
from learning_augmented.knapsack.bounds import (
    fr2int_guarantee,
    interval_ratio,
    mix_consistency,
    mix_robustness,
    trust_for_robustness,
    zcl_integral_ratio,
    zcl_ratio,
)
from learning_augmented.knapsack.frequency_prediction import Sentinel
from learning_augmented.knapsack.interval_prediction import IPA
from learning_augmented.knapsack.ledger import Guarantee
from learning_augmented.knapsack.mix import Mix
from learning_augmented.knapsack.point_prediction import PPAdvanced
from learning_augmented.knapsack.policy import OnlinePolicy, shown
from learning_augmented.knapsack.quantiles import IntervalForecast
from learning_augmented.knapsack.rounding import Fr2Int
from learning_augmented.knapsack.zcl import ZCL
from learning_augmented.knapsack.zcl_integral import ZCLIntegral

__all__ = ["Recommendation", "recommend"]

_USUAL_TRUST = 0.5


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A policy, and why.

    Parameters
    ----------
    policy : OnlinePolicy or None
        Ready for a knapsack of capacity 1; None when nothing is known.
    guarantee : Guarantee
        Its ratios against the fractional optimum.
    sentence : str
        Why.
    """

    policy: OnlinePolicy | None
    guarantee: Guarantee
    sentence: str


@dataclass(frozen=True, slots=True)
class _Trusted:
    """A policy for what is predicted, its ratio when that is right, and whether it is known to be right."""

    policy: OnlinePolicy
    ratio: float
    known: str
    sure: bool


def recommend(
    *,
    lower: float | None = None,
    upper: float | None = None,
    prediction: float | None = None,
    log_error: float | None = None,
    interval: tuple[float, float] | IntervalForecast | None = None,
    frequencies: Mapping[float, tuple[float, float]] | None = None,
    robustness: float | None = None,
    max_weight: float | None = None,
) -> Recommendation:
    r"""Recommend a policy for what is known beforehand.

    Parameters
    ----------
    lower, upper : float, optional
        Range that all unit values will lie in.
    prediction : float, optional
        Forecast of the critical value, the least unit value that the offline optimum accepts.
    log_error : float, optional
        Sure bound on :math:`|\ln(\text{prediction}) - \ln(\text{critical value})|`; 0.1 is about ten percent.
    interval : tuple of float, or IntervalForecast, optional
        Ends of an interval that surely holds the critical value, or that holds it with some probability (see
        `quantile_interval`).
    frequencies : mapping of float to tuple of float, optional
        By price, the least and the most weight that will be offered at it, in capacities.
    robustness : float, optional
        Ratio that must hold even when the prediction is wrong.
    max_weight : float, optional
        When items can only be taken whole: the largest weight of one, in capacities.

    Returns
    -------
    Recommendation
        Policy, guarantee and a sentence.

    Raises
    ------
    ValueError
        If more than one of `prediction`, `interval` and `frequencies` is given, only one end of the range, an error
        bound without a prediction, a robustness or a largest weight without a range, a robustness below what any policy
        reaches, or a number is out of range.

    Examples
    --------
    >>> best = recommend(lower=1, upper=1000, interval=(90, 120))
    >>> best.policy
    IPA(low=90, high=120)
    >>> print(best.sentence)
    The interval [90, 120] surely holds the critical value: IPA is 2.288-competitive, ZCL without it 7.908.
    >>> recommend(lower=1, upper=1000, interval=(2, 900)).policy  # as wide as that, it is worth less than nothing
    ZCL(lower=1, upper=1000)
    """
    known_range = _checked_range(lower, upper)
    trusted = _trusted(known_range, prediction, log_error, interval, frequencies)
    for name, number in (("robustness", robustness), ("max_weight", max_weight)):
        if number is not None and known_range is None:
            raise ValueError(f"{name} = {number}: needs lower and upper")
    if known_range is None:
        return _without_range(trusted)
    fractional = _within(known_range, trusted, robustness)
    return fractional if max_weight is None else _rounded(fractional, known_range, max_weight)


def _checked_range(lower: float | None, upper: float | None) -> tuple[float, float] | None:
    if lower is None and upper is None:
        return None
    if lower is None or upper is None:
        raise ValueError(f"lower = {lower}, upper = {upper}: give both ends of the range, or neither")
    low, high = require_positive("lower", lower), require_positive("upper", upper)
    require_ordered("lower", low, "upper", high)
    return low, high


def _trusted(
    known_range: tuple[float, float] | None,
    prediction: float | None,
    log_error: float | None,
    interval: tuple[float, float] | IntervalForecast | None,
    frequencies: Mapping[float, tuple[float, float]] | None,
) -> _Trusted | None:
    given = [
        name
        for name, value in (("prediction", prediction), ("interval", interval), ("frequencies", frequencies))
        if value is not None
    ]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(given)}: give the one that you trust most")
    if log_error is not None and prediction is None:
        raise ValueError(f"log_error = {log_error}: needs a prediction")
    if prediction is not None:
        return _from_prediction(known_range, prediction, log_error)
    if interval is not None:
        forecast = interval if isinstance(interval, IntervalForecast) else IntervalForecast(*interval)
        ends = f"[{shown(forecast.low)}, {shown(forecast.high)}]"
        sure = forecast.coverage == 1
        holds = "surely holds" if sure else f"holds with probability {forecast.coverage:.4g}"
        return _from_interval(forecast.low, forecast.high, f"The interval {ends} {holds} the critical value", sure)
    if frequencies is not None:
        low = {price: least for price, (least, _) in frequencies.items()}
        high = {price: most for price, (_, most) in frequencies.items()}
        sentinel = Sentinel(low, high)
        return _Trusted(sentinel, sentinel.ratio, f"The weights offered at {len(low)} prices are known", sure=True)
    return None


def _from_prediction(known_range: tuple[float, float] | None, prediction: float, log_error: float | None) -> _Trusted:
    value = require_positive("prediction", prediction)
    if log_error is None:
        known = f"The forecast {shown(value)} of the critical value comes without a bound on its error"
        return _Trusted(PPAdvanced(value), 2.0, known, sure=False)
    error = require_nonnegative("log_error", log_error)
    lower, upper = known_range or (0.0, math.inf)
    low, high = max(value * math.exp(-error), lower), min(value * math.exp(min(error, 700.0)), upper)
    if low > high or low <= 0 or math.isinf(high):
        raise ValueError(f"prediction = {value}, log_error = {error}: no critical value within the range is that near")
    known = f"The forecast {shown(value)} of the critical value is surely right up to a factor {math.exp(error):.4g}"
    return _from_interval(low, high, known, sure=True)


def _from_interval(low: float, high: float, known: str, sure: bool) -> _Trusted:
    if low == high:  # PPAdvanced is never worse than IPA there, which is PPBasic
        return _Trusted(PPAdvanced(low), 2.0, known, sure)
    return _Trusted(IPA(low, high), interval_ratio(low, high), known, sure)


def _without_range(trusted: _Trusted | None) -> Recommendation:
    nothing = Guarantee(math.inf, math.inf)
    if trusted is None:
        return Recommendation(
            None,
            nothing,
            "Nothing is known, and then no policy is competitive: name a range of unit values, however generous, since "
            "ZCL pays only its logarithm (a range ten times as wide costs 2.3).",
        )
    name = type(trusted.policy).__name__
    return Recommendation(
        trusted.policy,
        Guarantee(math.inf, trusted.ratio),
        f"{trusted.known}: {name} is {trusted.ratio:.4g}-competitive when that is right; without a range of unit "
        "values there is no hedge for when it is not.",
    )


def _within(known_range: tuple[float, float], trusted: _Trusted | None, robustness: float | None) -> Recommendation:
    robust, alpha = ZCL(*known_range), zcl_ratio(*known_range)
    most_trust = 1.0 if robustness is None else trust_for_robustness(robustness, *known_range)
    if trusted is None:
        why = f"Only the range is known: ZCL is {alpha:.4g}-competitive, and no policy does better."
        return Recommendation(robust, Guarantee(alpha, alpha), why)
    name, ratio = type(trusted.policy).__name__, trusted.ratio
    if ratio >= alpha:
        why = (
            f"{trusted.known}, but {name} would guarantee only {ratio:.4g} when that is right: ZCL guarantees "
            f"{alpha:.4g} without it."
        )
        return Recommendation(robust, Guarantee(alpha, alpha), why)
    if robustness is None and trusted.sure:
        why = f"{trusted.known}: {name} is {ratio:.4g}-competitive, ZCL without it {alpha:.4g}."
        return Recommendation(trusted.policy, Guarantee(math.inf, ratio), why)
    trust = _USUAL_TRUST if robustness is None else most_trust
    if trust == 0:
        why = f"A ratio of {alpha:.4g} must hold always, which only ZCL without any trust reaches."
        return Recommendation(robust, Guarantee(alpha, alpha), why)
    guarantee = Guarantee(mix_robustness(trust, *known_range), mix_consistency(trust, ratio, *known_range))
    hedge = "half of the trust" if robustness is None else f"trust {trust:.4g}, the most that the wanted ratio allows,"
    why = (
        f"{trusted.known}: {name} with {hedge} and ZCL with the rest are {guarantee.if_right:.4g}-competitive when "
        f"that is right and {guarantee.always:.4g} always; ZCL alone is {alpha:.4g}."
    )
    return Recommendation(Mix(trusted.policy, robust, trust), guarantee, why)


def _rounded(fractional: Recommendation, known_range: tuple[float, float], max_weight: float) -> Recommendation:
    """The same for whole items: the rounding, or ZCLIntegral, whichever promises more."""
    weight = require_between("max_weight", max_weight, 0, 1, open_low=True)
    policy, guarantee = fractional.policy, fractional.guarantee
    assert policy is not None
    size = f"Items are taken whole and weigh up to {weight:.4g} capacities"
    loss = _loss(known_range, weight)
    alone = zcl_integral_ratio(*known_range, weight) if weight <= 1 - 1 / zcl_ratio(*known_range) else math.inf
    # Whoever takes what fits fills all but `weight` of the knapsack, at no less than the lowest unit value.
    anybody = known_range[1] / known_range[0] / (1.0 - weight) if weight < 1 else math.inf
    if min(guarantee.if_right * loss, alone) >= anybody:
        whole: OnlinePolicy = ZCLIntegral(*known_range) if isinstance(policy, ZCL) else Fr2Int(policy, *known_range)
        why = f"{size}, too heavy for any ratio that counts: {type(whole).__name__} follows it as it can."
        return Recommendation(whole, Guarantee(math.inf, math.inf), f"{fractional.sentence} {why}")
    if guarantee.if_right * loss < alone:
        whole = Fr2Int(policy, *known_range, mode="ceil", max_weight=weight)
        why = f"{size}: Fr2Int loses at most a factor {loss:.4g} against that."
        promised = Guarantee(guarantee.always * loss, guarantee.if_right * loss)
        return Recommendation(whole, promised, f"{fractional.sentence} {why}")
    why = f"{size}: ZCLIntegral is {alone:.4g}-competitive then"
    if not isinstance(policy, ZCL):
        why += ", and rounding the policy that trusts would promise no more"
    return Recommendation(ZCLIntegral(*known_range), Guarantee(alone, alone), f"{fractional.sentence} {why}.")


def _loss(known_range: tuple[float, float], weight: float) -> float:
    """What Fr2Int in mode "ceil" loses; infinity where it has no room for one item of each price class."""
    try:
        return fr2int_guarantee(1.0, *known_range, weight)
    except ValueError:
        return math.inf
