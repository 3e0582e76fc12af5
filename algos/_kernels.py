"""Compiled twin of `algos.random_streams.uniform_at`: Philox4x64-10 in unsigned 64-bit arithmetic.

Other kernels call these with `np.uint64` keys and counters. No operation here overflows, so that the functions also run
uncompiled (NUMBA_DISABLE_JIT=1), where NumPy warns about wrapped scalars.
"""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["fill_uniforms", "uniform_at", "warm"]

_ROUNDS = 10
_MULTIPLIER_0 = np.uint64(0xD2E7470EE14C6C93)
_MULTIPLIER_1 = np.uint64(0xCA5A826395121157)
_WEYL_0 = np.uint64(0x9E3779B97F4A7C15)
_WEYL_1 = np.uint64(0xBB67AE8584CAA73B)

_LOW_HALF = np.uint64(0xFFFFFFFF)
_TOP_BIT = np.uint64(1 << 63)
_BELOW_TOP = np.uint64((1 << 63) - 1)
_ZERO = np.uint64(0)
_HALF_WORD = np.uint64(32)
_ULP = 2.0**-53


@njit(cache=True)
def _add(a, b):
    """Sum modulo 2**64: the lower 63 bits cannot overflow, and the top bit has no carry to pass on."""
    return ((a & _BELOW_TOP) + (b & _BELOW_TOP)) ^ ((a ^ b) & _TOP_BIT)


@njit(cache=True)
def _multiply(a, b):
    """Upper and lower word of the 128-bit product, by schoolbook multiplication of half words."""
    a_low, a_high = a & _LOW_HALF, a >> _HALF_WORD
    b_low, b_high = b & _LOW_HALF, b >> _HALF_WORD
    lowest = a_low * b_low
    middle = a_high * b_low + (lowest >> _HALF_WORD)
    cross = a_low * b_high + (middle & _LOW_HALF)
    upper = a_high * b_high + (middle >> _HALF_WORD) + (cross >> _HALF_WORD)
    return upper, (cross << _HALF_WORD) | (lowest & _LOW_HALF)


@njit(cache=True)
def _block(key, index):
    """The four words of one block."""
    word_0, word_1, word_2, word_3 = index, _ZERO, _ZERO, _ZERO
    key_0, key_1 = key, _ZERO
    for _ in range(_ROUNDS):
        upper_0, lower_0 = _multiply(_MULTIPLIER_0, word_0)
        upper_1, lower_1 = _multiply(_MULTIPLIER_1, word_2)
        word_0, word_1, word_2, word_3 = upper_1 ^ word_1 ^ key_0, lower_1, upper_0 ^ word_3 ^ key_1, lower_0
        key_0, key_1 = _add(key_0, _WEYL_0), _add(key_1, _WEYL_1)
    return word_0, word_1, word_2, word_3


@njit(cache=True)
def _as_uniform(word):
    """The upper 53 bits as a multiple of 2**-53; every such multiple in [0, 1) is a double."""
    return np.float64(word >> np.uint64(11)) * _ULP


@njit(cache=True)
def uniform_at(key, counter):
    """The uniform at one position of a stream; both arguments are `np.uint64`."""
    words = _block(key, (counter >> np.uint64(2)) + np.uint64(1))
    return _as_uniform(words[np.int64(counter & np.uint64(3))])


@njit(cache=True)
def fill_uniforms(key, start, out):
    """Write the uniforms at positions start, start + 1, … of a stream into `out`; each block is computed once."""
    block = (start >> np.uint64(2)) + np.uint64(1)
    place = np.int64(start & np.uint64(3))
    filled = 0
    while filled < out.size:
        words = _block(key, block)
        while place < 4 and filled < out.size:
            out[filled] = _as_uniform(words[place])
            filled += 1
            place += 1
        place = 0
        block += np.uint64(1)


def warm() -> None:
    """Compile every kernel of this file for the types that production uses."""
    uniform_at(_ZERO, _ZERO)
    fill_uniforms(_ZERO, _ZERO, np.empty(1))
