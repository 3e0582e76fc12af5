r"""Claims about IPA, which trusts an interval for the critical value, Mix over it, and what no policy can do."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import (
    IPA,
    ZCL,
    IntervalAdversary,
    Mix,
    OnlineKnapsackInstance,
    interval_lower_bound,
)
from proofs_checks.cases.knapsack import StagePolicy
from proofs_checks.checkers.knapsack import Policy, competitive_ratio, critical_by_sorting, optimum_by_sorting, play
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import assumptions, interval_mutants, mutants
from proofs_checks.claims.knapsack.arrivals import DRAWS
from proofs_checks.claims.knapsack.interval_cases import (
    IntervalCase,
    IntervalGame,
    IntervalSetting,
    MixedInterval,
    known_intervals,
    random_interval,
    random_wrong_interval,
)
from proofs_checks.claims.knapsack.lower_bounds import spending, stage_policy_of
from proofs_checks.claims.knapsack.tightness import ratios_at_stops
from proofs_checks.plots import knapsack as plots
from proofs_checks.plots import knapsack_whole as whole_plots

__all__ = ["CLAIMS", "even_interval_policy"]

_TRUSTS = (0.0, 0.25, 0.5, 0.9)
_FEWER: Mapping[Effort, int] = {"smoke": 20, "quick": 2_000, "full": 100_000}


def _ratio(policy: Policy, instance: OnlineKnapsackInstance) -> float:
    return competitive_ratio(optimum_by_sorting(instance), play(policy, instance))


def _ipa_sides(ipa: Callable[[float, float], Policy], case: IntervalCase) -> Sides:
    width = math.log(case.high / case.low)
    return Sides(_ratio(ipa(case.low, case.high), case.instance), 2 + width, {"width": width})


IPA_RATIO = Claim(
    id="knapsack.ipa.ratio",
    kind="always",
    paper="daneshvaramoli2025",
    source="the consistency of IPA",
    statement=r"""$\mathrm{OPT} \le (2 + \ln(u/\ell))\,\mathrm{ALG}$ for IPA. A point prediction whose logarithm
is off by at most $\eta$ is the interval of ratio $u/\ell = e^{2\eta}$, so that it costs $2 + 2\eta$.""",
    assumptions=(assumptions.RIGHT_INTERVAL.sentence,),
    subject=IPA,
    trial=EveryInstance(
        random_interval,
        _ipa_sides,
        known=known_intervals,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack_intervals:interval_cases", right=True),
        instance_types=(IntervalCase, OnlineKnapsackInstance),
    ),
    mutants={
        "the range of all prices inside": interval_mutants.RangeOfAllPrices,
        "dear items taken whole": interval_mutants.DearWhole,
        "ends of the interval excluded": interval_mutants.EndsExcluded,
        "half to either part": interval_mutants.HalfEach,
        "greedy inside the interval": interval_mutants.GreedyInside,
    },
    cost=1.5,
    plot=whole_plots.ratio_against_width,
)


# --- a point is an interval -----------------------------------------------------------------------------------


def _same_as_basic(ipa: Callable[[float, float], Policy], case: IntervalCase) -> Sides:
    instance = case.instance
    ours = play(ipa(case.low, case.low), instance).accepted
    theirs = play(mutants.StepwisePPBasic(case.low), instance).accepted
    apart = [abs(one - other) for one, other in itertools.zip_longest(ours, theirs, fillvalue=math.inf)]
    return Sides(max(apart) / instance.capacity, 0.0, {"items": float(len(instance))})


IPA_POINT = Claim(
    id="knapsack.ipa.point",
    kind="law",
    paper="daneshvaramoli2025",
    source="the definitions of IPA and PP-b",
    statement=r"""On an interval that is a point, IPA decides as PPBasic does, item by item, whether or not the point
is right. Measured is the largest distance, in capacities.""",
    subject=IPA,
    trial=EveryInstance(
        random_wrong_interval,
        _same_as_basic,
        known=known_intervals,
        draws=_FEWER,
        strategy=Later("proofs_checks.strategies.knapsack_intervals:interval_cases"),
        atol=1e-9,
        instance_types=(IntervalCase, OnlineKnapsackInstance),
    ),
    mutants={
        "the range of all prices inside": interval_mutants.RangeOfAllPrices,
        "dear items taken whole": interval_mutants.DearWhole,
        "ends of the interval excluded": interval_mutants.EndsExcluded,
    },
    cost=0.5,
    plot=plots.residuals,
)


# --- the family that reaches the ratio, and the lower bound -----------------------------------------------------


def _tightness_sides(adversary: type[IntervalAdversary], case: IntervalSetting) -> Sides:
    reached = min(ratios_at_stops(IPA(1.0, case.high), case.adversary(adversary).instances()))
    return Sides(reached, 2 + math.log(case.high), {"steps": float(case.steps)})


def _known_settings(effort: Effort) -> Iterator[IntervalSetting]:
    for steps in (1, 10, 200) if effort == "smoke" else (1, 2, 5, 10, 20, 50, 100, 200):
        yield IntervalSetting(10.0, 1e5, steps, 0.001)


def _random_setting(rng: Generator) -> IntervalSetting:
    high = float(10 ** rng.uniform(0.05, 2))
    upper = high * float(10 ** rng.uniform(0, 3))
    return IntervalSetting(high, upper, int(rng.integers(1, 40)), float(10 ** rng.uniform(-3, -0.1)))


IPA_TIGHTNESS = Claim(
    id="knapsack.ipa.tightness",
    kind="tightness",
    paper="daneshvaramoli2025",
    source="Theorem 3.6, the family of the lower bound",
    statement=r"""Prices that rise through the interval, and then perhaps dear items, leave IPA no good stop: with 200
steps, $\mathrm{OPT}/\mathrm{ALG}$ gets to 97 % of $2 + \ln(u/\ell)$ at every stop. Measured is the least ratio
over the stops.""",
    assumptions=("The interval is right at every stop.",),
    subject=IntervalAdversary,
    trial=EveryInstance(
        _random_setting,
        _tightness_sides,
        known=_known_settings,
        draws={"smoke": 0, "quick": 20, "full": 200},
        reaches=0.97,
        instance_types=(IntervalSetting,),
    ),
    mutants={
        "falling prices": interval_mutants.IntervalFalling,
        "too little weight at each price": interval_mutants.IntervalThin,
    },
    cost=0.3,
    plot=plots.ratio_against_steps,
)


def even_interval_policy(setting: IntervalSetting) -> StagePolicy:
    r"""Return the policy whose ratio is the same at every stop.

    With :math:`c` the formula's value it sells :math:`1/c` at the first price, :math:`(1 - 1/r)/c` at each later one
    inside the interval, and fills the rest with the dear items.

    Parameters
    ----------
    setting : IntervalSetting
        The adversary's.

    Returns
    -------
    StagePolicy
        The best policy against this adversary.
    """
    rise = 1 - setting.high ** (-1 / setting.steps)
    ratio = 1 + setting.steps * rise + (1 - setting.gap) * (1 - setting.high / setting.upper)
    amounts = [1 / ratio] + [rise / ratio] * setting.steps
    return spending([*amounts, 1 - math.fsum(amounts)], [1.0] * (setting.steps + 1) + [1 - setting.gap])


def _lower_bound_sides(formula: Callable[[float, float, int, float], float], game: IntervalGame) -> Sides:
    setting = game.setting
    claimed = formula(setting.high, setting.high / setting.upper, setting.steps, setting.gap)
    reached = max(ratios_at_stops(game.policy, setting.adversary().instances()))
    return Sides(claimed, reached, {"steps": float(setting.steps)})


def _known_games(effort: Effort) -> Iterator[IntervalGame]:
    for high, jump, steps, gap in itertools.product((1.5, 10.0), (1.2, 100.0), (1, 4, 20), (0.3, 0.01)):
        setting = IntervalSetting(high, high * jump, steps, gap)
        everything = setting.adversary().instance(steps + 2)
        yield IntervalGame(setting, even_interval_policy(setting))
        yield IntervalGame(setting, stage_policy_of(IPA(1.0, high), everything))
        yield IntervalGame(setting, stage_policy_of(ZCL(1.0, setting.upper), everything))


def _random_game(rng: Generator) -> IntervalGame:
    """Scatter the even policy, a little or a lot."""
    setting = _random_setting(rng)
    best = np.array(even_interval_policy(setting).fractions)
    scattered = np.clip(best * rng.lognormal(0, 10 ** rng.uniform(-4, -0.5), len(best)), 0, 1)
    return IntervalGame(setting, StagePolicy(tuple(scattered.tolist())))


LOWER_BOUND = Claim(
    id="knapsack.lower_bound.interval",
    kind="always",
    paper="daneshvaramoli2025",
    source="Theorem 3.6; the form for finitely many prices is derived",
    statement=r"""Prices rise from $\ell$ to $u$ in $K$ steps by the factor $r$, the whole capacity is on offer at each;
then items of unit value $U$ may follow that leave a gap $d$. The interval $[\ell, u]$ is right at every stop. Then
every online policy has a stop with
$\mathrm{OPT}/\mathrm{ALG} \ge 1 + K(1 - 1/r) + (1-d)(1 - u/U)$, which tends to $2 + \ln(u/\ell) - u/U$. Measured is
the formula, the bound is the worst ratio of an arbitrary policy.""",
    subject=interval_lower_bound,
    trial=EveryInstance(
        _random_game,
        _lower_bound_sides,
        known=_known_games,
        draws={"smoke": 20, "quick": 3_000, "full": 100_000},
        strategy=Later("proofs_checks.strategies.knapsack_intervals:interval_games"),
        instance_types=(IntervalGame, IntervalSetting, StagePolicy),
    ),
    mutants={
        "limit claimed at finitely many steps": interval_mutants.limit_claimed_for_few_steps,
        "gap forgotten": interval_mutants.gap_forgotten,
        "price ratio forgotten": interval_mutants.price_ratio_forgotten,
    },
    cost=2.0,
    plot=plots.policies_over_lower_bound,
)


# --- Mix over an interval ---------------------------------------------------------------------------------------


def _alpha(instance: OnlineKnapsackInstance) -> float:
    return 1 + math.log(instance.upper / instance.lower)


def _mixed_ratio(mix: Callable[..., Policy], case: MixedInterval) -> float:
    instance = case.instance
    return _ratio(mix(IPA(case.low, case.high), ZCL(instance.lower, instance.upper), case.trust), instance)


def _consistency_sides(mix: Callable[..., Policy], case: MixedInterval) -> Sides:
    trusted = 2 + math.log(case.high / case.low)
    bound = 1 / (case.trust / trusted + (1 - case.trust) / _alpha(case.instance))
    return Sides(_mixed_ratio(mix, case), bound, {"trust": case.trust})


def _robustness_sides(mix: Callable[..., Policy], case: MixedInterval) -> Sides:
    critical = critical_by_sorting(case.instance).value
    error = math.log(math.sqrt(case.low * case.high) / critical)
    bound = _alpha(case.instance) / (1 - case.trust)
    return Sides(_mixed_ratio(mix, case), bound, {"trust": case.trust, "error": error})


def _with_trust(case: IntervalCase, trust: float) -> MixedInterval:
    return MixedInterval(case.instance, case.low, case.high, trust)


def _known_consistent(effort: Effort) -> Iterator[MixedInterval]:
    for case, trust in zip(known_intervals(effort), itertools.cycle((0.5, 0.9, 0.25))):
        yield _with_trust(case, trust)


def _known_robust(effort: Effort) -> Iterator[MixedInterval]:
    """Known instances under intervals above and below all prices."""
    for case, trust in zip(known_intervals(effort), itertools.cycle(_TRUSTS)):
        yield _with_trust(case, trust)
        yield MixedInterval(case.instance, 2 * case.instance.upper, 3 * case.instance.upper, trust)


def _random_consistent(rng: Generator) -> MixedInterval:
    return _with_trust(random_interval(rng), float(rng.choice([*_TRUSTS, 1.0])))


def _random_robust(rng: Generator) -> MixedInterval:
    return _with_trust(random_wrong_interval(rng), float(rng.choice(_TRUSTS)))


def _mix_trial(
    draw: Callable[[Generator], MixedInterval],
    compare: Callable[[Any, MixedInterval], Sides],
    known: Callable[[Effort], Iterator[MixedInterval]],
    *,
    right: bool,
) -> EveryInstance:
    return EveryInstance(
        draw,
        compare,
        known=known,
        draws={"smoke": 20, "quick": 3_000, "full": 100_000},
        strategy=Later("proofs_checks.strategies.knapsack_intervals:mixed_intervals", right=right),
        instance_types=(MixedInterval, OnlineKnapsackInstance),
    )


MIX_CONSISTENCY = Claim(
    id="knapsack.mix.interval_consistency",
    kind="always",
    paper="daneshvaramoli2025",
    source="the consistency of MIX; the sharper form is derived",
    statement=r"""$\displaystyle \mathrm{OPT} \le \frac{\mathrm{ALG}}{\lambda/(2 + \ln(u/\ell)) + (1-\lambda)/\alpha}$
for Mix of ZCL with IPA, where $\lambda$ is the trust and $\alpha = 1 + \ln(U/L)$.""",
    assumptions=(assumptions.RIGHT_INTERVAL.sentence, assumptions.VALUES_IN_RANGE.sentence),
    subject=Mix,
    trial=_mix_trial(_random_consistent, _consistency_sides, _known_consistent, right=True),
    mutants={
        "trust swapped": mutants.TrustSwapped,
        "trusted policy alone": mutants.TrustedAlone,
        "one knapsack for both": mutants.OneKnapsack,
    },
    cost=1.0,
    plot=plots.ratio_against_trust,
)

MIX_ROBUSTNESS = Claim(
    id="knapsack.mix.interval_robustness",
    kind="always",
    paper="daneshvaramoli2025",
    source="the robustness of MIX",
    statement=r"""$\displaystyle \mathrm{OPT} \le \frac{1 + \ln(U/L)}{1 - \lambda}\,\mathrm{ALG}$ for Mix of ZCL with
IPA and trust $\lambda$, whatever the interval.""",
    assumptions=(assumptions.VALUES_IN_RANGE.sentence,),
    subject=Mix,
    trial=_mix_trial(_random_robust, _robustness_sides, _known_robust, right=False),
    mutants={"trust swapped": mutants.TrustSwapped, "trusted policy alone": mutants.TrustedAlone},
    cost=1.0,
    plot=plots.ratio_against_error,
)

CLAIMS = (IPA_RATIO, IPA_POINT, IPA_TIGHTNESS, LOWER_BOUND, MIX_CONSISTENCY, MIX_ROBUSTNESS)
