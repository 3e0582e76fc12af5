from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from proofs_checks.claim import Claim, EveryInstance, Sides
from proofs_checks.judge import Sitting, conclude, judge, run_shard
from proofs_checks.registry import load_claims
from proofs_checks.trial.per_instance import instance_at

COUNTS = {"smoke": 10, "quick": 25, "full": 50}


def halves(**changes: object) -> Claim:
    """x / 2 <= x: true, and loose."""
    trial = EveryInstance(
        draw=lambda rng: float(rng.uniform(1, 2)),
        compare=lambda subject, x: Sides(subject(x), x),
        known=lambda effort: [1.0, 2.0],
        draws=COUNTS,
        per_shard=10,
    )
    fields = {
        "id": "toy.halves",
        "kind": "always",
        "paper": "p",
        "source": "s",
        "statement": "x",
        "subject": lambda x: 0.4 * x,
        "trial": trial,
        "mutants": {"too much": lambda x: x + 1e-6, "crashes": lambda x: 1 / 0},
    }
    return Claim(**(fields | changes))  # type: ignore[arg-type]


def test_every_verdict_of_a_strangers_claims_is_the_right_one(claim_file: Path) -> None:
    verdicts = {claim.id: judge(claim).verdict for claim in load_claims((), claim_file)}
    assert verdicts == {
        "means.arithmetic_geometric": "holds",
        "means.reached": "holds",
        "coins.fair": "holds",
        "cases.squares": "holds",
        "means.false": "violated",
    }


def test_every_mutant_of_a_strangers_claims_is_convicted(claim_file: Path) -> None:
    for claim in load_claims((), claim_file):
        for mutant in claim.mutants:
            convicting = "holds" if claim.expect == "violated" else "violated"
            assert judge(claim, mutant=mutant).verdict == convicting, (claim.id, mutant)


def test_known_instances_come_first_and_random_ones_are_counted() -> None:
    evidence = judge(halves(), effort="quick")
    assert evidence.instances == 2 + 25
    np.testing.assert_array_equal(evidence.table["bound"][:2], [1.0, 2.0])


def test_a_bound_that_nothing_approaches_is_flagged_as_loose() -> None:
    evidence = judge(halves())
    assert evidence.tightness == pytest.approx(0.4)
    assert evidence.loose
    assert not judge(halves(subject=lambda x: 0.6 * x)).loose


def test_raising_the_bound_by_five_percent_lowers_the_reported_tightness() -> None:
    raised = EveryInstance(
        draw=halves().trial.draw,  # type: ignore[union-attr]
        compare=lambda subject, x: Sides(subject(x), 1.05 * x),
        draws=COUNTS,
    )
    before, after = judge(halves()).tightness, judge(halves(trial=raised)).tightness
    assert before is not None
    assert after == pytest.approx(before / 1.05)


def test_the_reported_violation_is_the_one_of_lowest_index() -> None:
    late = EveryInstance(
        draw=lambda rng: 1.0,
        compare=lambda subject, x: Sides(x, 2.5),
        known=lambda effort: [1.0, 3.0, 9.0],
        draws=COUNTS,
    )
    evidence = judge(halves(trial=late))
    assert evidence.verdict == "violated"
    assert evidence.worst is not None
    assert (evidence.worst.shard, evidence.worst.index, evidence.measured) == (0, 1, 3.0)
    assert "Violated on 2 of" in evidence.sentence


def test_a_mutant_that_crashes_is_not_convicted_and_the_instance_is_named() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        judge(halves(), mutant="crashes")
    assert "toy.halves, shard 0, index 0: 1.0" in caught.value.__notes__[0]


def test_an_infinite_bound_everywhere_decides_nothing() -> None:
    vacuous = EveryInstance(lambda rng: 1.0, lambda subject, x: Sides(x, math.inf), draws=COUNTS)
    assert judge(halves(trial=vacuous)).verdict == "inconclusive"


def test_a_trial_without_instances_decides_nothing() -> None:
    empty = EveryInstance(lambda rng: 1.0, lambda subject, x: Sides(x, x), draws=dict.fromkeys(COUNTS, 0))  # type: ignore[arg-type]
    assert judge(halves(trial=empty)).verdict == "inconclusive"


def test_a_missing_package_is_named_with_the_command_that_brings_it() -> None:
    evidence = judge(halves(needs=("a_package_that_nobody_has",)))
    assert evidence.verdict == "not run"
    assert evidence.as_expected is None
    assert "pip install a_package_that_nobody_has" in evidence.sentence


def test_the_worst_case_can_be_regenerated_from_its_stream() -> None:
    claim = halves(subject=lambda x: x * x / 2)
    worst = judge(claim, effort="quick", seed=3).worst
    assert worst is not None
    again = instance_at(claim, 3, "quick", worst.shard, worst.index)
    assert again * again / 2 == worst.measured
    with pytest.raises(ValueError, match="has no such instance"):
        instance_at(claim, 3, "quick", worst.shard, 1000)


def test_merging_goes_by_shard_whatever_order_they_were_computed_in() -> None:
    claim = halves()
    shards = {number: run_shard(claim, claim.subject, 0, "quick", number) for number in (2, 0, 3, 1)}
    merged = conclude(claim, [shards[number] for number in range(4)], Sitting("quick", 0, fingerprint="x"))
    assert merged.to_bytes() == judge(claim, effort="quick", fingerprint="x").to_bytes()


def test_a_subject_that_consumes_its_instance_changes_nothing_for_anybody_else() -> None:
    trial = EveryInstance(
        draw=lambda rng: [1.0, 2.0],
        compare=lambda subject, numbers: Sides(subject(numbers), 3.0),
        known=lambda effort: [[2.0, 1.0]],
        draws=COUNTS,
    )

    def emptied(numbers: list[float]) -> float:
        return float(sum(numbers.pop() for _ in range(len(numbers))))

    worst = judge(halves(trial=trial, subject=emptied)).worst
    assert worst is not None
    assert worst.instance == [2.0, 1.0]
    assert worst.measured == 3.0


def test_another_seed_draws_other_instances_and_the_same_seed_the_same() -> None:
    one, same, other = (judge(halves(), seed=seed).to_bytes() for seed in (1, 1, 2))
    assert one == same != other


def test_unknown_mutants_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"mutant = 'x': toy.halves has 'too much', 'crashes'"):
        judge(halves(), mutant="x")
