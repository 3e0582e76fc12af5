from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from proofs_checks.claim import Claim, Decision, EveryInstance, Repeated, Sides
from proofs_checks.plots.style import VIOLATION
from proofs_checks.records.evidence import Evidence
from proofs_checks.report.figure import claim_svg

EVERY = Claim(
    id="figures.every",
    kind="always",
    paper="nobody",
    source="derived",
    statement="",
    subject=None,
    trial=EveryInstance(lambda rng: 0, lambda subject, instance: Sides(0, 1)),
    mutants={},
)
DECIDED = Claim(
    id="figures.decided",
    kind="expectation",
    paper="nobody",
    source="derived",
    statement="",
    subject=None,
    trial=Repeated(
        lambda subject, rng, effort: {"value": 0.0},
        {"smoke": 1, "quick": 1, "full": 1},
        lambda table: Decision("holds", 0, 1, (0, 1), ""),
    ),
    mutants={},
)


def plotted(plot: Callable[[Any, Any], None], name: str = "figures.plotted") -> Claim:
    fields = ("kind", "paper", "source", "statement", "subject", "trial", "mutants")
    return Claim(id=name, plot=plot, **{field: getattr(EVERY, field) for field in fields})


def evidence(**facts: Any) -> Evidence:
    plain: dict[str, Any] = {"claim": "figures", "mutant": "", "kind": "always", "expect": "holds", "effort": "smoke"}
    plain |= {"seed": 0, "fingerprint": "f", "verdict": "holds", "sentence": "Said."}
    return replace(Evidence(**plain), **facts)


def comparisons(measured: Any, bound: Any) -> Evidence:
    return evidence(table={"measured": np.asarray(measured, float), "bound": np.asarray(bound, float)})


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


EXTREMES = st.floats(0, 1e300) | st.sampled_from([0.0, 1.0, 1 + 1e-16, 1 - 1e-16, np.inf, np.nan])


@settings(max_examples=15)
@given(st.lists(st.tuples(EXTREMES, EXTREMES), min_size=1, max_size=6))
def test_the_default_figure_draws_any_comparisons(pairs: list[tuple[float, float]]) -> None:
    measured, bound = zip(*pairs, strict=True)
    assert "<svg" in claim_svg(EVERY, comparisons(measured, bound))


def test_the_default_figure_tells_what_lies_beyond_the_bound_and_what_it_cannot_place() -> None:
    svg = claim_svg(EVERY, comparisons([0.5, 2.0, np.inf, np.nan], [1.0, 1.0, 1.0, 1.0]))
    assert {"within the bound", "beyond the bound", "bound", "2 infinite or undefined"} <= set(texts(svg))
    assert VIOLATION.lower() in svg.lower()
    quiet = claim_svg(EVERY, comparisons([0.5, 1.0], [1.0, 1.0]))
    assert VIOLATION.lower() not in quiet.lower()


def test_a_bound_of_zero_is_held_against_the_difference() -> None:
    assert "measured − bound" in texts(claim_svg(EVERY, comparisons([0.0, 1e-12], [0.0, 0.0])))


@pytest.mark.parametrize(
    ("measured", "bound", "interval"),
    [
        (0.3, 0.5, (0.2, 0.4)),
        (0.3, 0.3, (0.3, 0.3)),
        (0.0, 0.0, (0.0, 0.0)),
        (3.0, 2.0, (-np.inf, np.inf)),
        (np.nan, np.nan, (np.nan, np.nan)),
        (np.inf, 1.0, None),
    ],
)
def test_a_decided_claim_shows_its_interval_against_the_bound(
    measured: float, bound: float, interval: tuple[float, float] | None
) -> None:
    svg = claim_svg(DECIDED, evidence(measured=measured, bound=bound, interval=interval, table={"value": np.zeros(3)}))
    assert ("bound" in texts(svg)) == bool(np.isfinite(bound))
    assert ("measured" in texts(svg)) == bool(np.isfinite(measured))


def test_two_figures_on_one_page_share_no_id_and_the_same_table_gives_the_same_bytes() -> None:
    table = comparisons([0.1, 0.9], [1.0, 1.0])
    one, other = (claim_svg(plotted(lambda table, ax: ax.plot([1, 2], "o"), name), table) for name in ("a.a", "a.b"))
    ids = [re.findall(r'\bid="([^"]+)"', svg) for svg in (one, other)]
    assert ids[0]
    assert not set(ids[0]) & set(ids[1])
    for svg, known in zip((one, other), ids, strict=True):
        used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)
        assert {a or b for a, b in used} <= set(known)
    assert one == claim_svg(plotted(lambda table, ax: ax.plot([1, 2], "o"), "a.a"), table)
    assert "dc:date" not in one


def test_text_and_axes_take_the_ink_of_the_page_and_the_ground_stays_clear() -> None:
    svg = claim_svg(EVERY, comparisons([0.1, 0.9], [1.0, 1.0]))
    inks = set(re.findall(r"(?:fill|stroke): ?(#[0-9a-fA-F]{6})", svg))
    assert not inks & {"#444444", "#999999", "#000000", "#ffffff"}
    assert "currentColor" in svg


def test_the_figure_says_what_it_shows_to_those_who_do_not_see_it() -> None:
    svg = claim_svg(plotted(lambda table, ax: ax.set(xlabel=r"trust $\lambda$", ylabel="ratio <")), evidence())
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == root[0].text == "Plot of figures.plotted: ratio < against trust λ"


def test_a_cloud_becomes_an_image_that_keeps_a_rare_colour() -> None:
    def cloud(table: Any, ax: Any) -> None:
        rng = np.random.default_rng(0)
        ax.scatter(rng.random(5000), rng.random(5000), s=4, alpha=0.4)
        ax.scatter([0.5], [0.5], s=60, color=VIOLATION).set_rasterized(True)

    svg = claim_svg(plotted(cloud), evidence())
    (data,) = re.findall(r'href="data:image/png;base64,([^"]+)"', svg)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA")).reshape(-1, 4).astype(int)
    violation = np.array([int(VIOLATION[i : i + 2], 16) for i in (1, 3, 5)])
    assert (np.abs(image[:, :3] - violation).max(axis=1) + (255 - image[:, 3]) <= 12).sum() > 20


def test_a_plot_that_raises_says_so_and_leaves_no_setting_behind() -> None:
    def fails(table: Any, ax: Any) -> None:
        raise RuntimeError("no ink")

    before = dict(matplotlib.rcParams)
    with pytest.raises(RuntimeError, match="no ink"):
        claim_svg(plotted(fails), evidence())
    assert dict(matplotlib.rcParams) == before
