"""The page: one HTML file with everything in it, rendered from templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from proofs_checks.claim import Claim
from proofs_checks.papers import PAPERS
from proofs_checks.report.wording import STATUSES, number, seconds, status_of
from proofs_checks.validate import ClaimOutcome

__all__ = ["PageSection", "RunFacts", "render_page", "render_section"]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the page tells of the run itself.

    Parameters
    ----------
    command, effort, seed
        What was asked for.
    started, finished : str
        UTC; `finished` is None while the run goes on.
    machine, versions : dict of str to str
        Where it ran.
    fingerprint : str
        Of the code.
    notes : tuple of str
        What a reader should know.
    source : str or None
        The user's claim file, for the replay commands.
    """

    command: str
    effort: str
    seed: int
    started: str
    finished: str | None
    machine: dict[str, str]
    versions: dict[str, str]
    fingerprint: str
    notes: tuple[str, ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class PageSection:
    """The rendered section of one claim.

    Parameters
    ----------
    paper : str
        Key of the paper it belongs to.
    html : str
        The section.
    """

    paper: str
    html: str


def render_page(
    outcomes: Sequence[ClaimOutcome], sections: Iterable[PageSection], facts: RunFacts, folder: str = "build/report"
) -> str:
    """Return the whole page.

    Parameters
    ----------
    outcomes : sequence of ClaimOutcome
        In the order of the table.
    sections : iterable of PageSection
        One a claim, in the same order.
    facts : RunFacts
        Of the run.
    folder : str
        Where the page lies.

    Returns
    -------
    str
        HTML without any outside resource.
    """
    rows = [_row(outcome) for outcome in outcomes]
    counts = {status.name: sum(row["status"].name == status.name for row in rows) for status in STATUSES}
    judged = sum(len(outcome.mutants) for outcome in outcomes)
    papers: dict[str, list[str]] = {}
    for section in sections:
        papers.setdefault(section.paper, []).append(section.html)
    return str(
        _templates()
        .get_template("page.html.j2")
        .render(
            facts=facts,
            rows=rows,
            statuses=[status for status in STATUSES if counts[status.name]],
            counts=counts,
            done=len(rows) - counts["pending"],
            mutants_judged=judged,
            mutants_convicted=judged - sum(len(outcome.surviving) for outcome in outcomes),
            surviving=[(outcome.claim.id, name) for outcome in outcomes for name in outcome.surviving],
            topics=sorted({outcome.claim.topic for outcome in outcomes}),
            papers=[(key, PAPERS.get(key), htmls) for key, htmls in papers.items()],
            folder=folder,
        )
    )


def render_section(outcome: ClaimOutcome, facts: RunFacts, picture: str, picture_error: str, folder: str) -> str:
    """Return the section of one claim.

    Parameters
    ----------
    outcome : ClaimOutcome
        The claim and what is known of it.
    facts : RunFacts
        Of the run.
    picture : str
        Its ``<svg>``, or nothing.
    picture_error : str
        What the plot raised, or nothing.
    folder : str
        Where the page lies.

    Returns
    -------
    str
        HTML.
    """
    return str(
        _templates()
        .get_template("section.html.j2")
        .render(
            row=_row(outcome),
            claim=outcome.claim,
            evidence=outcome.evidence,
            mutants=sorted(outcome.mutants.items()),
            surviving=outcome.surviving,
            picture=picture,
            picture_error=picture_error,
            commands=_commands(outcome, facts, folder),
        )
    )


def _row(outcome: ClaimOutcome) -> dict[str, Any]:
    claim = outcome.claim
    return {
        "claim": claim,
        "evidence": outcome.evidence,
        "status": status_of(claim, outcome.evidence),
        "anchor": claim.id,
        "surviving": len(outcome.surviving),
        "judged": len(outcome.mutants),
        "seconds": outcome.seconds,
    }


def _commands(outcome: ClaimOutcome, facts: RunFacts, folder: str) -> list[tuple[str, str]]:
    claim: Claim = outcome.claim
    file = f" --claims {facts.source}" if facts.source else ""
    run = f"boundlab check {facts.source} {claim.id}" if facts.source else f"boundlab validate {claim.id}"
    commands = [("run it again", f"{run} --effort {facts.effort} --seed {facts.seed} --mutants")]
    if outcome.evidence is not None and outcome.evidence.worst is not None:
        commands.insert(0, ("replay the worst case", f"boundlab replay {folder}/replay/{claim.id}.json{file}"))
        commands.append(("try to break it", f"boundlab falsify {claim.id}{file}"))
    return commands


@cache
def _templates() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from proofs_checks.report.mathematics import statement_html

    environment = Environment(
        loader=PackageLoader("proofs_checks.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": number,
        "seconds": seconds,
        "thousands": lambda count: f"{count:,}".replace(",", "\u202f"),
        "mathematics": lambda text: Markup(statement_html(text)),
        "ready": Markup,
    }
    return environment
