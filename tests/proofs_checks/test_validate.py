from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proofs_checks.records.storage import read_evidence
from proofs_checks.registry import load_claims
from proofs_checks.validate import Validation, validate

KILLS = 4


def evidence_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "evidence").iterdir())}


def run(file: Path, folder: Path, **options: Any) -> Validation:
    claims = load_claims((), file)
    return validate(claims, folder=folder, source=file, mutants=True, **options)


def test_evidence_has_the_same_bytes_for_serial_loky_and_dask(claim_file: Path, tmp_path: Path) -> None:
    run(claim_file, tmp_path / "serial", backend="serial")
    run(claim_file, tmp_path / "loky", backend="loky", jobs=2)
    run(claim_file, tmp_path / "dask", backend="dask", jobs=2)
    expected = evidence_bytes(tmp_path / "serial")
    assert len(expected) == 2 * (5 + 6)  # claims and mutants, each with its table
    assert evidence_bytes(tmp_path / "loky") == expected
    assert evidence_bytes(tmp_path / "dask") == expected


def test_stored_evidence_reads_back_equal_and_an_edited_table_is_noticed(claim_file: Path, tmp_path: Path) -> None:
    outcome = run(claim_file, tmp_path).outcomes["means.arithmetic_geometric"]
    assert outcome.evidence is not None
    stored = read_evidence(tmp_path / "evidence", "means.arithmetic_geometric")
    assert stored == outcome.evidence
    np.testing.assert_array_equal(stored.table["gap"], outcome.evidence.table["gap"])
    other = (tmp_path / "evidence" / "means.reached.npz").read_bytes()
    (tmp_path / "evidence" / "means.arithmetic_geometric.npz").write_bytes(other)
    with pytest.raises(ValueError, match="does not match its evidence"):
        read_evidence(tmp_path / "evidence", "means.arithmetic_geometric")


def test_resuming_a_finished_run_computes_nothing_and_changes_nothing(claim_file: Path, tmp_path: Path) -> None:
    run(claim_file, tmp_path)
    before = evidence_bytes(tmp_path)
    again = run(claim_file, tmp_path, resume=True)
    assert evidence_bytes(tmp_path) == before
    shards = sum(claim.trial.shards("quick") for claim in load_claims((), claim_file))
    assert again.notes == [f"{shards} shards of an earlier run were reused."]
    assert not again.undecided


def test_editing_the_claim_file_makes_resume_compute_again(claim_file: Path, tmp_path: Path) -> None:
    run(claim_file, tmp_path)
    claim_file.write_text(claim_file.read_text().replace("uniform(0, 10", "uniform(0, 20"))
    again = run(claim_file, tmp_path, resume=True)
    assert again.notes[0] == "0 shards of an earlier run were reused."
    assert "the code or a package changed since" in again.notes[1]


def test_a_damaged_shard_is_computed_again_and_said_so(claim_file: Path, tmp_path: Path) -> None:
    run(claim_file, tmp_path)
    before = evidence_bytes(tmp_path)
    shard = next((tmp_path / "shards" / "means.arithmetic_geometric").iterdir())
    shard.write_bytes(shard.read_bytes()[:100])
    again = run(claim_file, tmp_path, resume=True)
    assert "1 shards were computed again: their files were damaged." in again.notes
    assert evidence_bytes(tmp_path) == before


def test_a_trial_that_raises_is_an_error_and_the_others_go_on(claim_file: Path, tmp_path: Path) -> None:
    claim_file.write_text(claim_file.read_text().replace("subject=2.0", "subject=None"))
    done = run(claim_file, tmp_path)
    assert done.contradictions == ("cases.squares",)
    evidence = done.outcomes["cases.squares"].evidence
    assert evidence is not None
    assert evidence.verdict == "error"
    assert "TypeError in my_claims.py, line" in evidence.sentence
    assert done.outcomes["coins.fair"].evidence is not None


def test_a_claim_that_calls_exit_ends_its_own_trial_and_not_the_run(claim_file: Path, tmp_path: Path) -> None:
    claim_file.write_text(claim_file.read_text().replace("subject=2.0", "subject=0").replace("x**power", "exit(power)"))
    done = run(claim_file, tmp_path)
    evidence = done.outcomes["cases.squares"].evidence
    assert evidence is not None
    assert (evidence.verdict, evidence.sentence[:11]) == ("error", "SystemExit ")
    assert done.outcomes["means.false"].evidence is not None


def test_resume_never_mistakes_one_mutants_evidence_for_anothers(claim_file: Path, tmp_path: Path) -> None:
    run(claim_file, tmp_path)
    folder = tmp_path / "evidence"
    for suffix in ("json", "npz"):
        convicted = folder / f"means.arithmetic_geometric--maximum.{suffix}"
        (folder / f"means.arithmetic_geometric--root-forgotten.{suffix}").write_bytes(convicted.read_bytes())
    again = run(claim_file, tmp_path, resume=True)
    assert again.outcomes["means.arithmetic_geometric"].mutants["root forgotten"].mutant == "root forgotten"


def test_editing_a_file_beside_the_claim_file_makes_resume_compute_again(claim_file: Path, tmp_path: Path) -> None:
    claim_file.with_name("beside.py").write_text("HALF = 2")
    claim_file.write_text(claim_file.read_text().replace("import math", "import math\nfrom beside import HALF"))
    run(claim_file, tmp_path)
    claim_file.with_name("beside.py").write_text("HALF = 2.0")
    assert run(claim_file, tmp_path, resume=True).notes[0] == "0 shards of an earlier run were reused."


def test_mutants_that_were_left_out_are_untried(claim_file: Path, tmp_path: Path) -> None:
    assert len(run(claim_file, tmp_path, limit=1e-9).untried) == 6
    assert run(claim_file, tmp_path, resume=True).untried == ()


def test_a_worker_that_dies_is_told_in_one_line_and_what_was_finished_is_kept(claim_file: Path, tmp_path: Path) -> None:
    text = claim_file.read_text()
    claim_file.write_text(
        text.replace("import math", "import math, os")
        .replace("subject=2.0", "subject=0")
        .replace("x**power", "os._exit(9)")
    )
    with pytest.raises(RuntimeError, match="a worker process died"):
        run(claim_file, tmp_path, backend="loky", jobs=2)
    claim_file.write_text(text)
    assert not run(claim_file, tmp_path, backend="loky", jobs=2, resume=True).undecided


def test_one_id_twice_is_refused(claim_file: Path, tmp_path: Path) -> None:
    claims = load_claims((), claim_file)
    with pytest.raises(ValueError, match=r"claims: 'cases\.squares' is there more than once"):
        validate([*claims, claims[0]], folder=tmp_path)


def test_an_address_without_dask_is_refused(claim_file: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="an address goes with backend 'dask'"):
        validate(load_claims((), claim_file), folder=tmp_path, address="tcp://127.0.0.1:1")


@pytest.mark.parametrize("position", [0, 40, 200, -5])
def test_a_shard_with_one_changed_byte_is_damaged(claim_file: Path, tmp_path: Path, position: int) -> None:
    run(claim_file, tmp_path)
    shard = next((tmp_path / "shards" / "means.reached").iterdir())
    data = bytearray(shard.read_bytes())
    data[position] ^= 1
    shard.write_bytes(data)
    assert "1 shards were computed again: their files were damaged." in run(claim_file, tmp_path, resume=True).notes


def test_past_the_limit_nothing_new_starts_and_the_rest_is_pending(claim_file: Path, tmp_path: Path) -> None:
    done = run(claim_file, tmp_path, limit=1e-9)
    assert set(done.undecided) == {claim.id for claim in load_claims((), claim_file)}
    assert "the time limit was reached" in done.notes[0]


def test_progress_reaches_its_total_and_never_goes_back(claim_file: Path, tmp_path: Path) -> None:
    seen: list[tuple[float, float]] = []
    run(claim_file, tmp_path, progress=lambda done, total: seen.append((done, total)))
    done = [pair[0] for pair in seen]
    assert done == sorted(done)
    assert done[-1] == pytest.approx(seen[-1][1])


def test_workers_that_could_not_load_a_claim_are_refused_at_the_door(claim_file: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="worker processes cannot load it"):
        validate(load_claims((), claim_file), folder=tmp_path, backend="loky", jobs=2)


def test_a_worker_with_other_code_is_an_error_and_says_what_differs(
    claim_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proofs_checks.validate.code_fingerprint", lambda source: "0" * 16)
    evidence = run(claim_file, tmp_path, backend="loky", jobs=2).outcomes["coins.fair"].evidence
    assert evidence is not None
    assert evidence.verdict == "error"
    assert "the coordinator 0000000000000000" in evidence.sentence


def test_a_run_killed_at_any_moment_resumes_to_the_same_evidence(claim_file: Path, tmp_path: Path) -> None:
    claim_file.write_text(claim_file.read_text().replace('"quick": 2000', '"quick": 60000'))
    run(claim_file, tmp_path / "whole")
    command = [sys.executable, "-m", "proofs_checks.cli", "check", str(claim_file), "--mutants", "--resume"]
    command += ["--jobs", "2", "--out", str(tmp_path / "killed")]
    rng = np.random.default_rng(0)
    for _ in range(KILLS):
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=rng.uniform(1.0, 8.0))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert evidence_bytes(tmp_path / "killed") == evidence_bytes(tmp_path / "whole")
    assert not list((tmp_path / "killed" / "evidence").glob("*.part"))
