"""Parts of figures that draw a cloud of points: one an instance, with what breaks a bound told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from proofs_checks.claim import Table
from proofs_checks.plots.style import BOUND, COLOURS, VIOLATION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TOLERANCE", "broken", "cloud", "dots", "guaranteed_line", "legend", "medians"]

TOLERANCE = 1e-9
"""Relative excess over a bound that rounding explains."""
_BINS = 24


def broken(table: Table) -> NDArray[np.bool_]:
    """Return which rows exceed their bound.

    Parameters
    ----------
    table : mapping of str to ndarray
        With columns measured, bound.

    Returns
    -------
    ndarray of bool
        True where a side is not a number.
    """
    beyond: NDArray[np.bool_] = ~(table["measured"] <= table["bound"] * (1 + TOLERANCE))
    return beyond


def cloud(ax: Axes, x: NDArray[Any], y: NDArray[Any], beyond: NDArray[np.bool_]) -> None:
    """Draw points within the bound and beyond it; count what cannot be placed.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    x, y : ndarray
        Coordinates.
    beyond : ndarray of bool
        Which points break a bound.
    """
    placed = np.isfinite(x) & np.isfinite(y)
    dots(ax, x[placed & ~beyond], y[placed & ~beyond], COLOURS[0], "measured")
    dots(ax, x[placed & beyond], y[placed & beyond], VIOLATION, "beyond the bound")
    lost = int((np.isinf(y) | (np.isnan(y) & beyond)).sum())
    if lost:
        told = f"{lost:,} infinite or undefined"
        ax.text(0.99, 0.97, told, transform=ax.transAxes, ha="right", va="top", fontsize=9)


def dots(ax: Axes, x: NDArray[Any], y: NDArray[Any], colour: str, label: str | None = None, alpha: float = 0.5) -> None:
    """Draw points of one colour.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    x, y : ndarray
        Coordinates, finite.
    colour : str
        Colour.
    label : str, optional
        For the legend.
    alpha : float
        Opacity.
    """
    if len(x):
        many = len(x) > 200  # rasterised: thousands of points would make an SVG of megabytes
        ax.scatter(x, y, s=10 if many else 24, color=colour, alpha=alpha, linewidths=0, label=label, rasterized=many)


def medians(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return medians of both coordinates over groups of equally many points, from left to right.

    Parameters
    ----------
    x, y : ndarray
        Coordinates.

    Returns
    -------
    tuple of ndarray
        Coordinates of the medians.
    """
    order = np.argsort(x, kind="stable")
    groups = [group for group in np.array_split(order, _BINS) if len(group)]
    middle_x = np.array([np.median(x[group]) for group in groups])
    middle_y = np.array([np.median(y[group]) for group in groups])
    return middle_x, middle_y


def guaranteed_line(ax: Axes) -> None:
    """Draw what is guaranteed, where ratios are in its units.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    """
    ax.axhline(1, color=BOUND, linestyle="--", label="guaranteed")


def legend(ax: Axes, columns: int = 5) -> None:
    """Put the legend above the axes, where no data can be.

    Parameters
    ----------
    ax : Axes
        Whose legend.
    columns : int
        Most entries side by side.
    """
    drawn = ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, borderaxespad=0.2, handletextpad=0.4)
    for handle in drawn.legend_handles:
        if handle is not None:
            handle.set_alpha(1)
