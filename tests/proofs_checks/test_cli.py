from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proofs_checks.cli import main
from proofs_checks.registry import load_claims


def boundlab(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_in_a_pipe_list_prints_whole_ids_one_a_line() -> None:
    done = boundlab("list", "knapsack")
    assert done.exit_code == 0
    assert done.output.split() == [claim.id for claim in load_claims(["knapsack"])]


def test_show_prints_statement_source_and_mutants() -> None:
    done = boundlab("show", "knapsack.zcl.ratio")
    claim = load_claims(["knapsack.zcl.ratio"])[0]
    assert done.exit_code == 0
    for part in (claim.id, claim.source, *claim.mutants):
        assert part in done.output


def test_cite_prints_bibtex_once_for_each_paper() -> None:
    done = boundlab("cite", "knapsack.zcl")
    assert done.exit_code == 0
    assert done.output.count("zhou2008,") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "knapsack.zcl.ration"], "did you mean knapsack.zcl.ratio?"),
        (["validate", "knapsak"], "claim = 'knapsak': no such claim"),
        (["validate", "--seed", "-1"], "'--seed'"),
        (["validate", "--limit", "0"], "'--limit'"),
        (["falsify", "knapsack.zcl.ratio", "--subject", "nowhere:nothing"], "nowhere"),
        (["check", "no_such_file.py"], "no_such_file.py"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(arguments: list[str], told: str) -> None:
    done = boundlab(*arguments)
    assert done.exit_code == 2
    assert told in done.output
    assert "Traceback" not in done.output


def test_check_runs_a_strangers_file_and_writes_report_replays_and_the_record(claim_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = boundlab("check", claim_file, "--mutants", "--strict", "--jobs", 1, "--out", out)
    assert done.exit_code == 0, done.output
    assert "5 claims: 4 hold, 1 refuted, as expected" in done.output
    assert "6 of 6 mutants convicted" in done.output
    page = (out / "index.html").read_text()
    assert all(claim.id in page for claim in load_claims((), claim_file))
    record = json.loads((out / "run.json").read_text())
    assert record["finished"] is not None
    assert set(record["seconds"]) == {claim.id for claim in load_claims((), claim_file)}
    replayed = boundlab("replay", out / "replay" / "means.false.json", "--claims", claim_file)
    assert replayed.exit_code == 0, replayed.output


def test_a_verdict_against_expectation_or_a_surviving_mutant_is_exit_status_1(claim_file: Path, tmp_path: Path) -> None:
    text = claim_file.read_text()
    claim_file.write_text(text.replace('expect="violated",', ""))
    assert boundlab("check", claim_file, "means.false", "--jobs", 1, "--out", tmp_path).exit_code == 1
    claim_file.write_text(text.replace('"maximum": max', '"the same": lambda a, b: math.sqrt(a * b)'))
    done = boundlab("check", claim_file, "means", "--mutants", "--jobs", 1, "--out", tmp_path)
    assert done.exit_code == 1
    assert "mutant survived: the same of means.arithmetic_geometric" in done.output


def test_a_folder_that_cannot_be_written_is_named_before_any_work(claim_file: Path) -> None:
    done = boundlab("check", claim_file, "--jobs", 1, "--out", "/proc/nowhere")
    assert done.exit_code == 2
    assert "out = '/proc/nowhere': cannot be written to" in done.output


def test_brackets_in_what_the_user_wrote_are_printed_as_they_are(claim_file: Path, tmp_path: Path) -> None:
    text = claim_file.read_text().replace('"maximum": max', '"the [/] same": lambda a, b: math.sqrt(a * b)')
    claim_file.write_text(text)
    done = boundlab("check", claim_file, "means.arith", "means.arithmetic_geometric", "--jobs", 1, "--out", tmp_path)
    assert done.exit_code == 2
    out = tmp_path / "o_[red]3"
    done = boundlab("check", claim_file, "means.arithmetic_geometric", "--mutants", "--jobs", 1, "--out", out)
    assert "mutant survived: the [/] same of" in done.output
    assert str(out / "index.html") in done.output


def test_left_out_mutants_fail_when_strict(claim_file: Path, tmp_path: Path) -> None:
    arguments = ("check", claim_file, "coins", "--mutants", "--jobs", 1, "--out", tmp_path)
    assert boundlab(*arguments, "--limit", "1e-9", "--strict").exit_code == 1


def test_inconclusive_fails_only_when_strict(claim_file: Path, tmp_path: Path) -> None:
    claim_file.write_text(claim_file.read_text().replace('"at most", 0.7', '"at most", 0.5'))
    arguments = ("check", claim_file, "coins", "--effort", "smoke", "--jobs", 1, "--out", tmp_path)
    assert boundlab(*arguments).exit_code == 0
    assert boundlab(*arguments, "--strict").exit_code == 1
