"""Run claims: serially, on all cores, or on a Dask cluster; resumable, with the same evidence everywhere.

The coordinator hands out tasks (one shard of one claim, or one mutant), longest claims first, and writes each result
the moment it arrives. A claim's verdict comes from its merged shards; a mutant is judged whole, by one worker.
"""

from __future__ import annotations

import os
import platform
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from algos.validation import require_integer, require_one_of, require_positive
from proofs_checks.claim import EFFORTS, Claim, Effort
from proofs_checks.judge import Sitting, conclude, error_evidence, judge, not_run, run_shard
from proofs_checks.records.evidence import Evidence
from proofs_checks.records.storage import ShardKey, ShardStore, StoredShard, read_evidence, write_evidence
from proofs_checks.registry import find_claim, missing_packages
from proofs_checks.running.fingerprint import code_fingerprint, versions
from proofs_checks.trial.per_instance import ShardResult

__all__ = ["BACKENDS", "Backend", "ClaimOutcome", "Validation", "validate"]

Backend = Literal["serial", "loky", "dask"]
BACKENDS: tuple[Backend, ...] = ("serial", "loky", "dask")
_MUTANT_SHARE = 0.02
"""A mutant's cost as a share of its claim's, for the schedule: smoke effort, and it stops when convicted."""


@dataclass(slots=True)
class ClaimOutcome:
    """What a run knows about one claim so far.

    Parameters
    ----------
    claim : Claim
        The claim.
    evidence : Evidence or None
        None while it is pending.
    mutants : dict of str to Evidence
        The mutants judged so far.
    seconds : float
        CPU seconds of its shards.
    """

    claim: Claim
    evidence: Evidence | None = None
    mutants: dict[str, Evidence] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def surviving(self) -> tuple[str, ...]:
        """Mutants that were judged and not convicted; inconclusive counts as surviving, not run does not."""
        survived = (name for name, found in self.mutants.items() if found.verdict != self.claim.convicting)
        return tuple(name for name in survived if self.mutants[name].verdict != "not run")


@dataclass(slots=True)
class Validation:
    """A run: its outcomes, by claim id, and what happened on the way.

    Parameters
    ----------
    effort, seed, fingerprint
        Of the run.
    outcomes : dict of str to ClaimOutcome
        By claim id, in the order of the ids.
    notes : list of str
        What a person should know: shards reused, recomputed or left out.
    mutants : bool
        Whether mutants were to stand trial.
    """

    effort: Effort
    seed: int
    fingerprint: str
    outcomes: dict[str, ClaimOutcome]
    notes: list[str] = field(default_factory=list)
    mutants: bool = False

    @property
    def contradictions(self) -> tuple[str, ...]:
        """Ids whose verdict contradicts what the claim expects, or that stopped with an error."""
        return tuple(
            name
            for name, outcome in self.outcomes.items()
            if outcome.evidence is not None and outcome.evidence.as_expected is False
        )

    @property
    def surviving(self) -> tuple[tuple[str, str], ...]:
        """Mutants that no trial convicted, as (claim id, mutant)."""
        return tuple((name, mutant) for name, outcome in self.outcomes.items() for mutant in outcome.surviving)

    @property
    def untried(self) -> tuple[tuple[str, str], ...]:
        """Mutants that were to stand trial and did not yet, as (claim id, mutant)."""
        if not self.mutants:
            return ()
        return tuple(
            (name, mutant)
            for name, outcome in self.outcomes.items()
            for mutant in outcome.claim.mutants
            if mutant not in outcome.mutants and not missing_packages(outcome.claim)
        )

    @property
    def undecided(self) -> tuple[str, ...]:
        """Ids without a decisive verdict: inconclusive, not run, or pending."""
        return tuple(
            name
            for name, outcome in self.outcomes.items()
            if outcome.evidence is None or outcome.evidence.as_expected is None
        )


@dataclass(frozen=True, slots=True)
class _Task:
    claim: str
    mutant: str
    shard: int
    cost: float


@dataclass(frozen=True, slots=True)
class _Done:
    task: _Task
    seconds: float
    shard: ShardResult | None = None
    evidence: Evidence | None = None
    error: str = ""


def validate(
    claims: Sequence[Claim],
    *,
    folder: str | os.PathLike[str],
    effort: Effort = "quick",
    seed: int = 0,
    mutants: bool = False,
    backend: Backend = "serial",
    jobs: int = 1,
    address: str | None = None,
    limit: float | None = None,
    resume: bool = False,
    source: str | Path | None = None,
    progress: Callable[[float, float], None] | None = None,
    on_change: Callable[[Validation], None] | None = None,
) -> Validation:
    """Run claims and write their evidence.

    Parameters
    ----------
    claims : sequence of Claim
        What to run.
    folder : path
        Where ``evidence/`` and ``shards/`` go.
    effort : {"smoke", "quick", "full"}
        How hard.
    seed : int
        Of every random stream.
    mutants : bool
        Whether the mutants stand trial as well, at smoke effort.
    backend : {"serial", "loky", "dask"}
        Here; in worker processes of this machine; on a Dask cluster.
    jobs : int
        Worker processes (loky, or a local Dask cluster).
    address : str, optional
        Scheduler of a running Dask cluster.
    limit : float, optional
        Minutes after which no new shard is started.
    resume : bool
        Whether shards that lie in the folder under the same fingerprint are reused.
    source : path, optional
        The user's file that the claims came from; parallel workers load it again.
    progress : callable, optional
        ``progress(done, total)`` in CPU seconds of declared cost.
    on_change : callable, optional
        ``on_change(validation)`` after each claim's verdict and each mutant's.

    Returns
    -------
    Validation
        Every outcome so far; a claim that the limit left out has no evidence.

    Raises
    ------
    ValueError
        If an option is out of its range, or a parallel backend is asked to run claims that its workers cannot load.
    """
    require_one_of("effort", effort, EFFORTS)
    require_one_of("backend", backend, BACKENDS)
    require_integer("seed", seed, minimum=0)
    require_integer("jobs", jobs, minimum=1)
    if limit is not None:
        require_positive("limit", limit)
    if address is not None and backend != "dask":
        raise ValueError(f"address = {address!r}, backend = {backend!r}: an address goes with backend 'dask'")
    names = [claim.id for claim in claims]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"claims: {repeated[0]!r} is there more than once")
    if backend != "serial":
        _require_loadable(claims, source)
    run = _Run(claims, Path(folder), effort, seed, source, progress, on_change)
    run.validation.mutants = mutants
    run.reuse_stored_shards(resume=resume, mutants=mutants)
    deadline = None if limit is None else time.monotonic() + 60 * limit
    results = _execute(run.waiting(deadline), run, backend, jobs, address)
    for done in results:
        run.take(done)
    run.finish()
    return run.validation


class _Run:
    """The coordinator's book: which shards are in, which are awaited."""

    def __init__(
        self,
        claims: Sequence[Claim],
        folder: Path,
        effort: Effort,
        seed: int,
        source: str | Path | None,
        progress: Callable[[float, float], None] | None,
        on_change: Callable[[Validation], None] | None,
    ) -> None:
        self.claims = {claim.id: claim for claim in sorted(claims, key=lambda claim: claim.id)}
        self.folder, self.effort, self.seed, self.source = folder, effort, seed, source
        fingerprint = code_fingerprint(source)
        outcomes = {name: ClaimOutcome(claim) for name, claim in self.claims.items()}
        self.validation = Validation(effort, seed, fingerprint, outcomes)
        self.sitting = Sitting(effort, seed, fingerprint=fingerprint)
        self.store = ShardStore(folder / "shards", fingerprint)
        self.shards: dict[str, dict[int, StoredShard]] = {name: {} for name in self.claims}
        self.tasks: list[_Task] = []
        self.done_cost = self.total_cost = 0.0
        self.left_out = 0
        self._progress, self._on_change = progress, on_change

    def reuse_stored_shards(self, *, resume: bool, mutants: bool) -> None:
        reused = 0
        for claim in sorted(self.claims.values(), key=lambda claim: (-claim.cost, claim.id)):
            if missing := missing_packages(claim):
                self._give_verdict(
                    claim,
                    not_run(claim, self.sitting, missing),
                )
                continue
            count = claim.trial.shards(self.effort)
            for shard in range(count):
                stored = self.store.load(self._key(claim.id, shard)) if resume else None
                if stored is not None:
                    self.shards[claim.id][shard] = stored
                    reused += 1
                else:
                    self.tasks.append(_Task(claim.id, "", shard, claim.cost / count))
            for mutant in claim.mutants if mutants else ():
                if not (resume and self._reuse_mutant(claim, mutant)):
                    self.tasks.append(_Task(claim.id, mutant, 0, claim.cost * _MUTANT_SHARE))
            self._conclude_if_complete(claim)
        self.total_cost = sum(task.cost for task in self.tasks)
        if resume:
            self._note_what_was_reused(reused)

    def waiting(self, deadline: float | None) -> Iterator[_Task]:
        """Yield the tasks; once the deadline has passed, count the rest as left out."""
        for position, task in enumerate(self.tasks):
            if deadline is not None and time.monotonic() >= deadline:
                self.left_out = len(self.tasks) - position
                return
            yield task

    def take(self, done: _Done) -> None:
        task = done.task
        claim = self.claims[task.claim]
        outcome = self.validation.outcomes[task.claim]
        self.done_cost += task.cost
        if self._progress is not None:
            self._progress(self.done_cost, self.total_cost)
        if task.mutant:
            self._take_mutant(claim, done)
            return
        outcome.seconds += done.seconds
        if done.shard is None:
            found = error_evidence(claim, self.sitting, done.error)
            self._give_verdict(claim, found)
            return
        stored = StoredShard(done.shard, done.seconds)
        self.store.save(self._key(claim.id, task.shard), stored)
        self.shards[claim.id][task.shard] = stored
        self._conclude_if_complete(claim)

    def finish(self) -> None:
        notes = self.validation.notes
        if self.left_out:
            notes.append(f"{self.left_out} shards were not started: the time limit was reached. --resume goes on.")
        for name, outcome in self.validation.outcomes.items():
            declared = outcome.claim.cost
            if self.effort == "quick" and outcome.seconds > max(1.0, 2 * declared):
                notes.append(f"{name} took {outcome.seconds:.1f} CPU seconds; it declares {declared:g}.")

    @property
    def _print(self) -> str:
        return self.validation.fingerprint

    def _key(self, claim: str, shard: int) -> ShardKey:
        return ShardKey(claim, self.effort, self.seed, shard)

    def _take_mutant(self, claim: Claim, done: _Done) -> None:
        at_smoke = replace(self.sitting, effort="smoke", mutant=done.task.mutant)
        found = done.evidence or error_evidence(claim, at_smoke, done.error)
        write_evidence(self.folder / "evidence", found)
        self._record_mutant(claim, found)

    def _record_mutant(self, claim: Claim, found: Evidence) -> None:
        self.validation.outcomes[claim.id].mutants[found.mutant] = found
        self._changed()

    def _reuse_mutant(self, claim: Claim, mutant: str) -> bool:
        """A mutant's evidence is its own record: it is whole, and it carries seed and fingerprint."""
        try:
            found = read_evidence(self.folder / "evidence", claim.id, mutant)
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
            return False
        same = (found.claim, found.mutant, found.seed, found.fingerprint)
        if same != (claim.id, mutant, self.seed, self._print) or found.verdict == "error":
            return False
        self._record_mutant(claim, found)
        return True

    def _conclude_if_complete(self, claim: Claim) -> None:
        shards = self.shards[claim.id]
        outcome = self.validation.outcomes[claim.id]
        if outcome.evidence is not None or len(shards) < claim.trial.shards(self.effort):
            return
        outcome.seconds = sum(stored.seconds for stored in shards.values())
        ordered = [shards[number].result for number in sorted(shards)]
        try:
            found = conclude(claim, ordered, self.sitting)
        except (Exception, SystemExit) as error:
            found = error_evidence(claim, self.sitting, _told(error))
        self._give_verdict(claim, found)

    def _give_verdict(self, claim: Claim, found: Evidence) -> None:
        self.validation.outcomes[claim.id].evidence = found
        write_evidence(self.folder / "evidence", found)
        self._changed()

    def _changed(self) -> None:
        if self._on_change is not None:
            self._on_change(self.validation)

    def _note_what_was_reused(self, reused: int) -> None:
        notes = self.validation.notes
        notes.append(f"{reused} shards of an earlier run were reused.")
        if self.store.stale:
            notes.append(f"{self.store.stale} shards were computed again: the code or a package changed since.")
        if self.store.damaged:
            notes.append(f"{self.store.damaged} shards were computed again: their files were damaged.")


def _execute(tasks: Iterable[_Task], run: _Run, backend: Backend, jobs: int, address: str | None) -> Iterator[_Done]:
    if backend == "serial":
        for task in tasks:
            yield _perform(task, run.effort, run.seed, run.source, run.validation.fingerprint, run.claims[task.claim])
        return
    import joblib

    from proofs_checks.running.cluster import dask_client

    with dask_client(address, jobs) if backend == "dask" else nullcontext() as client:
        workers = jobs if client is None else -1
        source = None if run.source is None else str(Path(run.source).resolve())
        with joblib.parallel_config(backend=backend, n_jobs=workers), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "[0-9]+ tasks have been successfully executed")  # said on an interrupt
            pool = joblib.Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
            yield from _alive(
                pool(
                    joblib.delayed(_perform)(task, run.effort, run.seed, source, run.validation.fingerprint)
                    for task in tasks
                )
            )


def _alive(results: Iterable[_Done]) -> Iterator[_Done]:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        yield from results
    except TerminatedWorkerError as error:
        raise RuntimeError(
            "a worker process died (out of memory, or killed). Finished shards are kept: --resume goes on, and "
            "--jobs 1 shows which claim it was"
        ) from error


def _perform(
    task: _Task, effort: Effort, seed: int, source: str | Path | None, fingerprint: str, claim: Claim | None = None
) -> _Done:
    """Run one task, in whatever process; an exception becomes part of the result, never of the coordinator."""
    started = time.process_time()
    shard: ShardResult | None = None
    evidence: Evidence | None = None
    failure = ""
    try:
        if claim is None:
            _require_same_code(fingerprint, source)
            claim = find_claim(task.claim, source)
        if task.mutant:
            evidence = judge(claim, effort="smoke", seed=seed, mutant=task.mutant, fingerprint=fingerprint)
        else:
            shard = run_shard(claim, claim.accused(), seed, effort, task.shard)
    except (Exception, SystemExit) as error:  # a claim that calls sys.exit ends its own trial, not the run
        failure = _told(error)
    return _Done(task, time.process_time() - started, shard, evidence, failure)


def _require_same_code(fingerprint: str, source: str | Path | None) -> None:
    """Evidence carries one fingerprint, so every worker must run the coordinator's code and package versions."""
    mine = code_fingerprint(source)
    if mine != fingerprint:
        raise RuntimeError(
            f"worker {platform.node()} has fingerprint {mine}, the coordinator {fingerprint}: its code, weights or "
            f"package versions differ ({', '.join(f'{name} {version}' for name, version in versions().items())})"
        )


def _told(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    notes = "".join(f" [{note}]" for note in getattr(error, "__notes__", ()))
    return f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}: {error}{notes}"


def _require_loadable(claims: Sequence[Claim], source: Any) -> None:
    for claim in claims:
        try:
            find_claim(claim.id, source)
        except ValueError:
            raise ValueError(
                f"claim = {claim.id!r}: worker processes cannot load it; put it in a file and pass `source`, "
                f"or use backend='serial'"
            ) from None
