"""Figures about online knapsack: each function draws the table of a claim.

Blue is what was measured, dashed grey what is guaranteed, vermilion whatever breaks a bound. Rows whose ratio is
infinite or undefined cannot be placed; they are counted in the corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from proofs_checks.claim import Table
from proofs_checks.plots.marks import cloud, dots, guaranteed_line, legend, medians
from proofs_checks.plots.style import BOUND, COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "fractions_of_optimum",
    "place_in_value_range",
    "policies_over_lower_bound",
    "ratio_against_critical_weight",
    "ratio_against_error",
    "ratio_against_range",
    "ratio_against_steps",
    "ratio_against_trust",
    "residuals",
    "shares_of_the_trade_off",
]

_LAW_TOLERANCE = 1e-9
_RATIO = "competitive ratio OPT / ALG"
_SHARE = "ratio / guarantee"
_LABELS = {
    "critical_weight": r"critical weight $\omega$ (capacities)",
    "items": "number of items",
    "steps": "number of price steps $K$",
    "upper_over_lower": "price range $U/L$",
}
_POLICIES = {
    "zcl": ("ZCL", "-"),
    "pp_advanced": ("PPAdvanced", "-"),
    "mix": ("Mix of both", "-"),
    "hindsight": ("PPAdvanced, rightly predicted", ":"),
}


def ratio_against_range(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG against U/L, with the guaranteed curve.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns upper_over_lower, measured, bound.
    ax : Axes
        Where to draw.
    """
    _ratio_against("upper_over_lower", table, ax)
    ax.set_xscale("log")


def ratio_against_critical_weight(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG against the critical weight, with the guaranteed curve.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns critical_weight, measured, bound.
    ax : Axes
        Where to draw.
    """
    _ratio_against("critical_weight", table, ax)


def place_in_value_range(table: Table, ax: Axes) -> None:
    """Draw where ALG lies between the two ends of its range, against the critical weight.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns critical_weight, place, measured, bound.
    ax : Axes
        Where to draw.
    """
    cloud(ax, table["critical_weight"], table["place"], _broken(table))
    for end in (0, 1):
        ax.axhline(end, color=BOUND, linestyle="--", label="guaranteed ends" if end else None)
    ax.set_xlabel(_LABELS["critical_weight"])
    ax.set_ylabel("place of ALG in its range")
    ax.set_yticks([0, 0.5, 1], ["least\n(critical first)", "middle", "most\n(critical last)"])
    legend(ax)


def ratio_against_trust(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG in units of the guarantee, for each trust.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns trust, measured, bound.
    ax : Axes
        Where to draw.
    """
    golden = (np.arange(len(table["trust"])) * 0.618034) % 1  # spreads equal trusts without randomness
    cloud(ax, table["trust"] + 0.06 * (golden - 0.5), table["measured"] / table["bound"], _broken(table))
    guaranteed_line(ax)
    ax.set_xlabel(r"trust $\lambda$ (points spread sideways)")
    ax.set_ylabel(_SHARE)
    legend(ax)


def ratio_against_error(table: Table, ax: Axes) -> None:
    """Draw OPT / ALG against the error of the prediction, a colour a trust, with medians along the error.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns error, trust, measured, bound.
    ax : Axes
        Where to draw.
    """
    broken, placed = _broken(table), np.isfinite(table["measured"])
    for colour, trust in zip(COLOURS, np.unique(table["trust"]), strict=False):
        here = (table["trust"] == trust) & ~broken & placed
        error, ratio = table["error"][here], table["measured"][here]
        dots(ax, error, ratio, colour, alpha=0.12)
        ax.plot(*medians(error, ratio), color=colour, label=f"median at trust {trust:g}")
    cloud(ax, table["error"][broken], table["measured"][broken], np.ones(int(broken.sum()), dtype=bool))
    if np.abs(table["error"]).max() > 1:
        ax.set_xscale("symlog", linthresh=1)
        ax.xaxis.set_major_formatter("{x:g}")
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_xlabel(r"prediction error $\ln(\mathrm{prediction} / \mathrm{critical\ value})$")
    ax.set_ylabel(_RATIO)
    legend(ax, columns=2)


def ratio_against_steps(table: Table, ax: Axes) -> None:
    """Draw how far an adversary drives a policy towards its bound, against the number of steps.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns steps, measured, bound.
    ax : Axes
        Where to draw.
    """
    cloud(ax, table["steps"], table["measured"] / table["bound"], _broken(table))
    guaranteed_line(ax)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlabel(_LABELS["steps"])
    ax.set_ylabel(_SHARE)
    legend(ax)


def policies_over_lower_bound(table: Table, ax: Axes) -> None:
    """Draw the worst ratio of arbitrary policies in units of the lower bound; none may lie below 1.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns steps or critical_weight, measured (the formula), bound (the policy's worst ratio).
    ax : Axes
        Where to draw.
    """
    column = next(name for name in ("steps", "critical_weight") if name in table)
    cloud(ax, table[column], table["bound"] / table["measured"], _broken(table))
    ax.axhline(1, color=BOUND, linestyle="--", label="lower bound")
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter("{x:g}")
    if column == "steps":
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlabel(_LABELS[column])
    ax.set_ylabel("policy's worst ratio / lower bound")
    legend(ax)


def shares_of_the_trade_off(table: Table, ax: Axes) -> None:
    """Draw the two terms of the trade-off against each other; no policy gets beyond the line.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns robust_share, consistent_share, measured, bound.
    ax : Axes
        Where to draw.
    """
    cloud(ax, table["robust_share"], table["consistent_share"], _broken(table))
    ax.plot([0, 1], [1, 0], color=BOUND, linestyle="--", label="no policy gets beyond")
    ax.set_xlabel(r"robustness term $K(1 - 1/r)\,/\,\gamma$")
    ax.set_ylabel(r"consistency term $(1 + (1-d)(1-\hat v/U))\,/\,\eta$")
    legend(ax)


def residuals(table: Table, ax: Axes) -> None:
    """Draw the distance from an exact law, on a logarithmic scale, with the tolerance.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns critical_weight or items, measured.
    ax : Axes
        Where to draw.
    """
    column = next(name for name in ("critical_weight", "items") if name in table)
    distance = table["measured"]
    smallest = 1e-17  # exact zeros are drawn here
    cloud(ax, table[column], np.maximum(distance, smallest), _broken(table))
    ax.axhline(_LAW_TOLERANCE, color=BOUND, linestyle="--", label="tolerance")
    ax.set_yscale("log")
    ax.set_xlabel(_LABELS[column])
    ax.set_ylabel(r"distance from the law (0 drawn at $10^{-17}$)")
    legend(ax)


def fractions_of_optimum(table: Table, ax: Axes) -> None:
    """Draw, for each policy, the share of weeks in which it collects at most a given fraction of the optimum.

    Parameters
    ----------
    table : mapping of str to ndarray
        One column a policy, with fractions of the optimum.
    ax : Axes
        Where to draw.
    """
    for (column, (name, stroke)), colour in zip(_POLICIES.items(), COLOURS, strict=False):
        label = f"{name}: mean {float(np.mean(table[column])):.2f}"
        ax.ecdf(table[column], color=colour, linestyle=stroke, label=label)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("fraction of the optimum collected in a week")
    ax.set_ylabel("share of weeks at or below")
    legend(ax, columns=2)


def _ratio_against(column: str, table: Table, ax: Axes) -> None:
    cloud(ax, table[column], table["measured"], _broken(table))
    order = np.argsort(table[column], kind="stable")
    ax.plot(table[column][order], table["bound"][order], color=BOUND, linestyle="--", label="guaranteed")
    ax.set_xlabel(_LABELS[column])
    ax.set_ylabel(_RATIO)
    legend(ax)


def _broken(table: Table) -> NDArray[np.bool_]:
    return np.asarray(table["violated"]) > 0
