from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.claim import Claim, Decision, EveryInstance, Later, Repeated, Sides
from proofs_checks.trial.per_instance import instances_of

COUNTS = {"smoke": 1, "quick": 2, "full": 3}
PER_INSTANCE = EveryInstance(draw=lambda rng: 1.0, compare=lambda subject, x: Sides(x, x))


def claim(**changes: object) -> Claim:
    given_fields = {
        "id": "a.b",
        "kind": "always",
        "paper": "p",
        "source": "s",
        "statement": "x",
        "subject": None,
        "trial": PER_INSTANCE,
        "mutants": {},
    }
    return Claim(**(given_fields | changes))  # type: ignore[arg-type]


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_a_comparison_is_violated_exactly_when_the_measured_side_is_larger(measured: float, bound: float) -> None:
    assert Sides(measured, bound).violated(rtol=0, atol=0) == (measured > bound)


@pytest.mark.parametrize("sides", [Sides(math.nan, 1), Sides(1, math.nan), Sides(math.inf, 1e300)])
def test_nan_and_infinity_never_pass_a_finite_bound(sides: Sides) -> None:
    assert sides.violated(rtol=1e-9, atol=1.0)


@pytest.mark.parametrize("side", ["1", None, [1.0], 1j])
def test_a_side_that_is_not_a_number_is_refused_by_name(side: object) -> None:
    with pytest.raises(TypeError, match=r"bound = .*: must be a number"):
        Sides(1.0, side)  # type: ignore[arg-type]


@pytest.mark.parametrize("at", [{"bound": math.inf}, {"measured": 1.0}, {"violated": 0.0}, {1: 2.0}])
def test_where_an_instance_lies_never_overwrites_what_was_measured(at: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="cannot be a column of its own"):
        Sides(1.0, 2.0, at)


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "banana"},
        {"measured": "0.5"},
        {"interval": (math.nan, 1.0)},
        {"interval": (2.0, 1.0)},
        {"bound": None},
    ],
)
def test_a_decision_of_the_wrong_form_is_refused_where_it_is_made(fields: dict[str, object]) -> None:
    right = {"verdict": "holds", "measured": 1.0, "bound": 2.0, "interval": (0.5, 1.5), "sentence": "x"}
    with pytest.raises((TypeError, ValueError)):
        Decision(**(right | fields))  # type: ignore[arg-type]


def test_numbers_of_numpy_become_plain_ones() -> None:
    decision = Decision("holds", np.float32(0.5), np.int64(1), (np.float32(0.25), np.inf), "x")  # type: ignore[arg-type]
    assert [type(value) for value in (decision.measured, decision.bound, *decision.interval)] == [float] * 4


@pytest.mark.parametrize(
    ("field", "value"),
    [("needs", "torch"), ("needs", ("a.b",)), ("assumptions", "x"), ("statement", None), ("mutants", "ab")],
)
def test_fields_of_the_wrong_form_are_refused_by_name(field: str, value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=field):
        claim(**{field: value})


def test_the_tolerance_is_relative_to_the_bound() -> None:
    assert not Sides(1e6 + 0.5, 1e6).violated(rtol=1e-6, atol=0)
    assert Sides(1e6 + 1.5, 1e6).violated(rtol=1e-6, atol=0)
    assert not Sides(1e-13, 0.0).violated(rtol=1e-9, atol=1e-12)


def test_raising_a_bound_by_five_percent_shows_as_less_tight() -> None:
    assert Sides(1.0, 1.05).tightness == pytest.approx(1 / 1.05)
    assert Sides(1.0, 1.05).tightness < Sides(1.0, 1.0).tightness == 1.0


@pytest.mark.parametrize("bad", ["Upper.case", "nodot", "a..b", "a.b ", "1a.b", ""])
def test_an_id_that_is_not_dotted_lower_case_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="must be dotted lower case"):
        claim(id=bad)


def test_a_kind_must_go_with_its_trial() -> None:
    with pytest.raises(ValueError, match="does not go with EveryInstance"):
        claim(kind="finding")
    repeated = Repeated(lambda subject, rng, effort: {}, COUNTS, lambda table: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(ValueError, match="does not go with Repeated"):
        claim(trial=repeated)
    with pytest.raises(ValueError, match="kind = 'sometimes': must be one of"):
        claim(kind="sometimes")


def test_how_far_it_reaches_belongs_to_tightness_and_only_to_it() -> None:
    with pytest.raises(ValueError, match="belongs to kind 'tightness'"):
        claim(kind="tightness")


def test_what_is_left_for_later_is_imported_when_it_stands_trial_and_not_before() -> None:
    later = claim(subject=Later("a_module_that_does_not_exist:Policy"), mutants={"root": Later("math:sqrt")})
    assert later.accused("root")(9.0) == 3.0
    with pytest.raises(ModuleNotFoundError):
        later.accused()


def test_a_mutant_and_a_subject_of_ones_own_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="mutant, subject: give one of them"):
        claim(mutants={"m": 1}).accused("m", 2)


@pytest.mark.parametrize("names", [["a b", "a-b"], ["A", "a"], ["?"]])
def test_mutants_whose_files_would_be_one_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="names must differ in letters and digits"):
        claim(mutants=dict.fromkeys(names))


@pytest.mark.parametrize("draws", [0, 1, 19, 20, 21])
@pytest.mark.parametrize("known", [0, 1, 10, 11])
def test_every_instance_is_in_exactly_one_shard(known: int, draws: int) -> None:
    counts = dict.fromkeys(("smoke", "quick", "full"), draws)
    trial = EveryInstance(
        lambda rng: -1,
        PER_INSTANCE.compare,
        known=lambda effort: range(known),
        draws=counts,
        per_shard=10,  # type: ignore[arg-type]
    )
    tried = claim(trial=trial)
    shards = [list(instances_of(tried, 0, "quick", shard)) for shard in range(trial.shards("quick"))]
    assert [instance for shard in shards for instance in shard] == [*range(known), *[-1] * draws]
    assert max(map(len, shards)) <= 10


@pytest.mark.parametrize("counts", [{"smoke": 1}, {"smoke": 1, "quick": 1, "full": -1}])
def test_counts_name_every_effort(counts: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"draws"):
        EveryInstance(PER_INSTANCE.draw, PER_INSTANCE.compare, draws=counts)  # type: ignore[arg-type]


@given(st.integers(0, 5000), st.integers(1, 700))
def test_shards_cover_every_random_instance_once(draws: int, per_shard: int) -> None:
    counts = dict.fromkeys(("smoke", "quick", "full"), draws)
    trial = EveryInstance(PER_INSTANCE.draw, PER_INSTANCE.compare, draws=counts, per_shard=per_shard)  # type: ignore[arg-type]
    shards = trial.shards("quick")
    assert (shards - 2) * per_shard < draws <= (shards - 1) * per_shard
