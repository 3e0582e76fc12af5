r"""What no policy can do: here a formula, or an adversary, stands trial against arbitrary online policies.

An adversary's items do not depend on the policy, so that every online policy is a list of fractions, one a stage
(`StagePolicy`). A lower bound is refuted by one list whose worst stop is better than the formula says; the lists that
are exactly as good as a right formula (derived beside each claim) are among the known instances, so that a formula with
one constant too large is convicted.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.random import Generator

from learning_augmented.knapsack import (
    ZCL,
    Mix,
    OnlineKnapsackInstance,
    ParetoAdversary,
    PointAdversary,
    PPAdvanced,
    XIncreasing,
    no_prediction_lower_bound,
    point_lower_bound,
)
from proofs_checks.cases.knapsack import PointGame, PointSetting, RisingGame, StagePolicy, TradeOffGame
from proofs_checks.checkers.knapsack import Policy, play
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import weak_adversaries, wrong_formulas
from proofs_checks.claims.knapsack.arrivals import DRAWS
from proofs_checks.claims.knapsack.tightness import ratios_at_stops
from proofs_checks.plots import knapsack as plots

__all__ = ["CLAIMS", "even_point_policy", "even_policy", "spending", "stage_policy_of", "trade_off_policy"]


def stage_policy_of(policy: Policy, instance: OnlineKnapsackInstance) -> StagePolicy:
    """Return a policy's behaviour on the stages of an adversary, as data.

    Parameters
    ----------
    policy : Policy
        Any online policy.
    instance : OnlineKnapsackInstance
        All stages, capacity 1.

    Returns
    -------
    StagePolicy
        It accepts the same amounts.
    """
    return spending(play(policy, instance).accepted, instance.weights.tolist())


def spending(amounts: Sequence[float], weights: Sequence[float]) -> StagePolicy:
    """Return the stage policy that accepts these amounts.

    Parameters
    ----------
    amounts, weights : sequence of float
        What it accepts, and what is on offer, one a stage; the capacity is 1.

    Returns
    -------
    StagePolicy
        Amounts that do not fit are cut.
    """
    fractions, room = [], 1.0
    for amount, weight in zip(amounts, weights, strict=True):
        most = min(weight, room)
        fractions.append(min(1.0, max(0.0, amount / most)) if most > 1e-12 else 0.0)
        room -= fractions[-1] * most
    return StagePolicy(tuple(fractions))


# --- without a prediction -----------------------------------------------------------------------------------


def even_policy(upper: float, steps: int) -> StagePolicy:
    r"""Return the policy whose ratio is the same at every stop of geometrically rising prices.

    With :math:`c = 1 + K(1 - 1/r)` it sells :math:`1/c` at the first price and :math:`(1 - 1/r)/c` at each later one:
    after stage k it holds :math:`r^k/c` of the lowest price, so that every stop has the ratio c.

    Parameters
    ----------
    upper : float
        Last price; the first is 1.
    steps : int
        Number K of rises.

    Returns
    -------
    StagePolicy
        The best policy against this adversary.
    """
    rise = 1 - upper ** (-1 / steps)
    ratio = 1 + steps * rise
    return spending([1 / ratio] + [rise / ratio] * steps, [1.0] * (steps + 1))


def _rising_sides(formula: Callable[[float, int], float], game: RisingGame) -> Sides:
    steps = len(game.policy.fractions) - 1
    reached = max(ratios_at_stops(game.policy, XIncreasing(1.0, game.upper, steps).instances()))
    return Sides(formula(game.upper, steps), reached, {"steps": float(steps), "upper_over_lower": game.upper})


def _known_rising(effort: Effort) -> Iterator[RisingGame]:
    for upper, steps in itertools.product(
        (1.5, 10.0, 1000.0), (1, 2, 5, 20) if effort == "smoke" else (1, 2, 5, 20, 60)
    ):
        everything = XIncreasing(1.0, upper, steps).instance(steps + 1)
        yield RisingGame(upper, even_policy(upper, steps))
        yield RisingGame(upper, stage_policy_of(ZCL(1.0, upper), everything))
        yield RisingGame(upper, StagePolicy((1.0,) * (steps + 1)))
        yield RisingGame(upper, StagePolicy((0.5,) * (steps + 1)))


def _random_rising(rng: Generator) -> RisingGame:
    """Scatter the amounts of the even policy, a little or a lot: policies far from it are no danger to the formula."""
    upper, steps = float(10 ** rng.uniform(0.1, 4)), int(rng.integers(1, 16))
    rise = 1 - upper ** (-1 / steps)
    shares = np.array([1.0] + [rise] * steps) / (1 + steps * rise)
    amounts = rng.dirichlet(shares * 10 ** rng.uniform(1, 5))
    return RisingGame(upper, spending(amounts.tolist(), [1.0] * (steps + 1)))


NO_PREDICTION = Claim(
    id="knapsack.lower_bound.no_prediction",
    kind="always",
    paper="zhou2008",
    source="the lower bound; the form for finitely many prices is derived",
    formula="learning_augmented.knapsack.bounds:no_prediction_lower_bound",
    statement=r"""Prices rise from $L$ to $U$ in $K$ steps by the factor $r = (U/L)^{1/K}$, the whole capacity
is on offer at each, and the sequence may stop after any of them. Then every online policy has a stop with
$\mathrm{OPT}/\mathrm{ALG} \ge 1 + K(1 - 1/r)$, which tends to $1 + \ln(U/L)$. Measured is the formula, the
bound is the worst ratio of an arbitrary policy.""",
    subject=no_prediction_lower_bound,
    trial=EveryInstance(
        _random_rising,
        _rising_sides,
        known=_known_rising,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:rising_games"),
        instance_types=(RisingGame, StagePolicy),
    ),
    mutants={
        "limit claimed at finitely many steps": wrong_formulas.limit_at_every_step,
        "r - 1 for 1 - 1/r": wrong_formulas.rise_from_below,
        "one step too many": wrong_formulas.one_step_more,
        "2 for 1": wrong_formulas.two_for_one,
    },
    cost=3.0,
    plot=plots.policies_over_lower_bound,
)


# --- with a right point prediction --------------------------------------------------------------------------


def even_point_policy(setting: PointSetting) -> StagePolicy:
    r"""Return the policy whose ratio is the same at both stops.

    With c the formula's value it accepts :math:`\omega/c` of the critical items and fills the rest with the dear ones.

    Parameters
    ----------
    setting : PointSetting
        The adversary's.

    Returns
    -------
    StagePolicy
        The best policy against this adversary.
    """
    weight, share, gap = setting.critical_weight, setting.prediction_over_upper, setting.gap
    first = weight / (1 + (weight - gap) * (1 - share))
    return spending([first, 1 - first], [weight, 1 - gap])


def _point_sides(formula: Callable[[float, float, float], float], game: PointGame) -> Sides:
    setting = game.setting
    adversary = PointAdversary(
        prediction=setting.prediction_over_upper, upper=1.0, critical_weight=setting.critical_weight, gap=setting.gap
    )
    claimed = formula(setting.critical_weight, setting.prediction_over_upper, setting.gap)
    reached = max(ratios_at_stops(game.policy, adversary.instances()))
    return Sides(claimed, reached, {"critical_weight": setting.critical_weight})


def _known_points(effort: Effort) -> Iterator[PointGame]:
    for weight, share, part in itertools.product((0.1, 0.5, 1.0), (0.9, 0.1, 0.001), (0.5, 0.01)):
        setting = PointSetting(weight, share, weight * part)
        adversary = PointAdversary(prediction=share, upper=1.0, critical_weight=weight, gap=setting.gap)
        yield PointGame(setting, even_point_policy(setting))
        yield PointGame(setting, stage_policy_of(PPAdvanced(share), adversary.instance(2)))
        yield PointGame(setting, StagePolicy((1.0, 1.0)))


def _random_point(rng: Generator) -> PointGame:
    weight = float(rng.uniform(0.01, 1))
    gap = weight * float(rng.uniform(0.01, 0.99))
    setting = PointSetting(weight, float(10 ** rng.uniform(-4, 0)), gap)
    spread = 10 ** rng.uniform(-4, 0)
    first, second = even_point_policy(setting).fractions
    scattered = np.clip(rng.normal([first, second], spread), 0, 1).tolist()
    return PointGame(setting, StagePolicy(tuple(scattered)))


POINT = Claim(
    id="knapsack.lower_bound.point",
    kind="always",
    paper="daneshvaramoli2025",
    source="Theorem 3.1; the form with a gap is derived",
    formula="learning_augmented.knapsack.bounds:point_lower_bound",
    statement=r"""Items of weight $\omega \le 1$ arrive at the predicted value $\hat v$; then either nothing, or
items of unit value $U$ that leave a gap $d \le \omega$. The prediction is right both times. Then every online
policy, even one that is told $\omega$, has $\mathrm{OPT}/\mathrm{ALG} \ge 1 + (\omega - d)(1 - \hat v/U)$ at
one of the two stops. Measured is the formula, the bound is the worst ratio of an arbitrary policy.""",
    subject=point_lower_bound,
    trial=EveryInstance(
        _random_point,
        _point_sides,
        known=_known_points,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:point_games"),
        instance_types=(PointGame, PointSetting, StagePolicy),
    ),
    mutants={
        "gap forgotten": wrong_formulas.gap_forgotten,
        "price ratio forgotten": wrong_formulas.price_ratio_forgotten,
        "2 for 1": wrong_formulas.two_for_one_at_the_point,
    },
    cost=1.0,
    plot=plots.policies_over_lower_bound,
)


# --- consistency against robustness -------------------------------------------------------------------------


def trade_off_policy(game: TradeOffGame, robustness: float) -> StagePolicy:
    r"""Return the most consistent policy among those with a given ratio before the prediction.

    With :math:`\gamma` the robustness it keeps every earlier stop at the ratio :math:`\gamma`, and both last stops at
    :math:`\eta = (1 + (1-d)(1-\hat v/U)) / (1 - K(1-1/r)/\gamma)`: the inequality is an equality.

    Parameters
    ----------
    game : TradeOffGame
        The adversary's side; its policy gives the number of stages.
    robustness : float
        Above ``1 + ln(prediction)``.

    Returns
    -------
    StagePolicy
        Its last amount is cut where the dear items are fewer.
    """
    steps = len(game.policy.fractions) - 2
    rise = 1 - game.prediction ** (-1 / steps)
    consistency = (1 + (1 - game.gap) * (1 - game.prediction / game.upper)) / (1 - steps * rise / robustness)
    amounts = [1 / robustness] + [rise / robustness] * (steps - 1)
    amounts.append(max(0.0, 1 / consistency - (1 - rise) / robustness))
    amounts.append(1 - math.fsum(amounts))
    return spending(amounts, [1.0] * (steps + 1) + [1 - game.gap])


def _trade_off_sides(adversary: Callable[..., ParetoAdversary], game: TradeOffGame) -> Sides:
    steps = len(game.policy.fractions) - 2
    stopped = adversary(prediction=game.prediction, lower=1.0, upper=game.upper, steps=steps, gap=game.gap)
    ratios = ratios_at_stops(game.policy, stopped.instances())
    robustness, consistency = max(ratios[:-2]), max(ratios[-2:])
    reserve = 1 + (1 - game.gap) * (1 - game.prediction / game.upper)
    rises = steps * (1 - game.prediction ** (-1 / steps))
    at = {"robust_share": rises / robustness, "consistent_share": reserve / consistency}
    return Sides(math.fsum(at.values()), 1.0, at)


def _trade_off(prediction: float, upper: float, gap: float, steps: int) -> TradeOffGame:
    return TradeOffGame(prediction, upper, gap, StagePolicy((0.0,) * (steps + 2)))


def _known_trade_offs(effort: Effort) -> Iterator[TradeOffGame]:
    for prediction, steps in itertools.product((2.0, 10.0, 1000.0), (1, 5, 30)):
        upper, gap = 1000.0 * prediction, 0.01
        blank = _trade_off(prediction, upper, gap, steps)
        everything = ParetoAdversary(prediction, 1.0, upper, steps, gap).instance(steps + 2)
        for factor in (1.5, 3.0):
            policy = trade_off_policy(blank, factor * (1 + math.log(prediction)))
            yield TradeOffGame(prediction, upper, gap, policy)
        for trust in (0.25, 0.5, 0.75):
            mixed = Mix(PPAdvanced(prediction), ZCL(1.0, upper), trust)
            yield TradeOffGame(prediction, upper, gap, stage_policy_of(mixed, everything))
        rising = even_policy(prediction, steps).fractions
        yield TradeOffGame(prediction, upper, gap, StagePolicy((*rising, 1.0)))


def _random_trade_off(rng: Generator) -> TradeOffGame:
    """Scatter the best policy of a random robustness."""
    steps, prediction = int(rng.integers(1, 16)), float(10 ** rng.uniform(0.1, 3))
    blank = _trade_off(prediction, prediction * float(10 ** rng.uniform(0, 3)), float(rng.uniform(0.001, 0.5)), steps)
    best = trade_off_policy(blank, (1 + math.log(prediction)) * (1 + float(rng.exponential(1))))
    spread = 10 ** rng.uniform(-4, -0.5)
    scattered = np.clip(np.array(best.fractions) * rng.lognormal(0, spread, steps + 2), 0, 1).tolist()
    return TradeOffGame(prediction, blank.upper, blank.gap, StagePolicy(tuple(scattered)))


TRADE_OFF = Claim(
    id="knapsack.lower_bound.trade_off",
    kind="always",
    paper="daneshvaramoli2025",
    source="Theorem 4.2; this inequality is derived",
    statement=r"""Prices rise from $L$ to the prediction $\hat v$ in $K$ steps by the factor $r$, the whole
capacity is on offer at each; then items of unit value $U$ may follow that leave a gap $d$. Let $\gamma$ be a
policy's worst $\mathrm{OPT}/\mathrm{ALG}$ over the stops before $\hat v$, and $\eta$ the worse of the last two,
where the prediction is right. Then for every online policy
$\displaystyle \frac{1 + (1-d)(1 - \hat v/U)}{\eta} + \frac{K(1 - 1/r)}{\gamma} \le 1$.""",
    subject=ParetoAdversary,
    trial=EveryInstance(
        _random_trade_off,
        _trade_off_sides,
        known=_known_trade_offs,
        draws=DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack:trade_off_games"),
        instance_types=(TradeOffGame, StagePolicy),
    ),
    mutants={"no dear items after the prediction": weak_adversaries.DearMissing},
    cost=3.5,
    plot=plots.shares_of_the_trade_off,
)

CLAIMS = (NO_PREDICTION, POINT, TRADE_OFF)
