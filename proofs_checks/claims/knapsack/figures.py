r"""The published experiments: do Figures 2a, 2b and 2c come out again?

Each claim repeats the experiment on a fixed list of instances (fixed seeds; as many as in the paper, ten times as many
at full effort, and half of the families at smoke effort) and compares the numbers that can be read off the published
figure. It holds if every one of them lies within its tolerance; measured is the largest deviation in units of its
tolerance. The list is fixed, so there is no random error in the verdict; that both lists, ours and the published one,
are random draws is part of the tolerances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learning_augmented.knapsack import PPAdvanced, PPNaive
from proofs_checks.claim import Claim, Decision, EachCase, Effort, Table, Verdict
from proofs_checks.claims.knapsack import mutants
from proofs_checks.compare import Comparison
from proofs_checks.plots import knapsack_figures as plots
from proofs_checks.replicas import knapsack_figures as replicas
from proofs_checks.replicas.knapsack_figures import PUBLISHED

__all__ = ["CLAIMS"]

Policies = Callable[[], Mapping[str, Any]]

_COUNTS: Mapping[Effort, int] = MappingProxyType({"smoke": 2_000, "quick": 2_000, "full": 20_000})
"""Instances of each family; 2000 as in the paper."""
_SMOKE_RANGES, _SMOKE_CENTRES = (300, 20000), (0.63, 0.78)
"""At smoke effort two families are enough, in 2c those where the mutants show."""


def _compared(figure: str, policies: Policies, effort: Effort) -> Comparison:
    count, smoke = _COUNTS[effort], effort == "smoke"
    if figure == "2a":
        return replicas.figure_2a(policies(), count=count)
    if figure == "2b":
        return replicas.figure_2b(policies(), count=count, ranges=_SMOKE_RANGES if smoke else replicas.RANGES)
    return replicas.figure_2c(policies(), count=count, centres=_SMOKE_CENTRES if smoke else tuple(replicas.CENTRES))


@lru_cache(maxsize=4)
def _columns(figure: str, policies: Policies, effort: Effort) -> dict[str, NDArray[Any]]:
    """One row an instance: the ratio of each policy, and the family."""
    compared = _compared(figure, policies, effort)
    columns = {name: compared.values("ratio", name) for name in compared.policies}
    if figure != "2a":
        columns["family"] = compared.values("family", compared.policies[0]).astype(np.float64)
    return columns


def _cases(figure: str, effort: Effort) -> Sequence[tuple[Effort, int]]:
    families = 1 if figure == "2a" else 2 if effort == "smoke" else 4
    return [(effort, row) for row in range(families * _COUNTS[effort])]


def _row(figure: str, policies: Policies, case: tuple[Effort, int]) -> dict[str, float]:
    effort, row = case
    return {name: float(column[row]) for name, column in _columns(figure, policies, effort).items()}


def _within_tolerances(figure: str, table: Table) -> Decision:
    reads = [read for read in PUBLISHED[figure] if not read.family or float(read.family) in table["family"]]
    found = []
    for read in reads:
        rows = table["family"] == float(read.family) if read.family else slice(None)
        found.append(read.statistic(table[read.policy][rows]))
    # a tolerance of 0 is for shares that are 1 by a theorem
    shares = [abs(value - read.value) / max(read.tolerance, 1e-12) for value, read in zip(found, reads, strict=True)]
    worst = int(np.argmax(shares))
    read = reads[worst]
    what = (
        "the median" if read.at_most is None else f"the share of instances with a ratio of at most {read.at_most:.3g}"
    )
    where = f" at {read.family}" if read.family else ""
    within = sum(share <= 1 for share in shares)
    sentence = (
        f"{within} of {len(reads)} numbers read off the figure come out within their tolerances; the furthest is "
        f"{what} of {read.policy}{where}, {found[worst]:.3f} against {read.value:g} ± {read.tolerance:g}."
    )
    verdict: Verdict = "holds" if within == len(reads) else "violated"
    return Decision(verdict, shares[worst], 1.0, (shares[worst], shares[worst]), sentence, confidence=1.0)


def _trial(figure: str) -> EachCase:
    return EachCase(partial(_cases, figure), partial(_row, figure), partial(_within_tolerances, figure))


def _with(policies: Policies, name: str, maker: Callable[..., Any]) -> Policies:
    """The policies of a figure, one of them replaced."""
    return lambda: {**policies(), name: maker}


_PP_A_OF_THE_PAPER = _with(replicas.policies_2c, "PP-a", lambda instance, advice: PPAdvanced(advice.point))
_SETTING = "Random instances of 150 items with power-law prices and weights, right predictions"

FIGURE_2A = Claim(
    id="knapsack.figure_2a",
    kind="finding",
    paper="daneshvaramoli2025",
    source="Figure 2a",
    statement=rf"""{_SETTING}, $U/L = 1000$: medians and tails of $\mathrm{{OPT}}/\mathrm{{ALG}}$ are those of the
published figure for ZCL, PP-b, IPA (interval of width 25 %), Mix (trust $0.9$; right in one case of five, though the
label says 50 %), PP-n, and PP-a in its *lazy* variant, which takes dear items whole before the critical one arrives.
PP-a as the paper states it does better: its median is $1.15$, where the figure shows $1.175$.""",
    subject=replicas.policies_2a,
    trial=_trial("2a"),
    mutants={
        "PP-a of the paper, not the lazy one": _with(
            replicas.policies_2a, "PP-a", lambda instance, advice: PPAdvanced(advice.point)
        ),
        "ZCL without its plateau": _with(
            replicas.policies_2a, "ZCL", lambda instance, advice: mutants.PlateauForgotten(1, 1000)
        ),
    },
    cost=2.0,
    plot=plots.distributions_2a,
)

FIGURE_2B = Claim(
    id="knapsack.figure_2b",
    kind="finding",
    paper="daneshvaramoli2025",
    source="Figure 2b",
    statement=rf"""{_SETTING}, $U/L$ from $300$ to $20000$: the medians of $\mathrm{{OPT}}/\mathrm{{ALG}}$ are those of
the published figure. That of ZCL grows with $U/L$; those of PP-b, PP-a and IPA (interval of width 10 %) do not.""",
    subject=replicas.policies_2b,
    trial=_trial("2b"),
    mutants={
        "ZCL without its plateau": _with(
            replicas.policies_2b,
            "ZCL",
            lambda instance, advice: mutants.PlateauForgotten(instance.lower, instance.upper),
        ),
    },
    cost=3.8,
    plot=plots.medians_2b,
)

FIGURE_2C = Claim(
    id="knapsack.figure_2c",
    kind="finding",
    paper="daneshvaramoli2025",
    source="Figure 2c",
    statement=rf"""{_SETTING}, $U/L = 500$, mean critical weight $\hat\omega$ from $0.29$ to $0.78$: the medians of
$\mathrm{{OPT}}/\mathrm{{ALG}}$ are those of the published figure, if PP-a is the *lazy* variant and PP-n takes whatever
fits of the last item, which takes knowing their number.""",
    subject=replicas.policies_2c,
    trial=_trial("2c"),
    mutants={
        "PP-a of the paper, not the lazy one": _PP_A_OF_THE_PAPER,
        "PP-n that leaves the last item": _with(
            replicas.policies_2c, "PP-n", lambda instance, advice: PPNaive(advice.point)
        ),
    },
    cost=3.8,
    plot=plots.medians_2c,
)

CLAIMS = (FIGURE_2A, FIGURE_2B, FIGURE_2C)
