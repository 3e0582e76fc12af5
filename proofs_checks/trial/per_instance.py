"""Trials that compare on every single instance: their shards, their worst cases, and their verdict."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algos.random_streams import stream, stream_key
from proofs_checks.claim import Claim, Effort, EveryInstance, Sides, Table
from proofs_checks.records.encoding import encode
from proofs_checks.records.evidence import Evidence, WorstCase
from proofs_checks.trial.tables import as_table

__all__ = ["ShardResult", "compare_each", "instance_at", "instances_of", "per_instance_verdict", "untouched"]

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


def untouched(instance: Any) -> Any:
    """Return what a subject may consume: a copy, unless the instance cannot be changed anyway.

    Parameters
    ----------
    instance : object
        As the trial drew it.

    Returns
    -------
    object
        Frozen dataclasses and numbers are their own copies.
    """
    settings = getattr(type(instance), "__dataclass_params__", None)
    return instance if settings is not None and settings.frozen else copy.deepcopy(instance)


def compare_each(
    claim: Claim,
    trial: EveryInstance,
    subject: Any,
    seed: int,
    effort: Effort,
    shard: int,
    stop_at_first: bool,
) -> ShardResult:
    """Run one shard of a per-instance trial.

    Parameters
    ----------
    claim : Claim
        What is tried.
    trial : EveryInstance
        Its trial.
    subject : object
        Who stands trial.
    seed, effort, shard
        Which shard.
    stop_at_first : bool
        Stop at the first violation.

    Returns
    -------
    ShardResult
        Rows, worst case, first violation.
    """
    rows: list[Mapping[str, float]] = []
    worst: tuple[int, Any, Sides] | None = None
    violation: tuple[int, Any, Sides] | None = None
    violations = 0
    for index, instance in enumerate(instances_of(claim, seed, effort, shard)):
        try:
            sides = trial.compare(subject, untouched(instance))
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
        as_table(rows),
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


def per_instance_verdict(
    claim: Claim, trial: EveryInstance, shards: Sequence[ShardResult], facts: dict[str, Any]
) -> Evidence:
    """Decide a per-instance trial from all its shards.

    Parameters
    ----------
    claim : Claim
        What was tried.
    trial : EveryInstance
        Its trial.
    shards : sequence of ShardResult
        By number.
    facts : dict
        Fields of the evidence that are known already, table and count included.

    Returns
    -------
    Evidence
        Violated if any comparison is; a tightness claim also if it does not reach far enough.
    """
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
