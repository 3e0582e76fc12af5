"""The random instances follow their law; the real prices are what they are."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from learning_augmented.knapsack import PriceSeries, power_law, price_windows, sp500_closes

needs_arch = pytest.mark.skipif(
    importlib.util.find_spec("arch") is None, reason='the prices ship inside arch: pip install "boundlab[data]"'
)


def toy(closes):
    days = np.arange("2020-01-01", len(closes), dtype="datetime64[D]")
    return PriceSeries("toy", "made up", "CC0", days, np.array(closes, dtype=float))


def test_the_same_seed_draws_the_same_instance_and_a_generator_moves_on():
    assert power_law(30, 50.0, rng=1) == power_law(30, 50.0, rng=1)
    generator = np.random.default_rng(1)
    first, second = power_law(30, 50.0, generator), power_law(30, 50.0, generator)
    assert first == power_law(30, 50.0, rng=1)
    assert first != second


def test_unit_values_have_the_quantiles_of_a_fifth_power():
    instance = power_law(200_000, 1000.0, rng=0)
    for quantile in (0.25, 0.5, 0.75, 0.9):
        expected = 1 + 999 * quantile**5
        assert np.quantile(instance.unit_values, quantile) == pytest.approx(expected, rel=0.05)
    assert instance.unit_values.min() >= 1.0
    assert instance.unit_values.max() <= 1000.0


def test_the_heaviest_item_fills_the_knapsack_and_the_median_is_that_of_a_fifth_power():
    medians = []
    for seed in range(20):
        weights = power_law(20_000, 1000.0, rng=seed).weights
        assert weights.max() == 1.0
        medians.append(np.median(weights))
    # (50 r^5 + 1) / 51 at r = 1/2, the factor 50 being normal with deviation 10
    assert np.mean(medians) == pytest.approx((50 / 32 + 1) / 51, rel=0.05)


def test_another_lower_end_shifts_the_law_into_its_range():
    instance = power_law(1000, 900.0, rng=2, lower=700.0)
    standard = power_law(1000, 2.0, rng=2)
    assert (instance.lower, instance.upper) == (700.0, 900.0)
    assert instance.unit_values == pytest.approx(700 + 200 * (standard.unit_values - 1), rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"n": 0, "upper": 5.0}, "n = 0: must be at least 1"),
        ({"n": 3, "upper": 0.5}, "lower must not exceed upper"),
        ({"n": 3, "upper": 5.0, "lower": 0.0}, "lower = 0.0: must be positive"),
    ],
)
def test_a_law_that_does_not_exist_is_refused(arguments, told):
    with pytest.raises(ValueError, match=told):
        power_law(rng=0, **arguments)


def test_windows_are_consecutive_and_disjoint_and_share_out_the_capacity():
    windows = price_windows(toy([10, 11, 9, 12, 13, 8, 7]), length=3, parts=4)
    assert [window.unit_values.tolist() for window in windows] == [[10.0, 11.0, 9.0], [12.0, 13.0, 8.0]]
    assert all(window.weights.tolist() == [0.25] * 3 for window in windows)
    assert [(window.lower, window.upper) for window in windows] == [(2.0, 50.0), (2.4, 60.0)]


def test_a_window_that_leaves_its_range_is_refused_and_not_clipped():
    with pytest.raises(
        ValueError, match=r"factor = 2.0: too narrow for the window from 2020-01-03 on: unit_values\[1\]"
    ):
        price_windows(toy([10, 11, 9, 19]), length=2, parts=1, factor=2.0)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"length": 0, "parts": 1}, "length = 0: must be at least 1"),
        ({"length": 4, "parts": 1}, "length = 4: must be at most the 3 days"),
        ({"length": 1, "parts": 0}, "parts = 0: must be at least 1"),
        ({"length": 1, "parts": 1, "factor": 0.5}, "factor = 0.5: must be at least 1"),
    ],
)
def test_windows_that_do_not_exist_are_refused(arguments, told):
    with pytest.raises(ValueError, match=told):
        price_windows(toy([1, 2, 3]), **arguments)


def test_a_series_must_have_rising_days_and_positive_prices():
    with pytest.raises(ValueError, match=r"closes\[1\] = 0.0: must be positive"):
        toy([1, 0])
    days = np.array(["2020-01-02", "2020-01-01"], dtype="datetime64[D]")
    with pytest.raises(ValueError, match="dates: must rise"):
        PriceSeries("toy", "made up", "CC0", days, np.ones(2))
    assert repr(toy([1, 2])) == "PriceSeries('toy', 2 days, 2020-01-01 to 2020-01-02)"


@needs_arch
def test_the_closes_are_the_5031_trading_days_from_1999_to_2018():
    series = sp500_closes()
    assert len(series) == 5031
    assert (str(series.dates[0]), str(series.dates[-1])) == ("1999-01-04", "2018-12-31")
    assert (series.closes[0], series.closes[-1]) == (1228.099976, 2506.850098)
    assert series.licence == "NCSA"
    assert "arch" in series.source


@needs_arch
@pytest.mark.parametrize("length", [5, 60, 250, 1000, 2500, 5031])
def test_the_default_range_is_wide_enough_for_windows_of_every_length(length):
    series = sp500_closes()
    windows = price_windows(series, length, parts=20)
    assert len(windows) == 5031 // length
    highest_later = np.maximum.accumulate(series.closes[::-1])[::-1]
    lowest_later = np.minimum.accumulate(series.closes[::-1])[::-1]
    assert (highest_later / series.closes).max() < 4.4
    assert (lowest_later / series.closes).min() > 0.4


@needs_arch
def test_reading_the_closes_imports_neither_arch_nor_pandas():
    program = (
        "import sys; from learning_augmented.knapsack import sp500_closes; sp500_closes();"
        "sys.exit(bool({'arch', 'pandas'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_without_arch_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r'pip install "boundlab\[data\]"'):
        sp500_closes()
