from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from proofs_checks.claim import Claim
from proofs_checks.judge import error_evidence, judge, not_run
from proofs_checks.registry import load_claims
from proofs_checks.report import ReportWriter, RunFacts
from proofs_checks.report.mathematics import statement_html
from proofs_checks.report.wording import status_of
from proofs_checks.validate import ClaimOutcome

FACTS = RunFacts("boundlab check <x>", "smoke", 0, "then", "now", {"cores": "2"}, {"numpy": "2"}, "f" * 16, ("a note",))
VOID = {"meta", "link", "br", "wbr", "input", "hr", "img", "path", "use", "mspace"}


class Page(HTMLParser):
    """Checks nesting and collects ids, links and addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.addresses: list[tuple[str, str]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"][1:]] if named.get("href", "").startswith("#") else []
        self.addresses += [(tag, named[name]) for name in ("src", "href", "xlink:href") if name in named]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


@pytest.fixture
def outcomes(claim_file: Path) -> list[ClaimOutcome]:
    """A stranger's claims in every state that a claim can be in."""
    means, reached, coin, squares, false = (
        {claim.id: claim for claim in load_claims((), claim_file)}[name]
        for name in ("means.arithmetic_geometric", "means.reached", "coins.fair", "cases.squares", "means.false")
    )
    seen = [ClaimOutcome(claim, judge(claim), seconds=1.0) for claim in (means, reached, coin, squares, false)]
    seen[0].mutants = {name: judge(means, mutant=name) for name in means.mutants}
    seen[1].evidence = judge(reached, mutant="one short")
    seen[2].evidence = not_run(coin, effort="smoke", seed=0, missing=["torch"])
    seen[3].evidence = error_evidence(squares, effort="smoke", seed=0, error="ZeroDivisionError: <b>by zero</b>")
    return [*seen, ClaimOutcome(renamed(means, "means.pending"))]


def renamed(claim: Claim, name: str, statement: str = "Pending.") -> Claim:
    fields = ("kind", "paper", "source", "subject", "trial", "mutants")
    return Claim(id=name, statement=statement, **{field: getattr(claim, field) for field in fields})


def written(outcomes: list[ClaimOutcome], folder: Path) -> str:
    return ReportWriter(folder).write(outcomes, FACTS).read_text()


def test_the_page_is_well_formed_with_unique_ids_and_no_dangling_link(
    outcomes: list[ClaimOutcome], tmp_path: Path
) -> None:
    page = Page(written(outcomes, tmp_path))
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)


def test_the_page_loads_nothing_from_outside(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    text = written(outcomes, tmp_path)
    outside = [pair for pair in Page(text).addresses if pair[1].startswith(("http", "//")) and pair[0] != "a"]
    assert outside == []
    assert not re.search(r"@import|url\((?!#)", text)


def test_every_state_is_named_with_a_word_and_not_by_colour_alone(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    text = written(outcomes, tmp_path)
    states = [status_of(outcome.claim, outcome.evidence).label for outcome in outcomes]
    assert states == ["holds", "contradicts", "not run", "error", "refuted, as expected", "pending"]
    for state in states:
        assert f"1 {state}" in " ".join(text.split())


def test_what_the_user_wrote_is_shown_and_never_obeyed(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    outcomes.append(ClaimOutcome(renamed(outcomes[0].claim, "means.hostile", "<script>alert(1)</script> $x<y$")))
    text = written(outcomes, tmp_path)
    assert "<script>alert" not in text
    assert "<b>by zero" not in text
    assert "boundlab check &lt;x&gt;" in text


def test_an_always_claim_reads_no_violation_and_never_proved(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    article = written(outcomes, tmp_path).split('<article id="means.arithmetic_geometric"')[1].split("</article>")[0]
    assert "No violation on 42 instances" in article
    assert "proved" not in article


def test_every_judged_claim_has_its_picture_and_its_commands(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    text = written(outcomes, tmp_path)
    for outcome in outcomes:
        article = text.split(f'<article id="{outcome.claim.id}"')[1].split("</article>")[0]
        assert ("<svg" in article) == bool(outcome.evidence is not None and outcome.evidence.table)
        assert f"boundlab validate {outcome.claim.id} --effort smoke --seed 0" in article


def test_the_page_renews_itself_only_while_the_run_goes_on(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    assert 'http-equiv="refresh"' not in written(outcomes, tmp_path)
    going_on = RunFacts("x", "smoke", 0, "then", None, {}, {}, "f")
    assert 'http-equiv="refresh"' in ReportWriter(tmp_path).write(outcomes, going_on).read_text()


def test_the_same_run_gives_the_same_bytes(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    assert written(outcomes, tmp_path) == written(outcomes, tmp_path)


def test_a_plot_that_raises_costs_its_picture_and_nothing_else(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    def plot(table: object, ax: object) -> None:
        raise RuntimeError("no ink")

    claim = outcomes[0].claim
    broken = Claim(**{name: getattr(claim, name) for name in Claim.__slots__} | {"plot": plot})  # type: ignore[arg-type]
    outcomes[0] = ClaimOutcome(broken, outcomes[0].evidence)
    text = written(outcomes, tmp_path)
    assert "The plot could not be drawn: RuntimeError: no ink" in text
    assert "No violation on 42 instances" in text


def test_a_surviving_mutant_is_an_alarm_at_the_top(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    outcomes[0].mutants["harmless"] = judge(outcomes[0].claim)
    header = written(outcomes, tmp_path).split("</header>")[0]
    assert "The mutant “harmless” of" in header
    assert "2 of 3 mutants convicted" in " ".join(header.split())


@pytest.mark.parametrize("latex", [r"\frac{1}{", r"\undefined{x}", r"\begin{cases}"])
def test_broken_latex_stays_readable(latex: str) -> None:
    html = statement_html(f"see ${latex}$ there")
    assert html.startswith("<p>see ")
    assert html.endswith(" there</p>")


def test_every_registered_statement_becomes_mathml_without_leftover_latex() -> None:
    for claim in load_claims():
        for text in (claim.statement, *claim.assumptions):
            html = re.sub(r"<code>.*?</code>", "", statement_html(text), flags=re.S)
            assert "\\" not in html, (claim.id, html)
            assert "$" not in html, (claim.id, html)
