r"""What the policies guarantee: OPT / ALG stays below a bound on every instance.

Every bound is written here a second time, in one line, and every optimum comes from the checkers: nothing is taken from
the package that stands trial but the policies themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from numpy.random import Generator

from learning_augmented.knapsack import ZCL, Mix, OnlineKnapsackInstance, PPAdvanced, PPBasic
from proofs_checks.cases.knapsack import MixCase, PredictedInstance
from proofs_checks.checkers.knapsack import (
    Policy,
    competitive_ratio,
    critical_by_sorting,
    optimum_by_sorting,
    play,
)
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import assumptions, mutants
from proofs_checks.claims.knapsack.arrivals import (
    DRAWS,
    known_arrivals,
    known_predicted,
    random_instance,
    random_predicted,
)
from proofs_checks.plots import knapsack as plots

__all__ = ["CLAIMS", "alpha", "mix_robustness_sides"]

_TRUSTS = (0.0, 0.25, 0.5, 0.9)


def alpha(instance: OnlineKnapsackInstance) -> float:
    """Return 1 + ln(U/L).

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        For its range.

    Returns
    -------
    float
        At least 1.
    """
    return 1 + math.log(instance.upper / instance.lower)


def mix_robustness_sides(mix: Callable[..., Policy], case: MixCase) -> Sides:
    """Hold OPT / ALG of Mix against its robustness.

    Parameters
    ----------
    mix : callable
        ``mix(trusted, robust, trust) -> policy``.
    case : MixCase
        Any prediction.

    Returns
    -------
    Sides
        With the trust, and the prediction's error ln(prediction / critical value).
    """
    critical = critical_by_sorting(case.instance).value
    bound = alpha(case.instance) / (1 - case.trust) if case.trust < 1 else math.inf
    at = {"trust": case.trust, "error": math.log(case.prediction / critical)}
    return Sides(_ratio(_mixed(mix, case), case.instance), bound, at)


def _ratio(policy: Policy, instance: OnlineKnapsackInstance) -> float:
    return competitive_ratio(optimum_by_sorting(instance), play(policy, instance))


def _mixed(mix: Callable[..., Policy], case: MixCase) -> Policy:
    trusted = {"advanced": PPAdvanced, "basic": PPBasic}[case.trusted](case.prediction)
    return mix(trusted, ZCL(case.instance.lower, case.instance.upper), case.trust)


def _capped_weight(instance: OnlineKnapsackInstance) -> float:
    """The critical weight in capacities, capped at 1."""
    return min(1.0, critical_by_sorting(instance).weight / instance.capacity)


# --- ZCL ----------------------------------------------------------------------------------------------------


def _zcl_against_alpha(zcl: Callable[[float, float], Policy], instance: OnlineKnapsackInstance) -> Sides:
    reached = _ratio(zcl(instance.lower, instance.upper), instance)
    return Sides(reached, alpha(instance), {"upper_over_lower": instance.upper / instance.lower})


def _zcl_against_formula(formula: Callable[[OnlineKnapsackInstance], float], instance: OnlineKnapsackInstance) -> Sides:
    reached = _ratio(ZCL(instance.lower, instance.upper), instance)
    return Sides(reached, formula(instance), {"upper_over_lower": instance.upper / instance.lower})


def logarithm_alone(instance: OnlineKnapsackInstance) -> float:
    """Return the misquoted ratio, max(1, ln(U/L)).

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        For its range.

    Returns
    -------
    float
        At least 1, and too small.
    """
    return max(1.0, math.log(instance.upper / instance.lower))


ZCL_RATIO = Claim(
    id="knapsack.zcl.ratio",
    kind="always",
    paper="zhou2008",
    source="the competitive ratio of ZCL, here for fractional decisions and items of any weight",
    formula="learning_augmented.knapsack.bounds:zcl_ratio",
    statement=r"$\mathrm{OPT} \le (1 + \ln(U/L))\,\mathrm{ALG}$ for ZCL.",
    assumptions=(r"Unit values lie in $[L, U]$.", "Items may be accepted in part."),
    subject=ZCL,
    trial=EveryInstance(
        random_instance,
        _zcl_against_alpha,
        known=known_arrivals,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:online_knapsack_instances"),
        instance_types=(OnlineKnapsackInstance,),
    ),
    mutants={
        "plateau forgotten": mutants.PlateauForgotten,
        "ln(U/L) without the 1": mutants.LogarithmAlone,
        "capacity not clamped": mutants.FilledForgotten,
        "greedy": mutants.GreedyZCL,
    },
    cost=0.8,
    plot=plots.ratio_against_range,
)

ZCL_LOGARITHM_ALONE = Claim(
    id="knapsack.zcl.logarithm_alone",
    kind="always",
    paper="zhou2008",
    source="a misquotation of the competitive ratio of ZCL",
    statement=r"""$\mathrm{OPT} \le \max(1, \ln(U/L))\,\mathrm{ALG}$ for ZCL. This is false: the ratio is
$1 + \ln(U/L)$, and by the lower bound no online policy does better. What stands trial is the formula; its variant is
the true one, which is not refuted.""",
    assumptions=(r"Unit values lie in $[L, U]$.", "Items may be accepted in part."),
    subject=logarithm_alone,
    trial=EveryInstance(
        random_instance,
        _zcl_against_formula,
        known=known_arrivals,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:online_knapsack_instances"),
        instance_types=(OnlineKnapsackInstance,),
    ),
    mutants={"the 1 put back": alpha},
    expect="violated",
    cost=0.8,
    plot=plots.ratio_against_range,
)


# --- a right point prediction -------------------------------------------------------------------------------


def _basic_ratio(pp_basic: Callable[[float], Policy], case: PredictedInstance) -> Sides:
    at = {"critical_weight": critical_by_sorting(case.instance).weight / case.instance.capacity}
    return Sides(_ratio(pp_basic(case.prediction), case.instance), 2.0, at)


def _advanced_ratio(pp_advanced: Callable[[float], Policy], case: PredictedInstance) -> Sides:
    at = {"critical_weight": critical_by_sorting(case.instance).weight / case.instance.capacity}
    bound = 1 + _capped_weight(case.instance)
    return Sides(_ratio(pp_advanced(case.prediction), case.instance), bound, at)


def _advanced_range(pp_advanced: Callable[[float], Policy], case: PredictedInstance) -> Sides:
    critical, capacity, weight = (
        critical_by_sorting(case.instance),
        case.instance.capacity,
        _capped_weight(case.instance),
    )
    least = (critical.value_above + critical.value * weight * capacity) / (1 + weight)
    most = critical.value_above + critical.value * weight * (capacity - critical.weight_above) / (1 + weight)
    played = play(pp_advanced(case.prediction), case.instance)
    worse = max(competitive_ratio(least, played), played.value / most)
    place = (played.value - least) / (most - least) if most > least * (1 + 1e-9) else math.nan
    return Sides(worse, 1.0, {"critical_weight": critical.weight / capacity, "place": place})


def _point_trial(compare: Callable[[Any, PredictedInstance], Sides]) -> EveryInstance:
    return EveryInstance(
        random_predicted,
        compare,
        known=known_predicted,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:predicted_instances", right=True),
        instance_types=(PredictedInstance, OnlineKnapsackInstance),
    )


_RIGHT = assumptions.FRACTIONAL_CRITICAL_VALUE.sentence
_WEIGHTS = (
    r"$\omega$ is the weight offered at $\hat v$ in capacities, $\hat\omega = \min(1, \omega)$; $W$, $H$ are weight "
    r"and value above $\hat v$; the capacity is 1."
)

PP_BASIC_RATIO = Claim(
    id="knapsack.pp_basic.ratio",
    kind="always",
    paper="daneshvaramoli2025",
    source="the consistency of PP-b",
    statement=r"$\mathrm{OPT} \le 2\,\mathrm{ALG}$ for PPBasic.",
    assumptions=(_RIGHT,),
    subject=PPBasic,
    trial=_point_trial(_basic_ratio),
    mutants={
        "critical items refused": mutants.BasicCriticalRefused,
        "greedy below the prediction": mutants.BasicGreedyBelow,
    },
    cost=1.0,
    plot=plots.ratio_against_critical_weight,
)

PP_ADVANCED_RATIO = Claim(
    id="knapsack.pp_advanced.ratio",
    kind="always",
    paper="daneshvaramoli2025",
    source="the consistency of PP-a",
    formula="learning_augmented.knapsack.bounds:pp_advanced_ratio",
    statement=r"$\mathrm{OPT} \le (1 + \min(1, \omega))\,\mathrm{ALG}$ for PPAdvanced, which does not know $\omega$.",
    assumptions=(_RIGHT, _WEIGHTS),
    subject=PPAdvanced,
    trial=_point_trial(_advanced_ratio),
    mutants={
        "critical weight updated after use": mutants.UpdatedAfterUse,
        "capping of the critical weight forgotten": mutants.AdvancedUncapped,
        "nothing reserved": mutants.NothingReserved,
        "half reserved always": mutants.HalvesAlways,
        "greedy below the prediction": mutants.AdvancedGreedyBelow,
    },
    cost=1.0,
    plot=plots.ratio_against_critical_weight,
)

PP_ADVANCED_VALUE_RANGE = Claim(
    id="knapsack.pp_advanced.value_range",
    kind="always",
    paper="daneshvaramoli2025",
    source="derived; sharper than the ratio in the paper",
    statement=r"""$\mathrm{lo} \le \mathrm{ALG} \le \mathrm{hi}$ for PPAdvanced in every order of arrival, with
$\mathrm{lo} = (H + \hat v\hat\omega)/(1 + \hat\omega)$, attained when critical items come first, and
$\mathrm{hi} = H + \hat v\hat\omega(1 - W)/(1 + \hat\omega)$, attained when they come last. Measured is the worse of
$\mathrm{lo}/\mathrm{ALG}$ and $\mathrm{ALG}/\mathrm{hi}$, so the bound is 1.""",
    assumptions=(_RIGHT, _WEIGHTS),
    subject=PPAdvanced,
    trial=_point_trial(_advanced_range),
    mutants={
        "critical weight updated after use": mutants.UpdatedAfterUse,
        "capping of the critical weight forgotten": mutants.AdvancedUncapped,
        "half reserved always": mutants.HalvesAlways,
        "greedy below the prediction": mutants.AdvancedGreedyBelow,
    },
    cost=1.0,
    plot=plots.place_in_value_range,
)


# --- Mix ----------------------------------------------------------------------------------------------------


def _mix_consistency(mix: Callable[..., Policy], case: MixCase) -> Sides:
    trusted_ratio = 2.0 if case.trusted == "basic" else 1 + _capped_weight(case.instance)
    bound = 1 / (case.trust / trusted_ratio + (1 - case.trust) / alpha(case.instance))
    return Sides(_ratio(_mixed(mix, case), case.instance), bound, {"trust": case.trust})


def _known_consistency(effort: Effort) -> Iterator[MixCase]:
    for case in known_predicted(effort):
        yield MixCase(case.instance, case.prediction, 0.5, "advanced")
        yield MixCase(case.instance, case.prediction, 0.9, "basic")


def _random_consistency(rng: Generator) -> MixCase:
    case = random_predicted(rng)
    trust = float(rng.choice([*_TRUSTS, 1.0]))
    return MixCase(case.instance, case.prediction, trust, "advanced" if rng.random() < 0.5 else "basic")


def _known_robustness(effort: Effort) -> Iterator[MixCase]:
    """Stages under a prediction that no price reaches, one below all prices, and the right one."""
    for trust in _TRUSTS:
        for case in known_predicted(effort):
            for prediction in (2 * case.instance.upper, case.instance.lower / 2, case.prediction):
                yield MixCase(case.instance, prediction, trust)


def _random_robustness(rng: Generator) -> MixCase:
    case = _random_consistency(rng)
    error = rng.normal(0, 1) if rng.random() < 0.9 else 0.0
    prediction = case.prediction * math.exp(error)
    return replace(case, prediction=prediction, trust=float(rng.choice(_TRUSTS)))


MIX_CONSISTENCY = Claim(
    id="knapsack.mix.consistency",
    kind="always",
    paper="daneshvaramoli2025",
    also=("zhou2008",),
    source="the consistency of MIX; the sharper form is derived",
    formula="learning_augmented.knapsack.bounds:mix_consistency",
    statement=r"""$\displaystyle \mathrm{OPT} \le \frac{\mathrm{ALG}}{\lambda/c + (1-\lambda)/\alpha}$ for Mix
of ZCL with PPBasic ($c = 2$) or PPAdvanced ($c = 1 + \min(1, \omega)$), where $\lambda$ is the trust and
$\alpha = 1 + \ln(U/L)$. The paper states the weaker $c/\lambda$.""",
    assumptions=(_RIGHT, r"Unit values lie in $[L, U]$."),
    subject=Mix,
    trial=EveryInstance(
        _random_consistency,
        _mix_consistency,
        known=_known_consistency,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:mix_cases", right=True),
        instance_types=(MixCase, OnlineKnapsackInstance),
    ),
    mutants={
        "trust swapped": mutants.TrustSwapped,
        "trusted policy alone": mutants.TrustedAlone,
        "one policy picked by a coin": mutants.CoinFlip,
        "one knapsack for both": mutants.OneKnapsack,
    },
    cost=2.0,
    plot=plots.ratio_against_trust,
)

MIX_ROBUSTNESS = Claim(
    id="knapsack.mix.robustness",
    kind="always",
    paper="daneshvaramoli2025",
    also=("purohit2018",),
    source="the robustness of MIX",
    formula="learning_augmented.knapsack.bounds:mix_robustness",
    statement=r"""$\displaystyle \mathrm{OPT} \le \frac{1 + \ln(U/L)}{1 - \lambda}\,\mathrm{ALG}$ for Mix with
trust $\lambda$, whatever the prediction: robustness in the sense of Purohit, Svitkina and Kumar (2018).""",
    assumptions=(r"Unit values lie in $[L, U]$; the prediction may be any positive number.",),
    subject=Mix,
    trial=EveryInstance(
        _random_robustness,
        mix_robustness_sides,
        known=_known_robustness,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:mix_cases"),
        instance_types=(MixCase, OnlineKnapsackInstance),
    ),
    mutants={
        "trust swapped": mutants.TrustSwapped,
        "trusted policy alone": mutants.TrustedAlone,
        "one policy picked by a coin": mutants.CoinFlip,
    },
    cost=3.0,
    plot=plots.ratio_against_error,
)

CLAIMS = (
    ZCL_RATIO,
    ZCL_LOGARITHM_ALONE,
    PP_BASIC_RATIO,
    PP_ADVANCED_RATIO,
    PP_ADVANCED_VALUE_RANGE,
    MIX_CONSISTENCY,
    MIX_ROBUSTNESS,
)
