"""The figures about online knapsack: colours, counts, and no side effects."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.colors import to_hex

from proofs_checks.plots import knapsack as plots
from proofs_checks.plots.style import COLOURS, VIOLATION, figure_axes


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
