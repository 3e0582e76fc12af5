"""A stranger's problem: ski rental with predictions (Purohit, Svitkina & Kumar, NeurIPS 2018), a cost to minimise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import pytest
from hypothesis import strategies as st

from proofs_checks.falsify import Charge, Counterexample, OnlineProblem, Resolution, falsify

COST, TRUST, LONGEST = 10, 0.5, 60
ROBUSTNESS, CONSISTENCY = 1 + 1 / TRUST, 1 + TRUST
DAYS = st.integers(1, LONGEST)
SKIING = OnlineProblem(DAYS, optimum=lambda days: min(days, COST), sense="minimise")
VALUES = OnlineProblem(st.integers(0, 9), optimum=float, sense="maximise")
COSTS = OnlineProblem(st.integers(0, 9), optimum=float, sense="minimise")

NO_STRATEGY: Any = [1, 2]


def rent_or_buy(days: int, prediction: int, late: int = 0) -> int:
    """Buy at the start of a day that depends on the prediction; `late` days after the published one."""
    buying_day = late + math.ceil(TRUST * COST if prediction >= COST else COST / TRUST)
    return days if days < buying_day else buying_day - 1 + COST


def day_by_day(days: int, prediction: int, late: int) -> int:
    """The same trip, paid one day at a time: the tests' own account of it."""
    paid, owned = 0, False
    for day in range(1, days + 1):
        if not owned and day == (5 if prediction >= 10 else 20) + late:
            paid, owned = paid + 10, True
        paid += not owned
    return paid


def every_ratio(late: int) -> dict[tuple[int, int], float]:
    trips = [(days, prediction) for days in range(1, LONGEST + 1) for prediction in range(1, LONGEST + 1)]
    return {trip: day_by_day(*trip, late) / min(trip[0], COST) for trip in trips}


@pytest.fixture
def thousand_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that moves by a millisecond whenever the search looks at it: a second is a thousand looks."""
    ticks: Iterator[int] = count()
    monkeypatch.setattr("proofs_checks.search.rounds.monotonic", lambda: next(ticks) / 1000)


@pytest.mark.usefixtures("thousand_looks")
def test_an_optimum_that_sorts_its_instance_in_place_does_not_help_the_algorithm() -> None:
    def least_makespan(jobs: list[int]) -> float:
        jobs.sort(reverse=True)
        loads = range(sum(jobs) // 2, sum(jobs) + 1)
        return float(min(load for load in loads if _fits_two_machines(tuple(jobs), load)))

    def list_scheduling(jobs: list[int]) -> float:
        loads = [0, 0]
        for job in jobs:
            loads[loads.index(min(loads))] += job
        return float(max(loads))

    problem = OnlineProblem(st.lists(st.integers(1, 4), min_size=1, max_size=4), least_makespan, "minimise")
    found = falsify(problem, list_scheduling, 1.2, seconds=5, rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == [1, 1, 2]


def _fits_two_machines(jobs: tuple[int, ...], load: int) -> bool:
    subsets = itertools.product((0, 1), repeat=len(jobs))
    total = sum(jobs)
    return any(
        total - load <= sum(job for job, here in zip(jobs, chosen, strict=True) if here) <= load for chosen in subsets
    )


def test_the_published_algorithm_is_never_caught_and_its_worst_trip_is_found() -> None:
    found = falsify(SKIING, rent_or_buy, ROBUSTNESS, DAYS, seconds=1, rng=0)
    assert isinstance(found, Resolution)
    assert found.measured == max(every_ratio(late=0).values()) == 2.9
    assert found.bound == ROBUSTNESS == 3
    assert found.smallest_lowering == pytest.approx(1 - 2.9 / 3)
    assert "A bound lower by more than 3.33%" in found.sentence


@pytest.mark.usefixtures("thousand_looks")
def test_with_the_right_prediction_the_published_consistency_stands() -> None:
    found = falsify(SKIING, rent_or_buy, CONSISTENCY, st.just, seconds=1, rng=0)
    assert isinstance(found, Resolution)
    assert found.measured == 1.4
    assert found.case[0] == found.case[1]


@pytest.mark.usefixtures("thousand_looks")
def test_buying_one_day_late_only_just_reaches_the_bound_and_is_called_below_resolution() -> None:
    found = falsify(SKIING, partial(rent_or_buy, late=1), ROBUSTNESS, DAYS, seconds=1, rng=0)
    assert isinstance(found, Resolution)
    assert found.measured == found.bound == max(every_ratio(late=1).values())
    assert found.smallest_lowering == 0
    assert "reaches it exactly" in found.sentence
    assert "below the resolution" in found.sentence
    assert "exactly" in repr(found)


@pytest.mark.parametrize("seed", range(3))
def test_buying_two_days_late_is_convicted_on_the_smallest_trip_that_brute_force_knows(seed: int) -> None:
    found = falsify(SKIING, partial(rent_or_buy, late=2), ROBUSTNESS, DAYS, rng=seed)
    assert isinstance(found, Counterexample)
    assert found.case == min(trip for trip, ratio in every_ratio(late=2).items() if ratio > ROBUSTNESS) == (22, 1)
    assert (found.measured, found.bound, found.shrunk) == (3.1, 3, True)


def test_a_counterexample_explains_itself() -> None:
    found = falsify(SKIING, partial(rent_or_buy, late=2), ROBUSTNESS, DAYS, rng=0)
    assert repr(found) == "Counterexample(rent_or_buy(late=2): 3.1 exceeds 3 on (22, 1))"
    lines = found.explain().splitlines()
    assert "bound of rent_or_buy(late=2)" in lines[0]
    assert [line.split(maxsplit=1) for line in lines[1:4]] == [
        ["case", "(22, 1)"],
        ["measured", "3.1"],
        ["bound", "3.0"],
    ]
    assert "replay_to" in lines[4]


def test_the_same_rng_finds_the_same_counterexample() -> None:
    accused = partial(rent_or_buy, late=2)
    first, second = (falsify(SKIING, accused, ROBUSTNESS, DAYS, rng=7) for _ in range(2))
    assert first == second
    assert first.examples == second.examples


def test_a_bound_that_depends_on_the_prediction_is_held_case_by_case() -> None:
    def promised(days: int, prediction: int) -> float:
        return CONSISTENCY if prediction == days else math.inf

    charge = Charge(SKIING, rent_or_buy, promised, DAYS)
    assert charge.sides((20, 1)).bound == math.inf
    assert charge.sides((20, 20)).bound == CONSISTENCY
    assert isinstance(falsify(SKIING, partial(rent_or_buy, late=2), promised, st.just, rng=0), Counterexample)


@pytest.mark.parametrize(
    ("problem", "instance", "reached", "ratio"),
    [
        (VALUES, 6, 3, 2.0),
        (VALUES, 6, 0, math.inf),
        (VALUES, 0, 0, 1.0),
        (COSTS, 3, 6, 2.0),
        (COSTS, 3, math.inf, math.inf),
        (COSTS, 0, 1, math.inf),
        (COSTS, 0, 0, 1.0),
    ],
)
def test_the_ratio_is_at_least_one_in_either_sense(
    problem: OnlineProblem, instance: int, reached: float, ratio: float
) -> None:
    assert Charge(problem, lambda _: reached, 2).sides(instance).measured == ratio


@pytest.mark.parametrize(
    ("problem", "algorithm", "message"),
    [
        (VALUES, lambda n: math.nan, "value of <lambda> = nan on 0: must be a number, finite"),
        (VALUES, lambda n: math.inf, "value of <lambda> = inf"),
        (VALUES, lambda n: None, "value of <lambda> = None"),
        (COSTS, lambda n: -1, "cost of <lambda> = -1"),
        (VALUES, lambda n: n + 1, "reached 1, better than the optimum 0, on 0"),
        (COSTS, lambda n: n / 2, "better than the optimum"),
    ],
)
def test_an_impossible_number_is_an_error_that_names_algorithm_and_case(
    problem: OnlineProblem, algorithm: Callable[[Any], Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        falsify(problem, algorithm, 2, rng=0)


def test_the_algorithm_may_consume_its_instance() -> None:
    def emptied(numbers: list[int]) -> int:
        total = 0
        while numbers:
            total += numbers.pop()
        return total + (total > 3)

    problem = OnlineProblem(st.lists(st.integers(0, 9), max_size=3), optimum=sum, sense="minimise")
    found = falsify(problem, emptied, 1, rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == [4]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"ratio": 0.5}, ValueError, "ratio = 0.5: must be at least 1"),
        ({"ratio": math.nan}, ValueError, "ratio = nan"),
        ({"ratio": lambda n: 0.5}, ValueError, "ratio of float = 0.5"),
        ({"seconds": 0}, ValueError, "seconds = 0.0: must be positive"),
        ({"problem": replace(COSTS, instances=NO_STRATEGY)}, TypeError, "instances = .*: must be a hypothesis"),
        ({"predictions": 3}, TypeError, "predictions = 3"),
        ({"predictions": lambda n: n, "algorithm": lambda n, y: n}, TypeError, "predictions.instance."),
        ({"problem": OnlineProblem(st.nothing(), float, "minimise")}, ValueError, "no case passes"),
    ],
)
def test_bad_input_is_refused_with_its_name(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    arguments: dict[str, Any] = {"problem": COSTS, "algorithm": float, "ratio": 2, "rng": 0} | changes
    with pytest.raises(error, match=message):
        falsify(**arguments)


def test_an_unknown_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="sense = 'max'"):
        OnlineProblem(DAYS, float, "max")  # type: ignore[arg-type]
