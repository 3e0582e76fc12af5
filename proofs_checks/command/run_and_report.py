"""A validation run with everything that a person sees of it: the bar, the lines, the report, and ``run.json``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.markup import escape

from proofs_checks.claim import Claim
from proofs_checks.command.terminal import outcome_line, progress_bar, show, summary_lines, warm_kernels
from proofs_checks.records.evidence import to_canonical_json
from proofs_checks.records.storage import write_atomically
from proofs_checks.replay import write_worst_case_replay
from proofs_checks.report import ReportWriter, RunFacts
from proofs_checks.running.environment import machine
from proofs_checks.running.fingerprint import versions
from proofs_checks.validate import Validation, validate

__all__ = ["run_and_report"]


def run_and_report(claims: Sequence[Claim], *, folder: Path, command: str, **options: Any) -> Validation:
    """Run claims with a progress bar; rewrite the report after each verdict.

    Parameters
    ----------
    claims : sequence of Claim
        What to run.
    folder : Path
        Of the report.
    command : str
        What the user typed, for the report's footer.
    **options
        Passed on to `validate`.

    Returns
    -------
    Validation
        The run. On an interrupt what was finished stays on disk, the report shows the rest as pending, and the
        interrupt goes on.
    """
    _require_writable(folder)
    show(f"{len(claims)} claims at {options['effort']} effort, {options['jobs']} worker(s), {options['backend']}")
    warm_kernels()
    started = time.monotonic()
    with progress_bar("validate") as (progress, say):
        scribe = _Scribe(folder, command, options.get("source"), say)
        try:
            run = validate(claims, folder=folder, progress=progress, on_change=scribe.on_change, **options)
        except KeyboardInterrupt:
            scribe.interrupted()
            raise
    page = scribe.close(run)
    for line in summary_lines(run):
        show(line)
    show(f"{time.monotonic() - started:.0f} s. Report: {escape(str(page))}")
    return run


def _require_writable(folder: Path) -> None:
    """Before hours of work, not after them."""
    try:
        write_atomically(folder / "run.json", b"{}\n")
    except OSError as error:
        raise ValueError(f"out = {str(folder)!r}: cannot be written to: {error.strerror}") from error


class _Scribe:
    """Writes the report, the replay files and the record of the run as verdicts come in."""

    def __init__(self, folder: Path, command: str, source: Any, say: Any) -> None:
        self.folder, self.command, self.say = folder, command, say
        self.source = None if source is None else str(source)
        self.started = _now()
        self.machine = machine()
        self.told: set[str] = set()
        self.latest: Validation | None = None
        self.writer = ReportWriter(folder)
        self.next_write = 0.0

    def on_change(self, run: Validation) -> None:
        """Say the verdict at once; write the page when the last writing is twenty times its own length ago."""
        self.tell(run)
        if time.monotonic() >= self.next_write:
            started = time.monotonic()
            self.write(run, finished=None)
            self.next_write = time.monotonic() + 20 * (time.monotonic() - started)

    def interrupted(self) -> None:
        again = self.command if "--resume" in self.command else f"{self.command} --resume"
        word = f"Interrupted: finished shards are kept. Go on with: {again}"
        self.say(escape(word))
        if self.latest is not None:
            self.latest.notes.append(word)
            self.close(self.latest)

    def close(self, run: Validation) -> Path:
        return self.write(run, finished=_now())

    def tell(self, run: Validation) -> None:
        self.latest = run
        for name, outcome in run.outcomes.items():
            if outcome.evidence is not None and name not in self.told:
                self.told.add(name)
                self.say(outcome_line(outcome))
                write_worst_case_replay(outcome.evidence, self.folder / "replay")

    def write(self, run: Validation, finished: str | None) -> Path:
        facts = RunFacts(
            command=self.command,
            effort=run.effort,
            seed=run.seed,
            started=self.started,
            finished=finished,
            machine=self.machine,
            versions=versions(),
            fingerprint=run.fingerprint,
            notes=tuple(run.notes),
            source=self.source,
        )
        seconds = {name: round(outcome.seconds, 3) for name, outcome in run.outcomes.items()}
        record = asdict(facts) | {"notes": list(facts.notes), "seconds": seconds}
        write_atomically(self.folder / "run.json", to_canonical_json(record))
        return self.writer.write(list(run.outcomes.values()), facts)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
