"""The command `boundlab`: list, show, validate, check, falsify, replay, cite, warm, knapsack."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from proofs_checks.command.knapsack.commands import knapsack
from proofs_checks.running.environment import available_cores, prepare
from proofs_checks.running.packages import root

prepare()  # before numpy: the commands below import their rooms when they run

_EFFORTS = click.Choice(["smoke", "quick", "full"])
_CLAIM_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="boundlab")
def main() -> None:
    """Theorems about algorithms with advice and verifiers, as claims that run."""


@main.command("list")
@click.argument("prefixes", nargs=-1)
@click.option("--claims", "source", type=_CLAIM_FILE, help="A file of your own that exports CLAIMS.")
@click.option("--markdown", is_flag=True, help="As a Markdown table, statements included.")
def list_claims(prefixes: tuple[str, ...], source: Path | None, markdown: bool) -> None:
    """Name the claims: a table on a terminal, one id a line in a pipe."""
    from proofs_checks.command.terminal import claims_markdown, claims_table, show
    from proofs_checks.registry import load_claims

    claims = _or_usage_error(load_claims, prefixes, source)
    if markdown:
        click.echo(claims_markdown(claims))
    elif sys.stdout.isatty():
        show(claims_table(claims))
    else:
        click.echo("\n".join(claim.id for claim in claims))


@main.command("show")
@click.argument("claim_id")
@click.option("--claims", "source", type=_CLAIM_FILE, help="A file of your own that exports CLAIMS.")
def show_claim(claim_id: str, source: Path | None) -> None:
    """Print one claim: statement, assumptions, source, mutants."""
    from proofs_checks.command.terminal import claim_page
    from proofs_checks.registry import find_claim

    click.echo(claim_page(_or_usage_error(find_claim, claim_id, source)))


@main.command("cite")
@click.argument("prefixes", nargs=-1)
def cite(prefixes: tuple[str, ...]) -> None:
    """Print BibTeX for the papers behind the claims."""
    from proofs_checks.papers import PAPERS
    from proofs_checks.registry import load_claims

    claims = _or_usage_error(load_claims, prefixes, None)
    keys = sorted({key for claim in claims for key in (claim.paper, *claim.also)})
    click.echo("\n\n".join(PAPERS[key].bibtex() for key in keys))


@main.command("warm")
def warm() -> None:
    """Compile every kernel once, in one process; later processes load them from disk."""
    from proofs_checks.command.terminal import warm_kernels

    warm_kernels()


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = [
        click.option("--effort", type=_EFFORTS, default="quick", show_default=True, help="How hard to try."),
        click.option(
            "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of every random stream."
        ),
        click.option("--mutants/--no-mutants", default=False, help="Try the broken variants as well."),
        click.option("--jobs", type=click.IntRange(min=1), default=None, help="Worker processes (default: all cores)."),
        click.option(
            "--backend",
            type=click.Choice(["serial", "loky", "dask"]),
            default=None,
            help="In this process, in worker processes, or on a Dask cluster.",
        ),
        click.option("--address", default=None, help="Scheduler of a Dask cluster, tcp://…"),
        click.option(
            "--limit",
            type=click.FloatRange(min=0, min_open=True),
            default=None,
            help="Minutes after which no new shard is started; what runs is finished.",
        ),
        click.option("--resume", is_flag=True, help="Reuse what an earlier run finished."),
        click.option("--strict", is_flag=True, help="Inconclusive, not run and pending fail as well."),
        click.option(
            "--out",
            type=click.Path(file_okay=False, path_type=Path),
            default=Path("build/report"),
            show_default=True,
            help="Folder of the report.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@main.command("validate")
@click.argument("prefixes", nargs=-1)
@_run_options
def validate_claims(prefixes: tuple[str, ...], **options: Any) -> None:
    """Run the claims and write the report; exit 1 if a verdict contradicts what its claim expects."""
    _validate(prefixes, None, options)


@main.command("check")
@click.argument("file", type=_CLAIM_FILE)
@click.argument("prefixes", nargs=-1)
@_run_options
def check_file(file: Path, prefixes: tuple[str, ...], **options: Any) -> None:
    """Run the claims of a Python file of your own: the same report, replay, mutants and resume."""
    _validate(prefixes, file, options)


@main.command("falsify")
@click.argument("claim_id")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), default=30.0, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--mutant", default=None, help="Search against this mutant of the claim.")
@click.option("--subject", default=None, metavar="MODULE:NAME", help="Search against a subject of your own.")
@click.option("--claims", "source", type=_CLAIM_FILE, help="A file of your own that exports CLAIMS.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=None, help="The replay file.")
def falsify(
    claim_id: str,
    seconds: float,
    seed: int,
    mutant: str | None,
    subject: str | None,
    source: Path | None,
    out: Path | None,
) -> None:
    """Search for a counterexample to a claim; exit 1 if one is found."""
    from proofs_checks.command.terminal import search_bar
    from proofs_checks.falsify import Counterexample, falsify_claim
    from proofs_checks.registry import find_claim
    from proofs_checks.replay import load_subject

    claim = _or_usage_error(find_claim, claim_id, source)
    standing = None if subject is None else _or_usage_error(load_subject, subject)
    with search_bar(f"falsify {claim_id}") as progress:
        found = _or_usage_error(
            falsify_claim,
            claim,
            subject=standing,
            mutant=mutant,
            seconds=seconds,
            rng=seed,
            replay_to=out or Path(f"{claim_id}.replay.json"),
            progress=progress,
        )
    click.echo(found.explain())
    if isinstance(found, Counterexample):
        sys.exit(1)


@main.command("replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--subject", default=None, metavar="MODULE:NAME", help="Whom to try; files name no code.")
@click.option("--claims", "source", type=_CLAIM_FILE, help="The file that exports the claim.")
def replay(file: Path, subject: str | None, source: Path | None) -> None:
    """Try one recorded case again; exit 1 if what was measured then is not measured now."""
    from proofs_checks.replay import load_subject
    from proofs_checks.replay import replay as replay_file

    standing = None if subject is None else _or_usage_error(load_subject, subject)
    found = _or_usage_error(replay_file, file, subject=standing, claim_source=source)
    click.echo(found.sentence)
    if not found.same:
        sys.exit(1)


def _validate(prefixes: tuple[str, ...], source: Path | None, options: dict[str, Any]) -> None:
    from proofs_checks.command.run_and_report import run_and_report
    from proofs_checks.registry import load_claims

    claims = _or_usage_error(load_claims, prefixes, source)
    strict = options.pop("strict")
    jobs = options.pop("jobs") or available_cores()
    backend = options.pop("backend") or ("dask" if options["address"] else "loky" if jobs > 1 else "serial")
    run = _or_usage_error(
        run_and_report,
        claims,
        folder=options.pop("out"),
        source=source,
        jobs=jobs,
        backend=backend,
        command=" ".join(["boundlab", *sys.argv[1:]]),
        **options,
    )
    if run.contradictions or run.surviving or (strict and (run.undecided or run.untried)):
        sys.exit(1)


def _or_usage_error(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Call; what the checks at the door raise is the user's input, and becomes one line without a traceback."""
    try:
        return function(*arguments, **named)
    except (ValueError, TypeError, ImportError, RuntimeError) as error:
        if not _raised_by_us(error):
            raise
        raise click.UsageError("\n".join([str(error), *getattr(error, "__notes__", ())])) from error


def _raised_by_us(error: BaseException) -> bool:
    """Whether the error was raised by a check of ours, not by Python in the middle of some computation."""
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    checked_here = Path(innermost.filename).is_relative_to(root())
    return checked_here and (innermost.line or "").lstrip().startswith("raise ")


main.add_command(knapsack)

if __name__ == "__main__":
    main()
