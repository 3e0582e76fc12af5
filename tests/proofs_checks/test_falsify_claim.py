"""The search on claims: constants that are slightly too small are found, and how small an error it would have seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from proofs_checks.claim import Claim, Effort, EveryInstance, Repeated, Sides
from proofs_checks.decisions import mean_decision
from proofs_checks.falsify import Counterexample, Resolution, falsify_claim
from proofs_checks.registry import find_claim
from proofs_checks.replay import read_replay, replay

Pair = tuple[int, int]
OPAQUE = """
from proofs_checks.claim import Claim, EveryInstance, Sides

class Opaque:
    def __init__(self, x):
        self.x = x

CLAIMS = [Claim(
    id="opaque.most", kind="always", paper="p", source="s", statement="x", subject=None, mutants={},
    trial=EveryInstance(lambda rng: Opaque(rng.uniform()), lambda subject, opaque: Sides(opaque.x, 0.999)))]
"""
NO_DRAWS: dict[Effort, int] = {"smoke": 0, "quick": 0, "full": 0}


def geometric(a: float, b: float) -> float:
    return math.sqrt(a * b)


def mean_claim(constant: float = 0.5, strategy: Callable[[], Any] | None = None, **trial: Any) -> Claim:
    """sqrt(ab) <= constant (a + b): true and tight for 1/2, false for anything smaller."""
    return Claim(
        id="toy.means",
        kind="always",
        paper="cauchy",
        source="Note II",
        statement="x",
        subject=geometric,
        mutants={"larger": max, "crashes": lambda a, b: 1 / 0},
        trial=EveryInstance(
            draw=lambda rng: tuple(rng.integers(1, 10**6, size=2).tolist()),
            compare=lambda mean, pair: Sides(mean(*pair), constant * sum(pair)),
            strategy=strategy,
            **trial,
        ),
    )


def pairs() -> st.SearchStrategy[Pair]:
    return st.tuples(st.integers(1, 10**6), st.integers(1, 10**6))


@pytest.fixture
def thousand_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr("proofs_checks.search.rounds.monotonic", lambda: next(ticks) / 1000)


@pytest.mark.parametrize("constant", [0.4, 0.49, 0.499])
def test_a_constant_that_is_a_little_too_small_is_found_and_shrunk(constant: float) -> None:
    found = falsify_claim(mean_claim(constant, pairs), rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == (1, 1)
    assert found.measured == 1 > found.bound == 2 * constant


@pytest.mark.usefixtures("thousand_looks")
def test_the_resolution_on_a_true_and_tight_bound_is_near_zero() -> None:
    found = falsify_claim(mean_claim(0.5, pairs), seconds=2, rng=0)
    assert isinstance(found, Resolution)
    assert found.smallest_lowering is not None
    assert found.smallest_lowering < 1e-3


@pytest.mark.usefixtures("thousand_looks")
def test_the_resolution_on_a_loose_bound_is_its_slack() -> None:
    found = falsify_claim(mean_claim(0.625, pairs), seconds=2, rng=0)
    assert isinstance(found, Resolution)
    assert found.smallest_lowering == pytest.approx(0.2, abs=1e-3)


def test_climbing_finds_what_chance_alone_would_miss() -> None:
    def peak(x: int, y: int) -> float:
        return 2 - (abs(x - 423_517) + abs(y - 731_029)) / 10**6

    trial = EveryInstance(
        draw=lambda rng: (1, 1), compare=lambda f, pair: Sides(f(*pair), 1.999), strategy=pairs, draws=NO_DRAWS
    )
    found = falsify_claim(replace(mean_claim(), subject=peak, trial=trial), seconds=60, rng=0)
    assert isinstance(found, Counterexample)
    assert abs(found.case[0] - 423_517) + abs(found.case[1] - 731_029) < 1000


def test_a_known_instance_that_breaks_the_claim_is_replaced_by_a_smaller_one() -> None:
    claim = mean_claim(0.4, pairs, known=lambda effort: [(2, 1000), (777_777, 777_777)])
    found = falsify_claim(claim, rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == (1, 1)


def test_smaller_means_fewer_numbers_even_if_they_have_more_digits() -> None:
    trial = EveryInstance(
        draw=lambda rng: [],
        compare=lambda subject, numbers: Sides(len(numbers), 0),
        known=lambda effort: [[7, 7]],
        strategy=lambda: st.lists(st.just(0.123456789), max_size=5),
    )
    found = falsify_claim(replace(mean_claim(), trial=trial), rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == [0.123456789]


def test_a_known_instance_that_no_search_could_find_is_enough() -> None:
    def rare(a: int, b: int) -> float:
        return 10.0**7 if (a, b) == (271_828, 314_159) else 0.0

    claim = mean_claim(0.5, pairs, known=lambda effort: [(1, 1), (271_828, 314_159)], draws=NO_DRAWS)
    found = falsify_claim(claim, subject=rare, rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == (271_828, 314_159)
    assert not found.shrunk


def test_without_a_strategy_the_search_goes_over_the_claims_own_random_instances() -> None:
    found = falsify_claim(mean_claim(0.4), rng=0)
    assert isinstance(found, Counterexample)
    assert geometric(*found.case) > 0.4 * sum(found.case)


def test_a_claim_without_any_instance_is_refused() -> None:
    with pytest.raises(ValueError, match="no case to judge"):
        falsify_claim(mean_claim(draws=NO_DRAWS), rng=0)


def test_a_mutant_stands_trial_under_its_name() -> None:
    found = falsify_claim(mean_claim(0.5, pairs), mutant="larger", rng=0)
    assert isinstance(found, Counterexample)
    assert found.accused == "toy.means [larger]"
    assert max(found.case) > sum(found.case) / 2


def test_a_subject_that_crashes_is_not_convicted() -> None:
    with pytest.raises(ZeroDivisionError, match="division by zero") as caught:
        falsify_claim(mean_claim(0.5, pairs), mutant="crashes", rng=0)
    assert "raised on the case" in caught.value.__notes__[0]


def test_nan_is_a_violation_as_in_every_trial() -> None:
    found = falsify_claim(mean_claim(0.5, pairs), subject=lambda a, b: math.nan, rng=0)
    assert isinstance(found, Counterexample)
    assert math.isnan(found.measured)


@pytest.mark.usefixtures("thousand_looks")
def test_a_bound_of_zero_has_no_relative_lowering_and_the_sentence_says_so() -> None:
    claim = mean_claim(0.0, pairs, draws=NO_DRAWS, atol=1e-9)
    found = falsify_claim(claim, subject=lambda a, b: 0.0, seconds=1, rng=0)
    assert isinstance(found, Resolution)
    assert found.smallest_lowering is None
    assert "the closest reaches 0 of 0, where a relative lowering of the bound has no meaning" in found.sentence


def test_the_same_rng_finds_the_same_counterexample_to_a_claim() -> None:
    first, second = (falsify_claim(mean_claim(0.49, pairs), rng=11) for _ in range(2))
    assert first == second


def test_a_stranger_claim_without_strategy_is_broken_from_its_file_and_replayed(
    claim_file: Path, tmp_path: Path
) -> None:
    claim = find_claim("means.false", claim_file)
    found = falsify_claim(claim, rng=0, replay_to=tmp_path / "false.json")
    assert isinstance(found, Counterexample)
    again = replay(tmp_path / "false.json", claim_source=claim_file)
    assert again.same
    assert again.violated
    assert "--claims" in found.replay_command


def test_an_instance_that_is_not_plain_data_is_replayed_from_its_stream(tmp_path: Path) -> None:
    file = tmp_path / "opaque_claims.py"
    file.write_text(OPAQUE)
    found = falsify_claim(find_claim("opaque.most", file), rng=0, replay_to=tmp_path / "opaque.json")
    assert isinstance(found, Counterexample)
    written = read_replay(tmp_path / "opaque.json")
    assert written.instance is None
    assert written.place is not None
    assert written.place.shard >= 1
    again = replay(tmp_path / "opaque.json", claim_source=file)
    assert again.same
    assert again.measured == found.measured


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mutant": "smaller"}, "mutant = 'smaller': toy.means has 'larger', 'crashes'"),
        ({"mutant": "larger", "subject": max}, "give one of them"),
        ({"seconds": -1}, "seconds = -1.0: must be positive"),
    ],
)
def test_bad_input_to_a_claims_search_is_refused_with_its_name(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        falsify_claim(mean_claim(), **changes)


def test_a_claim_decided_on_repetitions_is_refused() -> None:
    repeated = Repeated(
        lambda s, rng, effort: {"x": 0.0}, {"smoke": 1, "quick": 1, "full": 1}, mean_decision("x", "at most", 1)
    )
    claim = Claim(
        id="toy.coin", kind="finding", paper="p", source="s", statement="x", subject=None, trial=repeated, mutants={}
    )
    with pytest.raises(ValueError, match=r"toy\.coin.*repetitions"):
        falsify_claim(claim)


def test_a_missing_package_is_named_with_the_command_that_brings_it() -> None:
    claim = replace(mean_claim(), needs=("no_such_package",))
    with pytest.raises(ModuleNotFoundError, match="pip install no_such_package"):
        falsify_claim(claim)
