"""Bootstrap intervals: the law of the resamples by enumeration, the ends by closed form."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from algos.statistics import Interval, bootstrap_interval, cluster_bootstrap_interval

RESAMPLES = 4000


def recorded(run: Callable[[Callable[[NDArray[np.float64]], float]], Interval]) -> Counter[tuple[float, ...]]:
    """How often each sample, up to order, was shown to the statistic."""
    seen: Counter[tuple[float, ...]] = Counter()

    def statistic(sample: NDArray[np.float64]) -> float:
        seen[tuple(sorted(sample.tolist()))] += 1
        return float(sample.sum())

    run(statistic)
    return seen


def assert_law(seen: Counter[tuple[float, ...]], law: Counter[tuple[float, ...]]) -> None:
    """Each count lies in the central part of its binomial law; level 1e-9 over all counts together."""
    assert set(seen) <= set(law)
    draws, ways = seen.total(), law.total()
    for sample, weight in law.items():
        p_value = stats.binomtest(seen[sample], draws, weight / ways).pvalue
        assert p_value > 1e-9 / len(law)


def resamples_of(clusters: list[list[float]]) -> Counter[tuple[float, ...]]:
    """Every equally likely choice of as many clusters as there are."""
    choices = itertools.product(clusters, repeat=len(clusters))
    return Counter(tuple(sorted(itertools.chain.from_iterable(choice))) for choice in choices)


def test_the_plain_bootstrap_draws_every_resample_equally_often() -> None:
    values = [1.0, 2.0, 4.0]
    seen = recorded(lambda statistic: bootstrap_interval(values, statistic, 0.9, RESAMPLES, rng=1))
    assert_law(seen, resamples_of([[1.0], [2.0], [4.0]]))


def test_with_one_value_a_cluster_the_cluster_bootstrap_has_the_law_of_the_plain_one() -> None:
    values = [1.0, 2.0, 4.0]
    seen = recorded(lambda statistic: cluster_bootstrap_interval(values, [7, 3, 5], statistic, 0.9, RESAMPLES, rng=2))
    assert_law(seen, resamples_of([[1.0], [2.0], [4.0]]))


def test_the_cluster_bootstrap_draws_whole_clusters_equally_often_whatever_their_size() -> None:
    values, labels = [1.0, 8.0, 2.0, 4.0, 16.0], ["a", "b", "a", "c", "a"]
    seen = recorded(lambda statistic: cluster_bootstrap_interval(values, labels, statistic, 0.9, RESAMPLES, rng=3))
    assert_law(seen, resamples_of([[1.0, 2.0, 16.0], [8.0], [4.0]]))


def test_the_percentile_ends_are_the_quantiles_of_the_exact_resampled_law() -> None:
    # With a zero and a one, the mean of a resample is 0, 1/2 or 1 with probability 1/4, 1/2, 1/4
    for confidence, ends in ((0.6, (0.0, 1.0)), (0.4, (0.5, 0.5))):
        plain = bootstrap_interval([0, 1], np.mean, confidence, 2000, rng=4)
        clustered = cluster_bootstrap_interval([0, 1], [0, 1], np.mean, confidence, 2000, rng=4)
        assert plain == clustered == Interval(*ends, confidence)


def test_values_repeated_in_clusters_widen_the_interval_to_that_of_the_clusters() -> None:
    distinct = np.random.default_rng(5).normal(size=60)
    values, clusters = np.repeat(distinct, 16), np.repeat(np.arange(60), 16)
    honest = bootstrap_interval(distinct, np.mean, 0.9, 2000, rng=6)
    clustered = cluster_bootstrap_interval(values, clusters, np.mean, 0.9, 2000, rng=7)
    naive = bootstrap_interval(values, np.mean, 0.9, 2000, rng=8)
    width = honest.high - honest.low
    assert clustered.high - clustered.low == pytest.approx(width, rel=0.15)
    assert naive.high - naive.low == pytest.approx(width / 4, rel=0.15)  # sixteenfold data, a quarter of the width


def test_rows_are_resampled_whole() -> None:
    rows = np.column_stack([np.arange(5.0), 10 + np.arange(5.0)])

    def statistic(sample: NDArray[np.float64]) -> float:
        np.testing.assert_array_equal(sample[:, 1] - sample[:, 0], 10.0)
        return float(sample[:, 0].mean())

    bootstrap_interval(rows, statistic, 0.9, 100, rng=9)
    cluster_bootstrap_interval(rows, [0, 0, 1, 1, 2], statistic, 0.9, 100, rng=9)


def test_bca_shifts_the_interval_of_a_skewed_mean_towards_the_long_tail() -> None:
    values = np.random.default_rng(10).exponential(size=40)
    plain = bootstrap_interval(values, np.mean, 0.9, 4000, rng=11)
    corrected = bootstrap_interval(values, np.mean, 0.9, 4000, rng=11, method="BCa")
    assert corrected.low > plain.low
    assert corrected.high > plain.high


def test_the_same_rng_gives_the_same_interval() -> None:
    values = np.random.default_rng(12).normal(size=20)
    clusters = np.arange(20) // 2

    def plain(rng: Any) -> Interval:
        return bootstrap_interval(values, np.mean, 0.9, 200, rng)

    def clustered(rng: Any) -> Interval:
        return cluster_bootstrap_interval(values, clusters, np.mean, 0.9, 200, rng)

    for run in (plain, clustered):
        assert run(13) == run(13) == run(np.random.default_rng(13)) != run(14)


def test_ends_that_no_resample_lies_beyond_are_refused() -> None:
    with pytest.raises(ValueError, match=r"resamples = 39: must be at least 40 for confidence 0.95"):
        bootstrap_interval([1, 2], np.mean, 0.95, 39, rng=0)
    with pytest.raises(ValueError, match=r"resamples = 2000: must be at least 2000000 for confidence 0.999999"):
        cluster_bootstrap_interval([1, 2], [1, 2], np.mean, 1 - 1e-6, 2000, rng=0)
    bootstrap_interval([1, 2], np.mean, 0.95, 40, rng=0)
    bootstrap_interval([1, 2], np.mean, 0.9, 20, rng=0)  # 1 - 0.9 is a little below 0.1


def test_bca_of_a_degenerate_law_is_refused() -> None:
    with pytest.raises(ValueError, match="method = 'BCa': undefined for this statistic"):
        bootstrap_interval([1.0, 1.0, 1.0], np.mean, 0.9, 100, rng=0, method="BCa")
    assert bootstrap_interval([1.0, 1.0, 1.0], np.mean, 0.9, 100, rng=0) == Interval(1.0, 1.0, 0.9)


def test_unusable_values_labels_and_statistics_are_refused() -> None:
    def infinite(sample: NDArray[np.float64]) -> float:
        return math.inf

    with pytest.raises(ValueError, match="values: must hold at least 2, got 1"):
        bootstrap_interval([1.0], np.mean, 0.9, 100, rng=0)
    with pytest.raises(ValueError, match=r"values\[1\] = nan: must be finite"):
        bootstrap_interval([1.0, math.nan], np.mean, 0.9, 100, rng=0)
    with pytest.raises(ValueError, match=r"values\[:, 1\]\[0\] = inf: must be finite"):
        bootstrap_interval([[1.0, math.inf], [1.0, 2.0]], np.mean, 0.9, 100, rng=0)
    with pytest.raises(ValueError, match=r"statistic\(sample\) = inf: must be finite"):
        bootstrap_interval([1.0, 2.0], infinite, 0.9, 100, rng=0)
    with pytest.raises(ValueError, match="method = 'basic': must be one of 'percentile', 'BCa'"):
        bootstrap_interval([1.0, 2.0], np.mean, 0.9, 100, rng=0, method="basic")  # type: ignore[arg-type]  # the point
    refused: tuple[tuple[Any, type[Exception], str], ...] = (
        ([1], ValueError, "values has length 2, clusters has length 1: lengths must agree"),
        ([1, 1], ValueError, "clusters: must name at least 2, got 1"),
        ([0.0, math.nan], ValueError, r"clusters\[1\] = nan: must be finite"),
        ([None, 1], TypeError, "clusters: must hold numbers or strings, got dtype object"),
        ([[1, 2]], ValueError, r"clusters: must have shape \(n,\), got \(1, 2\)"),
    )
    for clusters, error, message in refused:
        with pytest.raises(error, match=message):
            cluster_bootstrap_interval([1.0, 2.0], clusters, np.mean, 0.9, 100, rng=0)
    with pytest.raises(ValueError, match=r"statistic\(sample\) = inf: must be finite"):
        cluster_bootstrap_interval([1.0, 2.0], [1, 2], infinite, 0.9, 100, rng=0)
