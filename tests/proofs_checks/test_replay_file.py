"""The replay file as data: what is written is read back, and what is malformed is a ValueError and nothing else."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofs_checks.claim import EFFORTS
from proofs_checks.judge import judge
from proofs_checks.records.evidence import Evidence, WorstCase
from proofs_checks.records.replay_file import FORMAT, Place
from proofs_checks.registry import find_claim
from proofs_checks.replay import ReplayFile, read_replay, replay, write_replay, write_worst_case_replay

CLAIM = {
    "format": FORMAT,
    "kind": "claim",
    "claim": "means.arithmetic_geometric",
    "mutant": "",
    "subject": "",
    "seed": 0,
    "effort": "smoke",
    "shard": 1,
    "index": 3,
    "instance": {"~": "tuple", "items": [1.0, 4.0]},
    "measured": 2.0,
    "bound": 2.5,
}
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["inf", "claim", "~"])
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from([*CLAIM, "~"]), inner, max_size=3)
    ),
    max_leaves=8,
)
ENCODED = st.recursive(
    JSON,
    lambda inner: st.fixed_dictionaries(
        {"~": st.sampled_from(["float", "fraction", "array", "tuple", "set", "dict", "dataclass"])},
        optional={
            "value": inner | st.sampled_from(["nan", "1/0", "1e999"]),
            "items": st.lists(inner, max_size=3),
            "dtype": inner | st.sampled_from(["<f8", "O", "f8,i4", "<M8[s]"]),
            "shape": st.lists(st.integers(-2, 3), max_size=2),
            "type": inner | st.sampled_from(["canary", "Path"]),
            "fields": st.dictionaries(st.text(), inner, max_size=2),
        },
    ),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module on the import path that nothing found in a file may import."""
    place = tmp_path_factory.mktemp("replays")
    (place / "canary.py").write_text("CLAIMS = ()\n")
    (place / "claims.py").write_text(
        "from proofs_checks.claim import Claim, EveryInstance, Sides\n"
        "CLAIMS = [Claim(id='means.arithmetic_geometric', kind='always', paper='cauchy', source='s', statement='x',\n"
        "    subject=lambda a, b: (a * b) ** 0.5, mutants={'larger': max},\n"
        "    trial=EveryInstance(lambda rng: (1.0, rng.uniform()), lambda f, p: Sides(f(*p), (p[0] + p[1]) / 2)))]\n"
    )
    return place


def written(folder: Path, content: Any) -> Path:
    file = folder / "case.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def judged_or_refused(folder: Path, content: Any) -> None:
    """The property of all files: replayed, or refused with a ValueError that names the file; never anything else."""
    file, refusal = written(folder, content), None
    sys.path.insert(0, str(folder))
    try:
        replay(file, claim_source=folder / "claims.py")
    except ValueError as error:
        refusal = str(error)
    finally:
        sys.path.remove(str(folder))
    assert refusal is None or str(file) in refusal
    assert "canary" not in sys.modules


@given(JSON)
def test_any_json_at_all_is_refused_with_a_value_error(folder: Path, content: Any) -> None:
    with pytest.raises(ValueError, match=r"case\.json"):
        read_replay(written(folder, content))


@given(st.sampled_from(sorted(CLAIM)), JSON)
@example("claim", "canary")
@example("claim", "canary.boom:CLAIMS")
@example("mutant", "canary:boom")
@example("subject", "canary:boom")
@example("index", 10**30)
@example("shard", 10**30)
@example("seed", 10**300)
@example("measured", 10**400)
def test_one_field_replaced_by_anything_is_replayed_or_refused(folder: Path, name: str, value: Any) -> None:
    judged_or_refused(folder, CLAIM | {name: value})
    judged_or_refused(folder, CLAIM | {"instance": None, name: value})


@given(ENCODED)
@example({"~": "dataclass", "type": "canary", "fields": {}})
@example({"~": "array", "dtype": "O", "shape": [1], "items": [1]})
@example({"~": "fraction", "value": "1/0"})
@example({"~": "tuple", "items": ["a", "b"]})
@example({"~": "tuple", "items": [1.0]})
def test_whatever_stands_in_place_of_the_instance_is_replayed_or_refused(folder: Path, value: Any) -> None:
    judged_or_refused(folder, CLAIM | {"instance": value})


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": NaN}', b"1" * 5000])
def test_bytes_that_are_no_json_object_are_refused(folder: Path, data: bytes) -> None:
    file = folder / "bytes.json"
    file.write_bytes(data)
    with pytest.raises(ValueError, match=r"bytes\.json: must "):
        read_replay(file)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "boundlab replay 2"}, "format = 'boundlab replay 2': must be 'boundlab replay 1'"),
        ({"kind": "code"}, "kind = 'code': must be 'claim' or 'problem'"),
        ({"claim": None}, "claim = None: must name a claim"),
        ({"effort": "heroic"}, "effort = 'heroic': must be one of smoke, quick, full"),
        ({"seed": -1}, "seed = -1: must be an integer of at least 0"),
        ({"seed": True}, "seed = True: must be an integer"),
        ({"measured": "much"}, "measured = 'much': must be a number"),
        ({"seed": None}, "seed, effort, shard, index: must be given together"),
        (
            {"instance": None} | dict.fromkeys(["seed", "effort", "shard", "index"]),
            "instance = None: must hold the case",
        ),
        ({"kind": "problem"}, "claim and mutant must be null and empty"),
        ({"surprise": 1}, "'surprise' is not a field"),
    ],
)
def test_the_message_names_file_field_and_rule(folder: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_replay(written(folder, CLAIM | changes))
    assert str(caught.value).startswith(str(folder / "case.json"))
    assert message in str(caught.value)


@pytest.mark.parametrize("name", sorted(CLAIM))
def test_every_field_is_needed(folder: Path, name: str) -> None:
    content = {other: value for other, value in CLAIM.items() if other != name}
    with pytest.raises(ValueError, match=f"{name} is missing"):
        read_replay(written(folder, content))


@given(
    measured=st.floats(),
    bound=st.floats(),
    mutant=st.text(),
    place=st.none() | st.builds(Place, st.integers(0), st.sampled_from(EFFORTS), st.integers(0), st.integers(0)),
    instance=st.lists(st.integers()),
)
def test_what_is_written_is_read_back(
    folder: Path, measured: float, bound: float, mutant: str, place: Place | None, instance: list[int]
) -> None:
    content = ReplayFile(
        kind="claim", claim="a.b", mutant=mutant, place=place, instance=instance, measured=measured, bound=bound
    )
    back = read_replay(write_replay(folder / "round.json", content))
    assert repr(back) == repr(content)  # by repr, since NaN differs from itself


def test_a_file_that_could_not_be_replayed_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="instance = None"):
        write_replay(tmp_path / "no.json", ReplayFile(kind="problem", measured=1.0, bound=1.0))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("literal", [True, False])
def test_the_worst_case_of_a_trial_is_replayed_with_or_without_its_literal(
    claim_file: Path, tmp_path: Path, literal: bool
) -> None:
    evidence = judge(find_claim("means.arithmetic_geometric", claim_file), effort="smoke", seed=5)
    if not literal:
        assert evidence.worst is not None
        evidence = replace(evidence, worst=replace(evidence.worst, instance=None))
    file = write_worst_case_replay(evidence, tmp_path / "replay")
    assert file == tmp_path / "replay" / "means.arithmetic_geometric.json"
    again = replay(file, claim_source=claim_file)
    assert again.same
    assert not again.violated
    assert again.measured == evidence.measured


def test_the_worst_case_of_a_mutant_has_a_file_of_its_own_and_is_replayed_against_the_mutant(
    claim_file: Path, tmp_path: Path
) -> None:
    evidence = judge(find_claim("means.arithmetic_geometric", claim_file), mutant="root forgotten")
    file = write_worst_case_replay(evidence, tmp_path)
    assert file == tmp_path / "means.arithmetic_geometric--root-forgotten.json"
    again = replay(file, claim_source=claim_file)
    assert again.same
    assert again.violated


def test_a_trial_without_single_instances_has_no_worst_case_to_write(claim_file: Path, tmp_path: Path) -> None:
    assert write_worst_case_replay(judge(find_claim("coins.fair", claim_file)), tmp_path) is None
    assert not list(tmp_path.glob("*.json"))


def test_infinite_and_undefined_sides_survive_the_file(tmp_path: Path) -> None:
    worst = WorstCase(0, 0, (1, 0), "x", [1], math.inf, math.nan)
    evidence = Evidence("a.b", "", "always", "holds", "smoke", 0, "f", "violated", "s", worst=worst)
    file = write_worst_case_replay(evidence, tmp_path)
    assert file is not None
    content = read_replay(file)
    assert content.measured == math.inf
    assert math.isnan(content.bound)
