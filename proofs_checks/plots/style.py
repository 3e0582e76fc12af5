"""One look for every figure of the report and the notebooks.

Colours are those of Okabe and Ito, told apart by readers with any colour vision; backgrounds are transparent. Importing
this module changes no global setting: the look holds inside the ``with`` block of `figure_axes` only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["BOUND", "COLOURS", "VIOLATION", "figure_axes"]

COLOURS: tuple[str, ...] = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#F0E442")
"""For data, in order of use: blue, orange, green, purple, sky, yellow."""
VIOLATION = "#D55E00"
"""Vermilion, kept for what breaks a bound."""
BOUND = "#555555"
"""Grey, kept for what is guaranteed; dashed."""

_TEXT = "#444444"
_LOOK: Any = MappingProxyType(  # Any: matplotlib types its keys as one long Literal
    {
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "figure.dpi": 100,
        "savefig.dpi": 200,  # of the rasterised clouds of points inside an SVG
        "font.size": 10,
        "axes.labelsize": 10,
        "legend.fontsize": 9,
        "text.color": _TEXT,
        "axes.labelcolor": _TEXT,
        "axes.edgecolor": "#999999",
        "xtick.color": _TEXT,
        "ytick.color": _TEXT,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#999999",
        "grid.alpha": 0.2,
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "lines.linewidth": 1.8,
    }
)


@contextmanager
def figure_axes(width: float = 6.4, height: float = 4.0) -> Iterator[tuple[Figure, Axes]]:
    """Make a figure with one pair of axes; draw inside the ``with`` block.

    Parameters
    ----------
    width, height : float
        Inches, at 100 dots an inch.

    Yields
    ------
    tuple of Figure and Axes
        Not registered with pyplot: nothing has to be closed.

    Examples
    --------
    >>> with figure_axes() as (figure, ax):
    ...     lines = ax.plot([1, 2, 3])
    >>> figure.axes == [ax]
    True
    """
    import matplotlib
    from cycler import cycler
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**_LOOK, "axes.prop_cycle": cycler(color=COLOURS)}):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.add_subplot()
