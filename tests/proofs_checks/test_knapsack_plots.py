"""The figures about online knapsack: drawn from smoke tables, labelled, and without side effects."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex

from proofs_checks.claim import Claim, Table
from proofs_checks.claims.knapsack import CLAIMS
from proofs_checks.judge import judge
from proofs_checks.plots import knapsack as plots
from proofs_checks.plots.style import COLOURS, VIOLATION, figure_axes
from proofs_checks.registry import how_to_install, missing_packages

_DRAWN = {claim.id: claim for claim in sorted(CLAIMS, key=lambda claim: claim.id) if claim.plot}


def _table(claim: Claim) -> Table:
    if missing := missing_packages(claim):
        pytest.skip(f"{claim.id} needs {', '.join(missing)}: {how_to_install(missing)}")
    return judge(claim, effort="smoke").table


def test_every_claim_has_a_figure() -> None:
    assert len(_DRAWN) == len(CLAIMS)


@pytest.mark.parametrize("name", _DRAWN)
def test_the_figure_has_labels_data_and_a_legend_above_the_axes(name: str) -> None:
    claim = _DRAWN[name]
    table = _table(claim)
    with figure_axes() as (figure, ax):
        assert claim.plot is not None
        claim.plot(table, ax)
        figure.draw_without_rendering()
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert ax.collections or ax.lines
    legend = ax.get_legend()
    assert legend is not None
    assert legend.get_window_extent().y0 >= ax.get_window_extent().y1
    assert legend.get_window_extent().x1 <= figure.bbox.x1 + 1


def test_drawing_leaves_the_global_settings_alone() -> None:
    before = dict(matplotlib.rcParams)
    with figure_axes() as (figure, ax):
        table = {"items": np.array([1.0, 2.0]), "measured": np.array([0.0, 1e-16]), "violated": np.zeros(2)}
        plots.residuals(table, ax)
        figure.draw_without_rendering()
    assert dict(matplotlib.rcParams) == before


def test_what_breaks_the_bound_is_drawn_in_vermilion_and_infinities_are_counted() -> None:
    table = {
        "upper_over_lower": np.array([2.0, 4.0, 8.0]),
        "measured": np.array([1.0, 3.0, np.inf]),
        "bound": np.array([1.5, 2.0, 3.0]),
        "violated": np.array([0.0, 1.0, 1.0]),
    }
    with figure_axes() as (_, ax):
        plots.ratio_against_range(table, ax)
    within, beyond = ax.collections
    assert to_hex(tuple(np.asarray(within.get_facecolor())[0])) == COLOURS[0].lower()
    assert to_hex(tuple(np.asarray(beyond.get_facecolor())[0])) == VIOLATION.lower()
    assert len(np.asarray(within.get_offsets())) == len(np.asarray(beyond.get_offsets())) == 1
    assert [text.get_text() for text in ax.texts] == ["1 infinite or undefined"]


def test_a_distance_that_is_not_a_number_is_counted_as_a_broken_law_is_drawn() -> None:
    table = {
        "items": np.array([1.0, 2.0, 3.0]),
        "measured": np.array([0.0, 1e-3, np.nan]),
        "violated": np.array([0.0, 1.0, 1.0]),
    }
    with figure_axes() as (_, ax):
        plots.residuals(table, ax)
    assert [len(np.asarray(dots.get_offsets())) for dots in ax.collections] == [1, 1]
    assert [text.get_text() for text in ax.texts] == ["1 infinite or undefined"]
