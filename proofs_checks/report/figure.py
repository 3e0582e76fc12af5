"""The picture of a claim as inline SVG: same table, same bytes; it takes its ink from the page, so dark mode works."""

from __future__ import annotations

import html
import io
import re
from typing import TYPE_CHECKING

import numpy as np

from proofs_checks.claim import Claim, EveryInstance
from proofs_checks.evidence import Evidence
from proofs_checks.plots.style import BOUND, figure_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["claim_svg"]

_MANY_POINTS = 400
"""Beyond, an artist is drawn as an image within the SVG: a thousand vector marks make a page slow."""


def claim_svg(claim: Claim, evidence: Evidence) -> str:
    """Draw a claim's table with the claim's plot, or with a default one.

    Parameters
    ----------
    claim : Claim
        The claim.
    evidence : Evidence
        With a table.

    Returns
    -------
    str
        An ``<svg>`` element whose ids are unique to the claim.

    Raises
    ------
    Exception
        Whatever the claim's plot raises.
    """
    import matplotlib as mpl

    with figure_axes() as (figure, axes), mpl.rc_context({"svg.hashsalt": claim.id, "svg.fonttype": "none"}):
        if claim.plot is not None:
            claim.plot(evidence.table, axes)
        elif isinstance(claim.trial, EveryInstance):
            _ratios(evidence, axes)
        else:
            _interval(evidence, axes)
        for artist in (*axes.collections, *axes.lines):
            artist.set_rasterized(bool(artist.get_rasterized()) or _points(artist) > _MANY_POINTS)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        ink = str(mpl.rcParams["text.color"])
    return _inline(buffer.getvalue(), claim.id, ink)


def _points(artist: object) -> int:
    if hasattr(artist, "get_xdata"):
        return len(artist.get_xdata()) if artist.get_marker() not in (None, "None", "") else 0  # type: ignore[attr-defined]
    return len(artist.get_offsets()) if hasattr(artist, "get_offsets") else 0


def _ratios(evidence: Evidence, axes: Axes) -> None:
    measured, bound = evidence.table["measured"], evidence.table["bound"]
    usable = np.isfinite(measured) & np.isfinite(bound) & (bound > 0)
    axes.hist(measured[usable] / bound[usable], bins=40)
    axes.axvline(1.0, color=BOUND, linestyle="--", linewidth=1)
    axes.set(xlabel="measured / bound", ylabel="instances")


def _interval(evidence: Evidence, axes: Axes) -> None:
    low, high = evidence.interval or (evidence.measured, evidence.measured)
    axes.errorbar(
        [evidence.measured], [0], xerr=[[evidence.measured - low], [high - evidence.measured]], fmt="o", capsize=6
    )
    axes.axvline(evidence.bound, color=BOUND, linestyle="--", linewidth=1)
    axes.set(xlabel="estimate with its interval; the dashed line is the bound", yticks=[])


def _inline(svg: str, claim_id: str, ink: str) -> str:
    """Keep the element only, make its ids the claim's own, and let it take the page's text colour and width."""
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.S)
    prefix = claim_id.replace(".", "-")
    element = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', element)
    element = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", element)
    element = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{prefix}-\1"', element)
    element = element.replace(ink, "currentColor").replace(BOUND, f"var(--soft, {BOUND})")
    opening = element[: element.index(">")]
    kept = re.search(r'viewBox="[^"]+"', opening)
    label = html.escape(f"Plot of {claim_id}", quote=True)
    fresh = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'role="img" aria-label="{label}" {kept[0] if kept else ""}'
    )
    return fresh + element[len(opening) :].strip()
