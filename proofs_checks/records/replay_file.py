"""The replay file: one case and its two sides, written down as data.

A file holds the case itself (see `proofs_checks.records.encoding`) or, where that is too large, the seed, effort, shard
and index that regenerate it, beside the two sides that were measured. It names a claim by its id and a mutant by its
name, and no code at all: nothing found in a file is imported or evaluated.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NoReturn

from proofs_checks.claim import EFFORTS, Effort
from proofs_checks.records.evidence import Evidence, plain_float, to_canonical_json
from proofs_checks.records.storage import slug, write_atomically

__all__ = ["FORMAT", "Place", "ReplayFile", "read_replay", "write_replay", "write_worst_case_replay"]

FORMAT = "boundlab replay 1"
_PLACE = ("seed", "effort", "shard", "index")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a claim's trial met an instance; see `proofs_checks.judge.instance_at`.

    Parameters
    ----------
    seed : int
        Of the run.
    effort : {"smoke", "quick", "full"}
        Of the run.
    shard, index : int
        Number of the shard, and of the instance in it.
    """

    seed: int
    effort: Effort
    shard: int
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayFile:
    """What a replay file says.

    Parameters
    ----------
    kind : {"claim", "problem"}
        A claim of the registry or of a user's claim file, or a bound on somebody's own algorithm.
    measured, bound : float
        The two sides as they were measured.
    claim : str or None
        The claim's id.
    mutant : str
        Name of the mutant that stood trial; empty for the claim's own subject.
    subject : str
        What a person calls the foreign subject that stood trial, never an import path; empty if there was none.
    place : Place or None
        Where the claim's trial met the instance, if it did; flat in the file.
    instance : object or None
        The case as plain data; None if its place must regenerate it.
    """

    kind: Literal["claim", "problem"]
    measured: float
    bound: float
    claim: str | None = None
    mutant: str = ""
    subject: str = ""
    place: Place | None = None
    instance: Any = None


def write_replay(path: str | os.PathLike[str], content: ReplayFile) -> Path:
    """Write a replay file; no reader ever sees half of it.

    Parameters
    ----------
    path : path
        The file; its folder is made when it is missing.
    content : ReplayFile
        What it says.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If the content could not be read back: it neither holds its case nor says how to regenerate it.
    """
    place = content.place
    plain = {
        "format": FORMAT,
        "kind": content.kind,
        "claim": content.claim,
        "mutant": content.mutant,
        "subject": content.subject,
        **{name: None if place is None else getattr(place, name) for name in _PLACE},
        "instance": content.instance,
        "measured": plain_float(content.measured),
        "bound": plain_float(content.bound),
    }
    _checked(Path(path), plain)
    write_atomically(Path(path), to_canonical_json(plain))
    return Path(path)


def write_worst_case_replay(evidence: Evidence, folder: str | os.PathLike[str]) -> Path | None:
    """Write the replay file of the worst case of a trial.

    Parameters
    ----------
    evidence : Evidence
        What the trial found.
    folder : path
        Where to write ``<claim id>.json``, or ``<claim id>--<mutant>.json`` for a mutant's evidence.

    Returns
    -------
    Path or None
        The file; None where the trial has no single worst case.
    """
    worst = evidence.worst
    if worst is None:
        return None
    name = f"{evidence.claim}--{slug(evidence.mutant)}" if evidence.mutant else evidence.claim
    content = ReplayFile(
        kind="claim",
        claim=evidence.claim,
        mutant=evidence.mutant,
        place=Place(evidence.seed, evidence.effort, worst.shard, worst.index),
        instance=worst.instance,
        measured=worst.measured,
        bound=worst.bound,
    )
    return write_replay(Path(folder) / f"{name}.json", content)


def read_replay(path: str | os.PathLike[str]) -> ReplayFile:
    """Read a replay file.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    ReplayFile
        What it says. Its instance is still plain data.

    Raises
    ------
    ValueError
        If it is not a replay file: the message names the file, the field and the rule.
    """
    file = Path(path)
    try:
        plain = json.loads(file.read_bytes(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # bad UTF-8 and bad JSON are both ValueErrors
        raise ValueError(f"{file}: must be JSON: {error or 'nested too deeply'}") from error
    if not isinstance(plain, dict):
        raise ValueError(f"{file}: must hold a JSON object, got {type(plain).__name__}")
    _checked(file, plain)
    return ReplayFile(
        kind=plain["kind"],
        claim=plain["claim"],
        mutant=plain["mutant"],
        subject=plain["subject"],
        place=None if plain["seed"] is None else Place(*(plain[name] for name in _PLACE)),
        instance=plain["instance"],
        measured=float(plain["measured"]),
        bound=float(plain["bound"]),
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON; infinities and NaN are written as strings")


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(value: Any) -> bool:
    if isinstance(value, str):
        return value in ("inf", "-inf", "nan")
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


_RULES: Mapping[str, tuple[Callable[[Any], bool], str]] = MappingProxyType(
    {
        "format": (lambda value: value == FORMAT, f"must be {FORMAT!r}"),
        "kind": (lambda value: value in ("claim", "problem"), "must be 'claim' or 'problem'"),
        "claim": (lambda value: value is None or isinstance(value, str), "must be a claim's id, or null"),
        "mutant": (lambda value: isinstance(value, str), "must be text"),
        "subject": (lambda value: isinstance(value, str), "must be text"),
        "seed": (lambda value: value is None or _count(value), "must be an integer of at least 0, or null"),
        "effort": (lambda value: value is None or value in EFFORTS, f"must be one of {', '.join(EFFORTS)}, or null"),
        "shard": (lambda value: value is None or _count(value), "must be an integer of at least 0, or null"),
        "index": (lambda value: value is None or _count(value), "must be an integer of at least 0, or null"),
        "instance": (lambda value: True, ""),
        "measured": (_number, "must be a number, or 'inf', '-inf' or 'nan'"),
        "bound": (_number, "must be a number, or 'inf', '-inf' or 'nan'"),
    }
)


def _checked(file: Path, plain: Mapping[str, Any]) -> None:
    for name, (legal, rule) in _RULES.items():
        if name not in plain:
            raise ValueError(f"{file}: {name} is missing")
        if not legal(plain[name]):
            raise ValueError(f"{file}: {name} = {_shortened(plain[name])}: {rule}")
    for name in plain:
        if name not in _RULES:
            raise ValueError(f"{file}: {name!r} is not a field of this format")
    if plain["kind"] == "claim" and not plain["claim"]:
        raise ValueError(f"{file}: claim = {plain['claim']!r}: must name a claim where kind is 'claim'")
    if plain["kind"] == "problem" and (plain["claim"] is not None or plain["mutant"]):
        raise ValueError(f"{file}: claim and mutant must be null and empty where kind is 'problem'")
    given = [plain[name] is not None for name in _PLACE]
    if any(given) != all(given):
        raise ValueError(f"{file}: {', '.join(_PLACE)}: must be given together, or be null together")
    if plain["instance"] is None and (plain["kind"] == "problem" or not all(given)):
        raise ValueError(
            f"{file}: instance = None: must hold the case, unless a claim's {', '.join(_PLACE)} regenerate it"
        )


def _shortened(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 80 else told[:79] + "…"
