"""The radius around an empirical distribution, by enumerating every outcome of a multinomial."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

from algos.statistics import total_variation_bound

DISTRIBUTIONS = (
    (1.0,),
    (0.5, 0.5),
    (0.99, 0.01),
    (0.3, 0.7),
    (1 / 3, 1 / 3, 1 / 3),
    (0.9, 0.05, 0.05),
    (1.0, 0.0, 0.0),
    (0.4, 0.3, 0.2, 0.1),
    (0.25, 0.25, 0.25, 0.25),
)


def counts_of(samples: int, categories: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread the samples over the categories."""
    for bars in itertools.combinations(range(samples + categories - 1), categories - 1):
        ends = (-1, *bars, samples + categories - 1)
        yield tuple(right - left - 1 for left, right in itertools.pairwise(ends))


def law_of_distance(p: tuple[float, ...], samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Distances between empirical and true distribution, and their probabilities, exactly."""
    counts = np.array(list(counts_of(samples, len(p))))
    ways = [math.factorial(samples) // math.prod(map(math.factorial, row)) for row in counts.tolist()]
    chances = np.array(ways, dtype=float) * np.prod(np.array(p) ** counts, axis=1)
    return np.abs(counts / samples - p).sum(axis=1) / 2, chances


@pytest.mark.parametrize("p", DISTRIBUTIONS)
@pytest.mark.parametrize("samples", [1, 7, 30])
def test_the_distance_exceeds_the_radius_with_at_most_the_level(p: tuple[float, ...], samples: int) -> None:
    distances, chances = law_of_distance(p, samples)
    assert chances.sum() == pytest.approx(1)
    for confidence in (0.1, 0.5, 0.8, 0.95, 0.999, 1 - 1e-6):
        radius = total_variation_bound(len(p), samples, confidence)
        assert chances[distances > radius].sum() <= (1 - confidence) * (1 + 1e-9)


def test_a_radius_smaller_by_a_third_would_not_do() -> None:
    distances, chances = law_of_distance((0.5, 0.5), 30)
    confidence = 0.8
    radius = total_variation_bound(2, 30, confidence)
    assert chances[distances > radius * 2 / 3].sum() > 1 - confidence


@pytest.mark.parametrize("confidence", [0.9, 1 - 1e-6, 1 - 1e-9])
def test_two_categories_have_the_radius_of_a_two_sided_hoeffding_bound(confidence: float) -> None:
    expected = math.sqrt(math.log(2 / (1 - confidence)) / 2000)
    assert total_variation_bound(2, 1000, confidence) == pytest.approx(expected, rel=1e-12)


def test_many_categories_have_the_radius_of_mean_plus_mcdiarmid() -> None:
    samples, categories = 10**8, 10_000  # 2 ** categories is no double
    expected = 0.5 * math.sqrt((categories - 1) / samples) + math.sqrt(math.log(1e6) / (2 * samples))
    assert total_variation_bound(categories, samples, 1 - 1e-6) == pytest.approx(expected, rel=1e-9)


def test_one_category_leaves_no_distance_and_few_samples_say_nothing() -> None:
    assert total_variation_bound(1, 1, 0.999) == 0.0
    assert total_variation_bound(50, 1, 0.999) == 1.0


def test_counts_below_one_and_impossible_confidences_are_refused() -> None:
    for arguments, message in (
        ((0, 10, 0.9), "categories = 0: must be at least 1"),
        ((2, 0, 0.9), "samples = 0: must be at least 1"),
        ((1, 10, 1.5), r"confidence = 1.5: must lie in \(0, 1\)"),
    ):
        with pytest.raises(ValueError, match=message):
            total_variation_bound(*arguments)
    with pytest.raises(TypeError, match=r"samples = 10.0: must be an integer"):
        total_variation_bound(2, 10.0, 0.9)  # type: ignore[arg-type]  # that is the point
