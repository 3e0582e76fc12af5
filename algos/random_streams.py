r"""Random numbers that depend on names and positions, never on the order of work.

Two kinds of stream:

- **Seed streams.** The stream of a shard of a named task is PCG64 seeded by
  ``SeedSequence(seed, spawn_key=(h, shard))``, h the first 64 bits of SHA-256 of the name. Shards may then run anywhere
  and in any order, and a new task changes nobody else's numbers.
- **Counter-based uniforms.** :math:`u(k, c)` is a pure function of a key k and a counter c, so that two algorithms can
  be shown the same randomness at the same event (common random numbers), however many numbers each has drawn before.

The counter-based function is Philox4x64-10 of Salmon, Moraes, Dror & Shaw, *Parallel random numbers: as easy as 1, 2,
3* (SC 2011): ten rounds of a Feistel-like network of 64 x 64 -> 128-bit products, keyed by a Weyl sequence. It is a
bijection of the 256-bit counter for each key, and passes the BigCrush battery with keys and counters as plain as
0, 1, 2, …, which callers will use; lighter generators, such as Squares, need keys chosen with care. One block holds
four words; a word w becomes the double :math:`\lfloor w / 2^{11} \rfloor\, 2^{-53} \in [0, 1)`. The layout is NumPy's:
u(k, c) is draw number c of ``numpy.random.Generator(numpy.random.Philox(key=k)).random()``, bit for bit.

The same function, compiled, for use inside kernels: `algos._kernels.uniform_at` and `algos._kernels.fill_uniforms`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from algos.validation import require_integer

if TYPE_CHECKING:
    import torch

__all__ = ["stream", "stream_key", "torch_generator", "uniform_at", "uniforms"]

_WORD = (1 << 64) - 1
_ROUNDS = 10
_MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)


def stream_key(name: str, shard: int) -> tuple[int, int]:
    """Return what tells a shard's stream from all others under the same seed.

    Parameters
    ----------
    name : str
        Name of the task; any text but the empty one.
    shard : int
        Number of the shard, from 0.

    Returns
    -------
    tuple of int
        The first 64 bits of SHA-256 of the name (UTF-8), big-endian, and the shard.

    Raises
    ------
    TypeError
        If the name is no text, or the shard no integer.
    ValueError
        If the name is empty or the shard negative.

    Examples
    --------
    >>> stream_key("knapsack.zcl.ratio", 3)
    (17523843107212912903, 3)
    """
    if not isinstance(name, str):
        raise TypeError(f"name = {name!r}: must be a string, got {type(name).__name__}")
    if not name:
        raise ValueError("name = '': must not be empty")
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big"), require_integer("shard", shard, minimum=0)


def stream(seed: int, name: str, shard: int) -> Generator:
    """Return the generator of one shard of a named task.

    Parameters
    ----------
    seed : int
        The seed of the whole run, at least 0.
    name : str
        Name of the task.
    shard : int
        Number of the shard, from 0.

    Returns
    -------
    numpy.random.Generator
        At the start of the stream; the same arguments give the same stream in every process.

    Raises
    ------
    TypeError
        If `seed` or `shard` is not an integer, or `name` no text.
    ValueError
        If `seed` or `shard` is negative, or `name` empty.

    Examples
    --------
    >>> rng = stream(seed=0, name="knapsack.zcl.ratio", shard=3)
    >>> rng.random() == stream(seed=0, name="knapsack.zcl.ratio", shard=3).random()
    True
    """
    spawn_key = stream_key(name, shard)
    return np.random.default_rng(SeedSequence(require_integer("seed", seed, minimum=0), spawn_key=spawn_key))


def uniform_at(key: int, counter: int) -> float:
    """Return the uniform number at one position of a counter-based stream.

    Parameters
    ----------
    key : int
        Which stream, in [0, 2**64).
    counter : int
        Which position, in [0, 2**64).

    Returns
    -------
    float
        A multiple of 2**-53 in [0, 1): Philox4x64-10 of the arguments (Salmon et al., 2011).

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If it lies outside [0, 2**64).

    See Also
    --------
    uniforms : Many consecutive positions at once.

    Examples
    --------
    >>> uniform_at(key=7, counter=2)
    0.4200976785072422
    >>> float(np.random.Generator(np.random.Philox(key=7)).random(3)[2])
    0.4200976785072422
    """
    word = _require_word("key", key)
    block, place = divmod(_require_word("counter", counter), 4)
    return (_philox(word, block + 1)[place] >> 11) * 2.0**-53  # NumPy's stream begins with block 1


def uniforms(key: int, start: int, count: int) -> NDArray[np.float64]:
    """Return the uniform numbers at consecutive positions of a counter-based stream.

    Parameters
    ----------
    key : int
        Which stream, in [0, 2**64).
    start : int
        The first position, in [0, 2**64).
    count : int
        How many; the last position must lie below 2**64 as well.

    Returns
    -------
    ndarray of float64, shape (count,)
        ``uniform_at(key, start)``, ``uniform_at(key, start + 1)``, …, bit for bit.

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> uniforms(key=7, start=0, count=3)
    array([0.87207345, 0.29536538, 0.42009768])
    """
    from algos import _kernels  # here, so that whoever only wants seed streams does not load the compiler

    word = _require_word("key", key)
    first = _require_word("start", start)
    out = np.empty(require_integer("count", count, minimum=0))
    if first + len(out) > _WORD + 1:
        raise ValueError(f"start = {first}, count = {len(out)}: start + count must not exceed 2**64")
    _kernels.fill_uniforms(np.uint64(word), np.uint64(first), out)
    return out


def torch_generator(rng: Any, device: Any = "cpu") -> torch.Generator:
    """Return a torch generator that is seeded by a draw from `rng`.

    Parameters
    ----------
    rng : object
        Anything that `numpy.random.default_rng` accepts. A `Generator` moves on by the draw, so the next call returns
        another stream; an integer gives the same stream every time.
    device : str or torch.device
        Where the generator lives.

    Returns
    -------
    torch.Generator
        Seeded with 63 bits. Torch's CPU generator uses the lowest 32 of them only, so about one pair in 4e9 coincides.

    Raises
    ------
    ModuleNotFoundError
        If torch is not installed.

    Examples
    --------
    >>> from importlib.util import find_spec
    >>> find_spec("torch") is None or torch_generator(5).initial_seed() == torch_generator(5).initial_seed()
    True
    """
    import torch

    generator = torch.Generator(device=device)
    generator.manual_seed(int(np.random.default_rng(rng).integers(1 << 63)))
    return generator


def _philox(key: int, index: int) -> tuple[int, int, int, int]:
    words = (index, 0, 0, 0)
    keys = (key, 0)
    for _ in range(_ROUNDS):
        first, second = _MULTIPLIERS[0] * words[0], _MULTIPLIERS[1] * words[2]
        words = (
            (second >> 64) ^ words[1] ^ keys[0],
            second & _WORD,
            (first >> 64) ^ words[3] ^ keys[1],
            first & _WORD,
        )
        keys = ((keys[0] + _WEYL[0]) & _WORD, (keys[1] + _WEYL[1]) & _WORD)
    return words


def _require_word(name: str, value: int) -> int:
    number = require_integer(name, value, minimum=0)
    if number > _WORD:
        raise ValueError(f"{name} = {number}: must be below 2**64")
    return number
