"""Files that are either whole or absent: shards, evidence, and the record of a run.

One shard is the unit of work, of resume and of atomic write: a run that is killed loses at most the shards in flight. A
shard carries the fingerprint under which it was computed; one from other code or other versions is stale.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_checks.claim import Effort
from proofs_checks.records.evidence import Evidence, WorstCase, to_canonical_json
from proofs_checks.trial.per_instance import ShardResult

__all__ = [
    "ShardKey",
    "ShardStore",
    "StoredShard",
    "read_evidence",
    "slug",
    "write_atomically",
    "write_evidence",
]


_DIGEST = hashlib.sha256().digest_size


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader, or a kill, never sees half of it.

    Parameters
    ----------
    path : Path
        The file; its folder is made when it is missing.
    data : bytes
        Its whole content.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def slug(name: str) -> str:
    """Return a mutant's name as a file name.

    Parameters
    ----------
    name : str
        Any text.

    Returns
    -------
    str
        Letters, digits and hyphens.

    Examples
    --------
    >>> slug("ln without the 1")
    'ln-without-the-1'
    """
    return "-".join("".join(char if char.isalnum() else " " for char in name).split())


@dataclass(frozen=True, slots=True)
class ShardKey:
    """Which shard: the claim, the effort, the seed and the number.

    Parameters
    ----------
    claim : str
        The claim's id.
    effort : {"smoke", "quick", "full"}
        The effort.
    seed, shard : int
        The run's seed and the shard's number.
    """

    claim: str
    effort: Effort
    seed: int
    shard: int

    @property
    def file_name(self) -> str:
        """Name of its file, unique among the shards of one folder."""
        return f"{self.claim}/{self.effort}-seed{self.seed}-{self.shard:05d}.shard"


@dataclass(frozen=True, slots=True)
class StoredShard:
    """A shard and the CPU seconds that it took.

    Parameters
    ----------
    result : ShardResult
        What it found.
    seconds : float
        CPU seconds.
    """

    result: ShardResult
    seconds: float


@dataclass(slots=True)
class ShardStore:
    """The shards of a folder, under one fingerprint.

    Parameters
    ----------
    folder : Path
        Where they lie.
    fingerprint : str
        Of the code that runs now.
    """

    folder: Path
    fingerprint: str
    stale: int = field(default=0, init=False)
    damaged: int = field(default=0, init=False)

    def save(self, key: ShardKey, shard: StoredShard) -> None:
        """Write a shard.

        Parameters
        ----------
        key : ShardKey
            Which one.
        shard : StoredShard
            What it found.
        """
        result = shard.result
        about = {
            "fingerprint": self.fingerprint,
            "seconds": shard.seconds,
            "violations": result.violations,
            "worst": None if result.worst is None else result.worst.to_plain(),
            "violation": None if result.violation is None else result.violation.to_plain(),
        }
        columns = {f"column {name}": column for name, column in result.table.items()}
        data = _packed(about, columns)
        write_atomically(self.folder / key.file_name, hashlib.sha256(data).digest() + data)

    def load(self, key: ShardKey) -> StoredShard | None:
        """Return a shard, or None when it is absent, stale or damaged (the last two are counted).

        Parameters
        ----------
        key : ShardKey
            Which one.

        Returns
        -------
        StoredShard or None
            What it found.
        """
        path = self.folder / key.file_name
        try:
            digest, data = (whole := path.read_bytes())[:_DIGEST], whole[_DIGEST:]
            if hashlib.sha256(data).digest() != digest:
                raise ValueError(f"{path}: damaged")
            about, arrays = _unpacked(data)
            if about["fingerprint"] != self.fingerprint:
                self.stale += 1
                return None
            table = {name.removeprefix("column "): column for name, column in arrays.items()}
            worst, violation = (
                None if about[name] is None else WorstCase.from_plain(about[name]) for name in ("worst", "violation")
            )
            result = ShardResult(table, worst, violation, int(about["violations"]))
            return StoredShard(result, float(about["seconds"]))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, OSError, zipfile.BadZipFile):
            self.damaged += 1
            return None


def write_evidence(folder: Path, evidence: Evidence) -> None:
    """Write evidence and its table: ``<claim>.json`` and ``<claim>.npz`` (a mutant's have its name behind two hyphens).

    Parameters
    ----------
    folder : Path
        Where to.
    evidence : Evidence
        What to write.
    """
    name = _evidence_name(evidence.claim, evidence.mutant)
    write_atomically(folder / f"{name}.npz", _packed({}, dict(evidence.table)))
    write_atomically(folder / f"{name}.json", evidence.to_bytes())


def read_evidence(folder: Path, claim: str, mutant: str = "") -> Evidence:
    """Read what `write_evidence` wrote.

    Parameters
    ----------
    folder : Path
        Where from.
    claim, mutant : str
        The claim's id, and the mutant's name or nothing.

    Returns
    -------
    Evidence
        The same value.
    """
    name = _evidence_name(claim, mutant)
    _, table = _unpacked((folder / f"{name}.npz").read_bytes())
    return Evidence.from_bytes((folder / f"{name}.json").read_bytes(), table)


def _evidence_name(claim: str, mutant: str) -> str:
    return f"{claim}--{slug(mutant)}" if mutant else claim


def _packed(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Pack into an npz; numpy writes it without a date, so equal content gives equal bytes."""
    buffer = io.BytesIO()
    text = np.frombuffer(to_canonical_json(about), dtype=np.uint8)
    np.savez_compressed(buffer, allow_pickle=False, about=text, **{f"array {name}": arrays[name] for name in arrays})
    return buffer.getvalue()


def _unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        about = json.loads(file["about"].tobytes())
        arrays = {name.removeprefix("array "): file[name] for name in file.files if name != "about"}
    return about, arrays
