"""Seed streams by their definition; counter-based uniforms, bit for bit, in three implementations; their uniformity."""

from __future__ import annotations

import importlib.util
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from algos import _kernels
from algos.random_streams import stream, stream_key, torch_generator, uniform_at, uniforms

WORDS = st.integers(0, 2**64 - 1)
LEVEL = 1e-9


def numpys_uniforms(key: int, start: int, count: int) -> NDArray[np.float64]:
    """The same numbers by NumPy's own Philox."""
    block, skipped = divmod(start, 4)
    return np.random.Generator(np.random.Philox(key=key, counter=block)).random(skipped + count)[skipped:]


def test_the_key_is_the_hash_of_the_name_and_the_shard() -> None:
    # printf 'knapsack.zcl.ratio' | sha256sum | cut -c1-16
    assert stream_key("knapsack.zcl.ratio", 5) == (0xF3313275F11A6907, 5)
    # printf 'λ' | sha256sum | cut -c1-16
    assert stream_key("λ", 0) == (0x6BB5604CB68C1E24, 0)


def test_a_stream_is_the_default_generator_of_its_seed_sequence() -> None:
    sequence = np.random.SeedSequence(3, spawn_key=stream_key("demo.claim", 2))
    expected = np.random.default_rng(sequence).random(5)
    np.testing.assert_array_equal(stream(3, "demo.claim", 2).random(5), expected)


def test_seed_name_and_shard_each_change_the_stream() -> None:
    starts = {stream(seed, name, shard).random() for seed in (0, 1) for name in ("a", "b") for shard in (0, 1, 2**32)}
    assert len(starts) == 12


@given(WORDS, WORDS)
@example(0, 0)
@example(2**64 - 1, 2**64 - 1)
def test_python_and_compiled_uniforms_are_those_of_numpy_to_the_last_bit(key: int, counter: int) -> None:
    expected = numpys_uniforms(key, counter, 1)[0]
    assert uniform_at(key, counter) == expected
    assert _kernels.uniform_at(np.uint64(key), np.uint64(counter)) == expected


@given(WORDS, WORDS, st.integers(0, 40))
@example(5, 2**64 - 3, 3)
@example(5, 3, 1)
def test_many_uniforms_are_single_ones_in_a_row(key: int, start: int, count: int) -> None:
    count = min(count, 2**64 - start)
    row = uniforms(key, start, count)
    assert row.dtype == np.float64
    assert row.tolist() == [uniform_at(key, start + step) for step in range(count)]
    np.testing.assert_array_equal(row, numpys_uniforms(key, start, count))


def test_the_words_are_those_of_the_published_test_vector() -> None:
    # The vector of Random123, the authors' library, for philox4x64 with ten rounds, key and counter zero
    words = (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)
    assert tuple(int(word) for word in _kernels._block(np.uint64(0), np.uint64(0))) == words


def assert_uniform(cells: NDArray[np.int64], count: int) -> None:
    """Chi-square over all cells, and each single count in its exact binomial law; level 1e-9 each."""
    observed = np.bincount(cells, minlength=count)
    assert len(observed) == count
    assert stats.chisquare(observed).pvalue > LEVEL
    law = stats.binom(len(cells), 1 / count)
    assert min(law.cdf(observed.min()), law.sf(observed.max() - 1)) > LEVEL / (2 * count)


def cells_of(numbers: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    return np.floor(numbers * count).astype(np.int64)


@pytest.mark.parametrize("key", [0, 1, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15])
def test_uniforms_are_uniform_across_counters(key: int) -> None:
    assert_uniform(cells_of(uniforms(key, 0, 200_000), 1000), 1000)


@pytest.mark.parametrize("counter", [0, 1, 2**64 - 1])
def test_uniforms_are_uniform_across_keys_in_a_row(counter: int) -> None:
    numbers = np.array([uniforms(key, counter, 1)[0] for key in range(20_000)])
    assert_uniform(cells_of(numbers, 100), 100)


@pytest.mark.parametrize("step", [1, 2, 2**32, 2**63])
def test_neighbouring_keys_have_independent_uniforms(step: int) -> None:
    one, other = uniforms(12, 0, 200_000), uniforms((12 + step) % 2**64, 0, 200_000)
    assert_uniform(cells_of(one, 20) * 20 + cells_of(other, 20), 400)
    assert abs(np.corrcoef(one, other)[0, 1]) < stats.norm.isf(LEVEL / 2) / math.sqrt(len(one))


@pytest.mark.parametrize("lag", [1, 2, 3, 4, 5])
def test_neighbouring_counters_have_independent_uniforms(lag: int) -> None:
    numbers = uniforms(3, 0, 200_000 + lag)
    assert_uniform(cells_of(numbers[lag:], 20) * 20 + cells_of(numbers[:-lag], 20), 400)


def test_every_bit_of_the_double_is_fair() -> None:
    mantissas = (uniforms(17, 0, 100_000) * 2**53).astype(np.uint64)
    for bit in range(53):
        ones = int(((mantissas >> np.uint64(bit)) & np.uint64(1)).sum())
        assert stats.binomtest(ones, len(mantissas), 0.5).pvalue > LEVEL / 53


def test_names_seeds_keys_and_counters_out_of_range_are_refused() -> None:
    with pytest.raises(TypeError, match=r"name = 3: must be a string"):
        stream_key(3, 0)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(ValueError, match="name = '': must not be empty"):
        stream_key("", 0)
    with pytest.raises(ValueError, match="shard = -1: must be at least 0"):
        stream(0, "a", -1)
    with pytest.raises(TypeError, match=r"seed = None: must be an integer"):
        stream(None, "a", 0)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(ValueError, match="key = 18446744073709551616: must be below 2\\*\\*64"):
        uniform_at(2**64, 0)
    with pytest.raises(ValueError, match="counter = -1: must be at least 0"):
        uniform_at(0, -1)
    with pytest.raises(TypeError, match=r"counter = 1.0: must be an integer"):
        uniform_at(0, 1.0)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(ValueError, match=r"start \+ count must not exceed 2\*\*64"):
        uniforms(0, 2**64 - 1, 2)
    with pytest.raises(ValueError, match="count = -1: must be at least 0"):
        uniforms(0, 0, -1)


@pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason='torch is missing: pip install "boundlab[neural]"'
)
def test_a_torch_generator_follows_from_the_rng_and_moves_it_on() -> None:
    import torch

    def draws(generator: torch.Generator) -> list[float]:
        return [float(number) for number in torch.rand(4, generator=generator)]

    assert draws(torch_generator(8)) == draws(torch_generator(8)) != draws(torch_generator(9))
    rng = np.random.default_rng(8)
    first, second = torch_generator(rng), torch_generator(rng)
    assert draws(first) == draws(torch_generator(8))
    assert draws(first) != draws(second)
    assert first.device == torch.device("cpu")
    seeds = [torch_generator(rng).initial_seed() for _ in range(64)]
    assert np.bitwise_or.reduce(seeds) == 2**63 - 1  # no bit is left out
