"""Evidence: what a trial found, as a value that is byte-equal wherever it is computed.

Times, host and versions are not part of it; they stand in ``run.json`` beside it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from proofs_checks.claim import Effort, Kind, Table, Verdict

__all__ = ["Evidence", "WorstCase", "plain_float", "to_canonical_json"]


def plain_float(value: float) -> float | str:
    """Return `value` for JSON, which knows neither infinity nor NaN.

    Parameters
    ----------
    value : float
        Any float.

    Returns
    -------
    float or str
        The number, or "inf", "-inf", "nan".

    Examples
    --------
    >>> plain_float(1.5), plain_float(float("inf"))
    (1.5, 'inf')
    """
    value = float(value)
    return value if math.isfinite(value) else str(value)


def to_canonical_json(value: Any) -> bytes:
    """Encode plain data: sorted keys, shortest floats, one newline at the end.

    Parameters
    ----------
    value : object
        Plain data (dict, list, str, int, float, bool, None).

    Returns
    -------
    bytes
        UTF-8.

    Examples
    --------
    >>> to_canonical_json({"b": 1, "a": [0.1]})
    b'{\\n "a": [\\n  0.1\\n ],\\n "b": 1\\n}\\n'
    """
    return (json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The first violation, or where there is none the instance with the largest measured / bound.

    Parameters
    ----------
    shard, index : int
        Where the trial met it: shard 0 holds the known instances, later shards the random ones.
    stream : tuple of int
        Spawn key of the shard's random stream, under the run's seed.
    description : str
        The instance's repr, shortened.
    instance : object or None
        The instance itself as plain data (see `proofs_checks.records.encoding`), where it is small.
    measured, bound : float
        The two sides there.
    """

    shard: int
    index: int
    stream: tuple[int, ...]
    description: str
    instance: Any
    measured: float
    bound: float

    def to_plain(self) -> dict[str, Any]:
        """Return plain data.

        Returns
        -------
        dict
            For JSON.
        """
        return {
            "shard": self.shard,
            "index": self.index,
            "stream": list(self.stream),
            "description": self.description,
            "instance": self.instance,
            "measured": plain_float(self.measured),
            "bound": plain_float(self.bound),
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> WorstCase:
        """Rebuild from `to_plain`.

        Parameters
        ----------
        plain : mapping
            What `to_plain` returned.

        Returns
        -------
        WorstCase
            The same value.
        """
        return cls(
            shard=int(plain["shard"]),
            index=int(plain["index"]),
            stream=tuple(int(word) for word in plain["stream"]),
            description=str(plain["description"]),
            instance=plain["instance"],
            measured=float(plain["measured"]),
            bound=float(plain["bound"]),
        )


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """What one trial of one subject found: a pure function of claim, subject, seed, effort and fingerprint.

    Parameters
    ----------
    claim : str
        The claim's id.
    mutant : str
        Name of the mutant that stood trial; empty for the claim's own subject.
    kind, expect, effort : str
        As in the claim and the run.
    seed : int
        Of the run.
    fingerprint : str
        Hash of the code and of the numerical packages' versions.
    verdict : str
        holds, violated, inconclusive, not run or error.
    sentence : str
        What a person needs to know.
    instances : int
        Comparisons, repetitions or cases behind the verdict.
    measured, bound : float
        The worst comparison, or the estimate and its bound; NaN when nothing ran.
    tightness : float or None
        Best measured / bound over all comparisons (per-instance trials only).
    interval : tuple of float or None
        Confidence interval of `measured` (decided trials only).
    confidence : float or None
        Its level.
    worst : WorstCase or None
        Per-instance trials only.
    subject : str
        What a person calls the foreign subject that stood trial; empty if there was none.
    table : mapping of str to ndarray
        The rows behind the plot.
    """

    claim: str
    mutant: str
    kind: Kind
    expect: Verdict
    effort: Effort
    seed: int
    fingerprint: str
    verdict: Verdict
    sentence: str
    instances: int = 0
    measured: float = math.nan
    bound: float = math.nan
    tightness: float | None = None
    interval: tuple[float, float] | None = None
    confidence: float | None = None
    worst: WorstCase | None = None
    subject: str = ""
    table: Table = field(default_factory=dict, compare=False)

    @property
    def as_expected(self) -> bool | None:
        """Whether the verdict is the expected one; None if there is no decisive verdict."""
        if self.verdict in ("inconclusive", "not run"):
            return None
        return self.verdict == self.expect

    @property
    def loose(self) -> bool:
        """Whether the bound was never approached to one half by any instance (kind always)."""
        return self.kind == "always" and self.tightness is not None and 0 < self.tightness < 0.5

    def __repr__(self) -> str:
        """Claim, verdict and the sentence."""
        who = f" [{self.mutant or self.subject}]" if self.mutant or self.subject else ""
        return f"Evidence({self.claim}{who}: {self.verdict}. {self.sentence})"

    def to_bytes(self) -> bytes:
        """Return the canonical JSON of everything but the table, with the table's digest.

        Returns
        -------
        bytes
            Equal bytes mean equal evidence, table included.
        """
        plain: dict[str, Any] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name == "table":
                value = _digest(value)
            elif isinstance(value, WorstCase):
                value = value.to_plain()
            elif isinstance(value, tuple):
                value = [plain_float(end) for end in value]
            elif isinstance(value, float):
                value = plain_float(value)
            plain[entry.name] = value
        return to_canonical_json(plain)

    @classmethod
    def from_bytes(cls, data: bytes, table: Table) -> Evidence:
        """Rebuild from `to_bytes` and the table.

        Parameters
        ----------
        data : bytes
            What `to_bytes` returned.
        table : mapping of str to ndarray
            The table.

        Returns
        -------
        Evidence
            The same value.

        Raises
        ------
        ValueError
            If the table is not the one whose digest stands in `data`.
        """
        plain = json.loads(data)
        if plain.pop("table") != _digest(table):
            raise ValueError(f"table of {plain['claim']}: does not match its evidence; one of the files was edited")
        interval, tightness, confidence = plain["interval"], plain["tightness"], plain["confidence"]
        plain |= {
            "measured": float(plain["measured"]),
            "bound": float(plain["bound"]),
            "tightness": None if tightness is None else float(tightness),
            "confidence": None if confidence is None else float(confidence),
            "interval": None if interval is None else (float(interval[0]), float(interval[1])),
            "worst": None if plain["worst"] is None else WorstCase.from_plain(plain["worst"]),
        }
        return cls(**plain, table=table)


def _digest(table: Table) -> str:
    import hashlib

    digest = hashlib.sha256()
    for name in sorted(table):
        column = np.ascontiguousarray(table[name])
        digest.update(f"{name}:{column.dtype.str}:{column.shape}".encode())
        digest.update(column.tobytes())
    return digest.hexdigest()
