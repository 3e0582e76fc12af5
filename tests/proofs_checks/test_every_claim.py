"""What holds for every claim of every topic: verdicts, mutants, replays, statements, figures, budgets."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.claim import Claim, EveryInstance, Later
from proofs_checks.judge import judge
from proofs_checks.plots.style import figure_axes
from proofs_checks.records.encoding import decode, encode
from proofs_checks.registry import how_to_install, load_claims, missing_packages

CLAIMS = {claim.id: claim for claim in load_claims()}
PER_INSTANCE = {name: claim.trial for name, claim in CLAIMS.items() if isinstance(claim.trial, EveryInstance)}
SEARCHED = [name for name, trial in PER_INSTANCE.items() if trial.strategy and CLAIMS[name].expect == "holds"]
BUDGET = {"knapsack": 60.0}
"""Declared CPU seconds of a topic at quick effort."""


def runnable(name: str) -> Claim:
    """The claim, unless a package that it needs is missing here."""
    claim = CLAIMS[name]
    if missing := missing_packages(claim):
        pytest.skip(f"{name} needs {', '.join(missing)}: {how_to_install(missing)}")
    return claim


@pytest.mark.parametrize("name", CLAIMS)
def test_the_claim_gets_its_expected_verdict_at_smoke_effort(name: str) -> None:
    evidence = judge(runnable(name), effort="smoke")
    assert evidence.as_expected, evidence


@pytest.mark.parametrize(("name", "mutant"), [(name, mutant) for name in CLAIMS for mutant in CLAIMS[name].mutants])
def test_the_mutant_is_convicted_at_smoke_effort(name: str, mutant: str) -> None:
    evidence = judge(runnable(name), effort="smoke", mutant=mutant)
    assert evidence.verdict == CLAIMS[name].convicting, evidence


@pytest.mark.parametrize("name", SEARCHED)
@given(data=st.data())
def test_the_claim_holds_on_whatever_its_strategy_draws(name: str, data: st.DataObject) -> None:
    claim, trial = runnable(name), PER_INSTANCE[name]
    assert trial.strategy is not None
    sides = trial.compare(claim.accused(), data.draw(trial.strategy()))
    assert not sides.violated(trial.rtol, trial.atol), sides


@pytest.mark.parametrize("name", PER_INSTANCE)
def test_known_and_random_instances_survive_a_replay_file(name: str) -> None:
    runnable(name)
    trial = PER_INSTANCE[name]
    instances = [*trial.known("smoke"), trial.draw(np.random.default_rng(0))]
    assert len(instances) > 1
    for instance in instances:
        assert decode(json.loads(json.dumps(encode(instance))), trial.instance_types) == instance


@pytest.mark.parametrize("name", CLAIMS)
def test_a_statement_keeps_its_formulas_in_one_line_each(name: str) -> None:
    statement = CLAIMS[name].statement
    assert statement.count("$") % 2 == 0
    for formula in re.findall(r"\$[^$]*\$", statement):
        assert "\n" not in formula  # a line that begins with + or - would be a list in markdown


@pytest.mark.parametrize("name", [name for name, claim in CLAIMS.items() if claim.formula])
def test_the_formula_that_a_claim_points_to_is_a_public_function(name: str) -> None:
    formula = Later(CLAIMS[name].formula).resolve()
    assert callable(formula)
    assert not formula.__name__.startswith("_")


@pytest.mark.parametrize("name", CLAIMS)
def test_the_figure_has_labels_data_and_a_legend_above_the_axes(name: str) -> None:
    claim = runnable(name)
    assert claim.plot is not None
    with figure_axes() as (figure, ax):
        claim.plot(judge(claim, effort="smoke").table, ax)
        figure.draw_without_rendering()
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert ax.collections or ax.lines
    legend = ax.get_legend()
    assert legend is not None
    assert legend.get_window_extent().y0 >= ax.get_window_extent().y1
    assert legend.get_window_extent().x1 <= figure.bbox.x1 + 1


def test_every_topic_stays_within_its_budget() -> None:
    declared: defaultdict[str, float] = defaultdict(float)
    for claim in CLAIMS.values():
        declared[claim.topic] += claim.cost
    assert all(declared[topic] <= BUDGET[topic] for topic in declared), dict(declared)
