"""The report as a reader sees it: a real browser, laptop and phone, light and dark."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from proofs_checks.claim import Claim, Verdict
from proofs_checks.judge import judge
from proofs_checks.registry import load_claims
from proofs_checks.report import ReportWriter, RunFacts
from proofs_checks.report.wording import STATUSES, status_of
from proofs_checks.validate import ClaimOutcome

pytestmark = pytest.mark.peer

FACTS = RunFacts("boundlab validate", "smoke", 0, "then", "now", {"cores": "2"}, {"numpy": "2"}, "f" * 16, ("A note.",))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LONG = (
    r"$\sum_{i=1}^{n} "
    + r" + ".join(rf"\frac{{a_{{{i}}} x^{{{i}}}}}{{1 + b_{{{i}}}}}" for i in range(30))
    + r" \le 1$."
)

# Every element that has text of its own, with its contrast against the nearest ground behind it.
TOO_FAINT = """() => {
  const { TEXT_NODE } = Node;
  const ground = element => getComputedStyle(element).backgroundColor;
  const channels = text => { const c = text.match(/[\\d.]+/g).map(Number); return c.length < 4 ? [...c, 1] : c; };
  const luminance = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some(node => node.nodeType === TEXT_NODE && node.data.trim());
    if (!own || !element.getClientRects().length || element.closest("script, style, title, defs")) continue;
    const style = getComputedStyle(element);
    let behind = element;
    while (behind.parentElement && channels(ground(behind))[3] < 1) behind = behind.parentElement;
    const ink = element.closest("svg") ? style.fill : style.color;
    const [a, b] = [ink, ground(behind)].map(channels).map(luminance);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) faint.push(`${element.outerHTML.slice(0, 80)} in ${ink}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(faint)];
}"""


def changed(claim: Claim, **fields: Any) -> Claim:
    return Claim(**{name: getattr(claim, name) for name in Claim.__slots__} | fields)


@pytest.fixture(scope="module")
def outcomes() -> list[ClaimOutcome]:
    """Every registered claim at smoke effort, and a copy of one of them in every state there is."""
    found = [ClaimOutcome(claim, judge(claim), seconds=1.0) for claim in load_claims()]
    claim, evidence = found[0].claim, found[0].evidence
    assert evidence is not None
    mutant = next(iter(claim.mutants))
    convicted = judge(claim, mutant=mutant)
    for verdict in get_args(Verdict):
        for expect in ("holds", "violated"):
            name = f"states.a_name_longer_than_any_name_has_a_right_to_be.{verdict.replace(' ', '_')}_{expect}"
            copy = changed(claim, id=name, expect=expect, paper="states")
            found.append(ClaimOutcome(copy, replace(evidence, verdict=verdict), {mutant: convicted}, seconds=1.0))
    found.append(ClaimOutcome(changed(claim, id="states.pending", paper="states", statement=f"Pending {LONG}")))
    return found


@pytest.fixture(scope="module")
def page_file(outcomes: list[ClaimOutcome], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report, written."""
    return ReportWriter(tmp_path_factory.mktemp("report")).write(outcomes, FACTS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason='playwright is missing: pip install "boundlab[peers]"')
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is on the path: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture(
    scope="module",
    params=[(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"), (360, "light")],
    ids=lambda value: f"{value[0]}-{value[1]}",
)
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
    assert {url for url in page.requests if not url.startswith("data:")} == {page_file.as_uri()}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_picture_and_every_formula_takes_up_room(page: Any, outcomes: list[ClaimOutcome]) -> None:
    room = "elements => elements.map(e => e.getBoundingClientRect()).filter(r => r.width > 1 && r.height > 1).length"
    pictures = page.locator("article figure svg")
    assert pictures.count() == sum(outcome.evidence is not None for outcome in outcomes)
    assert pictures.evaluate_all(room) == pictures.count()
    assert page.locator("math").count() > len(outcomes)
    assert page.locator("math").evaluate_all(room) == page.locator("math").count()


def test_no_label_of_a_picture_is_cut_off(page: Any) -> None:
    # The box of a formula is taller than its ink, so only plain labels are measured.
    cut = """svgs => svgs.filter(svg => {
      const frame = svg.getBoundingClientRect(), plain = [...svg.querySelectorAll("text:not(:has(tspan))")];
      return plain.map(text => text.getBoundingClientRect()).some(box => Math.max(
        box.right - frame.right, frame.left - box.left, box.bottom - frame.bottom, frame.top - box.top) > 1);
    }).map(svg => svg.getAttribute("aria-label"))"""
    assert page.locator("article figure svg").evaluate_all(cut) == []


def test_all_words_are_readable_on_what_lies_behind_them(page: Any) -> None:
    assert {*page.locator(".badge").evaluate_all("es => es.map(e => e.classList[1])")} >= {s.name for s in STATUSES}
    assert page.evaluate(TOO_FAINT) == []


def test_the_filter_hides_rows_and_sections_and_brings_them_back(page: Any, outcomes: list[ClaimOutcome]) -> None:
    rows, articles = page.locator("tr[data-verdict]:visible"), page.locator("article:visible")
    names = [status_of(outcome.claim, outcome.evidence).name for outcome in outcomes]
    assert rows.count() == articles.count() == len(outcomes)
    page.select_option("select[name=verdict]", "holds")
    assert rows.count() == articles.count() == names.count("holds")
    assert page.locator("output").inner_text() == f"{names.count('holds')} of {len(outcomes)} claims"
    page.select_option("select[name=topic]", "states")
    assert rows.count() == articles.count() == 1
    assert page.locator("section.paper:visible").count() == page.locator("tbody:visible").count() == 1
    page.reload()
    assert rows.count() == 1
    page.select_option("select[name=verdict]", "")
    page.select_option("select[name=topic]", "")
    assert rows.count() == articles.count() == len(outcomes)


def test_a_row_leads_to_its_section_and_a_tab_key_shows_where_it_is(page: Any, outcomes: list[ClaimOutcome]) -> None:
    name = outcomes[-1].claim.id
    page.locator(f'th[scope=row] a[href="#{name}"]').click()
    assert page.url.endswith(f"#{name}")
    top = "name => document.getElementById(name).getBoundingClientRect().top"
    page.wait_for_function(f"name => {{ const top = ({top})(name); return top > -2 && top < 900; }}", arg=name)
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_everything_is_shown_to_a_browser_without_scripts(
    browser: Any, page_file: Path, outcomes: list[ClaimOutcome]
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(page_file.as_uri())
        assert page.locator("tr[data-verdict]:visible").count() == len(outcomes)
        assert page.locator("article:visible").count() == len(outcomes)
        assert page.locator("form:visible").count() == 0


def test_a_command_is_copied(browser: Any, page_file: Path) -> None:
    with browser.new_context(permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        page.goto(page_file.as_uri())
        item = page.locator(".commands li").first
        item.get_by_role("button").click()
        page.wait_for_function("button => button.textContent === 'copied'", arg=item.locator("button").element_handle())
        assert page.evaluate("navigator.clipboard.readText()") == item.locator("code").inner_text()


def test_the_reader_keeps_place_and_filter_while_the_page_renews_itself(
    browser: Any, outcomes: list[ClaimOutcome], tmp_path: Path
) -> None:
    file = ReportWriter(tmp_path).write(outcomes[-4:], replace(FACTS, finished=None))
    text = file.read_text()
    assert 'http-equiv="refresh" content="5"' in text
    file.write_text(text.replace('http-equiv="refresh" content="5"', 'http-equiv="refresh" content="1"'))
    page = browser.new_page(viewport={"width": 1280, "height": 700})
    page.goto(file.as_uri())
    page.select_option("select[name=verdict]", "error")
    page.evaluate("scrollTo({top: 600, behavior: 'instant'}); window.before = true")
    page.wait_for_function("() => window.before === undefined && document.readyState === 'complete'")
    assert page.locator("tr[data-verdict]:visible").count() == 2
    page.wait_for_function("() => Math.abs(scrollY - 600) < 2")
    page.close()
