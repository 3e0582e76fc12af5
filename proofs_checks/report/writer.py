"""Writes the page again after every verdict; a claim's section is rendered once and kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from proofs_checks.records.evidence import Evidence
from proofs_checks.records.storage import write_atomically
from proofs_checks.report.figure import claim_svg
from proofs_checks.report.page import PageSection, RunFacts, render_page, render_section
from proofs_checks.validate import ClaimOutcome

__all__ = ["ReportWriter"]


class ReportWriter:
    """Keeps ``index.html`` of a folder up to date.

    Parameters
    ----------
    folder : Path
        Where the page goes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pictures: dict[str, tuple[Evidence, str, str]] = {}
        self._sections: dict[str, tuple[list[Evidence | None], str]] = {}

    def write(self, outcomes: Sequence[ClaimOutcome], facts: RunFacts) -> Path:
        """Write the page, atomically: a browser never sees half of it.

        Parameters
        ----------
        outcomes : sequence of ClaimOutcome
            All claims of the run; those without evidence are shown as pending.
        facts : RunFacts
            Of the run.

        Returns
        -------
        Path
            The page.
        """
        page = self.folder / "index.html"
        sections = [PageSection(outcome.claim.paper, self._section(outcome, facts)) for outcome in outcomes]
        write_atomically(page, render_page(outcomes, sections, facts).encode())
        return page

    def _section(self, outcome: ClaimOutcome, facts: RunFacts) -> str:
        shown = [outcome.evidence, *outcome.mutants.values()]
        kept = self._sections.get(outcome.claim.id)
        if kept is None or not _same(kept[0], shown):
            picture, error = self._picture(outcome)
            kept = (shown, render_section(outcome, facts, picture, error, str(self.folder)))
            self._sections[outcome.claim.id] = kept
        return kept[1]

    def _picture(self, outcome: ClaimOutcome) -> tuple[str, str]:
        evidence = outcome.evidence
        if evidence is None or not (evidence.table or evidence.interval):
            return "", ""
        kept = self._pictures.get(outcome.claim.id)
        if kept is None or kept[0] is not evidence:
            try:
                picture, error = claim_svg(outcome.claim, evidence), ""
            except (
                Exception,
                SystemExit,
            ) as failure:  # a plot must not cost the reader the numbers: the page says what it raised
                picture, error = "", f"{type(failure).__name__}: {failure}"
            kept = self._pictures[outcome.claim.id] = (evidence, picture, error)
        return kept[1], kept[2]


def _same(left: Sequence[Evidence | None], right: Sequence[Evidence | None]) -> bool:
    """By identity: equality does not look at the table, and NaN is not equal to itself."""
    return len(left) == len(right) and all(one is other for one, other in zip(left, right, strict=True))
