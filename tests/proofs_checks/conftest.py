"""A stranger's claim file: every kind of trial, with mutants, in a folder outside the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

CLAIM_FILE = """
import math
from proofs_checks.claim import Claim, EachCase, EveryInstance, Repeated, Sides
from proofs_checks.decisions import fraction_decision, mean_decision

COUNTS = {"smoke": 40, "quick": 2000, "full": 4000}


def draw(rng):
    return tuple(rng.uniform(0, 10, size=2).tolist())


def means(effort):
    return [(1.0, 1.0), (0.0, 4.0)]


def compare(geometric, pair):
    a, b = pair
    return Sides(geometric(a, b), (a + b) / 2, at={"gap": abs(a - b)})


MEANS = Claim(
    id="means.arithmetic_geometric", kind="always", paper="cauchy", source="Note II",
    statement=r"$\\sqrt{ab} \\le (a+b)/2$ for $a, b \\ge 0$.",
    subject=lambda a, b: math.sqrt(a * b),
    trial=EveryInstance(draw, compare, known=means, draws=COUNTS, per_shard=100),
    mutants={"root forgotten": lambda a, b: a * b, "maximum": max}, cost=0.5)
REACHED = Claim(
    id="means.reached", kind="tightness", paper="cauchy", source="Note II", statement="Equal numbers reach it.",
    subject=lambda a, b: math.sqrt(a * b),
    trial=EveryInstance(draw, compare, known=means, draws=COUNTS, reaches=0.999),
    mutants={"one short": lambda a, b: 0.9 * math.sqrt(a * b)})
COIN = Claim(
    id="coins.fair", kind="probability", paper="bernoulli", source="trivial", statement="A coin shows heads.",
    subject=0.5,
    trial=Repeated(lambda p, rng, effort: {"heads": float(rng.random() < p)},
                   {"smoke": 400, "quick": 2000, "full": 4000},
                   fraction_decision("heads", "at most", 0.7), per_shard=200),
    mutants={"loaded": 0.95})
SQUARES = Claim(
    id="cases.squares", kind="finding", paper="euclid", source="grid", statement="Squares of these are small.",
    subject=2.0,
    trial=EachCase(lambda effort: [0.1, 0.2, 0.3] * 140, lambda power, x: {"value": x**power},
                   mean_decision("value", "at most", 0.2, support=(0, 1))),
    mutants={"cube root": 1 / 3})
FALSE = Claim(
    id="means.false", kind="always", paper="cauchy", source="folklore", expect="violated",
    statement="The geometric mean is at most the smaller number.",
    subject=lambda a, b: math.sqrt(a * b),
    trial=EveryInstance(draw, lambda mean, pair: Sides(mean(*pair), min(pair)), draws=COUNTS),
    mutants={"minimum": min})
CLAIMS = (MEANS, REACHED, COIN, SQUARES, FALSE)
"""


@pytest.fixture
def claim_file(tmp_path: Path) -> Path:
    """The file, in a folder of its own."""
    folder = tmp_path / "stranger"
    folder.mkdir()
    file = folder / "my_claims.py"
    file.write_text(CLAIM_FILE)
    return file
