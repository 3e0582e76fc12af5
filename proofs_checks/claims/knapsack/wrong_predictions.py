r"""Claims about point predictions that are too low, and about the policy that takes a right one too literally."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from numpy.random import Generator

from learning_augmented.knapsack import OnlineKnapsackInstance, PPAdvanced, PPBasic, PPNaive
from proofs_checks.cases.knapsack import PredictedInstance
from proofs_checks.checkers.knapsack import (
    SAME_PRICE,
    Policy,
    competitive_ratio,
    critical_by_sorting,
    optimum_by_sorting,
    play,
)
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import assumptions, mutants
from proofs_checks.claims.knapsack.arrivals import known_arrivals, known_predicted, random_instance, random_predicted
from proofs_checks.plots import knapsack as plots

__all__ = ["CLAIMS", "predicted_too_low"]

_DRAWS: Mapping[Effort, int] = {"smoke": 20, "quick": 5_000, "full": 100_000}


def _ratio(policy: Policy, instance: OnlineKnapsackInstance) -> float:
    return competitive_ratio(optimum_by_sorting(instance), play(policy, instance))


def predicted_too_low(instance: OnlineKnapsackInstance, part: float) -> PredictedInstance:
    """Return the instance with a prediction that a whole capacity of dearer items exceeds.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        The items.
    part : float
        In (0, 1): how far below.

    Returns
    -------
    PredictedInstance
        The prediction is that part of the price that the dearest items of one capacity reach; where all items together
        fill no knapsack there is no such prediction, and the least price's part is returned.
    """
    return PredictedInstance(instance, part * critical_by_sorting(instance).value)


def _low_sides(pp_advanced: Callable[[float], Policy], case: PredictedInstance) -> Sides:
    instance, values = case.instance, case.instance.unit_values
    dearer = math.fsum(instance.weights[values > case.prediction * (1 + SAME_PRICE)].tolist())
    error = math.log(case.prediction / critical_by_sorting(instance).value)
    at = {"error": error, "trust": 1.0}
    if dearer < instance.capacity:
        return Sides(1.0, math.inf, at)  # nothing is claimed
    return Sides(_ratio(pp_advanced(case.prediction), instance), float(values.max()) / case.prediction, at)


def _known_low(effort: Effort) -> Iterator[PredictedInstance]:
    for part in (0.99, 0.5):
        for instance in known_arrivals(effort):
            yield predicted_too_low(instance, part)


def _random_low(rng: Generator) -> PredictedInstance:
    return predicted_too_low(random_instance(rng), float(rng.uniform(0.05, 1)))


LOW_PREDICTION = Claim(
    id="knapsack.pp_advanced.low_prediction",
    kind="always",
    paper="daneshvaramoli2025",
    source="derived from the definition of PP-a",
    statement=r"""$\mathrm{OPT} \le (v_{\max}/\hat p)\,\mathrm{ALG}$ for PPAdvanced under a prediction $\hat p$ that is
too low, where items dearer than $\hat p$ would fill the knapsack: it fills it, and with nothing cheaper than $\hat p$.
No such thing holds for a prediction that is too high; above all prices nothing is accepted.""",
    assumptions=(r"The items dearer than $\hat p$ weigh at least the capacity.",),
    subject=PPAdvanced,
    trial=EveryInstance(
        _random_low,
        _low_sides,
        known=_known_low,
        draws=_DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:predicted_instances"),
        instance_types=(PredictedInstance, OnlineKnapsackInstance),
    ),
    mutants={
        "half reserved always": mutants.HalvesAlways,
        "greedy below the prediction": mutants.AdvancedGreedyBelow,
    },
    cost=0.8,
    plot=plots.ratio_against_error,
)


def _naive_sides(policy: Callable[[float], Policy], case: PredictedInstance) -> Sides:
    weight = critical_by_sorting(case.instance).weight / case.instance.capacity
    return Sides(_ratio(policy(case.prediction), case.instance), 2.0, {"critical_weight": weight})


NAIVE = Claim(
    id="knapsack.pp_naive.ratio",
    kind="always",
    paper="daneshvaramoli2025",
    source="PP-n, held to the ratio of PP-b",
    statement=r"""$\mathrm{OPT} \le 2\,\mathrm{ALG}$ for PPNaive, which takes whatever is strictly dearer than the
prediction. This is false, and so is any other ratio: where all items are critical it collects nothing. Its variant,
PPBasic, takes half of the critical items too and is not refuted.""",
    assumptions=(assumptions.FRACTIONAL_CRITICAL_VALUE.sentence,),
    subject=PPNaive,
    trial=EveryInstance(
        random_predicted,
        _naive_sides,
        known=known_predicted,
        draws=_DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:predicted_instances", right=True),
        instance_types=(PredictedInstance, OnlineKnapsackInstance),
    ),
    mutants={"half of the critical items too": PPBasic},
    expect="violated",
    cost=0.8,
    plot=plots.ratio_against_critical_weight,
)

CLAIMS = (LOW_PREDICTION, NAIVE)
