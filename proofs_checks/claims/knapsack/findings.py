r"""Real prices: the S&P 500 closes from 1999 to 2018, cut into weeks of five trading days.

In each week the whole stock is to be sold, at most half of it a day. What a policy knows beforehand: that no price of
the week will be below half, or above twice, the first one. The prediction of the critical value is the rolling one:
today's price plus the mean of (critical value - first price) over the 52 weeks before.

What the prices show (954 weeks). The rolling prediction misses the critical value by 0.8 percent on average, but in 58
percent of the weeks it is too high, and a policy that trusts a prediction sells nothing below it: in 43 percent of the
weeks PPAdvanced sells nothing at all. It collects 0.50 of the optimum on average, ZCL without any prediction 0.71. The
loss is one-sided: the same prediction lowered by five percent collects 0.99, since prices move by two percent within a
week, and selling at once is then nearly optimal. A right prediction would collect 0.67, less than ZCL as well:
PPAdvanced guarantees more than ZCL in the worst week, and these are no worst weeks.

The weeks are disjoint and treated as independent draws (the differences of consecutive weeks have a correlation of
-0.04); the interval is the empirical Bernstein one, valid for values in [-1, 1] at any sample size, at level 1e-6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from numpy.random import Generator

from learning_augmented.knapsack import (
    ZCL,
    Mix,
    OnlineKnapsackInstance,
    PPAdvanced,
    PriceSeries,
    RollingCriticalValuePredictor,
    price_windows,
    sp500_closes,
)
from proofs_checks.cases.knapsack import MixCase
from proofs_checks.checkers.knapsack import Policy, critical_by_sorting, optimum_by_sorting, play
from proofs_checks.claim import Claim, EachCase, Effort, EveryInstance
from proofs_checks.claims.knapsack import mutants
from proofs_checks.claims.knapsack.arrivals import DRAWS
from proofs_checks.claims.knapsack.upper_bounds import mix_robustness_sides
from proofs_checks.decisions import mean_difference_decision
from proofs_checks.plots import knapsack as plots

__all__ = ["CLAIMS", "PriceWeek", "price_weeks"]

_DAYS, _PARTS, _FACTOR, _HISTORY = 5, 2, 2.0, 52
_TRUST = 0.5


@dataclass(frozen=True, slots=True)
class PriceWeek:
    """A week of prices and what was known before it.

    Parameters
    ----------
    instance : OnlineKnapsackInstance
        Five closes.
    past : tuple of (float, float)
        First price and critical value of each of the 52 weeks before.
    """

    instance: OnlineKnapsackInstance
    past: tuple[tuple[float, float], ...]


class FivePercentLow(RollingCriticalValuePredictor):
    """The rolling prediction, lowered by five percent."""

    def predict(self, first_price: float) -> float:
        """Return 0.95 of the rolling prediction.

        Parameters
        ----------
        first_price : float
            The week's first price.

        Returns
        -------
        float
            The prediction.
        """
        return 0.95 * super().predict(first_price)


@cache
def _closes() -> PriceSeries:
    return sp500_closes()


@cache
def price_weeks() -> tuple[PriceWeek, ...]:
    """Return all weeks that have a year of weeks before them.

    Returns
    -------
    tuple of PriceWeek
        In the order of time.
    """
    weeks = price_windows(_closes(), _DAYS, _PARTS, _FACTOR)
    facts = [(float(week.unit_values[0]), critical_by_sorting(week).value) for week in weeks]
    return tuple(
        PriceWeek(weeks[number], tuple(facts[number - _HISTORY : number])) for number in range(_HISTORY, len(weeks))
    )


def _predicted(predictor: RollingCriticalValuePredictor, week: PriceWeek) -> float:
    for first_price, critical in week.past:
        predictor.observe(first_price, critical)
    return predictor.predict(float(week.instance.unit_values[0]))


def _fractions(make_predictor: Callable[[], RollingCriticalValuePredictor], week: PriceWeek) -> Mapping[str, float]:
    """The fraction of the optimum that each policy collects in this week; infinite ratios would have no mean."""
    instance, prediction = week.instance, _predicted(make_predictor(), week)
    critical, optimum = critical_by_sorting(instance).value, optimum_by_sorting(instance)
    zcl = ZCL(instance.lower, instance.upper)
    policies: dict[str, Policy] = {
        "zcl": zcl,
        "pp_advanced": PPAdvanced(prediction),
        "mix": Mix(PPAdvanced(prediction), zcl, _TRUST),
        "hindsight": PPAdvanced(critical),
    }
    row = {name: play(policy, instance).value / optimum for name, policy in policies.items()}
    return row | {"error": math.log(prediction / critical)}


def _weeks(effort: Effort) -> Sequence[PriceWeek]:
    return price_weeks()


_SETTING = (
    "Weeks of five S&P 500 closes, 1999–2018; half of the stock may be sold a day; prices known to stay within a "
    "factor 2 of the first; the prediction is the first price plus the mean rise to the critical value over the past "
    "52 weeks"
)
_INDEPENDENT = "The weeks are treated as independent draws of one distribution."

ROLLING_PREDICTIONS = Claim(
    id="knapsack.prices.rolling_predictions",
    kind="finding",
    paper="daneshvaramoli2025",
    source="the rolling prediction of the experiments; this finding is ours",
    statement=rf"""{_SETTING}. Trusting it costs: PPAdvanced with this prediction collects, on average over the
weeks, a *smaller* fraction of the optimum than ZCL, which has no prediction. (In the weeks in which the
prediction is above all prices it sells nothing.)""",
    assumptions=(_INDEPENDENT,),
    subject=RollingCriticalValuePredictor,
    trial=EachCase(
        _weeks, _fractions, mean_difference_decision("zcl", "pp_advanced", "at least", 0.0, support=(-1.0, 1.0))
    ),
    mutants={"prediction five percent low": FivePercentLow},
    needs=("arch",),
    cost=0.5,
    plot=plots.fractions_of_optimum,
)

LOWERED_PREDICTIONS = Claim(
    id="knapsack.prices.lowered_predictions",
    kind="finding",
    paper="daneshvaramoli2025",
    source="the rolling prediction of the experiments; this finding is ours",
    statement=rf"""{_SETTING}. Lowered by five percent, the same prediction pays: PPAdvanced then collects, on
average over the weeks, a *larger* fraction of the optimum than ZCL. The five percent were chosen after a look
at these prices, which move less than that in most weeks; on prices that move more, a low prediction sells too
early.""",
    assumptions=(_INDEPENDENT,),
    subject=FivePercentLow,
    trial=EachCase(
        _weeks, _fractions, mean_difference_decision("pp_advanced", "zcl", "at least", 0.0, support=(-1.0, 1.0))
    ),
    mutants={"prediction not lowered": RollingCriticalValuePredictor},
    needs=("arch",),
    cost=0.5,
    plot=plots.fractions_of_optimum,
)


def _known_weeks(effort: Effort) -> Iterator[MixCase]:
    for week in price_weeks() if effort != "smoke" else price_weeks()[::10]:
        prediction = _predicted(RollingCriticalValuePredictor(), week)
        for trust in (0.0, 0.25, 0.9):
            yield MixCase(week.instance, prediction, trust)


def _random_window(rng: Generator) -> MixCase:
    """A stretch of 2 to 60 days from anywhere, and a prediction that is wrong by some percent."""
    days = int(rng.integers(2, 61))
    start = int(rng.integers(0, len(_closes()) - days + 1))
    closes = _closes().closes[start : start + days]
    parts = int(rng.integers(1, days + 1))
    first = float(closes[0])
    instance = OnlineKnapsackInstance(closes, [1 / parts] * days, first / 5, first * 5)
    prediction = critical_by_sorting(instance).value * math.exp(rng.normal(0, 0.05))
    return MixCase(instance, prediction, float(rng.choice([0.0, 0.25, 0.5, 0.9])))


PRICE_BOUNDS = Claim(
    id="knapsack.prices.bounds",
    kind="always",
    paper="daneshvaramoli2025",
    also=("zhou2008",),
    source="the robustness of MIX, and the competitive ratio of ZCL (Zhou, Chakrabarty and Lukose 2008)",
    statement=r"""On every week of the S&P 500 closes, and on windows of 2 to 60 days from anywhere in them,
$\mathrm{OPT} \le \frac{1 + \ln(U/L)}{1 - \lambda}\,\mathrm{ALG}$ for Mix of PPAdvanced and ZCL with the
rolling, or a randomly wrong, prediction; trust $\lambda = 0$ is ZCL alone with its ratio $1 + \ln(U/L)$.""",
    assumptions=("Prices stay within the known range: a factor 2 of the first one for weeks, 5 for longer windows.",),
    subject=Mix,
    trial=EveryInstance(
        _random_window,
        mix_robustness_sides,
        known=_known_weeks,
        draws=DRAWS,
        instance_types=(MixCase, OnlineKnapsackInstance),
    ),
    mutants={
        "trust swapped": mutants.TrustSwapped,
        "trusted policy alone": mutants.TrustedAlone,
        "one policy picked by a coin": mutants.CoinFlip,
    },
    needs=("arch",),
    cost=2.5,
    plot=plots.ratio_against_error,
)

CLAIMS = (ROLLING_PREDICTIONS, LOWERED_PREDICTIONS, PRICE_BOUNDS)
