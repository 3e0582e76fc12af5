r"""How far the bounds are reached: here the adversaries stand trial, and a weak one is convicted.

Random instances stay far below a worst-case bound. A bound that nothing approaches may be wrong by a factor without any
trial noticing; so each policy meets the family that was built against it, and must be driven to its bound. One bad stop
would show that: a single item at the lowest price does it for ZCL. These families do more, they leave no good stop at
all, and that is what is measured: the *least* ratio over the stops.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from numpy.random import Generator

from learning_augmented.knapsack import ZCL, Mix, OnlineKnapsackInstance, PointAdversary, PPAdvanced, XIncreasing
from proofs_checks.cases.knapsack import PointSetting, Rise
from proofs_checks.checkers.knapsack import Policy, competitive_ratio, optimum_by_sorting, play
from proofs_checks.claim import Claim, Effort, EveryInstance, Sides
from proofs_checks.claims.knapsack import weak_adversaries
from proofs_checks.plots import knapsack as plots

__all__ = ["CLAIMS", "ratios_at_stops"]

_STEPS: Mapping[Effort, tuple[int, ...]] = {
    "smoke": (1, 10, 400),
    "quick": (1, 2, 5, 10, 20, 50, 100, 200, 400),
    "full": (1, 3, 10, 30, 100, 300, 1000),
}
_DRAWS: Mapping[Effort, int] = {"smoke": 0, "quick": 20, "full": 200}


def ratios_at_stops(policy: Policy, instances: Iterable[OnlineKnapsackInstance]) -> list[float]:
    """Return OPT / ALG at each stop of an adversary.

    Parameters
    ----------
    policy : Policy
        Who plays.
    instances : iterable of OnlineKnapsackInstance
        One for each stop.

    Returns
    -------
    list of float
        Infinity where the policy collects nothing.
    """
    return [competitive_ratio(optimum_by_sorting(instance), play(policy, instance)) for instance in instances]


# --- rising prices against ZCL and Mix ----------------------------------------------------------------------


def _rise(adversary: Callable[[float, float, int], XIncreasing], case: Rise) -> Sides:
    zcl = ZCL(1.0, case.upper)
    policy: Policy = Mix(PPAdvanced(2 * case.upper), zcl, case.trust) if case.trust else zcl
    bound = (1 + math.log(case.upper)) / (1 - case.trust)
    reached = min(ratios_at_stops(policy, adversary(1.0, case.upper, case.steps).instances()))
    return Sides(reached, bound, {"steps": float(case.steps), "upper_over_lower": case.upper})


def _rise_trial(trust: float) -> EveryInstance:
    def known(effort: Effort) -> Iterator[Rise]:
        for steps in _STEPS[effort]:
            yield Rise(1000.0, steps, trust)

    def draw(rng: Generator) -> Rise:
        return Rise(float(10 ** rng.uniform(0.1, 4)), int(rng.integers(1, 60)), trust)

    return EveryInstance(draw, _rise, known=known, draws=_DRAWS, reaches=0.99, instance_types=(Rise,))


_WEAK_RISES = {
    "falling prices": weak_adversaries.FallingPrices,
    "evenly spaced prices": weak_adversaries.EvenSteps,
    "too little weight at each price": weak_adversaries.ThinStages,
}

ZCL_TIGHTNESS = Claim(
    id="knapsack.zcl.tightness",
    kind="tightness",
    paper="zhou2008",
    source="the family of the lower bound",
    statement=r"""Rising prices leave ZCL no good stop: on `XIncreasing`, $\mathrm{OPT}/\mathrm{ALG}$ tends to
$1 + \ln(U/L)$ at every stop as the number of steps grows, and gets to 99 % of it with 400 steps at
$U/L = 1000$. Measured is the least ratio over the stops.""",
    subject=XIncreasing,
    trial=_rise_trial(trust=0.0),
    mutants=_WEAK_RISES,
    cost=0.3,
    plot=plots.ratio_against_steps,
)

MIX_ROBUSTNESS_TIGHTNESS = Claim(
    id="knapsack.mix.robustness_tightness",
    kind="tightness",
    paper="daneshvaramoli2025",
    source="the robustness of MIX; the family is derived",
    statement=r"""Rising prices under a prediction that no price reaches leave Mix no good stop: with trust
$1/2$, $\mathrm{OPT}/\mathrm{ALG}$ gets to 99 % of $2\,(1 + \ln(U/L))$ at every stop, with 400 steps at
$U/L = 1000$. Measured is the least ratio over the stops.""",
    subject=XIncreasing,
    trial=_rise_trial(trust=0.5),
    mutants=_WEAK_RISES,
    cost=0.3,
    plot=plots.ratio_against_steps,
)


# --- dear items after critical ones, against PPAdvanced -----------------------------------------------------


def _point(adversary: Callable[..., PointAdversary], case: PointSetting) -> Sides:
    dear_last = adversary(
        prediction=case.prediction_over_upper, upper=1.0, critical_weight=case.critical_weight, gap=case.gap
    )
    reached = min(ratios_at_stops(PPAdvanced(case.prediction_over_upper), dear_last.instances()))
    return Sides(reached, 1 + case.critical_weight, {"critical_weight": case.critical_weight})


def _known_points(effort: Effort) -> Iterator[PointSetting]:
    for weight in (0.1, 0.25, 0.5, 0.75, 1.0):
        for share in (0.1, 0.001):
            yield PointSetting(weight, share, weight / 100)


def _random_point(rng: Generator) -> PointSetting:
    weight = float(rng.uniform(0.1, 1))
    return PointSetting(weight, float(10 ** rng.uniform(-4, 0)), weight * float(rng.uniform(0.01, 0.99)))


PP_ADVANCED_TIGHTNESS = Claim(
    id="knapsack.pp_advanced.tightness",
    kind="tightness",
    paper="daneshvaramoli2025",
    source="Theorem 3.1, the family of the lower bound",
    statement=r"""Critical items of weight $\omega \le 1$, perhaps followed by dear ones, leave PPAdvanced no
good stop: $\mathrm{OPT}/\mathrm{ALG}$ gets to $1 + \omega$ at both. Measured is the lesser of the two ratios.""",
    assumptions=("The prediction is right at both stops.",),
    subject=PointAdversary,
    trial=EveryInstance(
        _random_point, _point, known=_known_points, draws=_DRAWS, reaches=0.99, instance_types=(PointSetting,)
    ),
    mutants={
        "dear items alone": weak_adversaries.DearAlone,
        "dear items first": weak_adversaries.DearFirst,
    },
    cost=0.1,
    plot=plots.ratio_against_critical_weight,
)

CLAIMS = (ZCL_TIGHTNESS, MIX_ROBUSTNESS_TIGHTNESS, PP_ADVANCED_TIGHTNESS)
