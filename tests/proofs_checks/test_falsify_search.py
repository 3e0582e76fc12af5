"""What the search promises whatever happens: nothing found is lost, nothing is left behind, no exception convicts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import configuration
from hypothesis import strategies as st

from proofs_checks.falsify import Counterexample, OnlineProblem, Resolution, falsify

LISTS = OnlineProblem(st.lists(st.integers(0, 1000), max_size=20), optimum=lambda numbers: 1.0, sense="minimise")
NUMBERS = OnlineProblem(st.integers(0, 10**6), optimum=lambda number: 1.0, sense="minimise")


def total_if_long(numbers: list[int]) -> float:
    """Violates a ratio of 2 exactly on lists that hold three numbers or more."""
    return 3.0 if len(numbers) >= 3 else 1.0


class Interrupted:
    """Stops the search, in one way or another, on the n-th call after the first violation."""

    def __init__(self, calls: int, stop: Callable[[], None]) -> None:
        self.left, self.stop, self.violated = calls, stop, False

    def __call__(self, numbers: list[int]) -> float:
        cost = total_if_long(numbers)
        self.violated |= cost > 2
        self.left -= self.violated
        if self.violated and self.left == 0:
            self.stop()
        return cost


def keyboard_interrupt() -> None:
    raise KeyboardInterrupt


def test_shrinking_goes_all_the_way_when_nothing_stops_it() -> None:
    found = falsify(LISTS, total_if_long, 2, rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == [0, 0, 0]
    assert found.shrunk


def test_an_interrupt_while_shrinking_returns_the_smallest_case_so_far() -> None:
    found = falsify(LISTS, Interrupted(5, keyboard_interrupt), 2, rng=0)
    assert isinstance(found, Counterexample)
    assert len(found.case) >= 3
    assert not found.shrunk
    assert "there may be a smaller case" in found.explain()


def test_an_interrupt_before_anything_is_found_stops_everything() -> None:
    def interrupted(number: int) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        falsify(NUMBERS, interrupted, 2, rng=0)


def test_a_time_limit_while_shrinking_returns_the_smallest_case_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("proofs_checks.search.rounds.monotonic", lambda: now[0])

    def jump() -> None:
        now[0] = 1e9

    found = falsify(LISTS, Interrupted(3, jump), 2, rng=0)
    assert isinstance(found, Counterexample)
    assert len(found.case) >= 3
    assert not found.shrunk


def test_making_a_late_find_small_gets_as_much_time_as_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("proofs_checks.search.rounds.monotonic", lambda: now[0])

    def found_in_the_last_moment(numbers: list[int]) -> float:
        cost = total_if_long(numbers)
        if cost > 2 and now[0] == 0:
            now[0] = 9.9
        now[0] += 1e-4
        return cost

    found = falsify(LISTS, found_in_the_last_moment, 2, seconds=10, rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == [0, 0, 0]


def test_however_short_the_time_one_case_is_judged() -> None:
    found = falsify(NUMBERS, lambda number: 1.5, 2, seconds=1e-9, rng=0)
    assert isinstance(found, Resolution)
    assert found.examples == 1


def test_an_exception_of_the_algorithm_is_no_counterexample_and_shows_its_case() -> None:
    def fails(number: int) -> float:
        return 1 / (number - number)

    with pytest.raises(ZeroDivisionError) as caught:
        falsify(NUMBERS, fails, 2, rng=0)
    assert caught.value.__notes__ == ["raised on the case 0"]


def test_an_exception_on_a_smaller_case_neither_hides_the_counterexample_nor_is_it_hidden() -> None:
    def fails_on_a_round_number(number: int) -> float:
        if number == 1000:
            raise RuntimeError("round")
        return 3.0 if number >= 1000 else 1.0

    found = falsify(NUMBERS, fails_on_a_round_number, 2, rng=0)
    assert isinstance(found, Counterexample)
    assert found.case == 1001
    assert found.also_raised == "RuntimeError: round, on the case 1000"
    assert "also raised" in found.explain()


def test_an_algorithm_that_rolls_dice_is_told_so() -> None:
    calls = iter(range(10**9))

    def different_every_time(number: int) -> float:
        return 3.0 if next(calls) == 10 else 1.0

    with pytest.raises(ValueError, match=r"measured 3 and then 1 .* rolls dice"):
        falsify(NUMBERS, different_every_time, 2, rng=0)


def test_progress_counts_seconds_up_to_the_whole_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10**9))
    monkeypatch.setattr("proofs_checks.search.rounds.monotonic", lambda: next(ticks) / 10)
    told: list[tuple[float, float]] = []
    falsify(NUMBERS, lambda number: 1.0, 2, seconds=5, rng=0, progress=lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {5}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (5, 5)


def test_hypothesis_keeps_its_home_after_a_search(tmp_path: Path) -> None:
    before, mine = home(), tmp_path / "mine"
    configuration.set_hypothesis_home_dir(mine)
    try:
        falsify(NUMBERS, lambda number: 1.0, 2, seconds=1e-9, rng=0)
        assert home() == mine
        assert not mine.exists()
    finally:
        configuration.set_hypothesis_home_dir(before)


def home() -> Path:
    found: Any = configuration.storage_directory(intent_to_write=False)
    return Path(getattr(found, "path", found))


SCRIPT = """
from hypothesis import strategies as st
from proofs_checks.falsify import OnlineProblem, falsify

problem = OnlineProblem(st.text(max_size=9), optimum=lambda word: 1.0, sense="minimise")
print(falsify(problem, lambda word: 1.0 + ("needle" < word) + word.count("q"), 1.5, rng=3).explain())
"""


def test_a_program_of_its_own_gets_the_same_answer_every_time_and_no_folder_or_warning(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(SCRIPT)
    command = [sys.executable, "-W", "error", "program.py"]
    runs = [subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout.startswith("Counterexample to the bound of <lambda>")
    assert runs[0].stderr == runs[1].stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["program.py"]
