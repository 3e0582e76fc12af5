r"""Claims about ZCL for whole items: its ratio, what is false about it, and what a price beyond the range does.

The integral policy is measured against the *fractional* optimum, which is never less than the best whole items. A
policy that cuts an item is convicted whatever it collects.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import OnlineKnapsackInstance, ZCLIntegral
from proofs_checks.cases.knapsack import PredictedInstance
from proofs_checks.checkers.knapsack import Played, Policy, competitive_ratio, optimum_by_sorting, play
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import assumptions, whole_mutants
from proofs_checks.claims.knapsack.arrivals import random_instance
from proofs_checks.claims.knapsack.whole_cases import known_small_items, largest_weight, random_small_items
from proofs_checks.plots import knapsack_whole as whole_plots

__all__ = ["CLAIMS", "cuts_an_item"]

_DRAWS: Mapping[Effort, int] = {"smoke": 20, "quick": 4_000, "full": 100_000}


def cuts_an_item(played: Played, instance: OnlineKnapsackInstance) -> bool:
    """Return whether some item was accepted in part.

    Parameters
    ----------
    played : Played
        What a policy did.
    instance : OnlineKnapsackInstance
        On these items.

    Returns
    -------
    bool
        An accepted weight must be exactly 0 or exactly the item's.
    """
    offered = zip(played.accepted, instance.weights.tolist(), strict=False)
    return any(amount not in (0.0, weight) for amount, weight in offered)


def _alpha(instance: OnlineKnapsackInstance) -> float:
    return 1 + math.log(instance.upper / instance.lower)


def _whole_ratio(policy: Policy, instance: OnlineKnapsackInstance) -> float:
    played = play(policy, instance)
    return math.inf if cuts_an_item(played, instance) else competitive_ratio(optimum_by_sorting(instance), played)


def _guaranteed(instance: OnlineKnapsackInstance) -> float:
    return _alpha(instance) * math.exp(2 * _alpha(instance) * largest_weight(instance))


def _ratio_sides(zcl: Callable[[float, float], Policy], instance: OnlineKnapsackInstance) -> Sides:
    reached = _whole_ratio(zcl(instance.lower, instance.upper), instance)
    return Sides(reached, _guaranteed(instance), {"max_weight": largest_weight(instance)})


def _formula_sides(formula: Callable[[OnlineKnapsackInstance], float], instance: OnlineKnapsackInstance) -> Sides:
    reached = _whole_ratio(ZCLIntegral(instance.lower, instance.upper), instance)
    return Sides(reached, formula(instance), {"max_weight": largest_weight(instance)})


_WHOLE = "Items are accepted whole or not at all; the optimum may cut the last one."

RATIO = Claim(
    id="knapsack.zcl_integral.ratio",
    kind="always",
    paper="zhou2008",
    source="the competitive ratio in the limit of small items; this form is derived",
    statement=r"""$\mathrm{OPT} \le \alpha\, e^{2\alpha\varepsilon}\,\mathrm{ALG}$ for ZCLIntegral, where
$\alpha = 1 + \ln(U/L)$ and no item weighs more than $\varepsilon$ capacities.""",
    assumptions=(assumptions.VALUES_IN_RANGE.sentence, assumptions.SMALL_ITEMS.sentence, _WHOLE),
    subject=ZCLIntegral,
    trial=EveryInstance(
        random_small_items,
        _ratio_sides,
        known=known_small_items,
        draws=_DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack_whole:small_item_instances"),
        instance_types=(OnlineKnapsackInstance,),
    ),
    mutants={
        "plateau forgotten": whole_mutants.WholePlateauForgotten,
        "greedy": whole_mutants.WholeGreedy,
        "the last item is cut": whole_mutants.LastItemCut,
        "threshold for a half-filled knapsack": whole_mutants.FilledHalved,
    },
    cost=2.0,
    plot=whole_plots.ratio_against_weight,
)

PLAIN_RATIO = Claim(
    id="knapsack.zcl_integral.plain_ratio",
    kind="always",
    paper="zhou2008",
    source="the limit of small items, claimed for every size",
    statement=r"""$\mathrm{OPT} \le (1 + \ln(U/L))\,\mathrm{ALG}$ for ZCLIntegral and items of any size. This is false
even for items of a hundredth of the capacity. What stands trial is the formula; its variant is the one with the factor
$e^{2\alpha\varepsilon}$, which is not refuted.""",
    assumptions=(assumptions.VALUES_IN_RANGE.sentence, assumptions.SMALL_ITEMS.sentence, _WHOLE),
    subject=_alpha,
    trial=EveryInstance(
        random_small_items,
        _formula_sides,
        known=known_small_items,
        draws=_DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack_whole:small_item_instances"),
        instance_types=(OnlineKnapsackInstance,),
    ),
    mutants={"with the factor for the size of items": _guaranteed},
    expect="violated",
    cost=2.0,
    plot=whole_plots.ratio_against_weight,
)


# --- the assumptions --------------------------------------------------------------------------------------------


def _any_size(rng: Generator) -> OnlineKnapsackInstance:
    """Few items of up to the whole capacity."""
    upper, count = float(10 ** rng.uniform(0.1, 4)), int(rng.integers(1, 6))
    return OnlineKnapsackInstance(upper ** rng.random(count), 1 - rng.random(count) ** 0.3, 1.0, upper)


def _known_any_size(effort: Effort) -> Iterator[OnlineKnapsackInstance]:
    yield from known_small_items(effort)
    yield assumptions.SMALL_ITEMS.witness


def _no_ratio_beyond(instance: OnlineKnapsackInstance) -> float:
    """The guarantee, where there is one."""
    return _guaranteed(instance) if assumptions.SMALL_ITEMS.holds(instance) else math.inf


LARGE_ITEMS = Claim(
    id="knapsack.zcl_integral.large_items",
    kind="always",
    paper="zhou2008",
    source="the ratio for small items, claimed for items that may fill the knapsack",
    statement=r"""$\mathrm{OPT} \le \alpha\, e^{2\alpha\varepsilon}\,\mathrm{ALG}$ for ZCLIntegral and items of up to
the whole capacity, $\varepsilon \le 1$. This is false: after a cheap speck, a dear item of the knapsack's size does
not fit. What stands trial is the formula; its variant claims nothing beyond $\varepsilon = 1 - 1/\alpha$.""",
    assumptions=(assumptions.VALUES_IN_RANGE.sentence, _WHOLE),
    subject=_guaranteed,
    trial=EveryInstance(
        _any_size,
        _formula_sides,
        known=_known_any_size,
        draws=_DRAWS,
        instance_types=(OnlineKnapsackInstance,),
    ),
    mutants={"for small items only": _no_ratio_beyond},
    expect="violated",
    cost=0.5,
    plot=whole_plots.ratio_against_weight,
)


def _clipped_sides(formula: Callable[[PredictedInstance], float], case: PredictedInstance) -> Sides:
    instance, known = case.instance, case.prediction
    reached = competitive_ratio(
        optimum_by_sorting(instance), play(whole_mutants.ClippingZCL(instance.lower, known), instance)
    )
    return Sides(reached, formula(case), {"error": math.log(float(instance.unit_values.max()) / known)})


def _alpha_of_known_range(case: PredictedInstance) -> float:
    return 1 + math.log(case.prediction / case.instance.lower)


def _times_the_excess(case: PredictedInstance) -> float:
    return _alpha_of_known_range(case) * max(1.0, float(case.instance.unit_values.max()) / case.prediction)


def _with_known_end(rng: Generator) -> PredictedInstance:
    instance = random_instance(rng)
    return PredictedInstance(instance, float(instance.upper ** rng.uniform(0.2, 1.1)))


def _known_clipped(effort: Effort) -> Iterator[PredictedInstance]:
    for excess in np.geomspace(1.0, 100.0, 9).tolist():
        rising = OnlineKnapsackInstance([1.0, 2.0, 2.0 * excess], [1.0] * 3, lower=1.0, upper=2.0 * excess)
        yield PredictedInstance(rising, 2.0)
    yield assumptions.VALUES_IN_RANGE.witness


DEARER_THAN_KNOWN = Claim(
    id="knapsack.zcl.dearer_than_known",
    kind="always",
    paper="zhou2008",
    source="the competitive ratio, claimed for prices beyond the known range",
    statement=r"""$\mathrm{OPT} \le (1 + \ln(\hat U/L))\,\mathrm{ALG}$ for ZCL that was told the range $[L, \hat U]$ and
reads a higher price as $\hat U$. This is false. What stands trial is the formula; its variant, which is not refuted, is
larger by the factor by which the highest price exceeds $\hat U$.""",
    subject=_alpha_of_known_range,
    trial=EveryInstance(
        _with_known_end,
        _clipped_sides,
        known=_known_clipped,
        draws=_DRAWS,
        instance_types=(PredictedInstance, OnlineKnapsackInstance),
    ),
    mutants={"times the excess over the known end": _times_the_excess},
    expect="violated",
    cost=0.8,
    plot=whole_plots.ratio_against_excess,
)

CLAIMS = (RATIO, PLAIN_RATIO, LARGE_ITEMS, DEARER_THAN_KNOWN)
