"""Marks that every topic's figures are made of: clouds of points, guarantees, legends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from proofs_checks.claim import Table
from proofs_checks.plots.style import BOUND, COLOURS, VIOLATION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MANY_POINTS", "TOLERANCE", "broken", "cloud", "dots", "guaranteed_line", "legend", "medians"]

MANY_POINTS = 400
"""Beyond, points are drawn as an image: a thousand vector marks make a page slow."""
_BINS = 24
TOLERANCE = 1e-9
"""Where laws draw their line."""


def broken(table: Table) -> NDArray[np.bool_]:
    """Return which rows break their bound, by the trial's own tolerance.

    Parameters
    ----------
    table : mapping of str to ndarray
        With the column violated.

    Returns
    -------
    ndarray of bool, shape (n,)
        One a row.
    """
    return np.asarray(table["violated"]) > 0


def cloud(ax: Axes, x: NDArray[Any], y: NDArray[Any], broken: NDArray[np.bool_]) -> None:
    """Draw points within the bound and beyond it; what cannot be placed is counted in the corner.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    x, y : ndarray, shape (n,)
        Coordinates.
    broken : ndarray of bool, shape (n,)
        Which points break their bound.
    """
    placed = np.isfinite(x) & np.isfinite(y)
    dots(ax, x[placed & ~broken], y[placed & ~broken], COLOURS[0], "measured")
    dots(ax, x[placed & broken], y[placed & broken], VIOLATION, "beyond the bound")
    lost = int((np.isinf(y) | (np.isnan(y) & broken)).sum())
    if lost:
        told = f"{lost:,} infinite or undefined"
        ax.text(0.99, 0.97, told, transform=ax.transAxes, ha="right", va="top", fontsize=9)


def dots(ax: Axes, x: NDArray[Any], y: NDArray[Any], colour: str, label: str | None = None, alpha: float = 0.5) -> None:
    """Draw a scatter; many points become an image.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    x, y : ndarray, shape (n,)
        Coordinates.
    colour : str
        Of all points.
    label : str, optional
        For the legend.
    alpha : float
        Opacity.
    """
    if len(x):
        many = len(x) > MANY_POINTS
        ax.scatter(x, y, s=10 if many else 24, color=colour, alpha=alpha, linewidths=0, label=label, rasterized=many)


def medians(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return medians of both coordinates over groups of equally many points, from left to right.

    Parameters
    ----------
    x, y : ndarray, shape (n,)
        Coordinates.

    Returns
    -------
    tuple of ndarray
        At most `_BINS` each.
    """
    order = np.argsort(x, kind="stable")
    groups = [group for group in np.array_split(order, _BINS) if len(group)]
    middle_x = np.array([np.median(x[group]) for group in groups])
    middle_y = np.array([np.median(y[group]) for group in groups])
    return middle_x, middle_y


def guaranteed_line(ax: Axes) -> None:
    """Draw the guarantee at 1, for ratios to it.

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
        Entries in a row.
    """
    legend = ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, borderaxespad=0.2, handletextpad=0.4)
    for handle in legend.legend_handles:
        if handle is not None:
            handle.set_alpha(1)
