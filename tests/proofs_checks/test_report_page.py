from __future__ import annotations

import html
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from proofs_checks.claim import Claim, Decision, EveryInstance, Kind, Repeated, Sides, Verdict
from proofs_checks.judge import Sitting, error_evidence, judge, not_run
from proofs_checks.records.evidence import Evidence, WorstCase
from proofs_checks.registry import load_claims
from proofs_checks.report import ReportWriter, RunFacts, writer
from proofs_checks.report.wording import STATUSES, status_of
from proofs_checks.validate import ClaimOutcome

FACTS = RunFacts("boundlab check <x>", "smoke", 0, "then", "now", {"cores": "2"}, {"numpy": "2"}, "f" * 16, ("a note",))
GOING_ON = replace(FACTS, finished=None)
PER_INSTANCE = ("always", "law", "tightness")
VOID = {"meta", "link", "br", "wbr", "input", "hr", "img"}


class Page(HTMLParser):
    """Checks nesting and collects ids, links, addresses and the order of the headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.addresses: list[tuple[str, str]] = []
        self.headings: list[int] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"][1:]] if named.get("href", "").startswith("#") else []
        self.addresses += [
            (tag, named[name]) for name in ("src", "href", "xlink:href", "data", "action") if name in named
        ]
        self.headings += [int(tag[1])] if re.fullmatch(r"h\d", tag) else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def claim_of(kind: Kind, name: str, **fields: Any) -> Claim:
    """A claim of a kind; nothing of it is ever run."""
    trial: Any = Repeated(
        lambda subject, rng, effort: {"value": 0.0},
        {"smoke": 1, "quick": 1, "full": 1},
        lambda table: Decision("holds", 0, 1, (0, 1), ""),
    )
    if kind in PER_INSTANCE:
        reaches = 0.9 if kind == "tightness" else None
        trial = EveryInstance(lambda rng: 0, lambda subject, instance: Sides(0, 1), reaches=reaches)
    common: dict[str, Any] = {"paper": "nobody2000", "source": "Theorem 1", "statement": r"$\sqrt{x} \le 1$."}
    common |= {"subject": None, "mutants": {"broken": None}, "assumptions": ("$x$ is a number.",)}
    return Claim(id=f"{name}.{kind}", kind=kind, trial=trial, **(common | fields))


def evidence_of(claim: Claim, verdict: Verdict, **facts: Any) -> Evidence:
    """What a trial of the claim may have found."""
    plain: dict[str, Any] = {"claim": claim.id, "mutant": "", "kind": claim.kind, "expect": claim.expect}
    plain |= {"effort": "smoke", "seed": 0, "fingerprint": "f", "verdict": verdict, "sentence": f"It {verdict}."}
    if verdict in ("not run", "error"):
        return Evidence(**plain)
    measured = 1.5 if verdict == "violated" else 0.4
    plain |= {"instances": 1234, "measured": measured, "bound": 1.0}
    if claim.kind in PER_INSTANCE:
        worst = WorstCase(1, 7, (3, 1), "Pair(a=1, b=2)", {"a": 1, "b": [1, 2]}, measured, 1.0)
        table = {"measured": np.array([0.2, measured]), "bound": np.ones(2)}
        return Evidence(**plain | {"tightness": measured, "worst": worst, "table": table} | facts)
    interval = (measured - 0.1, measured + 0.1)
    table = {"value": np.array([0.0, 1.0])}
    return Evidence(**plain | {"interval": interval, "confidence": 1 - 1e-6, "table": table} | facts)


def every_kind_and_verdict() -> list[ClaimOutcome]:
    number = count()
    outcomes = []
    for kind in get_args(Kind):
        for verdict in get_args(Verdict):
            for expect in ("holds", "violated"):
                claim = claim_of(kind, f"topic{next(number) % 3}.{verdict.replace(' ', '_')}_{expect}", expect=expect)
                mutant = {"broken": evidence_of(claim, "violated" if expect == "holds" else "holds")}
                outcomes.append(ClaimOutcome(claim, evidence_of(claim, verdict), mutant, seconds=1.0))
        outcomes.append(ClaimOutcome(claim_of(kind, "topic0.pending")))
    return outcomes


@pytest.fixture
def outcomes(claim_file: Path) -> list[ClaimOutcome]:
    """A stranger's claims, judged, in every state that a claim can be in."""
    means, reached, coin, squares, false = (
        {claim.id: claim for claim in load_claims((), claim_file)}[name]
        for name in ("means.arithmetic_geometric", "means.reached", "coins.fair", "cases.squares", "means.false")
    )
    seen = [ClaimOutcome(claim, judge(claim), seconds=1.0) for claim in (means, reached, coin, squares, false)]
    seen[0].mutants = {name: judge(means, mutant=name) for name in means.mutants}
    seen[1].evidence = judge(reached, mutant="one short")
    seen[2].evidence = not_run(coin, Sitting("smoke", 0), ["torch"])
    seen[3].evidence = error_evidence(squares, Sitting("smoke", 0), "ZeroDivisionError: <b>by zero</b>")
    return [*seen, ClaimOutcome(claim_of("always", "means.pending"))]


def written(outcomes: list[ClaimOutcome], folder: Path, facts: RunFacts = FACTS) -> str:
    return ReportWriter(folder).write(outcomes, facts).read_text()


def article(text: str, claim: Claim) -> str:
    return text.split(f'<article id="{claim.id}"')[1].split("</article>")[0]


def words(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup.replace("</dt>", "</dt> "))).split())


def test_every_kind_with_every_verdict_makes_a_sound_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "claim_svg", lambda claim, evidence: f'<svg id="{claim.id}-svg"></svg>')
    outcomes = every_kind_and_verdict()
    text = written(outcomes, tmp_path)
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)
    assert page.headings[:2] == [1, 2]
    assert all(later - earlier <= 1 for earlier, later in zip(page.headings, page.headings[1:], strict=False))
    for outcome in outcomes:
        assert status_of(outcome.claim, outcome.evidence).label in words(article(text, outcome.claim))
    assert text.count('<tr role="row" data-verdict') == len(outcomes)


def test_the_summary_counts_every_status_and_the_mutants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "claim_svg", lambda claim, evidence: "<svg></svg>")
    outcomes = every_kind_and_verdict()
    summary = written(outcomes, tmp_path).split('<ul class="summary"')[1].split("</ul>")[0]
    told = [words(item) for item in re.findall(r"<li.*?</li>", summary, re.S)]
    states = [status_of(outcome.claim, outcome.evidence).name for outcome in outcomes]
    assert told[:-1] == [f"{states.count(status.name)} {status.counted}" for status in STATUSES]
    assert told[-1] == "70 of 70 mutants convicted"
    assert [states.count(status.name) for status in STATUSES] == [7, 7, 14, 14, 14, 7, 14]


def test_a_real_page_is_sound_and_loads_nothing_from_outside(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    text = written(outcomes, tmp_path)
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)
    outside = [pair for pair in page.addresses if not pair[1].startswith(("#", "data:")) and pair[0] != "a"]
    assert outside == []
    assert not re.search(r"@import|url\((?!#)", text)
    assert "default-src 'none'" in text


def test_what_the_user_wrote_is_shown_and_never_obeyed(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    hostile = r"<script>alert(1)</script> $x<y$ $\text{<script>alert(1)</script>}$"
    outcomes.append(ClaimOutcome(claim_of("always", "means.hostile", statement=hostile, source="<script>alert(1)")))
    text = written(outcomes, tmp_path)
    assert "<script>alert" not in text
    assert "<b>by zero" not in text
    assert "boundlab check &lt;x&gt;" in text


def test_an_always_claim_reads_no_violation_and_never_proved(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    section = article(written(outcomes, tmp_path), outcomes[0].claim)
    assert "No violation on 42 instances" in section
    assert "proved" not in section


def test_a_section_tells_the_numbers_the_interval_and_its_confidence(tmp_path: Path) -> None:
    claim = claim_of("probability", "topic")
    section = words(article(written([ClaimOutcome(claim, evidence_of(claim, "holds"))], tmp_path), claim))
    for told in ("measured 0.4", "bound 1", "interval 0.3 to 0.5", "confidence 1 − 10⁻⁶", "rows 1 234"):
        assert told in section
    assert "Theorem 1 · probability" in section
    assert "not tried broken" in section


def test_a_loose_bound_is_flagged_in_the_table_and_in_its_section(tmp_path: Path) -> None:
    claim = claim_of("always", "topic")
    text = written([ClaimOutcome(claim, evidence_of(claim, "holds"))], tmp_path)
    assert text.count('<span class="loose">loose</span> 0.4') == 2
    tight = written([ClaimOutcome(claim, evidence_of(claim, "holds", tightness=0.5))], tmp_path)
    assert '<span class="loose">' not in tight


def test_a_violation_that_rounding_would_hide_is_told_by_its_size(tmp_path: Path) -> None:
    claim = claim_of("always", "topic")
    found = evidence_of(claim, "violated", measured=1.000002, bound=1.0)
    assert "beyond by 2 × 10⁻⁶" in words(article(written([ClaimOutcome(claim, found)], tmp_path), claim))


def test_the_worst_case_is_described_and_written_out_where_it_is_small(tmp_path: Path) -> None:
    claim = claim_of("always", "topic")
    found = evidence_of(claim, "holds")
    section = article(written([ClaimOutcome(claim, found)], tmp_path), claim)
    assert "Pair(a=1, b=2)" in section
    assert "&#34;b&#34;: [1, 2]" in section
    assert found.worst is not None
    large = replace(found, worst=replace(found.worst, instance=None))
    assert "Too large to be written out" in article(written([ClaimOutcome(claim, large)], tmp_path), claim)


def test_every_section_has_the_commands_that_a_shell_understands(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    folder.mkdir()
    text = written(outcomes, folder)
    for outcome in outcomes:
        section = html.unescape(article(text, outcome.claim))
        assert f"boundlab validate {outcome.claim.id} --effort smoke --seed 0" in section
        replayed = f"boundlab replay '{folder}/replay/{outcome.claim.id}.json'" in section
        assert replayed == (outcome.evidence is not None and outcome.evidence.worst is not None)
        assert ("boundlab falsify" in section) == isinstance(outcome.claim.trial, EveryInstance)
    foreign = html.unescape(written(outcomes, folder, replace(FACTS, source="my claims.py")))
    assert "boundlab check 'my claims.py' means.reached --effort smoke" in foreign
    assert f"boundlab replay '{folder}/replay/means.reached.json' --claims 'my claims.py'" in foreign


def test_every_judged_claim_has_its_picture(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    text = written(outcomes, tmp_path)
    for outcome in outcomes:
        drawn = outcome.evidence is not None and bool(outcome.evidence.table)
        assert ("<svg" in article(text, outcome.claim)) == drawn


def test_the_page_renews_itself_only_while_the_run_goes_on(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    assert 'http-equiv="refresh"' not in written(outcomes, tmp_path)
    going_on = written(outcomes, tmp_path, GOING_ON)
    assert 'http-equiv="refresh"' in going_on
    assert '<progress max="6" value="5"' in going_on
    assert "<progress" not in written(outcomes[:-1], tmp_path, GOING_ON)


def test_the_same_run_gives_the_same_bytes(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    assert written(outcomes, tmp_path) == written(outcomes, tmp_path)


def test_a_claim_is_drawn_once_and_again_only_for_new_evidence(
    outcomes: list[ClaimOutcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(claim: Claim, evidence: Evidence) -> str:
        drawn.append(claim.id)
        return "<svg></svg>"

    monkeypatch.setattr(writer, "claim_svg", draw)
    report = ReportWriter(tmp_path)
    for _ in range(3):
        report.write(outcomes, GOING_ON)
    assert sorted(drawn) == ["means.arithmetic_geometric", "means.false", "means.reached"]
    assert outcomes[0].evidence is not None
    outcomes[0].evidence = replace(outcomes[0].evidence, sentence="Found anew.")
    assert "Found anew." in report.write(outcomes, FACTS).read_text()
    assert drawn[3:] == ["means.arithmetic_geometric"]
    outcomes[4].mutants["minimum"] = judge(outcomes[4].claim, mutant="minimum")
    assert "convicted minimum" in words(article(report.write(outcomes, FACTS).read_text(), outcomes[4].claim))
    assert len(drawn) == 4
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["index.html"]


def test_a_verdict_on_a_mutant_reaches_the_section(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    report = ReportWriter(tmp_path)
    outcomes[1].mutants = {}
    assert "not tried one short" in words(article(report.write(outcomes, FACTS).read_text(), outcomes[1].claim))
    outcomes[1].mutants = {"one short": judge(outcomes[1].claim, mutant="one short")}
    assert "convicted one short" in words(article(report.write(outcomes, FACTS).read_text(), outcomes[1].claim))


def test_a_plot_that_raises_costs_its_picture_and_nothing_else(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    def plot(table: object, ax: object) -> None:
        raise RuntimeError("no ink")

    claim = outcomes[0].claim
    broken = Claim(**{name: getattr(claim, name) for name in Claim.__slots__} | {"plot": plot})
    outcomes[0] = ClaimOutcome(broken, outcomes[0].evidence)
    text = written(outcomes, tmp_path)
    assert "The plot could not be drawn: RuntimeError: no ink" in text
    assert "No violation on 42 instances" in text


def test_bad_news_stands_at_the_top(outcomes: list[ClaimOutcome], tmp_path: Path) -> None:
    outcomes[0].mutants["harmless"] = judge(outcomes[0].claim)
    header = words(written(outcomes, tmp_path).split("</header>")[0])
    assert "So far, 1 claim contradicts what is expected of it, 1 stopped with an error, 1 broken variant" in header
    assert "means.reached contradicts: " in header
    assert "cases.squares stopped: " in header
    assert "The mutant “harmless” of means.arithmetic_geometric survived" in header
    assert "2 of 3 mutants convicted" in header


def test_a_mutant_that_was_not_run_counts_as_neither_convicted_nor_surviving(tmp_path: Path) -> None:
    claim = claim_of("always", "topic")
    outcome = ClaimOutcome(claim, evidence_of(claim, "holds"), {"broken": evidence_of(claim, "not run")})
    text = written([outcome], tmp_path)
    assert "0 of 1 mutants convicted" in words(text)
    assert "survived" not in text
    assert "not run broken" in words(article(text, claim))


def test_a_paper_that_is_not_in_the_list_is_called_by_its_key(tmp_path: Path) -> None:
    known, unknown = claim_of("always", "a", paper="daneshvaramoli2025"), claim_of("always", "b")
    text = written([ClaimOutcome(known), ClaimOutcome(unknown)], tmp_path)
    assert '<h2 id="heading-nobody2000">nobody2000</h2>' in text
    assert "First version (2024): Competitive Algorithms for Online Knapsack" in text
