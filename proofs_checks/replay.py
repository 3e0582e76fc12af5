"""Try the case of a replay file again, and say what it measures now beside what was recorded.

A replay file is data and names no code (see `proofs_checks.records.replay_file`). A claim is found by its id; whoever
wants to see their own algorithm judged passes it along.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs_checks.claim import Claim, EveryInstance, Sides
from proofs_checks.command.subjects import load_subject
from proofs_checks.records.encoding import decode
from proofs_checks.records.naming import literal_of
from proofs_checks.records.replay_file import ReplayFile, read_replay, write_replay, write_worst_case_replay
from proofs_checks.registry import find_claim, how_to_install, missing_packages
from proofs_checks.search.online_problem import RTOL, Charge
from proofs_checks.trial.per_instance import instance_at, untouched

__all__ = [
    "ReplayFile",
    "Replayed",
    "load_subject",
    "read_replay",
    "replay",
    "write_replay",
    "write_worst_case_replay",
]

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a case measures now, beside what was recorded.

    Parameters
    ----------
    measured, bound : float
        The two sides now.
    violated : bool
        Whether measured exceeds bound now.
    recorded_measured, recorded_bound : float
        The two sides in the file.
    same : bool
        Whether now and then agree to rounding.
    case : object
        The case.
    sentence : str
        What a person needs to know.
    """

    measured: float
    bound: float
    violated: bool
    recorded_measured: float
    recorded_bound: float
    same: bool
    case: Any
    sentence: str


def replay(
    path: str | os.PathLike[str], *, subject: Any = None, claim_source: str | os.PathLike[str] | None = None
) -> Replayed:
    """Judge the case of a replay file again.

    Parameters
    ----------
    path : path
        The file.
    subject : object, optional
        For a claim: who stands trial instead of the claim's own subject, or of the mutant. For a problem: the `Charge`,
        or a function without arguments that returns it; files name no code, so this is the only way to bring it in.
    claim_source : path, optional
        The Python file that exports the claim, where it is not one of the toolkit's own.

    Returns
    -------
    Replayed
        Both sides now and then.

    Raises
    ------
    ValueError
        If the file is malformed, its claim or mutant is unknown, a foreign subject is needed and missing, or the case
        cannot be judged: the message names the file.
    TypeError
        If `subject` is not what the kind of file asks for.
    ModuleNotFoundError
        If the claim needs a package that is missing.
    """
    file = Path(path)
    content = read_replay(file)
    if subject is None and (content.subject or content.kind == "problem"):
        whom = content.subject or "somebody's own algorithm"
        raise ValueError(f"{file}: subject = {whom!r}: files name no code; pass the subject (--subject MODULE:NAME)")
    if content.kind == "problem":
        charge = _as_charge(subject)
        case = _decoded(file, content, charge.problem.instance_types)
        sides = _judged(file, charge.sides, case)
        return _replayed(content, case, sides, sides.violated(RTOL, 0.0))
    claim = _claim_of(file, content, claim_source)
    trial = _per_instance_trial(file, claim)
    on_trial = _accused(file, claim, content.mutant, subject)
    case = _instance_of(file, content, claim, trial)
    sides = _judged(file, lambda instance: trial.compare(on_trial, untouched(instance)), case)
    return _replayed(content, case, sides, sides.violated(trial.rtol, trial.atol))


def _as_charge(subject: Any) -> Charge:
    try:
        charge = subject() if callable(subject) else subject
    except TypeError as error:
        raise TypeError(f"subject: must be a Charge or a function that returns one: {error}") from error
    if not isinstance(charge, Charge):
        raise TypeError(f"subject: must be a Charge or a function that returns one, got {type(charge).__name__}")
    return charge


def _claim_of(file: Path, content: ReplayFile, source: str | os.PathLike[str] | None) -> Claim:
    try:
        claim = find_claim(str(content.claim), None if source is None else Path(source))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    if missing := missing_packages(claim):
        raise ModuleNotFoundError(f"{claim.id} needs {', '.join(missing)}: {how_to_install(missing)}")
    return claim


def _per_instance_trial(file: Path, claim: Claim) -> EveryInstance:
    if not isinstance(claim.trial, EveryInstance):
        raise ValueError(f"{file}: claim = {claim.id!r}: its trial has no single instances")
    return claim.trial


def _accused(file: Path, claim: Claim, mutant: str, subject: Any) -> Any:
    try:
        return claim.accused(None if subject is not None else mutant, subject)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _instance_of(file: Path, content: ReplayFile, claim: Claim, trial: EveryInstance) -> Any:
    if content.instance is not None:
        return _decoded(file, content, trial.instance_types)
    place = content.place
    assert place is not None  # the reader has checked that one of the two is there
    try:
        return instance_at(claim, place.seed, place.effort, place.shard, place.index)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _decoded(file: Path, content: ReplayFile, types: tuple[type, ...]) -> Any:
    try:
        return decode(content.instance, types)
    except Exception as error:  # whatever a constructor or numpy makes of foreign data
        raise ValueError(f"{file}: instance: cannot be rebuilt: {type(error).__name__}: {error}") from error


def _judged(file: Path, compare: Callable[[Any], Sides], case: Any) -> Sides:
    try:
        return compare(case)
    except Exception as error:  # a case of the wrong form, or a subject that fails on it: the cause tells
        raise ValueError(f"{file}: judging {literal_of(case)} raised {type(error).__name__}: {error}") from error


def _replayed(content: ReplayFile, case: Any, sides: Sides, violated: bool) -> Replayed:
    measured, bound = float(sides.measured), float(sides.bound)
    same = _equal(measured, content.measured) and _equal(bound, content.bound)
    sentence = f"measured {measured:.10g}, bound {bound:.10g}: {'violated' if violated else 'not violated'}"
    if same:
        sentence += ", as recorded."
    else:
        sentence += (
            f". The file recorded measured {content.measured:.10g}, bound {content.bound:.10g}: the subject, the bound "
            f"or the code between them is not what it was."
        )
    return Replayed(measured, bound, violated, content.measured, content.bound, same, case, sentence)


def _equal(now: float, then: float) -> bool:
    return math.isclose(now, then, rel_tol=_SAME) or (math.isnan(now) and math.isnan(then))
