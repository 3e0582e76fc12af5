"""Comparisons: the same randomness for everybody, tidy rows that a second calculation confirms, and named faults."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex

from learning_augmented.knapsack import (
    ZCL,
    AdditiveError,
    AdversarialDirectionError,
    Mix,
    MultiplicativeError,
    OnlineKnapsackInstance,
    PPAdvanced,
    PPBasic,
    StaleError,
    critical_value,
    power_law,
    zcl_ratio,
)
from proofs_checks.checkers.knapsack import optimum_by_sorting, play
from proofs_checks.compare import Comparison, InfeasibleDecision, compare
from proofs_checks.comparing.comparison import COLUMNS
from proofs_checks.plots.style import COLOURS, figure_axes
from proofs_checks.testing import assert_deterministic

UPPER = 100.0


class HalfOfTheDear:
    """A user's policy: plain Python, without `reset`."""

    def __init__(self, threshold: float) -> None:
        self.threshold, self.room = threshold, 1.0

    def offer(self, unit_value: float, weight: float) -> float:
        amount = min(weight / 2, self.room) if unit_value >= self.threshold else 0.0
        self.room -= amount
        return amount


class HalfOfTheDearAgain(HalfOfTheDear):
    """The same with the `reset` that `play` asks for."""

    def reset(self, capacity: float = 1.0) -> None:
        self.room = capacity


class Returns:
    """A policy that accepts fixed amounts, right or wrong."""

    def __init__(self, *amounts: Any) -> None:
        self.amounts = list(amounts)

    def offer(self, unit_value: float, weight: float) -> Any:
        return self.amounts.pop(0)


def _draw(rng: np.random.Generator) -> OnlineKnapsackInstance:
    return power_law(12, UPPER, rng)


POLICIES: dict[str, Any] = {
    "ZCL": ZCL(1, UPPER),
    "PPBasic": lambda instance, prediction: PPBasic(prediction),
    "PPAdvanced": lambda instance, prediction: PPAdvanced(prediction),
    "Mix": lambda instance, prediction: Mix(PPAdvanced(prediction), ZCL(1, UPPER), 0.5),
    "mine": HalfOfTheDear(10.0),
}
LEVELS = {"right": None, "high": MultiplicativeError(factor=1.5), "noisy": MultiplicativeError(sigma=0.5)}


def _same_rows(one: Comparison, other: Comparison) -> None:
    assert_deterministic(lambda workers: dict((one if workers == 1 else other).table))


def test_every_row_is_what_a_second_calculation_finds() -> None:
    instances = [power_law(12, UPPER, rng=seed) for seed in range(5)]
    compared = compare(POLICIES, instances, error=LEVELS, rng=0)
    table = compared.table
    assert list(table) == list(COLUMNS)
    assert len(compared) == 5 * 3 * 5
    for row in range(len(compared)):
        instance, name = instances[table["instance"][row]], str(table["policy"][row])
        made = POLICIES[name](instance, table["prediction"][row]) if callable(POLICIES[name]) else POLICIES[name]
        if name == "mine":
            made = HalfOfTheDearAgain(10.0)
        value = play(made, instance).value
        assert table["value"][row] == pytest.approx(value, rel=1e-12)
        assert table["optimum"][row] == pytest.approx(optimum_by_sorting(instance), rel=1e-12)
        assert table["fraction"][row] == pytest.approx(value / optimum_by_sorting(instance), rel=1e-12)
        right = critical_value(instance).value
        error = math.log(table["prediction"][row] / right)
        assert table["prediction_error"][row] == pytest.approx(error, abs=1e-12)
    right = table["prediction"][table["error"] == "right"]
    high = table["prediction"][table["error"] == "high"]
    assert high == pytest.approx(1.5 * right, rel=1e-12)


def test_rows_do_not_depend_on_workers() -> None:
    assert_deterministic(
        lambda workers: dict(compare(POLICIES, _draw, error=LEVELS, rng=3, count=300, workers=workers).table)
    )


def test_another_policy_or_level_changes_nobody_elses_rows() -> None:
    alone = compare({"ZCL": POLICIES["ZCL"]}, _draw, rng=3, count=20)
    both = compare(POLICIES, _draw, error=LEVELS, rng=3, count=20)
    assert alone.values("value", "ZCL").tolist() == both.values("value", "ZCL", "noisy").tolist()


def test_one_noise_moves_the_prediction_further_at_every_level() -> None:
    levels = [MultiplicativeError(sigma=sigma) for sigma in (0.1, 0.2, 0.4)]
    compared = compare({"ZCL": POLICIES["ZCL"]}, _draw, error=levels, rng=3, count=20)
    errors = [compared.values("prediction_error", "ZCL", level) for level in compared.errors]
    assert errors[1] == pytest.approx(2 * errors[0], abs=1e-12)
    assert errors[2] == pytest.approx(4 * errors[0], abs=1e-12)
    assert len(set(errors[0].tolist())) == 20


def test_the_seed_of_a_comparison_repeats_it() -> None:
    first = compare(POLICIES, _draw, count=5)
    _same_rows(first, compare(POLICIES, _draw, rng=first.seed, count=5))


def test_a_class_derived_from_one_of_ours_is_played_as_it_decides_not_by_the_kernel_that_it_inherits() -> None:
    class Nothing(ZCL):
        def offer(self, unit_value: float, weight: float) -> float:
            return 0.0

    compared = compare(
        {"derived": Nothing(1, UPPER), "inside": Mix(Nothing(1, UPPER), Nothing(1, UPPER), 0.5)}, _draw, count=3, rng=0
    )
    assert compared.table["value"].tolist() == [0.0] * 6
    assert np.isinf(compared.table["ratio"]).all()
    assert np.isnan(compared.table["guaranteed"]).all()


def test_instances_of_unequal_length_and_capacity_mix_with_a_policy_that_learns_the_capacity() -> None:
    instances = [
        OnlineKnapsackInstance([5.0], [1.0], 1, 10, capacity=3.0),
        OnlineKnapsackInstance([], [], 1, 10),
        OnlineKnapsackInstance([5.0, 7.0], [1.0, 1.0], 1, 10),
    ]
    compared = compare({"ZCL": lambda instance, prediction: ZCL(1, 10)}, instances)
    expected = [ZCL(1, 10).run(instance).value for instance in instances]
    assert compared.values("value", "ZCL").tolist() == pytest.approx(expected)
    assert compared.values("ratio", "ZCL")[1] == compared.values("fraction", "ZCL")[1] == 1


def test_guarantees_are_consistency_where_the_prediction_is_right_and_robustness_elsewhere() -> None:
    compared = compare(POLICIES, _draw, error=LEVELS, rng=0, count=10)
    alpha = zcl_ratio(1, UPPER)
    assert compared.values("guaranteed", "ZCL", "high") == pytest.approx(alpha)
    assert compared.values("guaranteed", "Mix", "high") == pytest.approx(2 * alpha)
    consistent = 1 + np.minimum(1, compared.values("critical_weight", "PPAdvanced", "right"))
    assert compared.values("guaranteed", "PPAdvanced", "right") == pytest.approx(consistent)
    assert compared.values("guaranteed", "Mix", "right") == pytest.approx(1 / (0.5 / consistent + 0.5 / alpha))
    assert np.isinf(compared.values("guaranteed", "PPBasic", "high")).all()
    finite = np.isfinite(compared.table["guaranteed"])
    assert (compared.table["ratio"][finite] <= compared.table["guaranteed"][finite] * (1 + 1e-9)).all()
    own = compare({"mine": HalfOfTheDear(10.0)}, _draw, count=2, guarantees={"mine": lambda instance, prediction: 7.0})
    assert own.table["guaranteed"].tolist() == [7.0, 7.0]


# Error models.


def test_the_adversarial_direction_is_the_worse_of_both() -> None:
    model = AdversarialDirectionError(0.4)
    rng = np.random.default_rng(0)
    sides = set()
    for seed in range(20):
        instance = power_law(12, UPPER, rng=seed)
        right = critical_value(instance).value
        wrong = model.perturbed(right, instance=instance, past=(), rng=rng)
        assert isinstance(wrong, float)
        other = right * right / wrong
        assert PPAdvanced(wrong).run(instance).value <= PPAdvanced(other).run(instance).value
        sides.add(bool(wrong > right))
    assert sides == {True, False}


def test_the_adversarial_direction_is_down_where_cheap_items_come_first() -> None:
    instance = OnlineKnapsackInstance([1.5, 3.0, 10.0], [1.0, 1.0, 0.9], 1, 10)
    wrong = AdversarialDirectionError(math.log(2)).perturbed(
        3.0, instance=instance, past=(), rng=np.random.default_rng(0)
    )
    assert wrong == pytest.approx(1.5)  # half of the knapsack goes to the first item, none is left for the last


def test_a_stale_prediction_is_yesterdays_and_the_first_is_the_middle_of_the_range() -> None:
    instances = [power_law(12, UPPER, rng=seed) for seed in range(5)]
    compared = compare({"ZCL": POLICIES["ZCL"]}, instances, error=StaleError(lag=2))
    right = [critical_value(instance).value for instance in instances]
    assert compared.values("prediction", "ZCL").tolist() == pytest.approx([10.0, 10.0, *right[:3]])


def test_each_family_has_a_past_of_its_own() -> None:
    instances = [power_law(12, UPPER, rng=seed) for seed in range(2)]
    compared = compare({"ZCL": POLICIES["ZCL"]}, {"a": instances, "b": instances}, error=StaleError())
    a, b = compared.only(family="a"), compared.only(family=["b"])
    assert a.values("prediction", "ZCL").tolist() == b.values("prediction", "ZCL").tolist()
    assert (a.finished, b.finished, compared.finished) == (2, 2, 4)


def test_an_interval_moves_with_both_its_ends() -> None:
    compared = compare(
        {"ends": lambda instance, ends: Mix(PPBasic(ends[0]), PPBasic(ends[1]), 0.5)},
        _draw,
        prediction=lambda instance, rng: (2.0, 3.0),
        error=[None, MultiplicativeError(factor=2), AdditiveError(shift=-1), StaleError()],
        count=1,
    )
    assert compared.table["prediction"].tolist() == [2, 4, 1, 1]
    assert compared.table["prediction_upper"].tolist() == [3, 6, 2, UPPER]


# Faults.


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (-0.1, "item 1: the accepted weight -0.1 is negative"),
        (math.nan, "item 1: the accepted weight is not a number"),
        (0.6, "item 1: 0.6 is accepted of a weight of 0.5"),
        (None, "item 1: the accepted weight None is not a number"),
    ],
)
def test_a_wrong_amount_stops_with_policy_instance_and_item(second: Any, told: str) -> None:
    instances = [OnlineKnapsackInstance([1.0, 2.0], [0.75, 0.5], 1, 2)] * 2
    made = iter([Returns(0.5, 0.5), Returns(0.25, second)])
    with pytest.raises(InfeasibleDecision, match=rf"policy 'broken', instance 1, {told}"):
        compare({"broken": lambda instance, prediction: next(made)}, instances)


def test_an_overflow_of_the_capacity_stops_in_a_worker_process_as_well() -> None:
    instances = [OnlineKnapsackInstance([1.0, 2.0], [0.75, 0.5], 1, 2)]
    for workers in (1, 2):
        with pytest.raises(InfeasibleDecision, match=r"'greedy', instance 0, item 1: 1.25 of a capacity of 1 is used"):
            compare({"greedy": Returns(0.75, 0.5)}, instances, workers=workers)


def test_whatever_a_policy_raises_carries_a_note_with_its_place() -> None:
    class Raises:
        def offer(self, unit_value: float, weight: float) -> float:
            raise RuntimeError("no decision")

    with pytest.raises(RuntimeError) as caught:
        compare({"raises": Raises()}, _draw, count=1)
    assert caught.value.__notes__ == ["policy 'raises', instance 0, item 0"]
    with pytest.raises(ValueError, match=r"must lie in \[1.0, 2.0\]") as refused:
        compare({"narrow": ZCL(1, 2)}, [power_law(3, 2.0, rng=0), power_law(3, UPPER, rng=0)])
    assert refused.value.__notes__ == ["policy 'narrow', instance 1"]
    with pytest.raises(TypeError, match="positional argument") as unmade:
        compare({"one argument": PPBasic}, _draw, count=1)
    assert "policy 'one argument', instance 0" in unmade.value.__notes__[0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"policies": {}}, "policies = {}"),
        ({"policies": {"a": 3}}, r"policies\['a'\] = 3: must have `offer`, or be factory"),
        (
            {"policies": {"a": lambda instance, prediction: 3}},
            "policy 'a', instance 0: the factory must return a policy",
        ),
        (
            {"policies": {"a": HalfOfTheDear(1)}, "instances": [OnlineKnapsackInstance([1.0], [1.0], 1, 2, 3.0)]},
            "no `reset`",
        ),
        ({"instances": []}, "instances: must hold at least one"),
        ({"instances": 3}, "instances = 3: must be instances, or draw"),
        ({"instances": [3]}, r"instances\[0\] = 3: must be an OnlineKnapsackInstance"),
        ({"instances": _draw}, "count: must say how many"),
        ({"error": [3]}, "error '3' = 3: must have `perturbed` and `size`"),
        ({"error": []}, "error: must hold at least one level"),
        ({"error": [StaleError(), StaleError()]}, "must differ from each other"),
        ({"error": AdditiveError(shift=-1e6)}, "must stay positive"),
        ({"workers": 0}, "workers = 0"),
        ({"rng": -1}, "rng = -1"),
        (
            {"guarantees": {"nobody": lambda instance, prediction: 1.0}},
            r"guarantees\['nobody'\]: there is no such policy",
        ),
    ],
)
def test_a_bad_argument_is_refused_by_name(arguments: dict[str, Any], told: str) -> None:
    plain = {"policies": {"ZCL": POLICIES["ZCL"]}, "instances": [power_law(3, UPPER, rng=0)]}
    with pytest.raises((TypeError, ValueError), match=told):
        compare(**{**plain, **arguments})


def test_an_interrupt_keeps_the_finished_rows() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        if done == 256:
            raise KeyboardInterrupt

    for workers in (1, 2):
        told.clear()
        cut = compare(POLICIES, _draw, rng=1, count=400, progress=progress, workers=workers)
        assert told == [(128, 400), (256, 400)]
        assert not cut.complete
        assert (cut.finished, cut.asked) == (256, 400)
        assert "256 instances, interrupted: 400 were asked for" in repr(cut)
        whole = compare(POLICIES, _draw, rng=1, count=400)
        assert whole.complete
        assert whole.table["value"][: len(cut)].tolist() == cut.table["value"].tolist()


def test_an_interrupt_before_anything_was_finished_leaves_a_comparison_without_rows() -> None:
    class Interrupted:
        def offer(self, unit_value: float, weight: float) -> float:
            raise KeyboardInterrupt

    cut = compare({"a": Interrupted()}, _draw, count=1)
    assert (len(cut), cut.complete) == (0, False)
    for use in (cut.summary, cut.plot):
        with pytest.raises(ValueError, match="it has no rows"):
            use()


# What is made of the rows.


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return compare(POLICIES, _draw, error=LEVELS, rng=0, count=50)


def test_the_summary_pairs_with_the_baseline_and_names_the_worst_instance(compared: Comparison) -> None:
    summary = compared.summary(baseline="Mix", confidence=0.9)
    assert len(summary.standings) == 15
    for standing in summary.standings:
        fraction = compared.values("fraction", standing.policy, standing.error)
        ratio = compared.values("ratio", standing.policy, standing.error)
        base = compared.values("fraction", "Mix", standing.error)
        assert standing.mean_fraction == pytest.approx(fraction.mean())
        assert standing.worst_ratio == ratio.max() == ratio[standing.worst_instance]
        if standing.policy == "Mix":
            assert standing.against_baseline is None
        else:
            assert standing.against_baseline is not None
            assert (fraction - base).mean() in standing.against_baseline
    titles = repr(summary).splitlines()[0]
    assert titles.startswith("policy      error  instances  mean fraction")
    with pytest.raises(ValueError, match="baseline"):
        compared.summary(baseline="nobody")


def test_a_single_instance_has_no_interval() -> None:
    compared = compare(POLICIES, _draw, rng=0, count=1)
    assert all(standing.against_baseline is None for standing in compared.summary().standings)


def test_latex_escapes_names_and_has_a_row_a_standing() -> None:
    latex = compare({"my_policy & co": POLICIES["ZCL"], "b": POLICIES["mine"]}, _draw, rng=0, count=3).to_latex()
    assert r"my\_policy \& co & none & 3 &" in latex
    assert latex.count(r"\\") == 3
    assert latex.startswith(r"\begin{tabular}{llrrrrrr}")


def test_pandas_gets_the_rows_and_is_asked_for_by_name_where_it_is_missing(
    compared: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    frame = compared.to_pandas()
    assert frame.groupby("policy")["ratio"].median()["ZCL"] == np.median(
        compared.table["ratio"][compared.table["policy"] == "ZCL"]
    )
    imported = builtins.__import__

    def without_pandas(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "pandas":
            raise ModuleNotFoundError(name)
        return imported(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        compared.to_pandas()


def test_citations_are_those_of_the_policies_that_played() -> None:
    zcl = compare({"a": ZCL(1, UPPER)}, _draw, count=1).cite()
    assert zcl.startswith("@inproceedings{zhou2008,")
    assert "daneshvaramoli2025" not in zcl
    assert "daneshvaramoli2025" in compare({"b": POLICIES["Mix"]}, _draw, count=1).cite()
    assert compare({"c": POLICIES["mine"]}, _draw, count=1).cite() == ""


def test_only_and_values_refuse_what_is_not_there(compared: Comparison) -> None:
    kept = compared.only(policy=["ZCL", "mine"], error="high")
    assert (kept.policies, kept.errors, len(kept)) == (("ZCL", "mine"), ("high",), 100)
    with pytest.raises(ValueError, match="policy = 'nobody': no row has it"):
        compared.only(policy="nobody")
    with pytest.raises(ValueError, match="error: name one of right, high, noisy"):
        compared.values("ratio", "ZCL")


# Figures.


def test_a_distribution_has_a_curve_a_policy_and_the_guarantee_dashed_in_its_colour(compared: Comparison) -> None:
    ax = compared.only(error="right").plot()
    solid = {line.get_label(): line for line in ax.lines if line.get_linestyle() == "-"}
    assert list(solid) == list(POLICIES)
    dashed = [to_hex(line.get_color()) for line in ax.lines if line.get_linestyle() == "--"]
    assert dashed == [colour.lower() for colour in COLOURS[:4]]  # nothing is known of "mine"
    curve = solid["ZCL"]
    ratio = np.sort(compared.values("ratio", "ZCL", "right"))
    assert np.asarray(curve.get_xdata())[1:] == pytest.approx(ratio)
    assert np.asarray(curve.get_ydata())[-1] == 1
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [*POLICIES, "guaranteed"]
    assert all(line.get_linestyle() != "--" for line in compared.only(error="right").plot(bounds=False).lines)


def test_a_curve_against_the_error_goes_through_the_medians_of_the_levels(compared: Comparison) -> None:
    levels = [MultiplicativeError(factor=factor) for factor in (0.5, 1.0, 2.0)]
    swept = compare(POLICIES, _draw, error=levels, rng=0, count=30)
    with figure_axes() as (_, ax):
        assert swept.plot("error", stat="median", ax=ax) is ax
    line = next(line for line in ax.lines if line.get_label() == "ZCL")
    assert np.asarray(line.get_xdata()) == pytest.approx(np.log([0.5, 1, 2]))
    expected = [np.median(swept.values("ratio", "ZCL", level)) for level in swept.errors]
    assert np.asarray(line.get_ydata()) == pytest.approx(expected)
    named = compared.plot("error", y="fraction", stat=0.25)  # levels of no common kind stand by name
    assert [tick.get_text() for tick in named.get_xticklabels()] == list(LEVELS)


def test_what_lies_at_infinity_is_counted() -> None:
    high = compare({"PPBasic": POLICIES["PPBasic"]}, _draw, error=MultiplicativeError(factor=1e9), rng=0, count=9)
    assert [text.get_text() for text in high.plot().texts] == ["9 rows at infinity"]
    assert [text.get_text() for text in high.plot("upper_over_lower", stat="max").texts] == ["1 point at infinity"]


def test_a_long_tail_is_cut_off_the_view_and_counted() -> None:
    instances = [OnlineKnapsackInstance([value], [1.0], 1, 1e6) for value in (*range(1, 300), 5e5)]
    ax = compare({"half a unit": lambda instance, advice: Returns(0.5 / instance.unit_values[0])}, instances).plot()
    assert [text.get_text() for text in ax.texts] == ["1 rows beyond the axis"]
    assert ax.get_xlim()[1] < 1e3


def test_a_figure_of_something_unknown_is_refused(compared: Comparison) -> None:
    for arguments, told in (
        ({"x": "colour"}, "x = 'colour'"),
        ({"x": "error", "y": "value"}, "y = 'value'"),
        ({"x": "error", "stat": "mode"}, "stat = 'mode'"),
        ({"x": "ratio"}, "choose a level of error with only"),
    ):
        with pytest.raises(ValueError, match=told):
            compared.plot(**arguments)  # type: ignore[arg-type]  # one mapping for all cases
