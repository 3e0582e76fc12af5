r"""Confidence intervals of any statistic by resampling the data.

The bootstrap (Efron, *Bootstrap methods: another look at the jackknife*, Annals of Statistics 7, 1979) takes the law of
the statistic over resamples, drawn from the data with replacement, for its law over fresh data. The percentile interval
lies between the :math:`\alpha/2` and :math:`1-\alpha/2` quantiles of that law; BCa (Efron, *Better bootstrap confidence
intervals*, JASA 82, 1987) corrects these for median bias and skewness. Both are approximate: they need many independent
values, and many resamples beyond each end of the interval.

Where values come in groups that are not independent inside (questions about one person, tokens of one text), whole
groups are resampled: the cluster bootstrap (Field & Welsh, *Bootstrapping clustered data*, JRSS B 69, 2007). Then the
number that must be large is that of the clusters.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algos.statistics.interval import Interval, error_probability
from algos.validation import require_finite, require_integer, require_one_of, require_same_length, require_vector

__all__ = ["bootstrap_interval", "cluster_bootstrap_interval"]

Statistic = Callable[[NDArray[np.float64]], float]
_INDICES_AT_ONCE = 1_000_000


def bootstrap_interval(
    values: ArrayLike,
    statistic: Statistic,
    confidence: float,
    resamples: int,
    rng: Any,
    *,
    method: Literal["percentile", "BCa"] = "percentile",
) -> Interval:
    """Return a bootstrap interval of a statistic of independent values.

    Parameters
    ----------
    values : array_like, shape (n,) or (n, d)
        Independent values or rows; n at least 2. Rows are resampled whole, so that paired columns stay paired.
    statistic : callable
        ``statistic(sample) -> float`` for a sample of the shape of `values`; must be finite on every resample.
    confidence : float
        In (0, 1).
    resamples : int
        How many; at least ``2 / (1 - confidence)``, so that the ends lie inside the resampled law.
    rng : object
        Anything that `numpy.random.default_rng` accepts.
    method : {"percentile", "BCa"}
        BCa is more accurate for skewed statistics, and undefined for some that take few values.

    Returns
    -------
    Interval
        Approximate.

    Raises
    ------
    ValueError
        If the values are fewer than 2 or not finite, there are too few resamples for the confidence, a statistic is not
        finite, or BCa is undefined.

    Examples
    --------
    >>> heights = [1.62, 1.71, 1.80, 1.68, 1.75, 1.59, 1.83, 1.77]
    >>> interval = bootstrap_interval(heights, np.median, confidence=0.9, resamples=999, rng=0)
    >>> 1.62 < interval.low < 1.73 < interval.high < 1.83
    True
    """
    rows = _require_rows(values)
    tail = _require_resamples(resamples, confidence)
    require_one_of("method", method, ("percentile", "BCa"))
    from scipy import stats  # here, since it takes most of a second

    # a degenerate BCa divides by zero and warns; it is told apart from the rest by its NaN
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        ends = stats.bootstrap(
            (np.arange(len(rows)),),
            lambda chosen: _finite(statistic, rows[chosen]),
            n_resamples=resamples,
            batch=max(1, _INDICES_AT_ONCE // len(rows)),
            vectorized=False,
            confidence_level=1 - 2 * tail,
            method=method,
            rng=np.random.default_rng(rng),
        ).confidence_interval
    if math.isnan(ends.low) or math.isnan(ends.high):
        raise ValueError("method = 'BCa': undefined for this statistic, whose resampled law is degenerate")
    return Interval(float(ends.low), float(ends.high), float(confidence))


def cluster_bootstrap_interval(
    values: ArrayLike,
    clusters: ArrayLike,
    statistic: Statistic,
    confidence: float,
    resamples: int,
    rng: Any,
) -> Interval:
    """Return a percentile bootstrap interval of a statistic of values that come in clusters.

    Parameters
    ----------
    values : array_like, shape (n,) or (n, d)
        Values or rows, dependent only inside their cluster.
    clusters : array_like, shape (n,)
        Label of the cluster of each value, numbers or strings; at least 2 distinct ones.
    statistic : callable
        ``statistic(sample) -> float``. A resample holds as many clusters as the data, so its number of values varies.
    confidence : float
        In (0, 1).
    resamples : int
        How many; at least ``2 / (1 - confidence)``, so that the ends lie inside the resampled law.
    rng : object
        Anything that `numpy.random.default_rng` accepts.

    Returns
    -------
    Interval
        Approximate.

    Raises
    ------
    TypeError
        If the labels are neither numbers nor strings.
    ValueError
        If values and labels differ in number, there are fewer than 2 clusters, there are too few resamples for the
        confidence, or a value, a label or a statistic is not finite.

    Examples
    --------
    >>> scores = [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
    >>> person = ["ann", "ann", "ann", "bo", "bo", "bo", "cy", "cy", "cy", "di", "di", "di"]
    >>> interval = cluster_bootstrap_interval(scores, person, np.mean, confidence=0.9, resamples=999, rng=0)
    >>> interval.low, interval.high
    (0.0, 1.0)
    """
    rows = _require_rows(values)
    members = _members(clusters, rows)
    tail = _require_resamples(resamples, confidence)
    rng = np.random.default_rng(rng)
    law = np.empty(resamples)
    for draw in range(resamples):
        chosen = rng.integers(len(members), size=len(members))
        law[draw] = _finite(statistic, rows[np.concatenate([members[cluster] for cluster in chosen])])
    low, high = np.quantile(law, [tail, 1 - tail])
    return Interval(float(low), float(high), float(confidence))


def _require_rows(values: ArrayLike) -> NDArray[np.float64]:
    raw = np.asarray(values)
    if raw.ndim == 2:
        columns = [require_vector(f"values[:, {index}]", column) for index, column in enumerate(raw.T)]
        rows = np.stack(columns, axis=1) if columns else np.empty(raw.shape)
    else:
        rows = require_vector("values", raw)
    if len(rows) < 2:
        raise ValueError(f"values: must hold at least 2, got {len(rows)}")
    return rows


def _members(clusters: ArrayLike, rows: NDArray[np.float64]) -> list[NDArray[np.intp]]:
    """The row numbers of each cluster."""
    labels = np.asarray(clusters)
    if labels.dtype.kind not in "iufUS":
        raise TypeError(f"clusters: must hold numbers or strings, got dtype {labels.dtype}")
    if labels.ndim != 1:
        raise ValueError(f"clusters: must have shape (n,), got {labels.shape}")
    require_same_length(values=rows, clusters=labels)
    if labels.dtype.kind == "f":
        require_vector("clusters", labels)
    _, cluster, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if len(sizes) < 2:
        raise ValueError(f"clusters: must name at least 2, got {len(sizes)}")
    return np.split(np.argsort(cluster, kind="stable"), np.cumsum(sizes)[:-1])


def _finite(statistic: Statistic, sample: NDArray[np.float64]) -> float:
    return require_finite("statistic(sample)", statistic(sample))


def _require_resamples(resamples: int, confidence: float) -> float:
    """The probability beyond each end, after checking that at least one resample lies there."""
    tail = error_probability(confidence) / 2
    require_integer("resamples", resamples, minimum=1)
    if resamples * tail < 1 - 1e-9:  # 1 - 0.9 is a little below 0.1
        raise ValueError(
            f"resamples = {resamples}: must be at least {math.ceil(1 / tail - 1e-6)} for confidence {confidence}"
        )
    return tail
