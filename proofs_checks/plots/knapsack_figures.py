"""The published figures, repeated: curves are ours, crosses were read off the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from proofs_checks.claim import Table
from proofs_checks.plots.style import COLOURS
from proofs_checks.replicas.knapsack_figures import PUBLISHED, ReadOff

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["distributions_2a", "medians_2b", "medians_2c"]

_ORDER = ("ZCL", "PP-b", "PP-a", "PP-n", "IPA", "Mix")
_LINES = dict(zip(_ORDER, (*COLOURS[:5], "#000000"), strict=True))
_RATIO = "competitive ratio OPT / ALG"


def distributions_2a(table: Table, ax: Axes) -> None:
    """Draw the distribution of the ratio for each policy.

    Parameters
    ----------
    table : mapping of str to ndarray
        One column a policy.
    ax : Axes
        Where to draw.
    """
    for name in _ORDER:
        ratios = np.sort(table[name])
        ax.step(ratios, np.arange(1, len(ratios) + 1) / len(ratios), where="post", color=_LINES[name], label=name)
    for read in PUBLISHED["2a"]:
        x, y = (read.value, 0.5) if read.at_most is None else (read.at_most, read.value)
        _cross(ax, read, x, y)
    ax.set_xlim(0.95, 6)
    ax.set_xlabel(f"{_RATIO} (beyond 6 not shown)")
    ax.set_ylabel("share of instances at or below")
    _legend(ax)


def medians_2b(table: Table, ax: Axes) -> None:
    """Draw the median ratio of each policy against U/L.

    Parameters
    ----------
    table : mapping of str to ndarray
        One column a policy, and the column family.
    ax : Axes
        Where to draw.
    """
    _medians("2b", table, ax)
    ax.set_xscale("log")
    ranges = np.unique(table["family"])
    ax.set_xticks(ranges, [f"{upper:g}" for upper in ranges])
    ax.minorticks_off()
    ax.set_xlabel("price range $U/L$")


def medians_2c(table: Table, ax: Axes) -> None:
    """Draw the median ratio of each policy against the mean critical weight.

    Parameters
    ----------
    table : mapping of str to ndarray
        One column a policy, and the column family.
    ax : Axes
        Where to draw.
    """
    _medians("2c", table, ax)
    ax.set_xlabel(r"mean critical weight $\hat\omega$ (capacities)")


def _medians(figure: str, table: Table, ax: Axes) -> None:
    families = np.unique(table["family"])
    for name in _ORDER:
        if name in table:
            medians = [float(np.median(table[name][table["family"] == family])) for family in families]
            ax.plot(families, medians, color=_LINES[name], marker="o", markersize=3.5, label=name)
    for read in PUBLISHED[figure]:
        if float(read.family) in families:
            _cross(ax, read, float(read.family), read.value)
    ax.set_ylabel(f"median {_RATIO}")
    _legend(ax)


def _cross(ax: Axes, read: ReadOff, x: float, y: float) -> None:
    ax.plot([x], [y], marker="x", markersize=8, markeredgewidth=1.6, linestyle="none", color=_LINES[read.policy])


def _legend(ax: Axes) -> None:
    from matplotlib.lines import Line2D

    handles, labels = ax.get_legend_handles_labels()
    cross = Line2D([], [], marker="x", linestyle="none", color="#555555")
    ax.legend(
        [*handles, cross],
        [*labels, "read off the paper"],
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=4,
        borderaxespad=0.2,
        handletextpad=0.4,
    )
