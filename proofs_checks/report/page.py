"""The page: one HTML file with everything in it, rendered from templates."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from proofs_checks.claim import EveryInstance
from proofs_checks.papers import PAPERS
from proofs_checks.report.wording import (
    STATUSES,
    confidence,
    headline,
    literal,
    moment,
    number,
    seconds,
    status_of,
    thousands,
)
from proofs_checks.validate import ClaimOutcome

__all__ = ["PageSection", "RunFacts", "render_page", "render_section"]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the page tells of the run itself.

    Parameters
    ----------
    command, effort : str
        What was asked for.
    seed : int
        Of every stream.
    started : str
        UTC.
    finished : str or None
        UTC; None while the run goes on, and then the page renews itself.
    machine, versions : mapping of str to str
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
    machine: Mapping[str, str]
    versions: Mapping[str, str]
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


def render_page(outcomes: Sequence[ClaimOutcome], sections: Iterable[PageSection], facts: RunFacts) -> str:
    """Return the whole page.

    Parameters
    ----------
    outcomes : sequence of ClaimOutcome
        In the order of the table.
    sections : iterable of PageSection
        One a claim, in the same order.
    facts : RunFacts
        Of the run.

    Returns
    -------
    str
        HTML without any outside resource.
    """
    rows = [_row(outcome) for outcome in outcomes]
    counts: dict[str, int] = {
        status.name: sum(row["status"].name == status.name for row in rows) for status in STATUSES
    }
    judged = sum(len(outcome.mutants) for outcome in outcomes)
    surviving = [(outcome.claim.id, name) for outcome in outcomes for name in outcome.surviving]
    papers: dict[str, list[tuple[dict[str, Any], str]]] = {}
    for row, section in zip(rows, sections, strict=True):
        papers.setdefault(section.paper, []).append((row, section.html))
    return str(
        _templates()
        .get_template("page.html.j2")
        .render(
            facts=facts,
            rows=rows,
            statuses=STATUSES,
            counts=counts,
            headline=headline(counts, len(surviving)),
            done=len(rows) - counts["pending"],
            mutants_judged=judged,
            mutants_convicted=sum(row["convicted"] for row in rows),
            surviving=surviving,
            topics=sorted({outcome.claim.topic for outcome in outcomes}),
            papers=[(key, PAPERS.get(key), entries) for key, entries in papers.items()],
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
            mutants=[(name, outcome.mutants.get(name)) for name in _mutant_names(outcome)],
            surviving=outcome.surviving,
            picture=picture,
            picture_error=picture_error,
            commands=_commands(outcome, facts, folder),
        )
    )


def _row(outcome: ClaimOutcome) -> dict[str, Any]:
    claim = outcome.claim
    not_run = sum(found.verdict == "not run" for found in outcome.mutants.values())
    return {
        "claim": claim,
        "name": claim.id.removeprefix(f"{claim.topic}."),
        "evidence": outcome.evidence,
        "status": status_of(claim, outcome.evidence),
        "convicted": len(outcome.mutants) - len(outcome.surviving) - not_run,
        "judged": len(outcome.mutants),
        "seconds": outcome.seconds,
    }


def _mutant_names(outcome: ClaimOutcome) -> list[str]:
    """Those of the claim, in its order, then any other that was judged."""
    return [*outcome.claim.mutants, *sorted(set(outcome.mutants) - set(outcome.claim.mutants))]


def _commands(outcome: ClaimOutcome, facts: RunFacts, folder: str) -> list[tuple[str, str]]:
    claim = outcome.claim
    source = [] if facts.source is None else ["--claims", facts.source]
    run = ["validate", claim.id] if facts.source is None else ["check", facts.source, claim.id]
    mutants = ["--mutants"] if claim.mutants else []
    commands = [("run it again", [*run, "--effort", facts.effort, "--seed", str(facts.seed), *mutants])]
    if outcome.evidence is not None and outcome.evidence.worst is not None:
        commands.insert(0, ("replay the worst case", ["replay", f"{folder}/replay/{claim.id}.json", *source]))
    if isinstance(claim.trial, EveryInstance):
        commands.append(("try to break it", ["falsify", claim.id, *source]))
    return [(label, shlex.join(["boundlab", *words])) for label, words in commands]


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
        "thousands": thousands,
        "confidence": confidence,
        "moment": moment,
        "literal": literal,
        "mathematics": lambda text: Markup(statement_html(text)),
        "breakable": lambda name: Markup(name.replace(".", ".<wbr>")),
        "ready": Markup,
    }
    return environment
