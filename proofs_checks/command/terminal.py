"""What the command shows on a terminal; in a pipe the same words come without colour or moving bars."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from proofs_checks.claim import Claim, EveryInstance, Later
from proofs_checks.registry import TOPICS
from proofs_checks.report.wording import STATUSES, status_of
from proofs_checks.running.packages import root
from proofs_checks.validate import ClaimOutcome, Validation

__all__ = [
    "claim_page",
    "claims_markdown",
    "claims_table",
    "outcome_line",
    "progress_bar",
    "search_bar",
    "show",
    "summary_lines",
    "warm_kernels",
]

_console = Console(highlight=False)
_COLOURS = {
    "holds": "green",
    "refuted": "magenta",
    "contradicts": "red",
    "error": "red",
    "inconclusive": "yellow",
    "not-run": "bright_black",
}


def show(thing: RenderableType) -> None:
    """Print to the terminal.

    Parameters
    ----------
    thing : rich renderable
        A table, or text with markup.
    """
    _console.print(thing, soft_wrap=isinstance(thing, str))


def claims_table(claims: Sequence[Claim]) -> RichTable:
    """Return the table of `boundlab list`.

    Parameters
    ----------
    claims : sequence of Claim
        Its rows.

    Returns
    -------
    rich.table.Table
        Id, kind, paper and statement.
    """
    table = RichTable(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("claim", "kind", "paper", "statement"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "claim")
    for claim in claims:
        table.add_row(claim.id, claim.kind, claim.paper, escape(" ".join(claim.statement.split())))
    return table


def claims_markdown(claims: Sequence[Claim]) -> str:
    """Return the claims as a Markdown table.

    Parameters
    ----------
    claims : sequence of Claim
        Its rows.

    Returns
    -------
    str
        Id, kind, number of mutants, paper and statement; a claim that expects to be violated says so.
    """
    lines = ["| claim | kind | mutants | source | statement |", "|---|---|--:|---|---|"]
    for claim in claims:
        kind = f"{claim.kind}, refuted" if claim.expect == "violated" else claim.kind
        statement = " ".join(claim.statement.split()).replace("|", "\\|")
        lines.append(f"| `{claim.id}` | {kind} | {len(claim.mutants)} | {claim.paper}, {claim.source} | {statement} |")
    return "\n".join(lines)


def claim_page(claim: Claim) -> str:
    """Return the text of `boundlab show`.

    Parameters
    ----------
    claim : Claim
        The claim.

    Returns
    -------
    str
        Several lines.
    """
    from proofs_checks.papers import PAPERS

    paper = PAPERS.get(claim.paper)
    lines = [claim.id, "=" * len(claim.id), "", " ".join(claim.statement.split()), ""]
    lines += [f"Assumes: {assumption}" for assumption in claim.assumptions]
    lines += [f"Kind:    {claim.kind}" + (", expected to be violated" if claim.expect == "violated" else "")]
    lines += [f"Source:  {claim.source}; {paper if paper is not None else claim.paper}"]
    lines += [f"Needs:   {', '.join(claim.needs)}"] if claim.needs else []
    lines += ["Mutants that its trial must convict:"] if claim.mutants else []
    lines += [f"  - {mutant}" for mutant in claim.mutants]
    lines += ["Where it stands:", *(f"  {what:9} {where}" for what, where in _places(claim))]
    lines += ["", f"Run it:   boundlab validate {claim.id} --mutants", f"Break it: boundlab falsify {claim.id}"]
    return "\n".join(lines)


def _places(claim: Claim) -> list[tuple[str, str]]:
    """Files and lines of what a reader of the claim wants to open next."""
    claims = importlib.import_module(TOPICS[claim.topic]).__name__ if claim.topic in TOPICS else ""
    trial = claim.trial
    tried = trial.compare if isinstance(trial, EveryInstance) else trial.once
    found = [("subject", claim.accused()), ("trial", tried), ("plot", claim.plot)]
    found += [("bound", Later(claim.formula).resolve())] if claim.formula else []
    found += [("mutant", claim.accused(mutant)) for mutant in claim.mutants]
    places = [(what, _place(thing)) for what, thing in found if thing is not None]
    claimed = [("claim", _line_of(claim.id, claims))] if claims else []
    return [(what, place) for what, place in [*claimed, *places] if place]


def _place(thing: object) -> str:
    thing = inspect.unwrap(thing.func if isinstance(thing, functools.partial) else thing)  # type: ignore[arg-type]
    try:
        path, line = inspect.getsourcefile(thing), inspect.getsourcelines(thing)[1]  # type: ignore[arg-type]
    except (TypeError, OSError):
        return ""
    return f"{_relative(Path(str(path)))}:{line}"


def _line_of(claim_id: str, package: str) -> str:
    folder = Path(str(importlib.import_module(package).__file__)).parent
    for path in sorted(folder.rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if f'id="{claim_id}"' in line:
                return f"{_relative(path)}:{number}"
    return ""


def _relative(path: Path) -> str:
    return str(path.relative_to(root())) if path.is_relative_to(root()) else str(path)


def outcome_line(outcome: ClaimOutcome) -> str:
    """Return one line, with markup, about a claim that has its verdict.

    Parameters
    ----------
    outcome : ClaimOutcome
        With evidence.

    Returns
    -------
    str
        Verdict, id and sentence.
    """
    evidence = outcome.evidence
    assert evidence is not None
    status = status_of(outcome.claim, evidence)
    sentence = escape(evidence.sentence)
    return f"[{_COLOURS[status.name]}]{status.label:>12}[/]  [bold]{outcome.claim.id}[/]  {sentence}"


def summary_lines(run: Validation) -> list[str]:
    """Return the closing lines of a run, with markup.

    Parameters
    ----------
    run : Validation
        The run.

    Returns
    -------
    list of str
        Counts, contradictions, surviving mutants, notes.
    """
    states = Counter(status_of(outcome.claim, outcome.evidence).name for outcome in run.outcomes.values())
    counts = ", ".join(f"{states[status.name]} {status.counted}" for status in STATUSES if states[status.name])
    judged = sum(len(outcome.mutants) for outcome in run.outcomes.values())
    lines = [f"{len(run.outcomes)} claims: {counts}"]
    lines += [f"{judged - len(run.surviving)} of {judged} mutants convicted"] if judged else []
    lines += [f"[red]contradicts what is expected:[/] {name}" for name in run.contradictions]
    lines += [f"[red]mutant survived:[/] {escape(mutant)} of {name}" for name, mutant in run.surviving]
    lines += [f"[yellow]mutant not tried:[/] {escape(mutant)} of {name}" for name, mutant in run.untried]
    return lines + [f"[bright_black]note: {escape(note)}[/]" for note in run.notes]


@contextmanager
def progress_bar(title: str) -> Iterator[tuple[Callable[[float, float], None], Callable[[str], None]]]:
    """Show a bar with the time left.

    Parameters
    ----------
    title : str
        What runs.

    Yields
    ------
    tuple of two callables
        ``progress(done, total)``, and ``say(line)`` that prints above the bar.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("elapsed"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=_console, transient=True, disable=not _console.is_terminal) as bar:
        task = bar.add_task(title, total=None)

        def progress(done: float, total: float) -> None:
            bar.update(task, completed=done, total=max(total, 1e-9))

        yield progress, show


@contextmanager
def search_bar(title: str) -> Iterator[Callable[[float, float], None]]:
    """Show a bar for one long call.

    Parameters
    ----------
    title : str
        What runs.

    Yields
    ------
    callable
        ``progress(done, total)``.
    """
    with progress_bar(title) as (progress, _):
        yield progress


def warm_kernels() -> None:
    """Compile every kernel in this process, with a bar."""
    from algos.kernel_cache import warm

    with progress_bar("compile kernels") as (progress, _):
        warm(progress)
