r"""From quantile forecasts of the critical value to an interval prediction, with what can be said about its coverage.

A forecaster that gives values $q_\tau$ for several levels $\tau$ is *calibrated* at a level when the critical value
$\hat v$ stays at or below $q_\tau$ with probability at least $\tau$, and below it with probability at most $\tau$.
Calibrated at $\sigma < \tau$,

$$\Pr[q_\sigma \le \hat v \le q_\tau] \;\ge\; \tau - \sigma,$$

with equality when $\hat v$ has a continuous law. An interval policy pays for the width $\ln(u/\ell)$, so that of
all pairs of levels that cover enough the one with the least $u/\ell$ is best.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

from algos.validation import require_between, require_ordered, require_positive
from learning_augmented.knapsack.policy import shown

__all__ = ["IntervalForecast", "quantile_interval"]


@dataclass(frozen=True, slots=True)
class IntervalForecast:
    """An interval that should contain the critical value, and how often it should.

    Parameters
    ----------
    low, high : float
        Its ends, ``0 < low <= high``.
    coverage : float
        Least probability that the critical value lies inside, in (0, 1]; 1 for an interval that is certain.

    Raises
    ------
    ValueError
        If an end is not positive and finite, low exceeds high, or the coverage is out of range.
    """

    low: float
    high: float
    coverage: float = 1.0

    def __post_init__(self) -> None:
        low, high = require_positive("low", self.low), require_positive("high", self.high)
        require_ordered("low", low, "high", high)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "coverage", require_between("coverage", self.coverage, 0, 1, open_low=True))

    @property
    def width(self) -> float:
        """Logarithm of high / low: what an interval policy pays for."""
        return math.log(self.high) - math.log(self.low)

    @property
    def statement(self) -> str:
        """What the coverage means, in one sentence."""
        interval = f"[{shown(self.low)}, {shown(self.high)}]"
        if self.coverage == 1:
            return f"The critical value lies in {interval}."
        return (
            f"If the forecasts are calibrated at both levels, the critical value lies in {interval} "
            f"with probability at least {self.coverage:.4g}."
        )


def quantile_interval(forecast_quantiles: Mapping[float, float], coverage: float | None = None) -> IntervalForecast:
    """Turn quantile forecasts of the critical value into an interval prediction.

    Parameters
    ----------
    forecast_quantiles : mapping of float to float
        The forecast value at each level in (0, 1); at least two levels, values positive and not falling with the level.
    coverage : float, optional
        Wanted probability, in (0, 1). Among the pairs of levels that reach it, the pair with the least ratio of its
        values is taken (of equals the one that covers more). By default the outermost pair.

    Returns
    -------
    IntervalForecast
        With the coverage that the pair has, which may exceed the wanted one.

    Raises
    ------
    ValueError
        If there are fewer than two levels, a level or value is out of range, values cross (a higher level has a lower
        value), or no pair covers enough.

    Examples
    --------
    >>> quantile_interval({0.05: 80.0, 0.5: 100.0, 0.95: 130.0})
    IntervalForecast(low=80.0, high=130.0, coverage=0.9)
    >>> quantile_interval({0.05: 80.0, 0.25: 95.0, 0.5: 100.0, 0.95: 130.0}, coverage=0.4)
    IntervalForecast(low=80.0, high=100.0, coverage=0.45)
    """
    levels = _checked(forecast_quantiles)
    if coverage is None:
        pairs = [(levels[0], levels[-1])]
    else:
        wanted = require_between("coverage", coverage, 0, 1, open_low=True, open_high=True)
        # The slack lets 0.95 - 0.05, which falls short of 0.9 in its last digit, count as 0.9.
        pairs = [pair for pair in itertools.combinations(levels, 2) if _covered(*pair) >= wanted - 1e-12]
        if not pairs:
            most = _covered(levels[0], levels[-1])
            raise ValueError(f"coverage = {wanted}: must be at most {most:.6g}, that of the outermost levels")
    (_, low), (_, high) = best = min(pairs, key=lambda pair: (pair[1][1] / pair[0][1], -_covered(*pair)))
    return IntervalForecast(low, high, round(_covered(*best), 12))


def _covered(lower: tuple[float, float], upper: tuple[float, float]) -> float:
    return upper[0] - lower[0]


def _checked(forecast_quantiles: Mapping[float, float]) -> list[tuple[float, float]]:
    if not isinstance(forecast_quantiles, Mapping):
        kind = type(forecast_quantiles).__name__
        raise TypeError(f"forecast_quantiles = {forecast_quantiles!r}: must map levels to values, got {kind}")
    levels = sorted(
        (
            require_between("level", level, 0, 1, open_low=True, open_high=True),
            require_positive(f"forecast_quantiles[{level!r}]", value),
        )
        for level, value in forecast_quantiles.items()
    )
    if len(levels) < 2:
        raise ValueError(f"forecast_quantiles: needs at least 2 levels, got {len(levels)}")
    for (lower, low), (upper, high) in itertools.pairwise(levels):
        if high < low:
            raise ValueError(
                f"forecast_quantiles: cross, {shown(low)} at level {shown(lower)} exceeds {shown(high)} "
                f"at level {shown(upper)}"
            )
    return levels
