"""The published experiments, repeated: generators, variants of the policies, and the verdicts on the figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_augmented.knapsack import ZCL, OnlineKnapsackInstance, PPAdvanced, critical_value, power_law
from proofs_checks.checkers.knapsack import optimum_by_sorting, play
from proofs_checks.claims.knapsack.figures import CLAIMS
from proofs_checks.judge import judge
from proofs_checks.replicas.knapsack_figures import PUBLISHED, advisor, figure_2a, figure_2b, figure_2c
from proofs_checks.replicas.knapsack_policies import LastItemPPNaive, LazyPPAdvanced


def _instance(items: list[tuple[int, int]]) -> OnlineKnapsackInstance:
    return OnlineKnapsackInstance([value for value, _ in items], [weight / 20 for _, weight in items], 1, 60)


ITEMS = st.tuples(st.integers(1, 60), st.integers(1, 40))
DISTINCT = st.lists(ITEMS, min_size=1, max_size=10, unique_by=lambda item: item[0]).map(_instance)


@given(DISTINCT)
def test_the_lazy_variant_has_the_ratio_of_the_paper_and_never_more_value_than_the_policy_of_the_paper(
    instance: OnlineKnapsackInstance,
) -> None:
    critical = critical_value(instance)
    lazy = play(LazyPPAdvanced(critical.value), instance)
    assert lazy.feasible
    assert optimum_by_sorting(instance) <= (1 + min(1.0, critical.weight)) * lazy.value * (1 + 1e-9)
    assert lazy.value <= PPAdvanced(critical.value).run(instance).value * (1 + 1e-9)


def test_the_lazy_variant_reserves_nothing_before_the_critical_item() -> None:
    policy = LazyPPAdvanced(2.0)
    policy.reset(2.0)
    # 0.5 of 2 taken whole; then 2 * (1/2) * (1 - 2/4) = 0.5; then a share of 1/2
    assert [policy.offer(4.0, 0.5), policy.offer(2.0, 3.0), policy.offer(4.0, 0.5), policy.offer(1.0, 1.0)] == [
        0.5,
        0.5,
        0.25,
        0.0,
    ]
    with pytest.raises(ValueError, match="a second critical item"):
        policy.offer(2.0, 0.1)


def test_the_naive_variant_takes_what_fits_of_the_last_item_and_of_no_other_cheap_one() -> None:
    policy = LastItemPPNaive(2.0, items=4)
    policy.reset(1.0)
    taken = [policy.offer(*item) for item in ((2.0, 0.5), (3.0, 0.75), (1.0, 0.5), (1.0, 0.5))]
    assert taken == [0.0, 0.75, 0.0, 0.25]


def test_right_intervals_hold_the_critical_value_and_the_doubtful_one_does_so_in_one_case_of_five() -> None:
    rng = np.random.default_rng(0)
    advise = advisor(0.25)
    sides = {"below": 0, "above": 0, "right": 0}
    for _ in range(1000):
        instance = power_law(150, 1000.0, rng)
        advice = advise(instance, rng)
        assert advice.point == critical_value(instance).value
        assert advice.interval[0] <= advice.point <= advice.interval[1]
        low, high = advice.doubtful
        assert low <= high
        sides["below" if high <= advice.point else "above" if low >= advice.point else "right"] += 1
    assert sides["right"] == pytest.approx(200, abs=60)
    assert sides["below"] == pytest.approx(400, abs=75)


def test_figure_2c_keeps_the_instances_whose_critical_weight_is_in_the_window() -> None:
    compared = figure_2c(count=60)
    for family, low, high, mean in (("0.29", 0, 0.6, 0.29), ("0.78", 0.5, 1, 0.78)):
        weight = np.minimum(1, compared.only(family=family).values("critical_weight", "ZCL"))
        assert low <= weight.min()
        assert weight.max() <= high
        assert weight.mean() == pytest.approx(mean, abs=0.08)


class Greedy:
    """A user's policy."""

    def reset(self, capacity: float = 1.0) -> None:
        self.room = capacity

    def offer(self, unit_value: float, weight: float) -> float:
        amount = min(weight, self.room)
        self.room -= amount
        return amount


@pytest.mark.parametrize(
    ("figure", "x"), [(figure_2a, "ratio"), (figure_2b, "upper_over_lower"), (figure_2c, "family")]
)
def test_a_users_policy_stands_beside_ours_in_each_figure(figure: Any, x: str) -> None:
    ax = figure({"mine": Greedy()}, count=5).plot(x)
    labels = [line.get_label() for line in ax.lines]
    assert {"ZCL", "PP-b", "PP-a", "mine"} <= set(labels)


def test_a_policy_of_the_figure_may_be_replaced_by_name() -> None:
    compared = figure_2b({"PP-a": lambda instance, advice: ZCL(instance.lower, instance.upper)}, count=5)
    assert compared.values("value", "PP-a").tolist() == compared.values("value", "ZCL").tolist()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_number_read_off_a_figure_is_compared(claim: Any) -> None:
    """Moved alone beyond its tolerance, each number turns the verdict and is named."""
    table = judge(claim, effort="quick").table
    figure = claim.id[-2:]
    assert claim.trial.decide(table).verdict == "holds"
    for read in PUBLISHED[figure]:
        rows = table["family"] == float(read.family) if read.family else np.ones(len(table["ZCL"]), dtype=bool)
        moved = dict(table)
        moved[read.policy] = np.where(rows, table[read.policy] * 1.5 + 5, table[read.policy])
        decision = claim.trial.decide(moved)
        assert decision.verdict == "violated"
        assert f"of {read.policy}" in decision.sentence
