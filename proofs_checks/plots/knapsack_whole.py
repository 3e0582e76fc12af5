"""Figures about whole items, intervals and the frontier of online knapsack: each draws the table of a claim.

Colours mean what they mean in `proofs_checks.plots.knapsack`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from proofs_checks.claim import Table
from proofs_checks.plots.marks import broken, cloud, dots, guaranteed_line, legend
from proofs_checks.plots.style import BOUND, COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "finite_over_closed_form",
    "loss_against_weight",
    "mix_on_frontier",
    "ratio_against_excess",
    "ratio_against_weight",
    "ratio_against_width",
    "share_against_range",
    "value_over_guarantee",
]

_RANGES = (10.0, 1e3, 1e6)
_WEIGHT = r"largest weight of an item $\varepsilon$ (capacities)"


def ratio_against_width(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG against the width of the interval, with the guaranteed line.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns width, measured, bound.
    ax : Axes
        Where to draw.
    """
    cloud(ax, table["width"], table["measured"], broken(table))
    order = np.argsort(table["width"], kind="stable")
    ax.plot(table["width"][order], table["bound"][order], color=BOUND, linestyle="--", label="guaranteed")
    ax.set_xlabel(r"width of the interval $\ln(u/\ell)$")
    ax.set_ylabel("competitive ratio OPT / ALG")
    legend(ax)


def ratio_against_weight(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG in units of the bound against the largest weight of an item.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns max_weight, measured, bound.
    ax : Axes
        Where to draw.
    """
    _share_against("max_weight", table, ax)
    ax.set_xlabel(_WEIGHT)


def ratio_against_excess(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG in units of the bound against how far the highest price exceeds the known range.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns error (the logarithm of the excess), measured, bound.
    ax : Axes
        Where to draw.
    """
    placed = dict(table)
    placed["excess"] = np.exp(table["error"])
    _share_against("excess", placed, ax)
    ax.set_xlabel(r"highest price / known upper end $\hat U$")


def share_against_range(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG in units of the bound against the range of prices.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns upper_over_lower, measured, bound.
    ax : Axes
        Where to draw.
    """
    _share_against("upper_over_lower", table, ax)
    ax.set_xlabel("price range $U/L$")


def value_over_guarantee(table: Table, ax: Axes) -> None:
    """Draw the guaranteed value of whole items in units of their value, against the largest weight.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns max_weight, measured (the guarantee), bound (the value).
    ax : Axes
        Where to draw.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(table["measured"] > 0, table["measured"] / table["bound"], 0.0)
    cloud(ax, table["max_weight"], share, broken(table))
    ax.axhline(1, color=BOUND, linestyle="--", label="value of the whole items")
    ax.set_xscale("log")
    ax.set_xlabel(_WEIGHT)
    ax.set_ylabel("guaranteed value / value")
    legend(ax)


def loss_against_weight(table: Table, ax: Axes) -> None:
    """Draw the part of the value that rounding loses against the largest weight, with what is guaranteed.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns max_weight, measured (fractional value / value of whole items), bound.
    ax : Axes
        Where to draw.
    """
    smallest = 1e-4  # gains and smaller losses are drawn here
    cloud(ax, table["max_weight"], np.maximum(table["measured"] - 1, smallest), broken(table))
    guaranteed = np.maximum(table["bound"] - 1, smallest)
    look: Any = {"s": 10, "marker": "_", "linewidths": 0.8, "rasterized": True}
    ax.scatter(table["max_weight"], guaranteed, color=BOUND, label="guaranteed", **look)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel(_WEIGHT)
    ax.set_ylabel(r"loss $\mathrm{FRAC}/\mathrm{INT} - 1$ (gains at $10^{-4}$)")
    legend(ax)


def finite_over_closed_form(table: Table, ax: Axes) -> None:
    """Draw the consistency that finite adversaries force, in units of the closed form, against the robustness.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns slack, measured (finite adversary), bound (closed form).
    ax : Axes
        Where to draw.
    """
    _share_against("slack", table, ax)
    ax.set_xlabel(r"robustness $\gamma$, in units of $1 + \ln(U/L)$")
    ax.set_ylabel("finite adversary / closed form")


def mix_on_frontier(table: Table, ax: Axes) -> None:
    """Draw the consistency of Mix against its robustness, and the frontier that no policy gets below.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns upper_over_lower, robustness, frontier, guaranteed, measured.
    ax : Axes
        Where to draw; ranges of 10, a thousand and a million get a colour each.
    """
    for colour, spread in zip(COLOURS, _RANGES, strict=False):
        here = np.flatnonzero(table["upper_over_lower"] == spread)
        here = here[np.argsort(table["robustness"][here], kind="stable")]
        if not len(here):
            continue
        robustness = table["robustness"][here]
        exponent = round(float(np.log10(spread)))
        ax.plot(robustness, table["frontier"][here], color=colour, linestyle="--")
        ax.plot(robustness, table["guaranteed"][here], color=colour, linewidth=1)
        dots(ax, robustness, table["measured"][here], colour, f"$U/L = 10^{{{exponent}}}$", alpha=0.9)
    ax.plot([], [], color=BOUND, linestyle="--", label="no policy gets below")
    ax.plot([], [], color=BOUND, linewidth=1, label="guaranteed for Mix")
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlabel(r"robustness: ratio for any prediction, $\gamma$")
    ax.set_ylabel("consistency: ratio for a right one")
    legend(ax, columns=3)


def _share_against(column: str, table: Table, ax: Axes) -> None:
    cloud(ax, table[column], table["measured"] / table["bound"], broken(table))
    guaranteed_line(ax)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_ylabel("ratio / guarantee")
    legend(ax)
