"""The trial itself: a shard of it, the merging of shards, and the verdict.

A shard is a pure function of (claim, subject, seed, effort, shard number), whoever runs it; merging goes by shard
number, so the evidence has the same bytes for any number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from algos.random_streams import stream
from algos.validation import require_integer, require_one_of
from proofs_checks.claim import EFFORTS, Claim, EachCase, Effort, EveryInstance, Repeated
from proofs_checks.records.evidence import Evidence
from proofs_checks.records.naming import name_of
from proofs_checks.registry import how_to_install, missing_packages
from proofs_checks.trial.per_instance import ShardResult, compare_each, per_instance_verdict
from proofs_checks.trial.tables import as_table, joined, length

__all__ = ["Evidence", "Sitting", "conclude", "error_evidence", "judge", "not_run", "run_shard"]


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
        from proofs_checks.running.fingerprint import code_fingerprint

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
        return compare_each(claim, trial, subject, seed, effort, shard, stop_at_first)
    if isinstance(trial, Repeated):
        rng = stream(seed, claim.id, shard)
        done = shard * trial.per_shard
        count = min(trial.per_shard, trial.repeats[effort] - done)
        return ShardResult(as_table([trial.once(subject, rng, effort) for _ in range(count)]))
    cases = trial.cases(effort)[shard * trial.per_shard : (shard + 1) * trial.per_shard]
    return ShardResult(as_table([trial.once(subject, case) for case in cases]))


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
    table = joined([shard.table for shard in shards])
    facts = sitting.facts(claim) | {"table": table, "instances": length(table)}
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
    return per_instance_verdict(claim, trial, shards, facts)


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
