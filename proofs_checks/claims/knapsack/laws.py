r"""Identities: what the policies and the critical value equal exactly, whatever the order of arrival.

An equality is stricter than a bound: a variant that collects *more* than the law says is convicted as well, although no
competitive ratio would ever show it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from learning_augmented.knapsack import (
    CriticalValue,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    critical_value,
)
from proofs_checks.cases.knapsack import PredictedInstance
from proofs_checks.checkers.knapsack import (
    SAME_PRICE,
    Policy,
    critical_by_sorting,
    optimum_by_sorting,
    play,
)
from proofs_checks.claim import Claim, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import mutants, wrong_formulas
from proofs_checks.claims.knapsack.arrivals import (
    DRAWS,
    known_arrivals,
    known_predicted,
    random_instance,
    random_predicted,
)
from proofs_checks.plots import knapsack as plots

__all__ = ["CLAIMS"]

_ROUNDING = 1e-9
"""Distances are relative, or in units of the capacity; the largest one due to rounding alone is about 1e-14."""


def _critical_value_law(
    predict: Callable[[OnlineKnapsackInstance], CriticalValue], instance: OnlineKnapsackInstance
) -> Sides:
    told, optimum = predict(instance), optimum_by_sorting(instance)
    items = list(zip(instance.unit_values.tolist(), instance.weights.tolist(), strict=True))
    here = [(value, weight) for value, weight in items if math.isclose(value, told.value, rel_tol=SAME_PRICE)]
    above = [item for item in items if item[0] > told.value and item not in here]
    total = math.fsum(weight for _, weight in items)
    distances = (
        _apart(told.weight, math.fsum(weight for _, weight in here), total),
        _apart(told.weight_above, math.fsum(weight for _, weight in above), total),
        _apart(told.value_above, math.fsum(value * weight for value, weight in above), optimum),
        _apart(told.optimum, optimum, optimum),
        _apart(
            told.value_above + told.value * min(told.weight, instance.capacity - told.weight_above), optimum, optimum
        ),
    )
    return Sides(max(distances), 0.0, {"items": float(len(items))})


def _apart(left: float, right: float, scale: float) -> float:
    return abs(left - right) / scale


def _basic_value(pp_basic: Callable[[float], Policy], case: PredictedInstance) -> Sides:
    critical, capacity = critical_by_sorting(case.instance), case.instance.capacity
    law = (critical.value_above + critical.value * min(capacity, critical.weight)) / 2
    played = play(pp_basic(case.prediction), case.instance)
    distance = _apart(played.value, law, law) if played.feasible else math.inf
    return Sides(distance, 0.0, {"critical_weight": critical.weight / capacity})


def _advanced_fill(pp_advanced: Callable[[float], Policy], case: PredictedInstance) -> Sides:
    instance, capacity = case.instance, case.instance.capacity
    played = play(pp_advanced(case.prediction), instance)
    critical = critical_by_sorting(instance)
    at = {"critical_weight": critical.weight / capacity, "weight_above": critical.weight_above / capacity}
    if not played.feasible:
        return Sides(math.inf, 0.0, at)
    capped = min(1.0, critical.weight / capacity)
    fill = math.fsum(played.accepted) / capacity
    distances = [abs(fill - (capped + at["weight_above"]) / (1 + capped))]
    fills = itertools.accumulate(played.accepted)
    seen = seen_above = 0.0
    for value, weight, filled in zip(instance.unit_values.tolist(), instance.weights.tolist(), fills, strict=True):
        if math.isclose(value, critical.value, rel_tol=SAME_PRICE):
            seen = min(1.0, seen + weight / capacity)
        elif value > critical.value:
            seen_above += weight / capacity
        distances.append(abs((1 - filled / capacity) * (1 + seen) - (1 - seen_above)))
    return Sides(max(distances), 0.0, at | {"fill": fill})


_RIGHT = r"The prediction is the critical value $\hat v$ of the instance."

CRITICAL_VALUE = Claim(
    id="knapsack.critical_value.definition",
    kind="law",
    paper="daneshvaramoli2025",
    source="the definition of the critical value",
    statement=r"""$\mathrm{OPT} = H + \hat v \min(\omega, C - W)$, where $\hat v$ is what `critical_value`
returns, $\omega$ the weight of all items at $\hat v$, and $W$, $H$ weight and value of the items above it.""",
    assumptions=("The optimum is the fractional one.",),
    subject=critical_value,
    trial=EveryInstance(
        random_instance,
        _critical_value_law,
        known=known_arrivals,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:online_knapsack_instances"),
        atol=_ROUNDING,
        instance_types=(OnlineKnapsackInstance,),
    ),
    mutants={
        "critical value of the best whole items": wrong_formulas.critical_of_whole_items,
        "only the critical weight that fits": wrong_formulas.critical_weight_capped,
        "critical items counted above": wrong_formulas.critical_counted_above,
    },
    cost=1.0,
    plot=plots.residuals,
)

PP_BASIC_EXACT_VALUE = Claim(
    id="knapsack.pp_basic.exact_value",
    kind="law",
    paper="daneshvaramoli2025",
    source="derived from the definition of PP-b",
    statement=r"""$\mathrm{ALG} = (H + \hat v \min(1, \omega))/2$ for PPBasic, in every order of arrival;
$\omega$ is the weight offered at $\hat v$, $H$ the value above it, the capacity is 1. Measured is the relative
distance.""",
    assumptions=(_RIGHT,),
    subject=PPBasic,
    trial=EveryInstance(
        random_predicted,
        _basic_value,
        known=known_predicted,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:predicted_instances", right=True),
        atol=_ROUNDING,
        instance_types=(PredictedInstance, OnlineKnapsackInstance),
    ),
    mutants={
        "capping of the critical weight forgotten": mutants.BasicUncapped,
        "greedy below the prediction": mutants.BasicGreedyBelow,
        "dear items taken whole": mutants.BasicDearWhole,
    },
    cost=1.0,
    plot=plots.residuals,
)

PP_ADVANCED_FILL = Claim(
    id="knapsack.pp_advanced.fill",
    kind="law",
    paper="daneshvaramoli2025",
    source="derived from the definition of PP-a",
    statement=r"""PPAdvanced fills $(\hat\omega + W)/(1 + \hat\omega)$ of the capacity in every order of
arrival, and after every item $(1 - s)(1 + c) = 1 - W_{\text{seen}}$, where $s$ is the fill and $c$ the critical
weight seen, capped at 1. Measured is the largest distance over all items.""",
    assumptions=(_RIGHT, r"$\hat\omega = \min(1, \omega)$; weights are in capacities."),
    subject=PPAdvanced,
    trial=EveryInstance(
        random_predicted,
        _advanced_fill,
        known=known_predicted,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:predicted_instances", right=True),
        atol=_ROUNDING,
        instance_types=(PredictedInstance, OnlineKnapsackInstance),
    ),
    mutants={
        "critical weight updated after use": mutants.UpdatedAfterUse,
        "capping of the critical weight forgotten": mutants.AdvancedUncapped,
        "greedy below the prediction": mutants.AdvancedGreedyBelow,
        "half reserved always": mutants.HalvesAlways,
    },
    cost=1.0,
    plot=plots.residuals,
)

CLAIMS = (CRITICAL_VALUE, PP_BASIC_EXACT_VALUE, PP_ADVANCED_FILL)
