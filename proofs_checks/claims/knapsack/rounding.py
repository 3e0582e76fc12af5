r"""Claims about Fr2Int: what holds after every item, and how little value the rounding loses.

The fractional policy runs a second time beside the rounded one, so that the sums of both, class by class, are known
here without asking Fr2Int for them. A claim about an invariant looks at every step: a policy that ends well after a
forbidden excursion is convicted.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Mapping

from learning_augmented.knapsack import Fr2Int, OnlineKnapsackInstance
from proofs_checks.checkers.knapsack import SAME_PRICE, Policy, play
from proofs_checks.claim import Claim, Effort, EveryInstance, Later, Sides
from proofs_checks.claims.knapsack import whole_mutants
from proofs_checks.claims.knapsack.integral import cuts_an_item
from proofs_checks.claims.knapsack.whole_cases import (
    RoundingCase,
    fractional_policy,
    known_roundings,
    largest_weight,
    random_rounding,
)
from proofs_checks.plots import knapsack as plots
from proofs_checks.plots import knapsack_whole as whole_plots

__all__ = ["CLAIMS"]

_DRAWS: Mapping[Effort, int] = {"smoke": 20, "quick": 2_000, "full": 50_000}
_ROUNDING = 1e-9
"""Fr2Int forgives rounding errors of a ten-billionth of an item."""


def _rounded(fr2int: Callable[..., Policy], mode: str, case: RoundingCase) -> Policy:
    instance = case.instance
    known = largest_weight(instance) if mode == "ceil" else None
    return fr2int(
        fractional_policy(case), instance.lower, instance.upper, mode=mode, max_weight=known, edges=case.edges
    )


def _class_of(case: RoundingCase, unit_value: float) -> int:
    return bisect.bisect_right(case.edges, unit_value * (1 + SAME_PRICE)) - 1


def _legal(case: RoundingCase) -> bool:
    """Whether one item of each class leaves room, as mode "ceil" needs."""
    return len(case.edges) * largest_weight(case.instance) < 1


def _gaps_after_each_item(
    fr2int: Callable[..., Policy], mode: str, case: RoundingCase, share: float
) -> tuple[list[tuple[float, int]], bool]:
    """The balance of the class that an item falls into after it, and whether all decisions were whole and fitted."""
    instance, played = case.instance, play(_rounded(fr2int, mode, case), case.instance)
    fractional = play(fractional_policy(case), instance).accepted
    gaps, steps = [0.0] * len(case.edges), []
    for price, amount, taken in zip(instance.unit_values.tolist(), fractional, played.accepted, strict=False):
        number = _class_of(case, price)
        gaps[number] += (share * amount - taken) / instance.capacity
        steps.append((gaps[number], number))
    return steps, played.feasible and not cuts_an_item(played, instance)


def _floor_invariants(fr2int: Callable[..., Policy], case: RoundingCase) -> Sides:
    steps, whole = _gaps_after_each_item(fr2int, "floor", case, 1.0)
    instance = case.instance
    heaviest, breach = [0.0] * len(case.edges), 0.0
    for (gap, number), weight in zip(steps, instance.weights.tolist(), strict=False):
        heaviest[number] = max(heaviest[number], weight / instance.capacity)
        breach = max(breach, -gap, gap - heaviest[number])
    return Sides(breach if whole else math.inf, 0.0, {"items": float(len(instance))})


def _ceil_invariants(fr2int: Callable[..., Policy], case: RoundingCase) -> Sides:
    largest = largest_weight(case.instance)
    at = {"items": float(len(case.instance))}
    if not _legal(case):
        return Sides(0.0, 0.0, at)
    steps, whole = _gaps_after_each_item(fr2int, "ceil", case, 1 - len(case.edges) * largest)
    breach = max((max(gap, -gap - largest) for gap, _ in steps), default=0.0)
    return Sides(max(0.0, breach) if whole else math.inf, 0.0, at)


def _floor_value(fr2int: Callable[..., Policy], case: RoundingCase) -> Sides:
    instance = case.instance
    fractional = play(fractional_policy(case), instance)
    rounded = play(_rounded(fr2int, "floor", case), instance)
    used = {_class_of(case, price) for price in instance.unit_values.tolist()}
    lost = largest_weight(instance) * instance.capacity * math.fsum(case.edges[number] for number in used)
    at = {"max_weight": largest_weight(instance)}
    value = rounded.value if rounded.feasible else 0.0
    return Sides(max(0.0, fractional.value / (1 + case.growth) - lost), value, at)


def _ceil_loss(fr2int: Callable[..., Policy], case: RoundingCase) -> Sides:
    instance = case.instance
    at = {"max_weight": largest_weight(instance)}
    if not _legal(case):
        return Sides(1.0, 1.0, at)
    fractional = play(fractional_policy(case), instance).value
    rounded = play(_rounded(fr2int, "ceil", case), instance)
    bound = (1 + case.growth) / (1 - len(case.edges) * largest_weight(instance))
    if fractional == 0:
        return Sides(1.0, bound, at)
    lost = fractional / rounded.value if rounded.feasible and rounded.value > 0 else math.inf
    return Sides(lost, bound, at)


def _trial(compare: Callable[[Callable[..., Policy], RoundingCase], Sides], atol: float = 0.0) -> EveryInstance:
    return EveryInstance(
        random_rounding,
        compare,
        known=known_roundings,
        draws=_DRAWS,
        strategy=Later("proofs_checks.strategies.knapsack_whole:rounding_cases"),
        atol=atol,
        instance_types=(RoundingCase, OnlineKnapsackInstance),
    )


_SUMS = (
    r"$A_j$ is the weight that the fractional policy has accepted so far of the prices in class $j$, $B_j$ what was "
    "taken whole; weights are in capacities."
)
_SMALL = r"No item weighs more than $\varepsilon$, and there are $k$ price classes with $k\varepsilon < 1$."

FLOOR_INVARIANTS = Claim(
    id="knapsack.fr2int.floor_invariants",
    kind="law",
    paper="daneshvaramoli2025",
    source="the conversion from fractional to integral; this rule and its invariants are derived",
    statement=r"""After every item, $0 \le A_j - B_j \le$ the largest weight seen in class $j$, for Fr2Int in mode
"floor" over any policy and items of any weight. Items are accepted whole, and fit without a look at the capacity.
Measured is the largest breach.""",
    assumptions=(_SUMS,),
    subject=Fr2Int,
    trial=_trial(_floor_invariants, atol=_ROUNDING),
    mutants={
        "values compared and the last item cut": whole_mutants.PublishedRounding,
        "the gap is closed with part of an item": whole_mutants.LastRoundedItemCut,
        "one class for all prices": whole_mutants.OneClassForAll,
        "rounded to the nearest": whole_mutants.AheadOfItself,
        "two items behind": whole_mutants.TwoItemsBehind,
    },
    cost=1.2,
    plot=plots.residuals,
)

CEIL_INVARIANTS = Claim(
    id="knapsack.fr2int.ceil_invariants",
    kind="law",
    paper="daneshvaramoli2025",
    source="the conversion from fractional to integral; this rule and its invariants are derived",
    statement=r"""After every item, $(1 - k\varepsilon) A_j \le B_j \le (1 - k\varepsilon) A_j + \varepsilon$, for
Fr2Int in mode "ceil" over any policy. Items are accepted whole, and fit without a look at the capacity. Measured is
the largest breach.""",
    assumptions=(_SUMS, _SMALL),
    subject=Fr2Int,
    trial=_trial(_ceil_invariants, atol=_ROUNDING),
    mutants={
        "values compared and the last item cut": whole_mutants.PublishedRounding,
        "no room reserved": whole_mutants.ReserveForgotten,
        "behind instead of ahead": whole_mutants.BehindInsteadOfAhead,
        "one class for all prices": whole_mutants.OneClassForAll,
    },
    cost=1.2,
    plot=plots.residuals,
)

FLOOR_VALUE = Claim(
    id="knapsack.fr2int.floor_value",
    kind="always",
    paper="daneshvaramoli2025",
    source="the small loss of the conversion; this form is derived",
    statement=r"""$\displaystyle \mathrm{INT} \ge \frac{\mathrm{FRAC}}{1+\delta} - \varepsilon \sum_{j\text{ used}} e_j$
for Fr2Int in mode "floor", where $e_j$ is the lower edge of price class $j$, prices within a class differ by a factor
of at most $1 + \delta$, and no item weighs more than $\varepsilon$ capacities. Measured is the right side, the bound is
the value of the whole items.""",
    subject=Fr2Int,
    trial=_trial(_floor_value, atol=1e-6),
    mutants={
        "two items behind": whole_mutants.TwoItemsBehind,
        "half of the fractional weight followed": whole_mutants.HalfFollowed,
    },
    cost=1.2,
    plot=whole_plots.value_over_guarantee,
)

CEIL_RATIO = Claim(
    id="knapsack.fr2int.ceil_ratio",
    kind="always",
    paper="daneshvaramoli2025",
    source="the small loss of the conversion; this form is derived",
    statement=r"""$\displaystyle \mathrm{FRAC} \le \frac{1+\delta}{1 - k\varepsilon}\,\mathrm{INT}$ for Fr2Int in mode
"ceil", where prices within a class differ by a factor of at most $1 + \delta$: a $c$-competitive policy becomes
$c(1+\delta)/(1-k\varepsilon)$-competitive.""",
    assumptions=(_SMALL,),
    subject=Fr2Int,
    trial=_trial(_ceil_loss),
    mutants={
        "no room reserved": whole_mutants.ReserveForgotten,
        "behind instead of ahead": whole_mutants.BehindInsteadOfAhead,
        "one class for all prices": whole_mutants.OneClassForAll,
    },
    cost=1.2,
    plot=whole_plots.loss_against_weight,
)

CLAIMS = (FLOOR_INVARIANTS, CEIL_INVARIANTS, FLOOR_VALUE, CEIL_RATIO)
