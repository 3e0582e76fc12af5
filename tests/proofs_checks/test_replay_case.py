"""A recorded case tried again: by whoever found it, by a stranger in another folder, against code that has changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from proofs_checks.falsify import Charge, Counterexample, OnlineProblem, falsify, falsify_claim
from proofs_checks.registry import find_claim
from proofs_checks.replay import ReplayFile, load_subject, replay, write_replay

BAGS = '''
"""Somebody's own problem: keep whatever fits; claimed to be 2-competitive, which it is not."""
from dataclasses import dataclass
from itertools import combinations

from hypothesis import strategies as st
from proofs_checks.falsify import Charge, OnlineProblem


@dataclass(frozen=True)
class Bag:
    items: tuple[tuple[int, int], ...]
    capacity: int

    def __post_init__(self):
        if self.capacity < 1:
            raise ValueError("capacity: must be at least 1")


def best(bag):
    chosen = [some for size in range(len(bag.items) + 1) for some in combinations(bag.items, size)]
    return max(sum(value for value, _ in some) for some in chosen if sum(w for _, w in some) <= bag.capacity)


def whatever_fits(bag):
    room, total = bag.capacity, 0
    for value, weight in bag.items:
        if weight <= room:
            room, total = room - weight, total + value
    return total


def by_density(bag):
    return whatever_fits(Bag(tuple(sorted(bag.items, key=lambda item: -item[0] / item[1])), bag.capacity))


items = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=5).map(tuple)
bags = st.builds(Bag, items, st.integers(1, 9))


def charge(algorithm=whatever_fits):
    return Charge(OnlineProblem(bags, best, "maximise", instance_types=(Bag,)), algorithm, 2)


def untyped():
    return Charge(OnlineProblem(bags, best, "maximise"), whatever_fits, 2)


def mended():
    return charge(best)
'''
REPLAY = """
import sys
from proofs_checks.replay import load_subject, replay
found = replay(sys.argv[1], subject=load_subject(sys.argv[2]))
print(found.violated, found.same, found.measured, found.case, sep="|")
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of a stranger, with a module of theirs."""
    folder = tmp_path / "stranger"
    folder.mkdir()
    (folder / "bags_of_mine.py").write_text(BAGS)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("bags_of_mine", "unfinished"):  # forgotten again when the test is over
        monkeypatch.setitem(sys.modules, name, sys)
        monkeypatch.delitem(sys.modules, name)
    return folder


def test_a_strangers_counterexample_is_replayed_by_another_process_from_another_folder(
    stranger: Path, tmp_path: Path
) -> None:
    charge = load_subject("bags_of_mine:charge")()
    file = tmp_path / "found" / "bag.json"
    found = falsify(charge.problem, charge.algorithm, charge.ratio, rng=0, replay_to=file)
    assert isinstance(found, Counterexample)
    assert found.replay_file == file
    assert found.replay_command == f"boundlab replay {file} --subject MODULE:CHARGE"
    assert [value for value, _ in found.case.items] == [1, 3]  # the smallest value that is more than twice another
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    (copy / "bags_of_mine.py").write_text(BAGS)
    command = [sys.executable, "-W", "error", "-c", REPLAY, str(file), "bags_of_mine:charge"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"True|True|{found.measured}|{found.case}"
    assert done.stderr == ""


@pytest.mark.usefixtures("stranger")
def test_a_mended_algorithm_is_told_that_the_case_no_longer_convicts() -> None:
    charge = load_subject("bags_of_mine:charge")()
    falsify(charge.problem, charge.algorithm, charge.ratio, rng=0, replay_to="bag.json")
    again = replay("bag.json", subject=load_subject("bags_of_mine:mended"))
    assert not again.violated
    assert not again.same
    assert again.measured == 1
    assert again.recorded_measured > 2
    assert "The file recorded measured 3" in again.sentence
    assert replay("bag.json", subject=charge).same  # a charge itself is as good as a function that returns it


@pytest.mark.usefixtures("stranger")
def test_a_dataclass_that_the_problem_does_not_name_is_told_before_anything_is_written() -> None:
    charge = load_subject("bags_of_mine:untyped")()
    found = falsify(charge.problem, charge.algorithm, charge.ratio, rng=0, replay_to="bag.json")
    assert isinstance(found, Counterexample)
    assert found.replay_file is None
    assert "instance_types" in found.replay_command
    assert not Path("bag.json").exists()


def test_a_problem_without_its_subject_is_refused_since_files_name_no_code(tmp_path: Path) -> None:
    file = tmp_path / "problem.json"
    write_replay(file, ReplayFile(kind="problem", subject="late", instance=3, measured=2.0, bound=1.0))
    with pytest.raises(ValueError, match=r"problem\.json: subject = 'late': files name no code; pass the subject"):
        replay(file)
    with pytest.raises(TypeError, match="must be a Charge or a function that returns one, got int"):
        replay(file, subject=lambda: 3)


def test_a_claim_broken_by_a_foreign_subject_is_replayed_with_that_subject_only(
    claim_file: Path, tmp_path: Path
) -> None:
    claim, file = find_claim("means.arithmetic_geometric", claim_file), tmp_path / "case.json"
    found = falsify_claim(claim, subject=max, rng=0, replay_to=file)
    assert isinstance(found, Counterexample)
    assert found.accused == "means.arithmetic_geometric [max]"
    assert "--subject MODULE:NAME --claims CLAIM_FILE" in found.replay_command
    with pytest.raises(ValueError, match="subject = 'max'"):
        replay(file, claim_source=claim_file)
    assert replay(file, subject=max, claim_source=claim_file).same


@pytest.mark.parametrize(
    ("claim", "mutant", "message"),
    [
        ("means.arithmetic", "", "no such claim; did you mean means.arithmetic_geometric"),
        ("means.arithmetic_geometric", "median", "mutant = 'median': means.arithmetic_geometric has 'root forgotten'"),
        ("coins.fair", "", "its trial has no single instances"),
    ],
)
def test_a_claim_or_mutant_that_is_not_there_is_named_with_the_file(
    claim_file: Path, tmp_path: Path, claim: str, mutant: str, message: str
) -> None:
    file = tmp_path / "case.json"
    write_replay(file, ReplayFile(kind="claim", claim=claim, mutant=mutant, instance=[1], measured=1.0, bound=1.0))
    with pytest.raises(ValueError, match=message) as caught:
        replay(file, claim_source=claim_file)
    assert str(file) in str(caught.value)


def test_the_instance_of_a_numpy_problem_is_rebuilt_bit_for_bit(tmp_path: Path) -> None:
    problem = OnlineProblem(st.floats(0.1, 1), optimum=lambda x: x, sense="minimise")
    charge = Charge(problem, lambda x: x + 0.3, 2)
    found = falsify(problem, charge.algorithm, charge.ratio, rng=0, replay_to=tmp_path / "x.json")
    assert isinstance(found, Counterexample)
    assert replay(tmp_path / "x.json", subject=charge).case == found.case


@pytest.mark.usefixtures("stranger")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bags_of_mine", "must have the form module:name"),
        ("bags_of_mine:", "must have the form module:name"),
        ("bags of mine:charge", "must have the form module:name"),
        ("bag_of_mine:charge", "no module bag_of_mine, neither in .* nor among what is installed"),
        ("bags_of_mine.inner:charge", "no module bags_of_mine.inner"),
        ("bags_of_mine:chrage", "module bags_of_mine has no 'chrage'; did you mean charge?"),
        ("bags_of_mine:Bag.weight", "has no 'weight'"),
    ],
)
def test_a_subject_that_cannot_be_found_says_what_is_missing(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load_subject(name)


def test_a_module_that_misses_another_one_is_not_called_missing_itself(stranger: Path) -> None:
    (stranger / "unfinished.py").write_text("import no_such_module_of_mine\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_of_mine") as caught:
        load_subject("unfinished:charge")
    assert "unfinished:charge" in caught.value.__notes__[0]
