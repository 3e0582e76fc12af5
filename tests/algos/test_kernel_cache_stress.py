"""Many processes that start on one cache at the same moment: nobody crashes and all agree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from algos.random_streams import uniform_at

PROCESSES = 8
ROUNDS = 2
COUNT = 50

WORKER = f"""
import sys
import numba, numpy as np
print("ready", flush=True)
sys.stdin.readline()
from algos import _kernels
out = np.empty({COUNT})
_kernels.fill_uniforms(np.uint64(2**64 - 5), np.uint64(3), out)
out[0] = _kernels.uniform_at(np.uint64(2**64 - 5), np.uint64(3))
print(out.tobytes().hex())
print(sum(len(kernel.stats.cache_misses) for kernel in (_kernels.fill_uniforms, _kernels.uniform_at)))
"""


def environment_of(cache: Path) -> dict[str, str]:
    """Ours, with nothing said to numba but where its cache is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return kept | {"NUMBA_CACHE_DIR": str(cache)}


def start_together(cache: Path) -> list[tuple[str, int]]:
    """The bits that each process computed, and how many kernels it had to compile."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=environment_of(cache),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    try:
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        results = []
        for worker in workers:
            printed, complaints = worker.communicate()
            assert worker.returncode == 0, complaints
            bits, compiled = printed.split()
            results.append((bits, int(compiled)))
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    return results


def expected_bits() -> str:
    return np.array([uniform_at(2**64 - 5, 3 + step) for step in range(COUNT)]).tobytes().hex()


def test_processes_that_fill_an_empty_cache_together_agree(tmp_path: Path) -> None:
    for attempt in range(ROUNDS):
        results = start_together(tmp_path / f"empty {attempt}")
        assert {bits for bits, _ in results} == {expected_bits()}
        assert any(compiled for _, compiled in results)


def test_processes_that_start_on_a_warmed_cache_agree_and_compile_nothing(tmp_path: Path) -> None:
    warm = "from algos import _kernels; _kernels.warm()"
    subprocess.run([sys.executable, "-c", warm], env=environment_of(tmp_path), check=True)
    for _ in range(ROUNDS):
        assert set(start_together(tmp_path)) == {(expected_bits(), 0)}
