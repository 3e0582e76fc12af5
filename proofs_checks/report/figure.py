"""The picture of a claim as inline SVG: same table, same bytes; it takes its ink from the page, so dark mode works."""

from __future__ import annotations

import base64
import html
import io
import re
from typing import TYPE_CHECKING

import numpy as np

from proofs_checks.claim import Claim, EveryInstance
from proofs_checks.plots.marks import MANY_POINTS
from proofs_checks.plots.style import BOUND, COLOURS, VIOLATION, figure_axes
from proofs_checks.records.evidence import Evidence
from proofs_checks.report.mathematics import statement_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["claim_svg"]

_NARROW, _WIDE = (5.4, 3.7), (6.4, 4.0)
"""Inches. Narrow, so that ten-point labels are read when a phone shrinks the figure; wide where that is needed."""
_BINS = 40
_INKS = ("axes.edgecolor", "axes.labelcolor", "grid.color", "text.color", "xtick.color", "ytick.color")


def claim_svg(claim: Claim, evidence: Evidence) -> str:
    """Draw a claim's table with the claim's plot, or with a default one.

    Parameters
    ----------
    claim : Claim
        The claim.
    evidence : Evidence
        With a table or an interval.

    Returns
    -------
    str
        An ``<svg>`` element whose ids are unique to the claim.

    Raises
    ------
    Exception
        Whatever the claim's plot raises.
    """
    svg, spills = _drawn(claim, evidence, *_NARROW)
    return _drawn(claim, evidence, *_WIDE)[0] if spills else svg


def _drawn(claim: Claim, evidence: Evidence, width: float, height: float) -> tuple[str, bool]:
    """The figure in this size, and whether a legend is wider than its axes."""
    import matplotlib as mpl

    with (
        figure_axes(width, height) as (figure, axes),
        mpl.rc_context({"svg.hashsalt": claim.id, "svg.fonttype": "none"}),
    ):
        if claim.plot is not None:
            claim.plot(evidence.table, axes)
        elif isinstance(claim.trial, EveryInstance):
            _comparisons(evidence, axes)
        else:
            _interval(evidence, axes)
        _rasterize_clouds(figure)
        buffer = io.StringIO()
        figure.savefig(
            buffer,
            format="svg",
            bbox_inches="tight",  # what reaches beyond the figure must not be cut off
            pad_inches=0.04,
            metadata={"Date": None, "Creator": None},
        )
        legends = [(legend, one) for one in figure.axes if (legend := one.get_legend()) is not None]
        spills = any(legend.get_window_extent().x1 > one.get_window_extent().x1 + 1 for legend, one in legends)
        inks = {str(value) for name, value in mpl.rcParams.items() if name in _INKS} | {"#000000"}
        sides = [statement_text(label) for label in (axes.get_ylabel(), axes.get_xlabel()) if label]
    told = ": ".join([f"Plot of {claim.id}", *([" against ".join(sides)] if sides else [])])
    return _inline(buffer.getvalue(), claim.id, told, inks), spills


def _rasterize_clouds(figure: Figure) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.lines import Line2D

    for axes in figure.axes:
        for artist in (*axes.collections, *axes.lines):
            marks = 0
            if isinstance(artist, PathCollection):
                marks = len(np.asarray(artist.get_offsets()))
            elif isinstance(artist, Line2D) and artist.get_marker() not in (None, "None", " ", ""):
                marks = len(np.asarray(artist.get_xdata()))
            if marks > MANY_POINTS:
                artist.set_rasterized(True)


def _comparisons(evidence: Evidence, axes: Axes) -> None:
    """How close all comparisons came, as a histogram; bounds of zero have no ratio, so there it is the difference."""
    measured, bound = (np.asarray(evidence.table[side], dtype=float) for side in ("measured", "bound"))
    is_ratio = bool((bound > 0).all())
    with np.errstate(all="ignore"):  # what is infinite or undefined is counted below
        distance = measured / bound if is_ratio else measured - bound
    edge = 1.0 if is_ratio else 0.0
    placed = distance[np.isfinite(distance)]
    low, high = min([edge, *placed]), max([edge, *placed])
    margin = 0.0 if high - low > 1e-9 else 0.05  # numpy refuses bins narrower than the floats around them
    edges = np.linspace(low - margin, high + margin, _BINS + 1)
    beyond = placed > edge + 1e-9
    for values, colour, label in ((placed[~beyond], COLOURS[0], "within"), (placed[beyond], VIOLATION, "beyond")):
        if values.size:
            axes.hist(values, bins=edges.tolist(), color=colour, label=f"{label} the bound")
    axes.axvline(edge, color=BOUND, linestyle="--", linewidth=1.5, label="bound")
    axes.set(xlabel="measured / bound" if is_ratio else "measured − bound", ylabel="instances")
    if left_out := len(distance) - len(placed):
        axes.set_title(f"{left_out} infinite or undefined", loc="right", fontsize=9)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2)


def _interval(evidence: Evidence, axes: Axes) -> None:
    """The estimate with its interval beside the bound; an infinite end runs out of the picture."""
    low, high = evidence.interval or (evidence.measured, evidence.measured)
    placed = [end for end in (low, evidence.measured, high, evidence.bound) if np.isfinite(end)] or [0.0]
    margin = 0.15 * (max(placed) - min(placed)) or 0.1 * abs(placed[0]) or 0.1
    left, right = min(placed) - margin, max(placed) + margin
    if not np.isnan([low, high]).any():
        axes.plot([max(low, left), min(high, right)], [0, 0], linewidth=5, alpha=0.35, label="interval")
    if np.isfinite(evidence.measured):
        axes.plot([evidence.measured], [0], "o", color=COLOURS[0], markersize=8, label="measured")
    if np.isfinite(evidence.bound):
        axes.axvline(evidence.bound, color=BOUND, linestyle="--", linewidth=1.5, label="bound")
    axes.set(xlim=(left, right), ylim=(-1, 1), yticks=[], xlabel="measured, with its interval")
    if axes.lines:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2)


def _inline(svg: str, claim_id: str, label: str, inks: set[str]) -> str:
    """Keep the element only, make its ids the claim's own, and let it take the page's text colour and width."""
    element = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.S)
    prefix = claim_id.replace(".", "-")
    element = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', element)
    element = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", element)
    element = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{prefix}-\1"', element)
    element = re.sub(r'xlink:href="data:image/png;base64,([^"]+)"', _lighter, element)
    for ink in inks:
        element = re.sub(rf"{ink}\b", "currentColor", element, flags=re.I)
    element = re.sub(rf"{BOUND}\b", f"var(--bound, {BOUND})", element, flags=re.I)
    box = re.search(r'viewBox="[^"]+"', element)
    title = html.escape(label, quote=True)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}" {box[0] if box else ""}>'
        f"<title>{title}</title>"
    )
    return opening + element[element.index(">") + 1 :].strip()


def _lighter(found: re.Match[str]) -> str:
    """The image of a cloud with a palette instead of four channels: a quarter of the bytes, no visible difference."""
    from PIL import Image

    buffer = io.BytesIO()
    image = Image.open(io.BytesIO(base64.b64decode(found[1]))).convert("RGBA")
    image.quantize(256, method=Image.Quantize.FASTOCTREE).save(buffer, "png", optimize=True)
    return f'href="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"'
