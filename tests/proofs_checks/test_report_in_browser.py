"""The report as a reader sees it: a real browser, laptop and phone, light and dark."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofs_checks.judge import judge
from proofs_checks.registry import load_claims
from proofs_checks.report import ReportWriter, RunFacts
from proofs_checks.validate import ClaimOutcome

pytestmark = pytest.mark.peer

CONTRAST = """element => {
  const channels = text => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  let behind = element;
  while (channels(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const colours = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
  const [a, b] = colours.map(channels).map(luminance);
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of every registered claim at smoke effort, one left pending and one failed on purpose."""
    outcomes = [ClaimOutcome(claim, judge(claim), seconds=1.0) for claim in load_claims()]
    mutant = next(iter(outcomes[0].claim.mutants))
    outcomes[0].evidence = judge(outcomes[0].claim, mutant=mutant)
    outcomes[1].evidence = None
    facts = RunFacts("boundlab validate", "smoke", 0, "then", "now", {"cores": "2"}, {"numpy": "2"}, "f" * 16)
    return ReportWriter(tmp_path_factory.mktemp("report")).write(outcomes, facts)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason='playwright is missing: pip install "boundlab[peers]"')
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next((found for name in names if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium on the path: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture(params=[(1280, "light"), (1280, "dark"), (390, "light"), (360, "dark")], ids=lambda value: str(value))
def page(request: pytest.FixtureRequest, browser: Any, page_file: Path) -> Iterator[Any]:
    """The report, opened; whatever it complains of or asks for is collected."""
    width, scheme = request.param
    opened = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened.complaints, opened.requests = [], []
    opened.on("console", lambda message: opened.complaints.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.on("request", lambda asked: opened.requests.append(asked.url))
    opened.goto(page_file.as_uri())
    yield opened
    opened.close()


def test_the_page_is_quiet_self_contained_and_fits_its_width(page: Any, page_file: Path) -> None:
    assert page.complaints == []
    assert [url for url in page.requests if not url.startswith("data:")] == [page_file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_picture_and_every_formula_takes_up_room(page: Any) -> None:
    empty = "elements => elements.filter(e => e.getBoundingClientRect().width < 2).length"
    assert page.locator("article figure svg").count() >= len(load_claims()) - 1
    assert page.locator("article figure svg").evaluate_all(empty) == 0
    assert page.locator("math").count() > 0
    assert page.locator("math").evaluate_all(empty) == 0
    cut = """svgs => svgs.filter(svg => [...svg.querySelectorAll("text")].some(
      text => text.getBoundingClientRect().right > svg.getBoundingClientRect().right + 1))
      .map(svg => svg.getAttribute("aria-label"))"""
    assert page.locator("article figure svg").evaluate_all(cut) == []


def test_words_and_badges_are_readable_on_what_lies_behind_them(page: Any) -> None:
    for selector in (
        ".lead",
        ".badge.holds",
        ".badge.contradicts",
        ".badge.pending",
        ".badge.refuted",
        ".source",
        "dt",
    ):
        assert page.locator(selector).first.evaluate(CONTRAST) >= 4.5, selector


def test_the_filter_hides_rows_and_sections_and_brings_them_back(page: Any) -> None:
    rows, articles = page.locator("tr[data-verdict]:visible"), page.locator("article:visible")
    everything = rows.count()
    page.select_option("select[name=verdict]", "pending")
    assert (rows.count(), articles.count()) == (1, 1)
    assert page.locator("output").inner_text() == f"1 of {everything} claims"
    page.reload()
    assert rows.count() == 1
    page.select_option("select[name=verdict]", "")
    assert (rows.count(), articles.count()) == (everything, everything)
