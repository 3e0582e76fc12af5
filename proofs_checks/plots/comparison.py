"""Figures of a comparison of policies: a colour a policy, solid what was measured, dashed what is guaranteed.

Colours repeat after five policies (yellow is left out: it is too pale for a line); line styles then tell them apart.
What cannot be placed, because a ratio is infinite, is counted below the axes: a distribution that ends below 1 has the
rest at infinity.
"""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algos.validation import require_between, require_one_of
from proofs_checks.plots.style import COLOURS, figure_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from proofs_checks.comparing.comparison import Comparison

__all__ = ["draw"]

_LINES = COLOURS[:5]
_STROKES = ("-", "-.", ":")
_MARKERS = "so^Dv*"  # as many as are out of step with the colours
_VIEW = 0.99
"""Share of the rows that a distribution shows at least."""
_GROUPS = 16
"""Most points of a curve; a column with more distinct numbers is cut into as many groups of equally many rows."""
_LABELS = {
    "ratio": "competitive ratio OPT / ALG",
    "fraction": "fraction of the optimum",
    "error": "size of the prediction error",
    "prediction_error": r"prediction error $\ln(\mathrm{prediction} / \mathrm{critical\ value})$",
    "upper_over_lower": "price range $U/L$",
    "critical_weight": r"critical weight $\omega$ (capacities)",
    "family": "family of instances",
}
_STATISTICS: dict[str, Callable[[NDArray[Any]], Any]] = {
    "median": np.median,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
}


def draw(comparison: Comparison, x: str, y: str, stat: str | float, ax: Axes | None, bounds: bool) -> Axes:
    """Draw a comparison; see `Comparison.plot`.

    Parameters
    ----------
    comparison : Comparison
        What is drawn.
    x, y : str
        Columns.
    stat : str or float
        Statistic, or quantile.
    ax : Axes, optional
        Where to draw.
    bounds : bool
        Whether guarantees are drawn.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    ValueError
        If there is no such column or statistic, there are no rows, or a distribution is asked of several levels.
    """
    require_one_of("y", y, ("ratio", "fraction"))
    numbers = tuple(name for name in comparison.table if name not in ("policy", "instance", "error_size", "guaranteed"))
    require_one_of("x", x, numbers)
    if not len(comparison):
        raise ValueError("the comparison was interrupted before the first instance was finished: it has no rows")
    if x in ("ratio", "fraction"):
        if len(comparison.errors) > 1:
            raise ValueError(f"x = {x!r}: choose a level of error with only(error=…): {', '.join(comparison.errors)}")
        with _axes(ax) as axes:
            _distributions(comparison, x, axes, bounds)
        return axes
    statistic = _statistic(stat)
    with _axes(ax) as axes:
        _curves(comparison, x, y, statistic, axes, bounds)
        axes.set_ylabel(f"{_name_of(stat)} {_LABELS[y]}")
        _legend(axes)
    return axes


@contextlib.contextmanager
def _axes(ax: Axes | None) -> Iterator[Axes]:
    if ax is not None:
        yield ax
        return
    with figure_axes() as (_, axes):
        yield axes


def _statistic(stat: str | float) -> Callable[[NDArray[Any]], Any]:
    if isinstance(stat, str):
        return _STATISTICS[require_one_of("stat", stat, tuple(_STATISTICS))]
    level = require_between("stat", stat, 0, 1, open_low=True, open_high=True)
    return lambda values: np.quantile(values, level, method="higher")  # no mean with infinity


def _name_of(stat: str | float) -> str:
    return {"max": "largest", "min": "least"}.get(stat, stat) if isinstance(stat, str) else f"{stat:g}-quantile of"


def _looks(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """Name, colour and line style of each policy."""
    for place, name in enumerate(comparison.policies):
        yield name, _LINES[place % len(_LINES)], _STROKES[place // len(_LINES) % len(_STROKES)]


def _distributions(comparison: Comparison, x: str, ax: Axes, bounds: bool) -> None:
    table = comparison.table
    for name, colour, stroke in _looks(comparison):
        rows = table["policy"] == name
        _steps(ax, table[x][rows], color=colour, linestyle=stroke, label=name)
        if bounds:
            _steps(ax, _as_bound(table["guaranteed"][rows], x), color=colour, linestyle="--", linewidth=1.2)
    if x == "ratio":
        ax.set_xscale("log")
        _plain_ticks(ax.xaxis)
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel(_LABELS[x])
    ax.set_ylabel("share of instances at or below")
    _tell_what_is_not_shown(ax, table[x])
    _legend(ax)


def _steps(ax: Axes, values: NDArray[Any], **look: Any) -> None:
    """The empirical distribution function; infinite values count, without a place of their own."""
    placed = np.sort(values[np.isfinite(values)])
    if len(placed):
        heights = np.arange(1, len(placed) + 1) / len(values)
        ax.step(np.r_[placed[0], placed], np.r_[0.0, heights], where="post", **look)


def _curves(
    comparison: Comparison, x: str, y: str, statistic: Callable[[NDArray[Any]], Any], ax: Axes, bounds: bool
) -> None:
    table = comparison.table
    place, ticks = _places(comparison, x)
    lost = 0
    for lines, (name, colour, stroke) in enumerate(_looks(comparison)):
        rows = table["policy"] == name
        spots, groups = _grouped(place[rows])
        heights = np.array([float(statistic(table[y][rows][group])) for group in groups])
        lost += int(np.isinf(heights).sum())
        # between levels that stand side by side by name there is nothing to interpolate
        look = (
            {"linestyle": "none", "marker": _MARKERS[lines % len(_MARKERS)]}
            if ticks
            else {"linestyle": stroke, "marker": "o"}
        )
        _line(ax, spots, heights, color=colour, markersize=5 if ticks else 3.5, label=name, **look)
        if bounds:
            guaranteed = _as_bound(table["guaranteed"][rows], y)
            ends = np.array([float(statistic(guaranteed[group])) for group in groups])
            dashes = {"linestyle": "none", "marker": "_", "markersize": 16} if ticks else {"linestyle": "--"}
            _line(ax, spots, ends, color=colour, linewidth=1.2, **dashes)
    if ticks:
        ax.set_xticks(list(ticks), [textwrap.fill(name.replace("(", " ("), 14) for name in ticks.values()])
        ax.set_xlim(min(ticks) - 0.5, max(ticks) + 0.5)
    elif x == "upper_over_lower":
        ax.set_xscale("log")
        _plain_ticks(ax.xaxis)
    if y == "ratio":
        ax.set_yscale("log")
        _plain_ticks(ax.yaxis)
    ax.set_xlabel("prediction error" if ticks and x == "error" else _LABELS.get(x, x))
    if lost:
        _tell(ax, f"{lost} point{'' if lost == 1 else 's'} at infinity")


def _places(comparison: Comparison, x: str) -> tuple[NDArray[np.float64], dict[float, str]]:
    """Where each row stands on the x axis, and the ticks where names stand for numbers."""
    table = comparison.table
    if x == "error":
        kinds = {kind for name, kind in comparison.error_kinds.items() if kind and name in comparison.errors}
        if len(kinds) == 1:
            return np.asarray(table["error_size"], dtype=np.float64), {}
        return _numbered(table["error"], comparison.errors)
    if x == "family":
        try:
            return table["family"].astype(np.float64), {}
        except ValueError:  # labels that are no numbers
            return _numbered(table["family"], tuple(dict.fromkeys(table["family"].tolist())))
    return np.asarray(table[x], dtype=np.float64), {}


def _numbered(column: NDArray[Any], names: tuple[str, ...]) -> tuple[NDArray[np.float64], dict[float, str]]:
    ticks = {float(number): name for number, name in enumerate(names)}
    order = {name: number for number, name in ticks.items()}
    return np.array([order[name] for name in column.tolist()]), ticks


def _grouped(place: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[NDArray[np.intp]]]:
    """Rows by their place: one group a distinct number, or groups of equally many rows at their medians."""
    known = np.flatnonzero(np.isfinite(place))
    distinct, which = np.unique(place[known], return_inverse=True)
    if len(distinct) <= _GROUPS:
        return distinct, [known[which == number] for number in range(len(distinct))]
    order = known[np.argsort(place[known], kind="stable")]
    groups = np.array_split(order, _GROUPS)
    return np.array([np.median(place[group]) for group in groups]), groups


def _as_bound(guaranteed: NDArray[Any], y: str) -> NDArray[Any]:
    if y == "ratio":
        return guaranteed
    with np.errstate(divide="ignore"):
        return np.where(np.isinf(guaranteed), np.nan, 1.0 / guaranteed)  # a guarantee of nothing is none


def _line(ax: Axes, x: NDArray[Any], y: NDArray[Any], **look: Any) -> None:
    placed = np.isfinite(y)
    if placed.any():
        ax.plot(x, np.where(placed, y, np.nan), **look)


def _plain_ticks(axis: Any) -> None:
    """1, 2, 5, 10, … as people write them."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def _tell_what_is_not_shown(ax: Axes, values: NDArray[Any]) -> None:
    """Cut a long tail off the view, and count what lies beyond it and what is infinite."""
    finite, told = values[np.isfinite(values)], []
    end = 1.5 * float(np.quantile(finite, _VIEW)) if len(finite) else np.inf
    if len(finite) and finite.max() > 2 * end:
        ax.set_xlim(0.95 * float(finite.min()), end)
        told.append(f"{int((finite > end).sum()):,} rows beyond the axis")
    if lost := int(np.isinf(values).sum()):
        told.append(f"{lost:,} rows at infinity")
    if told:
        _tell(ax, ", ".join(told))


def _tell(ax: Axes, text: str) -> None:
    ax.text(1.0, -0.1, text, transform=ax.transAxes, ha="right", va="top", fontsize=9)


def _legend(ax: Axes) -> None:
    """Above the axes, where no data can be; one entry says what is dashed."""
    from matplotlib.lines import Line2D

    handles, labels = ax.get_legend_handles_labels()
    if any(line.get_linestyle() == "--" or line.get_marker() == "_" for line in ax.lines):
        handles, labels = (
            [*handles, Line2D([], [], color="#555555", linestyle="--", linewidth=1.2)],
            [*labels, "guaranteed"],
        )
    ax.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, borderaxespad=0.2, handletextpad=0.4)
