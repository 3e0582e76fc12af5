r"""Policies replayed over recorded arrival windows, against hindsight; and when trusting a forecast stops paying.

In every window the knapsack starts empty, and hindsight is the fractional optimum of the window. A policy's loss is the
share of the hindsight value, summed over the windows, that it did not collect.

*When trust stops paying.* Let window $j$ have critical value $t_j$ and forecast $f_j$. The forecast's error is rescaled
towards the truth and away from it, in the direction that it has in each window:

$$f_j(s) = t_j \left(f_j / t_j\right)^s, \qquad
\operatorname{error}(s) = \exp\Bigl(s \cdot \operatorname*{mean}_j \lvert\ln(f_j/t_j)\rvert\Bigr),$$

$s = 0$ being the truth, $s = 1$ the forecast as it was, $s = 2$ one that is wrong by the square of the factor. The
policy that trusts, PPAdvanced on $f(s)$, is compared with ZCL, which does not, by the sum of their values. Trust stops
paying at the least $s$ where the sum falls below that of ZCL: looked for on a grid, then halved between two neighbours
of the grid; a shorter dip between two neighbours would be missed. The same $s$ holds for `Mix` with any trust in
(0, 1], since its value is $\lambda$ times the one plus $1 - \lambda$ times the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from algos.knapsack import tied_with
from algos.validation import require_between, require_ordered, require_positive
from learning_augmented.knapsack import (
    ZCL,
    OnlineKnapsackInstance,
    PPAdvanced,
    critical_value,
    mix_consistency,
    mix_robustness,
    zcl_ratio,
)
from proofs_checks.command.knapsack.item_table import ItemTable, window_slices

__all__ = ["Backtest", "ReplayedPolicy", "TrustCurve", "backtest"]

Progress = Callable[[float, float], None]

_SCALES: Final = np.concatenate([np.linspace(0.0, 3.0, 31), 3.0 * 2.0 ** (np.arange(1, 21) / 4)])
"""Fine around the error as it was; up to 96 times it, for forecasts that are nearly right."""
_HALVINGS: Final = 12
_LARGEST_LOG: Final = 700.0  # e^700 is nearly the largest float; a forecast beyond it decides no differently


@dataclass(frozen=True, slots=True, eq=False)
class ReplayedPolicy:
    """How one policy did.

    Parameters
    ----------
    name : str
        Policy, and the forecast that it was given.
    values : ndarray of float64, shape (k,)
        Its value in each window.
    lost : float
        Share of the hindsight value of all windows that it did not collect.
    worst_ratio : float
        Largest hindsight value / value of a window.
    worst_window : str
        Which one.
    if_right, always : float
        Competitive ratio that is guaranteed when the forecast is right, and whatever it is.
    """

    name: str
    values: NDArray[np.float64]
    lost: float
    worst_ratio: float
    worst_window: str
    if_right: float
    always: float


@dataclass(frozen=True, slots=True, eq=False)
class TrustCurve:
    """What trusting a forecast is worth when its error is rescaled.

    Parameters
    ----------
    forecast : str
        The column.
    error : float
        Typical factor by which it was off, at least 1: the geometric mean of max(f/t, t/f).
    scales : ndarray of float64, shape (m,)
        Scales of the error.
    values : ndarray of float64, shape (m,)
        Value of PPAdvanced in all windows at each scale.
    untrusting : float
        Value of ZCL in all windows.
    stops_at : float
        Scale at which trust stops paying: 0 if not even the truth pays, infinity if it pays at all scales tried.
    """

    forecast: str
    error: float
    scales: NDArray[np.float64]
    values: NDArray[np.float64]
    untrusting: float
    stops_at: float

    @property
    def stopping_error(self) -> float:
        """Typical factor at which trust stops paying."""
        return self.error**self.stops_at if self.error > 1 else math.inf if self.stops_at > 0 else 1.0

    @property
    def sentence(self) -> str:
        """What a person wants to know."""
        if self.error == 1:
            pays = "pays" if self.stops_at > 0 else "does not pay"
            return f"{self.forecast}: right in every window, so that there is no error to rescale; trusting it {pays}."
        about = f"{self.forecast}: off by a factor of {self.error:.4g} in geometric mean; trusting it"
        if self.stops_at == 0:
            return f"{about} would not pay even if it were right."
        if math.isinf(self.stops_at):
            largest = float(self.scales[-1])
            tried = f"{self.error**largest:.4g}, the largest tried ({largest:g} times the error)"
            return f"{about} pays up to a factor of {tried}."
        verb = "pays, and stops paying at" if self.stops_at > 1 else "does not pay, and would only pay below"
        return f"{about} {verb} a factor of {self.stopping_error:.4g} ({self.stops_at:.3g} times the error)."


@dataclass(frozen=True, slots=True, eq=False)
class Backtest:
    """Policies against hindsight, over all windows with items.

    Parameters
    ----------
    windows : tuple of str, length k
        Their names.
    items : ndarray of int64, shape (k,)
        Items in each.
    hindsight, critical_values : ndarray of float64, shape (k,)
        Fractional optimum and critical value of each window.
    lower, upper : float
        Range of unit values that the policies were told.
    range_in_hindsight : bool
        Whether that range was read off the items themselves, as no policy could.
    policies : tuple of ReplayedPolicy
        First ZCL, then two for each forecast.
    curves : tuple of TrustCurve
        One for each forecast.
    """

    windows: tuple[str, ...]
    items: NDArray[np.int64]
    hindsight: NDArray[np.float64]
    critical_values: NDArray[np.float64]
    lower: float
    upper: float
    range_in_hindsight: bool
    policies: tuple[ReplayedPolicy, ...]
    curves: tuple[TrustCurve, ...]


def backtest(
    table: ItemTable,
    *,
    capacity: float = 1.0,
    lower: float | None = None,
    upper: float | None = None,
    trust: float = 0.5,
    progress: Progress | None = None,
) -> Backtest:
    """Replay ZCL, and PPAdvanced and Mix on every forecast, over the windows of a table.

    Parameters
    ----------
    table : ItemTable
        Items, windows, forecasts.
    capacity : float
        Weight that the knapsack holds, in every window anew.
    lower, upper : float, optional
        Known range of unit values. Each end is read off the items when it is not given, and the result says so.
    trust : float
        Of Mix, in [0, 1].
    progress : callable of (done, total), optional
        Told how many replays of all windows are done.

    Returns
    -------
    Backtest
        Losses, worst windows, trust curves.

    Raises
    ------
    ValueError
        If a unit value lies outside the range (the row is named), or a number is out of range.
    """
    room = require_positive("capacity", capacity)
    share = require_between("trust", trust, 0, 1)
    low, high = _range(table, lower, upper)
    windows = [
        OnlineKnapsackInstance(table.unit_values[items], table.weights[items], low, high, room)
        for items in window_slices(table)
    ]
    best = [critical_value(window) for window in windows]
    hindsight = np.array([found.optimum for found in best])
    truth = np.array([found.value for found in best])
    counter = _Counter(progress, total=1 + len(table.forecasts) * (len(_SCALES) + _HALVINGS))

    def replayed(name: str, values: NDArray[np.float64], if_right: float, always: float) -> ReplayedPolicy:
        with np.errstate(divide="ignore"):
            ratios = hindsight / values
        worst = int(np.argmax(ratios))
        lost = 1.0 - math.fsum(values) / math.fsum(hindsight)
        return ReplayedPolicy(name, values, lost, float(ratios[worst]), table.windows[worst], if_right, always)

    robust = np.array([ZCL(low, high).run(window).value for window in windows])
    counter.advance()
    ratio = zcl_ratio(low, high)
    policies = [replayed("ZCL", robust, ratio, ratio)]
    curves = []
    for column, forecast in table.forecasts.items():
        trusting = _trusting(windows, forecast)
        mixed = share * trusting + (1.0 - share) * robust
        consistent, always = mix_consistency(share, 2.0, low, high), mix_robustness(share, low, high)
        policies.append(replayed(f"PPAdvanced on {column}", trusting, 2.0, math.inf))
        policies.append(replayed(f"Mix on {column}, trust {share:g}", mixed, consistent, always))
        curves.append(_curve(column, windows, truth, forecast, math.fsum(robust), counter))
    counter.finish()
    return Backtest(
        windows=table.windows,
        items=np.diff(table.starts),
        hindsight=hindsight,
        critical_values=truth,
        lower=low,
        upper=high,
        range_in_hindsight=lower is None or upper is None,
        policies=tuple(policies),
        curves=tuple(curves),
    )


class _Counter:
    """Replays done, for the caller's progress."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def advance(self) -> None:
        self._done += 1
        self.tell(self._done)

    def finish(self) -> None:
        """Curves without an end to look for need fewer replays than were foreseen."""
        self.tell(self._total)

    def tell(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._total)


def _range(table: ItemTable, lower: float | None, upper: float | None) -> tuple[float, float]:
    low = float(table.unit_values.min()) if lower is None else require_positive("lower", lower)
    high = float(table.unit_values.max()) if upper is None else require_positive("upper", upper)
    outside = (table.unit_values < tied_with(low)[0]) | (table.unit_values > tied_with(high)[1])
    if outside.any():
        index = int(np.argmax(outside))
        unit_value = float(table.unit_values[index])
        raise ValueError(f"row {table.rows[index]}: unit value {unit_value} lies outside the range [{low}, {high}]")
    require_ordered("lower", low, "upper", high)
    return low, high


def _trusting(windows: list[OnlineKnapsackInstance], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    pairs = zip(windows, forecast.tolist(), strict=True)
    return np.array([PPAdvanced(prediction).run(window).value for window, prediction in pairs])


def _curve(
    column: str,
    windows: list[OnlineKnapsackInstance],
    truth: NDArray[np.float64],
    forecast: NDArray[np.float64],
    untrusting: float,
    counter: _Counter,
) -> TrustCurve:
    log_truth = np.log(truth)
    log_error = np.log(forecast) - log_truth
    values: dict[float, float] = {}

    def pays(scale: float) -> bool:
        """Whether trust pays at this scale; ties do."""
        logs = np.clip(log_truth + scale * log_error, -_LARGEST_LOG, _LARGEST_LOG)
        # At scale 0 the truth itself: exp(log t) is off by a rounding error that could miss a tie.
        rescaled = truth if scale == 0 else forecast if scale == 1 else np.exp(logs)
        values[scale] = math.fsum(_trusting(windows, rescaled))
        counter.advance()
        return values[scale] >= untrusting * (1 - 1e-12)

    scales = _SCALES.tolist()
    paid = [pays(scale) for scale in scales]
    stops_at = math.inf
    if not all(paid):
        first = paid.index(False)
        stops_at = _halved(scales[first - 1], scales[first], pays) if first else 0.0
    return TrustCurve(
        forecast=column,
        error=float(np.exp(np.abs(log_error).mean())),
        scales=_SCALES.copy(),
        values=np.array([values[scale] for scale in scales]),
        untrusting=untrusting,
        stops_at=stops_at,
    )


def _halved(paying: float, failing: float, pays: Callable[[float], bool]) -> float:
    """A scale at which trust stops paying, between one that pays and one that does not."""
    for _ in range(_HALVINGS):
        middle = (paying + failing) / 2
        paying, failing = (middle, failing) if pays(middle) else (paying, middle)
    return failing
