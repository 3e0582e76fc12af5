"""Random instances, and real prices as arrival streams."""

from __future__ import annotations

import csv
import datetime
import gzip
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algos.validation import (
    require_at_least,
    require_integer,
    require_ordered,
    require_positive,
    require_same_length,
    require_vector,
)
from learning_augmented.knapsack.instance import OnlineKnapsackInstance

__all__ = ["PriceSeries", "power_law", "price_windows", "sp500_closes"]


def power_law(n: int, upper: float, rng: Any, lower: float = 1.0) -> OnlineKnapsackInstance:
    r"""Draw the power-law instances on which the policies are usually compared.

    Unit values are $L + (U-L) r^5$ with $r$ uniform on [0, 1): many cheap items, few dear ones. Weights are
    $(50 + 10 g) r'^5 + 1$ with one standard normal $g$ an instance, divided by their maximum, so that the heaviest item
    fills the knapsack by itself.

    Parameters
    ----------
    n : int
        Number of items, at least 1.
    upper : float
        Upper end of the range of unit values.
    rng : Generator, seed or anything that `numpy.random.default_rng` accepts
        Source of randomness.
    lower : float
        Lower end of the range.

    Returns
    -------
    OnlineKnapsackInstance
        Capacity 1.

    Notes
    -----
    With lower = 1 this is the law of the synthetic experiments of Daneshvaramoli et al. (2025).

    Examples
    --------
    >>> power_law(150, upper=1000, rng=0)
    OnlineKnapsackInstance(150 items, lower=1, upper=1000, capacity=1)
    """
    count = require_integer("n", n, minimum=1)
    low, high = require_positive("lower", lower), require_positive("upper", upper)
    require_ordered("lower", low, "upper", high)
    generator = np.random.default_rng(rng)
    unit_values = low + (high - low) * generator.random(count) ** 5
    # abs: weights stay positive in the one draw out of millions that lies five deviations below the mean.
    spread = abs(50.0 + 10.0 * generator.standard_normal())
    weights = spread * generator.random(count) ** 5 + 1.0
    return OnlineKnapsackInstance(unit_values, weights / weights.max(), low, high)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PriceSeries:
    """Daily prices, with where they come from.

    Parameters
    ----------
    name : str
        What was priced.
    source, licence : str
        Where the prices come from, and under which licence.
    dates : ndarray of datetime64[D], shape (n,)
        Days, rising.
    closes : array_like, shape (n,)
        Closing prices, positive.

    Raises
    ------
    ValueError
        If lengths differ, a price is not positive and finite, or the days do not rise.
    """

    name: str
    source: str
    licence: str
    dates: NDArray[np.datetime64]
    closes: NDArray[np.float64]

    def __post_init__(self) -> None:
        closes = require_vector("closes", np.array(self.closes), positive=True)
        dates = np.array(self.dates, dtype="datetime64[D]")
        require_same_length(dates=dates, closes=closes)
        if not (dates[1:] > dates[:-1]).all():
            raise ValueError("dates: must rise")
        dates.flags.writeable = False
        object.__setattr__(self, "closes", closes)
        object.__setattr__(self, "dates", dates)

    def __len__(self) -> int:
        """Return the number of days."""
        return len(self.closes)

    def __repr__(self) -> str:
        """Name, number of days and period."""
        period = f", {self.dates[0]} to {self.dates[-1]}" if len(self) else ""
        return f"PriceSeries({self.name!r}, {len(self)} days{period})"


def sp500_closes() -> PriceSeries:
    """Return the daily closes of the S&P 500 from 1999 to 2018 that ship inside the package `arch`.

    Returns
    -------
    PriceSeries
        5031 trading days. The file is read as data: `arch` itself is not imported.

    Raises
    ------
    ImportError
        If `arch` is not installed, or no longer ships the file.
    """
    spec = importlib.util.find_spec("arch")
    folders = spec.submodule_search_locations if spec else None
    files = [Path(folder, "data", "sp500", "sp500.csv.gz") for folder in folders or ()]
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        raise ImportError('the S&P 500 closes ship inside the package arch: pip install "boundlab[data]"')
    with gzip.open(found, "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    days = [datetime.datetime.strptime(row["Date"], "%m/%d/%Y").date() for row in rows]
    return PriceSeries(
        name="S&P 500 daily close",
        source="arch/data/sp500/sp500.csv.gz of the PyPI package arch",
        licence="NCSA",
        dates=np.array(days, dtype="datetime64[D]"),
        closes=np.array([float(row["Close"]) for row in rows]),
    )


def price_windows(series: PriceSeries, length: int, parts: int, factor: float = 5.0) -> list[OnlineKnapsackInstance]:
    """Cut a price series into arrival streams: sell one capacity of stock within each window.

    Windows are consecutive and disjoint. Each day of a window is an item: its unit value is the day's close, and it
    offers ``1 / parts`` of the capacity. The known range of unit values follows from the first close alone, as a policy
    could know it on the first morning: from ``first / factor`` to ``first * factor``. Nothing is clipped to it: a
    window that leaves its range is refused.

    Parameters
    ----------
    series : PriceSeries
        The prices.
    length : int
        Days in a window; the days after the last whole window make no stream.
    parts : int
        How many days it takes to fill the knapsack.
    factor : float
        Half-width of the range, at least 1. The default is wide enough for every window of any length of
        `sp500_closes`: no close there is above 4.4 times, or below 0.4 times, an earlier one.

    Returns
    -------
    list of OnlineKnapsackInstance
        One for each window, capacity 1.

    Raises
    ------
    ValueError
        If the series is shorter than one window, or a window leaves its range; the message names the first such
        window and the day.

    Examples
    --------
    >>> days = np.arange("2020-01-01", "2020-01-06", dtype="datetime64[D]")
    >>> series = PriceSeries("toy", "made up", "CC0", days, np.array([10.0, 11.0, 9.0, 12.0, 13.0]))
    >>> windows = price_windows(series, length=2, parts=4)
    >>> windows[1], windows[1].unit_values, windows[1].weights
    (OnlineKnapsackInstance(2 items, lower=1.8, upper=45, capacity=1), array([ 9., 12.]), array([0.25, 0.25]))
    """
    days = require_integer("length", length, minimum=1)
    share = 1.0 / require_integer("parts", parts, minimum=1)
    spread = require_at_least("factor", factor, 1)
    if days > len(series):
        raise ValueError(f"length = {days}: must be at most the {len(series)} days of the series")
    windows = []
    for start in range(0, len(series) - days + 1, days):
        closes = series.closes[start : start + days]
        first = float(closes[0])
        try:
            windows.append(OnlineKnapsackInstance(closes, np.full(days, share), first / spread, first * spread))
        except ValueError as error:
            raise ValueError(
                f"factor = {spread}: too narrow for the window from {series.dates[start]} on: {error}"
            ) from None
    return windows
