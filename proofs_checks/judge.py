"""The trial itself: a shard of it, the merging of shards, and the verdict.

A shard is a pure function of (claim, subject, seed, effort, shard number), whoever runs it; merging goes by shard
number, so the evidence has the same bytes for any number of workers.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algos.random_streams import stream, stream_key
from algos.validation import require_integer, require_one_of
from proofs_checks.claim import EFFORTS, Claim, EachCase, Effort, EveryInstance, Repeated, Sides, Table
from proofs_checks.encoding import encode
from proofs_checks.evidence import Evidence, WorstCase
from proofs_checks.naming import name_of
from proofs_checks.registry import how_to_install, missing_packages

__all__ = [
    "ShardResult",
    "Sitting",
    "conclude",
    "error_evidence",
    "instance_at",
    "instances_of",
    "judge",
    "not_run",
    "run_shard",
]

_LITERAL_LIMIT = 20_000
"""Characters of JSON up to which a worst case is kept literally; beyond, its stream and index rebuild it."""
_DESCRIPTION_LIMIT = 300


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What one shard found.

    Parameters
    ----------
    table : mapping of str to ndarray
        Its rows.
    worst : WorstCase or None
        The case with the largest measured / bound (per-instance trials).
    violation : WorstCase or None
        The violation of lowest index.
    violations : int
        How many comparisons were violations.
    """

    table: Table
    worst: WorstCase | None = None
    violation: WorstCase | None = None
    violations: int = 0


@dataclass(frozen=True, slots=True)
class Sitting:
    """Under which circumstances a claim stands trial.

    Parameters
    ----------
    effort : {"smoke", "quick", "full"}
        How hard.
    seed : int
        Of the random streams.
    mutant : str
        Name of the mutant that stands trial instead of the claim's subject.
    subject : str
        What a person calls the foreign subject that does; empty if there is none.
    fingerprint : str
        Of the code; computed when it is empty.
    """

    effort: Effort
    seed: int
    mutant: str = ""
    subject: str = ""
    fingerprint: str = ""

    def facts(self, claim: Claim) -> dict[str, Any]:
        """Return what all evidence from this sitting has in common.

        Parameters
        ----------
        claim : Claim
            The claim on trial.

        Returns
        -------
        dict
            Fields of `Evidence`.
        """
        from proofs_checks.fingerprint import code_fingerprint

        return {
            "claim": claim.id,
            "mutant": self.mutant,
            "subject": self.subject,
            "kind": claim.kind,
            "expect": claim.expect,
            "effort": self.effort,
            "seed": self.seed,
            "fingerprint": self.fingerprint or code_fingerprint(),
        }


def judge(
    claim: Claim,
    *,
    effort: Effort = "smoke",
    seed: int = 0,
    mutant: str | None = None,
    subject: Any = None,
    fingerprint: str = "",
) -> Evidence:
    """Try a claim, one of its mutants, or somebody's own subject, here and now.

    Parameters
    ----------
    claim : Claim
        What is tried.
    effort : {"smoke", "quick", "full"}
        How hard.
    seed : int
        Of the random instances.
    mutant : str, optional
        Name of the mutant that stands trial instead; the trial stops at its first violation.
    subject : object, optional
        A subject of one's own, with the claim's call signature.
    fingerprint : str
        Computed when it is empty.

    Returns
    -------
    Evidence
        The verdict and what it rests on.

    Raises
    ------
    ValueError
        If there is no such mutant, or both `mutant` and `subject` are given.

    Examples
    --------
    >>> from proofs_checks.registry import find_claim
    >>> judge(find_claim("knapsack.zcl.ratio")).verdict
    'holds'
    """
    require_one_of("effort", effort, EFFORTS)
    require_integer("seed", seed, minimum=0)
    if missing := missing_packages(claim):
        return not_run(claim, Sitting(effort, seed, mutant or "", fingerprint=fingerprint), missing)
    on_trial = claim.accused(mutant, subject)
    sitting = Sitting(effort, seed, mutant or "", "" if subject is None else name_of(subject), fingerprint)
    stop_early = mutant is not None and claim.kind != "tightness"
    shards: list[ShardResult] = []
    for shard in range(claim.trial.shards(effort)):
        shards.append(run_shard(claim, on_trial, seed, effort, shard, stop_at_first=stop_early))
        if stop_early and shards[-1].violation is not None:
            break
    return conclude(claim, shards, sitting)


def run_shard(
    claim: Claim, subject: Any, seed: int, effort: Effort, shard: int, *, stop_at_first: bool = False
) -> ShardResult:
    """Run one shard of a trial.

    Parameters
    ----------
    claim : Claim
        What is tried.
    subject : object
        Who stands trial.
    seed : int
        Of the run.
    effort : {"smoke", "quick", "full"}
        How hard.
    shard : int
        Number of the shard, from 0 to ``claim.trial.shards(effort) - 1``.
    stop_at_first : bool
        Stop at the first violation (per-instance trials).

    Returns
    -------
    ShardResult
        Its rows and worst case.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):  # BLAS sums in another order with more threads
        return _run_shard(claim, subject, seed, effort, shard, stop_at_first)


def _run_shard(claim: Claim, subject: Any, seed: int, effort: Effort, shard: int, stop_at_first: bool) -> ShardResult:
    trial = claim.trial
    if isinstance(trial, EveryInstance):
        return _compare_each(claim, trial, subject, seed, effort, shard, stop_at_first)
    if isinstance(trial, Repeated):
        rng = stream(seed, claim.id, shard)
        done = shard * trial.per_shard
        count = min(trial.per_shard, trial.repeats[effort] - done)
        return ShardResult(_as_table([trial.once(subject, rng, effort) for _ in range(count)]))
    cases = trial.cases(effort)[shard * trial.per_shard : (shard + 1) * trial.per_shard]
    return ShardResult(_as_table([trial.once(subject, case) for case in cases]))


def instances_of(claim: Claim, seed: int, effort: Effort, shard: int) -> Iterator[Any]:
    """Yield the instances of one shard of a per-instance trial, in order.

    Parameters
    ----------
    claim : Claim
        A claim with a per-instance trial.
    seed, effort, shard
        Which shard.

    Yields
    ------
    object
        Instances.

    Raises
    ------
    ValueError
        If the trial has no single instances.
    """
    trial = claim.trial
    if not isinstance(trial, EveryInstance):
        raise ValueError(f"claim = {claim.id!r}: its trial has no single instances")
    known_shards = trial.known_shards(effort)
    if shard < known_shards:
        yield from itertools.islice(trial.known(effort), shard * trial.per_shard, (shard + 1) * trial.per_shard)
        return
    rng = stream(seed, claim.id, shard)
    left = trial.draws[effort] - (shard - known_shards) * trial.per_shard
    for _ in range(min(trial.per_shard, left)):
        yield trial.draw(rng)


def instance_at(claim: Claim, seed: int, effort: Effort, shard: int, index: int) -> Any:
    """Regenerate the instance that a trial met at (shard, index).

    Parameters
    ----------
    claim : Claim
        A claim with a per-instance trial.
    seed, effort, shard, index
        As in the worst case of its evidence.

    Returns
    -------
    object
        The instance.

    Raises
    ------
    ValueError
        If the trial has no such instance.
    """
    for position, instance in enumerate(instances_of(claim, seed, effort, shard)):
        if position == index:
            return instance
    raise ValueError(f"shard = {shard}, index = {index}: {claim.id} at {effort} effort has no such instance")


def conclude(claim: Claim, shards: Sequence[ShardResult], sitting: Sitting) -> Evidence:
    """Merge the shards, in order, into evidence.

    Parameters
    ----------
    claim : Claim
        What was tried.
    shards : sequence of ShardResult
        All of them, by number.
    sitting : Sitting
        How it was tried.

    Returns
    -------
    Evidence
        The verdict and what it rests on.
    """
    table = _joined([shard.table for shard in shards])
    facts = sitting.facts(claim) | {"table": table, "instances": _length(table)}
    trial = claim.trial
    if not facts["instances"]:
        return Evidence(**facts, verdict="inconclusive", sentence="Nothing was judged: the trial drew no instance.")
    if isinstance(trial, (Repeated, EachCase)):
        decision = trial.decide(table)
        return Evidence(
            **facts,
            verdict=decision.verdict,
            sentence=decision.sentence,
            measured=decision.measured,
            bound=decision.bound,
            interval=decision.interval,
            confidence=decision.confidence,
        )
    return _per_instance_verdict(claim, trial, shards, facts)


def not_run(claim: Claim, sitting: Sitting, missing: Sequence[str]) -> Evidence:
    """Return the evidence of a claim whose optional packages are missing.

    Parameters
    ----------
    claim : Claim
        The claim.
    sitting : Sitting
        How it would have been tried.
    missing : sequence of str
        Import names.

    Returns
    -------
    Evidence
        With verdict "not run" and the command that would help.
    """
    sentence = f"Needs {', '.join(missing)}: {how_to_install(missing)}."
    return Evidence(**sitting.facts(claim), verdict="not run", sentence=sentence)


def error_evidence(claim: Claim, sitting: Sitting, error: str) -> Evidence:
    """Return the evidence of a trial that stopped with an exception: neither held nor convicted.

    Parameters
    ----------
    claim : Claim
        The claim.
    sitting : Sitting
        How it was tried.
    error : str
        The exception, in one line.

    Returns
    -------
    Evidence
        With verdict "error".
    """
    return Evidence(**sitting.facts(claim), verdict="error", sentence=error)


def _compare_each(
    claim: Claim,
    trial: EveryInstance,
    subject: Any,
    seed: int,
    effort: Effort,
    shard: int,
    stop_at_first: bool,
) -> ShardResult:
    rows: list[Mapping[str, float]] = []
    worst: tuple[int, Any, Sides] | None = None
    violation: tuple[int, Any, Sides] | None = None
    violations = 0
    for index, instance in enumerate(instances_of(claim, seed, effort, shard)):
        try:
            sides = trial.compare(subject, instance)
        except Exception as error:
            error.add_note(f"{claim.id}, shard {shard}, index {index}: {_shortened(instance)}")
            raise
        violated = sides.violated(trial.rtol, trial.atol)
        rows.append({"measured": sides.measured, "bound": sides.bound, "violated": violated, **sides.at})
        if worst is None or _closeness(sides) > _closeness(worst[2]):
            worst = (index, instance, sides)
        if violated:
            violations += 1
            violation = violation or (index, instance, sides)
            if stop_at_first:
                break
    key = stream_key(claim.id, shard)
    return ShardResult(
        _as_table(rows),
        None if worst is None else _case(shard, key, *worst),
        None if violation is None else _case(shard, key, *violation),
        violations,
    )


def _case(shard: int, key: tuple[int, ...], index: int, instance: Any, sides: Sides) -> WorstCase:
    return WorstCase(
        shard=shard,
        index=index,
        stream=key,
        description=_shortened(instance),
        instance=_literal(instance),
        measured=float(sides.measured),
        bound=float(sides.bound),
    )


def _shortened(instance: Any) -> str:
    told = " ".join(repr(instance).split())
    return told if len(told) <= _DESCRIPTION_LIMIT else told[: _DESCRIPTION_LIMIT - 1] + "…"


def _literal(instance: Any) -> Any:
    try:
        plain = encode(instance)
    except TypeError:
        return None  # not plain data: the stream and the index rebuild it
    return plain if len(json.dumps(plain)) <= _LITERAL_LIMIT else None


def _per_instance_verdict(
    claim: Claim, trial: EveryInstance, shards: Sequence[ShardResult], facts: dict[str, Any]
) -> Evidence:
    count = facts["instances"]
    worst: WorstCase | None = None
    for shard in shards:
        if shard.worst is not None and (worst is None or _closeness(_sides(shard.worst)) > _closeness(_sides(worst))):
            worst = shard.worst
    violation = next((shard.violation for shard in shards if shard.violation is not None), None)
    best = 0.0 if worst is None else _sides(worst).tightness
    facts |= {"tightness": best if claim.kind != "law" and best > 0 else None}
    if violation is not None:
        number = sum(shard.violations for shard in shards)
        sentence = (
            f"Violated on {number:,} of {count:,} instances; the first is instance {violation.index} of shard "
            f"{violation.shard}: {violation.measured:.6g} exceeds {violation.bound:.6g}."
        )
        shown: dict[str, Any] = {"measured": violation.measured, "bound": violation.bound, "worst": violation}
        return Evidence(**facts, **shown, verdict="violated", sentence=sentence)
    assert worst is not None  # a table with rows has a worst case
    shown = {"measured": worst.measured, "bound": worst.bound, "worst": worst}
    if not np.isfinite(facts["table"]["bound"]).any():
        sentence = f"The bound was infinite on all {count:,} instances: it says nothing there."
        return Evidence(**facts, **shown, verdict="inconclusive", sentence=sentence)
    if trial.reaches is not None:
        reached = best >= trial.reaches
        sentence = (
            f"The worst of {count:,} instances reaches {best:.5f} of the bound; the claim says {trial.reaches:g}."
        )
        return Evidence(**facts, **shown, verdict="holds" if reached else "violated", sentence=sentence)
    sentence = f"No violation on {count:,} instances"
    if facts["tightness"]:
        sentence += "; the bound is reached" if best >= 1 - trial.rtol else f"; the closest came to {best:.4f} of it"
    sentence += "."
    return Evidence(**facts, **shown, verdict="holds", sentence=sentence)


def _sides(case: WorstCase) -> Sides:
    return Sides(case.measured, case.bound)


def _closeness(sides: Sides) -> tuple[float, float]:
    """Order of cases: the tighter is worse; of equally tight ones (and of laws) the one with more to show."""
    return round(sides.tightness, 9), sides.measured


def _as_table(rows: Sequence[Mapping[str, float]]) -> dict[str, NDArray[Any]]:
    names = list(dict.fromkeys(itertools.chain.from_iterable(rows)))
    return {name: np.array([float(row.get(name, math.nan)) for row in rows]) for name in names}


def _joined(tables: Sequence[Table]) -> dict[str, NDArray[Any]]:
    names = list(dict.fromkeys(itertools.chain.from_iterable(tables)))
    lengths = [_length(table) for table in tables]
    return {
        name: np.concatenate(
            [table.get(name, np.full(length, math.nan)) for table, length in zip(tables, lengths, strict=True)]
        )
        for name in names
    }


def _length(table: Table) -> int:
    return max((len(column) for column in table.values()), default=0)
