r"""Claims about the frontier between consistency and robustness: its closed form, and how near Mix comes to it.

The finite inequality that the frontier rests on stands trial in `lower_bounds` against arbitrary policies. Here the
closed form is held against the linear program of a finite adversary, whose solution is written down in one line, and
Mix is played against the adversary at the prediction that hurts most.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from numpy.random import Generator

from learning_augmented.knapsack import ZCL, Mix, ParetoAdversary, ParetoBound, PPBasic, pareto_lower_bound
from proofs_checks.checkers.knapsack import Policy
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import mutants
from proofs_checks.claims.knapsack.tightness import ratios_at_stops
from proofs_checks.plots import knapsack_whole as whole_plots

__all__ = ["CLAIMS", "FrontierPoint", "MixOnFrontier"]

_RANGES = (10.0, 1e3, 1e6)
_FACTOR = 1.23


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """A robustness, and an adversary of the trade-off.

    Parameters
    ----------
    upper : float
        U/L, at least 1; prices begin at 1.
    slack : float
        The robustness is this times 1 + ln(U/L); at least 1.
    place : float
        Where the prediction lies between the ends of the range, on the logarithmic scale, in [0, 1].
    steps : int
        Number of rises to the prediction.
    gap : float
        Room that the dear items leave, in (0, 1).
    """

    upper: float
    slack: float
    place: float
    steps: int
    gap: float

    @property
    def robustness(self) -> float:
        """The ratio for any prediction."""
        return self.slack * (1 + math.log(self.upper))


@dataclass(frozen=True, slots=True)
class MixOnFrontier:
    """A Mix, and the range of prices that it lives in.

    Parameters
    ----------
    upper : float
        U/L; prices begin at 1.
    trust : float
        Weight of the policy that trusts the prediction, below 1.
    steps : int
        Number of rises of the adversary.
    """

    upper: float
    trust: float
    steps: int


# --- the closed form ------------------------------------------------------------------------------------------


def _closed_form_sides(formula: Callable[[float, float], ParetoBound], case: FrontierPoint) -> Sides:
    share = case.upper ** (case.place - 1)  # prediction over upper
    rises = case.steps * -math.expm1(-math.log(share * case.upper) / case.steps)
    finite = (1 + (1 - case.gap) * (1 - share)) / (1 - rises / case.robustness)
    claimed = formula(case.robustness, case.upper).consistency
    return Sides(finite, claimed, {"slack": case.slack, "upper_over_lower": case.upper})


def _worst_place(case: FrontierPoint) -> FrontierPoint:
    """The case at the worst of a hundred predictions, found by looking at each."""
    places = [FrontierPoint(case.upper, case.slack, part / 100, case.steps, case.gap) for part in range(101)]

    def finite(point: FrontierPoint) -> float:
        return _closed_form_sides(pareto_lower_bound, point).measured

    return max(places, key=finite)


def _known_points(effort: Effort) -> Iterator[FrontierPoint]:
    slacks = (1.0, 1.1, 2.0, 10.0) if effort == "smoke" else (1.0, 1.02, 1.1, 1.5, 2.0, 4.0, 10.0, 100.0)
    for upper, slack in itertools.product((1.0, *_RANGES), slacks):
        yield _worst_place(FrontierPoint(upper, slack, 0.0, 10**6, 1e-9))


def _random_point(rng: Generator) -> FrontierPoint:
    upper, slack = float(10 ** rng.uniform(0, 6)), 1 + float(rng.exponential(1))
    return FrontierPoint(upper, slack, rng.random(), int(10 ** rng.uniform(0, 5)), float(10 ** rng.uniform(-6, -0.1)))


def _highest_prediction(robustness: float, upper_over_lower: float) -> ParetoBound:
    """The bound at the prediction U alone."""
    return ParetoBound(1 / (1 - math.log(upper_over_lower) / robustness), 1.0)


def _lowest_prediction(robustness: float, upper_over_lower: float) -> ParetoBound:
    """The bound at the prediction L alone."""
    return ParetoBound(2 - 1 / upper_over_lower, 1 / upper_over_lower)


CLOSED_FORM = Claim(
    id="knapsack.frontier.closed_form",
    kind="always",
    paper="daneshvaramoli2025",
    source="Theorem 4.2; the closed form is derived",
    statement=r"""The best consistency $\eta$ of a $\gamma$-robust policy against the adversary with the prediction
$\hat v = tU$, $K$ steps and gap $d$, which is $\frac{1 + (1-d)(1-t)}{1 - K(1-1/r)/\gamma}$, is at most the frontier
$\max_t \frac{2-t}{1 - \ln(tU/L)/\gamma}$ that `pareto_lower_bound` states, and comes arbitrarily close to it. Measured
is the finite adversary, the bound is the closed form.""",
    subject=pareto_lower_bound,
    trial=EveryInstance(
        _random_point,
        _closed_form_sides,
        known=_known_points,
        draws={"smoke": 20, "quick": 20_000, "full": 500_000},
        strategy=Later("proofs_checks.strategies.knapsack_whole:frontier_points"),
        instance_types=(FrontierPoint,),
    ),
    mutants={
        "at the highest prediction only": _highest_prediction,
        "at the lowest prediction only": _lowest_prediction,
    },
    cost=0.8,
    plot=whole_plots.finite_over_closed_form,
)


# --- Mix against the frontier -----------------------------------------------------------------------------------


def _mix_sides(mix: Callable[..., Policy], case: MixOnFrontier) -> Sides:
    alpha = 1 + math.log(case.upper)
    robustness = alpha / (1 - case.trust)
    frontier = pareto_lower_bound(robustness, case.upper)
    prediction = max(1.0, frontier.prediction_over_upper * case.upper)
    adversary = ParetoAdversary(prediction, 1.0, case.upper, case.steps, 1e-3)
    policy = mix(PPBasic(prediction), ZCL(1.0, case.upper), case.trust)
    reached = max(ratios_at_stops(policy, adversary.instances()[-2:]))
    at = {
        "upper_over_lower": case.upper,
        "robustness": robustness,
        "frontier": frontier.consistency,
        "guaranteed": 1 / (case.trust / 2 + (1 - case.trust) / alpha),
    }
    return Sides(reached, _FACTOR * frontier.consistency, at)


def _known_mixes(effort: Effort) -> Iterator[MixOnFrontier]:
    for upper in _RANGES:
        for tenth in range(1, 10):
            yield MixOnFrontier(upper, tenth / 10, 30 if effort == "smoke" else 300)


def _random_mix(rng: Generator) -> MixOnFrontier:
    return MixOnFrontier(float(10 ** rng.uniform(1, 6)), float(rng.uniform(0.1, 0.9)), int(rng.integers(5, 60)))


MIX = Claim(
    id="knapsack.frontier.mix",
    kind="always",
    paper="daneshvaramoli2025",
    source="Theorem 4.2 and the near-optimality of MIX; the factor is derived",
    statement=r"""Mix of ZCL and PPBasic with trust $\lambda$ is robust with $\gamma = \alpha/(1-\lambda)$, and where
the prediction is right its ratio against the adversary of the trade-off is at most 1.23 times the consistency that no
$\gamma$-robust policy can beat, for $U/L$ from 10 to $10^6$ and $\lambda$ from 0.1 to 0.9. Measured is the worse ratio
of the two stops at which the prediction is right.""",
    assumptions=("The prediction is the one at which the frontier is felt most.",),
    subject=Mix,
    trial=EveryInstance(
        _random_mix,
        _mix_sides,
        known=_known_mixes,
        draws={"smoke": 10, "quick": 300, "full": 10_000},
        instance_types=(MixOnFrontier,),
    ),
    mutants={"trust swapped": mutants.TrustSwapped, "trusted policy alone": mutants.TrustedAlone},
    cost=0.5,
    plot=whole_plots.mix_on_frontier,
)

CLAIMS = (CLOSED_FORM, MIX)
