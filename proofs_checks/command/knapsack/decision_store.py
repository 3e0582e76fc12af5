"""Decisions that survive a kill: an append-only log of answers, and a state file that says how much of it counts.

Order of a commit, each step on the disk before the next: the answer is appended to ``<state>.decisions.jsonl``; the
state file is replaced, naming the log's new length; only then may the caller tell anybody. A kill between the first two
leaves a tail in the log that no state vouches for: it is cut off at the next start, and nobody was told of it. A kill
after the second loses nothing: who asks again is given the recorded answer. A commit costs the same however long the
log is.
"""

from __future__ import annotations

import fcntl
import glob
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from proofs_checks.records.storage import write_atomically

__all__ = ["DecisionStore", "Recorded"]

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Recorded:
    """An item that was decided on, and the answer that was given.

    Parameters
    ----------
    item : mapping
        What was asked.
    answer : mapping
        What was answered.
    """

    item: Mapping[str, Any]
    answer: Mapping[str, Any]


class DecisionStore:
    """The decisions of one stream, under one configuration; one process at a time.

    Parameters
    ----------
    path : Path
        The state file; the log lies beside it.
    configuration : mapping
        Plain data; a state file of another configuration is refused.
    initial : mapping
        The state before the first decision.

    Raises
    ------
    ValueError
        If another process has the file, it is damaged, its log is shorter than it says, or it was written under
        another configuration.
    """

    def __init__(self, path: Path, configuration: Mapping[str, Any], initial: Mapping[str, Any]) -> None:
        self._path = path
        self._configuration = _plain(configuration)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.log_path = path.with_name(f"{path.name}.decisions.jsonl")
        self._log = self.log_path.open("a+b")
        try:
            self._lock()
            for unfinished in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
                unfinished.unlink()  # of a process that was killed while it wrote
            self._state, self._answers = self._recovered(initial)
        except BaseException:
            self._log.close()
            raise

    def __enter__(self) -> Self:
        """Hold the file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file."""
        self.close()

    @property
    def state(self) -> Mapping[str, Any]:
        """The state after the last committed decision."""
        return self._state

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self._answers)

    def recorded(self, key: str) -> Recorded | None:
        """Return what was decided under a key.

        Parameters
        ----------
        key : str
            The item's key.

        Returns
        -------
        Recorded or None
            None if nothing was.
        """
        return self._answers.get(key)

    def commit(self, key: str, recorded: Recorded, state: Mapping[str, Any]) -> None:
        """Put a decision on the disk; when this returns, it may be told.

        Parameters
        ----------
        key : str
            The item's key, new.
        recorded : Recorded
            Item and answer, plain data.
        state : mapping
            The state after the decision, plain data.

        Raises
        ------
        OSError
            If the disk refuses; the decision must not be told then.
        """
        line = {"key": key, "item": recorded.item, "answer": recorded.answer}
        self._log.write(json.dumps(line, allow_nan=False).encode() + b"\n")
        self._log.flush()
        os.fsync(self._log.fileno())
        self._answers[key] = recorded
        self._state = state
        self._write_state()

    def close(self) -> None:
        """Let go of the file; nothing is left to write."""
        self._log.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self._path}: in use by another process") from None

    def _write_state(self) -> None:
        about = {
            "format": _FORMAT,
            "configuration": self._configuration,
            "decisions": len(self._answers),
            "log_bytes": self._log.seek(0, os.SEEK_END),
            "state": self._state,
        }
        write_atomically(self._path, json.dumps(about, allow_nan=False, indent=1).encode() + b"\n")

    def _recovered(self, initial: Mapping[str, Any]) -> tuple[Mapping[str, Any], dict[str, Recorded]]:
        size = self._log.seek(0, os.SEEK_END)
        if not self._path.exists():
            if size:
                raise ValueError(f"{self._path}: missing, but {self.log_path} holds decisions")
            self._state, self._answers = initial, {}
            self._write_state()
            return self._state, self._answers
        about = self._read_state()
        if about["configuration"] != self._configuration:
            name = next(
                name
                for name in sorted({*about["configuration"], *self._configuration})
                if about["configuration"].get(name) != self._configuration.get(name)
            )
            raise ValueError(
                f"{self._path}: was written with {name} = {about['configuration'].get(name)!r}, "
                f"not {self._configuration.get(name)!r}"
            )
        length: int = about["log_bytes"]
        if size < length:
            raise ValueError(f"{self.log_path}: has {size} bytes, the state vouches for {length}")
        self._log.truncate(length)
        answers = self._read_log(length)
        if len(answers) != about["decisions"]:
            raise ValueError(f"{self.log_path}: holds {len(answers)} decisions, the state says {about['decisions']}")
        return about["state"], answers

    def _read_state(self) -> dict[str, Any]:
        try:
            about = json.loads(self._path.read_bytes())
            if about["format"] != _FORMAT:
                raise ValueError(f"format {about['format']!r}, not {_FORMAT}")
            for name, kind in (("configuration", dict), ("decisions", int), ("log_bytes", int), ("state", dict)):
                if not isinstance(about[name], kind):
                    raise ValueError(f"{name} = {about[name]!r}")
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"{self._path}: not a state file, or damaged: {error}") from error
        return dict(about)

    def _read_log(self, length: int) -> dict[str, Recorded]:
        self._log.seek(0)
        answers = {}
        for number, line in enumerate(self._log.read(length).splitlines(), start=1):
            try:
                entry = json.loads(line)
                answers[str(entry["key"])] = Recorded(entry["item"], entry["answer"])
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{self.log_path}: line {number} is damaged: {error}") from error
        return answers


def _plain(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration as it comes back from JSON, so that comparing is fair."""
    plain: dict[str, Any] = json.loads(json.dumps(configuration, allow_nan=False))
    return plain
