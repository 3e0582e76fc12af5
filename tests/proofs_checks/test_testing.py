"""The public asserts: they pass what is right, and fail the planted fault with its data, its example and its file."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from learning_augmented.knapsack import ZCL, Mix, OnlineKnapsackInstance, PPAdvanced, PPBasic, critical_value, power_law
from proofs_checks.asserting.law_test import law_test
from proofs_checks.comparing.difference import first_difference
from proofs_checks.falsify import Counterexample, falsify
from proofs_checks.replay import replay
from proofs_checks.strategies.knapsack import online_knapsack_instances
from proofs_checks.testing import (
    assert_competitive,
    assert_deterministic,
    assert_law,
    assert_online,
    competitive_charge,
    read_case,
)


def _failure(call: Callable[[], object]) -> str:
    with pytest.raises(AssertionError) as caught:
        call()
    return str(caught.value)


def _example(message: str) -> Any:
    """What the line to paste holds."""
    line = next(line.strip() for line in message.splitlines() if line.strip().startswith("@example("))
    return eval(line.removeprefix("@example"), {"OnlineKnapsackInstance": OnlineKnapsackInstance})  # noqa: S307


def _file(message: str) -> Path:
    return Path(message.splitlines()[-1].partition(": ")[2])


def _alpha(instance: OnlineKnapsackInstance, prediction: float = 1.0) -> float:
    return 1 + math.log(instance.upper / instance.lower)


# assert_competitive


def test_the_policies_keep_their_ratios() -> None:
    assert_competitive(lambda instance: ZCL(instance.lower, instance.upper), _alpha)
    assert_competitive(lambda instance, prediction: PPBasic(prediction), 2, predictions="right")
    assert_competitive(
        lambda instance, prediction: Mix(PPAdvanced(prediction), ZCL(instance.lower, instance.upper), 0.5),
        lambda instance, prediction: 2 * _alpha(instance),
        predictions="any",
    )


def test_a_ratio_that_is_too_small_fails_with_a_small_instance_that_breaks_it(tmp_path: Path) -> None:
    def policy(instance: OnlineKnapsackInstance) -> ZCL:
        return ZCL(instance.lower, instance.upper)

    message = _failure(lambda: assert_competitive(policy, 2.5, folder=tmp_path))
    assert message.startswith("policy: OPT / ALG = ")
    assert "exceeds 2.5" in message.splitlines()[0]
    instance = _example(message)
    assert instance == read_case(_file(message))
    assert len(instance) == 1
    assert critical_value(instance).optimum > 2.5 * policy(instance).run(instance).value
    again = replay(_file(message), subject=competitive_charge(policy, 2.5))
    assert again.violated
    assert again.same


def test_a_wrong_prediction_breaks_consistency_and_the_pair_is_shown(tmp_path: Path) -> None:
    def trusting(instance: OnlineKnapsackInstance, prediction: float) -> PPBasic:
        return PPBasic(prediction)

    message = _failure(lambda: assert_competitive(trusting, 2, predictions="any", folder=tmp_path))
    instance, prediction = _example(message)
    assert (instance, prediction) == read_case(_file(message))
    assert prediction != critical_value(instance).value
    assert f"right prediction: {critical_value(instance).value}" in message


def test_a_policy_that_overfills_the_knapsack_fails_with_the_fault(tmp_path: Path) -> None:
    class Everything:
        def reset(self, capacity: float = 1.0) -> None: ...

        def offer(self, unit_value: float, weight: float) -> float:
            return weight

    message = _failure(lambda: assert_competitive(Everything(), 1e9, folder=tmp_path))
    assert "OPT / ALG = inf" in message
    assert "of a capacity of" in message


def test_the_charge_of_an_assert_can_be_searched_for_longer() -> None:
    charge = competitive_charge(lambda instance: ZCL(instance.lower, instance.upper), 2.5)
    assert isinstance(falsify(charge.problem, charge.algorithm, charge.ratio, seconds=1, rng=0), Counterexample)


def test_unknown_predictions_are_refused() -> None:
    with pytest.raises(ValueError, match="predictions = 'good'"):
        assert_competitive(PPBasic(1.0), 2, predictions="good")  # type: ignore[arg-type]  # the refusal is the point


# assert_online


def test_policies_of_both_forms_and_plain_functions_are_online() -> None:
    instance = power_law(150, 100.0, rng=0)
    assert_online(PPAdvanced(20.0), instance)
    assert_online(lambda instance: ZCL(instance.lower, instance.upper), instance)
    assert_online(lambda instance: np.minimum(instance.weights, 0.1), instance)


def test_a_prediction_taken_from_the_items_is_clairvoyance(tmp_path: Path) -> None:
    instance = OnlineKnapsackInstance([1.0, 2.0, 4.0], [1.0, 0.5, 0.75], 1, 4)

    def clairvoyant(items: OnlineKnapsackInstance) -> PPBasic:
        return PPBasic(critical_value(items).value)

    message = _failure(lambda: assert_online(clairvoyant, instance, folder=tmp_path))
    told = (
        "clairvoyant: item 0 is decided differently when only the first 1 of 3 items are known: 0.5, but 0 when all are"
    )
    assert message.startswith(told)
    assert _example(message) == read_case(_file(message)) == instance


def test_a_run_that_looks_ahead_is_found_though_its_offers_are_honest(tmp_path: Path) -> None:
    class LooksAhead(PPBasic):
        def run(self, instance: OnlineKnapsackInstance) -> Any:
            return PPBasic(critical_value(instance).value).run(instance)

    message = _failure(lambda: assert_online(LooksAhead(2.0), power_law(5, 100.0, rng=0), folder=tmp_path))
    assert "(by `run`)" in message


# assert_law and its test


def _die(rng: np.random.Generator) -> int:
    return int(rng.integers(6))


DIE = dict.fromkeys(range(6), 1 / 6)


def test_a_fair_die_passes_and_says_what_would_have_been_found() -> None:
    found = assert_law(_die, DIE, samples=20_000)
    assert not found.exact
    assert "G-test" in found.sentence
    assert f"a total-variation distance of {found.detectable:.3g} would have been found" in found.sentence
    assert 0.03 < found.detectable < 0.1


def test_a_loaded_die_fails_with_its_faces_and_the_distance(tmp_path: Path) -> None:
    def loaded(rng: np.random.Generator) -> int:
        return 5 if rng.random() < 0.1 else _die(rng)

    message = _failure(lambda: assert_law(loaded, DIE, samples=20_000, rng=7, folder=tmp_path))
    assert message.startswith("loaded: the samples do not follow the law")
    assert "would have been found (with probability 0.999)" in message
    assert message.splitlines()[1].startswith("  5: ")  # the face that is furthest off comes first
    assert "@example(seed=7)" in message
    case = read_case(_file(message))
    assert case["seed"] == 7
    assert sum(number for _, number in case["counts"]) == 20_000


def test_an_impossible_outcome_fails_whatever_the_level(tmp_path: Path) -> None:
    message = _failure(lambda: assert_law(_die, dict.fromkeys(range(5), 0.2), samples=100, folder=tmp_path))
    assert "5 was sampled" in message
    assert "has probability 0" in message


def test_the_exact_test_of_two_categories_is_scipys_binomial_test() -> None:
    for heads in (0, 3, 10, 17, 20):
        found = law_test([heads, 20 - heads], [0.5, 0.5], alpha=0.01)
        assert found.exact
        assert found.p_value == pytest.approx(stats.binomtest(heads, 20, 0.5).pvalue, rel=1e-9)


def test_the_exact_test_rejects_with_at_most_its_level() -> None:
    law, samples, alpha = [0.2, 0.3, 0.5], 25, 0.01
    level = 0.0
    for counts in itertools.product(range(samples + 1), repeat=2):
        if sum(counts) <= samples:
            outcome = [*counts, samples - sum(counts)]
            if law_test(outcome, law, alpha).rejected:
                level += float(stats.multinomial.pmf(outcome, samples, law))
    assert 0 < level <= alpha


def test_the_bound_of_the_g_test_is_above_the_exact_p_value(monkeypatch: pytest.MonkeyPatch) -> None:
    law = [0.1, 0.2, 0.3, 0.4]
    outcomes = [[10, 10, 10, 10], [0, 0, 20, 20], [1, 5, 14, 20], [40, 0, 0, 0], [4, 8, 12, 16]]
    exact = [law_test(outcome, law, 1e-6) for outcome in outcomes]
    monkeypatch.setattr("proofs_checks.asserting.law_test._MOST_OUTCOMES", 0)
    for outcome, known in zip(outcomes, exact, strict=True):
        bound = law_test(outcome, law, 1e-6)
        assert known.exact
        assert not bound.exact
        assert known.p_value <= bound.p_value


@pytest.mark.parametrize("categories", [2, 4, 50])
def test_a_sampler_at_the_detectable_distance_is_found(categories: int) -> None:
    rng = np.random.default_rng(0)
    law = np.full(categories, 1 / categories)
    samples = 200_000
    reach = law_test(rng.multinomial(samples, law), law, 1e-9).detectable
    half = categories // 2
    other = law + np.where(np.arange(categories) < half, 1, -1) * reach / half
    assert np.abs(other - law).sum() / 2 == pytest.approx(reach)
    assert all(law_test(rng.multinomial(samples, other), law, 1e-9).rejected for _ in range(20))


def test_too_few_samples_find_nothing_and_say_so() -> None:
    found = law_test([1, 1], [0.5, 0.5], alpha=1e-9)
    assert found.detectable == 1
    assert "too few to find any distance" in found.sentence


def test_no_law_and_no_counts_are_refused() -> None:
    for counts, law, told in (
        ([1, 1], [0.5, 0.6], "must add up to 1"),
        ([1, -1], [0.5, 0.5], "integers of at least 0"),
        ([0, 0], [0.5, 0.5], "not all 0"),
        ([1], [0.5, 0.5], "length"),
    ):
        with pytest.raises(ValueError, match=told):
            law_test(counts, law, 0.01)


# assert_deterministic


def test_the_same_result_for_any_number_of_workers_passes() -> None:
    assert_deterministic(lambda workers: {"a": [1.0, math.nan], "b": np.arange(3), "c": (None, "x")}, workers=(1, 2, 5))


def test_a_result_that_depends_on_workers_fails_with_its_place(tmp_path: Path) -> None:
    def scheduled(workers: int) -> dict[str, Any]:
        return {"sum": np.array([1.0, 1.0 + (workers == 2) * 2**-52])}

    message = _failure(lambda: assert_deterministic(scheduled, folder=tmp_path))
    assert message.startswith("scheduled: result['sum'][1] is np.float64(1.0) with 1 worker, and ")
    assert "@example(workers=2)" in message
    assert read_case(_file(message)) == {"workers": [1, 2], "place": "result['sum'][1]"}


def test_a_result_that_changes_from_call_to_call_fails(tmp_path: Path) -> None:
    calls = itertools.count()
    message = _failure(lambda: assert_deterministic(lambda workers: next(calls), folder=tmp_path))
    assert "result is 0 with 1 worker, and 1 with 1 worker the second time" in message
    with pytest.raises(ValueError, match="workers: must hold at least one"):
        assert_deterministic(lambda workers: 0, workers=())


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        (1, 1.0, "result"),
        ([1], [1, 2], "the shape of result"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "the shape of result"),
        (np.zeros(2), np.zeros(3), "the shape of result"),
        (np.zeros(2), np.zeros(2, dtype=np.float32), "the shape of result"),
        ([power_law(3, 9.0, rng=0)], [power_law(3, 9.0, rng=1)], "result[0].unit_values[0]"),
        ("abc", "abd", "result"),
    ],
)
def test_the_first_difference_is_named(first: Any, second: Any, place: str) -> None:
    assert first_difference(first, first) is None
    found = first_difference(first, second)
    assert found is not None
    assert found.place == place


def test_the_strategies_own_instances_are_the_default() -> None:
    assert_competitive(PPBasic(1.0), lambda instance: math.inf, instances=online_knapsack_instances(), examples=5)
