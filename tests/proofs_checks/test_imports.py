from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("cvxpy", "scipy.stats", "sklearn", "matplotlib", "hypothesis", "torch", "pandas", "rich", "jinja2")


ROOMS = (
    "algos",
    "algos.statistics",
    "algos.knapsack",
    "algos.random_streams",
    "learning_augmented.knapsack",
    "proofs_checks",
    "proofs_checks.claim",
    "proofs_checks.judge",
    "proofs_checks.cli",
)


@pytest.mark.parametrize("module", ROOMS)
def test_importing_a_room_brings_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
